// Round trip of pld.put and pld.get.
// RUN: pld-opt %s --verify-roundtrip | FileCheck %s
// RUN: pld-opt %s --mlir-print-op-generic | pld-opt | FileCheck %s
// RUN: pld-opt %s --emit-bytecode | pld-opt | FileCheck %s

// Whole slices: no offsets, no sizes.
// CHECK-LABEL: func.func @whole
func.func @whole(%x: memref<8x64xf32> {pl.inout}, %d: memref<?x64xf32>, %w: !pld.dtensor<8x64xf32>,
                 %v: !pld.dtensor<?x64xf32>, %peer: index) attributes {pl.incore} {
  // CHECK: pld.put %arg0, %arg2 to %arg4 : memref<8x64xf32>, !pld.dtensor<8x64xf32>
  pld.put %x, %w to %peer : memref<8x64xf32>, !pld.dtensor<8x64xf32>
  // CHECK: pld.get %arg2, %arg0 from %arg4 : !pld.dtensor<8x64xf32>, memref<8x64xf32>
  pld.get %w, %x from %peer : !pld.dtensor<8x64xf32>, memref<8x64xf32>
  // A window on both sides: the own slice to the peer's.
  // CHECK: pld.put %arg2, %arg2 to %arg4 : !pld.dtensor<8x64xf32>, !pld.dtensor<8x64xf32>
  pld.put %w, %w to %peer : !pld.dtensor<8x64xf32>, !pld.dtensor<8x64xf32>
  // One side says how large it is, so that no chunk is needed.
  // CHECK: pld.put %arg1, %arg2 to %arg4 : memref<?x64xf32>, !pld.dtensor<8x64xf32>
  pld.put %d, %w to %peer : memref<?x64xf32>, !pld.dtensor<8x64xf32>
  // CHECK: pld.get %arg3, %arg0 from %arg4 : !pld.dtensor<?x64xf32>, memref<8x64xf32>
  pld.get %v, %x from %peer : !pld.dtensor<?x64xf32>, memref<8x64xf32>
  // CHECK: pld.put %arg1, %arg3 to %arg4 {chunk_rows = 16 : i64} : memref<?x64xf32>, !pld.dtensor<?x64xf32>
  pld.put %d, %v to %peer {chunk_rows = 16} : memref<?x64xf32>, !pld.dtensor<?x64xf32>
  return
}

// Regions at static and run-time offsets, of static and run-time sizes.
// CHECK-LABEL: func.func @regions
func.func @regions(%x: memref<8x64xf32>, %y: memref<?x64xf32> {pl.out}, %w: !pld.dtensor<16x64xf32>, %peer: index,
                   %i: index, %n: index) attributes {pl.incore} {
  // CHECK: pld.put %arg0[0, 0], %arg2[8, 0] sizes [8, 64] to %arg3 : memref<8x64xf32>, !pld.dtensor<16x64xf32>
  pld.put %x[0, 0], %w[8, 0] sizes [8, 64] to %peer : memref<8x64xf32>, !pld.dtensor<16x64xf32>
  // CHECK: pld.get %arg2[8, 0], %arg1[%arg4, 0] sizes [8, 64] from %arg3 : !pld.dtensor<16x64xf32>, memref<?x64xf32>
  pld.get %w[8, 0], %y[%i, 0] sizes [8, 64] from %peer : !pld.dtensor<16x64xf32>, memref<?x64xf32>
  // CHECK: pld.put %arg0[%arg4, 0], %arg2[0, %arg4] sizes [1, %arg5] to %arg3 {chunk_cols = 32 : i64} : memref<8x64xf32>, !pld.dtensor<16x64xf32>
  pld.put %x[%i, 0], %w[0, %i] sizes [1, %n] to %peer {chunk_cols = 32} : memref<8x64xf32>, !pld.dtensor<16x64xf32>
  // CHECK: pld.get %arg2[%arg4, %arg4], %arg1[%arg5, 0] sizes [%arg5, %arg5] from %arg4 {chunk_cols = 64 : i64, chunk_rows = 4 : i64} : !pld.dtensor<16x64xf32>, memref<?x64xf32>
  pld.get %w[%i, %i], %y[%n, 0] sizes [%n, %n] from %i {chunk_rows = 4, chunk_cols = 64} : !pld.dtensor<16x64xf32>, memref<?x64xf32>
  // Nothing is moved, which is fine.
  // CHECK: pld.put %arg0[8, 64], %arg2[16, 0] sizes [0, 0] to %arg3 :
  pld.put %x[8, 64], %w[16, 0] sizes [0, 0] to %peer : memref<8x64xf32>, !pld.dtensor<16x64xf32>
  return
}

