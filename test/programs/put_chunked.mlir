// A bulk push in chunks: of sizes that they divide, and of others.

func.func @core(%x: memref<8x128xf32>, %y: memref<15x128xf32> {pl.out},
      %even: !pld.dtensor<8x128xf32>, %odd: !pld.dtensor<7x128xf32>,
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
  pld.put %x, %even to %next {chunk_rows = 4, chunk_cols = 64} : memref<8x128xf32>, !pld.dtensor<8x128xf32>
  // Seven rows of 100 from row 1 on, which the chunks do not divide.
  pld.put %x[1, 0], %odd[0, 28] sizes [7, 100] to %next {chunk_rows = 3, chunk_cols = 48}
      : memref<8x128xf32>, !pld.dtensor<7x128xf32>
  pld.notify add %one, %signal[%me, 0] to %next : !pld.dtensor<?x1xi32>
  pld.wait ge %one, %signal[%prev, 0] : !pld.dtensor<?x1xi32>
  %got = pl.load %even[0, 0] : !pld.dtensor<8x128xf32> -> !pl.tile<8x128xf32>
  pl.store %got, %y[0, 0] : !pl.tile<8x128xf32>, memref<15x128xf32>
  %rest = pl.load %odd[0, 0] : !pld.dtensor<7x128xf32> -> !pl.tile<7x128xf32>
  pl.store %rest, %y[8, 0] : !pl.tile<7x128xf32>, memref<15x128xf32>
  return
}

func.func @per_rank(%x: memref<8x128xf32>, %y: memref<15x128xf32> {pl.out},
      %even: !pld.dtensor<8x128xf32>, %odd: !pld.dtensor<7x128xf32>,
      %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.device} {
  call @core(%x, %y, %even, %odd, %signal) : (memref<8x128xf32>, memref<15x128xf32>,
        !pld.dtensor<8x128xf32>, !pld.dtensor<7x128xf32>,
        !pld.dtensor<?x1xi32>) -> ()
  return
}

func.func @main(%x: memref<?x8x128xf32>, %y: memref<?x15x128xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %even_buffer = pld.alloc_window_buffer [8, 128] of f32
  %odd_buffer = pld.alloc_window_buffer [7, 128] of f32
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x8x128xf32> -> memref<8x128xf32>
    %yr = pl.shard %y[%r] : memref<?x15x128xf32> -> memref<15x128xf32>
    %even = pld.window %even_buffer : !pld.dtensor<8x128xf32>
    %odd = pld.window %odd_buffer : !pld.dtensor<7x128xf32>
    %signal = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
    pld.dispatch @per_rank(%xr, %yr, %even, %odd, %signal) on %r
        : (memref<8x128xf32>, memref<15x128xf32>, !pld.dtensor<8x128xf32>,
              !pld.dtensor<7x128xf32>, !pld.dtensor<?x1xi32>)
  }
  return
}

// y[r][i] = x[(r - 1) % n][i]; in the last seven rows, x moved right by 28 from row 1 on
func.func @golden(%x: memref<?x8x128xf32>, %y: memref<?x15x128xf32>) attributes {pl.golden} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x8x128xf32>
  %c8 = arith.constant 8 : index
  %c128 = arith.constant 128 : index
  scf.for %r = %c0 to %n step %c1 {
    scf.for %i = %c0 to %c8 step %c1 {
      scf.for %j = %c0 to %c128 step %c1 {
        %more = arith.addi %r, %n : index
        %less = arith.subi %more, %c1 : index
        %prev = arith.remsi %less, %n : index
        %v = memref.load %x[%prev, %i, %j] : memref<?x8x128xf32>
        memref.store %v, %y[%r, %i, %j] : memref<?x15x128xf32>
        %c7 = arith.constant 7 : index
        %c28 = arith.constant 28 : index
        %c100 = arith.constant 100 : index
        %below = arith.addi %i, %c7 : index
        %right = arith.addi %j, %c28 : index
        %lower = arith.cmpi ne, %i, %c0 : index
        %inside = arith.cmpi slt, %j, %c100 : index
        %moved = arith.andi %lower, %inside : i1
        scf.if %moved {
          memref.store %v, %y[%r, %below, %right] : memref<?x15x128xf32>
        }
      }
    }
  }
  return
}
