// Tensor level: each rank pushes twice its slice to the next rank, in one remote write that
// takes no round trip through global memory, and waits for what the previous rank pushes.

func.func @push_scaled(%x: memref<64x64xf32>, %y: memref<64x64xf32> {pl.out},
                       %win: !pld.dtensor<64x64xf32>, %signal: !pld.dtensor<1x1xi32>)
    attributes {pl.device} {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2.0 : f32
  %ctx = pld.get_comm_ctx %win : !pld.dtensor<64x64xf32>
  %me = pld.rank %ctx
  %n = pld.nranks %ctx
  %after = arith.addi %me, %c1 : index
  %next = arith.remsi %after, %n : index
  pl.at core_group {
    %v = pl.slice %x[0, 0] : memref<64x64xf32> -> tensor<64x64xf32>
    %scaled = pl.muls %v, %two : tensor<64x64xf32>, f32
    pld.remote_store %scaled, %win[0, 0] to %next : tensor<64x64xf32>, !pld.dtensor<64x64xf32>
    pld.notify add %one, %signal[0, 0] to %next : !pld.dtensor<1x1xi32>
    pld.wait ge %one, %signal[0, 0] : !pld.dtensor<1x1xi32>
    %pushed = pl.slice %win[0, 0] : !pld.dtensor<64x64xf32> -> tensor<64x64xf32>
    pl.assemble %pushed, %y[0, 0] : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

func.func @main(%x: memref<?x64x64xf32>, %y: memref<?x64x64xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %win_buffer = pld.alloc_window_buffer [64, 64] of f32
  %signal_buffer = pld.alloc_window_buffer [1, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x64x64xf32> -> memref<64x64xf32>
    %yr = pl.shard %y[%r] : memref<?x64x64xf32> -> memref<64x64xf32>
    %win = pld.window %win_buffer : !pld.dtensor<64x64xf32>
    %signal = pld.window %signal_buffer : !pld.dtensor<1x1xi32>
    pld.dispatch @push_scaled(%xr, %yr, %win, %signal) on %r
        : (memref<64x64xf32>, memref<64x64xf32>, !pld.dtensor<64x64xf32>, !pld.dtensor<1x1xi32>)
  }
  return
}

// y[r] = 2 x[(r - 1) % n]
func.func @golden(%x: memref<?x64x64xf32>, %y: memref<?x64x64xf32>) attributes {pl.golden} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %two = arith.constant 2.0 : f32
  %n = memref.dim %x, %c0 : memref<?x64x64xf32>
  scf.for %r = %c0 to %n step %c1 {
    %after = arith.addi %r, %c1 : index
    %next = arith.remsi %after, %n : index
    scf.for %i = %c0 to %c64 step %c1 {
      scf.for %j = %c0 to %c64 step %c1 {
        %v = memref.load %x[%r, %i, %j] : memref<?x64x64xf32>
        %scaled = arith.mulf %v, %two : f32
        memref.store %scaled, %y[%next, %i, %j] : memref<?x64x64xf32>
      }
    }
  }
  return
}
