//===- Broadcast.td - a column along rows, a row along columns -----------------===//
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PL_BROADCAST
#define PL_BROADCAST

include "pl/Base.td"

def Pl_BroadcastFamily : Pld_Family<"Broadcasts", [{
A column along the rows, or a row along the columns, of a tile or tensor.
}]>;

let opDocGroup = Pl_BroadcastFamily in {

class Pl_ExpandOp<string mnemonic, string what, string shape> : Pl_Op<mnemonic, [Pure]> {
  let summary = what;
  let description = [{
    The extent of 1 grows to the result's, the other is kept; element types are equal: f32,
    f16, bf16, i8, i16, i32 or i64.

    ```mlir
    %r = pl.}] # mnemonic # " %v : !pl.tile<" # shape # [{xf32> -> !pl.tile<8x64xf32>
    ```

    Codes: 104, 105.
  }];
  let arguments = (ins Pl_TileOrTensor:$source);
  let results = (outs Pl_TileOrTensor:$result);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source)) `->` qualified(type($result))";
}

class Pl_ExpandBinaryOp<string mnemonic, string what, string shape>
    : Pl_Op<mnemonic, [Pure, AllTypesMatch<["lhs", "result"]>]> {
  let summary = what;
  let description = [{
    The vector has one extent of the left operand, and 1 for the other; the result has the
    left operand's type. Element types are equal: f32, f16, bf16, i8, i16, i32 or i64.

    ```mlir
    %r = pl.}] # mnemonic # " %a, %v : !pl.tile<8x64xf32>, !pl.tile<" # shape # [{xf32>
    ```

    Codes: 104, 105.
  }];
  let arguments = (ins Pl_TileOrTensor:$lhs, Pl_TileOrTensor:$rhs);
  let results = (outs Pl_TileOrTensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` qualified(type($lhs)) `,` qualified(type($rhs))";
}

multiclass Pl_ExpandOps<string prefix, string shape, string what> {
  def Op : Pl_ExpandOp<prefix # "_expand", "repeat " # what, shape>;
  def AddOp : Pl_ExpandBinaryOp<prefix # "_expand_add", "add " # what, shape>;
  def SubOp : Pl_ExpandBinaryOp<prefix # "_expand_sub", "subtract " # what, shape>;
  def MulOp : Pl_ExpandBinaryOp<prefix # "_expand_mul", "multiply by " # what, shape>;
  def DivOp : Pl_ExpandBinaryOp<prefix # "_expand_div", "divide by " # what, shape>;
  def MaxOp : Pl_ExpandBinaryOp<prefix # "_expand_max", "maximum with " # what, shape>;
  def MinOp : Pl_ExpandBinaryOp<prefix # "_expand_min", "minimum with " # what, shape>;
}

defm Pl_RowExpand : Pl_ExpandOps<"row", "8x1", "a column along the rows">;
defm Pl_ColExpand : Pl_ExpandOps<"col", "1x64", "a row along the columns">;

} // opDocGroup

#endif // PL_BROADCAST
