# A program whose kernel copies a tile within $1 loops in each other, of $2 rounds each.
cat <<END
func.func @copy(%x: memref<1x8xf32>, %y: memref<1x8xf32> {pl.out}) attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rounds = arith.constant $2 : index
END
for loop in $(seq "$1"); do
  echo "scf.for %i$loop = %c0 to %rounds step %c1 {"
done
cat <<END
  %t = pl.load %x[0, 0] : memref<1x8xf32> -> !pl.tile<1x8xf32>
  pl.store %t, %y[0, 0] : !pl.tile<1x8xf32>, memref<1x8xf32>
END
for loop in $(seq "$1"); do
  echo "}"
done
cat <<END
  return
}
func.func @device(%x: memref<1x8xf32>, %y: memref<1x8xf32> {pl.out}) attributes {pl.device} {
  call @copy(%x, %y) : (memref<1x8xf32>, memref<1x8xf32>) -> ()
  return
}
func.func @main(%x: memref<?x1x8xf32>, %y: memref<?x1x8xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  scf.for %r = %c0 to %n step %c1 {
    %a = pl.shard %x[%r] : memref<?x1x8xf32> -> memref<1x8xf32>
    %b = pl.shard %y[%r] : memref<?x1x8xf32> -> memref<1x8xf32>
    pld.dispatch @device(%a, %b) on %r : (memref<1x8xf32>, memref<1x8xf32>)
  }
  return
}
END
