// Blocks: the body of pl.spmd becomes a function of the words that it uses.

// RUN: pld-opt %s --pl-cpu-plan --pl-cpu-emit --canonicalize --cse | FileCheck %s
// RUN: pld-opt %s --pl-cpu-plan --pl-cpu-emit="races=false" --canonicalize --cse | FileCheck %s --check-prefix=FREE

// CHECK: func.func public @pld.spmd.0(%[[CTX:.*]]: !llvm.ptr, %[[ENV:.*]]: !llvm.ptr)
// CHECK: call @pld.core(%[[CTX]], %{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()

// In blocks GM is shared, so the race detector is told of accesses to it.
// CHECK-LABEL: func.func private @pld.core
// FREE-LABEL: func.func private @pld.core
// FREE-NOT: pld_rt_access
func.func @core(%x: memref<8x8xf32>, %y: memref<8x8xf32> {pl.out}) attributes {pl.incore} {
  // CHECK-DAG: %[[C0:.*]] = llvm.mlir.constant(0 : i64)
  // CHECK-DAG: %[[C1:.*]] = llvm.mlir.constant(1 : i64)
  // CHECK: %[[B:.*]] = llvm.call @pld_rt_block_idx(%[[CTX:[a-z0-9]+]])
  // CHECK: llvm.call @pld_rt_block_num(%[[CTX]])
  %b = pl.block_idx
  %n = pl.block_num
  // CHECK: llvm.call @pld_rt_access(%[[CTX]], %[[C0]],
  // CHECK: llvm.call @pld_rt_access(%[[CTX]], %[[C1]],
  %t = pl.load %x[%b, 0] : memref<8x8xf32> -> !pl.tile<1x8xf32>
  pl.store %t, %y[%n, 0] : !pl.tile<1x8xf32>, memref<8x8xf32>
  // CHECK: llvm.call @pld_rt_sync_blocks(%[[CTX]], %{{.*}})
  pl.sync_blocks
  return
}

// What no block runs has its memory for itself.
// CHECK-LABEL: func.func private @pld.alone
// CHECK-NOT: pld_rt_access
// CHECK: return
func.func @alone(%x: memref<8x8xf32>, %y: memref<8x8xf32> {pl.out}) attributes {pl.incore} {
  %t = pl.load %x[0, 0] : memref<8x8xf32> -> !pl.tile<1x8xf32>
  pl.store %t, %y[0, 0] : !pl.tile<1x8xf32>, memref<8x8xf32>
  return
}

// CHECK-LABEL: func.func public @pld.device
// CHECK: %[[ENV:.*]] = llvm.alloca
// CHECK: llvm.store %{{.*}}, %[[ENV]]
// CHECK: %[[BODY:.*]] = builtin.unrealized_conversion_cast %f
// CHECK: llvm.call @pld_rt_spmd(%{{.*}}, %{{.*}}, %[[BODY]], %[[ENV]], %{{.*}})
// CHECK: call @pld.alone
func.func @device(%x: memref<8x8xf32>, %y: memref<8x8xf32> {pl.out}, %n: index) attributes {pl.device} {
  pl.spmd %n {
    func.call @core(%x, %y) : (memref<8x8xf32>, memref<8x8xf32>) -> ()
  }
  func.call @alone(%x, %y) : (memref<8x8xf32>, memref<8x8xf32>) -> ()
  return
}
