// Round trip of the elementwise operations, pl.full, pl.iota and pl.cast.
// RUN: pld-opt %s --verify-roundtrip | FileCheck %s
// RUN: pld-opt %s --mlir-print-op-generic | pld-opt | FileCheck %s
// RUN: pld-opt %s --emit-bytecode | pld-opt | FileCheck %s

// One value of each element type fills a tile.
// CHECK-LABEL: func.func @full
func.func @full(%f: f32, %h: f16, %b: bf16, %i8: i8, %i16: i16, %i32: i32, %i64: i64, %m: i1)
    attributes {pl.incore} {
  // CHECK: pl.full %arg0 : !pl.tile<8x64xf32>
  %0 = pl.full %f : !pl.tile<8x64xf32>
  // CHECK: pl.full %arg1 : !pl.tile<1x1xf16>
  %1 = pl.full %h : !pl.tile<1x1xf16>
  // CHECK: pl.full %arg2 : !pl.tile<16x16xbf16>
  %2 = pl.full %b : !pl.tile<16x16xbf16>
  // CHECK: pl.full %arg3 : !pl.tile<1x4097xi8>
  %3 = pl.full %i8 : !pl.tile<1x4097xi8>
  // CHECK: pl.full %arg4 : !pl.tile<7x3xi16>
  %4 = pl.full %i16 : !pl.tile<7x3xi16>
  // CHECK: pl.full %arg5 : !pl.tile<8x1xi32>
  %5 = pl.full %i32 : !pl.tile<8x1xi32>
  // CHECK: pl.full %arg6 : !pl.tile<8x64xi64>
  %6 = pl.full %i64 : !pl.tile<8x64xi64>
  // CHECK: pl.full %arg7 : !pl.tile<8x64xi1>
  %7 = pl.full %m : !pl.tile<8x64xi1>
  return
}

// Tile with tile, and tile with a scalar on the right, float and integer.
// CHECK-LABEL: func.func @arithmetic
func.func @arithmetic(%f: f32, %i: i16) attributes {pl.incore} {
  %a = pl.full %f : !pl.tile<8x64xf32>
  %k = pl.full %i : !pl.tile<2x32xi16>
  // CHECK: pl.add %{{.*}}, %{{.*}} : !pl.tile<8x64xf32>
  %0 = pl.add %a, %a : !pl.tile<8x64xf32>
  // CHECK: pl.mul %{{.*}}, %{{.*}} : !pl.tile<8x64xf32>
  %1 = pl.mul %0, %a : !pl.tile<8x64xf32>
  // CHECK: pl.adds %{{.*}}, %arg0 : !pl.tile<8x64xf32>, f32
  %2 = pl.adds %1, %f : !pl.tile<8x64xf32>, f32
  // CHECK: pl.muls %{{.*}}, %arg0 : !pl.tile<8x64xf32>, f32
  %3 = pl.muls %2, %f : !pl.tile<8x64xf32>, f32
  // CHECK: pl.add %{{.*}}, %{{.*}} : !pl.tile<2x32xi16>
  %4 = pl.add %k, %k : !pl.tile<2x32xi16>
  // CHECK: pl.muls %{{.*}}, %arg1 : !pl.tile<2x32xi16>, i16
  %5 = pl.muls %4, %i : !pl.tile<2x32xi16>, i16
  return
}