// Chunks, alone and together; double-buffered; atomic.
// CHECK-LABEL: func.func @options
func.func @options(%x: memref<8x64xf32> {pl.inout}, %w: !pld.dtensor<16x64xf32>, %peer: index) attributes {pl.incore} {
  // CHECK: pld.put %arg0[0, 0], %arg1[8, 0] sizes [8, 64] to %arg2 atomic add {chunk_cols = 64 : i64, chunk_rows = 4 : i64, pipeline} : memref<8x64xf32>, !pld.dtensor<16x64xf32>
  pld.put %x[0, 0], %w[8, 0] sizes [8, 64] to %peer atomic add {chunk_rows = 4, chunk_cols = 64, pipeline} : memref<8x64xf32>, !pld.dtensor<16x64xf32>
  // CHECK: pld.get %arg1[8, 0], %arg0[0, 0] sizes [8, 64] from %arg2 {chunk_cols = 64 : i64, chunk_rows = 4 : i64, pipeline} : !pld.dtensor<16x64xf32>, memref<8x64xf32>
  pld.get %w[8, 0], %x[0, 0] sizes [8, 64] from %peer {chunk_rows = 4, chunk_cols = 64, pipeline} : !pld.dtensor<16x64xf32>, memref<8x64xf32>
  // Larger than the transfer: clamped later.
  // CHECK: pld.get %arg1[8, 0], %arg0[0, 0] sizes [8, 64] from %arg2 {chunk_rows = 9223372036854775807 : i64} :
  pld.get %w[8, 0], %x[0, 0] sizes [8, 64] from %peer {chunk_rows = 9223372036854775807} : !pld.dtensor<16x64xf32>, memref<8x64xf32>
  // CHECK: pld.put %arg0[0, 0], %arg1[0, 0] sizes [8, 64] to %arg2 atomic add : memref<8x64xf32>, !pld.dtensor<16x64xf32>
  pld.put %x[0, 0], %w[0, 0] sizes [8, 64] to %peer atomic add : memref<8x64xf32>, !pld.dtensor<16x64xf32>
  return
}

// Ranks 1 and 3, and every element type; those that can be combined are.
// CHECK-LABEL: func.func @elements
func.func @elements(%x1: memref<64xf16>, %w1: !pld.dtensor<64xf16>, %x3: memref<2x8x64xi8>, %w3: !pld.dtensor<2x?x64xi8>,
                    %b: !pld.dtensor<1x64xbf16>, %i16: !pld.dtensor<1x64xi16>, %i32: !pld.dtensor<1x64xi32>,
                    %i64: !pld.dtensor<1x64xi64>, %peer: index) attributes {pl.incore} {
  // CHECK: pld.put %arg0[0], %arg1[32] sizes [32] to %arg8 atomic add : memref<64xf16>, !pld.dtensor<64xf16>
  pld.put %x1[0], %w1[32] sizes [32] to %peer atomic add : memref<64xf16>, !pld.dtensor<64xf16>
  // CHECK: pld.put %arg2[1, 0, 0], %arg3[0, 4, 0] sizes [1, 4, 64] to %arg8 atomic add : memref<2x8x64xi8>, !pld.dtensor<2x?x64xi8>
  pld.put %x3[1, 0, 0], %w3[0, 4, 0] sizes [1, 4, 64] to %peer atomic add : memref<2x8x64xi8>, !pld.dtensor<2x?x64xi8>
  // CHECK: pld.put %arg4, %arg4 to %arg8 atomic add : !pld.dtensor<1x64xbf16>, !pld.dtensor<1x64xbf16>
  pld.put %b, %b to %peer atomic add : !pld.dtensor<1x64xbf16>, !pld.dtensor<1x64xbf16>
  // CHECK: pld.put %arg5, %arg5 to %arg8 atomic add : !pld.dtensor<1x64xi16>, !pld.dtensor<1x64xi16>
  pld.put %i16, %i16 to %peer atomic add : !pld.dtensor<1x64xi16>, !pld.dtensor<1x64xi16>
  // CHECK: pld.put %arg6, %arg6 to %arg8 atomic add : !pld.dtensor<1x64xi32>, !pld.dtensor<1x64xi32>
  pld.put %i32, %i32 to %peer atomic add : !pld.dtensor<1x64xi32>, !pld.dtensor<1x64xi32>
  // CHECK: pld.get %arg7, %arg7 from %arg8 : !pld.dtensor<1x64xi64>, !pld.dtensor<1x64xi64>
  pld.get %i64, %i64 from %peer : !pld.dtensor<1x64xi64>, !pld.dtensor<1x64xi64>
  return
}

// In a pl.at region as well: memory is moved, no tile is held.
// CHECK-LABEL: func.func @at
func.func @at(%x: memref<8x64xf32>, %w: !pld.dtensor<8x64xf32>, %peer: index) attributes {pl.device} {
  pl.at core_group {
    // CHECK: pld.put %arg0, %arg1 to %arg2 : memref<8x64xf32>, !pld.dtensor<8x64xf32>
    pld.put %x, %w to %peer : memref<8x64xf32>, !pld.dtensor<8x64xf32>
  }
  return
}
