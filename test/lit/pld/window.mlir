// Round trip of pld.alloc_window_buffer, pld.window, pld.world_size, pld.get_comm_ctx,
// pld.rank and pld.nranks.
// RUN: pld-opt %s --verify-roundtrip | FileCheck %s
// RUN: pld-opt %s --mlir-print-op-generic | pld-opt | FileCheck %s
// RUN: pld-opt %s --emit-bytecode | pld-opt | FileCheck %s

// Sizes static, dynamic and mixed; in bytes; with a group.
// CHECK-LABEL: func.func @alloc
func.func @alloc(%bytes: index) attributes {pl.host} {
  // CHECK: %[[N:.*]] = pld.world_size
  %n = pld.world_size
  // CHECK: pld.alloc_window_buffer [%[[N]], 1] of i32
  %a = pld.alloc_window_buffer [%n, 1] of i32
  // CHECK: pld.alloc_window_buffer [1, 64] of f32
  %b = pld.alloc_window_buffer [1, 64] of f32
  // CHECK: pld.alloc_window_buffer [%arg0] of i8
  %c = pld.alloc_window_buffer [%bytes] of i8
  // CHECK: pld.alloc_window_buffer [8] of f32 {ranks = array<i64: 1, 2>}
  %d = pld.alloc_window_buffer [8] of f32 {ranks = array<i64: 1, 2>}
  // CHECK: pld.alloc_window_buffer [2, %[[N]], 4, %arg0] of bf16 {ranks = array<i64: 3>}
  %e = pld.alloc_window_buffer [2, %n, 4, %bytes] of bf16 {ranks = array<i64: 3>}
  return
}

// Views of one buffer: static, dynamic, of another shape and element type, smaller.
// CHECK-LABEL: func.func @views
func.func @views(%n: index, %m: index) attributes {pl.host} {
  // CHECK: %[[B:.*]] = pld.alloc_window_buffer [4096] of i8
  %b = pld.alloc_window_buffer [4096] of i8
  // CHECK: pld.window %[[B]] : !pld.dtensor<4096xi8>
  %0 = pld.window %b : !pld.dtensor<4096xi8>
  // CHECK: pld.window %[[B]] : !pld.dtensor<2x8x64xf32>
  %1 = pld.window %b : !pld.dtensor<2x8x64xf32>
  // CHECK: pld.window %[[B]][%arg0] : !pld.dtensor<?x1xi32>
  %2 = pld.window %b[%n] : !pld.dtensor<?x1xi32>
  // CHECK: pld.window %[[B]][%arg0, %arg1] : !pld.dtensor<?x4x?xf16>
  %3 = pld.window %b[%n, %m] : !pld.dtensor<?x4x?xf16>
  // CHECK: pld.window %[[B]] : !pld.dtensor<1xi64>
  %4 = pld.window %b : !pld.dtensor<1xi64>
  // A view has the size of its buffer, or any below it.
  // CHECK: pld.window %[[B]] : !pld.dtensor<1x1x1x1024xf32>
  %5 = pld.window %b : !pld.dtensor<1x1x1x1024xf32>
  // CHECK: pld.window %[[B]] : !pld.dtensor<3xbf16>
  %6 = pld.window %b : !pld.dtensor<3xbf16>
  // CHECK: pld.window %[[B]] : !pld.dtensor<3xi16>
  %7 = pld.window %b : !pld.dtensor<3xi16>
  return
}

// A view may be taken inside a loop or a branch, and of a buffer allocated in a branch.
// CHECK-LABEL: func.func @nested
func.func @nested(%c: i1, %n: index) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.if %c {
    // CHECK: %[[B:.*]] = pld.alloc_window_buffer [1, 64] of f32
    %b = pld.alloc_window_buffer [1, 64] of f32
    scf.for %r = %c0 to %n step %c1 {
      // CHECK: pld.window %[[B]] : !pld.dtensor<1x64xf32>
      %w = pld.window %b : !pld.dtensor<1x64xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @tails
func.func @tails(%n: index) attributes {pl.host} {
  %b = pld.alloc_window_buffer [1, 64] of f32
  %g = pld.alloc_window_buffer [1, 64] of f32 {ranks = array<i64: 1, 2>}
  // CHECK: pld.window %{{.*}} tail[%arg0] : !pld.dtensor<?x1xi32>
  %s = pld.window %b tail[%n] : !pld.dtensor<?x1xi32>
  // All of a line of 64 bytes for each of two ranks.
  // CHECK: pld.window %{{.*}} tail {tag} : !pld.dtensor<2x16xi32>
  %t = pld.window %g tail {tag} : !pld.dtensor<2x16xi32>
  return
}

// CHECK-LABEL: func.func @context_in_core
func.func @context_in_core(%data: !pld.dtensor<1x64xf32>) attributes {pl.incore} {
  // CHECK: %[[CTX:.*]] = pld.get_comm_ctx %arg0 : !pld.dtensor<1x64xf32>
  %ctx = pld.get_comm_ctx %data : !pld.dtensor<1x64xf32>
  // CHECK: pld.rank %[[CTX]]
  %me = pld.rank %ctx
  // CHECK: pld.nranks %[[CTX]]
  %n = pld.nranks %ctx
  return
}

// CHECK-LABEL: func.func @context_on_device
func.func @context_on_device(%signal: !pld.dtensor<?x1xi32>) attributes {pl.device} {
  // CHECK: %[[CTX:.*]] = pld.get_comm_ctx %arg0 : !pld.dtensor<?x1xi32>
  %ctx = pld.get_comm_ctx %signal : !pld.dtensor<?x1xi32>
  // CHECK: pld.rank %[[CTX]] {tag}
  %me = pld.rank %ctx {tag}
  // CHECK: pld.nranks %[[CTX]] {tag}
  %n = pld.nranks %ctx {tag}
  return
}

// The types alone, where nothing else names them.
// CHECK-LABEL: func.func private @types(!pl.tile<8x64xf32>, !pld.dtensor<?x1xi32>, !pld.window_buffer, !pld.comm_ctx)
func.func private @types(!pl.tile<8x64xf32>, !pld.dtensor<?x1xi32>, !pld.window_buffer, !pld.comm_ctx)
