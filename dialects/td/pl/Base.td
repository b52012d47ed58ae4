//===- Base.td - the tile dialect, its types --------------------------------===//
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PL_BASE
#define PL_BASE

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "Common.td"

def Pl_Dialect : Dialect {
  let name = "pl";
  let cppNamespace = "::pl";
  let summary = "Tile programs: load a tile from global memory, compute, store.";
  let description = [{
    A function is marked with the unit attribute `pl.host` (the host CPU, once per
    program), `pl.device` (one per rank) or `pl.incore` (the AI core). Global memory
    is a `memref`: a reference, so reads and writes are effects. A tile,
    `!pl.tile<8x64xf32>`, is a pure value that fits on-core.

    Direction of memref arguments: `pl.in` (the default), `pl.out`, `pl.inout`.
    `pl.golden` marks a function in upstream dialects that computes what the entry
    (or the entry it names) is expected to write; `pl.rtol` and `pl.atol` on it set
    the tolerance. `pl.arg` on an argument says how it is filled when no file is given.
  }];
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

class Pl_Type<string name, string mnemonic_, list<Trait> traits = []>
    : TypeDef<Pl_Dialect, name, traits> {
  let mnemonic = mnemonic_;
}

def Pl_Tile : Pl_Type<"Tile", "tile", [DeclareTypeInterfaceMethods<ShapedTypeInterface>]> {
  let summary = "on-core tile";
  let description = [{
    A value of rank 2 and static shape that is held on-core. Each of its elements is
    always defined.

    ```mlir
    !pl.tile<8x64xf32>        // 8 rows of 64 elements
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t", "rows, columns">:$shape,
      TypeParameter<"::mlir::Type", "f32, f16, bf16, i8, i16, i32, i64 or i1">:$elementType);
  let assemblyFormat = "`<` custom<ShapeAndType>($shape, $elementType) `>`";
  let genVerifyDecl = 1;
}

def Pl_TileOrTensor : Type<CPred<"::pld::isTileOrTensor($_self)">,
    "tile, or tensor of what a tile can hold (rank 2, static)", "::mlir::ShapedType">;

def Pl_Tensor : Type<And<[CPred<"::llvm::isa<::mlir::RankedTensorType>($_self)">, Pl_TileOrTensor.predicate]>,
    "tensor of what a tile can hold (rank 2, static)", "::mlir::ShapedType">;

// Element types that operations take, as `Class` of the verifiers has them.
class Pl_ElementTypes<string names, string example_> {
  string text = "Elements are " # names # ".";
  string example = example_;
}
def Pl_Numbers : Pl_ElementTypes<"f32, f16, bf16, i8, i16, i32 or i64", "f32">;
def Pl_Floats : Pl_ElementTypes<"f32, f16 or bf16", "f32">;
def Pl_Integers : Pl_ElementTypes<"i8, i16, i32 or i64", "i32">;
def Pl_Bits : Pl_ElementTypes<"i1, i8, i16, i32 or i64", "i32">;

class Pl_Op<string mnemonic, list<Trait> traits = [], string effects = "">
    : Pld_BaseOp<Pl_Dialect, mnemonic, traits, effects>;

#endif // PL_BASE
