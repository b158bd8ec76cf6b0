//===- FoldTransposition.cpp - loads in the order of their use ------------===//
//
// Kernels say `tl.trans(k)` where they load a tile by rows and multiply by its
// columns. In memory the two orders are one; in registers they are not: what
// the lanes hold has to change places. So the transposition goes to the load,
// while accesses still name tiles of the work-group.
//
//===----------------------------------------------------------------------===//
#include "Analysis/OperandRole/OperandRole.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Support/CloneOp.h"
#include "Support/Remarks.h"
#include "Transforms/FoldTransposition/Passes.h"
#include "Transforms/FoldTransposition/TransposedPointers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include <map>

namespace mlir::mlt {
#define GEN_PASS_DEF_FOLDTRANSPOSITION
#include "Transforms/FoldTransposition/Passes.h.inc"
} // namespace mlir::mlt

using namespace mlir;
using namespace mlir::mlt;

/// Whether `value` is an operand of a product, itself or after operations on
/// its elements alone.
static bool reachesDot(Value value) {
  return mlt::reachesDot(
      value, [](OpOperand &use, SmallVectorImpl<Value> &values) {
        if (use.getOwner()->hasTrait<OpTrait::Elementwise>())
          llvm::append_range(values, use.getOwner()->getResults());
      });
}

namespace {
/// What transpositions of one order have made.
struct Transposed {
  explicit Transposed(ArrayRef<int32_t> order) : pointers(order) {}

  TransposedPointers pointers;
  llvm::DenseMap<Value, Value> values;
};

/// One transposition: what it takes, and the values in its order.
class Transposer {
public:
  Transposer(tt::TransOp trans, Transposed &made)
      : mayRepeat(reachesDot(trans.getResult())), made(made),
        order(made.pointers.getOrder()) {}

  /// Whether `value` can be had in this order without moving elements.
  bool canTranspose(Value value);
  /// `value` in this order, for which `canTranspose` holds.
  Value get(Value value);

private:
  bool computeCanTranspose(Value value);
  /// Whether `value` is used in no other order than this one.
  bool isOnlyTransposed(Value value) const;
  Value create(Value value);
  Value createLoad(tt::LoadOp load);

  /// Whether a second load or conversion pays.
  bool mayRepeat;
  Transposed &made;
  ArrayRef<int32_t> order;
  llvm::DenseMap<Value, bool> possible;
};
} // namespace

bool Transposer::isOnlyTransposed(Value value) const {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    auto trans = dyn_cast<tt::TransOp>(user);
    if (trans)
      return trans.getOrder() == order;
    // Inside of the tree above the transposition.
    return llvm::any_of(user->getResults(), [&](Value result) {
      return possible.contains(result);
    });
  });
}

bool Transposer::canTranspose(Value value) {
  if (auto it = possible.find(value); it != possible.end())
    return it->second;
  possible[value] = false; // until it is known
  bool result = computeCanTranspose(value);
  possible[value] = result;
  return result;
}

bool Transposer::computeCanTranspose(Value value) {
  if (!isa<RankedTensorType>(value.getType()))
    return true; // a scalar beside the tensors
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  SplatElementsAttr splat;
  if (matchPattern(value, m_Constant(&splat)) || isa<tt::SplatOp>(op))
    return true;
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op))
    return expand.getType().getRank() == 2;
  bool isWhole = isOnlyTransposed(value);
  if (tt::LoadOp load = tt::getBlockLoad(op))
    return !load.getIsVolatile() && (isWhole || mayRepeat) &&
           TransposedPointers::canTranspose(load.getPtr());
  if (auto load = dyn_cast<tt::LoadOp>(op)) {
    if (load.getIsVolatile() || !isWhole)
      return false;
  } else if (!isa<tt::BroadcastOp>(op) &&
             !(op->hasTrait<OpTrait::Elementwise>() &&
               op->getNumResults() == 1 && isMemoryEffectFree(op) &&
               (isWhole || mayRepeat))) {
    return false;
  }
  return llvm::all_of(op->getOperands(),
                      [&](Value operand) { return canTranspose(operand); });
}

