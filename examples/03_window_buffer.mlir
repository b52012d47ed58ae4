// The window buffer: store the own slice of a symmetric window, load it back.
//
//   ./x run examples/03_window_buffer.mlir -d 0,1
//
// The host allocates one buffer, once; every rank gets a slice of it at the same offset.
// pld.window makes a typed view, !pld.dtensor, which is what peers can reach. Here nobody
// does: pl.load and pl.store see the own slice only.
//
// 256 floats are 1 KiB, yet the buffer costs 4 KiB per rank: data and signal tail are
// padded up to that floor.

func.func @window_roundtrip(%x: memref<1x256xf32>, %y: memref<1x256xf32> {pl.out},
                            %data: !pld.dtensor<1x256xf32>) attributes {pl.incore} {
  %local = pl.load %x[0, 0] : memref<1x256xf32> -> !pl.tile<1x256xf32>
  pl.store %local, %data[0, 0] : !pl.tile<1x256xf32>, !pld.dtensor<1x256xf32>
  %back = pl.load %data[0, 0] : !pld.dtensor<1x256xf32> -> !pl.tile<1x256xf32>
  pl.store %back, %y[0, 0] : !pl.tile<1x256xf32>, memref<1x256xf32>
  return
}

func.func @per_rank(%x: memref<1x256xf32>, %y: memref<1x256xf32> {pl.out},
                    %data: !pld.dtensor<1x256xf32>) attributes {pl.device} {
  call @window_roundtrip(%x, %y, %data)
      : (memref<1x256xf32>, memref<1x256xf32>, !pld.dtensor<1x256xf32>) -> ()
  return
}

func.func @main(%x: memref<?x1x256xf32>, %y: memref<?x1x256xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  // Before the loop: one allocation, not one per dispatch.
  %buffer = pld.alloc_window_buffer [1, 256] of f32
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x1x256xf32> -> memref<1x256xf32>
    %yr = pl.shard %y[%r] : memref<?x1x256xf32> -> memref<1x256xf32>
    %data = pld.window %buffer : !pld.dtensor<1x256xf32>
    pld.dispatch @per_rank(%xr, %yr, %data) on %r
        : (memref<1x256xf32>, memref<1x256xf32>, !pld.dtensor<1x256xf32>)
  }
  return
}

// y = x
func.func @golden(%x: memref<?x1x256xf32>, %y: memref<?x1x256xf32>) attributes {pl.golden} {
  memref.copy %x, %y : memref<?x1x256xf32> to memref<?x1x256xf32>
  return
}
