//===- mlt-opt.cpp - runs passes on Triton and ML-Triton IR ---------------===//
//
// An `mlir-opt` with the dialects and passes of ML-Triton.
//
//===----------------------------------------------------------------------===//
#include "PipelineNames.h"
#include "Registration/Registration.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::mlt::registerAllDialects(registry);
  mlir::mlt::registerAllPasses();
  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "ML-Triton optimizer driver\n", registry);
  mlir::mlt::suggestPassNames({argv, static_cast<size_t>(argc)});
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, input, output, registry));
}
