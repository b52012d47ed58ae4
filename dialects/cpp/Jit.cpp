//===- Jit.cpp - compiling an llvm-dialect module in this process
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instead of mlirExecutionEngineCreate, which ties the optimiser's and the code
// generator's level to one number, takes no list of passes, wraps every function
// and answers a failure with null.

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include <dlfcn.h>

using namespace llvm;

namespace {

/// A function of this process that compiled code may call.
struct JitSymbol {
  MlirStringRef name;
  const void *address;
};

struct CodeOptions {
  /// In the syntax of `opt -passes`.
  MlirStringRef passes;
  /// 0 to 3, as CodeGenOptLevel.
  int codegenLevel;
  /// As `llc -mcpu`; empty for this host.
  MlirStringRef cpu;
};

Expected<orc::JITTargetMachineBuilder> targetOf(StringRef cpu) {
  static const bool initialized = [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialized;
  if (cpu.empty())
    return orc::JITTargetMachineBuilder::detectHost();
  orc::JITTargetMachineBuilder target{Triple(sys::getProcessTriple())};
  target.setCPU(cpu.str());
  return target;
}

/// What the generated code counts on: without F16C and FMA conversions of halves
/// and math.fma become calls of functions that are not there.
Error checkHost(const orc::JITTargetMachineBuilder &target) {
  // Whoever names a CPU answers for it.
  if (!target.getTargetTriple().isX86() || target.getFeatures().getFeatures().empty())
    return Error::success();
  std::vector<std::string> features = target.getFeatures().getFeatures();
  for (StringRef needed : {"+avx2", "+fma", "+f16c", "+bmi2"})
    if (!is_contained(features, needed))
      return createStringError("this CPU lacks " + needed.drop_front() +
                               "; expected x86-64-v3 (AVX2, FMA, F16C, BMI2) or newer");
  return Error::success();
}

Error optimize(Module &module, TargetMachine &machine, StringRef passes) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager sccs;
  ModuleAnalysisManager modules;
  PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  ModulePassManager manager;
  if (Error error = builder.parsePassPipeline(manager, passes))
    return error;
  manager.run(module, modules);
  return Error::success();
}

Expected<std::unique_ptr<MemoryBuffer>> compile(mlir::Operation *op, const CodeOptions &options) {
  Expected<orc::JITTargetMachineBuilder> target = targetOf(unwrap(options.cpu));
  if (!target)
    return target.takeError();
  if (Error error = checkHost(*target))
    return std::move(error);
  target->setCodeGenOptLevel(static_cast<CodeGenOptLevel>(options.codegenLevel));
  Expected<std::unique_ptr<TargetMachine>> machine = target->createTargetMachine();
  if (!machine)
    return machine.takeError();

  LLVMContext context;
  std::unique_ptr<Module> module = mlir::translateModuleToLLVMIR(op, context);
  if (!module)
    return createStringError("the module does not translate to LLVM IR");
  module->setDataLayout((*machine)->createDataLayout());
  module->setTargetTriple((*machine)->getTargetTriple());
  if (Error error = optimize(*module, **machine, unwrap(options.passes)))
    return std::move(error);
  return orc::SimpleCompiler(**machine)(*module);
}

/// Stands in for a compiler: only objects are loaded, and making one takes as long as that.
struct NoCompiler : orc::IRCompileLayer::IRCompiler {
  NoCompiler() : IRCompiler(orc::IRSymbolMapper::ManglingOptions()) {}
  Expected<std::unique_ptr<MemoryBuffer>> operator()(Module &) override {
    return createStringError("only objects are loaded");
  }
};

Expected<std::unique_ptr<orc::LLJIT>> load(StringRef object, StringRef cpu,
                                           ArrayRef<JitSymbol> known) {
  Expected<orc::JITTargetMachineBuilder> target = targetOf(cpu);
  if (!target)
    return target.takeError();
  // Nothing to initialize: the code has no constructors and no thread-local data.
  Expected<std::unique_ptr<orc::LLJIT>> jit =
      orc::LLJITBuilder()
          .setJITTargetMachineBuilder(std::move(*target))
          .setPlatformSetUp(orc::setUpInactivePlatform)
          .setCompileFunctionCreator(
              [](orc::JITTargetMachineBuilder)
                  -> Expected<std::unique_ptr<orc::IRCompileLayer::IRCompiler>> {
                return std::make_unique<NoCompiler>();
              })
          .create();
  if (!jit)
    return jit.takeError();
  orc::SymbolMap symbols;
  for (const JitSymbol &symbol : known)
    symbols[(*jit)->mangleAndIntern(unwrap(symbol.name))] = {
        orc::ExecutorAddr::fromPtr(symbol.address),
        JITSymbolFlags::Exported | JITSymbolFlags::Callable};
  if (Error error = (*jit)->getMainJITDylib().define(orc::absoluteSymbols(std::move(symbols))))
    return std::move(error);
  if (Error error = (*jit)->addObjectFile(MemoryBuffer::getMemBufferCopy(object, "pld")))
    return std::move(error);
  return jit;
}

void report(Error error, MlirStringCallback callback, void *userData) {
  std::string text = toString(std::move(error));
  callback(MlirStringRef{text.data(), text.size()}, userData);
}

} // namespace

