/*===-- pld-c/Passes.h - passes for frontends on MLIR's C API --------*- C -*-===*
 *
 * Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * In libpld_mlir_c.a, as pld-c/Dialects.h.
 *
 *===----------------------------------------------------------------------===*/
#ifndef PLD_C_PASSES_H
#define PLD_C_PASSES_H

#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Registers the passes and pipelines of pld, and upstream's, which they are made of, for
 * mlirParsePassPipeline: "builtin.module(lower-pld-to-hccl)". docs/reference/passes.md lists
 * them. From any thread; doing so again changes nothing. */
MLIR_CAPI_EXPORTED void pldRegisterAllPasses(void);

/* The C++ of a module that lower-pld-to-hccl has lowered: what `pld-translate
 * --mlir-to-ascendc` prints goes to the callback. Failure comes after a diagnostic. */
MLIR_CAPI_EXPORTED MlirLogicalResult pldTranslateToAscendC(MlirOperation module,
                                                           MlirStringCallback callback,
                                                           void *userData);

#ifdef __cplusplus
}
#endif

#endif /* PLD_C_PASSES_H */
