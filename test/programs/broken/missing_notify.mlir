// Wrong: each rank waits for the previous one, which never notifies (pld-204, at run time
// pld-402). Mended: notify the next rank after the store.

func.func @core(%x: memref<1x64xf32>, %y: memref<1x64xf32> {pl.out},
      %data: !pld.dtensor<1x64xf32>, %signal: !pld.dtensor<?x1xi32>)
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
  pld.wait ge %one, %signal[%prev, 0] : !pld.dtensor<?x1xi32>  // pld-204
  %recv = pl.load %data[0, 0] : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
  pl.store %recv, %y[0, 0] : !pl.tile<1x64xf32>, memref<1x64xf32>
  return
}

func.func @per_rank(%x: memref<1x64xf32>, %y: memref<1x64xf32> {pl.out},
      %data: !pld.dtensor<1x64xf32>, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.device} {
  call @core(%x, %y, %data, %signal) : (memref<1x64xf32>, memref<1x64xf32>,
        !pld.dtensor<1x64xf32>, !pld.dtensor<?x1xi32>) -> ()
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
    pld.dispatch @per_rank(%xr, %yr, %data, %signal) on %r : (memref<1x64xf32>, memref<1x64xf32>,
          !pld.dtensor<1x64xf32>, !pld.dtensor<?x1xi32>)
  }
  return
}
