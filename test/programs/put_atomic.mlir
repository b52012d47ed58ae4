// Every rank adds its block into the slice of rank 0.

func.func @core(%x: memref<16x16xi32>, %y: memref<16x16xi32> {pl.out},
      %data: !pld.dtensor<16x16xi32>, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  pld.put %x, %data to %c0 atomic add : memref<16x16xi32>, !pld.dtensor<16x16xi32>
  pld.barrier %signal : !pld.dtensor<?x1xi32>
  %got = pl.load %data[0, 0] : !pld.dtensor<16x16xi32> -> !pl.tile<16x16xi32>
  pl.store %got, %y[0, 0] : !pl.tile<16x16xi32>, memref<16x16xi32>
  return
}

func.func @per_rank(%x: memref<16x16xi32>, %y: memref<16x16xi32> {pl.out},
      %data: !pld.dtensor<16x16xi32>, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.device} {
  call @core(%x, %y, %data, %signal) : (memref<16x16xi32>, memref<16x16xi32>,
        !pld.dtensor<16x16xi32>, !pld.dtensor<?x1xi32>) -> ()
  return
}

func.func @main(%x: memref<?x16x16xi32>, %y: memref<?x16x16xi32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [16, 16] of i32
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x16x16xi32> -> memref<16x16xi32>
    %yr = pl.shard %y[%r] : memref<?x16x16xi32> -> memref<16x16xi32>
    %data = pld.window %data_buffer : !pld.dtensor<16x16xi32>
    %signal = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
    pld.dispatch @per_rank(%xr, %yr, %data, %signal) on %r
        : (memref<16x16xi32>, memref<16x16xi32>, !pld.dtensor<16x16xi32>,
              !pld.dtensor<?x1xi32>)
  }
  return
}

// y[0] = sum of x over all ranks; the other slices are 0
func.func @golden(%x: memref<?x16x16xi32>, %y: memref<?x16x16xi32>) attributes {pl.golden} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x16x16xi32>
  %c16 = arith.constant 16 : index
  scf.for %r = %c0 to %n step %c1 {
    scf.for %i = %c0 to %c16 step %c1 {
      scf.for %j = %c0 to %c16 step %c1 {
        %v = memref.load %x[%r, %i, %j] : memref<?x16x16xi32>
        %sum = memref.load %y[%c0, %i, %j] : memref<?x16x16xi32>
        %more = arith.addi %sum, %v : i32
        memref.store %more, %y[%c0, %i, %j] : memref<?x16x16xi32>
      }
    }
  }
  return
}
