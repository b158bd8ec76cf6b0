//===- mlt-opt.cpp - runs passes on Triton and ML-Triton IR ---------------===//
//
// An `mlir-opt` with the dialects and passes of ML-Triton.
//
//===----------------------------------------------------------------------===//
#include "Registration/Registration.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::mlt::registerAllDialects(registry);
  mlir::mlt::registerAllPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "ML-Triton optimizer driver\n", registry));
}
