//===- Translation.h - out of MLIR ----------------------------------------===//
#ifndef MLTC_TARGET_LLVMIR_TRANSLATION_H
#define MLTC_TARGET_LLVMIR_TRANSLATION_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/JSON.h"
#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace mlir {
class ModuleOp;
namespace mlt {

/// What happens to the LLVM module between MLIR and the output.
struct TranslationOptions {
  /// Pass pipeline for LLVM's new pass manager; empty: none.
  std::string llvmPasses;
  /// Turns MLIR locations into line tables.
  bool debugLines = false;
};

/// Translates `module`, of the LLVM dialect, for a SPIR-V consumer. Returns
/// null after an error, which includes IR that the SPIR-V translator rejects.
std::unique_ptr<llvm::Module>
translateToLLVMIR(ModuleOp module, llvm::LLVMContext &context,
                  const TranslationOptions &options);

/// The record of the kernels in `module` that goes into the package. Fails with
/// an error at the kernel that lacks something.
FailureOr<llvm::json::Value> getManifest(ModuleOp module);

/// Registers `--mlt-to-llvmir`, `--mlt-to-llvm-bitcode` and `--mlt-to-manifest`
/// and their options. To be called once, before the command line is parsed.
void registerTranslations();

} // namespace mlt
} // namespace mlir

#endif // MLTC_TARGET_LLVMIR_TRANSLATION_H
