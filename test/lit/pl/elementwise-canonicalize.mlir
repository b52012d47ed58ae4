// What folds among the elementwise operations, and what must not.
// RUN: pld-opt %s --canonicalize | FileCheck %s

// An integer plus or minus 0, and a number times or by 1, is itself.
// CHECK-LABEL: func.func @neutral
func.func @neutral(%x: memref<8x64xi32>, %u: memref<8x64xf16>, %y: memref<16x64xi32> {pl.out},
                   %v: memref<16x64xf16> {pl.out}) attributes {pl.incore} {
  // CHECK-NEXT: %[[T:.*]] = pl.load %arg0
  // CHECK-NEXT: pl.store %[[T]], %arg2[0, 0]
  // CHECK-NEXT: pl.store %[[T]], %arg2[8, 0]
  // CHECK-NEXT: %[[H:.*]] = pl.load %arg1
  // CHECK-NEXT: pl.store %[[H]], %arg3[0, 0]
  // CHECK-NEXT: return
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f1 = arith.constant 1.0 : f16
  %t = pl.load %x[0, 0] : memref<8x64xi32> -> !pl.tile<8x64xi32>
  %a = pl.adds %t, %c0 : !pl.tile<8x64xi32>, i32
  %b = pl.subs %a, %c0 : !pl.tile<8x64xi32>, i32
  pl.store %b, %y[0, 0] : !pl.tile<8x64xi32>, memref<16x64xi32>
  %c = pl.muls %t, %c1 : !pl.tile<8x64xi32>, i32
  %d = pl.divs %c, %c1 : !pl.tile<8x64xi32>, i32
  pl.store %d, %y[8, 0] : !pl.tile<8x64xi32>, memref<16x64xi32>
  %h = pl.load %u[0, 0] : memref<8x64xf16> -> !pl.tile<8x64xf16>
  %e = pl.muls %h, %f1 : !pl.tile<8x64xf16>, f16
  %g = pl.divs %e, %f1 : !pl.tile<8x64xf16>, f16
  pl.store %g, %v[0, 0] : !pl.tile<8x64xf16>, memref<16x64xf16>
  return
}

// A float plus 0 is not: -0 becomes 0. Nor are other numbers, or those not known.
// CHECK-LABEL: func.func @not_neutral
func.func @not_neutral(%x: memref<8x64xf32>, %y: memref<8x64xf32> {pl.out}, %s: f32) attributes {pl.incore} {
  // CHECK: pl.adds
  // CHECK-NEXT: pl.subs
  // CHECK-NEXT: pl.muls
  // CHECK-NEXT: pl.muls
  // CHECK-NEXT: pl.divs
  // CHECK-NEXT: pl.maxs
  // CHECK-NEXT: pl.store
  %z = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %m = arith.constant -1.0 : f32
  %t = pl.load %x[0, 0] : memref<8x64xf32> -> !pl.tile<8x64xf32>
  %a = pl.adds %t, %z : !pl.tile<8x64xf32>, f32
  %b = pl.subs %a, %z : !pl.tile<8x64xf32>, f32
  %c = pl.muls %b, %m : !pl.tile<8x64xf32>, f32
  %d = pl.muls %c, %s : !pl.tile<8x64xf32>, f32
  %e = pl.divs %d, %z : !pl.tile<8x64xf32>, f32
  %f = pl.maxs %e, %one : !pl.tile<8x64xf32>, f32
  pl.store %f, %y[0, 0] : !pl.tile<8x64xf32>, memref<8x64xf32>
  return
}

// Integers minus 1 and times 0 stay as well.
// CHECK-LABEL: func.func @other_integers
func.func @other_integers(%x: memref<8x64xi8>, %y: memref<8x64xi8> {pl.out}) attributes {pl.incore} {
  // CHECK: pl.subs
  // CHECK-NEXT: pl.muls
  // CHECK-NEXT: pl.store
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  %t = pl.load %x[0, 0] : memref<8x64xi8> -> !pl.tile<8x64xi8>
  %a = pl.subs %t, %c1 : !pl.tile<8x64xi8>, i8
  %b = pl.muls %a, %c0 : !pl.tile<8x64xi8>, i8
  pl.store %b, %y[0, 0] : !pl.tile<8x64xi8>, memref<8x64xi8>
  return
}

