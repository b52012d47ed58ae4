/*===-- pld-c/Dialects.h - pl and pld for frontends on MLIR's C API --*- C -*-===*
 *
 * Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Types and attributes of the dialects `pl` and `pld` as MlirType and MlirAttribute, in the
 * frontend's own MlirContext. In libpld_mlir_c.a, which uses the frontend's MLIR 22.
 *
 * As in MLIR's C API a dialect must be loaded before its types are made, and nothing but what
 * a `...IsA...` is asked may be null. docs/embedding.md has a program.
 *
 *===----------------------------------------------------------------------===*/
#ifndef PLD_C_DIALECTS_H
#define PLD_C_DIALECTS_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/* mlirGetDialectHandle__pl__() and mlirGetDialectHandle__pld__(). Operations of pld stand in
 * functions that attributes of pl mark: load both. */
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Pl, pl);
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Pld, pld);

/*===----------------------------------------------------------------------===*
 * Types
 *
 * `...Get` trusts its parameters; `...GetChecked` answers with null after a diagnostic at the
 * location. An extent of a window may be mlirShapedTypeGetDynamicSize(). Extents and element
 * type of both shaped types are read by mlirShapedTypeGet*.
 *===----------------------------------------------------------------------===*/

/* !pl.tile<ROWSxCOLUMNSxELEMENT>; the rank is 2. */
MLIR_CAPI_EXPORTED MlirType pldTileTypeGet(MlirContext context, intptr_t rank,
                                           const int64_t *shape, MlirType elementType);
MLIR_CAPI_EXPORTED MlirType pldTileTypeGetChecked(MlirLocation location, intptr_t rank,
                                                  const int64_t *shape, MlirType elementType);
MLIR_CAPI_EXPORTED bool pldTypeIsATile(MlirType type);

/* !pld.dtensor<SHAPExELEMENT>: a view of a symmetric window. */
MLIR_CAPI_EXPORTED MlirType pldDTensorTypeGet(MlirContext context, intptr_t rank,
                                              const int64_t *shape, MlirType elementType);
MLIR_CAPI_EXPORTED MlirType pldDTensorTypeGetChecked(MlirLocation location, intptr_t rank,
                                                     const int64_t *shape,
                                                     MlirType elementType);
MLIR_CAPI_EXPORTED bool pldTypeIsADTensor(MlirType type);

/* !pld.window_buffer */
MLIR_CAPI_EXPORTED MlirType pldWindowBufferTypeGet(MlirContext context);
MLIR_CAPI_EXPORTED bool pldTypeIsAWindowBuffer(MlirType type);

/* !pld.comm_ctx */
MLIR_CAPI_EXPORTED MlirType pldCommCtxTypeGet(MlirContext context);
MLIR_CAPI_EXPORTED bool pldTypeIsACommCtx(MlirType type);

/*===----------------------------------------------------------------------===*
 * Attributes
 *
 * The enumerations of the operations. `...AttrGet` answers with null for a number that is no
 * case; `...AttrGetValue` may be asked only of what `pldAttributeIsA...` says yes to. Each is an
 * integer attribute of i32, so one whose number is a case of several is a value of all of them.
 *===----------------------------------------------------------------------===*/

/* How a store combines with memory: `atomic` of pl.store, pld.remote_store and pld.put. */
typedef enum PldAtomicKind { PldAtomicKindAdd = 0 } PldAtomicKind;

/* The rounding of a pl.cast. */
typedef enum PldRoundMode {
  PldRoundModeNone = 0,
  PldRoundModeRint = 1,
  PldRoundModeRound = 2,
  PldRoundModeFloor = 3,
  PldRoundModeCeil = 4,
  PldRoundModeTrunc = 5
} PldRoundMode;

/* How a pld.notify changes its cell. */
typedef enum PldNotifyKind { PldNotifyKindAdd = 0, PldNotifyKindSet = 1 } PldNotifyKind;

