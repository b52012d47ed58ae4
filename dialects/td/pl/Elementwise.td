//===- Elementwise.td - elementwise computation -----------------------------===//
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PL_ELEMENTWISE
#define PL_ELEMENTWISE

include "pl/Base.td"

def Pl_ElementwiseFamily : Pld_Family<"Elementwise", [{
Pure computation on each element of tiles, or of tensors in a `pl.at` region.
}]>;

let opDocGroup = Pl_ElementwiseFamily in {

def Pl_FullOp : Pl_Op<"full", [Pure,
    TypesMatchWith<"value is an element of the result", "result", "value",
                   "::mlir::getElementTypeOrSelf($_self)">]> {
  let summary = "a tile or tensor filled with one value";
  let description = [{
    The value has the element type of the result; any shape and element type.

    ```mlir
    %t = pl.full %v : !pl.tile<8x64xf32>
    ```

    Codes: none of its own.
  }];
  let arguments = (ins Pld_Scalar:$value);
  let results = (outs Pl_TileOrTensor:$result);
  let assemblyFormat = "$value attr-dict `:` qualified(type($result))";
}

class Pl_BinaryOp<string mnemonic, string what, Pl_ElementTypes elements = Pl_Numbers>
    : Pl_Op<mnemonic, [Pure, SameOperandsAndResultType]> {
  let summary = "elementwise " # what;
  let description = [{
    Operands and result have one type, of any shape. }] # elements.text # [{ Integers are
    signed and wrap.

    ```mlir
    %r = pl.}] # mnemonic # " %a, %b : !pl.tile<8x64x" # elements.example # [{>
    ```

    Codes: 105.
  }];
  let arguments = (ins Pl_TileOrTensor:$lhs, Pl_TileOrTensor:$rhs);
  let results = (outs Pl_TileOrTensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` qualified(type($result))";
}

class Pl_ScalarOp<string mnemonic, string what, Pl_ElementTypes elements = Pl_Numbers>
    : Pl_Op<mnemonic, [Pure, AllTypesMatch<["lhs", "result"]>]> {
  let summary = "elementwise " # what # " with a scalar";
  let description = [{
    The scalar has the element type and stands on the right; the result has the type of the
    left operand. }] # elements.text # [{

    ```mlir
    %r = pl.}] # mnemonic # [{ %a, %s : !pl.tile<8x64xf32>, f32
    ```

    Codes: 105.
  }];
  let arguments = (ins Pl_TileOrTensor:$lhs, Pld_Scalar:$rhs);
  let results = (outs Pl_TileOrTensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` qualified(type($lhs)) `,` type($rhs)";
}

class Pl_UnaryOp<string mnemonic, string what, Pl_ElementTypes elements = Pl_Numbers>
    : Pl_Op<mnemonic, [Pure, SameOperandsAndResultType]> {
  let summary = "elementwise " # what;
  let description = [{
    Operand and result have one type, of any shape. }] # elements.text # [{

    ```mlir
    %r = pl.}] # mnemonic # " %a : tensor<64x64x" # elements.example # [{>
    ```

    Codes: 105.
  }];
  let arguments = (ins Pl_TileOrTensor:$operand);
  let results = (outs Pl_TileOrTensor:$result);
  let assemblyFormat = "$operand attr-dict `:` qualified(type($result))";
}

// Arithmetic: any element type but i1.
def Pl_AddOp : Pl_BinaryOp<"add", "sum">;
def Pl_SubOp : Pl_BinaryOp<"sub", "difference">;
def Pl_MulOp : Pl_BinaryOp<"mul", "product">;
def Pl_DivOp : Pl_BinaryOp<"div", "quotient; integers truncate, and x / 0 is 0">;
def Pl_MaxOp : Pl_BinaryOp<"max", "maximum; NaN propagates">;
def Pl_MinOp : Pl_BinaryOp<"min", "minimum; NaN propagates">;
def Pl_AddsOp : Pl_ScalarOp<"adds", "sum"> { let hasFolder = 1; }
def Pl_SubsOp : Pl_ScalarOp<"subs", "difference"> { let hasFolder = 1; }
def Pl_MulsOp : Pl_ScalarOp<"muls", "product"> { let hasFolder = 1; }
def Pl_DivsOp : Pl_ScalarOp<"divs", "quotient; integers truncate, and x / 0 is 0"> { let hasFolder = 1; }
def Pl_MaxsOp : Pl_ScalarOp<"maxs", "maximum">;
def Pl_MinsOp : Pl_ScalarOp<"mins", "minimum">;
def Pl_NegOp : Pl_UnaryOp<"neg", "negation">;
def Pl_AbsOp : Pl_UnaryOp<"abs", "absolute value">;
def Pl_ReluOp : Pl_UnaryOp<"relu", "maximum with 0">;

