//===- Shape.td - regions and shapes of values ---------------------------------===//
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PL_SHAPE
#define PL_SHAPE

include "pl/Base.td"

def Pl_ShapeFamily : Pld_Family<"Shapes", [{
Parts and arrangements of values; and, at tensor level, regions of memory as values.
}]>;

let opDocGroup = Pl_ShapeFamily in {

def Pl_SliceOp : Pl_Op<"slice", [], "::pld::readEffect(getSourceMutable(), effects);"> {
  let summary = "read a region of memory as a tensor";
  let description = [{
    Tensor level only: in a `pl.at` region. Reads global memory or the own window slice, of
    one to four dims and the element type of the tensor.

    ```mlir
    %v = pl.slice %x[0, 0] : memref<128x128xf32> -> tensor<64x64xf32>
    ```

    Codes: 101, 104, 105; at run time 401, 403.
  }];
  let arguments = (ins Pld_Memory:$source, Variadic<Index>:$offsets,
      DenseI64ArrayAttr:$static_offsets);
  let results = (outs Pl_Tensor:$result);
  let assemblyFormat = !strconcat("$source ", Pld_Fmt.offsets,
      "attr-dict `:` qualified(type($source)) `->` type($result)");
}

def Pl_AssembleOp : Pl_Op<"assemble", [],
    "::pld::writeEffect(getDestinationMutable(), false, effects);"> {
  let summary = "write a tensor to a region of memory";
  let description = [{
    Tensor level only: in a `pl.at` region. Writes global memory or the own window slice, of
    one to four dims and the element type of the tensor. An argument that is written is
    `pl.out` or `pl.inout`.

    ```mlir
    pl.assemble %v, %y[0, 0] : tensor<64x64xf32>, memref<128x128xf32>
    ```

    Codes: 101, 104, 105, 108; at run time 401, 403.
  }];
  let arguments = (ins Pl_Tensor:$value, Pld_Memory:$destination,
      Variadic<Index>:$offsets, DenseI64ArrayAttr:$static_offsets);
  let assemblyFormat = !strconcat("$value `,` $destination ", Pld_Fmt.offsets,
      "attr-dict `:` type($value) `,` qualified(type($destination))");
}

def Pl_ExtractSliceOp : Pl_Op<"extract_slice", [Pure]> {
  let hasFolder = 1;
  let summary = "a part of a value";
  let description = [{
    The part has the extents of the result and lies inside the source; element types are equal.

    ```mlir
    %h = pl.extract_slice %t[0, 32] : !pl.tile<8x64xf32> -> !pl.tile<8x32xf32>
    ```

    Codes: 104, 105; at run time 401; for a target that moves whole 32-byte rows 302.
  }];
  let arguments = (ins Pl_TileOrTensor:$source, Variadic<Index>:$offsets,
      DenseI64ArrayAttr:$static_offsets);
  let results = (outs Pl_TileOrTensor:$result);
  let assemblyFormat = !strconcat("$source ", Pld_Fmt.offsets,
      "attr-dict `:` qualified(type($source)) `->` qualified(type($result))");
}

def Pl_InsertSliceOp : Pl_Op<"insert_slice", [Pure, AllTypesMatch<["destination", "result"]>]> {
  let summary = "a value with a part replaced";
  let description = [{
    The part lies inside the destination, whose type the result has; element types are equal.
    The destination itself stays as it was: it is a value.

    ```mlir
    %r = pl.insert_slice %s into %t[0, 32] : !pl.tile<8x32xf32> into !pl.tile<8x64xf32>
    ```

    Codes: 104, 105; at run time 401; for a target that moves whole 32-byte rows 302.
  }];
  let arguments = (ins Pl_TileOrTensor:$source, Pl_TileOrTensor:$destination,
      Variadic<Index>:$offsets, DenseI64ArrayAttr:$static_offsets);
  let results = (outs Pl_TileOrTensor:$result);
  let assemblyFormat = !strconcat("$source `into` $destination ", Pld_Fmt.offsets,
      "attr-dict `:` qualified(type($source)) `into` qualified(type($destination))");
}

def Pl_ConcatOp : Pl_Op<"concat", [Pure]> {
  let summary = "two values side by side along a dim";
  let description = [{
    `dim` is 0 or 1. In it the result has both extents added up, in the other all three are
    equal, as element types are.

    ```mlir
    %r = pl.concat %a, %b dim 1 : !pl.tile<8x32xf32>, !pl.tile<8x16xf32> -> !pl.tile<8x48xf32>
    ```

    Codes: 104, 105; for a target that moves whole 32-byte rows 302.
  }];
  let arguments = (ins Pl_TileOrTensor:$lhs, Pl_TileOrTensor:$rhs, I64Attr:$dim);
  let results = (outs Pl_TileOrTensor:$result);
  let assemblyFormat = "$lhs `,` $rhs `dim` $dim attr-dict `:` qualified(type($lhs)) `,` "
      "qualified(type($rhs)) `->` qualified(type($result))";
}

class Pl_RearrangeOp<string mnemonic, string what, string rule, string result_>
    : Pl_Op<mnemonic, [Pure]> {
  let hasFolder = 1;
  let summary = what;
  let description = [{
    }] # rule # [{ Element types are equal.

    ```mlir
    %r = pl.}] # mnemonic # " %t : !pl.tile<8x64xf32> -> !pl.tile<" # result_ # [{xf32>
    ```

    Codes: 104, 105; for a target that needs whole 32-byte rows 302.
  }];
  let arguments = (ins Pl_TileOrTensor:$source);
  let results = (outs Pl_TileOrTensor:$result);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source)) `->` qualified(type($result))";
}

def Pl_ReshapeOp : Pl_RearrangeOp<"reshape", "the same elements in row-major order in another shape",
    "Source and result have as many elements.", "16x32">;
def Pl_TransposeOp : Pl_RearrangeOp<"transpose", "rows become columns",
    "The result has the extents of the source exchanged.", "64x8">;

def Pl_GatherOp : Pl_Op<"gather", [Pure]> {
  let summary = "rows of a value, by index";
  let description = [{
    Row i of the result is row `index[i]` of the source. Indices are a column of i32, one for
    each row of the result; one out of range is an error at run time. The result has the
    columns and the element type of the source.

    ```mlir
    %r = pl.gather %a, %idx : !pl.tile<16x64xf32>, !pl.tile<8x1xi32> -> !pl.tile<8x64xf32>
    ```

    Codes: 104, 105; at run time 401.
  }];
  let arguments = (ins Pl_TileOrTensor:$source, Pl_TileOrTensor:$index);
  let results = (outs Pl_TileOrTensor:$result);
  let assemblyFormat = "$source `,` $index attr-dict `:` qualified(type($source)) `,` "
      "qualified(type($index)) `->` qualified(type($result))";
}

} // opDocGroup

#endif // PL_SHAPE
