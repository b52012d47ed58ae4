//===- Matmul.td - matrix products ---------------------------------------------===//
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PL_MATMUL
#define PL_MATMUL

include "pl/Base.td"

def Pl_MatmulFamily : Pld_Family<"Matrix products", [{
Products on the cube unit, accumulated in f32 or i32.
}]>;

let opDocGroup = Pl_MatmulFamily in {

def Pl_MatmulOp : Pl_Op<"matmul", [Pure]> {
  let summary = "matrix product";
  let description = [{
    `[m, k]` by `[k, n]` gives `[m, n]`. Both operands have one element type: f16, bf16 and
    f32 give f32, i8 gives i32. `transpose_a` and `transpose_b` take an operand with its dims
    exchanged.

    ```mlir
    %c = pl.matmul %a, %b transpose_b : !pl.tile<16x64xf16>, !pl.tile<32x64xf16> -> !pl.tile<16x32xf32>
    ```

    Codes: 104, 105.
  }];
  let arguments = (ins Pl_TileOrTensor:$lhs, Pl_TileOrTensor:$rhs, UnitAttr:$transpose_a,
      UnitAttr:$transpose_b);
  let results = (outs Pl_TileOrTensor:$result);
  let assemblyFormat = "$lhs `,` $rhs (`transpose_a` $transpose_a^)? (`transpose_b` $transpose_b^)? "
      "attr-dict `:` qualified(type($lhs)) `,` qualified(type($rhs)) `->` qualified(type($result))";
}

def Pl_MatmulAccOp : Pl_Op<"matmul_acc", [Pure, AllTypesMatch<["acc", "result"]>]> {
  let summary = "matrix product added to an accumulator";
  let description = [{
    As `pl.matmul`, plus `acc`, which has the type of the result.

    ```mlir
    %c = pl.matmul_acc %acc, %a, %b : !pl.tile<16x64xf16>, !pl.tile<64x32xf16> -> !pl.tile<16x32xf32>
    ```

    Codes: 104, 105.
  }];
  let arguments = (ins Pl_TileOrTensor:$acc, Pl_TileOrTensor:$lhs, Pl_TileOrTensor:$rhs,
      UnitAttr:$transpose_a, UnitAttr:$transpose_b);
  let results = (outs Pl_TileOrTensor:$result);
  let assemblyFormat = "$acc `,` $lhs `,` $rhs (`transpose_a` $transpose_a^)? (`transpose_b` $transpose_b^)? "
      "attr-dict `:` qualified(type($lhs)) `,` qualified(type($rhs)) `->` qualified(type($result))";
}

} // opDocGroup

#endif // PL_MATMUL