Value Transposer::get(Value value) {
  if (!isa<RankedTensorType>(value.getType()))
    return value;
  if (Value known = made.values.lookup(value))
    return known;
  Value result = create(value);
  made.values[value] = result;
  return result;
}

Value Transposer::createLoad(tt::LoadOp load) {
  Value pointer = made.pointers.get(load);
  SmallVector<int32_t> checked =
      made.pointers.renumber(load.getBoundaryCheck());
  llvm::sort(checked);
  OpBuilder builder(load);
  return tt::LoadOp::create(builder, load.getLoc(), pointer, checked,
                            load.getPadding(), load.getCache(),
                            load.getEvict());
}

Value Transposer::create(Value value) {
  Operation *op = value.getDefiningOp();
  if (tt::LoadOp load = tt::getBlockLoad(op))
    return createLoad(load);
  // Before a place is chosen: for a pointer that a loop carries, another loop
  // takes the place of the one around `op`.
  SmallVector<Value> operands;
  if (!isa<tt::ExpandDimsOp>(op))
    operands = llvm::map_to_vector(op->getOperands(),
                                   [&](Value operand) { return get(operand); });
  auto type = cast<RankedTensorType>(value.getType());
  auto turned = RankedTensorType::get(made.pointers.permute(type.getShape()),
                                      type.getElementType());
  SplatElementsAttr splat;
  OpBuilder builder(op);
  builder.setInsertionPointAfter(op);
  if (matchPattern(value, m_Constant(&splat)))
    return arith::ConstantOp::create(builder, op->getLoc(),
                                     splat.resizeSplat(turned));
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op))
    return tt::ExpandDimsOp::create(builder, op->getLoc(), turned,
                                    expand.getSrc(), 1 - expand.getAxis());
  return cloneOp(builder, op, operands, turned)->getResult(0);
}

namespace {
struct FoldTranspositionPass
    : mlt::impl::FoldTranspositionBase<FoldTranspositionPass> {
  void runOnOperation() override {
    for (tt::FuncOp func : getOperation().getOps<tt::FuncOp>())
      if (!func.isDeclaration())
        fold(func);
  }

private:
  void fold(tt::FuncOp func);
};
} // namespace

static void remarkLeft(tt::TransOp trans) {
  if (reachesDot(trans.getResult()))
    remarkMissed(trans, topic::kLayout, [](llvm::raw_ostream &os) {
      os << "is transposed in registers: expected a tile that is loaded "
            "through "
            "a block pointer of loops, or through pointers for this use only";
    });
}

/// Erases what only erased operations used; in front of users come operands.
static void eraseUnused(tt::FuncOp func) {
  SmallVector<Operation *> operations;
  func.walk([&](Operation *op) { operations.push_back(op); });
  for (Operation *op : llvm::reverse(operations))
    if (isOpTriviallyDead(op))
      op->erase();
}

void FoldTranspositionPass::fold(tt::FuncOp func) {
  SmallVector<tt::TransOp> transpositions;
  func.walk([&](tt::TransOp trans) { transpositions.push_back(trans); });
  std::map<std::vector<int32_t>, Transposed> orders;
  for (tt::TransOp trans : transpositions) {
    Transposed &made =
        orders.try_emplace(trans.getOrder().vec(), trans.getOrder())
            .first->second;
    Transposer transposer(trans, made);
    if (!transposer.canTranspose(trans.getSrc())) {
      remarkLeft(trans);
      ++numLeft;
      continue;
    }
    trans.getResult().replaceAllUsesWith(transposer.get(trans.getSrc()));
    trans.erase();
    ++numFolded;
  }
  eraseUnused(func);
  releaseUnusedPointers(func);
  eraseUnused(func);
}
