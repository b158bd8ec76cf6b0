//===- mlt-translate.cpp - out of MLIR ------------------------------------===//
//
// The command line of MLIR's translation driver with our translations: LLVM IR
// as text and as bitcode, and the manifest of the kernels.
//
//===----------------------------------------------------------------------===//
#include "Target/LLVMIR/Translation.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"

int main(int argc, char **argv) {
  mlir::mlt::registerTranslations();
  return mlir::failed(
      mlir::mlirTranslateMain(argc, argv, "mltc translation driver"));
}
