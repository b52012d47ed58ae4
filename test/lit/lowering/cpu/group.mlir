// Groups of row-wise operations: loop nests over vectors of 16 elements.

// RUN: pld-opt %s --pl-cpu-plan --pl-cpu-emit="races=false" --canonicalize --cse | FileCheck %s

// Rows without gaps are one long row: one loop, no tail, nothing but vectors in it.
// CHECK-LABEL: func.func private @pld.dense
// CHECK-NOT: arena
// CHECK: scf.for %{{.*}} = %c0 to %c512 step %c16
// CHECK: %[[X:.*]] = llvm.load {{.*}} -> vector<16xf32>
// CHECK: %[[Y:.*]] = llvm.load {{.*}} -> vector<16xf32>
// CHECK: %[[S:.*]] = arith.addf %[[X]], %[[Y]] : vector<16xf32>
// CHECK: llvm.store %[[S]], {{.*}} : vector<16xf32>
// CHECK-NOT: vector<{{[0-9]}}xf32>
// CHECK: return
func.func @dense(%x: memref<8x64xf32>, %y: memref<8x64xf32>, %w: !pld.dtensor<8x64xf32>) attributes {pl.incore} {
  %a = pl.load %x[0, 0] : memref<8x64xf32> -> !pl.tile<8x64xf32>
  %b = pl.load %y[0, 0] : memref<8x64xf32> -> !pl.tile<8x64xf32>
  %s = pl.add %a, %b : !pl.tile<8x64xf32>
  pl.store %s, %w[0, 0] : !pl.tile<8x64xf32>, !pld.dtensor<8x64xf32>
  return
}

// Else a loop over rows, one over whole strips, and the rest of each row as one vector.
// CHECK-LABEL: func.func private @pld.rest
// CHECK: scf.for
// CHECK: scf.for
// CHECK: arith.muli {{.*}} : vector<16xi32>
// CHECK: }
// CHECK: arith.muli {{.*}} : vector<13xi32>
func.func @rest(%x: memref<8x64xi32>, %w: !pld.dtensor<8x64xi32>) attributes {pl.incore} {
  %a = pl.load %x[0, 0] : memref<8x64xi32> -> !pl.tile<8x45xi32>
  %s = pl.mul %a, %a : !pl.tile<8x45xi32>
  pl.store %s, %w[0, 0] : !pl.tile<8x45xi32>, !pld.dtensor<8x64xi32>
  return
}

// Halves are widened and rounded for each operation; a bf16 is its bits.
// CHECK-LABEL: func.func private @pld.halves
// CHECK: arith.extf {{.*}} : vector<16xf16> to vector<16xf32>
// CHECK: arith.addf {{.*}} : vector<16xf32>
// CHECK: arith.truncf {{.*}} : vector<16xf32> to vector<16xf16>
// CHECK: arith.extui {{.*}} : vector<16xi16> to vector<16xi32>
// CHECK-NOT: bf16
// CHECK: arith.mulf {{.*}} : vector<16xf32>
func.func @halves(%x: memref<1x16xf16> {pl.inout}, %y: memref<1x16xbf16> {pl.inout}) attributes {pl.incore} {
  %a = pl.load %x[0, 0] : memref<1x16xf16> -> !pl.tile<1x16xf16>
  %s = pl.add %a, %a : !pl.tile<1x16xf16>
  pl.store %s, %x[0, 0] : !pl.tile<1x16xf16>, memref<1x16xf16>
  %b = pl.load %y[0, 0] : memref<1x16xbf16> -> !pl.tile<1x16xbf16>
  %t = pl.mul %b, %b : !pl.tile<1x16xbf16>
  pl.store %t, %y[0, 0] : !pl.tile<1x16xbf16>, memref<1x16xbf16>
  return
}

