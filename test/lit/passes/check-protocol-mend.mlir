// Mends are shown as changes of the program's text, and each of them leaves nothing to be found.
// RUN: not pld-opt %programs/broken/barrier_before_store.mlir --pld-check-protocol=json=%t.json -o %t.out 2>&1 | FileCheck %s --check-prefix=MISPLACED
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// RUN: not pld-opt %programs/broken/no_barrier.mlir --pld-check-protocol -o %t.out 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not pld-opt %programs/broken/notify_wrong_row.mlir --pld-check-protocol -o %t.out 2>&1 | FileCheck %s --check-prefix=ROW
// RUN: not pld-opt %programs/broken/reused_counter.mlir --pld-check-protocol -o %t.out 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not pld-opt %programs/broken/rank0_only_barrier.mlir --pld-check-protocol -o %t.out 2>&1 | FileCheck %s --check-prefix=BRANCH
// RUN: not pld-opt %s --pld-check-protocol -o %t.out 2> %t.said
// RUN: printf 'barrier(signal)\nrecv = load(data)\n' > %t.other
// RUN: sed -e 's| *//.*||' -e 's|^  pld.barrier .*|& loc("%t.other":1:1)|' -e 's|^  %%recv = .*|& loc("%t.other":2:1)|' %programs/broken/barrier_before_store.mlir > %t.mlir
// RUN: not pld-opt %t.mlir --pld-check-protocol -o %t.out 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: FileCheck %s --check-prefix=PARTNER --input-file=%t.said

// MISPLACED: note: to mend it, move the pld.barrier of line 14 to stand before the pl.load of line 17:
// MISPLACED-NEXT: --- {{.*}}barrier_before_store.mlir
// MISPLACED-NEXT: +++ {{.*}}barrier_before_store.mlir
// MISPLACED-NEXT: @@ -13,5 +13,5 @@
// MISPLACED-NEXT:    %next = arith.remsi %after, %n : index
// MISPLACED-NEXT: -  pld.barrier %signal : !pld.dtensor<?x1xi32>
// MISPLACED:      +  pld.barrier %signal : !pld.dtensor<?x1xi32>
// MISPLACED-NEXT:    %recv = pl.load %data[0, 0]
// JSON: "mend": {
// JSON-NEXT: "text": "move the pld.barrier of line 14 to stand before the pl.load of line 17",
// JSON-NEXT: "diff": "--- {{.*}}barrier_before_store.mlir\n

// MISSING: note: to mend it, put a pld.barrier on a signal of its own before the pld.remote_load of line 16:
// MISSING: +  pld.barrier %signal : !pld.dtensor<?x1xi32>
// MISSING-NEXT:   %recv = pld.remote_load

// ROW: -  pld.notify add %one, %signal[%next, 0] to %next : !pld.dtensor<?x1xi32>
// ROW-NEXT: +  pld.notify add %one, %signal[%me, 0] to %next : !pld.dtensor<?x1xi32>

// VALUE: -  pld.wait ge %one, %signal[%prev, 0] : !pld.dtensor<?x1xi32>
// VALUE-NEXT: +  %wait_for_2 = arith.constant 2 : i32
// VALUE-NEXT: +  pld.wait ge %wait_for_2, %signal[%prev, 0] : !pld.dtensor<?x1xi32>

// BRANCH: -    pld.barrier %signal : !pld.dtensor<?x1xi32>
// BRANCH-NEXT:    }
// BRANCH-NEXT: +  pld.barrier %signal : !pld.dtensor<?x1xi32>

// A program written in another language is not parsed again, so its mend is words.
// OTHER: note: to mend it, move the pld.barrier of line 1 to stand before the pl.load of line 2{{$}}
// OTHER-NOT: +++

// The notify goes to the rank before, its peer waits for the one after.
// PARTNER: note: to mend it, let the pld.notify of line [[#]] go to rank {{.*}}:
// PARTNER: -  pld.notify add %one, %signal[%me, 0] to %prev : !pld.dtensor<?x1xi32>
// PARTNER-NEXT: +  pld.notify add %one, %signal[%me, 0] to %next : !pld.dtensor<?x1xi32>
func.func @core(%data: !pld.dtensor<1x64xf32>, %signal: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %ctx = pld.get_comm_ctx %data : !pld.dtensor<1x64xf32>
  %me = pld.rank %ctx
  %n = pld.nranks %ctx
  %after = arith.addi %me, %c1 : index
  %next = arith.remsi %after, %n : index
  %last = arith.subi %n, %c1 : index
  %before = arith.addi %me, %last : index
  %prev = arith.remsi %before, %n : index
  pld.notify add %one, %signal[%me, 0] to %prev : !pld.dtensor<?x1xi32>
  pld.wait ge %one, %signal[%prev, 0] : !pld.dtensor<?x1xi32>
  return
}
func.func @device(%data: !pld.dtensor<1x64xf32>, %signal: !pld.dtensor<?x1xi32>) attributes {pl.device} {
  call @core(%data, %signal) : (!pld.dtensor<1x64xf32>, !pld.dtensor<?x1xi32>) -> ()
  return
}
func.func @main() attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [1, 64] of f32
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  %data = pld.window %data_buffer : !pld.dtensor<1x64xf32>
  %signal = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
  scf.for %r = %c0 to %n step %c1 {
    pld.dispatch @device(%data, %signal) on %r : (!pld.dtensor<1x64xf32>, !pld.dtensor<?x1xi32>)
  }
  return
}
