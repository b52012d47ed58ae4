// The lowering of barriers to notify and wait, by credits all to all; see
// lower-collectives-dissemination.mlir for the other form.
// RUN: pld-opt %s --pld-lower-collectives=barrier=credit --split-input-file | FileCheck %s
// The result is a program: it verifies, prints and parses, and upstream cleans it.
// RUN: pld-opt %s --pld-lower-collectives=barrier=credit --canonicalize --cse --split-input-file --verify-roundtrip | FileCheck %s --check-prefix=CLEAN

// No barrier is left, and of the notifies and waits none is merged.
// CLEAN-NOT: pld.barrier

// In-core, a column of one cell per rank. Add 1 to the own cell on every peer; wait for
// each peer's cell here; take 1 back.
// CHECK-LABEL: func.func @column
// CLEAN-LABEL: func.func @column
func.func @column(%s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  // CHECK: %[[CTX:.*]] = pld.get_comm_ctx %arg0 : !pld.dtensor<?x1xi32>
  // CHECK: %[[ME:.*]] = pld.rank %[[CTX]]
  // CHECK: %[[N:.*]] = pld.nranks %[[CTX]]
  // CHECK: %[[CREDIT:.*]] = arith.constant 1 : i32
  // CHECK: %[[DEBIT:.*]] = arith.constant -1 : i32
  // CHECK: scf.for %[[P:.*]] = %c0{{.*}} to %[[N]] step %c1
  // CHECK:   %[[OTHER:.*]] = arith.cmpi ne, %[[P]], %[[ME]]
  // CHECK:   scf.if %[[OTHER]]
  // CHECK:     pld.notify add %[[CREDIT]], %arg0[%[[ME]], %c0{{.*}}] to %[[P]] {pld.from = "pld.barrier"} : !pld.dtensor<?x1xi32>
  // CHECK: scf.for %[[Q:.*]] = %c0{{.*}} to %[[N]] step %c1
  // CHECK:   arith.cmpi ne, %[[Q]], %[[ME]]
  // CHECK:     pld.wait ge %[[CREDIT]], %arg0[%[[Q]], %c0{{.*}}] {pld.from = "pld.barrier"} : !pld.dtensor<?x1xi32>
  // CHECK: scf.for %[[R:.*]] = %c0{{.*}} to %[[N]] step %c1
  // CHECK:   arith.cmpi ne, %[[R]], %[[ME]]
  // CHECK:     pld.notify add %[[DEBIT]], %arg0[%[[R]], %c0{{.*}}] to %[[ME]] {pld.from = "pld.barrier"} : !pld.dtensor<?x1xi32>
  // CHECK: return
  // CLEAN-COUNT-2: pld.notify
  // CLEAN: return
  pld.barrier %s : !pld.dtensor<?x1xi32>
  return
}

// -----

// A signal of rank 1 needs no arithmetic.
// CHECK-LABEL: func.func @flat
func.func @flat(%s: !pld.dtensor<8xi32>) attributes {pl.incore} {
  // CHECK: %[[ME:.*]] = pld.rank
  // CHECK: pld.notify add %{{.*}}, %arg0[%[[ME]]] to %[[P:.*]] {pld.from = "pld.barrier"} : !pld.dtensor<8xi32>
  // CHECK: pld.wait ge %{{.*}}, %arg0[%{{[^,]*}}] {pld.from = "pld.barrier"} : !pld.dtensor<8xi32>
  // CHECK: pld.notify add %{{.*}}, %arg0[%{{[^,]*}}] to %[[ME]] {pld.from = "pld.barrier"} : !pld.dtensor<8xi32>
  // CHECK-NOT: arith.remsi
  pld.barrier %s : !pld.dtensor<8xi32>
  return
}

// -----

// Cell r is element r in row-major order: of 2 by 4, row r / 4 and column r % 4.
// CHECK-LABEL: func.func @grid
func.func @grid(%s: !pld.dtensor<2x4xi32>) attributes {pl.incore} {
  // CHECK: %[[ME:.*]] = pld.rank
  // CHECK: scf.if
  // CHECK:   %[[C4:.*]] = arith.constant 4 : index
  // CHECK:   %[[COL:.*]] = arith.remsi %[[ME]], %[[C4]]
  // CHECK:   %[[ROW:.*]] = arith.divsi %[[ME]], %[[C4]]
  // CHECK:   pld.notify add %{{.*}}, %arg0[%[[ROW]], %[[COL]]] to
  // CHECK: scf.for %[[P:.*]] =
  // CHECK:   %[[COL:.*]] = arith.remsi %[[P]], %{{.*}}
  // CHECK:   %[[ROW:.*]] = arith.divsi %[[P]], %{{.*}}
  // CHECK:   pld.wait ge %{{.*}}, %arg0[%[[ROW]], %[[COL]]]
  pld.barrier %s : !pld.dtensor<2x4xi32>
  return
}

// -----

// An extent known at run time only is asked for; dims of 1 have the index 0.
// CHECK-LABEL: func.func @dynamic_grid
func.func @dynamic_grid(%s: !pld.dtensor<?x1x?xi32>) attributes {pl.incore} {
  // CHECK: %[[ME:.*]] = pld.rank
  // CHECK: %[[D:.*]] = pl.dim %arg0, 2 : !pld.dtensor<?x1x?xi32>
  // CHECK: %[[COL:.*]] = arith.remsi %[[ME]], %[[D]]
  // CHECK: %[[ROW:.*]] = arith.divsi %[[ME]], %[[D]]
  // CHECK: pld.notify add %{{.*}}, %arg0[%[[ROW]], %c0{{.*}}, %[[COL]]] to
  pld.barrier %s : !pld.dtensor<?x1x?xi32>
  return
}

