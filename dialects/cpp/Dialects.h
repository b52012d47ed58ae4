//===- Dialects.h - both dialects, as generated from td/
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PLD_DIALECTS_H
#define PLD_DIALECTS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "PldEnums.h.inc"

#include "PlDialect.h.inc"
#include "PldDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "PlTypes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "PldTypes.h.inc"

#include "Support.h"

#define GET_OP_CLASSES
#include "PlOps.h.inc"
#define GET_OP_CLASSES
#include "PldOps.h.inc"

#endif // PLD_DIALECTS_H
