//===- mlt-opt.cpp - runs passes on Triton and ML-Triton IR ---------------===//
//
// An `mlir-opt` with the dialects and passes of ML-Triton. Its one option of
// its own names the release of Triton that is to read the output.
//
//===----------------------------------------------------------------------===//
#include "Dialect/Triton/IR/TritonRelease.h"
#include "PipelineNames.h"
#include "Registration/Registration.h"
#include "Transforms/LowerToRelease/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;

/// The named pipeline of the command line, and behind it the pass that leaves
/// only what `release` knows; the output is printed for it.
static LogicalResult runForRelease(StringRef input, StringRef output,
                                   DialectRegistry &registry,
                                   tt::TritonRelease release) {
  tt::registerPrintedRelease(registry, release);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  MlirOptMainConfig given = config;
  config.setPassPipelineSetupFn([&](PassManager &manager) {
    if (failed(given.setupPassPipeline(manager)))
      return failure();
    mlt::LowerToReleaseOptions options;
    options.release = release;
    manager.addPass(mlt::createLowerToRelease(options));
    return success();
  });
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> source = openInputFile(input, &error);
  std::unique_ptr<llvm::ToolOutputFile> target =
      source ? openOutputFile(output, &error) : nullptr;
  if (!target) {
    llvm::WithColor::error(llvm::errs(), "mlt-opt") << error << "\n";
    return failure();
  }
  if (failed(MlirOptMain(target->os(), std::move(source), registry, config)))
    return failure();
  target->keep();
  return success();
}

int main(int argc, char **argv) {
  using tt::TritonRelease;
  llvm::cl::opt<TritonRelease> release(
      "triton-version",
      llvm::cl::desc("Print what this release of Triton reads, and refuse what "
                     "it does not know"),
      llvm::cl::values(clEnumValN(TritonRelease::V3_2, "3.2", "Triton 3.2"),
                       clEnumValN(TritonRelease::V3_3, "3.3", "Triton 3.3"),
                       clEnumValN(TritonRelease::V3_5, "3.5", "Triton 3.5"),
                       clEnumValN(TritonRelease::V3_7, "3.7", "Triton 3.7"),
                       clEnumValN(TritonRelease::V3_9, "3.9", "Triton 3.9")));
  DialectRegistry registry;
  mlt::registerAllDialects(registry);
  mlt::registerAllPasses();
  auto [input, output] = registerAndParseCLIOptions(
      argc, argv, "ML-Triton optimizer driver\n", registry);
  mlt::suggestPassNames({argv, static_cast<size_t>(argc)});
  return asMainReturnCode(
      release.getNumOccurrences()
          ? runForRelease(input, output, registry, release)
          : MlirOptMain(argc, argv, input, output, registry));
}
