// Wrong: the AI core has no floating-point scalar arithmetic (pld-109).
// Mended: compute in integers, or on a tile.

func.func @core(%x: memref<1x64xf32>, %y: memref<1x64xf32> {pl.out}, %a: f32, %b: f32)
    attributes {pl.incore} {
  %sum = arith.addf %a, %b : f32
  %t = pl.load %x[0, 0] : memref<1x64xf32> -> !pl.tile<1x64xf32>
  %r = pl.muls %t, %sum : !pl.tile<1x64xf32>, f32
  pl.store %r, %y[0, 0] : !pl.tile<1x64xf32>, memref<1x64xf32>
  return
}
