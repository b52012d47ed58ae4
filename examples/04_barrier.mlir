// The barrier, by hand and built in.
//
//   ./x run examples/04_barrier.mlir -d 0,1,2
//   ./x run examples/04_barrier.mlir -d 0,1,2 --entry handrolled
//
// @handrolled: each rank notifies its own row on every peer and waits for every peer's row
// on itself. The rows it has seen are its result: 1 for each peer, 0 for itself and for
// the rest of the eight rows.
// @main: stage, pld.barrier, load the next rank's slice. The barrier clears itself, so one
// signal serves any number of them.

func.func @rows_seen(%y: memref<8x1xi32> {pl.out}, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %ctx = pld.get_comm_ctx %signal : !pld.dtensor<?x1xi32>
  %me = pld.rank %ctx
  %n = pld.nranks %ctx
  scf.for %peer = %c0 to %n step %c1 {
    %other = arith.cmpi ne, %peer, %me : index
    scf.if %other {
      pld.notify add %one, %signal[%me, 0] to %peer : !pld.dtensor<?x1xi32>
    }
  }
  scf.for %src = %c0 to %n step %c1 {
    %other = arith.cmpi ne, %src, %me : index
    scf.if %other {
      pld.wait ge %one, %signal[%src, 0] : !pld.dtensor<?x1xi32>
    }
  }
  scf.for %src = %c0 to %n step %c1 {
    %seen = pl.read %signal[%src, 0] : !pld.dtensor<?x1xi32>
    pl.write %seen, %y[%src, 0] : memref<8x1xi32>
  }
  return
}

func.func @rows_rank(%y: memref<8x1xi32> {pl.out}, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.device} {
  call @rows_seen(%y, %signal) : (memref<8x1xi32>, !pld.dtensor<?x1xi32>) -> ()
  return
}

func.func @handrolled(%y: memref<?x8x1xi32> {pl.out})
    attributes {pl.host, pld.world_sizes = array<i64: 1, 2, 3, 4, 5, 6, 7, 8>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %buffer = pld.alloc_window_buffer [%n, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %yr = pl.shard %y[%r] : memref<?x8x1xi32> -> memref<8x1xi32>
    %signal = pld.window %buffer[%n] : !pld.dtensor<?x1xi32>
    pld.dispatch @rows_rank(%yr, %signal) on %r : (memref<8x1xi32>, !pld.dtensor<?x1xi32>)
  }
  return
}

// y[r][s] = 1 for s != r, 0 for s = r
func.func @handrolled_golden(%y: memref<?x8x1xi32>) attributes {pl.golden = @handrolled} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %y, %c0 : memref<?x8x1xi32>
  scf.for %r = %c0 to %n step %c1 {
    scf.for %s = %c0 to %n step %c1 {
      %other = arith.cmpi ne, %r, %s : index
      %seen = arith.extui %other : i1 to i32
      memref.store %seen, %y[%r, %s, %c0] : memref<?x8x1xi32>
    }
  }
  return
}

func.func @next_slice(%x: memref<1x64xf32>, %y: memref<1x64xf32> {pl.out},
                      %data: !pld.dtensor<1x64xf32>, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.incore} {
  %c1 = arith.constant 1 : index
  %ctx = pld.get_comm_ctx %data : !pld.dtensor<1x64xf32>
  %me = pld.rank %ctx
  %n = pld.nranks %ctx
  %local = pl.load %x[0, 0] : memref<1x64xf32> -> !pl.tile<1x64xf32>
  pl.store %local, %data[0, 0] : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
  pld.barrier %signal : !pld.dtensor<?x1xi32>
  %after = arith.addi %me, %c1 : index
  %next = arith.remsi %after, %n : index
  %recv = pld.remote_load %data[0, 0] from %next : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
  pl.store %recv, %y[0, 0] : !pl.tile<1x64xf32>, memref<1x64xf32>
  return
}

func.func @next_rank(%x: memref<1x64xf32>, %y: memref<1x64xf32> {pl.out},
                     %data: !pld.dtensor<1x64xf32>, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.device} {
  call @next_slice(%x, %y, %data, %signal)
      : (memref<1x64xf32>, memref<1x64xf32>, !pld.dtensor<1x64xf32>, !pld.dtensor<?x1xi32>) -> ()
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
    pld.dispatch @next_rank(%xr, %yr, %data, %signal) on %r
        : (memref<1x64xf32>, memref<1x64xf32>, !pld.dtensor<1x64xf32>, !pld.dtensor<?x1xi32>)
  }
  return
}

// y[r] = x[(r + 1) % n]
func.func @main_golden(%x: memref<?x1x64xf32>, %y: memref<?x1x64xf32>) attributes {pl.golden = @main} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %n = memref.dim %x, %c0 : memref<?x1x64xf32>
  scf.for %r = %c0 to %n step %c1 {
    %after = arith.addi %r, %c1 : index
    %next = arith.remsi %after, %n : index
    scf.for %k = %c0 to %c64 step %c1 {
      %v = memref.load %x[%next, %c0, %k] : memref<?x1x64xf32>
      memref.store %v, %y[%r, %c0, %k] : memref<?x1x64xf32>
    }
  }
  return
}
