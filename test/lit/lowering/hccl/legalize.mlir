// RUN: pld-opt %s --pl-legalize | FileCheck %s

// bf16 has no arithmetic: in f32, rounded back. The scalar is spread over a tile.
// CHECK-LABEL: func.func @bf16(
// CHECK:         %[[T:.*]] = pl.load
// CHECK:         %[[A:.*]] = pl.cast none %[[T]] : !pl.tile<4x8xbf16> -> !pl.tile<4x8xf32>
// CHECK:         %[[S:.*]] = pl.full %{{.*}} : !pl.tile<4x8xbf16>
// CHECK:         %[[B:.*]] = pl.cast none %[[S]] : !pl.tile<4x8xbf16> -> !pl.tile<4x8xf32>
// CHECK:         %[[M:.*]] = pl.mul %[[A]], %[[B]] : !pl.tile<4x8xf32>
// CHECK:         pl.cast rint %[[M]] : !pl.tile<4x8xf32> -> !pl.tile<4x8xbf16>
func.func @bf16(%x: memref<4x8xbf16>, %s: bf16, %y: memref<4x8xbf16> {pl.out}) attributes {pl.incore} {
  %t = pl.load %x[0, 0] : memref<4x8xbf16> -> !pl.tile<4x8xbf16>
  %u = pl.muls %t, %s : !pl.tile<4x8xbf16>, bf16
  pl.store %u, %y[0, 0] : !pl.tile<4x8xbf16>, memref<4x8xbf16>
  return
}

// i8 in i16, through f16; the sum's low bits go to the top and come down exactly.
// CHECK-LABEL: func.func @i8(
// CHECK:         pl.cast none %{{.*}} : !pl.tile<4x8xi8> -> !pl.tile<4x8xf16>
// CHECK:         pl.cast rint %{{.*}} : !pl.tile<4x8xf16> -> !pl.tile<4x8xi16>
// CHECK:         %[[SUM:.*]] = pl.add %{{.*}} : !pl.tile<4x8xi16>
// CHECK:         %[[C:.*]] = arith.constant 256 : i16
// CHECK:         %[[TOP:.*]] = pl.muls %[[SUM]], %[[C]] : !pl.tile<4x8xi16>, i16
// CHECK:         %[[H:.*]] = pl.cast rint %[[TOP]] : !pl.tile<4x8xi16> -> !pl.tile<4x8xf16>
// CHECK:         %[[LOW:.*]] = pl.muls %[[H]], %{{.*}} : !pl.tile<4x8xf16>, f16
// CHECK:         pl.cast trunc %[[LOW]] : !pl.tile<4x8xf16> -> !pl.tile<4x8xi8>
func.func @i8(%x: memref<4x8xi8>, %y: memref<4x8xi8> {pl.out}) attributes {pl.incore} {
  %t = pl.load %x[0, 0] : memref<4x8xi8> -> !pl.tile<4x8xi8>
  %u = pl.add %t, %t : !pl.tile<4x8xi8>
  pl.store %u, %y[0, 0] : !pl.tile<4x8xi8>, memref<4x8xi8>
  return
}

// A cast of one instruction gets a mode that it takes; the others go through f32.
// CHECK-LABEL: func.func @casts(
// CHECK:         pl.cast rint %[[F:.*]] : !pl.tile<4x8xf32> -> !pl.tile<4x8xbf16>
// CHECK:         pl.cast floor %[[F]] : !pl.tile<4x8xf32> -> !pl.tile<4x8xi32>
// CHECK:         %[[B:.*]] = pl.cast none %{{.*}} : !pl.tile<4x8xf16> -> !pl.tile<4x8xf32>
// CHECK:         pl.cast ceil %[[B]] : !pl.tile<4x8xf32> -> !pl.tile<4x8xbf16>
func.func @casts(%x: memref<4x8xf32>, %y: memref<4x8xf16>) attributes {pl.incore} {
  %f = pl.load %x[0, 0] : memref<4x8xf32> -> !pl.tile<4x8xf32>
  %h = pl.load %y[0, 0] : memref<4x8xf16> -> !pl.tile<4x8xf16>
  %a = pl.cast none %f : !pl.tile<4x8xf32> -> !pl.tile<4x8xbf16>
  %b = pl.cast floor %f : !pl.tile<4x8xf32> -> !pl.tile<4x8xi32>
  %c = pl.cast ceil %h : !pl.tile<4x8xf16> -> !pl.tile<4x8xbf16>
  return
}

