// Round trip of pl.matmul and pl.matmul_acc.
// RUN: pld-opt %s --verify-roundtrip | FileCheck %s
// RUN: pld-opt %s --mlir-print-op-generic | pld-opt | FileCheck %s
// RUN: pld-opt %s --emit-bytecode | pld-opt | FileCheck %s

// Every combination of transposed operands: A is 16x64, B is 64x32.
// CHECK-LABEL: func.func @transposed
func.func @transposed(%f: f16) attributes {pl.incore} {
  %a = pl.full %f : !pl.tile<16x64xf16>
  %at = pl.full %f : !pl.tile<64x16xf16>
  %b = pl.full %f : !pl.tile<64x32xf16>
  %bt = pl.full %f : !pl.tile<32x64xf16>
  // CHECK: pl.matmul %[[A:.*]], %[[B:.*]] : !pl.tile<16x64xf16>, !pl.tile<64x32xf16> -> !pl.tile<16x32xf32>
  %0 = pl.matmul %a, %b : !pl.tile<16x64xf16>, !pl.tile<64x32xf16> -> !pl.tile<16x32xf32>
  // CHECK: pl.matmul %{{.*}}, %[[B]] transpose_a : !pl.tile<64x16xf16>, !pl.tile<64x32xf16> -> !pl.tile<16x32xf32>
  %1 = pl.matmul %at, %b transpose_a : !pl.tile<64x16xf16>, !pl.tile<64x32xf16> -> !pl.tile<16x32xf32>
  // CHECK: pl.matmul %[[A]], %{{.*}} transpose_b : !pl.tile<16x64xf16>, !pl.tile<32x64xf16> -> !pl.tile<16x32xf32>
  %2 = pl.matmul %a, %bt transpose_b : !pl.tile<16x64xf16>, !pl.tile<32x64xf16> -> !pl.tile<16x32xf32>
  // CHECK: pl.matmul %{{.*}}, %{{.*}} transpose_a transpose_b {tag} : !pl.tile<64x16xf16>, !pl.tile<32x64xf16> -> !pl.tile<16x32xf32>
  %3 = pl.matmul %at, %bt transpose_a transpose_b {tag} : !pl.tile<64x16xf16>, !pl.tile<32x64xf16> -> !pl.tile<16x32xf32>
  return
}

// With an accumulator, whose type is that of the result.
// CHECK-LABEL: func.func @accumulate
func.func @accumulate(%f: bf16, %s: f32) attributes {pl.incore} {
  %a = pl.full %f : !pl.tile<16x64xbf16>
  %at = pl.full %f : !pl.tile<64x16xbf16>
  %b = pl.full %f : !pl.tile<64x32xbf16>
  %bt = pl.full %f : !pl.tile<32x64xbf16>
  %c = pl.full %s : !pl.tile<16x32xf32>
  // CHECK: %[[C:.*]] = pl.matmul_acc %{{.*}}, %{{.*}}, %{{.*}} : !pl.tile<16x64xbf16>, !pl.tile<64x32xbf16> -> !pl.tile<16x32xf32>
  %0 = pl.matmul_acc %c, %a, %b : !pl.tile<16x64xbf16>, !pl.tile<64x32xbf16> -> !pl.tile<16x32xf32>
  // CHECK: %[[D:.*]] = pl.matmul_acc %[[C]], %{{.*}}, %{{.*}} transpose_b : !pl.tile<16x64xbf16>, !pl.tile<32x64xbf16> -> !pl.tile<16x32xf32>
  %1 = pl.matmul_acc %0, %a, %bt transpose_b : !pl.tile<16x64xbf16>, !pl.tile<32x64xbf16> -> !pl.tile<16x32xf32>
  // CHECK: pl.matmul_acc %[[D]], %{{.*}}, %{{.*}} transpose_a : !pl.tile<64x16xbf16>, !pl.tile<64x32xbf16> -> !pl.tile<16x32xf32>
  %2 = pl.matmul_acc %1, %at, %b transpose_a : !pl.tile<64x16xbf16>, !pl.tile<64x32xbf16> -> !pl.tile<16x32xf32>
  return
}

// f32 gives f32, i8 gives i32; extents of 1.
// CHECK-LABEL: func.func @elements
func.func @elements(%f: f32, %i: i8, %s: i32) attributes {pl.incore} {
  %a = pl.full %f : !pl.tile<1x7xf32>
  %b = pl.full %f : !pl.tile<7x1xf32>
  // CHECK: pl.matmul %{{.*}}, %{{.*}} : !pl.tile<1x7xf32>, !pl.tile<7x1xf32> -> !pl.tile<1x1xf32>
  %0 = pl.matmul %a, %b : !pl.tile<1x7xf32>, !pl.tile<7x1xf32> -> !pl.tile<1x1xf32>
  %c = pl.full %i : !pl.tile<16x32xi8>
  %d = pl.full %s : !pl.tile<16x16xi32>
  // CHECK: pl.matmul_acc %{{.*}}, %{{.*}}, %{{.*}} transpose_b : !pl.tile<16x32xi8>, !pl.tile<16x32xi8> -> !pl.tile<16x16xi32>
  %1 = pl.matmul_acc %d, %c, %c transpose_b : !pl.tile<16x32xi8>, !pl.tile<16x32xi8> -> !pl.tile<16x16xi32>
  return
}

// CHECK-LABEL: func.func @tensors
func.func @tensors(%x: memref<1024x512xf16>, %w: memref<512x256xf16>, %y: memref<1024x256xf32> {pl.out})
    attributes {pl.device} {
  pl.at core_group {
    %a = pl.slice %x[0, 0] : memref<1024x512xf16> -> tensor<1024x512xf16>
    %b = pl.slice %w[0, 0] : memref<512x256xf16> -> tensor<512x256xf16>
    // CHECK: pl.matmul %{{.*}}, %{{.*}} : tensor<1024x512xf16>, tensor<512x256xf16> -> tensor<1024x256xf32>
    %c = pl.matmul %a, %b : tensor<1024x512xf16>, tensor<512x256xf16> -> tensor<1024x256xf32>
    pl.assemble %c, %y[0, 0] : tensor<1024x256xf32>, memref<1024x256xf32>
  }
  return
}
