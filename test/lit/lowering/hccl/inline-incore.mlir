// RUN: pld-opt %s --pl-inline-incore --split-input-file --verify-diagnostics | FileCheck %s

// Helpers of helpers become part of the kernel, with what they return; the kernel that a
// device function calls stays.
// CHECK-NOT: @inner
// CHECK-NOT: @helper
// CHECK-LABEL: func.func @kernel(
// CHECK-SAME:    %[[X:.*]]: memref<4x8xf32>
// CHECK:         %[[ONE:.*]] = arith.constant 1 : index
// CHECK:         %[[NEXT:.*]] = arith.addi %{{.*}}, %[[ONE]]
// CHECK:         %[[T:.*]] = pl.load %[[X]][%[[NEXT]], 0]
// CHECK:         pl.store %[[T]], %[[X]][%{{.*}}, 0]
// CHECK:         pl.read %[[X]][%[[NEXT]], 0]
// CHECK-NOT:     call
// CHECK-LABEL: func.func @d(
// CHECK:         call @kernel
func.func @inner(%i: index) -> index attributes {pl.incore} {
  %one = arith.constant 1 : index
  %next = arith.addi %i, %one : index
  return %next : index
}
func.func @helper(%x: memref<4x8xf32> {pl.inout}, %i: index) -> index attributes {pl.incore} {
  %next = call @inner(%i) : (index) -> index
  %t = pl.load %x[%next, 0] : memref<4x8xf32> -> !pl.tile<1x8xf32>
  pl.store %t, %x[%i, 0] : !pl.tile<1x8xf32>, memref<4x8xf32>
  return %next : index
}
func.func @kernel(%x: memref<4x8xf32> {pl.inout}, %i: index) attributes {pl.incore} {
  %next = call @helper(%x, %i) : (memref<4x8xf32>, index) -> index
  %v = pl.read %x[%next, 0] : memref<4x8xf32>
  pl.write %v, %x[0, 0] : memref<4x8xf32>
  return
}
func.func @d(%x: memref<4x8xf32> {pl.inout}, %i: index) attributes {pl.device} {
  call @kernel(%x, %i) : (memref<4x8xf32>, index) -> ()
  return
}

// -----

// A cycle has no end.
// expected-error@+1 {{in-core functions call each other in a cycle, expected no recursion}}
module {
  func.func @a() attributes {pl.incore} {
    call @b() : () -> ()
    return
  }
  func.func @b() attributes {pl.incore} {
    call @a() : () -> ()
    return
  }
}