// Of floats and of integers.
// CHECK-LABEL: func.func @numbers
func.func @numbers(%f: f32, %i: i8) attributes {pl.incore} {
  %a = pl.full %f : !pl.tile<8x64xf32>
  %k = pl.full %i : !pl.tile<2x32xi8>
  // CHECK: pl.sub %{{.*}}, %{{.*}} : !pl.tile<8x64xf32>
  %0 = pl.sub %a, %a : !pl.tile<8x64xf32>
  // CHECK: pl.sub %{{.*}}, %{{.*}} : !pl.tile<2x32xi8>
  %1 = pl.sub %k, %k : !pl.tile<2x32xi8>
  // CHECK: pl.div %{{.*}}, %{{.*}} : !pl.tile<8x64xf32>
  %2 = pl.div %a, %a : !pl.tile<8x64xf32>
  // CHECK: pl.div %{{.*}}, %{{.*}} : !pl.tile<2x32xi8>
  %3 = pl.div %k, %k : !pl.tile<2x32xi8>
  // CHECK: pl.max %{{.*}}, %{{.*}} : !pl.tile<8x64xf32>
  %4 = pl.max %a, %a : !pl.tile<8x64xf32>
  // CHECK: pl.max %{{.*}}, %{{.*}} : !pl.tile<2x32xi8>
  %5 = pl.max %k, %k : !pl.tile<2x32xi8>
  // CHECK: pl.min %{{.*}}, %{{.*}} : !pl.tile<8x64xf32>
  %6 = pl.min %a, %a : !pl.tile<8x64xf32>
  // CHECK: pl.min %{{.*}}, %{{.*}} : !pl.tile<2x32xi8>
  %7 = pl.min %k, %k : !pl.tile<2x32xi8>
  // CHECK: pl.subs %{{.*}}, %arg0 : !pl.tile<8x64xf32>, f32
  %8 = pl.subs %a, %f : !pl.tile<8x64xf32>, f32
  // CHECK: pl.subs %{{.*}}, %arg1 : !pl.tile<2x32xi8>, i8
  %9 = pl.subs %k, %i : !pl.tile<2x32xi8>, i8
  // CHECK: pl.divs %{{.*}}, %arg0 : !pl.tile<8x64xf32>, f32
  %10 = pl.divs %a, %f : !pl.tile<8x64xf32>, f32
  // CHECK: pl.divs %{{.*}}, %arg1 : !pl.tile<2x32xi8>, i8
  %11 = pl.divs %k, %i : !pl.tile<2x32xi8>, i8
  // CHECK: pl.maxs %{{.*}}, %arg0 : !pl.tile<8x64xf32>, f32
  %12 = pl.maxs %a, %f : !pl.tile<8x64xf32>, f32
  // CHECK: pl.maxs %{{.*}}, %arg1 : !pl.tile<2x32xi8>, i8
  %13 = pl.maxs %k, %i : !pl.tile<2x32xi8>, i8
  // CHECK: pl.mins %{{.*}}, %arg0 : !pl.tile<8x64xf32>, f32
  %14 = pl.mins %a, %f : !pl.tile<8x64xf32>, f32
  // CHECK: pl.mins %{{.*}}, %arg1 : !pl.tile<2x32xi8>, i8
  %15 = pl.mins %k, %i : !pl.tile<2x32xi8>, i8
  // CHECK: pl.neg %{{.*}} : !pl.tile<8x64xf32>
  %16 = pl.neg %a : !pl.tile<8x64xf32>
  // CHECK: pl.neg %{{.*}} : !pl.tile<2x32xi8>
  %17 = pl.neg %k : !pl.tile<2x32xi8>
  // CHECK: pl.abs %{{.*}} : !pl.tile<8x64xf32>
  %18 = pl.abs %a : !pl.tile<8x64xf32>
  // CHECK: pl.abs %{{.*}} : !pl.tile<2x32xi8>
  %19 = pl.abs %k : !pl.tile<2x32xi8>
  // CHECK: pl.relu %{{.*}} : !pl.tile<8x64xf32>
  %20 = pl.relu %a : !pl.tile<8x64xf32>
  // CHECK: pl.relu %{{.*}} : !pl.tile<2x32xi8>
  %21 = pl.relu %k : !pl.tile<2x32xi8>
  return
}

// Of floats only.
// CHECK-LABEL: func.func @floats
func.func @floats(%f: f32, %g: bf16) attributes {pl.incore} {
  %a = pl.full %f : !pl.tile<8x64xf32>
  %h = pl.full %g : !pl.tile<8x64xbf16>
  // CHECK: pl.exp %{{.*}} : !pl.tile<8x64xf32>
  %0 = pl.exp %a : !pl.tile<8x64xf32>
  // CHECK: pl.exp %{{.*}} : !pl.tile<8x64xbf16>
  %1 = pl.exp %h : !pl.tile<8x64xbf16>
  // CHECK: pl.log %{{.*}} : !pl.tile<8x64xf32>
  %2 = pl.log %a : !pl.tile<8x64xf32>
  // CHECK: pl.log %{{.*}} : !pl.tile<8x64xbf16>
  %3 = pl.log %h : !pl.tile<8x64xbf16>
  // CHECK: pl.sqrt %{{.*}} : !pl.tile<8x64xf32>
  %4 = pl.sqrt %a : !pl.tile<8x64xf32>
  // CHECK: pl.sqrt %{{.*}} : !pl.tile<8x64xbf16>
  %5 = pl.sqrt %h : !pl.tile<8x64xbf16>
  // CHECK: pl.rsqrt %{{.*}} : !pl.tile<8x64xf32>
  %6 = pl.rsqrt %a : !pl.tile<8x64xf32>
  // CHECK: pl.rsqrt %{{.*}} : !pl.tile<8x64xbf16>
  %7 = pl.rsqrt %h : !pl.tile<8x64xbf16>
  // CHECK: pl.recip %{{.*}} : !pl.tile<8x64xf32>
  %8 = pl.recip %a : !pl.tile<8x64xf32>
  // CHECK: pl.recip %{{.*}} : !pl.tile<8x64xbf16>
  %9 = pl.recip %h : !pl.tile<8x64xbf16>
  return
}

