func.func @push_loop(%x: memref<40x64xf32>, %y: memref<40x64xf32> {pl.out}, %total: memref<1x1xi32> {pl.out}, %data: !pld.dtensor<40x64xf32>, %sig: !pld.dtensor<?x1xi32>, %factor: f32) attributes {pl.incore} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %rows = arith.constant 8 : index
  %end = arith.constant 40 : index
  %chunks = arith.constant 5 : i32
  %none = arith.constant 0 : i32
  %ctx = pld.get_comm_ctx %data : !pld.dtensor<40x64xf32>
  %me = pld.rank %ctx
  %n = pld.nranks %ctx
  %next = arith.addi %me, %one : index
  %peer = arith.remui %next, %n : index
  scf.for %i = %zero to %end step %rows {
    %t = pl.load %x[%i, 0] : memref<40x64xf32> -> !pl.tile<8x64xf32>
    %s = pl.muls %t, %factor : !pl.tile<8x64xf32>, f32
    pld.remote_store %s, %data[%i, 0] to %peer : !pl.tile<8x64xf32>, !pld.dtensor<40x64xf32>
  }
  pld.notify add %chunks, %sig[%me, 0] to %peer : !pld.dtensor<?x1xi32>
  %before = arith.addi %me, %n : index
  %last = arith.subi %before, %one : index
  %prev = arith.remui %last, %n : index
  pld.wait ge %chunks, %sig[%prev, 0] : !pld.dtensor<?x1xi32>
  scf.for %j = %zero to %end step %rows {
    %u = pl.load %data[%j, 0] : !pld.dtensor<40x64xf32> -> !pl.tile<8x64xf32>
    pl.store %u, %y[%j, 0] : !pl.tile<8x64xf32>, memref<40x64xf32>
  }
  %sum = scf.for %p = %zero to %n step %one iter_args(%acc = %none) -> (i32) {
    %c = pl.read %sig[%p, 0] : !pld.dtensor<?x1xi32>
    %added = arith.addi %acc, %c : i32
    pl.write %added, %total[0, 0] : memref<1x1xi32>
    scf.yield %added : i32
  }
  return
}
func.func @per_rank(%x: memref<40x64xf32>, %y: memref<40x64xf32> {pl.out}, %total: memref<1x1xi32> {pl.out}, %data: !pld.dtensor<40x64xf32>, %sig: !pld.dtensor<?x1xi32>, %factor: f32) attributes {pl.device} {
  func.call @push_loop(%x, %y, %total, %data, %sig, %factor) : (memref<40x64xf32>, memref<40x64xf32>, memref<1x1xi32>, !pld.dtensor<40x64xf32>, !pld.dtensor<?x1xi32>, f32) -> ()
  return
}
func.func @main(%x: memref<?x40x64xf32>, %y: memref<?x40x64xf32> {pl.out}, %total: memref<?x1x1xi32> {pl.out}, %factor: f32) attributes {pl.host} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = pld.world_size
  %data_buf = pld.alloc_window_buffer [40, 64] of f32
  %sig_buf = pld.alloc_window_buffer [%n, 1] of i32
  scf.for %r = %zero to %n step %one {
    %data = pld.window %data_buf : !pld.dtensor<40x64xf32>
    %sig = pld.window %sig_buf[%n] : !pld.dtensor<?x1xi32>
    %xr = pl.shard %x[%r] : memref<?x40x64xf32> -> memref<40x64xf32>
    %yr = pl.shard %y[%r] : memref<?x40x64xf32> -> memref<40x64xf32>
    %tr = pl.shard %total[%r] : memref<?x1x1xi32> -> memref<1x1xi32>
    pld.dispatch @per_rank(%xr, %yr, %tr, %data, %sig, %factor) on %r : (memref<40x64xf32>, memref<40x64xf32>, memref<1x1xi32>, !pld.dtensor<40x64xf32>, !pld.dtensor<?x1xi32>, f32)
  }
  return
}
