//===- Support.h - what generated code calls: effects, verifier trampolines
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PLD_SUPPORT_H
#define PLD_SUPPORT_H

#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/Support/SourceMgr.h"

#include "PldInterfaces.h.inc"

namespace pld {

using Effects = llvm::SmallVectorImpl<
    mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>>;

/// Global memory of a rank: what a memref refers to.
struct GlobalMemoryResource
    : mlir::SideEffects::Resource::Base<GlobalMemoryResource> {
  llvm::StringRef getName() final { return "pl.GlobalMemory"; }
};

/// Window memory: any rank's slice of any symmetric window.
struct WindowResource : mlir::SideEffects::Resource::Base<WindowResource> {
  llvm::StringRef getName() final { return "pld.Window"; }
};

/// A read of the memory that `operand` refers to.
void readEffect(mlir::OpOperand &operand, Effects &effects);

/// A write of the memory that `operand` refers to; an atomic one also reads.
void writeEffect(mlir::OpOperand &operand, bool atomic, Effects &effects);

/// An operation that orders memory: reads and writes everything.
void syncEffect(Effects &effects);

/// Calls the Rust verifier of the operation.
llvm::LogicalResult verifyOp(mlir::Operation *op);

/// Calls the Rust folder of the operation, of one result.
mlir::OpFoldResult foldOp(mlir::Operation *op);

/// Inlining between functions of one kind. It allows no region of an operation of ours
/// (`pl.at`, `pl.spmd`) as a destination, which the base class refuses.
struct KindInliner : mlir::DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(mlir::Operation *op, mlir::Region *into, bool wouldBeCloned,
                       mlir::IRMapping &mapping) const final;
};

/// Calls the Rust verifier of a symbol use; `callee` is looked up here.
llvm::LogicalResult verifySymbolUse(mlir::Operation *op,
                                    mlir::FlatSymbolRefAttr callee,
                                    mlir::SymbolTableCollection &tables);

/// Lets functions of a kind verify the calls in them.
void registerCallVerifier(mlir::DialectRegistry &registry);

/// Calls the Rust verifier of a discardable attribute of this dialect.
llvm::LogicalResult verifyOpAttribute(mlir::Operation *op,
                                      mlir::NamedAttribute attribute);
llvm::LogicalResult verifyArgAttribute(mlir::Operation *op, unsigned argument,
                                       mlir::NamedAttribute attribute);
llvm::LogicalResult verifyResultAttribute(mlir::Operation *op, unsigned result,
                                          mlir::NamedAttribute attribute);

/// The attributes that `attr-dict` has to print, and maybe some of `elided`, which a format
/// gives a place of their own. All that an operation has are made anew from its properties
/// at each call, so only where a format leaves one of them out.
template <typename OpType>
llvm::ArrayRef<mlir::NamedAttribute> shownAttributes(OpType op, size_t elided) {
  if (elided == OpType::getAttributeNames().size())
    return op->getRawDictionaryAttrs().getValue();
  return op->getAttrs();
}

/// Where upstream's parser would crash on this text, and why: the message, and how to mend
/// it. Nothing if it would not.
struct SourceFault {
  llvm::SMLoc place;
  std::string message, mend;
};
std::optional<SourceFault> findSourceFault(const llvm::MemoryBuffer &text);

/// Whether a type is a tile, or a tensor of a tile's rank and element types.
bool isTileOrTensor(mlir::Type type);

/// Calls the Rust verifier of a shaped type: `kind` is its mnemonic.
llvm::LogicalResult
verifyShapedType(llvm::StringRef kind,
                 llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                 llvm::ArrayRef<int64_t> shape, mlir::Type elementType);

/// `8x?xf32` between the angle brackets of a type.
mlir::ParseResult parseShapeAndType(mlir::AsmParser &parser,
                                    llvm::SmallVectorImpl<int64_t> &shape,
                                    mlir::Type &elementType);
void printShapeAndType(mlir::AsmPrinter &printer, llvm::ArrayRef<int64_t> shape,
                       mlir::Type elementType);

/// `(f32, index)`: types in parentheses, maybe none.
mlir::ParseResult parseTypeTuple(mlir::OpAsmParser &parser,
                                 llvm::SmallVectorImpl<mlir::Type> &types);
void printTypeTuple(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                    mlir::TypeRange types);

/// `[%i, 0]`, or nothing at all: then the attribute is left null.
mlir::ParseResult parseOptionalIndexList(
    mlir::OpAsmParser &parser,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &values,
    mlir::DenseI64ArrayAttr &integers);
void printOptionalIndexList(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                            mlir::OperandRange values,
                            mlir::DenseI64ArrayAttr integers);

} // namespace pld

#endif // PLD_SUPPORT_H