// CHECK-LABEL: func.func @fill(
// CHECK:         %[[V:.*]] = arith.constant -3 : i32
// CHECK:         %[[T:.*]] = pl.full %[[V]] : !pl.tile<4x8xi32>
// CHECK:         pl.cast none %[[T]] : !pl.tile<4x8xi32> -> !pl.tile<4x8xi64>
func.func @fill(%y: memref<4x8xi64> {pl.out}) attributes {pl.incore} {
  %v = arith.constant -3 : i64
  %t = pl.full %v : !pl.tile<4x8xi64>
  pl.store %t, %y[0, 0] : !pl.tile<4x8xi64>, memref<4x8xi64>
  return
}

// A product with the reciprocal where it is exact, else a quotient by a fill; the core negates
// no float scalars.
// CHECK-LABEL: func.func @scalars(
// CHECK:         pl.muls %{{.*}}, %{{.*}} : !pl.tile<4x8xf32>, f32
// CHECK:         %[[THREE:.*]] = pl.full
// CHECK:         pl.div %{{.*}}, %[[THREE]] : !pl.tile<4x8xf32>
// CHECK:         %[[S:.*]] = pl.full %arg1 : !pl.tile<4x8xf32>
// CHECK:         pl.sub %{{.*}}, %[[S]] : !pl.tile<4x8xf32>
func.func @scalars(%x: memref<4x8xf32>, %s: f32, %y: memref<4x8xf32> {pl.out}) attributes {pl.incore} {
  %four = arith.constant 4.0 : f32
  %three = arith.constant 3.0 : f32
  %t = pl.load %x[0, 0] : memref<4x8xf32> -> !pl.tile<4x8xf32>
  %a = pl.divs %t, %four : !pl.tile<4x8xf32>, f32
  %b = pl.divs %a, %three : !pl.tile<4x8xf32>, f32
  %c = pl.subs %b, %s : !pl.tile<4x8xf32>, f32
  pl.store %c, %y[0, 0] : !pl.tile<4x8xf32>, memref<4x8xf32>
  return
}

// A shift by a constant is one instruction, and its fill goes; one by the width or more leaves
// the sign, or nothing.
// CHECK-LABEL: func.func @shifts(
// CHECK-NOT:     pl.full
// CHECK:         pl.shr %[[T:.*]], %[[T]] {amount = 3 : i64}
// CHECK:         pl.shr %{{.*}} {amount = 31 : i64}
// CHECK:         pl.muls %{{.*}}, %c0
func.func @shifts(%x: memref<4x8xi32>, %y: memref<4x8xi32> {pl.out}) attributes {pl.incore} {
  %c3 = arith.constant 3 : i32
  %c40 = arith.constant 40 : i32
  %three = pl.full %c3 : !pl.tile<4x8xi32>
  %forty = pl.full %c40 : !pl.tile<4x8xi32>
  %t = pl.load %x[0, 0] : memref<4x8xi32> -> !pl.tile<4x8xi32>
  %a = pl.shr %t, %three : !pl.tile<4x8xi32>
  %b = pl.shr %a, %forty : !pl.tile<4x8xi32>
  %c = pl.shl %b, %forty : !pl.tile<4x8xi32>
  pl.store %c, %y[0, 0] : !pl.tile<4x8xi32>, memref<4x8xi32>
  return
}

// A mask is widened to whole elements, whose bits choose.
// CHECK-LABEL: func.func @select(
// CHECK:         %[[M:.*]] = pl.cast trunc %{{.*}} : !pl.tile<4x8xf16> -> !pl.tile<4x8xi32>
// CHECK:         pl.and %{{.*}}, %[[M]] : !pl.tile<4x8xi32>
// CHECK:         %[[N:.*]] = pl.not %[[M]] : !pl.tile<4x8xi32>
// CHECK:         pl.and %{{.*}}, %[[N]] : !pl.tile<4x8xi32>
// CHECK:         %[[R:.*]] = pl.or
// CHECK:         pl.cast none %[[R]] {bits} : !pl.tile<4x8xi32> -> !pl.tile<4x8xf32>
func.func @select(%x: memref<4x8xf32>, %b: i1, %y: memref<4x8xf32> {pl.out}) attributes {pl.incore} {
  %t = pl.load %x[0, 0] : memref<4x8xf32> -> !pl.tile<4x8xf32>
  %m = pl.full %b : !pl.tile<4x8xi1>
  %n = pl.neg %t : !pl.tile<4x8xf32>
  %r = pl.select %m, %t, %n : !pl.tile<4x8xi1>, !pl.tile<4x8xf32>
  pl.store %r, %y[0, 0] : !pl.tile<4x8xf32>, memref<4x8xf32>
  return
}
