// Each row over the root of its mean square, times a gain per column, in place.
!rows = !pl.tile<8x1024xf32>
!column = !pl.tile<8x1xf32>
!row = !pl.tile<1x1024xf32>

func.func @core(%x: memref<4096x1024xf32> {pl.inout}, %gain: memref<1x1024xf32>) attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c4096 = arith.constant 4096 : index
  %share = arith.constant 9.765625e-04 : f32
  %small = arith.constant 1.0e-05 : f32
  %g = pl.load %gain[0, 0] : memref<1x1024xf32> -> !row
  scf.for %i = %c0 to %c4096 step %c8 {
    %t = pl.load %x[%i, 0] : memref<4096x1024xf32> -> !rows
    %q = pl.mul %t, %t : !rows
    %s = pl.row_sum %q : !rows -> !column
    %m = pl.muls %s, %share : !column, f32
    %n = pl.adds %m, %small : !column, f32
    %r = pl.rsqrt %n : !column
    %u = pl.row_expand_mul %t, %r : !rows, !column
    %v = pl.col_expand_mul %u, %g : !rows, !row
    pl.store %v, %x[%i, 0] : !rows, memref<4096x1024xf32>
  }
  return
}
func.func @device(%x: memref<4096x1024xf32> {pl.inout}, %gain: memref<1x1024xf32>) attributes {pl.device} {
  call @core(%x, %gain) : (memref<4096x1024xf32>, memref<1x1024xf32>) -> ()
  return
}
func.func @main(%x: memref<?x4096x1024xf32> {pl.inout}, %gain: memref<1x1024xf32>) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %r = pl.shard %x[%c0] : memref<?x4096x1024xf32> -> memref<4096x1024xf32>
  pld.dispatch @device(%r, %gain) on %c0 : (memref<4096x1024xf32>, memref<1x1024xf32>)
  return
}
