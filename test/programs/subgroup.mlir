// Ranks 1 and 2 of four are a group: they meet, exchange and reduce; the others go on.

func.func @inside_core(%x: memref<1x64xf32>, %y: memref<2x64xf32> {pl.out},
      %data: !pld.dtensor<1x64xf32>, %signal: !pld.dtensor<2x1xi32>)
    attributes {pl.incore} {
  %c1 = arith.constant 1 : index
  // Ranks 0 and 1 of the group.
  %ctx = pld.get_comm_ctx %signal : !pld.dtensor<2x1xi32>
  %me = pld.rank %ctx
  %other = arith.subi %c1, %me : index
  %own = pl.load %x[0, 0] : memref<1x64xf32> -> !pl.tile<1x64xf32>
  pl.store %own, %data[0, 0] : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
  pld.barrier %signal : !pld.dtensor<2x1xi32>
  %theirs = pld.remote_load %data[0, 0] from %other : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
  pl.store %theirs, %y[0, 0] : !pl.tile<1x64xf32>, memref<2x64xf32>
  pld.allreduce sum %data, %signal : !pld.dtensor<1x64xf32>, !pld.dtensor<2x1xi32>
  %sum = pl.load %data[0, 0] : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
  pl.store %sum, %y[1, 0] : !pl.tile<1x64xf32>, memref<2x64xf32>
  return
}

func.func @inside(%x: memref<1x64xf32>, %y: memref<2x64xf32> {pl.out},
      %data: !pld.dtensor<1x64xf32>, %signal: !pld.dtensor<2x1xi32>)
    attributes {pl.device} {
  call @inside_core(%x, %y, %data, %signal) : (memref<1x64xf32>, memref<2x64xf32>,
        !pld.dtensor<1x64xf32>, !pld.dtensor<2x1xi32>) -> ()
  return
}

func.func @outside_core(%x: memref<1x64xf32>, %y: memref<2x64xf32> {pl.out}) attributes {pl.incore} {
  %own = pl.load %x[0, 0] : memref<1x64xf32> -> !pl.tile<1x64xf32>
  pl.store %own, %y[0, 0] : !pl.tile<1x64xf32>, memref<2x64xf32>
  pl.store %own, %y[1, 0] : !pl.tile<1x64xf32>, memref<2x64xf32>
  return
}

func.func @outside(%x: memref<1x64xf32>, %y: memref<2x64xf32> {pl.out}) attributes {pl.device} {
  call @outside_core(%x, %y) : (memref<1x64xf32>, memref<2x64xf32>) -> ()
  return
}

func.func @main(%x: memref<?x1x64xf32>, %y: memref<?x2x64xf32> {pl.out}) attributes {pl.host,
      pld.world_sizes = array<i64: 4>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [1, 64] of f32 {ranks = array<i64: 1, 2>}
  %signal_buffer = pld.alloc_window_buffer [2, 1] of i32 {ranks = array<i64: 1, 2>}
  %data = pld.window %data_buffer : !pld.dtensor<1x64xf32>
  %signal = pld.window %signal_buffer : !pld.dtensor<2x1xi32>
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x1x64xf32> -> memref<1x64xf32>
    %yr = pl.shard %y[%r] : memref<?x2x64xf32> -> memref<2x64xf32>
    %first = arith.cmpi eq, %r, %c1 : index
    %second = arith.cmpi eq, %r, %c2 : index
    %member = arith.ori %first, %second : i1
    scf.if %member {
      pld.dispatch @inside(%xr, %yr, %data, %signal) on %r
          : (memref<1x64xf32>, memref<2x64xf32>, !pld.dtensor<1x64xf32>, !pld.dtensor<2x1xi32>)
    } else {
      pld.dispatch @outside(%xr, %yr) on %r : (memref<1x64xf32>, memref<2x64xf32>)
    }
  }
  return
}

// y[r] = x[r], twice; but of ranks 1 and 2 each other's x, and the sum of both
func.func @golden(%x: memref<?x1x64xf32>, %y: memref<?x2x64xf32>) attributes {pl.golden} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  scf.for %r = %c0 to %c4 step %c1 {
    %first = arith.cmpi eq, %r, %c1 : index
    %second = arith.cmpi eq, %r, %c2 : index
    %member = arith.ori %first, %second : i1
    %mirrored = arith.subi %c3, %r : index
    %partner = arith.select %member, %mirrored, %r : index
    scf.for %j = %c0 to %c64 step %c1 {
      %v = memref.load %x[%partner, %c0, %j] : memref<?x1x64xf32>
      %own = memref.load %x[%r, %c0, %j] : memref<?x1x64xf32>
      %sum = arith.addf %v, %own : f32
      %all = arith.select %member, %sum, %own : f32
      memref.store %v, %y[%r, %c0, %j] : memref<?x2x64xf32>
      memref.store %all, %y[%r, %c1, %j] : memref<?x2x64xf32>
    }
  }
  return
}
