// Casts: which operations each pair becomes. That they are exact, a test that runs them
// checks.

// RUN: pld-opt %s --pl-cpu-plan --pl-cpu-emit --canonicalize --cse | FileCheck %s

!f32 = !pl.tile<1x16xf32>

// arith.truncf with a rounding mode rounds to nearest all the same: it is never used.
// CHECK-NOT: to_nearest
// CHECK-NOT: downward
// CHECK-LABEL: func.func private @pld.casts
// CHECK-SAME: %[[CTX:[a-z0-9]+]]: !llvm.ptr
func.func @casts(%x: memref<1x16xf32>, %h: !pld.dtensor<1x16xf16>, %b: !pld.dtensor<1x16xbf16>,
                 %i: !pld.dtensor<1x16xi32>, %c: !pld.dtensor<1x16xi8>) attributes {pl.incore} {
  %t = pl.load %x[0, 0] : memref<1x16xf32> -> !f32
  // To nearest is an instruction.
  // CHECK: arith.truncf %[[T:.*]] : vector<16xf32> to vector<16xf16>
  %t0 = pl.cast rint %t : !f32 -> !pl.tile<1x16xf16>
  pl.store %t0, %h[0, 0] : !pl.tile<1x16xf16>, !pld.dtensor<1x16xf16>
  // Down is a step from there where that was up.
  // CHECK: arith.extf
  // CHECK: arith.cmpf ogt, %{{.*}}, %{{.*}} : vector<16xf32>
  // CHECK: arith.addi {{.*}} : vector<16xi16>
  %t1 = pl.cast floor %t : !f32 -> !pl.tile<1x16xf16>
  pl.store %t1, %h[0, 0] : !pl.tile<1x16xf16>, !pld.dtensor<1x16xf16>
  // A bf16 is rounded as an integer.
  // CHECK: arith.trunci {{.*}} : vector<16xi32> to vector<16xi16>
  %t2 = pl.cast round %t : !f32 -> !pl.tile<1x16xbf16>
  pl.store %t2, %b[0, 0] : !pl.tile<1x16xbf16>, !pld.dtensor<1x16xbf16>
  // An integer is rounded, clamped, converted.
  // CHECK: math.ceil
  // CHECK: arith.fptosi {{.*}} : vector<16xf32> to vector<16xi32>
  %t3 = pl.cast ceil %t : !f32 -> !pl.tile<1x16xi32>
  pl.store %t3, %i[0, 0] : !pl.tile<1x16xi32>, !pld.dtensor<1x16xi32>
  // CHECK: arith.trunci {{.*}} : vector<16xi32> to vector<16xi8>
  %t4 = pl.cast none %t3 : !pl.tile<1x16xi32> -> !pl.tile<1x16xi8>
  pl.store %t4, %c[0, 0] : !pl.tile<1x16xi8>, !pld.dtensor<1x16xi8>
  return
}
