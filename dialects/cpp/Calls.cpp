//===- Calls.cpp - verifies the calls in functions of a kind
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

// Implemented in src/bridge.rs.
extern "C" bool pldRustVerifyCall(MlirOperation call, MlirOperation callee);

namespace {

// A function uses the symbols that it calls. The symbol table asks its users in order,
// functions before what is in them: so ours is said before upstream's own check of a call,
// each callee is found in a table, and never while other functions change.
struct CallsOfFunction
    : SymbolUserOpInterface::ExternalModel<CallsOfFunction, func::FuncOp> {
  LogicalResult verifySymbolUses(Operation *op, SymbolTableCollection &tables) const {
    bool fine = true;
    op->walk([&](func::CallOp call) {
      Operation *callee = tables.lookupNearestSymbolFrom(call, call.getCalleeAttr());
      if (isa_and_nonnull<func::FuncOp>(callee))
        fine &= pldRustVerifyCall(wrap(call.getOperation()), wrap(callee));
    });
    return success(fine);
  }
};

} // namespace

void pld::registerCallVerifier(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, func::FuncDialect *) {
    func::FuncOp::attachInterface<CallsOfFunction>(*context);
  });
}
