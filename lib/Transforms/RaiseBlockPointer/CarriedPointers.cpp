//===- CarriedPointers.cpp - block pointers that loops advance ------------===//
//
// A block pointer that is carried and advanced costs one addition per
// iteration; one that is made anew costs all of its parts.
//
//===----------------------------------------------------------------------===//
#include "Transforms/RaiseBlockPointer/CarriedPointers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::mlt;

void mlt::carryPointers(scf::ForOp loop, ArrayRef<CarriedPointer> pointers) {
  IRRewriter rewriter(loop.getContext());
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> inits = llvm::map_to_vector(
      pointers, [](const CarriedPointer &carried) { return carried.pointer; });
  auto advance = [&](OpBuilder &builder, Location loc,
                     ArrayRef<BlockArgument> arguments) {
    SmallVector<Value> next;
    for (auto [carried, argument] : llvm::zip_equal(pointers, arguments))
      next.push_back(tt::AdvanceOp::create(builder, loc, argument.getType(),
                                           argument, carried.steps));
    return next;
  };
  // Cannot fail: an scf.for takes any number of carried values.
  (void)loop.replaceWithAdditionalYields(rewriter, inits,
                                         /*replaceInitOperandUsesInLoop=*/true,
                                         advance);
}

/// Whether everything computed from `argument` ends in its own next value.
static bool feedsOnlyItself(scf::ForOp loop, BlockArgument argument) {
  OpOperand *own = loop.getTiedLoopYieldedValue(argument);
  SmallVector<Value> worklist{argument};
  llvm::SmallDenseSet<Operation *> seen;
  while (!worklist.empty())
    for (OpOperand &use : worklist.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (&use == own)
        continue;
      if (user->getNumRegions() != 0 || !isMemoryEffectFree(user) ||
          user->hasTrait<OpTrait::IsTerminator>())
        return false;
      if (seen.insert(user).second)
        worklist.append(user->result_begin(), user->result_end());
    }
  return true;
}

void mlt::freezeUnusedCarriedValues(Operation *root) {
  root->walk([](scf::ForOp loop) {
    for (BlockArgument argument : loop.getRegionIterArgs())
      if (loop.getTiedLoopResult(argument).use_empty() &&
          feedsOnlyItself(loop, argument))
        loop.getTiedLoopYieldedValue(argument)->set(argument);
  });
}
