// An all-to-all of counted rows: of none, some, all, and more than there is room for.

func.func @core(%x: memref<12x8xf32>, %y: memref<13x8xf32> {pl.out}, %into: !pld.dtensor<12x8xf32>,
      %send: !pld.dtensor<?x1xi32>, %receive: !pld.dtensor<?x1xi32>,
      %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ctx = pld.get_comm_ctx %signal : !pld.dtensor<?x1xi32>
  %me = pld.rank %ctx
  %n = pld.nranks %ctx
  // To rank d: from -1, which counts as none, to more than a block of 12 / n rows.
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c9 = arith.constant 9 : index
  scf.for %d = %c0 to %n step %c1 {
    %mine = arith.muli %me, %c5 : index
    %theirs = arith.muli %d, %c3 : index
    %mixed = arith.addi %mine, %theirs : index
    %some = arith.remsi %mixed, %c9 : index
    %less = arith.subi %some, %c1 : index
    %count = arith.index_cast %less : index to i32
    pl.write %count, %send[%d, 0] : !pld.dtensor<?x1xi32>
  }
  %minus_one = arith.constant -1.0 : f32
  %before = pl.full %minus_one : !pl.tile<12x8xf32>
  pl.store %before, %into[0, 0] : !pl.tile<12x8xf32>, !pld.dtensor<12x8xf32>
  pld.all_to_all_v %x into %into, %signal counts %send, %receive
      : memref<12x8xf32>, !pld.dtensor<12x8xf32>, !pld.dtensor<?x1xi32>
        counts !pld.dtensor<?x1xi32>, !pld.dtensor<?x1xi32>
  %got = pl.load %into[0, 0] : !pld.dtensor<12x8xf32> -> !pl.tile<12x8xf32>
  pl.store %got, %y[0, 0] : !pl.tile<12x8xf32>, memref<13x8xf32>
  scf.for %s = %c0 to %n step %c1 {
    %rows = pl.read %receive[%s, 0] : !pld.dtensor<?x1xi32>
    %value = arith.sitofp %rows : i32 to f32
    pl.write %value, %y[12, %s] : memref<13x8xf32>
  }
  return
}

func.func @per_rank(%x: memref<12x8xf32>, %y: memref<13x8xf32> {pl.out}, %into: !pld.dtensor<12x8xf32>,
      %send: !pld.dtensor<?x1xi32>, %receive: !pld.dtensor<?x1xi32>,
      %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.device} {
  call @core(%x, %y, %into, %send, %receive, %signal) : (memref<12x8xf32>, memref<13x8xf32>, !pld.dtensor<12x8xf32>,
        !pld.dtensor<?x1xi32>, !pld.dtensor<?x1xi32>,
        !pld.dtensor<?x1xi32>) -> ()
  return
}

func.func @main(%x: memref<?x12x8xf32>, %y: memref<?x13x8xf32> {pl.out}) attributes {pl.host,
      pld.world_sizes = array<i64: 1, 2, 3, 4>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %into_buffer = pld.alloc_window_buffer [12, 8] of f32
  %send_buffer = pld.alloc_window_buffer [%n, 1] of i32
  %receive_buffer = pld.alloc_window_buffer [%n, 1] of i32
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x12x8xf32> -> memref<12x8xf32>
    %yr = pl.shard %y[%r] : memref<?x13x8xf32> -> memref<13x8xf32>
    %into = pld.window %into_buffer : !pld.dtensor<12x8xf32>
    %send = pld.window %send_buffer[%n] : !pld.dtensor<?x1xi32>
    %receive = pld.window %receive_buffer[%n] : !pld.dtensor<?x1xi32>
    %signal = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
    pld.dispatch @per_rank(%xr, %yr, %into, %send, %receive, %signal) on %r
        : (memref<12x8xf32>, memref<13x8xf32>, !pld.dtensor<12x8xf32>,
              !pld.dtensor<?x1xi32>, !pld.dtensor<?x1xi32>, !pld.dtensor<?x1xi32>)
  }
  return
}

// Block s of y[r] begins with rows of x[s]'s block r, as many as s sends; its other rows keep
// the -1 they had. The last row has the counts.
func.func @golden(%x: memref<?x12x8xf32>, %y: memref<?x13x8xf32>) attributes {pl.golden} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x12x8xf32>
  scf.for %r = %c0 to %n step %c1 {
    scf.for %s = %c0 to %n step %c1 {
      %c3 = arith.constant 3 : index
      %c5 = arith.constant 5 : index
      %c8 = arith.constant 8 : index
      %c9 = arith.constant 9 : index
      %c12 = arith.constant 12 : index
      %capacity = arith.divsi %c12, %n : index
      %mine = arith.muli %s, %c5 : index
      %theirs = arith.muli %r, %c3 : index
      %mixed = arith.addi %mine, %theirs : index
      %some = arith.remsi %mixed, %c9 : index
      %less = arith.subi %some, %c1 : index
      %positive = arith.maxsi %less, %c0 : index
      %count = arith.minsi %positive, %capacity : index
      %from = arith.muli %r, %capacity : index
      %to = arith.muli %s, %capacity : index
      %minus_one = arith.constant -1.0 : f32
      scf.for %i = %c0 to %capacity step %c1 {
        %sent = arith.cmpi slt, %i, %count : index
        %source = arith.addi %from, %i : index
        %destination = arith.addi %to, %i : index
        scf.for %j = %c0 to %c8 step %c1 {
          %v = memref.load %x[%s, %source, %j] : memref<?x12x8xf32>
          %kept = arith.select %sent, %v, %minus_one : f32
          memref.store %kept, %y[%r, %destination, %j] : memref<?x13x8xf32>
        }
      }
      %number = arith.index_cast %count : index to i32
      %value = arith.sitofp %number : i32 to f32
      memref.store %value, %y[%r, %c12, %s] : memref<?x13x8xf32>
    }
  }
  return
}
