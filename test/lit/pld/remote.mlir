// Round trip of pld.remote_load and pld.remote_store.
// RUN: pld-opt %s --verify-roundtrip | FileCheck %s
// RUN: pld-opt %s --mlir-print-op-generic | pld-opt | FileCheck %s
// RUN: pld-opt %s --emit-bytecode | pld-opt | FileCheck %s

// Windows of rank 1 to 4; offsets static, dynamic, mixed.
// CHECK-LABEL: func.func @ranks
func.func @ranks(%w1: !pld.dtensor<64xf32>, %w2: !pld.dtensor<?x64xf32>, %w3: !pld.dtensor<2x8x64xf32>,
                 %w4: !pld.dtensor<?x2x8x?xf32>, %peer: index, %i: index) attributes {pl.incore} {
  // CHECK: %[[A:.*]] = pld.remote_load %arg0[32] from %arg4 : !pld.dtensor<64xf32> -> !pl.tile<1x32xf32>
  %a = pld.remote_load %w1[32] from %peer : !pld.dtensor<64xf32> -> !pl.tile<1x32xf32>
  // CHECK: pld.remote_store %[[A]], %arg0[%arg5] to %arg4 : !pl.tile<1x32xf32>, !pld.dtensor<64xf32>
  pld.remote_store %a, %w1[%i] to %peer : !pl.tile<1x32xf32>, !pld.dtensor<64xf32>
  // CHECK: %[[B:.*]] = pld.remote_load %arg1[%arg5, 0] from %arg4 : !pld.dtensor<?x64xf32> -> !pl.tile<8x64xf32>
  %b = pld.remote_load %w2[%i, 0] from %peer : !pld.dtensor<?x64xf32> -> !pl.tile<8x64xf32>
  // CHECK: pld.remote_store %[[B]], %arg2[1, 0, 0] to %arg4 : !pl.tile<8x64xf32>, !pld.dtensor<2x8x64xf32>
  pld.remote_store %b, %w3[1, 0, 0] to %peer : !pl.tile<8x64xf32>, !pld.dtensor<2x8x64xf32>
  // CHECK: pld.remote_load %arg3[%arg5, 1, 0, %arg5] from %arg5 : !pld.dtensor<?x2x8x?xf32> -> !pl.tile<8x64xf32>
  %c = pld.remote_load %w4[%i, 1, 0, %i] from %i : !pld.dtensor<?x2x8x?xf32> -> !pl.tile<8x64xf32>
  return
}

// The optional parts, together and alone.
// CHECK-LABEL: func.func @options
func.func @options(%w: !pld.dtensor<37x29xf32>, %v: f32, %peer: index, %i: index, %r: index)
    attributes {pl.incore} {
  // CHECK: %[[A:.*]] = pld.remote_load %arg0[%arg3, 0] valid [%arg4, 29] pad(%arg1 : f32) from %arg2 : !pld.dtensor<37x29xf32> -> !pl.tile<8x32xf32>
  %a = pld.remote_load %w[%i, 0] valid [%r, 29] pad(%v : f32) from %peer : !pld.dtensor<37x29xf32> -> !pl.tile<8x32xf32>
  // CHECK: pld.remote_load %arg0[32, 0] valid [5, %arg4] from %arg2 : !pld.dtensor<37x29xf32> -> !pl.tile<8x32xf32>
  %b = pld.remote_load %w[32, 0] valid [5, %r] from %peer : !pld.dtensor<37x29xf32> -> !pl.tile<8x32xf32>
  // CHECK: pld.remote_load %arg0[0, 0] pad(%arg1 : f32) from %arg2 : !pld.dtensor<37x29xf32> -> !pl.tile<8x16xf32>
  %c = pld.remote_load %w[0, 0] pad(%v : f32) from %peer : !pld.dtensor<37x29xf32> -> !pl.tile<8x16xf32>
  // CHECK: pld.remote_store %[[A]], %arg0[%arg3, 0] valid [%arg4, 29] to %arg2 : !pl.tile<8x32xf32>, !pld.dtensor<37x29xf32>
  pld.remote_store %a, %w[%i, 0] valid [%r, 29] to %peer : !pl.tile<8x32xf32>, !pld.dtensor<37x29xf32>
  // CHECK: pld.remote_store %[[A]], %arg0[29, 0] valid [8, 29] to %arg2 atomic add : !pl.tile<8x32xf32>, !pld.dtensor<37x29xf32>
  pld.remote_store %a, %w[29, 0] valid [8, 29] to %peer atomic add : !pl.tile<8x32xf32>, !pld.dtensor<37x29xf32>
  // CHECK: pld.remote_store %{{.*}}, %arg0[0, 0] to %arg2 atomic add {tag} : !pl.tile<8x16xf32>, !pld.dtensor<37x29xf32>
  pld.remote_store %c, %w[0, 0] to %peer atomic add {tag} : !pl.tile<8x16xf32>, !pld.dtensor<37x29xf32>
  return
}

