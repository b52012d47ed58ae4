//===- Window.td - symmetric window buffers and their views -----------------===//
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PLD_WINDOW
#define PLD_WINDOW

include "pld/Base.td"

def Pld_WindowFamily : Pld_Family<"Windows", [{
Symmetric memory: allocated by the host, seen by all ranks of a group.
}]>;

let opDocGroup = Pld_WindowFamily in {

def Pld_AllocWindowBufferOp : Pld_Op<"alloc_window_buffer", [],
    "effects.emplace_back(::mlir::MemoryEffects::Allocate::get(), "
    "::llvm::cast<::mlir::OpResult>(getResult()), ::pld::WindowResource::get());"> {
  let summary = "allocate one symmetric buffer on every rank";
  let description = [{
    Host only, outside loops. The buffer is zero-initialised and has the same offset on
    every rank (of the group `ranks`, if given, which names each rank once). It costs at least
    4096 bytes per rank: its data and one 64-byte signal line per rank, rounded up to 512.

    Sizes are at least 1. Elements are f32, f16, bf16, i8, i16, i32 or i64.

    ```mlir
    %b = pld.alloc_window_buffer [%n, 1] of i32
    %c = pld.alloc_window_buffer [1, 64] of f32 {ranks = array<i64: 1, 2>}
    ```

    Codes: 101, 102, 103, 104, 105; a warning 112; at run time 404, 406; for a target with less
    window memory 304.
  }];
  let arguments = (ins Variadic<Index>:$sizes, DenseI64ArrayAttr:$static_sizes,
      TypeAttr:$element_type, OptionalAttr<DenseI64ArrayAttr>:$ranks);
  let results = (outs Pld_WindowBufferArg:$result);
  let assemblyFormat = "custom<DynamicIndexList>($sizes, $static_sizes) `of` $element_type attr-dict";
}

// A view may turn out too large when it runs, and a rank may turn out to be outside of the
// group: neither may be hoisted out of a loop that might not turn.
def Pld_WindowOp : Pld_Op<"window", [NoMemoryEffect]> {
  let summary = "typed view of a window buffer";
  let description = [{
    One size per `?` of the result type. Bytes count: a view larger than its buffer is an
    error, one of another shape or element type is not.

    ```mlir
    %w = pld.window %b : !pld.dtensor<1x64xf32>
    %s = pld.window %b[%n] : !pld.dtensor<?x1xi32>
    ```

    With `tail` it is a view of i32 signals behind the buffer's data, one line of 64 bytes for
    each rank of the group, which every buffer has. It belongs to the compiler: passes make
    such views for the collectives of the host that name no signal.

    ```mlir
    %t = pld.window %b tail[%n] : !pld.dtensor<?x1xi32>
    ```

    Codes: 101, 104, 105; at run time 404, 406.
  }];
  let arguments = (ins Pld_WindowBufferArg:$buffer, Variadic<Index>:$sizes, UnitAttr:$tail);
  let results = (outs Pld_Window:$result);
  let assemblyFormat = "$buffer (`tail` $tail^)? (`` `[` $sizes^ `]`)? attr-dict `:` qualified(type($result))";
}

def Pld_WorldSizeOp : Pld_Op<"world_size", [Pure]> {
  let summary = "number of ranks of the program";
  let description = [{
    The ranks that the program is started with; groups of fewer ranks do not change it.

    ```mlir
    %n = pld.world_size
    ```

    Codes: none of its own.
  }];
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}

def Pld_GetCommCtxOp : Pld_Op<"get_comm_ctx", [NoMemoryEffect]> {
  let summary = "communication context of a window";
  let description = [{
    What `pld.rank` and `pld.nranks` are asked of: the group that the window's buffer was
    allocated for. The window has any shape and element type.

    ```mlir
    %ctx = pld.get_comm_ctx %data : !pld.dtensor<1x64xf32>
    ```

    Codes: 101; at run time 406.
  }];
  let arguments = (ins Pld_Window:$window);
  let results = (outs Pld_CommCtxArg:$result);
  let assemblyFormat = "$window attr-dict `:` qualified(type($window))";
}

class Pld_CtxQueryOp<string mnemonic, string what, string rule> : Pld_Op<mnemonic, [Pure]> {
  let summary = what;
  let description = [{
    }] # rule # [{

    ```mlir
    %v = pld.}] # mnemonic # [{ %ctx
    ```

    Codes: none of its own.
  }];
  let arguments = (ins Pld_CommCtxArg:$ctx);
  let results = (outs Index:$result);
  let assemblyFormat = "$ctx attr-dict";
}

def Pld_RankOp : Pld_CtxQueryOp<"rank", "this rank, dense inside the window's group",
    "From 0 to the number of ranks of the group less 1; peers are counted the same way.">;
def Pld_NranksOp : Pld_CtxQueryOp<"nranks", "number of ranks of the window's group",
    "All ranks of the program, unless the buffer was allocated for a group of fewer.">;

} // opDocGroup

#endif // PLD_WINDOW
