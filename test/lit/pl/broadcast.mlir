// Round trip of the broadcasts along rows and columns.
// RUN: pld-opt %s --verify-roundtrip | FileCheck %s
// RUN: pld-opt %s --mlir-print-op-generic | pld-opt | FileCheck %s
// RUN: pld-opt %s --emit-bytecode | pld-opt | FileCheck %s

// A column along the rows.
// CHECK-LABEL: func.func @rows
func.func @rows(%f: f32) attributes {pl.incore} {
  %a = pl.full %f : !pl.tile<8x64xf32>
  %v = pl.full %f : !pl.tile<8x1xf32>
  // CHECK: pl.row_expand %[[V:.*]] : !pl.tile<8x1xf32> -> !pl.tile<8x64xf32>
  %0 = pl.row_expand %v : !pl.tile<8x1xf32> -> !pl.tile<8x64xf32>
  // CHECK: pl.row_expand_add %[[A:.*]], %[[V]] : !pl.tile<8x64xf32>, !pl.tile<8x1xf32>
  %1 = pl.row_expand_add %a, %v : !pl.tile<8x64xf32>, !pl.tile<8x1xf32>
  // CHECK: pl.row_expand_sub %[[A]], %[[V]] : !pl.tile<8x64xf32>, !pl.tile<8x1xf32>
  %2 = pl.row_expand_sub %a, %v : !pl.tile<8x64xf32>, !pl.tile<8x1xf32>
  // CHECK: pl.row_expand_mul %[[A]], %[[V]] : !pl.tile<8x64xf32>, !pl.tile<8x1xf32>
  %3 = pl.row_expand_mul %a, %v : !pl.tile<8x64xf32>, !pl.tile<8x1xf32>
  // CHECK: pl.row_expand_div %[[A]], %[[V]] : !pl.tile<8x64xf32>, !pl.tile<8x1xf32>
  %4 = pl.row_expand_div %a, %v : !pl.tile<8x64xf32>, !pl.tile<8x1xf32>
  // CHECK: pl.row_expand_max %[[A]], %[[V]] : !pl.tile<8x64xf32>, !pl.tile<8x1xf32>
  %5 = pl.row_expand_max %a, %v : !pl.tile<8x64xf32>, !pl.tile<8x1xf32>
  // CHECK: pl.row_expand_min %[[A]], %[[V]] : !pl.tile<8x64xf32>, !pl.tile<8x1xf32>
  %6 = pl.row_expand_min %a, %v : !pl.tile<8x64xf32>, !pl.tile<8x1xf32>
  return
}

// A row along the columns.
// CHECK-LABEL: func.func @cols
func.func @cols(%i: i32) attributes {pl.incore} {
  %a = pl.full %i : !pl.tile<8x64xi32>
  %v = pl.full %i : !pl.tile<1x64xi32>
  // CHECK: pl.col_expand %[[V:.*]] : !pl.tile<1x64xi32> -> !pl.tile<8x64xi32>
  %0 = pl.col_expand %v : !pl.tile<1x64xi32> -> !pl.tile<8x64xi32>
  // CHECK: pl.col_expand_add %[[A:.*]], %[[V]] : !pl.tile<8x64xi32>, !pl.tile<1x64xi32>
  %1 = pl.col_expand_add %a, %v : !pl.tile<8x64xi32>, !pl.tile<1x64xi32>
  // CHECK: pl.col_expand_sub %[[A]], %[[V]] : !pl.tile<8x64xi32>, !pl.tile<1x64xi32>
  %2 = pl.col_expand_sub %a, %v : !pl.tile<8x64xi32>, !pl.tile<1x64xi32>
  // CHECK: pl.col_expand_mul %[[A]], %[[V]] : !pl.tile<8x64xi32>, !pl.tile<1x64xi32>
  %3 = pl.col_expand_mul %a, %v : !pl.tile<8x64xi32>, !pl.tile<1x64xi32>
  // CHECK: pl.col_expand_div %[[A]], %[[V]] : !pl.tile<8x64xi32>, !pl.tile<1x64xi32>
  %4 = pl.col_expand_div %a, %v : !pl.tile<8x64xi32>, !pl.tile<1x64xi32>
  // CHECK: pl.col_expand_max %[[A]], %[[V]] : !pl.tile<8x64xi32>, !pl.tile<1x64xi32>
  %5 = pl.col_expand_max %a, %v : !pl.tile<8x64xi32>, !pl.tile<1x64xi32>
  // CHECK: pl.col_expand_min %[[A]], %[[V]] {tag} : !pl.tile<8x64xi32>, !pl.tile<1x64xi32>
  %6 = pl.col_expand_min %a, %v {tag} : !pl.tile<8x64xi32>, !pl.tile<1x64xi32>
  return
}

// Extents of 1 on either side, and other element types.
// CHECK-LABEL: func.func @elements
func.func @elements(%f: f16, %b: bf16, %i8: i8, %i64: i64) attributes {pl.incore} {
  %0 = pl.full %f : !pl.tile<1x1xf16>
  // CHECK: pl.row_expand %{{.*}} : !pl.tile<1x1xf16> -> !pl.tile<1x29xf16>
  %1 = pl.row_expand %0 : !pl.tile<1x1xf16> -> !pl.tile<1x29xf16>
  // CHECK: pl.col_expand %{{.*}} : !pl.tile<1x29xf16> -> !pl.tile<1x29xf16>
  %2 = pl.col_expand %1 : !pl.tile<1x29xf16> -> !pl.tile<1x29xf16>
  %3 = pl.full %b : !pl.tile<7x1xbf16>
  // CHECK: pl.row_expand_mul %{{.*}}, %{{.*}} : !pl.tile<7x1xbf16>, !pl.tile<7x1xbf16>
  %4 = pl.row_expand_mul %3, %3 : !pl.tile<7x1xbf16>, !pl.tile<7x1xbf16>
  %5 = pl.full %i8 : !pl.tile<1x32xi8>
  // CHECK: pl.col_expand_max %{{.*}}, %{{.*}} : !pl.tile<1x32xi8>, !pl.tile<1x32xi8>
  %6 = pl.col_expand_max %5, %5 : !pl.tile<1x32xi8>, !pl.tile<1x32xi8>
  %7 = pl.full %i64 : !pl.tile<1x1xi64>
  // CHECK: pl.row_expand_add %{{.*}}, %{{.*}} : !pl.tile<1x1xi64>, !pl.tile<1x1xi64>
  %8 = pl.row_expand_add %7, %7 : !pl.tile<1x1xi64>, !pl.tile<1x1xi64>
  return
}

// CHECK-LABEL: func.func @tensors
func.func @tensors(%f: f32) attributes {pl.device} {
  pl.at core_group {
    %a = pl.full %f : tensor<128x4096xf32>
    %v = pl.full %f : tensor<128x1xf32>
    %h = pl.full %f : tensor<1x4096xf32>
    // CHECK: pl.row_expand_sub %{{.*}}, %{{.*}} : tensor<128x4096xf32>, tensor<128x1xf32>
    %0 = pl.row_expand_sub %a, %v : tensor<128x4096xf32>, tensor<128x1xf32>
    // CHECK: pl.col_expand %{{.*}} : tensor<1x4096xf32> -> tensor<128x4096xf32>
    %1 = pl.col_expand %h : tensor<1x4096xf32> -> tensor<128x4096xf32>
  }
  return
}
