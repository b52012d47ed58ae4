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
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"
#include "llvm/TargetParser/Host.h"
#include <dlfcn.h>

using namespace llvm;
using mlir::Operation;

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
  /// Most threads that share a module.
  size_t threads;
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

using Object = std::unique_ptr<MemoryBuffer>;

/// The machine that this thread generates code for.
thread_local const TargetMachine *generating = nullptr;

/// Leaves out the machine scheduler, a twelfth of the code generator's work: the nests come in an
/// order that suits, and the CPU finds what is independent. LLVM has only a switch for all that a
/// process compiles; others' machines are left alone.
void leaveUnscheduled() {
  static const RegisterTargetPassConfigCallback callback(
      [](TargetMachine &machine, legacy::PassManagerBase &, TargetPassConfig *config) {
        if (&machine == generating)
          config->disablePass(&MachineSchedulerID);
      });
}

/// Parts are not made smaller than this many operations: starting the code generator once more
/// takes about as long as two hundred.
constexpr size_t leastOfPart = 500;

/// The functions that can be compiled apart from each other, with the number of their
/// operations; none if parts would need each other's symbols, or a context is for one thread.
SmallVector<std::pair<size_t, Operation *>> separable(mlir::ModuleOp module) {
  SmallVector<std::pair<size_t, Operation *>> functions;
  if (!module.getContext()->isMultithreadingEnabled())
    return {};
  for (Operation &op : *module.getBody()) {
    if (auto global = dyn_cast<mlir::LLVM::GlobalOp>(op)) {
      // Each part gets its copy.
      auto linkage = global.getLinkage();
      bool isLocal = linkage == mlir::LLVM::Linkage::Private ||
                     linkage == mlir::LLVM::Linkage::Internal;
      if (!isLocal || !global.getConstant())
        return {};
      continue;
    }
    auto function = dyn_cast<mlir::LLVM::LLVMFuncOp>(op);
    if (!function)
      return {};
    if (function.isExternal())
      continue;
    if (function.getLinkage() != mlir::LLVM::Linkage::External)
      return {};
    size_t size = 0;
    function.walk([&](Operation *) { ++size; });
    functions.emplace_back(size, function);
  }
  return functions;
}

/// Moves the functions of a module into modules for at most so many threads, about as many
/// operations each; none if there is too little of it.
SmallVector<mlir::OwningOpRef<mlir::ModuleOp>> split(mlir::ModuleOp module, size_t threads) {
  SmallVector<std::pair<size_t, Operation *>> functions = separable(module);
  size_t size = 0;
  for (auto [own, function] : functions)
    size += own;
  size_t count = std::min({threads, size / leastOfPart, functions.size()});
  if (count < 2)
    return {};
  // The largest first, each to the part that has least.
  stable_sort(functions, [](const auto &a, const auto &b) { return a.first > b.first; });
  SmallVector<size_t> sizes(count, 0);
  DenseMap<Operation *, size_t> places;
  for (auto [own, function] : functions) {
    size_t least = std::min_element(sizes.begin(), sizes.end()) - sizes.begin();
    sizes[least] += own;
    places[function] = least;
  }
  SmallVector<mlir::OwningOpRef<mlir::ModuleOp>> parts;
  for (size_t index = 0; index < count; ++index)
    parts.push_back(cast<mlir::ModuleOp>(module->cloneWithoutRegions()));
  for (auto &part : parts)
    part->getBodyRegion().emplaceBlock();
  for (Operation &op : make_early_inc_range(*module.getBody())) {
    auto place = places.find(&op);
    for (size_t index = 0; index < count; ++index)
      if (place == places.end() || place->second != index)
        parts[index]->push_back(isa<mlir::LLVM::GlobalOp>(op) ? op.clone()
                                                              : op.cloneWithoutRegions());
    if (place != places.end()) {
      op.remove();
      parts[place->second]->push_back(&op);
    }
  }
  return parts;
}

