//===- Bridge.cpp - what the MLIR C API lacks: types, diagnostics with notes
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Each function names the part of the C API that would replace it.

#include "Dialects.h"
#include "Support.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

extern "C" {

void pldRegisterDialects(MlirDialectRegistry registry) {
  unwrap(registry)->insert<pl::PlDialect, pld::PldDialect>();
  pld::registerCallVerifier(*unwrap(registry));
}

// Registers everything upstream has, and ours.
void pldRegisterEverything(MlirDialectRegistry wrapped) {
  DialectRegistry &registry = *unwrap(wrapped);
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  pldRegisterDialects(wrapped);
}

// Takes a memref, window, ranked tensor or tile apart: 1 to 4, or 0 for any other type.
// Shape and element type belong to the context. (The C API asks the ShapedType interface
// for each extent.)
int pldShapedTypeGet(MlirType wrapped, const int64_t **shape, size_t *rank,
                     MlirType *elementType) {
  auto apart = [&](auto type, int level) {
    ArrayRef<int64_t> extents = type.getShape();
    *shape = extents.data();
    *rank = extents.size();
    *elementType = wrap(type.getElementType());
    return level;
  };
  Type type = unwrap(wrapped);
  if (auto memref = dyn_cast<MemRefType>(type))
    return apart(memref, 1);
  if (auto window = dyn_cast<pld::DTensorType>(type))
    return apart(window, 2);
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return apart(tensor, 3);
  if (auto tile = dyn_cast<pl::TileType>(type))
    return apart(tile, 4);
  return 0;
}

// Would be: mlirDenseI64ArrayGetRawData. The number of elements, or -1 for any other
// attribute; the elements belong to the context.
intptr_t pldDenseI64ArrayGet(MlirAttribute attribute, const int64_t **elements) {
  auto array = dyn_cast<DenseI64ArrayAttr>(unwrap(attribute));
  if (!array)
    return -1;
  *elements = array.asArrayRef().data();
  return array.size();
}

// How many operands each segment has, without making an attribute of them. Their number, or
// -1 for an operation of ours without segments, or not of ours; they belong to the operation.
intptr_t pldOperandSegmentsGet(MlirOperation op, const int32_t **sizes) {
  auto segmented = dyn_cast<pld::SegmentedOp>(unwrap(op));
  if (!segmented)
    return -1;
  ArrayRef<int32_t> segments = segmented.getSegmentSizes();
  *sizes = segments.data();
  return segments.size();
}

// Would be: mlirEmitError with a severity, an operation and notes.
// severity: 0 error, 1 warning, 2 remark.
void pldEmitDiagnostic(MlirLocation location, int severity, MlirStringRef message,
                       size_t noteCount, const MlirLocation *noteLocations,
                       const MlirStringRef *notes) {
  constexpr DiagnosticSeverity severities[] = {DiagnosticSeverity::Error,
                                               DiagnosticSeverity::Warning,
                                               DiagnosticSeverity::Remark};
  Location where = unwrap(location);
  InFlightDiagnostic diagnostic =
      where.getContext()->getDiagEngine().emit(where, severities[severity]);
  diagnostic << unwrap(message);
  for (size_t i = 0; i < noteCount; ++i)
    diagnostic.attachNote(unwrap(noteLocations[i])) << unwrap(notes[i]);
}

// Would be: mlirLocationFileLineColGet* over any location. Walks name, fused
// and call-site locations to the first file position; false if there is none.
bool pldLocationGetFile(MlirLocation location, MlirStringRef *file, unsigned *line,
                        unsigned *column) {
  bool found = false;
  unwrap(location)->walk([&](Location inner) {
    if (auto position = dyn_cast<FileLineColLoc>(inner)) {
      *file = wrap(position.getFilename().strref());
      *line = position.getLine();
      *column = position.getColumn();
      found = true;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return found;
}

// Would be: mlirModuleCreateParse with a file name, any bytes, and no "see current
// operation" notes. Null after diagnostics.
MlirModule pldParseModule(MlirContext context, MlirStringRef source, MlirStringRef name) {
  unwrap(context)->printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  unsigned buffer = sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(unwrap(source), unwrap(name)), SMLoc());
  if (auto fault = pld::findSourceFault(*sources.getMemoryBuffer(buffer))) {
    auto [line, column] = sources.getLineAndColumn(fault->place, buffer);
    emitError(FileLineColLoc::get(unwrap(context), unwrap(name), line, column),
              fault->message)
            .attachNote()
        << fault->mend;
    return {nullptr};
  }
  return wrap(parseSourceFile<ModuleOp>(sources, ParserConfig(unwrap(context))).release());
}

} // extern "C"
