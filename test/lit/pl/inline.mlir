// Inlining stays between functions of one kind.
// RUN: pld-opt %s --inline | FileCheck %s

func.func @helper(%x: memref<8x64xf32>, %y: memref<8x64xf32> {pl.out}, %s: !pld.dtensor<?x1xi32>, %c: i1)
    attributes {pl.incore} {
  %b = pl.block_idx
  scf.if %c {
    %t = pl.load %x[%b, 0] : memref<8x64xf32> -> !pl.tile<1x64xf32>
    pl.store %t, %y[%b, 0] : !pl.tile<1x64xf32>, memref<8x64xf32>
  }
  pld.barrier %s : !pld.dtensor<?x1xi32>
  return
}

// In-core into in-core: operations of both dialects, also in a loop.
// CHECK-LABEL: func.func @core
func.func @core(%x: memref<8x64xf32>, %y: memref<8x64xf32> {pl.out}, %s: !pld.dtensor<?x1xi32>, %c: i1, %n: index)
    attributes {pl.incore} {
  // CHECK-NOT: call
  // CHECK: pl.block_idx
  // CHECK: pl.load
  // CHECK: pld.barrier
  // CHECK: scf.for
  // CHECK-NOT: call
  // CHECK: pl.store
  // CHECK: pld.barrier
  // CHECK: return
  func.call @helper(%x, %y, %s, %c) : (memref<8x64xf32>, memref<8x64xf32>, !pld.dtensor<?x1xi32>, i1) -> ()
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    func.call @helper(%x, %y, %s, %c) : (memref<8x64xf32>, memref<8x64xf32>, !pld.dtensor<?x1xi32>, i1) -> ()
  }
  return
}

// In-core into a device function, a block or a region of tensors: not.
// CHECK-LABEL: func.func @device
func.func @device(%x: memref<8x64xf32>, %y: memref<8x64xf32> {pl.out}, %s: !pld.dtensor<?x1xi32>, %c: i1, %n: index)
    attributes {pl.device} {
  // CHECK-NOT: pl.block_idx
  // CHECK: call @helper
  func.call @helper(%x, %y, %s, %c) : (memref<8x64xf32>, memref<8x64xf32>, !pld.dtensor<?x1xi32>, i1) -> ()
  // CHECK-NEXT: pl.spmd
  // CHECK-NEXT: call @helper
  pl.spmd %n {
    func.call @helper(%x, %y, %s, %c) : (memref<8x64xf32>, memref<8x64xf32>, !pld.dtensor<?x1xi32>, i1) -> ()
  }
  // CHECK: pl.at
  // CHECK-NEXT: call @helper
  // CHECK-NEXT: scf.if
  // CHECK-NEXT: call @helper
  pl.at core_group {
    func.call @helper(%x, %y, %s, %c) : (memref<8x64xf32>, memref<8x64xf32>, !pld.dtensor<?x1xi32>, i1) -> ()
    scf.if %c {
      func.call @helper(%x, %y, %s, %c) : (memref<8x64xf32>, memref<8x64xf32>, !pld.dtensor<?x1xi32>, i1) -> ()
    }
  }
  return
}

// A dispatch is no call.
// CHECK-LABEL: func.func @host
func.func @host(%x: memref<8x64xf32>, %y: memref<8x64xf32> {pl.out}, %c: i1, %n: index) attributes {pl.host} {
  // CHECK: pld.dispatch @device
  %b = pld.alloc_window_buffer [%n, 1] of i32
  %s = pld.window %b[%n] : !pld.dtensor<?x1xi32>
  pld.dispatch @device(%x, %y, %s, %c, %n) on %n : (memref<8x64xf32>, memref<8x64xf32>, !pld.dtensor<?x1xi32>, i1, index)
  return
}
