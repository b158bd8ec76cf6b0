//===- DotChains.cpp - which dots feed which
//--------------------------------===//
//
// FlashAttention is two dots of which the second consumes what the first
// produced. Nothing else about it matters for the layout, so nothing else is
// looked for: a chain may have any length, cross loops and branches, and carry
// any arithmetic between its dots.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Layout/WarpMap.h"
#include "Analysis/Layout/Workload.h"
#include "Dialect/Triton/IR/Triton.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::mlt;

static bool isDot(Operation *op) { return isa<tt::DotOp, tt::DotScaledOp>(op); }

/// True for operations through which a tile stays the same tile.
static bool keepsTile(Operation *op) {
  LayoutRule rule = getLayoutRule(op);
  return (rule == LayoutRule::Same && isMemoryEffectFree(op)) ||
         rule == LayoutRule::Trans;
}

DotChains::DotChains(FunctionOpInterface func) : edges(func) {
  func->walk([&](Operation *op) {
    if (isDot(op))
      dots.insert({op, {}});
  });
  for (auto &entry : dots)
    follow(entry.first);
}

void DotChains::follow(Operation *dot) {
  SmallVector<Value> worklist{dot->getResult(0)};
  llvm::DenseSet<Value> seen;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!getTensorType(value.getType()) || !seen.insert(value).second)
      continue;
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (isDot(user)) {
        unsigned index = use.getOperandNumber();
        if (index > 1)
          continue; // accumulated, not consumed
        Links &links = dots[user];
        (index == 0 ? links.hasProducerA : links.hasProducerB) = true;
        dots[dot].consumers.insert(user);
        continue;
      }
      if (keepsTile(user))
        llvm::append_range(worklist, user->getResults());
      llvm::append_range(worklist, edges.getTargets(use));
    }
  }
}
