// An allreduce by hand, round a ring: reduce-scatter, then allgather, each pull waiting for
// the previous rank only.

func.func @core(%x: memref<1x256xf32>, %y: memref<1x256xf32> {pl.out},
      %data: !pld.dtensor<1x256xf32>, %steps_done: !pld.dtensor<?x1xi32>,
      %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %ctx = pld.get_comm_ctx %signal : !pld.dtensor<?x1xi32>
  %me = pld.rank %ctx
  %n = pld.nranks %ctx
  %after = arith.addi %me, %c1 : index
  %next = arith.remsi %after, %n : index
  %last = arith.subi %n, %c1 : index
  %before = arith.addi %me, %last : index
  %prev = arith.remsi %before, %n : index
  // Each rank has a segment for every rank; a step waits for the previous rank's step before.
  %c2 = arith.constant 2 : index
  %c256 = arith.constant 256 : index
  %segment = arith.divsi %c256, %n : index
  %own = pl.load %x[0, 0] : memref<1x256xf32> -> !pl.tile<1x256xf32>
  pl.store %own, %data[0, 0] : !pl.tile<1x256xf32>, !pld.dtensor<1x256xf32>
  pld.barrier %signal : !pld.dtensor<?x1xi32>
  %steps = arith.muli %last, %c2 : index
  scf.for %step = %c0 to %steps step %c1 {
    // Reduce-scatter, then allgather: the segment that this rank pulls.
    %gathers = arith.cmpi sge, %step, %last : index
    %more = arith.addi %step, %c1 : index
    %turn = arith.subi %step, %last : index
    %back = arith.select %gathers, %turn, %more : index
    %far = arith.addi %me, %n : index
    %less = arith.subi %far, %back : index
    %which = arith.remsi %less, %n : index
    %offset = arith.muli %which, %segment : index
    %count = arith.index_cast %step : index to i32
    pld.wait ge %count, %steps_done[%prev, 0] : !pld.dtensor<?x1xi32>
    %theirs = pld.remote_load %data[0, %offset] valid [1, %segment] from %prev : !pld.dtensor<1x256xf32> -> !pl.tile<1x256xf32>
    %mine = pl.load %data[0, %offset] valid [1, %segment] : !pld.dtensor<1x256xf32> -> !pl.tile<1x256xf32>
    %sum = pl.add %theirs, %mine : !pl.tile<1x256xf32>
    %new = scf.if %gathers -> (!pl.tile<1x256xf32>) {
      scf.yield %theirs : !pl.tile<1x256xf32>
    } else {
      scf.yield %sum : !pl.tile<1x256xf32>
    }
    pl.store %new, %data[0, %offset] valid [1, %segment] : !pl.tile<1x256xf32>, !pld.dtensor<1x256xf32>
    pld.notify add %one, %steps_done[%me, 0] to %next : !pld.dtensor<?x1xi32>
  }
  %got = pl.load %data[0, 0] : !pld.dtensor<1x256xf32> -> !pl.tile<1x256xf32>
  pl.store %got, %y[0, 0] : !pl.tile<1x256xf32>, memref<1x256xf32>
  return
}

func.func @per_rank(%x: memref<1x256xf32>, %y: memref<1x256xf32> {pl.out},
      %data: !pld.dtensor<1x256xf32>, %steps_done: !pld.dtensor<?x1xi32>,
      %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.device} {
  call @core(%x, %y, %data, %steps_done, %signal) : (memref<1x256xf32>, memref<1x256xf32>,
        !pld.dtensor<1x256xf32>, !pld.dtensor<?x1xi32>,
        !pld.dtensor<?x1xi32>) -> ()
  return
}

func.func @main(%x: memref<?x1x256xf32>, %y: memref<?x1x256xf32> {pl.out}) attributes {pl.host,
      pld.world_sizes = array<i64: 1, 2, 4>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [1, 256] of f32
  %steps_done_buffer = pld.alloc_window_buffer [%n, 1] of i32
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x1x256xf32> -> memref<1x256xf32>
    %yr = pl.shard %y[%r] : memref<?x1x256xf32> -> memref<1x256xf32>
    %data = pld.window %data_buffer : !pld.dtensor<1x256xf32>
    %steps_done = pld.window %steps_done_buffer[%n] : !pld.dtensor<?x1xi32>
    %signal = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
    pld.dispatch @per_rank(%xr, %yr, %data, %steps_done, %signal) on %r
        : (memref<1x256xf32>, memref<1x256xf32>, !pld.dtensor<1x256xf32>,
              !pld.dtensor<?x1xi32>, !pld.dtensor<?x1xi32>)
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
