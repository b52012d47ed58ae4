/* A frontend on MLIR's own C API: every type and attribute of ours, a pipeline, generated code. */
#include <mlir-c/Diagnostics.h>
#include <mlir-c/Dialect/Arith.h>
#include <mlir-c/Dialect/Func.h>
#include <mlir-c/Dialect/MemRef.h>
#include <mlir-c/Dialect/SCF.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <pld-c/Dialects.h>
#include <pld-c/Passes.h>
#include <pld-c/pld.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

struct text {
  char *bytes;
  size_t length;
};

static void append(MlirStringRef part, void *user) {
  struct text *text = user;
  text->bytes = realloc(text->bytes, text->length + part.length + 1);
  CHECK(text->bytes);
  memcpy(text->bytes + text->length, part.data, part.length);
  text->length += part.length;
  text->bytes[text->length] = 0;
}

static MlirStringRef ref(const char *text) { return mlirStringRefCreateFromCString(text); }

static void printed(MlirType type, const char *expected) {
  struct text text = {0};
  CHECK(!mlirTypeIsNull(type));
  mlirTypePrint(type, append, &text);
  CHECK(strcmp(text.bytes, expected) == 0);
  free(text.bytes);
}

static MlirLogicalResult listen(MlirDiagnostic diagnostic, void *user) {
  struct text *said = user;
  mlirDiagnosticPrint(diagnostic, append, said);
  append(ref("\n"), said);
  return mlirLogicalResultSuccess();
}

static void types(MlirContext context, struct text *said) {
  MlirType f32 = mlirF32TypeGet(context);
  MlirType i1 = mlirIntegerTypeGet(context, 1);
  MlirLocation here = mlirLocationFileLineColGet(context, ref("front.end"), 7, 3);
  const int64_t dynamic = mlirShapedTypeGetDynamicSize();
  const int64_t shape[] = {8, 64}, open[] = {dynamic, 4, 16}, none[] = {0, 4};

  MlirType tile = pldTileTypeGet(context, 2, shape, f32);
  printed(tile, "!pl.tile<8x64xf32>");
  CHECK(pldTypeIsATile(tile) && !pldTypeIsADTensor(tile) && !pldTypeIsATile(f32));
  CHECK(mlirTypeEqual(tile, mlirTypeParseGet(context, ref("!pl.tile<8x64xf32>"))));
  CHECK(mlirTypeIsAShaped(tile) && mlirShapedTypeGetRank(tile) == 2);
  CHECK(mlirShapedTypeGetDimSize(tile, 1) == 64);
  CHECK(mlirTypeEqual(mlirShapedTypeGetElementType(tile), f32));
  CHECK(mlirTypeEqual(pldTileTypeGetChecked(here, 2, shape, f32), tile));

  MlirType window = pldDTensorTypeGet(context, 3, open, f32);
  printed(window, "!pld.dtensor<?x4x16xf32>");
  CHECK(pldTypeIsADTensor(window) && !pldTypeIsATile(window));
  CHECK(mlirShapedTypeIsDynamicDim(window, 0) && mlirShapedTypeGetRank(window) == 3);
  CHECK(mlirTypeEqual(pldDTensorTypeGetChecked(here, 3, open, f32), window));

  printed(pldWindowBufferTypeGet(context), "!pld.window_buffer");
  CHECK(pldTypeIsAWindowBuffer(pldWindowBufferTypeGet(context)));
  CHECK(!pldTypeIsAWindowBuffer(window));
  printed(pldCommCtxTypeGet(context), "!pld.comm_ctx");
  CHECK(pldTypeIsACommCtx(pldCommCtxTypeGet(context)) && !pldTypeIsACommCtx(tile));

  /* No such types: a diagnostic at the location each time. */
  said->length = 0;
  CHECK(mlirTypeIsNull(pldTileTypeGetChecked(here, 1, shape, f32)));
  CHECK(strstr(said->bytes, "a tile has rank 2"));
  CHECK(mlirTypeIsNull(pldTileTypeGetChecked(here, 2, none, f32)));
  CHECK(mlirTypeIsNull(pldTileTypeGetChecked(here, 2, shape, window)));
  CHECK(mlirTypeIsNull(pldDTensorTypeGetChecked(here, 0, shape, f32)));
  CHECK(mlirTypeIsNull(pldDTensorTypeGetChecked(here, 2, shape, i1)));
  CHECK(strstr(said->bytes, "element type of a window is i1"));
  MlirType null = {NULL};
  CHECK(!pldTypeIsATile(null) && !pldTypeIsADTensor(null));
  CHECK(!pldTypeIsAWindowBuffer(null) && !pldTypeIsACommCtx(null));
}

