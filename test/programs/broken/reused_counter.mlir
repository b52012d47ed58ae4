// Wrong: the second round waits for 1 again, which the first round has already reached, so
// it reads too early (pld-207, at run time pld-403). Mended: wait for 2.

func.func @core(%x: memref<1x64xf32>, %y: memref<1x64xf32> {pl.out},
      %data: !pld.dtensor<1x64xf32>, %signal: !pld.dtensor<?x1xi32>,
                %barrier: !pld.dtensor<?x1xi32>)
    attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ctx = pld.get_comm_ctx %data : !pld.dtensor<1x64xf32>
  %me = pld.rank %ctx
  %n = pld.nranks %ctx
  %after = arith.addi %me, %c1 : index
  %next = arith.remsi %after, %n : index
  %last = arith.subi %n, %c1 : index
  %before = arith.addi %me, %last : index
  %prev = arith.remsi %before, %n : index
  %one = arith.constant 1 : i32
  %local = pl.load %x[0, 0] : memref<1x64xf32> -> !pl.tile<1x64xf32>
  pld.remote_store %local, %data[0, 0] to %next : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
  pld.notify add %one, %signal[%me, 0] to %next : !pld.dtensor<?x1xi32>
  pld.wait ge %one, %signal[%prev, 0] : !pld.dtensor<?x1xi32>
  %recv = pl.load %data[0, 0] : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
  // The first value is read everywhere before the second is written.
  pld.barrier %barrier : !pld.dtensor<?x1xi32>
  %twice = pl.add %local, %local : !pl.tile<1x64xf32>
  pld.remote_store %twice, %data[0, 0] to %next : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
  pld.notify add %one, %signal[%me, 0] to %next : !pld.dtensor<?x1xi32>
  pld.wait ge %one, %signal[%prev, 0] : !pld.dtensor<?x1xi32>  // pld-207
  %second = pl.load %data[0, 0] : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
  pl.store %second, %y[0, 0] : !pl.tile<1x64xf32>, memref<1x64xf32>
  return
}

func.func @per_rank(%x: memref<1x64xf32>, %y: memref<1x64xf32> {pl.out},
      %data: !pld.dtensor<1x64xf32>, %signal: !pld.dtensor<?x1xi32>,
                %barrier: !pld.dtensor<?x1xi32>)
    attributes {pl.device} {
  call @core(%x, %y, %data, %signal, %barrier) : (memref<1x64xf32>, memref<1x64xf32>,
        !pld.dtensor<1x64xf32>, !pld.dtensor<?x1xi32>, !pld.dtensor<?x1xi32>) -> ()
  return
}

func.func @main(%x: memref<?x1x64xf32>, %y: memref<?x1x64xf32> {pl.out}) attributes {pl.host,
      pld.world_sizes = array<i64: 2, 3, 4>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [1, 64] of f32
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  %barrier_buffer = pld.alloc_window_buffer [%n, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x1x64xf32> -> memref<1x64xf32>
    %yr = pl.shard %y[%r] : memref<?x1x64xf32> -> memref<1x64xf32>
    %data = pld.window %data_buffer : !pld.dtensor<1x64xf32>
    %signal = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
    %barrier = pld.window %barrier_buffer[%n] : !pld.dtensor<?x1xi32>
    pld.dispatch @per_rank(%xr, %yr, %data, %signal, %barrier) on %r : (memref<1x64xf32>,
          memref<1x64xf32>, !pld.dtensor<1x64xf32>, !pld.dtensor<?x1xi32>, !pld.dtensor<?x1xi32>)
  }
  return
}
