//===- Signal.td - notify, wait, barrier ------------------------------------===//
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All three read and write the default resource, with no value: no pass may move a
// memory access across them, or merge or drop them.

#ifndef PLD_SIGNAL
#define PLD_SIGNAL

include "pld/Base.td"

def Pld_SignalFamily : Pld_Family<"Signals", [{
What orders the ranks. All three read and write the default resource, with no value: no pass
may move a memory access across them, or merge or drop them.
}]>;

let opDocGroup = Pld_SignalFamily in {

def Pld_NotifyOp : Pld_Op<"notify", [], "::pld::syncEffect(effects);"> {
  let summary = "change a signal cell of a peer; release";
  let description = [{
    Everything this rank did before is visible to whoever observes the new value. `add`
    adds to the cell, `set` replaces it; one cell must not see both. The signal is a window of
    i32 with one offset per dim; the peer, a dense rank of its group, may be the own rank.

    ```mlir
    pld.notify add %v, %sig[%me, 0] to %peer : !pld.dtensor<?x1xi32>
    ```

    Codes: 101, 104, 105; at run time 401, 407.
  }];
  let arguments = (ins Pld_NotifyKind:$op, I32:$value, Pld_Signal:$signal,
      Variadic<Index>:$offsets, DenseI64ArrayAttr:$static_offsets, Index:$peer);
  let assemblyFormat = !strconcat("$op $value `,` $signal ", Pld_Fmt.offsets, "`to` $peer attr-dict `:` qualified(type($signal))");
}

def Pld_WaitOp : Pld_Op<"wait", [], "::pld::syncEffect(effects);"> {
  let summary = "block until a cell of the own signal satisfies a comparison; acquire";
  let description = [{
    What the notifies did before that it has seen is visible afterwards: those up to the first
    that makes the condition true, and no later one. The signal is a window of i32 with one
    offset per dim. `eq` may miss a value that passes by: prefer `ge`.

    ```mlir
    pld.wait ge %v, %sig[%src, 0] : !pld.dtensor<?x1xi32>
    ```

    Codes: 101, 104, 105; at run time 401, 402.
  }];
  let arguments = (ins Pld_WaitCmp:$cmp, I32:$value, Pld_Signal:$signal,
      Variadic<Index>:$offsets, DenseI64ArrayAttr:$static_offsets);
  let assemblyFormat = !strconcat("$cmp $value `,` $signal ", Pld_Fmt.offsets, "attr-dict `:` qualified(type($signal))");
}

def Pld_BarrierOp : Pld_Op<"barrier", [], "::pld::syncEffect(effects);"> {
  let summary = "barrier of all ranks of the signal's group";
  let description = [{
    Self-clearing: all cells are zero when every rank has passed, so one signal serves
    many barriers. The signal has at least as many i32 elements as the group has ranks; its
    cells are zero when the barrier is entered. What any rank did before is visible to all
    ranks after.

    ```mlir
    pld.barrier %sig : !pld.dtensor<?x1xi32>
    ```

    Codes: 101, 105; at run time 401, 402, 407.
  }];
  let arguments = (ins Pld_Signal:$signal);
  let assemblyFormat = "$signal attr-dict `:` qualified(type($signal))";
}

} // opDocGroup

#endif // PLD_SIGNAL
