//===- Remote.td - tiles from and to a peer's slice -------------------------===//
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PLD_REMOTE
#define PLD_REMOTE

include "pld/Base.td"

def Pld_RemoteFamily : Pld_Family<"Remote tiles", [{
Tiles straight from and to the slice of a peer.
}]>;

let opDocGroup = Pld_RemoteFamily in {

def Pld_RemoteLoadOp : Pld_Op<"remote_load", [AttrSizedOperandSegments, SegmentedOpInterface],
    "::pld::readEffect(getSourceMutable(), effects);"> {
  let summary = "pull a region of a peer's slice into a tile";
  let description = [{
    As `pl.load`, from the slice of `peer`, a dense rank of the window's group. The peer
    must have staged the data before: order the two by a barrier or by notify and wait. The
    window has one to four dims and the element type of the tile.

    ```mlir
    %t = pld.remote_load %data[0, 0] from %peer : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
    ```

    Codes: 101, 104, 105; at run time 401, 403.
  }];
  let arguments = (ins Pld_Window:$source, Variadic<Index>:$offsets,
      DenseI64ArrayAttr:$static_offsets, Variadic<Index>:$valid,
      OptionalAttr<DenseI64ArrayAttr>:$static_valid, Optional<Pld_Scalar>:$pad, Index:$peer);
  let results = (outs Pl_Tile:$result);
  let assemblyFormat = !strconcat("$source ", Pld_Fmt.offsets, Pld_Fmt.valid, Pld_Fmt.pad, "`from` $peer attr-dict `:` qualified(type($source)) `->` qualified(type($result))");
}

def Pld_RemoteStoreOp : Pld_Op<"remote_store", [AttrSizedOperandSegments, SegmentedOpInterface],
    "::pld::writeEffect(getDestinationMutable(), getAtomicAttr() != nullptr, effects);"> {
  let summary = "push a tile into a peer's slice";
  let description = [{
    One remote write, straight from on-core memory. `atomic add` combines with what is
    there (f32, bf16, f16, i32, i16, i8). In a `pl.at` region the value is a tensor. The
    window has one to four dims and the element type of the value; `valid` is as in `pl.store`.

    ```mlir
    pld.remote_store %t, %data[0, 0] to %peer : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
    ```

    Codes: 101, 104, 105, 106; at run time 401, 403.
  }];
  let arguments = (ins Pl_TileOrTensor:$tile, Pld_Window:$destination, Variadic<Index>:$offsets,
      DenseI64ArrayAttr:$static_offsets, Variadic<Index>:$valid,
      OptionalAttr<DenseI64ArrayAttr>:$static_valid, Index:$peer,
      OptionalAttr<Pld_AtomicKind>:$atomic);
  let assemblyFormat = !strconcat("$tile `,` $destination ", Pld_Fmt.offsets, Pld_Fmt.valid, "`to` $peer (`atomic` $atomic^)? attr-dict `:` qualified(type($tile)) `,` qualified(type($destination))");
}

} // opDocGroup

#endif // PLD_REMOTE
