// Ranks and signals.

// RUN: pld-opt %s --pl-cpu-plan --pl-cpu-emit --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func private @pld.signals
// CHECK-SAME: %[[CTX:[a-z0-9]+]]: !llvm.ptr, %[[S:[a-z0-9]+]]: !llvm.ptr, %[[N:[a-z0-9]+]]: i64
func.func @signals(%s: !pld.dtensor<?x1xi32>, %v: i32, %i: index) attributes {pl.incore} {
  %ctx = pld.get_comm_ctx %s : !pld.dtensor<?x1xi32>
  // CHECK-DAG: %[[C1:.*]] = llvm.mlir.constant(1 : i64)
  // CHECK-DAG: %[[C3:.*]] = llvm.mlir.constant(3 : i64)
  // CHECK-DAG: %[[C4:.*]] = llvm.mlir.constant(4 : i64)
  // CHECK: %[[ME:.*]] = llvm.call @pld_rt_rank(%[[CTX]], %[[S]])
  %me = pld.rank %ctx
  // CHECK: llvm.call @pld_rt_nranks(%[[CTX]], %[[S]])
  %n = pld.nranks %ctx
  // A cell is in bounds of the view; the runtime checks the peer.
  // CHECK: scf.if
  // CHECK: llvm.call @pld_rt_fail
  // CHECK: %[[CELL:.*]] = llvm.mul %[[ME]], %[[C4]]
  // CHECK: %[[V:.*]] = arith.extsi
  // CHECK: llvm.call @pld_rt_notify(%[[CTX]], %[[C1]], %[[V]], %[[S]], %[[CELL]], %{{.*}}, %{{.*}})
  pld.notify set %v, %s[%me, 0] to %i : !pld.dtensor<?x1xi32>
  // CHECK: llvm.call @pld_rt_wait(%[[CTX]], %[[C3]], %[[V]], %[[S]], %[[CELL]], %{{.*}})
  pld.wait ge %v, %s[%me, 0] : !pld.dtensor<?x1xi32>
  return
}

// A while loop may poll: others run before each further round.
// CHECK-LABEL: func.func private @pld.poll
// CHECK: scf.while
// CHECK: } do {
// CHECK: llvm.call @pld_rt_yield
// CHECK-NEXT: scf.yield
func.func @poll(%s: !pld.dtensor<1x1xi32>) attributes {pl.incore} {
  %zero = arith.constant 0 : i32
  scf.while : () -> () {
    %v = pl.read %s[0, 0] : !pld.dtensor<1x1xi32>
    %go = arith.cmpi eq, %v, %zero : i32
    scf.condition(%go)
  } do {
    scf.yield
  }
  return
}
