// Round trip of pl.full, pl.add, pl.mul, pl.adds, pl.muls and pl.cast.
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
func.func @tensors(%f: f32) attributes {pl.incore} {
  // CHECK: pl.full %arg0 : tensor<128x128xf32>
  %a = pl.full %f : tensor<128x128xf32>
  // CHECK: pl.add %{{.*}}, %{{.*}} : tensor<128x128xf32>
  %0 = pl.add %a, %a : tensor<128x128xf32>
  // CHECK: pl.muls %{{.*}}, %arg0 : tensor<128x128xf32>, f32
  %1 = pl.muls %0, %f : tensor<128x128xf32>, f32
  // CHECK: pl.cast rint %{{.*}} : tensor<128x128xf32> -> tensor<128x128xf16>
  %2 = pl.cast rint %1 : tensor<128x128xf32> -> tensor<128x128xf16>
  return
}
