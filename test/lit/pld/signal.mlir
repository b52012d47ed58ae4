// Round trip of pld.notify, pld.wait and pld.barrier.
// RUN: pld-opt %s --verify-roundtrip | FileCheck %s
// RUN: pld-opt %s --mlir-print-op-generic | pld-opt | FileCheck %s
// RUN: pld-opt %s --emit-bytecode | pld-opt | FileCheck %s

// Both kinds of notify; cells of signals of rank 1 to 4, by static and dynamic offsets.
// CHECK-LABEL: func.func @notify
func.func @notify(%s1: !pld.dtensor<?xi32>, %s2: !pld.dtensor<?x1xi32>, %s3: !pld.dtensor<2x2x2xi32>,
                  %s4: !pld.dtensor<1x?x3x4xi32>, %v: i32, %me: index, %peer: index)
    attributes {pl.incore} {
  // CHECK: pld.notify add %arg4, %arg0[%arg5] to %arg6 : !pld.dtensor<?xi32>
  pld.notify add %v, %s1[%me] to %peer : !pld.dtensor<?xi32>
  // CHECK: pld.notify set %arg4, %arg0[3] to %arg6 : !pld.dtensor<?xi32>
  pld.notify set %v, %s1[3] to %peer : !pld.dtensor<?xi32>
  // CHECK: pld.notify add %arg4, %arg1[%arg5, 0] to %arg6 : !pld.dtensor<?x1xi32>
  pld.notify add %v, %s2[%me, 0] to %peer : !pld.dtensor<?x1xi32>
  // CHECK: pld.notify set %arg4, %arg2[1, 1, %arg5] to %arg6 : !pld.dtensor<2x2x2xi32>
  pld.notify set %v, %s3[1, 1, %me] to %peer : !pld.dtensor<2x2x2xi32>
  // CHECK: pld.notify add %arg4, %arg3[0, %arg5, 2, 3] to %arg5 : !pld.dtensor<1x?x3x4xi32>
  pld.notify add %v, %s4[0, %me, 2, 3] to %me : !pld.dtensor<1x?x3x4xi32>
  return
}

// All six comparisons.
// CHECK-LABEL: func.func @wait
func.func @wait(%s: !pld.dtensor<?x1xi32>, %t: !pld.dtensor<4xi32>, %v: i32, %src: index)
    attributes {pl.incore} {
  // CHECK: pld.wait eq %arg2, %arg0[%arg3, 0] : !pld.dtensor<?x1xi32>
  pld.wait eq %v, %s[%src, 0] : !pld.dtensor<?x1xi32>
  // CHECK: pld.wait ne %arg2, %arg0[%arg3, 0] : !pld.dtensor<?x1xi32>
  pld.wait ne %v, %s[%src, 0] : !pld.dtensor<?x1xi32>
  // CHECK: pld.wait gt %arg2, %arg0[5, 0] : !pld.dtensor<?x1xi32>
  pld.wait gt %v, %s[5, 0] : !pld.dtensor<?x1xi32>
  // CHECK: pld.wait ge %arg2, %arg1[3] : !pld.dtensor<4xi32>
  pld.wait ge %v, %t[3] : !pld.dtensor<4xi32>
  // CHECK: pld.wait lt %arg2, %arg1[%arg3] : !pld.dtensor<4xi32>
  pld.wait lt %v, %t[%src] : !pld.dtensor<4xi32>
  // CHECK: pld.wait le %arg2, %arg1[0] : !pld.dtensor<4xi32>
  pld.wait le %v, %t[0] : !pld.dtensor<4xi32>
  return
}

// A barrier takes a signal of any shape.
// CHECK-LABEL: func.func @barrier
func.func @barrier(%a: !pld.dtensor<?x1xi32>, %b: !pld.dtensor<8xi32>, %c: !pld.dtensor<2x2x2x2xi32>)
    attributes {pl.incore} {
  // CHECK: pld.barrier %arg0 : !pld.dtensor<?x1xi32>
  pld.barrier %a : !pld.dtensor<?x1xi32>
  // CHECK: pld.barrier %arg1 : !pld.dtensor<8xi32>
  pld.barrier %b : !pld.dtensor<8xi32>
  // CHECK: pld.barrier %arg2 : !pld.dtensor<2x2x2x2xi32>
  pld.barrier %c : !pld.dtensor<2x2x2x2xi32>
  return
}

// On the host a barrier stands between dispatches.
// CHECK-LABEL: func.func @host_barrier
func.func @host_barrier() attributes {pl.host} {
  %n = pld.world_size
  %buf = pld.alloc_window_buffer [%n, 1] of i32
  // CHECK: %[[S:.*]] = pld.window
  %s = pld.window %buf[%n] : !pld.dtensor<?x1xi32>
  // CHECK: pld.barrier %[[S]] : !pld.dtensor<?x1xi32>
  pld.barrier %s : !pld.dtensor<?x1xi32>
  return
}
