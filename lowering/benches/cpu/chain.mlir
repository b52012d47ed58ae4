// Five elementwise operations, in place.
!rows = !pl.tile<16x1024xf32>

func.func @core(%x: memref<4096x1024xf32> {pl.inout}) attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c4096 = arith.constant 4096 : index
  %scale = arith.constant 1.5 : f32
  %shift = arith.constant 0.25 : f32
  %half = arith.constant 0.5 : f32
  scf.for %i = %c0 to %c4096 step %c16 {
    %t = pl.load %x[%i, 0] : memref<4096x1024xf32> -> !rows
    %a = pl.muls %t, %scale : !rows, f32
    %b = pl.adds %a, %shift : !rows, f32
    %c = pl.max %b, %t : !rows
    %d = pl.mul %c, %t : !rows
    %e = pl.subs %d, %half : !rows, f32
    pl.store %e, %x[%i, 0] : !rows, memref<4096x1024xf32>
  }
  return
}
func.func @device(%x: memref<4096x1024xf32> {pl.inout}) attributes {pl.device} {
  call @core(%x) : (memref<4096x1024xf32>) -> ()
  return
}
func.func @main(%x: memref<?x4096x1024xf32> {pl.inout}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %r = pl.shard %x[%c0] : memref<?x4096x1024xf32> -> memref<4096x1024xf32>
  pld.dispatch @device(%r) on %c0 : (memref<4096x1024xf32>)
  return
}
