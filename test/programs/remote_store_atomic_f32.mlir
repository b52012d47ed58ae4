// Every rank adds its f32 tile atomically into the slice of rank 0.

func.func @core(%x: memref<16x32xf32>, %y: memref<16x32xf32> {pl.out},
      %sum: !pld.dtensor<16x32xf32>, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ctx = pld.get_comm_ctx %signal : !pld.dtensor<?x1xi32>
  %me = pld.rank %ctx
  %n = pld.nranks %ctx
  %local = pl.load %x[0, 0] : memref<16x32xf32> -> !pl.tile<16x32xf32>
  pld.remote_store %local, %sum[0, 0] to %c0 atomic add : !pl.tile<16x32xf32>,
        !pld.dtensor<16x32xf32>
  pld.barrier %signal : !pld.dtensor<?x1xi32>
  %first = arith.cmpi eq, %me, %c0 : index
  scf.if %first {
    %total = pl.load %sum[0, 0] : !pld.dtensor<16x32xf32> -> !pl.tile<16x32xf32>
    pl.store %total, %y[0, 0] : !pl.tile<16x32xf32>, memref<16x32xf32>
  }
  return
}

func.func @per_rank(%x: memref<16x32xf32>, %y: memref<16x32xf32> {pl.out},
      %sum: !pld.dtensor<16x32xf32>, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.device} {
  call @core(%x, %y, %sum, %signal) : (memref<16x32xf32>, memref<16x32xf32>,
        !pld.dtensor<16x32xf32>, !pld.dtensor<?x1xi32>) -> ()
  return
}

func.func @main(%x: memref<?x16x32xf32> {pl.arg = "randint:-8:8"},
      %y: memref<?x16x32xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %sum_buffer = pld.alloc_window_buffer [16, 32] of f32
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x16x32xf32> -> memref<16x32xf32>
    %yr = pl.shard %y[%r] : memref<?x16x32xf32> -> memref<16x32xf32>
    %sum = pld.window %sum_buffer : !pld.dtensor<16x32xf32>
    %signal = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
    pld.dispatch @per_rank(%xr, %yr, %sum, %signal) on %r
        : (memref<16x32xf32>, memref<16x32xf32>, !pld.dtensor<16x32xf32>, !pld.dtensor<?x1xi32>)
  }
  return
}

// y[0] = sum of x over all ranks; the others are 0
func.func @golden(%x: memref<?x16x32xf32>, %y: memref<?x16x32xf32>) attributes {pl.golden} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x16x32xf32>
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  scf.for %i = %c0 to %c16 step %c1 {
    scf.for %j = %c0 to %c32 step %c1 {
      %zero = arith.constant 0.0 : f32
      %total = scf.for %s = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
      %v = memref.load %x[%s, %i, %j] : memref<?x16x32xf32>
      %a = arith.addf %acc, %v : f32
      scf.yield %a : f32
      }
      memref.store %total, %y[%c0, %i, %j] : memref<?x16x32xf32>
    }
  }
  return
}
