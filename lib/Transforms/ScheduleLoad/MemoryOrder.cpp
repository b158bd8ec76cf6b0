//===- MemoryOrder.cpp - what loads must not move over --------------------===//
//
// Whoever moves loads asks the same question. The declared effects answer it
// but for two: operations with regions have those of what is in them, and a
// prefetch is declared to write only lest it be erased.
//
//===----------------------------------------------------------------------===//
#include "Transforms/ScheduleLoad/MemoryOrder.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::mlt;

static bool writes(Operation *op) {
  if (isa<PrefetchOp>(op))
    return false;
  if (auto effects = dyn_cast<MemoryEffectOpInterface>(op))
    return !effects.hasNoEffect() &&
           !effects.onlyHasEffect<MemoryEffects::Read>();
  return !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
}

bool mlt::mayWriteMemory(Operation *op) {
  return op
      ->walk([](Operation *nested) {
        return writes(nested) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}