// -----

// Two barriers on one signal, and one inside a loop, stand where they stood.
// CHECK-LABEL: func.func @twice
func.func @twice(%s: !pld.dtensor<?x1xi32>, %w: !pld.dtensor<4xf32>, %n: index, %f: f32) attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = pl.full %f : !pl.tile<1x4xf32>
  // CHECK: pld.wait
  // CHECK: pl.store
  // CHECK: pld.wait
  // CHECK: scf.for %{{.*}} = %c0 to %arg2
  // CHECK:   pl.load
  // CHECK:   pld.get_comm_ctx
  // CHECK:   pld.wait
  pld.barrier %s : !pld.dtensor<?x1xi32>
  pl.store %t, %w[0] : !pl.tile<1x4xf32>, !pld.dtensor<4xf32>
  pld.barrier %s : !pld.dtensor<?x1xi32>
  scf.for %i = %c0 to %n step %c1 {
    %a = pl.load %w[0] : !pld.dtensor<4xf32> -> !pl.tile<1x4xf32>
    pld.barrier %s : !pld.dtensor<?x1xi32>
  }
  return
}

// -----

// On the host a barrier is a dispatch of one to every rank.
// CHECK-LABEL: func.func @host
func.func @host() attributes {pl.host} {
  %n = pld.world_size
  %b = pld.alloc_window_buffer [%n, 1] of i32
  %s = pld.window %b[%n] : !pld.dtensor<?x1xi32>
  // CHECK: %[[S:.*]] = pld.window
  // CHECK: %[[N:.*]] = pld.world_size
  // CHECK: scf.for %[[R:.*]] = %c0{{.*}} to %[[N]] step %c1
  // CHECK:   pld.dispatch @host_barrier(%[[S]]) on %[[R]] {pld.from = "pld.barrier"} : (!pld.dtensor<?x1xi32>)
  pld.barrier %s : !pld.dtensor<?x1xi32>
  return
}
// CHECK: func.func @host_barrier_core(%[[A:.*]]: !pld.dtensor<?x1xi32>) attributes {pl.incore, pld.from = "pld.barrier"}
// CHECK:   pld.notify add
// CHECK:   pld.wait ge
// CHECK:   pld.notify add
// CHECK: func.func @host_barrier(%[[A:.*]]: !pld.dtensor<?x1xi32>) attributes {pl.device, pld.from = "pld.barrier"}
// CHECK:   call @host_barrier_core(%[[A]])

// -----

// Of a group to its members only; one pair of functions serves all signals of a type, and
// their names avoid those taken.
func.func @host_barrier(%w: !pld.dtensor<4xf32>) attributes {pl.device} { return }
// CHECK-LABEL: func.func @groups
func.func @groups() attributes {pl.host} {
  %b = pld.alloc_window_buffer [4] of i32 {ranks = array<i64: 1, 3>}
  %c = pld.alloc_window_buffer [4] of i32 {ranks = array<i64: 2>}
  %d = pld.alloc_window_buffer [2, 2] of i32
  %s = pld.window %b : !pld.dtensor<4xi32>
  %t = pld.window %c : !pld.dtensor<4xi32>
  %u = pld.window %d : !pld.dtensor<2x2xi32>
  // CHECK: %[[R1:.*]] = arith.constant 1 : index
  // CHECK: pld.dispatch @host_barrier_1(%[[S:.*]]) on %[[R1]]
  // CHECK: %[[R3:.*]] = arith.constant 3 : index
  // CHECK: pld.dispatch @host_barrier_1(%[[S]]) on %[[R3]]
  // CHECK: %[[R2:.*]] = arith.constant 2 : index
  // CHECK: pld.dispatch @host_barrier_1(%[[T:.*]]) on %[[R2]]
  // CHECK: scf.for
  // CHECK: pld.dispatch @host_barrier_2(%{{.*}}) on %{{.*}} : (!pld.dtensor<2x2xi32>)
  pld.barrier %s : !pld.dtensor<4xi32>
  pld.barrier %t : !pld.dtensor<4xi32>
  pld.barrier %u : !pld.dtensor<2x2xi32>
  return
}
// CHECK-COUNT-2: attributes {pl.incore, pld.from = "pld.barrier"}
// CHECK-NOT: attributes {pl.incore

// -----

// A signal chosen among buffers of one group has that group.
// CHECK-LABEL: func.func @chosen
func.func @chosen(%c: i1) attributes {pl.host} {
  %b = pld.alloc_window_buffer [4] of i32 {ranks = array<i64: 5>}
  %d = pld.alloc_window_buffer [4] of i32 {ranks = array<i64: 5>}
  %s = pld.window %b : !pld.dtensor<4xi32>
  %t = pld.window %d : !pld.dtensor<4xi32>
  // CHECK: %[[S:.*]] = arith.select
  // CHECK: %[[R:.*]] = arith.constant 5 : index
  // CHECK: pld.dispatch @host_barrier(%[[S]]) on %[[R]]
  // CHECK-NOT: pld.dispatch
  // CHECK: func.func
  %u = arith.select %c, %s, %t : !pld.dtensor<4xi32>
  pld.barrier %u : !pld.dtensor<4xi32>
  return
}
