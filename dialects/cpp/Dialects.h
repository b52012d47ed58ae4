//===- Dialects.h - both dialects and their types, as generated from td/
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PLD_DIALECTS_H
#define PLD_DIALECTS_H

#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"

#include "PldEnums.h.inc"

#include "PlDialect.h.inc"
#include "PldDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "PlTypes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "PldTypes.h.inc"

#endif // PLD_DIALECTS_H
