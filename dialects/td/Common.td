//===- Common.td - base classes and constraints of both dialects ----------===//
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PLD_COMMON
#define PLD_COMMON

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "Enums.td"

// What an operation with several variadic operands answers without making an attribute.
def SegmentedOpInterface : OpInterface<"SegmentedOp"> {
  let cppNamespace = "::pld";
  let description = "An operation whose operands come in segments.\n";
  let methods = [InterfaceMethod<"How many operands each segment has.",
      "::llvm::ArrayRef<int32_t>", "getSegmentSizes", (ins), "",
      "return $_op.getProperties().operandSegmentSizes;">];
}

// Operands whose type error carries a code of ours: typed loosely here, so that ODS
// does not print its own message first, and checked by the verifier.
class Pld_Checked<string summary> : Type<CPred<"true">, summary>;
def Pld_Array : Pld_Checked<"memref of identity layout">;
def Pld_Memory : Pld_Checked<"memref of identity layout, or window">;
def Pld_Window : Pld_Checked<"window (!pld.dtensor)">;
def Pld_Signal : Pld_Checked<"window of i32, at least one element per rank">;
def Pld_Scalar : Pld_Checked<"scalar of the element type">;
def Pld_Argument : Pld_Checked<"memref, window or scalar">;

// A family of operations: a chapter of the reference.
class Pld_Family<string name, string text> : OpDocGroup {
  let summary = name;
  let description = text;
}

// Every operation has a summary, and a description that gives what its operands may be, an
// example, and a last line `Codes: ` with what it can be refused with (103, not in this kind
// of function, apart): `./x doc` makes the reference of it, and a test asks for all three.
//
// Every operation has a verifier; it lives in Rust, in the file named after the
// operation's family. `effects` is the body of getEffects where there is one. The folder
// of an operation that has one is Rust too: `let hasFolder = 1;`.
class Pld_BaseOp<Dialect dialect, string mnemonic, list<Trait> traits, string effects>
    : Op<dialect, mnemonic, !listconcat(traits,
          !if(!empty(effects), []<Trait>,
              [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]))> {
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return ::pld::verifyOp(getOperation());
    }
  }] # !if(!empty(effects), "", [{
    void $cppClass::getEffects(::llvm::SmallVectorImpl<
        ::mlir::SideEffects::EffectInstance<::mlir::MemoryEffects::Effect>> &effects) {
  }] # effects # [{
    }
  }]) # !if(hasFolder, [{
    ::mlir::OpFoldResult $cppClass::fold(FoldAdaptor) {
      return ::pld::foldOp(getOperation());
    }
  }], "");
}

// Parts of assembly formats. The empty literal keeps `%x[0]` together.
class Pld_Formats {
  string offsets = "`` custom<DynamicIndexList>($offsets, $static_offsets) ";
  string valid = "(`valid` custom<DynamicIndexList>($valid, $static_valid)^)? ";
  string pad = "(`pad` `(` $pad^ `:` type($pad) `)`)? ";
}
def Pld_Fmt : Pld_Formats;

#endif // PLD_COMMON
