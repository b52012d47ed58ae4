// A run that takes more than two seconds says on a terminal how far it is, and clears that
// when it ends; a shorter one says nothing, and nothing goes to a pipe.
//
// Rank 0 counts for a while; the other ranks end at once.

// RUN: python3 %S/Inputs/terminal.py pld-run %s -n 3 --arg 1=2000000000 --check none > %t.slow
// RUN: FileCheck %s --input-file=%t.slow
// CHECK: 2 of 3 ranks done
// RUN: python3 %S/Inputs/terminal.py pld-run %s -n 3 --arg 1=1 > %t.fast
// RUN: not grep ranks %t.fast
// RUN: pld-run %s -n 3 --arg 1=2000000000 --check none 2>&1 | FileCheck %s --check-prefix=PIPE --match-full-lines
// PIPE-NOT: {{.*ranks.*}}
// PIPE: OK (no golden: nothing was compared)

func.func @core(%y: memref<1x8xi32> {pl.out}, %s: !pld.dtensor<1x1xi32>, %k: index) attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %ctx = pld.get_comm_ctx %s : !pld.dtensor<1x1xi32>
  %me = pld.rank %ctx
  %first = arith.cmpi eq, %me, %c0 : index
  scf.if %first {
    // A chain that no compiler shortens.
    %sum = scf.for %i = %c0 to %k step %c1 iter_args(%a = %one) -> (i32) {
      %shifted = arith.shrui %a, %three : i32
      %mixed = arith.xori %a, %shifted : i32
      %i32 = arith.index_cast %i : index to i32
      %next = arith.muli %mixed, %i32 : i32
      %odd = arith.addi %next, %three : i32
      scf.yield %odd : i32
    }
    pl.write %sum, %y[0, 0] : memref<1x8xi32>
  }
  return
}

func.func @per_rank(%y: memref<1x8xi32> {pl.out}, %s: !pld.dtensor<1x1xi32>, %k: index) attributes {pl.device} {
  call @core(%y, %s, %k) : (memref<1x8xi32>, !pld.dtensor<1x1xi32>, index) -> ()
  return
}

func.func @main(%y: memref<?x1x8xi32> {pl.out}, %k: index) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %b = pld.alloc_window_buffer [1, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %yr = pl.shard %y[%r] : memref<?x1x8xi32> -> memref<1x8xi32>
    %s = pld.window %b : !pld.dtensor<1x1xi32>
    pld.dispatch @per_rank(%yr, %s, %k) on %r : (memref<1x8xi32>, !pld.dtensor<1x1xi32>, index)
  }
  return
}
