//===- WriteIR.cpp - snapshots in the middle of a pipeline ----------------===//
//
// The driver runs one mlt-opt process per build. This pass is how the stages in
// between reach the disk: for --save-temps, and where the native and the
// portable module part.
//
//===----------------------------------------------------------------------===//
#include "Transforms/Passes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::mlt {
#define GEN_PASS_DEF_WRITEIR
#include "Transforms/Passes.h.inc"
} // namespace mlir::mlt

using namespace mlir;

namespace {
struct WriteIR : mlt::impl::WriteIRBase<WriteIR> {
  using WriteIRBase::WriteIRBase;

  void runOnOperation() override {
    if (file.empty()) {
      getOperation().emitError() << "expected option 'file' of 'mlt-write-ir'";
      return signalPassFailure();
    }
    auto write = [&](llvm::raw_ostream &os) -> llvm::Error {
      OpPrintingFlags flags;
      flags.enableDebugInfo();
      getOperation()->print(os, flags);
      os << "\n";
      return llvm::Error::success();
    };
    if (llvm::Error error = llvm::writeToOutput(file, write)) {
      getOperation().emitError() << "cannot write '" << file
                                 << "': " << llvm::toString(std::move(error));
      return signalPassFailure();
    }
    markAllAnalysesPreserved();
  }
};
} // namespace
