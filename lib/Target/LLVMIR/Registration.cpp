//===- Registration.cpp - translations as command line options ------------===//
//
// Connects the functions of Translation.h to MLIR's translation driver.
//
//===----------------------------------------------------------------------===//
#include "Target/LLVMIR/Translation.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/XeVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/XeVM/XeVMToLLVMIRTranslation.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::mlt;

static void registerDialects(DialectRegistry &registry) {
  registry.insert<DLTIDialect, LLVM::LLVMDialect, xevm::XeVMDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerXeVMDialectTranslation(registry);
}

void mlt::registerTranslations() {
  // Private buffers of block messages have to become values before the SPIR-V
  // translator sees them; what else is worth doing, device compilers do.
  static llvm::cl::opt<std::string> llvmPasses(
      "llvm-opt", llvm::cl::init("function(sroa)"),
      llvm::cl::value_desc("pipeline"),
      llvm::cl::desc("LLVM passes to run, in the syntax of opt -passes; empty "
                     "for none"));
  static llvm::cl::opt<bool> debugLines(
      "debug-lines", llvm::cl::init(false),
      llvm::cl::desc("Turn locations into line tables"));

  auto translate =
      [](Operation *op,
         llvm::LLVMContext &context) -> std::unique_ptr<llvm::Module> {
    auto module = dyn_cast<ModuleOp>(op);
    if (!module) {
      op->emitError() << "expected a module";
      return nullptr;
    }
    return translateToLLVMIR(module, context, {llvmPasses, debugLines});
  };
  static TranslateFromMLIRRegistration toText(
      "mlt-to-llvmir", "LLVM dialect to LLVM IR for a SPIR-V translator",
      [=](Operation *op, raw_ostream &output) -> LogicalResult {
        llvm::LLVMContext context;
        std::unique_ptr<llvm::Module> module = translate(op, context);
        if (!module)
          return failure();
        module->print(output, nullptr);
        return success();
      },
      registerDialects);
  static TranslateFromMLIRRegistration toBitcode(
      "mlt-to-llvm-bitcode", "the same as bitcode",
      [=](Operation *op, raw_ostream &output) -> LogicalResult {
        llvm::LLVMContext context;
        std::unique_ptr<llvm::Module> module = translate(op, context);
        if (!module)
          return failure();
        llvm::WriteBitcodeToFile(*module, output);
        return success();
      },
      registerDialects);
  static TranslateFromMLIRRegistration toManifest(
      "mlt-to-manifest", "JSON record of the kernels in a module",
      [](Operation *op, raw_ostream &output) -> LogicalResult {
        auto module = dyn_cast<ModuleOp>(op);
        if (!module)
          return op->emitError() << "expected a module";
        FailureOr<llvm::json::Value> manifest = getManifest(module);
        if (failed(manifest))
          return failure();
        output << llvm::formatv("{0:2}", *manifest) << "\n";
        return success();
      },
      registerDialects);
}