// Of integers, and the logic ones of masks.
// CHECK-LABEL: func.func @integers
func.func @integers(%i: i64, %b: i1) attributes {pl.incore} {
  %k = pl.full %i : !pl.tile<8x64xi64>
  %m = pl.full %b : !pl.tile<8x64xi1>
  // CHECK: pl.and %{{.*}}, %{{.*}} : !pl.tile<8x64xi64>
  %0 = pl.and %k, %k : !pl.tile<8x64xi64>
  // CHECK: pl.and %{{.*}}, %{{.*}} : !pl.tile<8x64xi1>
  %1 = pl.and %m, %m : !pl.tile<8x64xi1>
  // CHECK: pl.or %{{.*}}, %{{.*}} : !pl.tile<8x64xi64>
  %2 = pl.or %k, %k : !pl.tile<8x64xi64>
  // CHECK: pl.or %{{.*}}, %{{.*}} : !pl.tile<8x64xi1>
  %3 = pl.or %m, %m : !pl.tile<8x64xi1>
  // CHECK: pl.xor %{{.*}}, %{{.*}} : !pl.tile<8x64xi64>
  %4 = pl.xor %k, %k : !pl.tile<8x64xi64>
  // CHECK: pl.xor %{{.*}}, %{{.*}} : !pl.tile<8x64xi1>
  %5 = pl.xor %m, %m : !pl.tile<8x64xi1>
  // CHECK: pl.not %{{.*}} : !pl.tile<8x64xi64>
  %6 = pl.not %k : !pl.tile<8x64xi64>
  // CHECK: pl.not %{{.*}} : !pl.tile<8x64xi1>
  %7 = pl.not %m : !pl.tile<8x64xi1>
  // CHECK: pl.shl %{{.*}}, %{{.*}} : !pl.tile<8x64xi64>
  %8 = pl.shl %k, %k : !pl.tile<8x64xi64>
  // CHECK: pl.shr %{{.*}}, %{{.*}} : !pl.tile<8x64xi64>
  %9 = pl.shr %k, %k : !pl.tile<8x64xi64>
  // CHECK: pl.iota : !pl.tile<8x64xi8>
  %10 = pl.iota : !pl.tile<8x64xi8>
  // CHECK: pl.iota : !pl.tile<8x64xi16>
  %11 = pl.iota : !pl.tile<8x64xi16>
  // CHECK: pl.iota : !pl.tile<8x64xi32>
  %12 = pl.iota : !pl.tile<8x64xi32>
  // CHECK: pl.iota : !pl.tile<8x64xi64>
  %13 = pl.iota : !pl.tile<8x64xi64>
  return
}

// Every comparison, and the choice by a mask.
// CHECK-LABEL: func.func @masks
func.func @masks(%f: f32, %i: i16) attributes {pl.incore} {
  %a = pl.full %f : !pl.tile<8x64xf32>
  %k = pl.full %i : !pl.tile<8x64xi16>
  // CHECK: %[[M0:.*]] = pl.cmp eq, %{{.*}}, %{{.*}} : !pl.tile<8x64xf32> -> !pl.tile<8x64xi1>
  %m0 = pl.cmp eq, %a, %a : !pl.tile<8x64xf32> -> !pl.tile<8x64xi1>
  // CHECK: %[[M1:.*]] = pl.cmp ne, %{{.*}}, %{{.*}} : !pl.tile<8x64xi16> -> !pl.tile<8x64xi1>
  %m1 = pl.cmp ne, %k, %k : !pl.tile<8x64xi16> -> !pl.tile<8x64xi1>
  // CHECK: %[[M2:.*]] = pl.cmp lt, %{{.*}}, %{{.*}} : !pl.tile<8x64xf32> -> !pl.tile<8x64xi1>
  %m2 = pl.cmp lt, %a, %a : !pl.tile<8x64xf32> -> !pl.tile<8x64xi1>
  // CHECK: %[[M3:.*]] = pl.cmp le, %{{.*}}, %{{.*}} : !pl.tile<8x64xi16> -> !pl.tile<8x64xi1>
  %m3 = pl.cmp le, %k, %k : !pl.tile<8x64xi16> -> !pl.tile<8x64xi1>
  // CHECK: %[[M4:.*]] = pl.cmp gt, %{{.*}}, %{{.*}} : !pl.tile<8x64xf32> -> !pl.tile<8x64xi1>
  %m4 = pl.cmp gt, %a, %a : !pl.tile<8x64xf32> -> !pl.tile<8x64xi1>
  // CHECK: %[[M5:.*]] = pl.cmp ge, %{{.*}}, %{{.*}} : !pl.tile<8x64xi16> -> !pl.tile<8x64xi1>
  %m5 = pl.cmp ge, %k, %k : !pl.tile<8x64xi16> -> !pl.tile<8x64xi1>
  // CHECK: pl.select %[[M0]], %{{.*}}, %{{.*}} : !pl.tile<8x64xi1>, !pl.tile<8x64xf32>
  %0 = pl.select %m0, %a, %a : !pl.tile<8x64xi1>, !pl.tile<8x64xf32>
  // CHECK: pl.select %[[M1]], %{{.*}}, %{{.*}} : !pl.tile<8x64xi1>, !pl.tile<8x64xi16>
  %1 = pl.select %m1, %k, %k : !pl.tile<8x64xi1>, !pl.tile<8x64xi16>
  // A mask chooses between masks.
  // CHECK: pl.select %[[M2]], %[[M3]], %[[M4]] {tag} : !pl.tile<8x64xi1>, !pl.tile<8x64xi1>
  %2 = pl.select %m2, %m3, %m4 {tag} : !pl.tile<8x64xi1>, !pl.tile<8x64xi1>
  return
}

