//===- Elementwise.td - elementwise computation -----------------------------===//
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PL_ELEMENTWISE
#define PL_ELEMENTWISE

include "pl/Base.td"

def Pl_FullOp : Pl_Op<"full", [Pure,
    TypesMatchWith<"value is an element of the result", "result", "value",
                   "::mlir::getElementTypeOrSelf($_self)">]> {
  let summary = "a tile or tensor filled with one value";
  let description = [{
    ```mlir
    %t = pl.full %v : !pl.tile<8x64xf32>
    ```
  }];
  let arguments = (ins AnyType:$value);
  let results = (outs Pl_TileOrTensor:$result);
  let assemblyFormat = "$value attr-dict `:` qualified(type($result))";
}

class Pl_BinaryOp<string mnemonic, string what>
    : Pl_Op<mnemonic, [Pure, SameOperandsAndResultType]> {
  let summary = "elementwise " # what;
  let description = "Operands and result have one type. Integers are signed and wrap.\n\n"
      # "```mlir\n%r = pl." # mnemonic # " %a, %b : !pl.tile<8x64xf32>\n```\n";
  let arguments = (ins Pl_TileOrTensor:$lhs, Pl_TileOrTensor:$rhs);
  let results = (outs Pl_TileOrTensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` qualified(type($result))";
}

class Pl_ScalarOp<string mnemonic, string what>
    : Pl_Op<mnemonic, [Pure, AllTypesMatch<["lhs", "result"]>]> {
  let summary = "elementwise " # what # " with a scalar";
  let description = "The scalar has the element type and stands on the right.\n\n"
      # "```mlir\n%r = pl." # mnemonic # " %a, %s : !pl.tile<8x64xf32>, f32\n```\n";
  let arguments = (ins Pl_TileOrTensor:$lhs, Pld_Checked:$rhs);
  let results = (outs Pl_TileOrTensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` qualified(type($lhs)) `,` type($rhs)";
}

def Pl_AddOp : Pl_BinaryOp<"add", "sum">;
def Pl_MulOp : Pl_BinaryOp<"mul", "product">;
def Pl_AddsOp : Pl_ScalarOp<"adds", "sum">;
def Pl_MulsOp : Pl_ScalarOp<"muls", "product">;

def Pl_CastOp : Pl_Op<"cast", [Pure]> {
  let summary = "convert to another element type";
  let description = [{
    Shapes are equal, element types differ. `none` converts exactly where that is
    possible and rounds to nearest-even elsewhere; `rint` is nearest-even, `round`
    nearest with ties away from zero. A float out of an integer's range saturates and
    NaN becomes 0; an integer narrowed keeps its low bits.

    ```mlir
    %r = pl.cast rint %a : !pl.tile<8x64xf32> -> !pl.tile<8x64xbf16>
    ```
  }];
  let arguments = (ins Pld_RoundMode:$mode, Pl_TileOrTensor:$source);
  let results = (outs Pl_TileOrTensor:$result);
  let assemblyFormat = "$mode $source attr-dict `:` qualified(type($source)) `->` qualified(type($result))";
}

#endif // PL_ELEMENTWISE
