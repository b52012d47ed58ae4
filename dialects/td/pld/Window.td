//===- Window.td - symmetric window buffers and their views -----------------===//
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PLD_WINDOW
#define PLD_WINDOW

include "pld/Base.td"

def Pld_AllocWindowBufferOp : Pld_Op<"alloc_window_buffer", [],
    "effects.emplace_back(::mlir::MemoryEffects::Allocate::get(), "
    "::llvm::cast<::mlir::OpResult>(getResult()), ::pld::WindowResource::get());"> {
  let summary = "allocate one symmetric buffer on every rank";
  let description = [{
    Host only, outside loops. The buffer is zero-initialised and has the same offset on
    every rank (of the group `ranks`, if given). It costs at least 4096 bytes per rank:
    its data and one 64-byte signal line per rank, rounded up to 512.

    ```mlir
    %b = pld.alloc_window_buffer [%n, 1] of i32
    %c = pld.alloc_window_buffer [1, 64] of f32 {ranks = array<i64: 1, 2>}
    ```
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
    One size per `?` of the result type. A view larger than its buffer is an error.

    ```mlir
    %w = pld.window %b : !pld.dtensor<1x64xf32>
    %s = pld.window %b[%n] : !pld.dtensor<?x1xi32>
    ```
  }];
  let arguments = (ins Pld_WindowBufferArg:$buffer, Variadic<Index>:$sizes);
  let results = (outs Pld_Checked:$result);
  let assemblyFormat = "$buffer (`` `[` $sizes^ `]`)? attr-dict `:` qualified(type($result))";
}

def Pld_WorldSizeOp : Pld_Op<"world_size", [Pure]> {
  let summary = "number of ranks of the program";
  let description = "```mlir\n%n = pld.world_size\n```\n";
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}

def Pld_GetCommCtxOp : Pld_Op<"get_comm_ctx", [NoMemoryEffect]> {
  let summary = "communication context of a window";
  let description = "```mlir\n%ctx = pld.get_comm_ctx %data : !pld.dtensor<1x64xf32>\n```\n";
  let arguments = (ins Pld_Checked:$window);
  let results = (outs Pld_CommCtxArg:$result);
  let assemblyFormat = "$window attr-dict `:` qualified(type($window))";
}

class Pld_CtxQueryOp<string mnemonic, string what> : Pld_Op<mnemonic, [Pure]> {
  let summary = what;
  let description = "```mlir\n%v = pld." # mnemonic # " %ctx\n```\n";
  let arguments = (ins Pld_CommCtxArg:$ctx);
  let results = (outs Index:$result);
  let assemblyFormat = "$ctx attr-dict";
}

def Pld_RankOp : Pld_CtxQueryOp<"rank", "this rank, dense inside the window's group">;
def Pld_NranksOp : Pld_CtxQueryOp<"nranks", "number of ranks of the window's group">;

#endif // PLD_WINDOW
