// Signatures, arguments, calls and names.

// RUN: pld-opt %s --pl-cpu-plan --pl-cpu-emit --canonicalize --cse | FileCheck %s

// An in-core function is private; memory is a pointer and its dynamic extents, a scalar is
// as it is. No attribute of the kind is left.
// CHECK-LABEL: func.func private @pld.helper
// CHECK-SAME: (%[[CTX:.*]]: !llvm.ptr, %[[BASE:.*]]: !llvm.ptr, %[[ROWS:.*]]: i64, %[[V:.*]]: f32) -> index {
// CHECK: llvm.store %[[V]], %[[BASE]]
// CHECK: %[[R:.*]] = arith.index_cast %[[ROWS]] : i64 to index
// CHECK: return %[[R]]
func.func @helper(%x: memref<?x8xf32> {pl.inout}, %v: f32) -> index attributes {pl.incore} {
  pl.write %v, %x[0, 0] : memref<?x8xf32>
  %rows = pl.dim %x, 0 : memref<?x8xf32>
  return %rows : index
}

// A device function takes its arguments from an array of words, and a call passes words on.
// CHECK-LABEL: func.func public @pld.device
// CHECK-SAME: (%[[CTX:.*]]: !llvm.ptr, %[[ARGS:.*]]: !llvm.ptr) {
// CHECK: %[[X:.*]] = llvm.load %[[ARGS]] {{.*}} -> !llvm.ptr
// CHECK: %[[A1:.*]] = llvm.getelementptr %[[ARGS]]
// CHECK: %[[ROWS:.*]] = llvm.load %[[A1]] {{.*}} -> i64
// CHECK: %[[WORD:.*]] = llvm.load {{.*}} -> i64
// CHECK: %[[BITS:.*]] = arith.trunci %[[WORD]] : i64 to i32
// CHECK: %[[V:.*]] = arith.bitcast %[[BITS]] : i32 to f32
// CHECK: call @pld.helper(%[[CTX]], %[[X]], %[[ROWS]], %[[V]])
func.func @device(%x: memref<?x8xf32> {pl.inout}, %v: f32) attributes {pl.device} {
  %n = call @helper(%x, %v) : (memref<?x8xf32>, f32) -> index
  return
}

// A golden has the same signature; what it calls is left to upstream passes.
// CHECK-LABEL: func.func public @pld.golden
// CHECK-SAME: (%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr) {
// CHECK: call @pld.upstream({{.*}}) : (memref<4xf32>) -> ()
func.func @golden(%x: memref<4xf32>) attributes {pl.golden, pl.rtol = 1.0e-3} {
  call @upstream(%x) : (memref<4xf32>) -> ()
  return
}

// CHECK-LABEL: func.func private @pld.upstream(%{{.*}}: memref<4xf32>)
func.func private @upstream(%x: memref<4xf32>) {
  return
}
