//===- mlt-lsp-server.cpp - Triton and ML-Triton IR in editors ------------===//
//
// MLIR's language server with the dialects of mlt-opt: diagnostics as one
// types, hover, definitions and uses in .ttir and .mlir files.
//
//===----------------------------------------------------------------------===//
#include "Registration/Registration.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::mlt::registerAllDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
