//===- Ops.h - what the generated operation classes need; they cost the most to compile,
// so only the file of their dialect has them
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PLD_OPS_H
#define PLD_OPS_H

#include "Dialects.h"
#include "Support.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

// Generated printers ask for all attributes of their operation: see `shownAttributes`.
#define printOptionalAttrDict(attributes, elided)                                        \
  printOptionalAttrDict(::pld::shownAttributes(*this, elided.size()), elided)

#endif // PLD_OPS_H
