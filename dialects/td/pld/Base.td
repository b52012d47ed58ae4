//===- Base.td - the distributed dialect, its types -------------------------===//
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PLD_BASE
#define PLD_BASE

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"
include "pl/Base.td"

def Pld_Dialect : Dialect {
  let name = "pld";
  let cppNamespace = "::pld";
  let summary = "Distributed tile programs: symmetric windows, signals, remote tiles.";
  let description = [{
    A window buffer exists on every rank at one address; a `!pld.dtensor` is a typed
    view of it. A rank reaches its own slice by `pl.load` and `pl.store` and its peers'
    slices by `pld.remote_load` and `pld.remote_store`. Signals order them: `pld.notify`
    releases, `pld.wait` acquires, `pld.barrier` does both.

    `pld.world_sizes = array<i64: 2, 4>` on a host function states the world sizes it is
    written for.
  }];
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

class Pld_Type<string name, string mnemonic_, list<Trait> traits = []>
    : TypeDef<Pld_Dialect, name, traits> {
  let mnemonic = mnemonic_;
}

def Pld_DTensor : Pld_Type<"DTensor", "dtensor",
    [DeclareTypeInterfaceMethods<ShapedTypeInterface>]> {
  let summary = "typed view of a symmetric window buffer";
  let description = [{
    A reference to memory that every rank of the window's group has at the same offset: the
    own slice is loaded and stored, peers' slices by remote access.

    ```mlir
    !pld.dtensor<1x64xf32>
    !pld.dtensor<?x1xi32>     // the leading extent is known at run time only
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t", "extents, at most four">:$shape,
      TypeParameter<"::mlir::Type", "f32, f16, bf16, i8, i16, i32 or i64">:$elementType);
  let assemblyFormat = "`<` custom<ShapeAndType>($shape, $elementType) `>`";
  let genVerifyDecl = 1;
}

def Pld_WindowBuffer : Pld_Type<"WindowBuffer", "window_buffer"> {
  let summary = "symmetric window buffer";
  let description = "Bytes on every rank of a group, without a shape: `pld.window` gives one.\n";
}

def Pld_CommCtx : Pld_Type<"CommCtx", "comm_ctx"> {
  let summary = "communication context of a window's group";
  let description = "What knows the ranks of a window's group: see `pld.get_comm_ctx`.\n";
}

// The same two as operands and results whose type need not be spelled.
class Pld_Buildable<string cppName, string summary>
    : Type<CPred<"::llvm::isa<" # cppName # ">($_self)">, summary, cppName>,
      BuildableType<"$_builder.getType<" # cppName # ">()">;
def Pld_WindowBufferArg : Pld_Buildable<"::pld::WindowBufferType", "window buffer">;
def Pld_CommCtxArg : Pld_Buildable<"::pld::CommCtxType", "communication context">;

class Pld_Op<string mnemonic, list<Trait> traits = [], string effects = "">
    : Pld_BaseOp<Pld_Dialect, mnemonic, traits, effects>;

#endif // PLD_BASE
