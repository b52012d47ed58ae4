// The lowering of barriers to notify and wait, by dissemination: in round k to the rank 2^k
// after and from the rank 2^k before.
// RUN: pld-opt %s --pld-lower-collectives | FileCheck %s
// RUN: pld-opt %s --pld-lower-collectives --canonicalize --cse --verify-roundtrip | FileCheck %s --check-prefix=CLEAN

// CLEAN-NOT: pld.barrier

// CHECK-LABEL: func.func @column
func.func @column(%s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  // CHECK: %[[CTX:.*]] = pld.get_comm_ctx %arg0 : !pld.dtensor<?x1xi32>
  // CHECK: %[[ME:.*]] = pld.rank %[[CTX]]
  // CHECK: %[[N:.*]] = pld.nranks %[[CTX]]
  // CHECK: %[[CREDIT:.*]] = arith.constant 1 : i32
  // CHECK: %[[DEBIT:.*]] = arith.constant -1 : i32
  // CHECK: %[[ONE:.*]] = arith.constant 1 : index
  // CHECK: %[[PEERS:.*]] = arith.subi %[[N]], %[[ONE]]
  // CHECK: %[[ROUNDS:.*]] = arith.minsi %[[PEERS]], %c31
  // CHECK: scf.for %[[K:.*]] = %c0{{.*}} to %[[ROUNDS]] step %[[ONE]]
  // CHECK:   %[[D:.*]] = arith.shli %[[ONE]], %[[K]]
  // CHECK:   %[[IN:.*]] = arith.cmpi slt, %[[D]], %[[N]]
  // CHECK:   scf.if %[[IN]]
  // CHECK:     %[[SUM:.*]] = arith.addi %[[ME]], %[[D]]
  // CHECK:     arith.cmpi sge, %[[SUM]], %[[N]]
  // CHECK:     %[[TO:.*]] = arith.select
  // CHECK:     %[[BACK:.*]] = arith.subi %[[N]], %[[D]]
  // CHECK:     %[[SUM:.*]] = arith.addi %[[ME]], %[[BACK]]
  // CHECK:     %[[OF:.*]] = arith.select
  // Cells by sender, or by round where those would fill more than a page.
  // CHECK:     %[[MANY:.*]] = arith.cmpi sgt, %[[N]], %c1024
  // CHECK:     %[[TELLS:.*]] = arith.select %[[MANY]], %[[K]], %[[ME]]
  // CHECK:     %[[MANY:.*]] = arith.cmpi sgt, %[[N]], %c1024
  // CHECK:     %[[HEARS:.*]] = arith.select %[[MANY]], %[[K]], %[[OF]]
  // CHECK:     pld.notify add %[[CREDIT]], %arg0[%[[TELLS]], %c0{{.*}}] to %[[TO]] {pld.from = "pld.barrier"} : !pld.dtensor<?x1xi32>
  // CHECK:     pld.wait ge %[[CREDIT]], %arg0[%[[HEARS]], %c0{{.*}}] {pld.from = "pld.barrier"} : !pld.dtensor<?x1xi32>
  // CHECK:     pld.notify add %[[DEBIT]], %arg0[%[[HEARS]], %c0{{.*}}] to %[[ME]] {pld.from = "pld.barrier"} : !pld.dtensor<?x1xi32>
  // CHECK: return
  // CLEAN-COUNT-2: pld.notify
  // CLEAN: return
  pld.barrier %s : !pld.dtensor<?x1xi32>
  return
}