/// Compiles a module of the llvm dialect to one object.
Expected<Object> compileOne(Operation *op, orc::JITTargetMachineBuilder target, StringRef passes) {
  Expected<std::unique_ptr<TargetMachine>> machine = target.createTargetMachine();
  if (!machine)
    return machine.takeError();
  LLVMContext context;
  std::unique_ptr<Module> module = mlir::translateModuleToLLVMIR(op, context);
  if (!module)
    return createStringError("the module does not translate to LLVM IR");
  module->setDataLayout((*machine)->createDataLayout());
  module->setTargetTriple((*machine)->getTargetTriple());
  // A part has constants that only others use.
  for (GlobalVariable &global : make_early_inc_range(module->globals()))
    if (global.hasLocalLinkage() && global.use_empty())
      global.eraseFromParent();
  if (Error error = optimize(*module, **machine, passes))
    return std::move(error);
  auto reset = make_scope_exit([] { generating = nullptr; });
  generating = machine->get();
  return orc::SimpleCompiler(**machine)(*module);
}

Expected<SmallVector<Object>> compile(Operation *op, const CodeOptions &options) {
  Expected<orc::JITTargetMachineBuilder> target = targetOf(unwrap(options.cpu));
  if (!target)
    return target.takeError();
  if (Error error = checkHost(*target))
    return std::move(error);
  target->setCodeGenOptLevel(static_cast<CodeGenOptLevel>(options.codegenLevel));
  // Where a loop starts within a line of the cache is worth a tenth of a product's time.
  target->getOptions().LoopAlignment = 64;
  StringRef passes = unwrap(options.passes);
  leaveUnscheduled();

  auto module = dyn_cast<mlir::ModuleOp>(op);
  SmallVector<mlir::OwningOpRef<mlir::ModuleOp>> parts;
  if (module)
    parts = split(module, options.threads);
  SmallVector<Object> objects(std::max<size_t>(parts.size(), 1));
  SmallVector<std::string> errors(objects.size());
  auto run = [&](size_t index) {
    Operation *part = parts.empty() ? op : parts[index]->getOperation();
    Expected<Object> object = compileOne(part, *target, passes);
    if (object)
      objects[index] = std::move(*object);
    else
      errors[index] = toString(object.takeError());
  };
  {
    // Without a second part no thread is started.
    DefaultThreadPool pool(hardware_concurrency(objects.size()));
    for (size_t index = 1; index < objects.size(); ++index)
      pool.async(run, index);
    run(0);
  }
  for (const std::string &error : errors)
    if (!error.empty())
      return createStringError(error);
  return objects;
}

/// Stands in for a compiler: only objects are loaded, and making one takes as long as that.
struct NoCompiler : orc::IRCompileLayer::IRCompiler {
  NoCompiler() : IRCompiler(orc::IRSymbolMapper::ManglingOptions()) {}
  Expected<std::unique_ptr<MemoryBuffer>> operator()(Module &) override {
    return createStringError("only objects are loaded");
  }
};

Expected<std::unique_ptr<orc::LLJIT>> load(ArrayRef<MlirStringRef> objects, StringRef cpu,
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
  for (MlirStringRef object : objects)
    if (Error error =
            (*jit)->addObjectFile(MemoryBuffer::getMemBufferCopy(unwrap(object), "pld")))
      return std::move(error);
  return jit;
}

void report(Error error, MlirStringCallback callback, void *userData) {
  std::string text = toString(std::move(error));
  callback(MlirStringRef{text.data(), text.size()}, userData);
}

} // namespace

extern "C" {

// Compiles a module of the llvm dialect to object files, each of which `onObject` gets; false
// after a call of `onError`.
bool pldCompile(MlirOperation op, const CodeOptions *options, MlirStringCallback onObject,
                void *objectData, MlirStringCallback onError, void *errorData) {
  Expected<SmallVector<Object>> objects = compile(unwrap(op), *options);
  if (!objects) {
    report(objects.takeError(), onError, errorData);
    return false;
  }
  for (const Object &object : *objects) {
    StringRef bytes = object->getBuffer();
    onObject(MlirStringRef{bytes.data(), bytes.size()}, objectData);
  }
  return true;
}

// Links object files in this process; null after a call of `onError`.
void *pldJitLoad(const MlirStringRef *objects, size_t objectCount, MlirStringRef cpu,
                 const JitSymbol *symbols, size_t count, MlirStringCallback onError,
                 void *userData) {
  Expected<std::unique_ptr<orc::LLJIT>> jit =
      load(ArrayRef(objects, objectCount), unwrap(cpu), ArrayRef(symbols, count));
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
