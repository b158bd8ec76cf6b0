//===- Alternatives.cpp - buffers of which one is in use ------------------===//
//
// A kernel with two versions has the buffers of both, and uses those of one.
//
//===----------------------------------------------------------------------===//
#include "Transforms/MaterializeMarkers/Alternatives.h"
#include "Dialect/MLT/IR/SharedMemory.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::mlt;

/// The region around `op` of the outermost branch, if that is in no loop.
static Region *getOutermostBranch(Operation *op) {
  while (Operation *parent = op->getParentOp()) {
    if (isa_and_present<FunctionOpInterface>(parent->getParentOp()))
      return isa<scf::IfOp>(parent) ? op->getParentRegion() : nullptr;
    op = parent;
  }
  return nullptr;
}

bool mlt::areAlternatives(Operation *a, Operation *b,
                          const WarpDivergence &divergence) {
  Region *first = getOutermostBranch(a), *second = getOutermostBranch(b);
  return first && second && first != second &&
         first->getParentOp() == second->getParentOp() &&
         !divergence.isDivergent(first->getParentOp());
}

int64_t mlt::getBytesBeside(Operation *op, Operation *function,
                            const WarpDivergence &divergence) {
  int64_t bytes = 0;
  function->walk([&](AllocOp other) {
    if (!areAlternatives(op, other, divergence))
      bytes += llvm::alignTo(getSizeInBytes(other), kSlmAlignment);
  });
  return bytes;
}
