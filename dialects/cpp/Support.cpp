//===- Support.cpp - effects, and trampolines to the Rust verifiers
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support.h"
#include "Dialects.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"

using namespace mlir;

// Implemented in src/bridge.rs. Each returns false for failure, after it has
// emitted a diagnostic.
extern "C" {
bool pldRustVerifyOp(MlirOperation op);
bool pldRustVerifySymbolUse(MlirOperation op, MlirOperation callee);
bool pldRustVerifyOpAttribute(MlirOperation op, MlirIdentifier name,
                              MlirAttribute attribute);
bool pldRustVerifyArgAttribute(MlirOperation op, unsigned argument,
                               MlirIdentifier name, MlirAttribute attribute);
bool pldRustVerifyResultAttribute(MlirOperation op, unsigned result, MlirIdentifier name);
bool pldRustVerifyShapedType(MlirStringRef kind, const int64_t *shape,
                             size_t rank, MlirType elementType,
                             MlirStringCallback report, void *userData);
}

static SideEffects::Resource *resourceOf(OpOperand &operand) {
  if (isa<pld::DTensorType>(operand.get().getType()))
    return pld::WindowResource::get();
  return pld::GlobalMemoryResource::get();
}

void pld::readEffect(OpOperand &operand, Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &operand, resourceOf(operand));
}

void pld::writeEffect(OpOperand &operand, bool atomic, Effects &effects) {
  if (atomic)
    readEffect(operand, effects);
  effects.emplace_back(MemoryEffects::Write::get(), &operand, resourceOf(operand));
}

void pld::syncEffect(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

LogicalResult pld::verifyOp(Operation *op) {
  return success(pldRustVerifyOp(wrap(op)));
}

LogicalResult pld::verifySymbolUse(Operation *op, FlatSymbolRefAttr callee,
                                   SymbolTableCollection &tables) {
  return success(pldRustVerifySymbolUse(
      wrap(op), wrap(tables.lookupNearestSymbolFrom(op, callee))));
}

LogicalResult pld::verifyOpAttribute(Operation *op, NamedAttribute attribute) {
  return success(pldRustVerifyOpAttribute(wrap(op), wrap(attribute.getName()),
                                          wrap(attribute.getValue())));
}

LogicalResult pld::verifyArgAttribute(Operation *op, unsigned argument,
                                      NamedAttribute attribute) {
  return success(pldRustVerifyArgAttribute(wrap(op), argument,
                                           wrap(attribute.getName()),
                                           wrap(attribute.getValue())));
}

LogicalResult pld::verifyResultAttribute(Operation *op, unsigned result,
                                         NamedAttribute attribute) {
  return success(
      pldRustVerifyResultAttribute(wrap(op), result, wrap(attribute.getName())));
}

bool pld::isTileOrTensor(Type type) {
  if (isa<pl::TileType>(type))
    return true;
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && !tensor.getEncoding() &&
         pldRustVerifyShapedType(wrap(pl::TileType::getMnemonic()),
                                 tensor.getShape().data(), tensor.getRank(),
                                 wrap(tensor.getElementType()), nullptr, nullptr);
}

LogicalResult
pld::verifyShapedType(StringRef kind, function_ref<InFlightDiagnostic()> emitError,
                      ArrayRef<int64_t> shape, Type elementType) {
  auto report = [](MlirStringRef message, void *userData) {
    (*static_cast<function_ref<InFlightDiagnostic()> *>(userData))() << unwrap(message);
  };
  return success(pldRustVerifyShapedType(wrap(kind), shape.data(), shape.size(),
                                         wrap(elementType), report, &emitError));
}

ParseResult pld::parseShapeAndType(AsmParser &parser,
                                   SmallVectorImpl<int64_t> &shape,
                                   Type &elementType) {
  return failure(parser.parseDimensionList(shape) || parser.parseType(elementType));
}

void pld::printShapeAndType(AsmPrinter &printer, ArrayRef<int64_t> shape,
                            Type elementType) {
  for (int64_t size : shape) {
    if (ShapedType::isDynamic(size))
      printer << "?";
    else
      printer << size;
    printer << "x";
  }
  printer << elementType;
}

ParseResult pld::parseTypeTuple(OpAsmParser &parser, SmallVectorImpl<Type> &types) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&] {
    return parser.parseType(types.emplace_back());
  });
}

void pld::printTypeTuple(OpAsmPrinter &printer, Operation *, TypeRange types) {
  printer << "(" << types << ")";
}