extern "C" {

// Compiles a module of the llvm dialect to an object file, which `onObject` gets; false after
// a call of `onError`.
bool pldCompile(MlirOperation op, const CodeOptions *options, MlirStringCallback onObject,
                void *objectData, MlirStringCallback onError, void *errorData) {
  Expected<std::unique_ptr<MemoryBuffer>> object = compile(unwrap(op), *options);
  if (!object) {
    report(object.takeError(), onError, errorData);
    return false;
  }
  StringRef bytes = (*object)->getBuffer();
  onObject(MlirStringRef{bytes.data(), bytes.size()}, objectData);
  return true;
}

// Links an object file in this process; null after a call of `onError`.
void *pldJitLoad(MlirStringRef object, MlirStringRef cpu, const JitSymbol *symbols, size_t count,
                 MlirStringCallback onError, void *userData) {
  Expected<std::unique_ptr<orc::LLJIT>> jit =
      load(unwrap(object), unwrap(cpu), ArrayRef(symbols, count));
  if (jit)
    return jit->release();
  report(jit.takeError(), onError, userData);
  return nullptr;
}

// What objects depend on besides the module: LLVM's version, and CPU and features.
void pldCodeTarget(MlirStringRef cpu, MlirStringCallback onText, void *userData) {
  std::string text = LLVM_VERSION_STRING;
  if (Expected<orc::JITTargetMachineBuilder> target = targetOf(unwrap(cpu)))
    text += " " + target->getTargetTriple().str() + " " + target->getCPU() + " " +
            target->getFeatures().getString();
  else
    consumeError(target.takeError());
  onText(MlirStringRef{text.data(), text.size()}, userData);
}

// The path of the file that this code was loaded from, or an empty one.
void pldOwnFile(MlirStringCallback onText, void *userData) {
  Dl_info info;
  StringRef path;
  if (dladdr(reinterpret_cast<void *>(&pldOwnFile), &info) && info.dli_fname)
    path = info.dli_fname;
  onText(MlirStringRef{path.data(), path.size()}, userData);
}

// The address of a function; null after a call of `onError`.
void *pldJitLookup(void *jit, MlirStringRef name, MlirStringCallback onError, void *userData) {
  Expected<orc::ExecutorAddr> address = static_cast<orc::LLJIT *>(jit)->lookup(unwrap(name));
  if (address)
    return address->toPtr<void *>();
  report(address.takeError(), onError, userData);
  return nullptr;
}

void pldJitDestroy(void *jit) { delete static_cast<orc::LLJIT *>(jit); }

} // extern "C"
