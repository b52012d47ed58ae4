//===- Tools.cpp - the mains of the upstream tools
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/InitAllPasses.h"
#include "mlir/InitAllTranslations.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

// Says what the parser would crash on.
static LogicalResult checkSource(const llvm::MemoryBuffer &source) {
  auto fault = pld::findSourceFault(source);
  if (!fault)
    return success();
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(source.getMemBufferRef(), false), llvm::SMLoc());
  sources.PrintMessage(fault->place, llvm::SourceMgr::DK_Error, fault->message);
  sources.PrintMessage(fault->place, llvm::SourceMgr::DK_Note, fault->mend);
  return failure();
}

// As upstream's main over files, which parses at once.
static LogicalResult optimizeFile(StringRef input, StringRef output,
                                  DialectRegistry &registry,
                                  const MlirOptMainConfig &config) {
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> source = openInputFile(input, &error);
  std::unique_ptr<llvm::ToolOutputFile> result;
  if (source)
    result = openOutputFile(output, &error);
  if (!result) {
    llvm::errs() << error << "\n";
    return failure();
  }
  if (failed(checkSource(*source)) ||
      failed(MlirOptMain(result->os(), std::move(source), registry, config)))
    return failure();
  result->keep();
  return success();
}

extern "C" {

void pldRegisterEverything(MlirDialectRegistry registry);
bool pldRustTranslate(void *callback, MlirOperation op, MlirStringCallback write,
                      void *userData);

void pldRegisterUpstreamPasses() { registerAllPasses(); }

// `--explain` is answered before these mains are reached.
#define EXPLAIN(TOOL)                                                                    \
  "\n  " TOOL " --explain CODE prints what a diagnostic code such as pld-104 means\n"

static MlirDialectRegistry wrapRegistry(DialectRegistry &registry) {
  return MlirDialectRegistry{&registry};
}

int pldOptMain(int argc, char **argv) {
  DialectRegistry registry;
  pldRegisterEverything(wrapRegistry(registry));
  auto [input, output] = registerAndParseCLIOptions(
      argc, argv, "pld optimizer driver\n" EXPLAIN("pld-opt"), registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return failed(MlirOptMain(argc, argv, input, output, registry));
  llvm::InitLLVM initialized(argc, argv);
  return failed(optimizeFile(input, output, registry, config));
}

int pldLspServerMain(int argc, char **argv) {
  DialectRegistry registry;
  pldRegisterEverything(wrapRegistry(registry));
  return failed(MlirLspServerMain(argc, argv, registry));
}

// Registers a translation from MLIR to text that Rust writes.
void pldRegisterTranslation(MlirStringRef name, MlirStringRef description, void *callback) {
  TranslateFromMLIRRegistration registration(
      unwrap(name), unwrap(description),
      [callback](Operation *op, raw_ostream &output) {
        auto write = [](MlirStringRef part, void *userData) {
          *static_cast<raw_ostream *>(userData) << unwrap(part);
        };
        return success(pldRustTranslate(callback, wrap(op), write, &output));
      },
      [](DialectRegistry &registry) { pldRegisterEverything(wrapRegistry(registry)); });
}

int pldTranslateMain(int argc, char **argv) {
  registerAllTranslations();
  return failed(mlirTranslateMain(argc, argv, "pld translation driver\n" EXPLAIN("pld-translate")));
}

} // extern "C"
