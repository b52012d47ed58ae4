//===- PlDialect.cpp - the generated tile dialect
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ops.h"

#define GET_OP_CLASSES
#include "PlOps.h.inc"

using pld::parseShapeAndType;
using pld::printShapeAndType;
using mlir::parseDynamicIndexList;
using mlir::printDynamicIndexList;

#include "PlDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "PlTypes.cpp.inc"
#define GET_OP_CLASSES
#include "PlOps.cpp.inc"

void pl::PlDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "PlTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "PlOps.cpp.inc"
      >();
  addInterfaces<pld::KindInliner>();
}

llvm::LogicalResult
pl::PlDialect::verifyOperationAttribute(mlir::Operation *op,
                                        mlir::NamedAttribute attribute) {
  return pld::verifyOpAttribute(op, attribute);
}

llvm::LogicalResult pl::PlDialect::verifyRegionArgAttribute(
    mlir::Operation *op, unsigned region, unsigned argument,
    mlir::NamedAttribute attribute) {
  return pld::verifyArgAttribute(op, argument, attribute);
}

llvm::LogicalResult pl::PlDialect::verifyRegionResultAttribute(
    mlir::Operation *op, unsigned region, unsigned result,
    mlir::NamedAttribute attribute) {
  return pld::verifyResultAttribute(op, result, attribute);
}

llvm::LogicalResult
pl::TileType::verify(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                     llvm::ArrayRef<int64_t> shape, mlir::Type elementType) {
  return pld::verifyShapedType(getMnemonic(), emitError, shape, elementType);
}

bool pl::TileType::hasRank() const { return true; }

mlir::ShapedType
pl::TileType::cloneWith(std::optional<llvm::ArrayRef<int64_t>> shape,
                        mlir::Type elementType) const {
  return get(getContext(), shape.value_or(getShape()), elementType);
}