// Floating-point only.
def Pl_ExpOp : Pl_UnaryOp<"exp", "exponential", Pl_Floats>;
def Pl_LogOp : Pl_UnaryOp<"log", "natural logarithm", Pl_Floats>;
def Pl_SqrtOp : Pl_UnaryOp<"sqrt", "square root", Pl_Floats>;
def Pl_RsqrtOp : Pl_UnaryOp<"rsqrt", "1 / square root", Pl_Floats>;
def Pl_RecipOp : Pl_UnaryOp<"recip", "1 / x", Pl_Floats>;

// Integers only.
def Pl_AndOp : Pl_BinaryOp<"and", "bitwise and", Pl_Bits>;
def Pl_OrOp : Pl_BinaryOp<"or", "bitwise or", Pl_Bits>;
def Pl_XorOp : Pl_BinaryOp<"xor", "bitwise exclusive or", Pl_Bits>;
def Pl_NotOp : Pl_UnaryOp<"not", "bitwise complement", Pl_Bits>;
def Pl_ShlOp : Pl_BinaryOp<"shl",
    "shift left; a shift of the width or more, or below 0, gives 0", Pl_Integers>;
def Pl_ShrOp : Pl_BinaryOp<"shr",
    "arithmetic shift right; a shift of the width or more, or below 0, gives the sign", Pl_Integers>;

def Pl_IotaOp : Pl_Op<"iota", [Pure]> {
  let summary = "0, 1, 2, ... along the last dim";
  let description = [{
    Every row is the same. Elements are i8, i16, i32 or i64.

    ```mlir
    %t = pl.iota : !pl.tile<8x64xi32>
    ```

    Codes: 105.
  }];
  let results = (outs Pl_TileOrTensor:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

def Pl_CmpOp : Pl_Op<"cmp", [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let summary = "elementwise comparison to a mask";
  let description = [{
    Comparisons with NaN are false, but `ne`. Operands have one type; the result has their
    shape and elements of i1. Operands have elements of f32, f16, bf16, i8, i16, i32 or i64.

    ```mlir
    %m = pl.cmp lt, %a, %b : !pl.tile<8x64xf32> -> !pl.tile<8x64xi1>
    ```

    Codes: 104, 105.
  }];
  let arguments = (ins Pld_CmpPredicate:$predicate, Pl_TileOrTensor:$lhs, Pl_TileOrTensor:$rhs);
  let results = (outs Pl_TileOrTensor:$result);
  let assemblyFormat = "$predicate `,` $lhs `,` $rhs attr-dict `:` qualified(type($lhs)) `->` qualified(type($result))";
}

def Pl_SelectOp : Pl_Op<"select", [Pure, AllTypesMatch<["lhs", "rhs", "result"]>]> {
  let summary = "elementwise choice by a mask";
  let description = [{
    Where the mask is 1 the left value, else the right one. Values and result have one type,
    of any element type; the mask has their shape and elements of i1.

    ```mlir
    %r = pl.select %m, %a, %b : !pl.tile<8x64xi1>, !pl.tile<8x64xf32>
    ```

    Codes: 104, 105.
  }];
  let arguments = (ins Pl_TileOrTensor:$mask, Pl_TileOrTensor:$lhs, Pl_TileOrTensor:$rhs);
  let results = (outs Pl_TileOrTensor:$result);
  let assemblyFormat = "$mask `,` $lhs `,` $rhs attr-dict `:` qualified(type($mask)) `,` qualified(type($lhs))";
}

def Pl_CastOp : Pl_Op<"cast", [Pure]> {
  let hasFolder = 1;
  let summary = "convert to another element type";
  let description = [{
    Shapes are equal, element types differ. `none` converts exactly where that is
    possible and rounds to nearest-even elsewhere; `rint` is nearest-even, `round`
    nearest with ties away from zero. A float out of an integer's range saturates and
    NaN becomes 0; an integer narrowed keeps its low bits.

    ```mlir
    %r = pl.cast rint %a : !pl.tile<8x64xf32> -> !pl.tile<8x64xbf16>
    ```

    Codes: 104, 105; for a target that has no such conversion 303.
  }];
  let arguments = (ins Pld_RoundMode:$mode, Pl_TileOrTensor:$source);
  let results = (outs Pl_TileOrTensor:$result);
  let assemblyFormat = "$mode $source attr-dict `:` qualified(type($source)) `->` qualified(type($result))";
}

} // opDocGroup

#endif // PL_ELEMENTWISE
