// What folds among the operations that rearrange, and what must not.
// RUN: pld-opt %s --canonicalize | FileCheck %s

// Two transposes, reshapes back, and a part that is the whole.
// CHECK-LABEL: func.func @identities
func.func @identities(%x: memref<8x64xf32>, %y: memref<40x64xf32> {pl.out}) attributes {pl.incore} {
  // CHECK-NEXT: %[[T:.*]] = pl.load
  // CHECK-NEXT: pl.store %[[T]], %arg1[0, 0]
  // CHECK-NEXT: pl.store %[[T]], %arg1[8, 0]
  // CHECK-NEXT: pl.store %[[T]], %arg1[16, 0]
  // CHECK-NEXT: pl.store %[[T]], %arg1[24, 0]
  // CHECK-NEXT: pl.store %[[T]], %arg1[32, 0]
  // CHECK-NEXT: return
  %t = pl.load %x[0, 0] : memref<8x64xf32> -> !pl.tile<8x64xf32>
  %a = pl.transpose %t : !pl.tile<8x64xf32> -> !pl.tile<64x8xf32>
  %b = pl.transpose %a : !pl.tile<64x8xf32> -> !pl.tile<8x64xf32>
  pl.store %b, %y[0, 0] : !pl.tile<8x64xf32>, memref<40x64xf32>
  %c = pl.reshape %t : !pl.tile<8x64xf32> -> !pl.tile<8x64xf32>
  pl.store %c, %y[8, 0] : !pl.tile<8x64xf32>, memref<40x64xf32>
  %d = pl.reshape %t : !pl.tile<8x64xf32> -> !pl.tile<16x32xf32>
  %e = pl.reshape %d : !pl.tile<16x32xf32> -> !pl.tile<8x64xf32>
  pl.store %e, %y[16, 0] : !pl.tile<8x64xf32>, memref<40x64xf32>
  %g = pl.extract_slice %t[0, 0] : !pl.tile<8x64xf32> -> !pl.tile<8x64xf32>
  pl.store %g, %y[24, 0] : !pl.tile<8x64xf32>, memref<40x64xf32>
  // All at once.
  %h = pl.transpose %g : !pl.tile<8x64xf32> -> !pl.tile<64x8xf32>
  %i = pl.reshape %h : !pl.tile<64x8xf32> -> !pl.tile<64x8xf32>
  %j = pl.transpose %i : !pl.tile<64x8xf32> -> !pl.tile<8x64xf32>
  pl.store %j, %y[32, 0] : !pl.tile<8x64xf32>, memref<40x64xf32>
  return
}

// One transpose of a square changes elements, though not the type; so does a reshape between
// two. A part at a run-time offset may be out of bounds, which must be met. A row's transpose
// is a column.
// CHECK-LABEL: func.func @others
func.func @others(%x: memref<8x8xf32>, %y: memref<32x8xf32> {pl.out}, %i: index) attributes {pl.incore} {
  // CHECK: pl.transpose
  // CHECK: pl.transpose
  // CHECK: pl.reshape
  // CHECK: pl.transpose
  // CHECK: pl.extract_slice
  // CHECK: pl.reshape
  // CHECK: pl.reshape
  %t = pl.load %x[0, 0] : memref<8x8xf32> -> !pl.tile<8x8xf32>
  %a = pl.transpose %t : !pl.tile<8x8xf32> -> !pl.tile<8x8xf32>
  pl.store %a, %y[0, 0] : !pl.tile<8x8xf32>, memref<32x8xf32>
  %b = pl.extract_slice %t[0, 0] : !pl.tile<8x8xf32> -> !pl.tile<4x8xf32>
  %c = pl.transpose %b : !pl.tile<4x8xf32> -> !pl.tile<8x4xf32>
  %d = pl.reshape %c : !pl.tile<8x4xf32> -> !pl.tile<4x8xf32>
  %e = pl.transpose %d : !pl.tile<4x8xf32> -> !pl.tile<8x4xf32>
  %f = pl.reshape %e : !pl.tile<8x4xf32> -> !pl.tile<4x8xf32>
  pl.store %f, %y[8, 0] : !pl.tile<4x8xf32>, memref<32x8xf32>
  %g = pl.extract_slice %t[%i, 0] : !pl.tile<8x8xf32> -> !pl.tile<8x8xf32>
  pl.store %g, %y[16, 0] : !pl.tile<8x8xf32>, memref<32x8xf32>
  %h = pl.reshape %t : !pl.tile<8x8xf32> -> !pl.tile<1x64xf32>
  %j = pl.reshape %h : !pl.tile<1x64xf32> -> !pl.tile<2x32xf32>
  %k = pl.extract_slice %j[1, 0] : !pl.tile<2x32xf32> -> !pl.tile<1x8xf32>
  pl.store %k, %y[24, 0] : !pl.tile<1x8xf32>, memref<32x8xf32>
  return
}

// Tensors alike; and what is unused goes.
// CHECK-LABEL: func.func @tensors
func.func @tensors(%x: memref<64x64xf32>, %y: memref<64x64xf32> {pl.out}, %n: i32) attributes {pl.device} {
  // CHECK-NEXT: pl.at
  // CHECK-NEXT: %[[T:.*]] = pl.slice
  // CHECK-NEXT: pl.assemble %[[T]]
  // CHECK-NEXT: }
  pl.at core_group {
    %t = pl.slice %x[0, 0] : memref<64x64xf32> -> tensor<64x64xf32>
    %a = pl.transpose %t : tensor<64x64xf32> -> tensor<64x64xf32>
    %b = pl.transpose %a : tensor<64x64xf32> -> tensor<64x64xf32>
    pl.assemble %b, %y[0, 0] : tensor<64x64xf32>, memref<64x64xf32>
    %c = pl.concat %a, %b dim 0 : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<128x64xf32>
    %i = pl.full %n : tensor<8x1xi32>
    %d = pl.gather %c, %i : tensor<128x64xf32>, tensor<8x1xi32> -> tensor<8x64xf32>
    %e = pl.insert_slice %d into %c[0, 0] : tensor<8x64xf32> into tensor<128x64xf32>
    %f = pl.matmul %e, %t : tensor<128x64xf32>, tensor<64x64xf32> -> tensor<128x64xf32>
    %g = pl.col_sum %f : tensor<128x64xf32> -> tensor<1x64xf32>
    %h = pl.col_expand %g : tensor<1x64xf32> -> tensor<8x64xf32>
  }
  return
}
