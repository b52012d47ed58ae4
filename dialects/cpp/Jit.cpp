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
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"

using namespace llvm;

namespace {

/// A function of this process that compiled code may call.
struct JitSymbol {
  MlirStringRef name;
  const void *address;
};

struct JitOptions {
  /// In the syntax of `opt -passes`.
  MlirStringRef passes;
  /// 0 to 3, as CodeGenOptLevel.
  int codegenLevel;
  const JitSymbol *symbols;
  size_t symbolCount;
};

/// What the generated code counts on: without F16C and FMA conversions of halves
/// and math.fma become calls of functions that are not there.
Error checkHost(const orc::JITTargetMachineBuilder &target) {
  if (!target.getTargetTriple().isX86())
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

Expected<std::unique_ptr<orc::LLJIT>> compile(mlir::Operation *op, const JitOptions &options) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  Expected<orc::JITTargetMachineBuilder> target = orc::JITTargetMachineBuilder::detectHost();
  if (!target)
    return target.takeError();
  if (Error error = checkHost(*target))
    return std::move(error);
  target->setCodeGenOptLevel(static_cast<CodeGenOptLevel>(options.codegenLevel));
  Expected<std::unique_ptr<TargetMachine>> machine = target->createTargetMachine();
  if (!machine)
    return machine.takeError();

  auto context = std::make_unique<LLVMContext>();
  std::unique_ptr<Module> module = mlir::translateModuleToLLVMIR(op, *context);
  if (!module)
    return createStringError("the module does not translate to LLVM IR");
  module->setDataLayout((*machine)->createDataLayout());
  module->setTargetTriple((*machine)->getTargetTriple());
  if (Error error = optimize(*module, **machine, unwrap(options.passes)))
    return std::move(error);

  Expected<std::unique_ptr<orc::LLJIT>> jit =
      orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(*target)).create();
  if (!jit)
    return jit.takeError();
  orc::SymbolMap symbols;
  for (const JitSymbol &symbol : ArrayRef(options.symbols, options.symbolCount))
    symbols[(*jit)->mangleAndIntern(unwrap(symbol.name))] = {
        orc::ExecutorAddr::fromPtr(symbol.address),
        JITSymbolFlags::Exported | JITSymbolFlags::Callable};
  if (Error error = (*jit)->getMainJITDylib().define(orc::absoluteSymbols(std::move(symbols))))
    return std::move(error);
  orc::ThreadSafeModule code(std::move(module), std::move(context));
  if (Error error = (*jit)->addIRModule(std::move(code)))
    return std::move(error);
  return jit;
}

void report(Error error, MlirStringCallback callback, void *userData) {
  std::string text = toString(std::move(error));
  callback(MlirStringRef{text.data(), text.size()}, userData);
}

} // namespace

extern "C" {

// Compiles a module of the llvm dialect; null after a call of `onError`.
void *pldJitCreate(MlirOperation op, const JitOptions *options, MlirStringCallback onError,
                   void *userData) {
  Expected<std::unique_ptr<orc::LLJIT>> jit = compile(unwrap(op), *options);
  if (jit)
    return jit->release();
  report(jit.takeError(), onError, userData);
  return nullptr;
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
