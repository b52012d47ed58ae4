// Round trip of the row and column reductions.
// RUN: pld-opt %s --verify-roundtrip | FileCheck %s
// RUN: pld-opt %s --mlir-print-op-generic | pld-opt | FileCheck %s
// RUN: pld-opt %s --emit-bytecode | pld-opt | FileCheck %s

// A row reduction leaves a column.
// CHECK-LABEL: func.func @rows
func.func @rows(%f: f32) attributes {pl.incore} {
  %a = pl.full %f : !pl.tile<8x64xf32>
  // CHECK: pl.row_sum %{{.*}} : !pl.tile<8x64xf32> -> !pl.tile<8x1xf32>
  %0 = pl.row_sum %a : !pl.tile<8x64xf32> -> !pl.tile<8x1xf32>
  // CHECK: pl.row_max %{{.*}} : !pl.tile<8x64xf32> -> !pl.tile<8x1xf32>
  %1 = pl.row_max %a : !pl.tile<8x64xf32> -> !pl.tile<8x1xf32>
  // CHECK: pl.row_min %{{.*}} : !pl.tile<8x64xf32> -> !pl.tile<8x1xf32>
  %2 = pl.row_min %a : !pl.tile<8x64xf32> -> !pl.tile<8x1xf32>
  // CHECK: pl.row_prod %{{.*}} : !pl.tile<8x64xf32> -> !pl.tile<8x1xf32>
  %3 = pl.row_prod %a : !pl.tile<8x64xf32> -> !pl.tile<8x1xf32>
  return
}

// A column reduction leaves a row.
// CHECK-LABEL: func.func @cols
func.func @cols(%f: f32) attributes {pl.incore} {
  %a = pl.full %f : !pl.tile<8x64xf32>
  // CHECK: pl.col_sum %{{.*}} : !pl.tile<8x64xf32> -> !pl.tile<1x64xf32>
  %0 = pl.col_sum %a : !pl.tile<8x64xf32> -> !pl.tile<1x64xf32>
  // CHECK: pl.col_max %{{.*}} : !pl.tile<8x64xf32> -> !pl.tile<1x64xf32>
  %1 = pl.col_max %a : !pl.tile<8x64xf32> -> !pl.tile<1x64xf32>
  // CHECK: pl.col_min %{{.*}} : !pl.tile<8x64xf32> -> !pl.tile<1x64xf32>
  %2 = pl.col_min %a : !pl.tile<8x64xf32> -> !pl.tile<1x64xf32>
  // CHECK: pl.col_prod %{{.*}} {tag} : !pl.tile<8x64xf32> -> !pl.tile<1x64xf32>
  %3 = pl.col_prod %a {tag} : !pl.tile<8x64xf32> -> !pl.tile<1x64xf32>
  return
}

// Every element type but masks; a dim of 1 may be reduced too.
// CHECK-LABEL: func.func @elements
func.func @elements(%f16: f16, %bf16: bf16, %i8: i8, %i16: i16, %i32: i32, %i64: i64) attributes {pl.incore} {
  %0 = pl.full %f16 : !pl.tile<2x32xf16>
  %1 = pl.full %bf16 : !pl.tile<2x32xbf16>
  %2 = pl.full %i8 : !pl.tile<2x32xi8>
  %3 = pl.full %i16 : !pl.tile<2x32xi16>
  %4 = pl.full %i32 : !pl.tile<8x1xi32>
  %5 = pl.full %i64 : !pl.tile<1x1xi64>
  // CHECK: pl.row_sum %{{.*}} : !pl.tile<2x32xf16> -> !pl.tile<2x1xf16>
  %6 = pl.row_sum %0 : !pl.tile<2x32xf16> -> !pl.tile<2x1xf16>
  // CHECK: pl.col_max %{{.*}} : !pl.tile<2x32xbf16> -> !pl.tile<1x32xbf16>
  %7 = pl.col_max %1 : !pl.tile<2x32xbf16> -> !pl.tile<1x32xbf16>
  // CHECK: pl.row_min %{{.*}} : !pl.tile<2x32xi8> -> !pl.tile<2x1xi8>
  %8 = pl.row_min %2 : !pl.tile<2x32xi8> -> !pl.tile<2x1xi8>
  // CHECK: pl.col_prod %{{.*}} : !pl.tile<2x32xi16> -> !pl.tile<1x32xi16>
  %9 = pl.col_prod %3 : !pl.tile<2x32xi16> -> !pl.tile<1x32xi16>
  // CHECK: pl.row_sum %{{.*}} : !pl.tile<8x1xi32> -> !pl.tile<8x1xi32>
  %10 = pl.row_sum %4 : !pl.tile<8x1xi32> -> !pl.tile<8x1xi32>
  // CHECK: pl.col_sum %{{.*}} : !pl.tile<1x1xi64> -> !pl.tile<1x1xi64>
  %11 = pl.col_sum %5 : !pl.tile<1x1xi64> -> !pl.tile<1x1xi64>
  return
}

// Tensors of any size.
// CHECK-LABEL: func.func @tensors
func.func @tensors(%f: f32) attributes {pl.device} {
  pl.at core_group {
    %a = pl.full %f : tensor<1000x4097xf32>
    // CHECK: pl.row_sum %{{.*}} : tensor<1000x4097xf32> -> tensor<1000x1xf32>
    %0 = pl.row_sum %a : tensor<1000x4097xf32> -> tensor<1000x1xf32>
    // CHECK: pl.col_min %{{.*}} : tensor<1000x4097xf32> -> tensor<1x4097xf32>
    %1 = pl.col_min %a : tensor<1000x4097xf32> -> tensor<1x4097xf32>
  }
  return
}
