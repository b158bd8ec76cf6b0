//===- mlt-reduce.cpp - shrinks an input that makes a pass fail -----------===//
//
// MLIR's reducer with the dialects and passes of mlt-opt. A script says whether
// a smaller module still fails; docs/editor.md shows one.
//
//===----------------------------------------------------------------------===//
#include "Registration/Registration.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::mlt::registerAllDialects(registry);
  mlir::mlt::registerAllPasses();
  mlir::MLIRContext context(registry);
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
