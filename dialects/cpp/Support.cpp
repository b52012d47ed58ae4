//===- Support.cpp - effects, and trampolines to the Rust verifiers and folders
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support.h"
#include "Dialects.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

#include "PldInterfaces.cpp.inc"

// Implemented in src/bridge.rs. Each verifier returns false for failure, after it has
// emitted a diagnostic.
extern "C" {
bool pldRustVerifyOp(MlirOperation op);
MlirValue pldRustFoldOp(MlirOperation op);
bool pldRustMayInline(MlirOperation op, MlirOperation into);
bool pldRustVerifySymbolUse(MlirOperation op, MlirOperation callee);
bool pldRustVerifyOpAttribute(MlirOperation op, MlirIdentifier name,
                              MlirAttribute attribute);
bool pldRustVerifyArgAttribute(MlirOperation op, unsigned argument,
                               MlirIdentifier name, MlirAttribute attribute);
bool pldRustVerifyResultAttribute(MlirOperation op, unsigned result, MlirIdentifier name);
intptr_t pldRustFindSourceFault(MlirStringRef text, MlirStringRef *message,
                                MlirStringRef *mend);
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

OpFoldResult pld::foldOp(Operation *op) {
  MlirValue folded = pldRustFoldOp(wrap(op));
  return mlirValueIsNull(folded) ? OpFoldResult() : OpFoldResult(unwrap(folded));
}

bool pld::KindInliner::isLegalToInline(Operation *op, Region *into, bool, IRMapping &) const {
  return pldRustMayInline(wrap(op), wrap(into->getParentOp()));
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

std::optional<pld::SourceFault> pld::findSourceFault(const llvm::MemoryBuffer &text) {
  MlirStringRef message, mend;
  intptr_t offset = pldRustFindSourceFault(wrap(text.getBuffer()), &message, &mend);
  if (offset < 0)
    return std::nullopt;
  return SourceFault{llvm::SMLoc::getFromPointer(text.getBufferStart() + offset),
                     unwrap(message).str(), unwrap(mend).str()};
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

ParseResult pld::parseOptionalIndexList(
    OpAsmParser &parser, SmallVectorImpl<OpAsmParser::UnresolvedOperand> &values,
    DenseI64ArrayAttr &integers) {
  if (failed(parser.parseOptionalLSquare()))
    return success();
  SmallVector<int64_t> entries;
  auto parseEntry = [&]() -> ParseResult {
    OpAsmParser::UnresolvedOperand value;
    OptionalParseResult dynamic = parser.parseOptionalOperand(value);
    if (dynamic.has_value()) {
      values.push_back(value);
      entries.push_back(ShapedType::kDynamic);
      return *dynamic;
    }
    return parser.parseInteger(entries.emplace_back());
  };
  if (parser.parseCommaSeparatedList(parseEntry) || parser.parseRSquare())
    return failure();
  integers = parser.getBuilder().getDenseI64ArrayAttr(entries);
  return success();
}

void pld::printOptionalIndexList(OpAsmPrinter &printer, Operation *op,
                                 OperandRange values, DenseI64ArrayAttr integers) {
  if (integers)
    printDynamicIndexList(printer, op, values, integers);
}