// Every rounding mode, and both directions between floats and integers.
// CHECK-LABEL: func.func @cast
func.func @cast(%f: f32) attributes {pl.incore} {
  %a = pl.full %f : !pl.tile<8x64xf32>
  // CHECK: pl.cast none %{{.*}} : !pl.tile<8x64xf32> -> !pl.tile<8x64xf16>
  %0 = pl.cast none %a : !pl.tile<8x64xf32> -> !pl.tile<8x64xf16>
  // CHECK: pl.cast rint %{{.*}} : !pl.tile<8x64xf32> -> !pl.tile<8x64xbf16>
  %1 = pl.cast rint %a : !pl.tile<8x64xf32> -> !pl.tile<8x64xbf16>
  // CHECK: pl.cast round %{{.*}} : !pl.tile<8x64xf32> -> !pl.tile<8x64xi32>
  %2 = pl.cast round %a : !pl.tile<8x64xf32> -> !pl.tile<8x64xi32>
  // CHECK: pl.cast floor %{{.*}} : !pl.tile<8x64xf32> -> !pl.tile<8x64xi16>
  %3 = pl.cast floor %a : !pl.tile<8x64xf32> -> !pl.tile<8x64xi16>
  // CHECK: pl.cast ceil %{{.*}} : !pl.tile<8x64xf32> -> !pl.tile<8x64xi8>
  %4 = pl.cast ceil %a : !pl.tile<8x64xf32> -> !pl.tile<8x64xi8>
  // CHECK: pl.cast trunc %{{.*}} : !pl.tile<8x64xf32> -> !pl.tile<8x64xi64>
  %5 = pl.cast trunc %a : !pl.tile<8x64xf32> -> !pl.tile<8x64xi64>
  // CHECK: pl.cast none %{{.*}} : !pl.tile<8x64xi64> -> !pl.tile<8x64xi8>
  %6 = pl.cast none %5 : !pl.tile<8x64xi64> -> !pl.tile<8x64xi8>
  // CHECK: pl.cast none %{{.*}} : !pl.tile<8x64xbf16> -> !pl.tile<8x64xf32>
  %7 = pl.cast none %1 : !pl.tile<8x64xbf16> -> !pl.tile<8x64xf32>
  return
}

// The same operations on tensors.
// CHECK-LABEL: func.func @tensors
func.func @tensors(%f: f32) attributes {pl.device} {
  pl.at core_group {
    // CHECK: pl.full %arg0 : tensor<128x128xf32>
    %a = pl.full %f : tensor<128x128xf32>
    // CHECK: pl.add %{{.*}}, %{{.*}} : tensor<128x128xf32>
    %0 = pl.add %a, %a : tensor<128x128xf32>
    // CHECK: pl.muls %{{.*}}, %arg0 : tensor<128x128xf32>, f32
    %1 = pl.muls %0, %f : tensor<128x128xf32>, f32
    // CHECK: pl.cast rint %{{.*}} : tensor<128x128xf32> -> tensor<128x128xf16>
    %2 = pl.cast rint %1 : tensor<128x128xf32> -> tensor<128x128xf16>
  }
  return
}
