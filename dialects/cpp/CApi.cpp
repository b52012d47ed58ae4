//===- CApi.cpp - handles, types and attributes in MLIR's C API
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pld-c/Dialects.h"
#include "Dialects.h"
#include "Support.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace {

/// What a handle does: as upstream's macro has it, and the check of calls with each dialect.
template <typename DialectT> struct Hooks {
  static void insert(MlirDialectRegistry registry) {
    unwrap(registry)->insert<DialectT>();
    pld::registerCallVerifier(*unwrap(registry));
  }
  static MlirDialect load(MlirContext context) {
    DialectRegistry registry;
    insert(MlirDialectRegistry{&registry});
    unwrap(context)->appendDialectRegistry(registry);
    return wrap(static_cast<Dialect *>(unwrap(context)->getOrLoadDialect<DialectT>()));
  }
  static MlirStringRef getNamespace() { return wrap(DialectT::getDialectNamespace()); }

  static MlirDialectHandle handle() {
    static MlirDialectRegistrationHooks hooks = {insert, load, getNamespace};
    return MlirDialectHandle{&hooks};
  }
};

template <typename TypeT>
MlirType checkedType(MlirLocation location, intptr_t rank, const int64_t *shape,
                     MlirType elementType) {
  auto emitError = [&] { return mlir::emitError(unwrap(location)); };
  return wrap(TypeT::getChecked(emitError, unwrap(location)->getContext(),
                                ArrayRef(shape, rank), unwrap(elementType)));
}

MlirAttribute caseAttr(MlirContext context, bool isCase, uint32_t value) {
  if (!isCase)
    return {nullptr};
  return wrap(IntegerAttr::get(IntegerType::get(unwrap(context), 32), value));
}

} // namespace

extern "C" {

MlirDialectHandle mlirGetDialectHandle__pl__(void) { return Hooks<pl::PlDialect>::handle(); }
MlirDialectHandle mlirGetDialectHandle__pld__(void) { return Hooks<pld::PldDialect>::handle(); }

MlirType pldTileTypeGet(MlirContext context, intptr_t rank, const int64_t *shape,
                        MlirType elementType) {
  return wrap(pl::TileType::get(unwrap(context), ArrayRef(shape, rank), unwrap(elementType)));
}
MlirType pldTileTypeGetChecked(MlirLocation location, intptr_t rank, const int64_t *shape,
                               MlirType elementType) {
  return checkedType<pl::TileType>(location, rank, shape, elementType);
}
bool pldTypeIsATile(MlirType type) { return isa_and_nonnull<pl::TileType>(unwrap(type)); }

MlirType pldDTensorTypeGet(MlirContext context, intptr_t rank, const int64_t *shape,
                           MlirType elementType) {
  return wrap(
      pld::DTensorType::get(unwrap(context), ArrayRef(shape, rank), unwrap(elementType)));
}
MlirType pldDTensorTypeGetChecked(MlirLocation location, intptr_t rank, const int64_t *shape,
                                  MlirType elementType) {
  return checkedType<pld::DTensorType>(location, rank, shape, elementType);
}
bool pldTypeIsADTensor(MlirType type) {
  return isa_and_nonnull<pld::DTensorType>(unwrap(type));
}

MlirType pldWindowBufferTypeGet(MlirContext context) {
  return wrap(pld::WindowBufferType::get(unwrap(context)));
}
bool pldTypeIsAWindowBuffer(MlirType type) {
  return isa_and_nonnull<pld::WindowBufferType>(unwrap(type));
}

MlirType pldCommCtxTypeGet(MlirContext context) {
  return wrap(pld::CommCtxType::get(unwrap(context)));
}
bool pldTypeIsACommCtx(MlirType type) {
  return isa_and_nonnull<pld::CommCtxType>(unwrap(type));
}

#define ENUM_ATTR(NAME)                                                                   \
  MlirAttribute pld##NAME##AttrGet(MlirContext context, Pld##NAME value) {                \
    return caseAttr(context, pld::symbolize##NAME(uint32_t(value)).has_value(), value);   \
  }                                                                                       \
  bool pldAttributeIsA##NAME(MlirAttribute attribute) {                                   \
    return isa_and_nonnull<pld::NAME##Attr>(unwrap(attribute));                           \
  }                                                                                       \
  Pld##NAME pld##NAME##AttrGetValue(MlirAttribute attribute) {                            \
    return Pld##NAME(cast<pld::NAME##Attr>(unwrap(attribute)).getValue());                \
  }
ENUM_ATTR(AtomicKind)
ENUM_ATTR(RoundMode)
ENUM_ATTR(NotifyKind)
ENUM_ATTR(WaitCmp)
ENUM_ATTR(CmpPredicate)
ENUM_ATTR(ReduceKind)
ENUM_ATTR(ExecutionLevel)

} // extern "C"

// The header's numbers are those of td/Enums.td.
#define SAME(NAME, CASE, Case) \
  static_assert(uint32_t(pld::NAME::CASE) == uint32_t(Pld##NAME##Case))
SAME(AtomicKind, add, Add);
SAME(RoundMode, none, None);
SAME(RoundMode, rint, Rint);
SAME(RoundMode, round, Round);
SAME(RoundMode, floor, Floor);
SAME(RoundMode, ceil, Ceil);
SAME(RoundMode, trunc, Trunc);
SAME(NotifyKind, add, Add);
SAME(NotifyKind, set, Set);
SAME(WaitCmp, eq, Eq);
SAME(WaitCmp, ne, Ne);
SAME(WaitCmp, gt, Gt);
SAME(WaitCmp, ge, Ge);
SAME(WaitCmp, lt, Lt);
SAME(WaitCmp, le, Le);
SAME(CmpPredicate, eq, Eq);
SAME(CmpPredicate, ne, Ne);
SAME(CmpPredicate, lt, Lt);
SAME(CmpPredicate, le, Le);
SAME(CmpPredicate, gt, Gt);
SAME(CmpPredicate, ge, Ge);
SAME(ReduceKind, sum, Sum);
SAME(ReduceKind, max, Max);
SAME(ReduceKind, min, Min);
SAME(ReduceKind, prod, Prod);
SAME(ExecutionLevel, core_group, CoreGroup);
