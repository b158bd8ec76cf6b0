//===- MemoryOrder.cpp - what loads must not move over --------------------===//
//
// Whoever moves loads asks the same question. The declared effects answer it
// but for two: operations with regions have those of what is in them, and a
// prefetch is declared to write only lest it be erased.
//
//===----------------------------------------------------------------------===//
#include "Transforms/ScheduleLoad/MemoryOrder.h"
#include "Dialect/MLT/IR/SharedMemory.h"
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

static bool isLocalAccess(Operation *op) {
  return isa<tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp>(op) &&
         isLocalPointer(op->getOperand(0).getType());
}

/// What concerns shared memory alone.
static bool isLocal(Operation *op) {
  if (auto barrier = dyn_cast<BarrierOp>(op))
    return !barrier.getGlobal();
  return isa<AllocOp>(op) || isLocalAccess(op);
}

/// Whether something in `op` that `counts` writes.
static bool anyWrites(Operation *op, function_ref<bool(Operation *)> counts) {
  return op
      ->walk([&](Operation *nested) {
        return counts(nested) && writes(nested) ? WalkResult::interrupt()
                                                : WalkResult::advance();
      })
      .wasInterrupted();
}

bool mlt::mayWriteMemory(Operation *op) {
  return anyWrites(op, [](Operation *) { return true; });
}

bool mlt::mayWriteMemoryOf(Operation *load, Operation *op) {
  if (isLocalAccess(load))
    return mayWriteMemory(op);
  return anyWrites(op, [](Operation *nested) { return !isLocal(nested); });
}
