// A hundred rounds on one cell: the expected value grows by one each round, and each
// round's data is checked. A second cell, the credit, keeps the sender from overwriting what
// has not been read.

func.func @core(%x: memref<1x8xf32>, %y: memref<100x8xf32> {pl.out}, %data: !pld.dtensor<1x8xf32>,
      %signal: !pld.dtensor<?x1xi32>,
                %credit: !pld.dtensor<?x1xi32>)
    attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ctx = pld.get_comm_ctx %signal : !pld.dtensor<?x1xi32>
  %me = pld.rank %ctx
  %n = pld.nranks %ctx
  %after = arith.addi %me, %c1 : index
  %next = arith.remsi %after, %n : index
  %last = arith.subi %n, %c1 : index
  %before = arith.addi %me, %last : index
  %prev = arith.remsi %before, %n : index
  %rounds = arith.constant 100 : index
  %one = arith.constant 1 : i32
  %local = pl.load %x[0, 0] : memref<1x8xf32> -> !pl.tile<1x8xf32>
  scf.for %round = %c0 to %rounds step %c1 {
    %round_i32 = arith.index_cast %round : index to i32
    %round_f32 = arith.sitofp %round_i32 : i32 to f32
    %epoch = arith.addi %round_i32, %one : i32
    %value = pl.adds %local, %round_f32 : !pl.tile<1x8xf32>, f32
    // The next rank has read all that was sent before.
    pld.wait ge %round_i32, %credit[0, 0] : !pld.dtensor<?x1xi32>
    pld.remote_store %value, %data[0, 0] to %next : !pl.tile<1x8xf32>, !pld.dtensor<1x8xf32>
    pld.notify add %one, %signal[0, 0] to %next : !pld.dtensor<?x1xi32>
    pld.wait ge %epoch, %signal[0, 0] : !pld.dtensor<?x1xi32>
    %recv = pl.load %data[0, 0] : !pld.dtensor<1x8xf32> -> !pl.tile<1x8xf32>
    pl.store %recv, %y[%round, 0] : !pl.tile<1x8xf32>, memref<100x8xf32>
    pld.notify add %one, %credit[0, 0] to %prev : !pld.dtensor<?x1xi32>
  }
  return
}

func.func @per_rank(%x: memref<1x8xf32>, %y: memref<100x8xf32> {pl.out},
      %data: !pld.dtensor<1x8xf32>, %signal: !pld.dtensor<?x1xi32>,
                %credit: !pld.dtensor<?x1xi32>)
    attributes {pl.device} {
  call @core(%x, %y, %data, %signal, %credit) : (memref<1x8xf32>, memref<100x8xf32>,
        !pld.dtensor<1x8xf32>, !pld.dtensor<?x1xi32>, !pld.dtensor<?x1xi32>) -> ()
  return
}

func.func @main(%x: memref<?x1x8xf32>, %y: memref<?x100x8xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [1, 8] of f32
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  %credit_buffer = pld.alloc_window_buffer [%n, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x1x8xf32> -> memref<1x8xf32>
    %yr = pl.shard %y[%r] : memref<?x100x8xf32> -> memref<100x8xf32>
    %data = pld.window %data_buffer : !pld.dtensor<1x8xf32>
    %signal = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
    %credit = pld.window %credit_buffer[%n] : !pld.dtensor<?x1xi32>
    pld.dispatch @per_rank(%xr, %yr, %data, %signal, %credit) on %r
        : (memref<1x8xf32>, memref<100x8xf32>, !pld.dtensor<1x8xf32>, !pld.dtensor<?x1xi32>,
              !pld.dtensor<?x1xi32>)
  }
  return
}

// y[r][k] = x[(r - 1) % n] + k
func.func @golden(%x: memref<?x1x8xf32>, %y: memref<?x100x8xf32>) attributes {pl.golden} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x1x8xf32>
  %c8 = arith.constant 8 : index
  %c100 = arith.constant 100 : index
  scf.for %r = %c0 to %n step %c1 {
    scf.for %k = %c0 to %c100 step %c1 {
      scf.for %j = %c0 to %c8 step %c1 {
        %more = arith.addi %r, %n : index
        %less = arith.subi %more, %c1 : index
        %prev = arith.remsi %less, %n : index
        %k_i32 = arith.index_cast %k : index to i32
        %k_f32 = arith.sitofp %k_i32 : i32 to f32
        %v = memref.load %x[%prev, %c0, %j] : memref<?x1x8xf32>
        %s = arith.addf %v, %k_f32 : f32
        memref.store %s, %y[%r, %k, %j] : memref<?x100x8xf32>
      }
    }
  }
  return
}
