// An allreduce inside a loop of five rounds.

func.func @core(%x: memref<1x64xf32>, %y: memref<1x64xf32> {pl.out}, %data: !pld.dtensor<1x64xf32>,
      %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %own = pl.load %x[0, 0] : memref<1x64xf32> -> !pl.tile<1x64xf32>
  %zero = pl.sub %own, %own : !pl.tile<1x64xf32>
  %total = scf.for %round = %c0 to %c5 step %c1 iter_args(%acc = %zero) -> (!pl.tile<1x64xf32>) {
    pl.store %own, %data[0, 0] : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
    pld.allreduce sum %data, %signal {algorithm = "ring"} : !pld.dtensor<1x64xf32>, !pld.dtensor<?x1xi32>
    %sum = pl.load %data[0, 0] : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
    %next = pl.add %acc, %sum : !pl.tile<1x64xf32>
    scf.yield %next : !pl.tile<1x64xf32>
  }
  pl.store %total, %y[0, 0] : !pl.tile<1x64xf32>, memref<1x64xf32>
  return
}

func.func @per_rank(%x: memref<1x64xf32>, %y: memref<1x64xf32> {pl.out}, %data: !pld.dtensor<1x64xf32>,
      %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.device} {
  call @core(%x, %y, %data, %signal) : (memref<1x64xf32>, memref<1x64xf32>, !pld.dtensor<1x64xf32>,
        !pld.dtensor<?x1xi32>) -> ()
  return
}

func.func @main(%x: memref<?x1x64xf32>, %y: memref<?x1x64xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [1, 64] of f32
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x1x64xf32> -> memref<1x64xf32>
    %yr = pl.shard %y[%r] : memref<?x1x64xf32> -> memref<1x64xf32>
    %data = pld.window %data_buffer : !pld.dtensor<1x64xf32>
    %signal = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
    pld.dispatch @per_rank(%xr, %yr, %data, %signal) on %r
        : (memref<1x64xf32>, memref<1x64xf32>, !pld.dtensor<1x64xf32>,
              !pld.dtensor<?x1xi32>)
  }
  return
}

// y[r] = 5 times the sum of x over all ranks
func.func @golden(%x: memref<?x1x64xf32>, %y: memref<?x1x64xf32>) attributes {pl.golden} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x1x64xf32>
  %c64 = arith.constant 64 : index
  scf.for %r = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %zero = arith.constant 0.0 : f32
      %sum = scf.for %s = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
        %v = memref.load %x[%s, %c0, %j] : memref<?x1x64xf32>
        %a = arith.addf %acc, %v : f32
        scf.yield %a : f32
      }
      %five = arith.constant 5.0 : f32
      %all = arith.mulf %sum, %five : f32
      memref.store %all, %y[%r, %c0, %j] : memref<?x1x64xf32>
    }
  }
  return
}