/* What a pld.wait compares its cell by. */
typedef enum PldWaitCmp {
  PldWaitCmpEq = 0,
  PldWaitCmpNe = 1,
  PldWaitCmpGt = 2,
  PldWaitCmpGe = 3,
  PldWaitCmpLt = 4,
  PldWaitCmpLe = 5
} PldWaitCmp;

/* The comparison of a pl.cmp. */
typedef enum PldCmpPredicate {
  PldCmpPredicateEq = 0,
  PldCmpPredicateNe = 1,
  PldCmpPredicateLt = 2,
  PldCmpPredicateLe = 3,
  PldCmpPredicateGt = 4,
  PldCmpPredicateGe = 5
} PldCmpPredicate;

/* How a collective combines ranks. */
typedef enum PldReduceKind {
  PldReduceKindSum = 0,
  PldReduceKindMax = 1,
  PldReduceKindMin = 2,
  PldReduceKindProd = 3
} PldReduceKind;

/* Where the region of a pl.at runs. */
typedef enum PldExecutionLevel { PldExecutionLevelCoreGroup = 0 } PldExecutionLevel;

MLIR_CAPI_EXPORTED MlirAttribute pldAtomicKindAttrGet(MlirContext context, PldAtomicKind kind);
MLIR_CAPI_EXPORTED bool pldAttributeIsAAtomicKind(MlirAttribute attribute);
MLIR_CAPI_EXPORTED PldAtomicKind pldAtomicKindAttrGetValue(MlirAttribute attribute);

MLIR_CAPI_EXPORTED MlirAttribute pldRoundModeAttrGet(MlirContext context, PldRoundMode mode);
MLIR_CAPI_EXPORTED bool pldAttributeIsARoundMode(MlirAttribute attribute);
MLIR_CAPI_EXPORTED PldRoundMode pldRoundModeAttrGetValue(MlirAttribute attribute);

MLIR_CAPI_EXPORTED MlirAttribute pldNotifyKindAttrGet(MlirContext context, PldNotifyKind kind);
MLIR_CAPI_EXPORTED bool pldAttributeIsANotifyKind(MlirAttribute attribute);
MLIR_CAPI_EXPORTED PldNotifyKind pldNotifyKindAttrGetValue(MlirAttribute attribute);

MLIR_CAPI_EXPORTED MlirAttribute pldWaitCmpAttrGet(MlirContext context, PldWaitCmp comparison);
MLIR_CAPI_EXPORTED bool pldAttributeIsAWaitCmp(MlirAttribute attribute);
MLIR_CAPI_EXPORTED PldWaitCmp pldWaitCmpAttrGetValue(MlirAttribute attribute);

MLIR_CAPI_EXPORTED MlirAttribute pldCmpPredicateAttrGet(MlirContext context,
                                                        PldCmpPredicate predicate);
MLIR_CAPI_EXPORTED bool pldAttributeIsACmpPredicate(MlirAttribute attribute);
MLIR_CAPI_EXPORTED PldCmpPredicate pldCmpPredicateAttrGetValue(MlirAttribute attribute);

MLIR_CAPI_EXPORTED MlirAttribute pldReduceKindAttrGet(MlirContext context, PldReduceKind kind);
MLIR_CAPI_EXPORTED bool pldAttributeIsAReduceKind(MlirAttribute attribute);
MLIR_CAPI_EXPORTED PldReduceKind pldReduceKindAttrGetValue(MlirAttribute attribute);

MLIR_CAPI_EXPORTED MlirAttribute pldExecutionLevelAttrGet(MlirContext context,
                                                          PldExecutionLevel level);
MLIR_CAPI_EXPORTED bool pldAttributeIsAExecutionLevel(MlirAttribute attribute);
MLIR_CAPI_EXPORTED PldExecutionLevel pldExecutionLevelAttrGetValue(MlirAttribute attribute);

#ifdef __cplusplus
}
#endif

#endif /* PLD_C_DIALECTS_H */