// Widened and narrowed back, whatever the modes.
// CHECK-LABEL: func.func @widened
func.func @widened(%a: memref<8x64xf16> {pl.inout}, %b: memref<8x64xbf16> {pl.inout}, %c: memref<8x64xi8> {pl.inout},
                   %d: memref<8x64xi16> {pl.inout}, %e: memref<8x64xi32> {pl.inout}) attributes {pl.incore} {
  // CHECK-NOT: pl.cast
  // CHECK: return
  %0 = pl.load %a[0, 0] : memref<8x64xf16> -> !pl.tile<8x64xf16>
  %1 = pl.cast none %0 : !pl.tile<8x64xf16> -> !pl.tile<8x64xf32>
  %2 = pl.cast rint %1 : !pl.tile<8x64xf32> -> !pl.tile<8x64xf16>
  pl.store %2, %a[0, 0] : !pl.tile<8x64xf16>, memref<8x64xf16>
  %3 = pl.load %b[0, 0] : memref<8x64xbf16> -> !pl.tile<8x64xbf16>
  %4 = pl.cast none %3 : !pl.tile<8x64xbf16> -> !pl.tile<8x64xf32>
  %5 = pl.cast floor %4 : !pl.tile<8x64xf32> -> !pl.tile<8x64xbf16>
  pl.store %5, %b[0, 0] : !pl.tile<8x64xbf16>, memref<8x64xbf16>
  // All integers of 8 bits are floats of 8 bits of precision.
  %6 = pl.load %c[0, 0] : memref<8x64xi8> -> !pl.tile<8x64xi8>
  %7 = pl.cast trunc %6 : !pl.tile<8x64xi8> -> !pl.tile<8x64xbf16>
  %8 = pl.cast ceil %7 : !pl.tile<8x64xbf16> -> !pl.tile<8x64xi8>
  %9 = pl.cast none %8 : !pl.tile<8x64xi8> -> !pl.tile<8x64xi64>
  %10 = pl.cast none %9 : !pl.tile<8x64xi64> -> !pl.tile<8x64xi8>
  pl.store %10, %c[0, 0] : !pl.tile<8x64xi8>, memref<8x64xi8>
  %11 = pl.load %d[0, 0] : memref<8x64xi16> -> !pl.tile<8x64xi16>
  %12 = pl.cast rint %11 : !pl.tile<8x64xi16> -> !pl.tile<8x64xf32>
  %13 = pl.cast round %12 : !pl.tile<8x64xf32> -> !pl.tile<8x64xi16>
  pl.store %13, %d[0, 0] : !pl.tile<8x64xi16>, memref<8x64xi16>
  %14 = pl.load %e[0, 0] : memref<8x64xi32> -> !pl.tile<8x64xi32>
  %15 = pl.cast none %14 : !pl.tile<8x64xi32> -> !pl.tile<8x64xi64>
  %16 = pl.cast none %15 : !pl.tile<8x64xi64> -> !pl.tile<8x64xi32>
  pl.store %16, %e[0, 0] : !pl.tile<8x64xi32>, memref<8x64xi32>
  return
}

// What loses bits on the way stays, as does what ends in another type.
// CHECK-LABEL: func.func @narrowed
func.func @narrowed(%a: memref<8x64xf32> {pl.inout}, %b: memref<8x64xi32> {pl.inout}, %c: memref<8x64xi16> {pl.inout},
                    %d: memref<8x64xf16> {pl.inout}, %e: memref<8x64xi8>) attributes {pl.incore} {
  // CHECK-COUNT-12: pl.cast
  // CHECK: return
  %0 = pl.load %a[0, 0] : memref<8x64xf32> -> !pl.tile<8x64xf32>
  %1 = pl.cast rint %0 : !pl.tile<8x64xf32> -> !pl.tile<8x64xf16>
  %2 = pl.cast none %1 : !pl.tile<8x64xf16> -> !pl.tile<8x64xf32>
  pl.store %2, %a[0, 0] : !pl.tile<8x64xf32>, memref<8x64xf32>
  %3 = pl.load %b[0, 0] : memref<8x64xi32> -> !pl.tile<8x64xi32>
  %4 = pl.cast none %3 : !pl.tile<8x64xi32> -> !pl.tile<8x64xf32>
  %5 = pl.cast none %4 : !pl.tile<8x64xf32> -> !pl.tile<8x64xi32>
  pl.store %5, %b[0, 0] : !pl.tile<8x64xi32>, memref<8x64xi32>
  %6 = pl.load %c[0, 0] : memref<8x64xi16> -> !pl.tile<8x64xi16>
  %7 = pl.cast none %6 : !pl.tile<8x64xi16> -> !pl.tile<8x64xf16>
  %8 = pl.cast none %7 : !pl.tile<8x64xf16> -> !pl.tile<8x64xi16>
  %9 = pl.cast none %8 : !pl.tile<8x64xi16> -> !pl.tile<8x64xi8>
  %10 = pl.cast none %9 : !pl.tile<8x64xi8> -> !pl.tile<8x64xi16>
  pl.store %10, %c[0, 0] : !pl.tile<8x64xi16>, memref<8x64xi16>
  %11 = pl.load %d[0, 0] : memref<8x64xf16> -> !pl.tile<8x64xf16>
  %12 = pl.cast rint %11 : !pl.tile<8x64xf16> -> !pl.tile<8x64xbf16>
  %13 = pl.cast rint %12 : !pl.tile<8x64xbf16> -> !pl.tile<8x64xf16>
  pl.store %13, %d[0, 0] : !pl.tile<8x64xf16>, memref<8x64xf16>
  %14 = pl.load %e[0, 0] : memref<8x64xi8> -> !pl.tile<8x64xi8>
  %15 = pl.cast none %14 : !pl.tile<8x64xi8> -> !pl.tile<8x64xf32>
  %16 = pl.cast none %15 : !pl.tile<8x64xf32> -> !pl.tile<8x64xi16>
  pl.store %16, %c[0, 0] : !pl.tile<8x64xi16>, memref<8x64xi16>
  return
}

// What is pure and unused goes.
// CHECK-LABEL: func.func @dead
func.func @dead(%f: f32, %i: i32) attributes {pl.incore} {
  // CHECK-NEXT: return
  %a = pl.full %f : !pl.tile<8x64xf32>
  %b = pl.iota : !pl.tile<8x64xi32>
  %c = pl.exp %a : !pl.tile<8x64xf32>
  %d = pl.cmp lt, %a, %c : !pl.tile<8x64xf32> -> !pl.tile<8x64xi1>
  %e = pl.select %d, %a, %c : !pl.tile<8x64xi1>, !pl.tile<8x64xf32>
  %g = pl.shl %b, %b : !pl.tile<8x64xi32>
  %h = pl.divs %g, %i : !pl.tile<8x64xi32>, i32
  return
}
