// Host functions: windows, shards, arrays, dispatches.

// RUN: pld-opt %s --pl-cpu-plan --pl-cpu-emit --canonicalize --cse | FileCheck %s
// RUN: pld-opt %s --pl-cpu-plan --pl-cpu-emit="bounds=false" --canonicalize --cse | FileCheck %s --check-prefix=FREE

// Source places, each once.
// CHECK: module attributes {pld.sites = {{\[\[}}"pld.alloc_window_buffer", "{{.*}}host.mlir", [[#@LINE+21]], {{[0-9]+}}], ["pld.alloc_window_buffer"
// CHECK-LABEL: func.func public @pld.device
func.func @device(%x: memref<8xf32>, %w: !pld.dtensor<?x8xf32>, %i: i32) attributes {pl.device} {
  return
}

// Room for the words of dispatches and groups is taken once, not in the loop.
// CHECK-LABEL: func.func public @pld.main
// CHECK: constant @pld.device
// CHECK-DAG: %[[C2:.*]] = llvm.mlir.constant(2 : i64)
// CHECK-DAG: %[[ALL:.*]] = llvm.mlir.zero
// CHECK: %[[GROUP:.*]] = llvm.alloca %{{.*}} x i64
// CHECK: %[[WORDS:.*]] = llvm.alloca %{{.*}} x i64
// CHECK: %[[N:.*]] = llvm.call @pld_rt_world_size(%[[CTX:[a-z0-9]+]])
// FREE-LABEL: func.func public @pld.main
// FREE-NOT: pld_rt_fail
func.func @main(%x: memref<?x8xf32>, %rows: index, %i: i32) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  // Bytes are counted with overflow in mind; no group is all ranks.
  %b = pld.alloc_window_buffer [%rows, 8] of f32
  // CHECK: arith.mulsi_extended
  // CHECK: %[[B:.*]] = llvm.call @pld_rt_alloc_window(%[[CTX]], %[[BYTES:[a-z0-9]+]], %[[ALL]], %{{.*}}, %{{.*}})
  %g = pld.alloc_window_buffer [4] of i32 {ranks = array<i64: 1, 2>}
  // CHECK: llvm.store %{{.*}}, %[[GROUP]]
  // CHECK: llvm.call @pld_rt_alloc_window(%[[CTX]], %{{.*}}, %[[GROUP]], %[[C2]], %{{.*}})
  %w = pld.window %b[%rows] : !pld.dtensor<?x8xf32>
  // CHECK: %[[W:.*]] = llvm.call @pld_rt_window(%[[CTX]], %[[B]], %{{.*}}, %{{.*}})
  scf.for %r = %c0 to %n step %c1 {
    // A shard is in bounds, and a pointer.
    // CHECK: scf.for
    // CHECK: scf.if
    // CHECK: llvm.call @pld_rt_fail
    // CHECK: %[[XR:.*]] = llvm.getelementptr
    %xr = pl.shard %x[%r] : memref<?x8xf32> -> memref<8xf32>
    // A window is turned into the rank's own slice.
    // CHECK: %[[WR:.*]] = llvm.call @pld_rt_window_on(%[[CTX]], %[[W]], %[[R:[a-z0-9]+]], %{{.*}})
    // CHECK: arith.extsi %{{.*}} : i32 to i64
    // CHECK: llvm.store %[[XR]], %[[WORDS]]
    // CHECK: llvm.store %[[WR]],
    // CHECK: llvm.call @pld_rt_dispatch(%[[CTX]], %[[R]], %{{.*}}, %[[WORDS]], %{{.*}}, %{{.*}})
    pld.dispatch @device(%xr, %w, %i) on %r : (memref<8xf32>, !pld.dtensor<?x8xf32>, i32)
  }
  // CHECK: llvm.call @pld_rt_alloc(%[[CTX]]
  %a = memref.alloc(%n) : memref<?x4xf32>
  return
}
