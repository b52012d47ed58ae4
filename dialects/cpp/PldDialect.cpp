//===- PldDialect.cpp - the generated distributed dialect
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ops.h"

#define GET_OP_CLASSES
#include "PldOps.h.inc"

using mlir::parseDynamicIndexList;
using mlir::printDynamicIndexList;

#include "PldEnums.cpp.inc"

#include "PldDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "PldTypes.cpp.inc"
#define GET_OP_CLASSES
#include "PldOps.cpp.inc"

void pld::PldDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "PldTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "PldOps.cpp.inc"
      >();
  addInterfaces<KindInliner>();
}

llvm::LogicalResult
pld::PldDialect::verifyOperationAttribute(mlir::Operation *op,
                                          mlir::NamedAttribute attribute) {
  return verifyOpAttribute(op, attribute);
}

llvm::LogicalResult pld::PldDialect::verifyRegionArgAttribute(
    mlir::Operation *op, unsigned region, unsigned argument,
    mlir::NamedAttribute attribute) {
  return verifyArgAttribute(op, argument, attribute);
}

llvm::LogicalResult pld::PldDialect::verifyRegionResultAttribute(
    mlir::Operation *op, unsigned region, unsigned result,
    mlir::NamedAttribute attribute) {
  return verifyResultAttribute(op, result, attribute);
}

llvm::LogicalResult
pld::DTensorType::verify(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                         llvm::ArrayRef<int64_t> shape, mlir::Type elementType) {
  return verifyShapedType(getMnemonic(), emitError, shape, elementType);
}

bool pld::DTensorType::hasRank() const { return true; }

mlir::ShapedType
pld::DTensorType::cloneWith(std::optional<llvm::ArrayRef<int64_t>> shape,
                            mlir::Type elementType) const {
  return get(getContext(), shape.value_or(getShape()), elementType);
}

llvm::LogicalResult
pld::DispatchOp::verifySymbolUses(mlir::SymbolTableCollection &tables) {
  return verifySymbolUse(getOperation(), getCalleeAttr(), tables);
}
