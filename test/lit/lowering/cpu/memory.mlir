// Addresses and bounds of accesses, scalars, and what the race detector is told.

// RUN: pld-opt %s --pl-cpu-plan --pl-cpu-emit --canonicalize --cse | FileCheck %s
// RUN: pld-opt %s --pl-cpu-plan --pl-cpu-emit="bounds=false races=false" --canonicalize --cse | FileCheck %s --check-prefix=FREE

// Only what is not known to be in bounds is checked: here dim 0.
// CHECK-LABEL: func.func private @pld.dynamic
// CHECK-SAME: (%[[CTX:[a-z0-9]+]]: !llvm.ptr, %[[X:[a-z0-9]+]]: !llvm.ptr, %[[ROWS:[a-z0-9]+]]: i64, %[[I:[a-z0-9]+]]: index)
// CHECK-DAG: %[[C401:.*]] = llvm.mlir.constant(401 : i64)
// CHECK-DAG: %[[C0:.*]] = llvm.mlir.constant(0 : i64)
// CHECK-DAG: %[[C1:.*]] = llvm.mlir.constant(1 : i64)
// CHECK: %[[OFFSET:.*]] = arith.index_cast %[[I]]
// CHECK: scf.if
// CHECK: llvm.call @pld_rt_fail(%[[CTX]], %[[C401]], %{{.*}}, %[[C0]], %[[OFFSET]], %[[C1]], %[[ROWS]])
// CHECK-NOT: pld_rt_fail
// CHECK: llvm.load
// FREE-LABEL: func.func private @pld.dynamic
// FREE-NOT: pld_rt_fail
// FREE: return
func.func @dynamic(%x: memref<?x8xf32>, %i: index) -> f32 attributes {pl.incore} {
  %v = pl.read %x[%i, 7] : memref<?x8xf32>
  return %v : f32
}

// A read of a window may be a poll: others run before it.
// CHECK-LABEL: func.func private @pld.window
// CHECK-DAG: %[[C0:.*]] = llvm.mlir.constant(0 : i64)
// CHECK-DAG: %[[C1:.*]] = llvm.mlir.constant(1 : i64)
// CHECK: llvm.call @pld_rt_yield
// CHECK: llvm.call @pld_rt_access(%{{.*}}, %[[C0]],
// CHECK: %[[V:.*]] = llvm.load {{.*}} -> i32
// CHECK: llvm.call @pld_rt_access(%{{.*}}, %[[C1]],
// CHECK: llvm.store %[[V]]
// FREE-LABEL: func.func private @pld.window
// FREE: pld_rt_yield
// FREE-NOT: pld_rt_access
// FREE: return
func.func @window(%w: !pld.dtensor<4x1xi32>) attributes {pl.incore} {
  %v = pl.read %w[0, 0] : !pld.dtensor<4x1xi32>
  pl.write %v, %w[1, 0] : !pld.dtensor<4x1xi32>
  return
}

// Leading dims count one each; a row follows the next at the innermost extent.
// CHECK-LABEL: func.func private @pld.leading
// CHECK-SAME: %[[CTX:[a-z0-9]+]]: !llvm.ptr, %[[W:[a-z0-9]+]]: !llvm.ptr
// CHECK-DAG: %[[PITCH:.*]] = llvm.mlir.constant(160 : i64)
// CHECK-DAG: %[[BYTES:.*]] = llvm.mlir.constant(64 : i64)
// CHECK-DAG: %[[ROWS:.*]] = llvm.mlir.constant(2 : i64)
// CHECK-DAG: %[[AT:.*]] = llvm.getelementptr %[[W]][1612]
// CHECK: llvm.call @pld_rt_access(%[[CTX]], %{{.*}}, %[[AT]], %[[PITCH]], %[[ROWS]], %[[BYTES]], %{{.*}})
func.func @leading(%w: !pld.dtensor<3x10x40xf32>) attributes {pl.incore} {
  %t = pl.load %w[1, 0, 3] : !pld.dtensor<3x10x40xf32> -> !pl.tile<2x16xf32>
  return
}
