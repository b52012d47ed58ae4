func.func @spmd_shift(%x: memref<2x64xf32>, %y: memref<2x64xf32> {pl.out}, %data: !pld.dtensor<2x64xf32>, %sig: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  %one = arith.constant 1 : index
  %ctx = pld.get_comm_ctx %data : !pld.dtensor<2x64xf32>
  %me = pld.rank %ctx
  %n = pld.nranks %ctx
  %b = pl.block_idx
  %next = arith.addi %me, %one : index
  %peer = arith.remui %next, %n : index
  %mine = pl.load %x[%b, 0] : memref<2x64xf32> -> !pl.tile<1x64xf32>
  pld.remote_store %mine, %data[%b, 0] to %peer : !pl.tile<1x64xf32>, !pld.dtensor<2x64xf32>
  pld.barrier %sig : !pld.dtensor<?x1xi32>
  %other = arith.subi %one, %b : index
  %back = pl.load %data[%other, 0] : !pld.dtensor<2x64xf32> -> !pl.tile<1x64xf32>
  pl.store %back, %y[%other, 0] : !pl.tile<1x64xf32>, memref<2x64xf32>
  return
}
func.func @per_rank(%x: memref<2x64xf32>, %y: memref<2x64xf32> {pl.out}, %data: !pld.dtensor<2x64xf32>, %sig: !pld.dtensor<?x1xi32>) attributes {pl.device} {
  %blocks = arith.constant 2 : index
  pl.spmd %blocks {
    func.call @spmd_shift(%x, %y, %data, %sig) : (memref<2x64xf32>, memref<2x64xf32>, !pld.dtensor<2x64xf32>, !pld.dtensor<?x1xi32>) -> ()
  }
  return
}
func.func @main(%x: memref<?x2x64xf32>, %y: memref<?x2x64xf32> {pl.out}) attributes {pl.host} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = pld.world_size
  %data_buf = pld.alloc_window_buffer [2, 64] of f32
  %sig_buf = pld.alloc_window_buffer [%n, 1] of i32
  scf.for %r = %zero to %n step %one {
    %data = pld.window %data_buf : !pld.dtensor<2x64xf32>
    %sig = pld.window %sig_buf[%n] : !pld.dtensor<?x1xi32>
    %xr = pl.shard %x[%r] : memref<?x2x64xf32> -> memref<2x64xf32>
    %yr = pl.shard %y[%r] : memref<?x2x64xf32> -> memref<2x64xf32>
    pld.dispatch @per_rank(%xr, %yr, %data, %sig) on %r : (memref<2x64xf32>, memref<2x64xf32>, !pld.dtensor<2x64xf32>, !pld.dtensor<?x1xi32>)
  }
  return
}
