// The same allgather three times on one signal, with other data each time.

func.func @core(%x: memref<1x64xi32>, %y: memref<2x64xi32> {pl.out}, %data: !pld.dtensor<1x64xi32>,
      %all: !pld.dtensor<?x64xi32>, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c100000 = arith.constant 100000 : i32
  %own = pl.load %x[0, 0] : memref<1x64xi32> -> !pl.tile<1x64xi32>
  scf.for %round = %c0 to %c3 step %c1 {
    %number = arith.index_cast %round : index to i32
    %more = arith.muli %number, %c100000 : i32
    %value = pl.adds %own, %more : !pl.tile<1x64xi32>, i32
    pl.store %value, %data[0, 0] : !pl.tile<1x64xi32>, !pld.dtensor<1x64xi32>
    pld.allgather %data into %all, %signal : !pld.dtensor<1x64xi32>, !pld.dtensor<?x64xi32>, !pld.dtensor<?x1xi32>
  }
  %ctx_all = pld.get_comm_ctx %all : !pld.dtensor<?x64xi32>
  %n = pld.nranks %ctx_all
  %last = arith.subi %n, %c1 : index
  // The row of the last rank, and the first.
  %a = pl.load %all[%last, 0] : !pld.dtensor<?x64xi32> -> !pl.tile<1x64xi32>
  %b = pl.load %all[0, 0] : !pld.dtensor<?x64xi32> -> !pl.tile<1x64xi32>
  pl.store %a, %y[0, 0] : !pl.tile<1x64xi32>, memref<2x64xi32>
  pl.store %b, %y[1, 0] : !pl.tile<1x64xi32>, memref<2x64xi32>
  return
}

func.func @per_rank(%x: memref<1x64xi32>, %y: memref<2x64xi32> {pl.out}, %data: !pld.dtensor<1x64xi32>,
      %all: !pld.dtensor<?x64xi32>, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.device} {
  call @core(%x, %y, %data, %all, %signal) : (memref<1x64xi32>, memref<2x64xi32>, !pld.dtensor<1x64xi32>,
        !pld.dtensor<?x64xi32>, !pld.dtensor<?x1xi32>) -> ()
  return
}

func.func @main(%x: memref<?x1x64xi32>, %y: memref<?x2x64xi32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [1, 64] of i32
  %all_buffer = pld.alloc_window_buffer [%n, 64] of i32
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x1x64xi32> -> memref<1x64xi32>
    %yr = pl.shard %y[%r] : memref<?x2x64xi32> -> memref<2x64xi32>
    %data = pld.window %data_buffer : !pld.dtensor<1x64xi32>
    %all = pld.window %all_buffer[%n] : !pld.dtensor<?x64xi32>
    %signal = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
    pld.dispatch @per_rank(%xr, %yr, %data, %all, %signal) on %r
        : (memref<1x64xi32>, memref<2x64xi32>, !pld.dtensor<1x64xi32>,
              !pld.dtensor<?x64xi32>, !pld.dtensor<?x1xi32>)
  }
  return
}

// y[r] = x[n - 1] and x[0], each with 200000 added: the last of three rounds
func.func @golden(%x: memref<?x1x64xi32>, %y: memref<?x2x64xi32>) attributes {pl.golden} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x1x64xi32>
  %c64 = arith.constant 64 : index
  scf.for %r = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %c200000 = arith.constant 200000 : i32
      %last = arith.subi %n, %c1 : index
      %u = memref.load %x[%last, %c0, %j] : memref<?x1x64xi32>
      %v = memref.load %x[%c0, %c0, %j] : memref<?x1x64xi32>
      %a = arith.addi %u, %c200000 : i32
      %b = arith.addi %v, %c200000 : i32
      memref.store %a, %y[%r, %c0, %j] : memref<?x2x64xi32>
      memref.store %b, %y[%r, %c1, %j] : memref<?x2x64xi32>
    }
  }
  return
}
