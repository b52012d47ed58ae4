// A product of square matrices, by tiles of 64.
!tile = !pl.tile<64x64xf32>
!matrix = memref<512x512xf32>

func.func @core(%c: !matrix {pl.out}, %a: !matrix, %b: !matrix) attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c512 step %c64 {
    scf.for %j = %c0 to %c512 step %c64 {
      %start = pl.full %zero : !tile
      %sum = scf.for %k = %c0 to %c512 step %c64 iter_args(%acc = %start) -> (!tile) {
        %l = pl.load %a[%i, %k] : !matrix -> !tile
        %r = pl.load %b[%k, %j] : !matrix -> !tile
        %next = pl.matmul_acc %acc, %l, %r : !tile, !tile -> !tile
        scf.yield %next : !tile
      }
      pl.store %sum, %c[%i, %j] : !tile, !matrix
    }
  }
  return
}
func.func @device(%c: !matrix {pl.out}, %a: !matrix, %b: !matrix) attributes {pl.device} {
  call @core(%c, %a, %b) : (!matrix, !matrix, !matrix) -> ()
  return
}
func.func @main(%c: memref<?x512x512xf32> {pl.out}, %a: !matrix, %b: !matrix) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %r = pl.shard %c[%c0] : memref<?x512x512xf32> -> !matrix
  pld.dispatch @device(%r, %a, %b) on %c0 : (!matrix, !matrix, !matrix)
  return
}
