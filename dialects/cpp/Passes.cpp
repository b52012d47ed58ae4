//===- Passes.cpp - passes and pipelines written in Rust, registered by name
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "Dialects.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace {

/// An option of a pass or pipeline; its value is a string that Rust parses.
struct OptionSpec {
  MlirStringRef name, description, defaultValue;
};

/// Fixed description of a pass or pipeline. Lives as long as the process.
struct PassSpec {
  MlirStringRef argument, description;
  const OptionSpec *options;
  size_t optionCount;
  void *callback; // handed back to Rust
};

extern "C" bool pldRustRunPass(void *callback, MlirOperation op,
                               const MlirStringRef *values, size_t count);
extern "C" bool pldRustBuildPipeline(void *callback, const MlirStringRef *values,
                                     size_t count, MlirStringCallback append,
                                     void *userData);

/// Owns the options that a spec describes, as members of `parent`.
template <typename Option> struct OptionList {
  template <typename Parent> OptionList(Parent &parent, const PassSpec &spec) {
    for (const OptionSpec &option : ArrayRef(spec.options, spec.optionCount))
      options.push_back(std::make_unique<Option>(
          parent, unwrap(option.name), llvm::cl::desc(unwrap(option.description)),
          llvm::cl::init(unwrap(option.defaultValue).str())));
  }
  SmallVector<MlirStringRef> values() const {
    SmallVector<MlirStringRef> result;
    for (const auto &option : options)
      result.push_back(wrap(StringRef(option->getValue())));
    return result;
  }
  std::vector<std::unique_ptr<Option>> options;
};

class RustPass : public Pass {
public:
  explicit RustPass(const PassSpec &spec)
      : Pass(TypeID::getFromOpaquePointer(&spec), "builtin.module"), spec(spec),
        options(*this, spec) {}

  StringRef getName() const override { return unwrap(spec.argument); }
  StringRef getArgument() const override { return unwrap(spec.argument); }
  StringRef getDescription() const override { return unwrap(spec.description); }
  // What our passes create, whatever the input holds.
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<pl::PlDialect, pld::PldDialect, arith::ArithDialect,
                    emitc::EmitCDialect, func::FuncDialect, LLVM::LLVMDialect,
                    math::MathDialect, memref::MemRefDialect, scf::SCFDialect,
                    vector::VectorDialect>();
  }

protected:
  void runOnOperation() override {
    SmallVector<MlirStringRef> values = options.values();
    if (!pldRustRunPass(spec.callback, wrap(getOperation()), values.data(), values.size()))
      signalPassFailure();
  }
  bool canScheduleOn(RegisteredOperationName name) const override {
    return name.getStringRef() == "builtin.module";
  }
  std::unique_ptr<Pass> clonePass() const override {
    return std::make_unique<RustPass>(spec);
  }

private:
  const PassSpec &spec;
  OptionList<Option<std::string>> options;
};

struct PipelineOptions : mlir::detail::PassOptions {
  explicit PipelineOptions(const PassSpec &spec) : list(*this, spec) {}
  OptionList<Option<std::string>> list;
};

} // namespace

extern "C" {

// Would be: mlirCreateExternalPass with options, and a registration for it.
void pldRegisterPass(const PassSpec *spec) {
  registerPass([spec] { return std::make_unique<RustPass>(*spec); });
}

// Would be: a C API for PassPipelineRegistration. Rust answers with the textual
// pipeline for the given option values.
void pldRegisterPipeline(const PassSpec *spec) {
  auto build = [spec](OpPassManager &manager, StringRef text,
                      function_ref<LogicalResult(const Twine &)> error) -> LogicalResult {
    PipelineOptions options(*spec);
    if (failed(options.parseFromString(text)))
      return failure();
    std::string pipeline;
    auto append = [](MlirStringRef part, void *userData) {
      static_cast<std::string *>(userData)->append(part.data, part.length);
    };
    SmallVector<MlirStringRef> values = options.list.values();
    if (!pldRustBuildPipeline(spec->callback, values.data(), values.size(), append, &pipeline))
      return error(pipeline);
    return parsePassPipeline(pipeline, manager);
  };
  auto describe = [spec](function_ref<void(const mlir::detail::PassOptions &)> use) {
    use(PipelineOptions(*spec));
  };
  registerPassPipeline(unwrap(spec->argument), unwrap(spec->description), build, describe);
}

} // extern "C"