// A scalar is broadcast.
// CHECK-LABEL: func.func private @pld.scalar
// CHECK-SAME: %[[S:[a-z0-9]+]]: f32)
// CHECK: %[[B:.*]] = vector.broadcast %[[S]] : f32 to vector<16xf32>
// CHECK: arith.mulf %{{.*}}, %[[B]] : vector<16xf32>
func.func @scalar(%x: memref<1x16xf32> {pl.inout}, %s: f32) attributes {pl.incore} {
  %a = pl.load %x[0, 0] : memref<1x16xf32> -> !pl.tile<1x16xf32>
  %b = pl.muls %a, %s : !pl.tile<1x16xf32>, f32
  pl.store %b, %x[0, 0] : !pl.tile<1x16xf32>, memref<1x16xf32>
  return
}

// Where the addresses may overlap, they are compared, and the store goes to a slot if they
// do; then a second nest copies it out.
// CHECK-LABEL: func.func private @pld.overlap
// CHECK: %[[SLOT:.*]] = llvm.call @pld_rt_arena_push
// CHECK: llvm.ptrtoint
// CHECK: arith.cmpi ult
// CHECK: arith.cmpi ult
// CHECK: arith.cmpi ne
// CHECK: %[[CLASH:.*]] = arith.andi {{.*}} : i1
// CHECK: arith.select %[[CLASH]], %[[SLOT]], %{{.*}} : !llvm.ptr
// CHECK: scf.for
// CHECK: scf.if %[[CLASH]]
// CHECK: scf.for
// CHECK: llvm.call @pld_rt_arena_pop
func.func @overlap(%x: memref<8x64xf32>, %y: memref<8x64xf32> {pl.out}) attributes {pl.incore} {
  %a = pl.load %x[0, 0] : memref<8x64xf32> -> !pl.tile<8x64xf32>
  %b = pl.abs %a : !pl.tile<8x64xf32>
  pl.store %b, %y[0, 0] : !pl.tile<8x64xf32>, memref<8x64xf32>
  return
}

// A copy alone is one, whatever overlaps.
// CHECK-LABEL: func.func private @pld.copy
// CHECK-NOT: scf
// CHECK: "llvm.intr.memmove"
// CHECK-NOT: scf
// CHECK: return
func.func @copy(%x: memref<8x64xf32>, %y: memref<8x64xf32> {pl.out}) attributes {pl.incore} {
  %a = pl.load %x[0, 0] : memref<8x64xf32> -> !pl.tile<8x64xf32>
  pl.store %a, %y[0, 0] : !pl.tile<8x64xf32>, memref<8x64xf32>
  return
}

// A remote load that is used at once is read where it is; no tile needs a slot.
// CHECK-LABEL: func.func private @pld.remote
// CHECK-NOT: pld_rt_arena_push
// CHECK: %[[THERE:.*]] = llvm.call @pld_rt_reach
// CHECK: scf.for
// CHECK: llvm.getelementptr %[[THERE]]
// CHECK-NOT: pld_rt_load
// CHECK: return
func.func @remote(%w: !pld.dtensor<8x64xf32>, %y: memref<8x64xf32> {pl.out}, %peer: index) attributes {pl.incore} {
  %a = pld.remote_load %w[0, 0] from %peer : !pld.dtensor<8x64xf32> -> !pl.tile<8x64xf32>
  %b = pl.abs %a : !pl.tile<8x64xf32>
  pl.store %b, %y[0, 0] : !pl.tile<8x64xf32>, memref<8x64xf32>
  return
}

// Not if something else happens before the last use: others may write in between.
// CHECK-LABEL: func.func private @pld.later
// CHECK: llvm.call @pld_rt_load
// CHECK: llvm.call @pld_rt_wait
// CHECK: return
func.func @later(%w: !pld.dtensor<8x64xf32>, %s: !pld.dtensor<1x1xi32>, %y: memref<8x64xf32> {pl.out}, %peer: index) attributes {pl.incore} {
  %one = arith.constant 1 : i32
  %a = pld.remote_load %w[0, 0] from %peer : !pld.dtensor<8x64xf32> -> !pl.tile<8x64xf32>
  %b = pl.abs %a : !pl.tile<8x64xf32>
  pld.wait ge %one, %s[0, 0] : !pld.dtensor<1x1xi32>
  %c = pl.add %a, %b : !pl.tile<8x64xf32>
  pl.store %c, %y[0, 0] : !pl.tile<8x64xf32>, memref<8x64xf32>
  return
}
