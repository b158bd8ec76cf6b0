//===- WarpDivergence.cpp - what differs between the warps of a kernel ----===//
//
// A barrier that some warps do not reach hangs the kernel, so the compiler has
// to know where warps part. A forward data flow from the warp ids, to a fixed
// point: precise for scf.if and scf.for, which Triton's front end writes, and
// careful for everything else that has regions or branches.
//
//===----------------------------------------------------------------------===//
#include "Transforms/MaterializeMarkers/WarpDivergence.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/Triton/IR/Triton.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Block.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::mlt;

WarpDivergence::WarpDivergence(Operation *function) : function(function) {
  for (bool changed = true; changed;) {
    changed = false;
    function->walk([&](Operation *op) {
      if (op != function)
        changed |= visit(op);
    });
  }
}

bool WarpDivergence::anyDiffers(ValueRange values) const {
  return llvm::any_of(values, [&](Value value) { return differs(value); });
}

bool WarpDivergence::mark(ValueRange values) {
  bool changed = false;
  for (Value value : values)
    changed |= varying.insert(value).second;
  return changed;
}

/// Values that a loop carries: `index` of its initial values and results.
static SmallVector<Value> getCarried(scf::ForOp loop, unsigned index) {
  return {loop.getRegionIterArg(index), loop.getResult(index)};
}

bool WarpDivergence::visit(Operation *op) {
  // Each warp performs an atomic operation of its own, one after the other.
  if (isa<WarpIdOp, tt::AtomicRMWOp, tt::AtomicCASOp>(op))
    return mark(op->getResults());
  if (auto reduce = dyn_cast<CrossWarpReduceOp>(op))
    // The same in every warp, unless only some have it.
    return reduce.getDstWarps() && mark(op->getResults());
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (isDivergent(loop))
      return mark(loop.getRegion().getArguments()) | mark(op->getResults());
    bool changed = false;
    for (auto [index, init] : llvm::enumerate(loop.getInitArgs()))
      if (differs(init))
        changed |= mark(getCarried(loop, index));
    return changed;
  }
  if (auto yield = dyn_cast<scf::YieldOp>(op)) {
    Operation *parent = op->getParentOp();
    auto loop = dyn_cast<scf::ForOp>(parent);
    bool changed = false;
    for (auto [index, value] : llvm::enumerate(yield.getResults())) {
      if (!differs(value))
        continue;
      if (loop)
        changed |= mark(getCarried(loop, index));
      else if (isa<scf::IfOp>(parent))
        changed |= mark(parent->getResult(index));
    }
    return changed;
  }
  if (isa<scf::IfOp>(op))
    return isDivergent(op) && mark(op->getResults());
  bool any = anyDiffers(op->getOperands());
  bool changed = false;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      any |= !block.empty() && anyDiffers(block.back().getOperands());
  if (!any)
    return false;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      changed |= mark(block.getArguments());
  for (Block *successor : op->getSuccessors())
    changed |= mark(successor->getArguments());
  return mark(op->getResults()) | changed;
}

bool WarpDivergence::isDivergent(Operation *op) const {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return differs(loop.getLowerBound()) || differs(loop.getUpperBound()) ||
           differs(loop.getStep());
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return differs(branch.getCondition());
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return differs(loop.getConditionOp().getCondition());
  return anyDiffers(op->getOperands());
}

Operation *WarpDivergence::findDivergence(Operation *op) const {
  for (Operation *parent = op->getParentOp();
       parent && !isa<FunctionOpInterface>(parent);
       parent = parent->getParentOp())
    if (isDivergent(parent))
      return parent;
  // Branches between blocks: any of them may decide.
  return findDivergentBranch();
}

Operation *WarpDivergence::findDivergentBranch() const {
  Operation *found = nullptr;
  function->walk([&](cf::CondBranchOp branch) {
    if (!found && differs(branch.getCondition()))
      found = branch;
  });
  return found;
}