// Every element type of a window; the six that can be combined are.
// CHECK-LABEL: func.func @elements
func.func @elements(%f16: !pld.dtensor<1x64xf16>, %bf16: !pld.dtensor<1x64xbf16>, %i8: !pld.dtensor<1x64xi8>,
                    %i16: !pld.dtensor<1x64xi16>, %i32: !pld.dtensor<1x64xi32>, %i64: !pld.dtensor<1x64xi64>,
                    %peer: index) attributes {pl.incore} {
  // CHECK: pld.remote_load %arg0[0, 0] from %arg6 : !pld.dtensor<1x64xf16> -> !pl.tile<1x64xf16>
  // CHECK: pld.remote_store %{{.*}}, %arg0[0, 0] to %arg6 atomic add : !pl.tile<1x64xf16>, !pld.dtensor<1x64xf16>
  %0 = pld.remote_load %f16[0, 0] from %peer : !pld.dtensor<1x64xf16> -> !pl.tile<1x64xf16>
  pld.remote_store %0, %f16[0, 0] to %peer atomic add : !pl.tile<1x64xf16>, !pld.dtensor<1x64xf16>
  // CHECK: pld.remote_store %{{.*}}, %arg1[0, 0] to %arg6 atomic add : !pl.tile<1x64xbf16>, !pld.dtensor<1x64xbf16>
  %1 = pld.remote_load %bf16[0, 0] from %peer : !pld.dtensor<1x64xbf16> -> !pl.tile<1x64xbf16>
  pld.remote_store %1, %bf16[0, 0] to %peer atomic add : !pl.tile<1x64xbf16>, !pld.dtensor<1x64xbf16>
  // CHECK: pld.remote_store %{{.*}}, %arg2[0, 0] to %arg6 atomic add : !pl.tile<1x64xi8>, !pld.dtensor<1x64xi8>
  %2 = pld.remote_load %i8[0, 0] from %peer : !pld.dtensor<1x64xi8> -> !pl.tile<1x64xi8>
  pld.remote_store %2, %i8[0, 0] to %peer atomic add : !pl.tile<1x64xi8>, !pld.dtensor<1x64xi8>
  // CHECK: pld.remote_store %{{.*}}, %arg3[0, 0] to %arg6 atomic add : !pl.tile<1x64xi16>, !pld.dtensor<1x64xi16>
  %3 = pld.remote_load %i16[0, 0] from %peer : !pld.dtensor<1x64xi16> -> !pl.tile<1x64xi16>
  pld.remote_store %3, %i16[0, 0] to %peer atomic add : !pl.tile<1x64xi16>, !pld.dtensor<1x64xi16>
  // CHECK: pld.remote_store %{{.*}}, %arg4[0, 0] to %arg6 atomic add : !pl.tile<1x64xi32>, !pld.dtensor<1x64xi32>
  %4 = pld.remote_load %i32[0, 0] from %peer : !pld.dtensor<1x64xi32> -> !pl.tile<1x64xi32>
  pld.remote_store %4, %i32[0, 0] to %peer atomic add : !pl.tile<1x64xi32>, !pld.dtensor<1x64xi32>
  // CHECK: pld.remote_store %{{.*}}, %arg5[0, 0] to %arg6 : !pl.tile<1x64xi64>, !pld.dtensor<1x64xi64>
  %5 = pld.remote_load %i64[0, 0] from %peer : !pld.dtensor<1x64xi64> -> !pl.tile<1x64xi64>
  pld.remote_store %5, %i64[0, 0] to %peer : !pl.tile<1x64xi64>, !pld.dtensor<1x64xi64>
  return
}

// A computed tensor is pushed without a round trip through memory.
// CHECK-LABEL: func.func @tensor
func.func @tensor(%w: !pld.dtensor<64x64xf32>, %v: f32, %peer: index) attributes {pl.device} {
  pl.at core_group {
    %t = pl.full %v : tensor<64x64xf32>
    // CHECK: pld.remote_store %{{.*}}, %arg0[0, 0] to %arg2 : tensor<64x64xf32>, !pld.dtensor<64x64xf32>
    pld.remote_store %t, %w[0, 0] to %peer : tensor<64x64xf32>, !pld.dtensor<64x64xf32>
  }
  return
}
