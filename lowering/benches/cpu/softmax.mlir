// Softmax of each row, in place.
!rows = !pl.tile<8x1024xf32>
!column = !pl.tile<8x1xf32>

func.func @core(%x: memref<4096x1024xf32> {pl.inout}) attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c4096 = arith.constant 4096 : index
  scf.for %i = %c0 to %c4096 step %c8 {
    %t = pl.load %x[%i, 0] : memref<4096x1024xf32> -> !rows
    %m = pl.row_max %t : !rows -> !column
    %d = pl.row_expand_sub %t, %m : !rows, !column
    %e = pl.exp %d : !rows
    %s = pl.row_sum %e : !rows -> !column
    %r = pl.row_expand_div %e, %s : !rows, !column
    pl.store %r, %x[%i, 0] : !rows, memref<4096x1024xf32>
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
