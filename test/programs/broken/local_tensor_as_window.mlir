// Wrong: a plain array is used where peers must reach (pld-101).
// Mended: stage it in a window and load from that.

func.func @core(%x: memref<1x64xf32>, %y: memref<1x64xf32> {pl.out}) attributes {pl.incore} {
  %c1 = arith.constant 1 : index
  %t = pld.remote_load %x[0, 0] from %c1 : memref<1x64xf32> -> !pl.tile<1x64xf32>
  pl.store %t, %y[0, 0] : !pl.tile<1x64xf32>, memref<1x64xf32>
  return
}
