//===- MaskedResults.cpp - loaded elements that nobody keeps --------------===//
//
// Kernels wrap the rows of a tile around at the end of a tensor, so that loads
// need no mask, and mask the rows when they store. What is loaded for the rows
// behind the end does not matter then, provided that no operation on the way
// mixes rows. This file follows one dimension of a loaded tile to the stores.
//
//===----------------------------------------------------------------------===//
#include "Transforms/RaiseBlockPointer/MaskedResults.h"
#include "Dialect/Triton/IR/Triton.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
/// A value, and which of its dimensions is followed.
struct Followed {
  Value value;
  unsigned dim;
};

class ResultWalk {
public:
  ResultWalk(const WrappedIndex &index, PointerShapeAnalysis &shapes,
             const ForwardingEdges &edges)
      : index(index), shapes(shapes), edges(edges) {}

  bool run(Followed start);

private:
  bool visit(OpOperand &use, unsigned dim);
  bool visitDot(tt::DotOp dot, OpOperand &use, unsigned dim);
  bool visitEffect(OpOperand &use, Value mask, unsigned dim);
  void follow(Value value, unsigned dim) { worklist.push_back({value, dim}); }

  const WrappedIndex &index;
  PointerShapeAnalysis &shapes;
  const ForwardingEdges &edges;
  SmallVector<Followed> worklist;
  llvm::DenseSet<std::pair<Value, unsigned>> seen;
};
} // namespace

bool ResultWalk::run(Followed start) {
  follow(start.value, start.dim);
  while (!worklist.empty()) {
    Followed next = worklist.pop_back_val();
    if (!seen.insert({next.value, next.dim}).second)
      continue;
    for (OpOperand &use : next.value.getUses())
      if (!visit(use, next.dim))
        return false;
  }
  return true;
}

/// Rows of the left operand and columns of the right one stay what they are in
/// the product.
bool ResultWalk::visitDot(tt::DotOp dot, OpOperand &use, unsigned dim) {
  unsigned operand = use.getOperandNumber();
  if (operand < 2 && dim != operand)
    return false;
  follow(dot.getResult(), dim);
  return true;
}

/// Whether what writes the value leaves out what lies at and behind the bound;
/// it may leave out more.
bool ResultWalk::visitEffect(OpOperand &use, Value mask, unsigned dim) {
  Operation *op = use.getOwner();
  // An address, a mask, or the old elements of an atomic depend on it.
  if (use.getOperandNumber() != 1 || use.get() == mask ||
      use.get() == op->getOperand(0) ||
      (op->getNumResults() != 0 && !op->use_empty()))
    return false;
  return llvm::any_of(
      shapes.getMask(mask).bounds, [&](const MaskCondition &condition) {
        return condition.upper && condition.dim == dim &&
               condition.start - condition.bound == index.start - index.bound;
      });
}

bool ResultWalk::visit(OpOperand &use, unsigned dim) {
  Operation *op = use.getOwner();
  if (auto dot = dyn_cast<tt::DotOp>(op))
    return visitDot(dot, use, dim);
  if (auto store = dyn_cast<tt::StoreOp>(op))
    return visitEffect(use, store.getMask(), dim);
  if (auto atomic = dyn_cast<tt::AtomicRMWOp>(op))
    return visitEffect(use, atomic.getMask(), dim);
  if (auto trans = dyn_cast<tt::TransOp>(op)) {
    follow(trans.getResult(), llvm::find(trans.getOrder(), int32_t(dim)) -
                                  trans.getOrder().begin());
    return true;
  }
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
    follow(expand.getResult(), dim + (dim >= expand.getAxis()));
    return true;
  }
  if (auto reduce = dyn_cast<tt::ReduceOp>(op)) {
    if (reduce.getAxis() == dim)
      return false;
    for (Value result : reduce->getResults())
      follow(result, dim - (dim > reduce.getAxis()));
    return true;
  }
  if (ArrayRef<Value> targets = edges.getTargets(use); !targets.empty()) {
    for (Value target : targets)
      follow(target, dim);
    return true;
  }
  if (isa<tt::BroadcastOp>(op) ||
      (op->hasTrait<OpTrait::Elementwise>() && isMemoryEffectFree(op))) {
    for (Value result : op->getResults())
      follow(result, dim);
    return true;
  }
  return false;
}

bool mlt::isMaskedAtStores(Value loaded, unsigned dim,
                           const WrappedIndex &index,
                           PointerShapeAnalysis &shapes,
                           const ForwardingEdges &edges) {
  return ResultWalk(index, shapes, edges).run({loaded, dim});
}
