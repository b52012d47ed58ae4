//===- Reduce.td - reductions along one dim ---------------------------------===//
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PL_REDUCE
#define PL_REDUCE

include "pl/Base.td"

def Pl_ReduceFamily : Pld_Family<"Reductions", [{
Reductions along the last dim (`row_`, which leave a column) or the first (`col_`, which
leave a row).
}]>;

let opDocGroup = Pl_ReduceFamily in {

class Pl_ReduceOp<string mnemonic, string what, string shape> : Pl_Op<mnemonic, [Pure]> {
  let summary = what;
  let description = [{
    The reduced dim has extent 1 in the result, the other is kept; element types are equal:
    f32, f16, bf16, i8, i16, i32 or i64.

    ```mlir
    %r = pl.}] # mnemonic # " %a : !pl.tile<8x64xf32> -> !pl.tile<" # shape # [{xf32>
    ```

    Codes: 104, 105.
  }];
  let arguments = (ins Pl_TileOrTensor:$source);
  let results = (outs Pl_TileOrTensor:$result);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source)) `->` qualified(type($result))";
}

def Pl_RowSumOp : Pl_ReduceOp<"row_sum", "sum of each row", "8x1">;
def Pl_RowMaxOp : Pl_ReduceOp<"row_max", "maximum of each row; NaN propagates", "8x1">;
def Pl_RowMinOp : Pl_ReduceOp<"row_min", "minimum of each row; NaN propagates", "8x1">;
def Pl_RowProdOp : Pl_ReduceOp<"row_prod", "product of each row", "8x1">;
def Pl_ColSumOp : Pl_ReduceOp<"col_sum", "sum of each column", "1x64">;
def Pl_ColMaxOp : Pl_ReduceOp<"col_max", "maximum of each column; NaN propagates", "1x64">;
def Pl_ColMinOp : Pl_ReduceOp<"col_min", "minimum of each column; NaN propagates", "1x64">;
def Pl_ColProdOp : Pl_ReduceOp<"col_prod", "product of each column", "1x64">;

} // opDocGroup

#endif // PL_REDUCE
