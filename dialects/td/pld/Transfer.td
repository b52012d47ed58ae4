//===- Transfer.td - bulk put and get --------------------------------------------===//
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PLD_TRANSFER
#define PLD_TRANSFER

include "pld/Base.td"

// Offsets and sizes are written together, or left out together for the whole slice.
class Pld_TransferOp<string mnemonic, string effects, dag more>
    : Pld_Op<mnemonic, [AttrSizedOperandSegments], effects> {
  let arguments = !con((ins Pld_Checked:$source, Variadic<Index>:$source_offsets,
      OptionalAttr<DenseI64ArrayAttr>:$static_source_offsets, Pld_Checked:$destination,
      Variadic<Index>:$destination_offsets,
      OptionalAttr<DenseI64ArrayAttr>:$static_destination_offsets, Variadic<Index>:$sizes,
      OptionalAttr<DenseI64ArrayAttr>:$static_sizes, Index:$peer,
      OptionalAttr<I64Attr>:$chunk_rows, OptionalAttr<I64Attr>:$chunk_cols,
      UnitAttr:$pipeline), more);
  string operands_format = "$source `` custom<OptionalIndexList>($source_offsets, $static_source_offsets) `,` "
      "$destination `` custom<OptionalIndexList>($destination_offsets, $static_destination_offsets) "
      "(`sizes` custom<DynamicIndexList>($sizes, $static_sizes)^)? ";
}

def Pld_PutOp : Pld_TransferOp<"put",
    "::pld::readEffect(getSourceMutable(), effects); "
    "::pld::writeEffect(getDestinationMutable(), getAtomicAttr() != nullptr, effects);",
    (ins OptionalAttr<Pld_AtomicKind>:$atomic)> {
  let summary = "bulk push of memory into a peer's slice";
  let description = [{
    Moves global memory or window memory through a staging tile, so it is not limited by
    on-core memory. `chunk_rows` and `chunk_cols` are the staging tile's extents, clamped to
    the transfer; `pipeline` double-buffers it and needs both.

    ```mlir
    pld.put %src[0, 0], %dst[8, 0] sizes [8, 64] to %peer atomic add
        {chunk_rows = 4, chunk_cols = 64, pipeline} : memref<8x64xf32>, !pld.dtensor<16x64xf32>
    pld.put %src, %dst to %peer : memref<8x64xf32>, !pld.dtensor<8x64xf32>
    ```
  }];
  let assemblyFormat = operands_format # "`to` $peer (`atomic` $atomic^)? attr-dict `:` "
      # "qualified(type($source)) `,` qualified(type($destination))";
}

def Pld_GetOp : Pld_TransferOp<"get",
    "::pld::readEffect(getSourceMutable(), effects); "
    "::pld::writeEffect(getDestinationMutable(), false, effects);", (ins)> {
  let summary = "bulk pull of a peer's slice into memory";
  let description = [{
    ```mlir
    pld.get %src[8, 0], %dst[0, 0] sizes [8, 64] from %peer : !pld.dtensor<16x64xf32>, memref<8x64xf32>
    ```
  }];
  let assemblyFormat = operands_format # "`from` $peer attr-dict `:` "
      # "qualified(type($source)) `,` qualified(type($destination))";
}

#endif // PLD_TRANSFER
