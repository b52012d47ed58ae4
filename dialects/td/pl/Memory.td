//===- Memory.td - tiles and scalars from and to memory ---------------------===//
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PL_MEMORY
#define PL_MEMORY

include "pl/Base.td"

def Pl_MemoryFamily : Pld_Family<"Memory", [{
Access to global memory and to the own slice of a window, and what is asked of arrays.
Offsets are lists of numbers and `index` values, one entry per dim of the memory operand.
}]>;

let opDocGroup = Pl_MemoryFamily in {

def Pl_LoadOp : Pl_Op<"load", [AttrSizedOperandSegments, SegmentedOpInterface],
    "::pld::readEffect(getSourceMutable(), effects);"> {
  let summary = "load a tile from global memory or from the own window slice";
  let description = [{
    The tile covers the two innermost dims of the memory operand at `offsets`, one
    entry per dim (leading dims count 1; an array of rank 1 is one row). With `valid`
    only that part is read and bounds-checked, and the rest of the tile holds the pad
    value, 0 by default.

    Memory has one to four dims and the element type of the tile: f32, f16, bf16, i8, i16,
    i32, i64 or i1. Both entries of `valid` are from 0 to the tile's extents. The pad value
    has the element type.

    ```mlir
    %t = pl.load %x[%i, 0] : memref<64x64xf32> -> !pl.tile<8x64xf32>
    %u = pl.load %x[%i, 0] valid [%r, 29] pad(%v : f32) : memref<37x29xf32> -> !pl.tile<8x32xf32>
    ```

    Codes: 101, 104, 105; at run time 401, 403.
  }];
  let arguments = (ins Pld_Memory:$source, Variadic<Index>:$offsets,
      DenseI64ArrayAttr:$static_offsets, Variadic<Index>:$valid,
      OptionalAttr<DenseI64ArrayAttr>:$static_valid, Optional<Pld_Scalar>:$pad);
  let results = (outs Pl_Tile:$result);
  let assemblyFormat = !strconcat("$source ", Pld_Fmt.offsets, Pld_Fmt.valid, Pld_Fmt.pad, "attr-dict `:` qualified(type($source)) `->` qualified(type($result))");
}

def Pl_StoreOp : Pl_Op<"store", [AttrSizedOperandSegments, SegmentedOpInterface],
    "::pld::writeEffect(getDestinationMutable(), getAtomicAttr() != nullptr, effects);"> {
  let summary = "store a tile to global memory or to the own window slice";
  let description = [{
    The mirror of `pl.load`. With `valid` only that part of the tile is written and
    bounds-checked. With `atomic add` each element is added to memory (f32, f16, bf16, i32,
    i16, i8). An argument that is written is `pl.out` or `pl.inout`.

    Memory has one to four dims and the element type of the tile.

    ```mlir
    pl.store %t, %y[%i, 0] : !pl.tile<8x64xf32>, memref<64x64xf32>
    pl.store %t, %y[%i, 0] valid [%r, 29] atomic add : !pl.tile<8x32xf32>, memref<37x29xf32>
    ```

    Codes: 101, 104, 105, 106, 108; a warning 113; at run time 401, 403.
  }];
  let arguments = (ins Pl_Tile:$tile, Pld_Memory:$destination, Variadic<Index>:$offsets,
      DenseI64ArrayAttr:$static_offsets, Variadic<Index>:$valid,
      OptionalAttr<DenseI64ArrayAttr>:$static_valid, OptionalAttr<Pld_AtomicKind>:$atomic);
  let assemblyFormat = !strconcat("$tile `,` $destination ", Pld_Fmt.offsets, Pld_Fmt.valid, "(`atomic` $atomic^)? attr-dict `:` qualified(type($tile)) `,` qualified(type($destination))");
}

def Pl_ReadOp : Pl_Op<"read",
    [TypesMatchWith<"result is an element of the source", "source", "result",
                    "::mlir::getElementTypeOrSelf($_self)">],
    "::pld::readEffect(getSourceMutable(), effects);"> {
  let summary = "read one element of global memory or of the own window slice";
  let description = [{
    The result has the element type of the memory, which has one to four dims. Polling with
    `pl.read` is not a wait: it orders nothing, and a pass may drop it.

    ```mlir
    %v = pl.read %s[%i, 0] : !pld.dtensor<?x1xi32>
    ```

    Codes: 101, 104, 105; at run time 401, 403.
  }];
  let arguments = (ins Pld_Memory:$source, Variadic<Index>:$offsets,
      DenseI64ArrayAttr:$static_offsets);
  let results = (outs Pld_Scalar:$result);
  let assemblyFormat = !strconcat("$source ", Pld_Fmt.offsets, "attr-dict `:` qualified(type($source))");
}

def Pl_WriteOp : Pl_Op<"write",
    [TypesMatchWith<"value is an element of the destination", "destination", "value",
                    "::mlir::getElementTypeOrSelf($_self)">],
    "::pld::writeEffect(getDestinationMutable(), false, effects);"> {
  let summary = "write one element of global memory or of the own window slice";
  let description = [{
    The value has the element type of the memory, which has one to four dims. An argument that
    is written is `pl.out` or `pl.inout`.

    ```mlir
    pl.write %v, %y[%i, 0] : memref<4x1xi32>
    ```

    Codes: 101, 104, 105, 108; at run time 401, 403.
  }];
  let arguments = (ins Pld_Scalar:$value, Pld_Memory:$destination, Variadic<Index>:$offsets,
      DenseI64ArrayAttr:$static_offsets);
  let assemblyFormat = !strconcat("$value `,` $destination ", Pld_Fmt.offsets, "attr-dict `:` qualified(type($destination))");
}

def Pl_DimOp : Pl_Op<"dim", [Pure]> {
  let summary = "run-time extent of a memref or window";
  let description = [{
    `dim` is below the rank of the memory, of any element type.

    ```mlir
    %d = pl.dim %w, 0 : !pld.dtensor<?x64xf32>
    ```

    Codes: 101, 104.
  }];
  let arguments = (ins Pld_Memory:$source, I64Attr:$dim);
  let results = (outs Index:$result);
  let assemblyFormat = "$source `,` $dim attr-dict `:` qualified(type($source))";
}

// The rank may turn out to be none: not to be hoisted out of a loop that might not turn.
def Pl_ShardOp : Pl_Op<"shard", [NoMemoryEffect]> {
  let summary = "a rank's slice of a world array";
  let description = [{
    Drops the leading dim, which is the world size: slice `rank` of the array. An
    argument of the host entry that is sharded is a world array; every other array is
    replicated. The source has rank 2 or more; the result has its type without the leading
    dim.

    ```mlir
    %xr = pl.shard %x[%r] : memref<?x1x64xf32> -> memref<1x64xf32>
    ```

    Codes: 101, 104, 105; at run time 401.
  }];
  let arguments = (ins Pld_Array:$source, Index:$rank);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = "$source `` `[` $rank `]` attr-dict `:` qualified(type($source)) `->` type($result)";
}

} // opDocGroup

#endif // PL_MEMORY
