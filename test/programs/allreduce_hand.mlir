// An allreduce by hand: stage, barrier, add every peer's slice to the own one.

func.func @core(%x: memref<1x256xf32>, %y: memref<1x256xf32> {pl.out},
      %data: !pld.dtensor<1x256xf32>, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ctx = pld.get_comm_ctx %signal : !pld.dtensor<?x1xi32>
  %me = pld.rank %ctx
  %n = pld.nranks %ctx
  %own = pl.load %x[0, 0] : memref<1x256xf32> -> !pl.tile<1x256xf32>
  pl.store %own, %data[0, 0] : !pl.tile<1x256xf32>, !pld.dtensor<1x256xf32>
  pld.barrier %signal : !pld.dtensor<?x1xi32>
  %sum = scf.for %peer = %c0 to %n step %c1 iter_args(%acc = %own) -> (!pl.tile<1x256xf32>) {
    %other = arith.cmpi ne, %peer, %me : index
    %new = scf.if %other -> (!pl.tile<1x256xf32>) {
      %part = pld.remote_load %data[0, 0] from %peer : !pld.dtensor<1x256xf32>
            -> !pl.tile<1x256xf32>
      %added = pl.add %acc, %part : !pl.tile<1x256xf32>
      scf.yield %added : !pl.tile<1x256xf32>
    } else {
      scf.yield %acc : !pl.tile<1x256xf32>
    }
    scf.yield %new : !pl.tile<1x256xf32>
  }
  pl.store %sum, %y[0, 0] : !pl.tile<1x256xf32>, memref<1x256xf32>
  return
}

func.func @per_rank(%x: memref<1x256xf32>, %y: memref<1x256xf32> {pl.out},
      %data: !pld.dtensor<1x256xf32>, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.device} {
  call @core(%x, %y, %data, %signal) : (memref<1x256xf32>, memref<1x256xf32>,
        !pld.dtensor<1x256xf32>, !pld.dtensor<?x1xi32>) -> ()
  return
}

func.func @main(%x: memref<?x1x256xf32>, %y: memref<?x1x256xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [1, 256] of f32
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x1x256xf32> -> memref<1x256xf32>
    %yr = pl.shard %y[%r] : memref<?x1x256xf32> -> memref<1x256xf32>
    %data = pld.window %data_buffer : !pld.dtensor<1x256xf32>
    %signal = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
    pld.dispatch @per_rank(%xr, %yr, %data, %signal) on %r
        : (memref<1x256xf32>, memref<1x256xf32>, !pld.dtensor<1x256xf32>, !pld.dtensor<?x1xi32>)
  }
  return
}

// y[r] = sum of x over all ranks
func.func @golden(%x: memref<?x1x256xf32>, %y: memref<?x1x256xf32>) attributes {pl.golden} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x1x256xf32>
  %c256 = arith.constant 256 : index
  scf.for %r = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c256 step %c1 {
      %zero = arith.constant 0.0 : f32
      %sum = scf.for %s = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
      %v = memref.load %x[%s, %c0, %j] : memref<?x1x256xf32>
      %a = arith.addf %acc, %v : f32
      scf.yield %a : f32
      }
      memref.store %sum, %y[%r, %c0, %j] : memref<?x1x256xf32>
    }
  }
  return
}
