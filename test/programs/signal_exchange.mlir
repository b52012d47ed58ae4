// Each rank adds its tag, rank + 1, to a cell of the next rank, waits for its own cell, and
// reads it.

func.func @core(%x: memref<1x1xi32>, %y: memref<1x1xi32> {pl.out}, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ctx = pld.get_comm_ctx %signal : !pld.dtensor<?x1xi32>
  %me = pld.rank %ctx
  %n = pld.nranks %ctx
  %after = arith.addi %me, %c1 : index
  %next = arith.remsi %after, %n : index
  %tag_index = arith.addi %me, %c1 : index
  %tag = arith.index_cast %tag_index : index to i32
  %one = arith.constant 1 : i32
  pld.notify add %tag, %signal[0, 0] to %next : !pld.dtensor<?x1xi32>
  pld.wait ge %one, %signal[0, 0] : !pld.dtensor<?x1xi32>
  %seen = pl.read %signal[0, 0] : !pld.dtensor<?x1xi32>
  pl.write %seen, %y[0, 0] : memref<1x1xi32>
  return
}

func.func @per_rank(%x: memref<1x1xi32>, %y: memref<1x1xi32> {pl.out},
      %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.device} {
  call @core(%x, %y, %signal) : (memref<1x1xi32>, memref<1x1xi32>, !pld.dtensor<?x1xi32>) -> ()
  return
}

func.func @main(%x: memref<?x1x1xi32>, %y: memref<?x1x1xi32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x1x1xi32> -> memref<1x1xi32>
    %yr = pl.shard %y[%r] : memref<?x1x1xi32> -> memref<1x1xi32>
    %signal = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
    pld.dispatch @per_rank(%xr, %yr, %signal) on %r
        : (memref<1x1xi32>, memref<1x1xi32>, !pld.dtensor<?x1xi32>)
  }
  return
}

// y[r] = ((r - 1) % n) + 1
func.func @golden(%x: memref<?x1x1xi32>, %y: memref<?x1x1xi32>) attributes {pl.golden} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x1x1xi32>
  scf.for %r = %c0 to %n step %c1 {
    %more = arith.addi %r, %n : index
    %less = arith.subi %more, %c1 : index
    %prev = arith.remsi %less, %n : index
    %tag = arith.addi %prev, %c1 : index
    %v = arith.index_cast %tag : index to i32
    memref.store %v, %y[%r, %c0, %c0] : memref<?x1x1xi32>
  }
  return
}
