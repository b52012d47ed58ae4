//===- Transfer.td - bulk put and get --------------------------------------------===//
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PLD_TRANSFER
#define PLD_TRANSFER

include "pld/Base.td"

def Pld_TransferFamily : Pld_Family<"Bulk transfers", [{
Memory to memory between ranks, through a staging tile.
}]>;

let opDocGroup = Pld_TransferFamily in {

// Offsets and sizes are written together, or left out together for the whole slice.
class Pld_TransferOp<string mnemonic, string effects, TypeConstraint from, TypeConstraint to, dag more>
    : Pld_Op<mnemonic, [AttrSizedOperandSegments, SegmentedOpInterface], effects> {
  let arguments = !con((ins from:$source, Variadic<Index>:$source_offsets,
      OptionalAttr<DenseI64ArrayAttr>:$static_source_offsets, to:$destination,
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
    Pld_Memory, Pld_Window, (ins OptionalAttr<Pld_AtomicKind>:$atomic)> {
  let summary = "bulk push of memory into a peer's slice";
  let description = [{
    Moves global memory or window memory through a staging tile, so it is not limited by
    on-core memory. `chunk_rows` and `chunk_cols` are the staging tile's extents, clamped to
    the transfer; `pipeline` double-buffers it and needs both, and a dynamic extent needs its
    chunk.

    Both sides have equal element types and as many dims, one to four. Without offsets and
    sizes the whole slice is moved, between equal shapes. `atomic add` combines f32, f16, bf16,
    i32, i16 or i8.

    ```mlir
    pld.put %src[0, 0], %dst[8, 0] sizes [8, 64] to %peer atomic add
        {chunk_rows = 4, chunk_cols = 64, pipeline} : memref<8x64xf32>, !pld.dtensor<16x64xf32>
    pld.put %src, %dst to %peer : memref<8x64xf32>, !pld.dtensor<8x64xf32>
    ```

    Codes: 101, 104, 105, 106, 107; at run time 401, 403.
  }];
  let assemblyFormat = operands_format # "`to` $peer (`atomic` $atomic^)? attr-dict `:` "
      # "qualified(type($source)) `,` qualified(type($destination))";
}

def Pld_GetOp : Pld_TransferOp<"get",
    "::pld::readEffect(getSourceMutable(), effects); "
    "::pld::writeEffect(getDestinationMutable(), false, effects);",
    Pld_Window, Pld_Memory, (ins)> {
  let summary = "bulk pull of a peer's slice into memory";
  let description = [{
    The mirror of `pld.put`, without atomics: the source is a window, the destination a memref
    or window. An argument that is written is `pl.out` or `pl.inout`.

    ```mlir
    pld.get %src[8, 0], %dst[0, 0] sizes [8, 64] from %peer : !pld.dtensor<16x64xf32>, memref<8x64xf32>
    ```

    Codes: 101, 104, 105, 107, 108; at run time 401, 403.
  }];
  let assemblyFormat = operands_format # "`from` $peer attr-dict `:` "
      # "qualified(type($source)) `,` qualified(type($destination))";
}

} // opDocGroup

#endif // PLD_TRANSFER
