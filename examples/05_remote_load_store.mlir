// Remote load and store: a one-step ring shift.
//
//   ./x run examples/05_remote_load_store.mlir -d 0,1
//   ./x run examples/05_remote_load_store.mlir -d 0,1 --entry store
//
// @main pulls: each rank stages its slice, and after the barrier loads the next rank's.
// @store pushes: each rank stores into the next rank's slice, and after the barrier reads
// its own back.

func.func @shift_by_load(%x: memref<1x64xf32>, %y: memref<1x64xf32> {pl.out},
                         %data: !pld.dtensor<1x64xf32>, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.incore} {
  %c1 = arith.constant 1 : index
  %ctx = pld.get_comm_ctx %data : !pld.dtensor<1x64xf32>
  %me = pld.rank %ctx
  %n = pld.nranks %ctx

  // Stage: what peers load must be in the window first.
  %local = pl.load %x[0, 0] : memref<1x64xf32> -> !pl.tile<1x64xf32>
  pl.store %local, %data[0, 0] : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
  // No rank loads before every rank has staged.
  pld.barrier %signal : !pld.dtensor<?x1xi32>

  %next = arith.addi %me, %c1 : index
  %peer = arith.remsi %next, %n : index
  %recv = pld.remote_load %data[0, 0] from %peer : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
  pl.store %recv, %y[0, 0] : !pl.tile<1x64xf32>, memref<1x64xf32>
  return
}

func.func @shift_by_store(%x: memref<1x64xf32>, %y: memref<1x64xf32> {pl.out},
                          %data: !pld.dtensor<1x64xf32>, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.incore} {
  %c1 = arith.constant 1 : index
  %ctx = pld.get_comm_ctx %data : !pld.dtensor<1x64xf32>
  %me = pld.rank %ctx
  %n = pld.nranks %ctx

  %local = pl.load %x[0, 0] : memref<1x64xf32> -> !pl.tile<1x64xf32>
  %next = arith.addi %me, %c1 : index
  %peer = arith.remsi %next, %n : index
  pld.remote_store %local, %data[0, 0] to %peer : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
  // No rank reads its slice before the previous rank has written it.
  pld.barrier %signal : !pld.dtensor<?x1xi32>

  %back = pl.load %data[0, 0] : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
  pl.store %back, %y[0, 0] : !pl.tile<1x64xf32>, memref<1x64xf32>
  return
}

func.func @load_rank(%x: memref<1x64xf32>, %y: memref<1x64xf32> {pl.out},
                     %data: !pld.dtensor<1x64xf32>, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.device} {
  call @shift_by_load(%x, %y, %data, %signal)
      : (memref<1x64xf32>, memref<1x64xf32>, !pld.dtensor<1x64xf32>, !pld.dtensor<?x1xi32>) -> ()
  return
}

func.func @store_rank(%x: memref<1x64xf32>, %y: memref<1x64xf32> {pl.out},
                      %data: !pld.dtensor<1x64xf32>, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.device} {
  call @shift_by_store(%x, %y, %data, %signal)
      : (memref<1x64xf32>, memref<1x64xf32>, !pld.dtensor<1x64xf32>, !pld.dtensor<?x1xi32>) -> ()
  return
}

func.func @main(%x: memref<?x1x64xf32>, %y: memref<?x1x64xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buf = pld.alloc_window_buffer [1, 64] of f32
  %signal_buf = pld.alloc_window_buffer [%n, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %data = pld.window %data_buf : !pld.dtensor<1x64xf32>
    %signal = pld.window %signal_buf[%n] : !pld.dtensor<?x1xi32>
    %xr = pl.shard %x[%r] : memref<?x1x64xf32> -> memref<1x64xf32>
    %yr = pl.shard %y[%r] : memref<?x1x64xf32> -> memref<1x64xf32>
    pld.dispatch @load_rank(%xr, %yr, %data, %signal) on %r
        : (memref<1x64xf32>, memref<1x64xf32>, !pld.dtensor<1x64xf32>, !pld.dtensor<?x1xi32>)
  }
  return
}

func.func @store(%x: memref<?x1x64xf32>, %y: memref<?x1x64xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buf = pld.alloc_window_buffer [1, 64] of f32
  %signal_buf = pld.alloc_window_buffer [%n, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %data = pld.window %data_buf : !pld.dtensor<1x64xf32>
    %signal = pld.window %signal_buf[%n] : !pld.dtensor<?x1xi32>
    %xr = pl.shard %x[%r] : memref<?x1x64xf32> -> memref<1x64xf32>
    %yr = pl.shard %y[%r] : memref<?x1x64xf32> -> memref<1x64xf32>
    pld.dispatch @store_rank(%xr, %yr, %data, %signal) on %r
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
    %next = arith.addi %r, %c1 : index
    %from = arith.remsi %next, %n : index
    scf.for %k = %c0 to %c64 step %c1 {
      %v = memref.load %x[%from, %c0, %k] : memref<?x1x64xf32>
      memref.store %v, %y[%r, %c0, %k] : memref<?x1x64xf32>
    }
  }
  return
}

// y[r] = x[(r - 1) % n]
func.func @store_golden(%x: memref<?x1x64xf32>, %y: memref<?x1x64xf32>) attributes {pl.golden = @store} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %n = memref.dim %x, %c0 : memref<?x1x64xf32>
  scf.for %r = %c0 to %n step %c1 {
    %next = arith.addi %r, %c1 : index
    %to = arith.remsi %next, %n : index
    scf.for %k = %c0 to %c64 step %c1 {
      %v = memref.load %x[%r, %c0, %k] : memref<?x1x64xf32>
      memref.store %v, %y[%to, %c0, %k] : memref<?x1x64xf32>
    }
  }
  return
}
