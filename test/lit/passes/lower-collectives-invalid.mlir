// What the lowering of collectives cannot take.
// RUN: pld-opt %s --pld-lower-collectives --split-input-file --verify-diagnostics

// Who would have to come is not known before the choice is made.
func.func @two_groups(%c: i1) attributes {pl.host} {
  %b = pld.alloc_window_buffer [4] of i32 {ranks = array<i64: 0, 1>}
  %d = pld.alloc_window_buffer [4] of i32
  %s = pld.window %b : !pld.dtensor<4xi32>
  %t = pld.window %d : !pld.dtensor<4xi32>
  %u = arith.select %c, %s, %t : !pld.dtensor<4xi32>
  // expected-error @+2 {{'pld.barrier' has a window that may be of buffers of different groups, expected one group}}
  // expected-note @+1 {{write one for each group, in the branch that chooses it}}
  pld.barrier %u : !pld.dtensor<4xi32>
  return
}

// -----

// The form is one of two.
// RUN: not pld-opt %s --pld-lower-collectives=barrier=tree 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: error: option barrier is 'tree', expected dissemination or credit
