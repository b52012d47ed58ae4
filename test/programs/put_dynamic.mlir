// A bulk push of as many rows as the rank says, out of three dims.

func.func @core(%x: memref<1x4x20xf32>, %y: memref<1x4x20xf32> {pl.out},
      %data: !pld.dtensor<1x4x20xf32>, %signal: !pld.dtensor<?x1xi32>)
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
  // Rank r sends its first r + 1 rows, two at a time.
  pld.put %x[0, 0, 0], %data[0, 0, 0] sizes [1, %after, 20] to %next {chunk_rows = 2}
      : memref<1x4x20xf32>, !pld.dtensor<1x4x20xf32>
  pld.notify add %one, %signal[%me, 0] to %next : !pld.dtensor<?x1xi32>
  pld.wait ge %one, %signal[%prev, 0] : !pld.dtensor<?x1xi32>
  %got = pl.load %data[0, 0, 0] : !pld.dtensor<1x4x20xf32> -> !pl.tile<4x20xf32>
  pl.store %got, %y[0, 0, 0] : !pl.tile<4x20xf32>, memref<1x4x20xf32>
  return
}

func.func @per_rank(%x: memref<1x4x20xf32>, %y: memref<1x4x20xf32> {pl.out},
      %data: !pld.dtensor<1x4x20xf32>, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.device} {
  call @core(%x, %y, %data, %signal) : (memref<1x4x20xf32>, memref<1x4x20xf32>,
        !pld.dtensor<1x4x20xf32>, !pld.dtensor<?x1xi32>) -> ()
  return
}

func.func @main(%x: memref<?x1x4x20xf32>, %y: memref<?x1x4x20xf32> {pl.out}) attributes {pl.host,
      pld.world_sizes = array<i64: 1, 2, 3, 4>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [1, 4, 20] of f32
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x1x4x20xf32> -> memref<1x4x20xf32>
    %yr = pl.shard %y[%r] : memref<?x1x4x20xf32> -> memref<1x4x20xf32>
    %data = pld.window %data_buffer : !pld.dtensor<1x4x20xf32>
    %signal = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
    pld.dispatch @per_rank(%xr, %yr, %data, %signal) on %r
        : (memref<1x4x20xf32>, memref<1x4x20xf32>, !pld.dtensor<1x4x20xf32>,
              !pld.dtensor<?x1xi32>)
  }
  return
}

// the first p + 1 rows of y[r] are those of x[p], p = (r - 1) % n; the others are 0
func.func @golden(%x: memref<?x1x4x20xf32>, %y: memref<?x1x4x20xf32>) attributes {pl.golden} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x1x4x20xf32>
  %c4 = arith.constant 4 : index
  %c20 = arith.constant 20 : index
  scf.for %r = %c0 to %n step %c1 {
    scf.for %i = %c0 to %c4 step %c1 {
      scf.for %j = %c0 to %c20 step %c1 {
        %more = arith.addi %r, %n : index
        %less = arith.subi %more, %c1 : index
        %prev = arith.remsi %less, %n : index
        %sent = arith.cmpi sle, %i, %prev : index
        scf.if %sent {
          %v = memref.load %x[%prev, %c0, %i, %j] : memref<?x1x4x20xf32>
          memref.store %v, %y[%r, %c0, %i, %j] : memref<?x1x4x20xf32>
        }
      }
    }
  }
  return
}