/* Each case, and the number after the last. */
#define ENUMERATION(NAME, CASES)                                                            \
  do {                                                                                      \
    for (int i = 0; i < CASES; i++) {                                                       \
      MlirAttribute attribute = pld##NAME##AttrGet(context, (Pld##NAME)i);                  \
      CHECK(pldAttributeIsA##NAME(attribute));                                              \
      CHECK((int)pld##NAME##AttrGetValue(attribute) == i);                                  \
      CHECK(mlirAttributeIsAInteger(attribute));                                            \
    }                                                                                       \
    CHECK(mlirAttributeIsNull(pld##NAME##AttrGet(context, (Pld##NAME)CASES)));              \
    CHECK(!pldAttributeIsA##NAME(mlirUnitAttrGet(context)));                                \
    CHECK(!pldAttributeIsA##NAME(mlirAttributeGetNull()));                                  \
  } while (0)

static void attributes(MlirContext context) {
  ENUMERATION(AtomicKind, 1);
  ENUMERATION(RoundMode, 6);
  ENUMERATION(NotifyKind, 2);
  ENUMERATION(WaitCmp, 6);
  ENUMERATION(CmpPredicate, 6);
  ENUMERATION(ReduceKind, 4);
  ENUMERATION(ExecutionLevel, 1);
}

/* A notify from parts: an operation whose types and attributes are made, not parsed. */
static void build(MlirContext context, MlirModule module, struct text *said) {
  const int64_t shape[] = {4, 1};
  MlirLocation here = mlirLocationFileLineColGet(context, ref("front.end"), 12, 5);
  MlirType i32 = mlirIntegerTypeGet(context, 32), index = mlirIndexTypeGet(context);
  MlirType inputs[] = {pldDTensorTypeGet(context, 2, shape, i32), i32, index};
  MlirLocation places[] = {here, here, here};
  MlirBlock body = mlirBlockCreate(3, inputs, places);

  MlirOperationState notify = mlirOperationStateGet(ref("pld.notify"), here);
  MlirValue operands[] = {mlirBlockGetArgument(body, 1), mlirBlockGetArgument(body, 0),
                          mlirBlockGetArgument(body, 2)};
  mlirOperationStateAddOperands(&notify, 3, operands);
  const int64_t offsets[] = {2, 0};
  const MlirNamedAttribute named[] = {
      mlirNamedAttributeGet(mlirIdentifierGet(context, ref("op")),
                            pldNotifyKindAttrGet(context, PldNotifyKindAdd)),
      mlirNamedAttributeGet(mlirIdentifierGet(context, ref("static_offsets")),
                            mlirDenseI64ArrayGet(context, 2, offsets))};
  mlirOperationStateAddAttributes(&notify, 2, named);
  mlirBlockAppendOwnedOperation(body, mlirOperationCreate(&notify));
  MlirOperationState end = mlirOperationStateGet(ref("func.return"), here);
  mlirBlockAppendOwnedOperation(body, mlirOperationCreate(&end));

  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, body);
  MlirOperationState function = mlirOperationStateGet(ref("func.func"), here);
  const MlirNamedAttribute head[] = {
      mlirNamedAttributeGet(mlirIdentifierGet(context, ref("sym_name")),
                            mlirStringAttrGet(context, ref("built"))),
      mlirNamedAttributeGet(mlirIdentifierGet(context, ref("function_type")),
                            mlirTypeAttrGet(mlirFunctionTypeGet(context, 3, inputs, 0, NULL))),
      mlirNamedAttributeGet(mlirIdentifierGet(context, ref("pl.incore")),
                            mlirUnitAttrGet(context))};
  mlirOperationStateAddAttributes(&function, 3, head);
  mlirOperationStateAddOwnedRegions(&function, 1, &region);
  MlirOperation built = mlirOperationCreate(&function);
  mlirBlockAppendOwnedOperation(mlirModuleGetBody(module), built);
  said->length = 0;
  CHECK(mlirOperationVerify(mlirModuleGetOperation(module)));
  CHECK(said->length == 0);
  struct text text = {0};
  mlirOperationPrint(built, append, &text);
  CHECK(strstr(text.bytes, "pld.notify add "));
  free(text.bytes);
}

static void pipeline(MlirContext context, MlirModule module, const char *name) {
  char text[128];
  struct text wrong = {0};
  snprintf(text, sizeof text, "builtin.module(%s)", name);
  MlirPassManager passes = mlirPassManagerCreate(context);
  CHECK(mlirLogicalResultIsSuccess(mlirParsePassPipeline(
      mlirPassManagerGetAsOpPassManager(passes), ref(text), append, &wrong)));
  CHECK(mlirLogicalResultIsSuccess(
      mlirPassManagerRunOnOp(passes, mlirModuleGetOperation(module))));
  mlirPassManagerDestroy(passes);
  free(wrong.bytes);
}

static MlirModule parse(MlirContext context, const char *path) {
  static char text[1 << 16];
  FILE *file = fopen(path, "rb");
  CHECK(file);
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  return mlirModuleCreateParse(context, ref(text));
}

int main(int argc, char **argv) {
  CHECK(argc == 2); /* a program */
  CHECK(strcmp(mlirDialectHandleGetNamespace(mlirGetDialectHandle__pld__()).data, "pld") == 0);

  /* One context by a registry, as parsers want it ... */
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  const MlirDialectHandle handles[] = {
      mlirGetDialectHandle__pl__(),    mlirGetDialectHandle__pld__(),
      mlirGetDialectHandle__func__(),  mlirGetDialectHandle__arith__(),
      mlirGetDialectHandle__memref__(), mlirGetDialectHandle__scf__()};
  for (size_t i = 0; i < sizeof handles / sizeof *handles; i++)
    mlirDialectHandleInsertDialect(handles[i], registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextLoadAllAvailableDialects(context);
  struct text said = {0};
  append(ref(""), &said);
  mlirContextAttachDiagnosticHandler(context, listen, &said, NULL);
  types(context, &said);
  attributes(context);

  MlirModule module = parse(context, argv[1]);
  CHECK(!mlirModuleIsNull(module));
  pldRegisterAllPasses();
  pldRegisterAllPasses();
  pipeline(context, module, "pld-lint");
  pipeline(context, module, "lower-pld-to-hccl");
  struct text code = {0};
  CHECK(mlirLogicalResultIsSuccess(
      pldTranslateToAscendC(mlirModuleGetOperation(module), append, &code)));
  CHECK(strstr(code.bytes, "AscendC::DataCopyPad"));
  free(code.bytes);
  mlirModuleDestroy(module);

  /* A mistake is said at its place, with its code. */
  said.length = 0;
  MlirModule bad = mlirModuleCreateParse(
      context, ref("func.func @f(%x: memref<1x8xf32>) attributes {pl.incore} {\n"
                   "  %t = pl.load %x[0, 4] : memref<1x8xf32> -> !pl.tile<1x8xf32>\n"
                   "  return\n}"));
  CHECK(mlirModuleIsNull(bad) && strstr(said.bytes, "pld-104"));
  /* Nothing that is not lowered is printed, and nothing of nothing. */
  module = mlirModuleCreateEmpty(mlirLocationUnknownGet(context));
  build(context, module, &said);
  CHECK(mlirLogicalResultIsFailure(
      pldTranslateToAscendC(mlirModuleGetOperation(module), append, &said)));
  MlirOperation nothing = {NULL};
  CHECK(mlirLogicalResultIsFailure(pldTranslateToAscendC(nothing, append, &said)));
  mlirModuleDestroy(module);
  mlirContextDestroy(context);

  /* ... and one by loading. */
  context = mlirContextCreate();
  for (size_t i = 0; i < sizeof handles / sizeof *handles; i++)
    mlirDialectHandleLoadDialect(handles[i], context);
  said.length = 0;
  mlirContextAttachDiagnosticHandler(context, listen, &said, NULL);
  module = parse(context, argv[1]);
  CHECK(!mlirModuleIsNull(module));
  mlirModuleDestroy(module);
  /* Calls are checked in it too: a host function may not call an in-core one. */
  bad = mlirModuleCreateParse(context, ref("func.func @f() attributes {pl.incore} { return }\n"
                                           "func.func @g() attributes {pl.host} {\n"
                                           "  func.call @f() : () -> ()\n"
                                           "  return\n}"));
  CHECK(mlirModuleIsNull(bad) && strstr(said.bytes, "[pld-"));
  mlirContextDestroy(context);
  free(said.bytes);

  /* The library with an MLIR inside stands beside this one. */
  pld_session *session = NULL;
  pld_module *inside = NULL;
  const char empty[] = "module {}";
  CHECK(pld_session_create(&session) == PLD_OK);
  CHECK(pld_module_parse(session, empty, sizeof empty - 1, NULL, &inside) == PLD_OK);
  CHECK(pld_module_destroy(inside) == PLD_OK && pld_session_destroy(session) == PLD_OK);
  puts("OK");
  return 0;
}
