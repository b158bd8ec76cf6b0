//===- OrderDots.cpp - dots in the order of their loads -------------------===//
//
// match-target-size finishes one piece of the accumulator before it begins the
// next, so a dot needs all of A and a whole column of B at a time. The orders
// here keep more pieces of the accumulator in flight, which live until the last
// dot anyhow, and one piece of A and B each.
//
//===----------------------------------------------------------------------===//
#include "Transforms/ScheduleLoad/OrderDots.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Transforms/ScheduleLoad/MemoryOrder.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::mlt;

/// True for what brings a loaded tile into the form that a dot takes.
static bool isPreparation(Operation *op) {
  return isa_and_nonnull<ExtractOp, ConvertOperandOp, RoundTF32Op>(op);
}

/// The load that `value` is, is cut from or converted from; null for anything
/// else.
static Operation *getLoad(Value value) {
  Operation *op = value.getDefiningOp();
  while (isPreparation(op))
    op = op->getOperand(0).getDefiningOp();
  return isa_and_nonnull<tt::LoadOp>(op) ? op : nullptr;
}

/// Loads, what is cut from them or converted, and what only serves to compute
/// their addresses: none of it is needed before the first use of the load.
static DenseSet<Operation *> findMovable(Block &block) {
  DenseSet<Operation *> movable, feeders;
  for (Operation &op : llvm::reverse(block)) {
    auto feeds = [&](Operation *user) { return feeders.contains(user); };
    bool isLoad = isa<tt::LoadOp>(op) && !mayWriteMemory(&op);
    bool isFeeder = isMemoryEffectFree(&op) && op.getNumRegions() == 0 &&
                    !op.hasTrait<OpTrait::IsTerminator>() && !op.use_empty() &&
                    llvm::all_of(op.getUsers(), feeds);
    if (isLoad || isFeeder)
      feeders.insert(&op);
    if (isLoad || isFeeder || isPreparation(&op))
      movable.insert(&op);
  }
  return movable;
}

Operation *mlt::getFirstUse(Operation *op) {
  Operation *first = nullptr;
  for (Operation *user : op->getUsers()) {
    Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user);
    if (ancestor && (!first || ancestor->isBeforeInBlock(first)))
      first = ancestor;
  }
  return first;
}

/// Where `op` can move down to: its first use, or what it must not pass.
static Operation *findTarget(Operation *op) {
  Operation *first = getFirstUse(op);
  if (first && isa<tt::LoadOp>(op))
    for (Operation *next = op->getNextNode(); next != first;
         next = next->getNextNode())
      if (mayWriteMemoryOf(op, next))
        return next;
  return first;
}

int64_t mlt::sinkLoads(Block &block) {
  int64_t numSunk = 0;
  DenseSet<Operation *> movable = findMovable(block);
  // Users come first, so that what they use finds them in their new place.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    Operation *target = movable.contains(&op) ? findTarget(&op) : nullptr;
    if (!target || target == op.getNextNode())
      continue;
    op.moveBefore(target);
    numSunk += isa<tt::LoadOp>(op);
  }
  return numSunk;
}

namespace {
/// Dots with nothing between them that would keep one from another's place.
class DotRun {
public:
  /// The run that begins with the first dot at or behind `begin`.
  DotRun(Block::iterator begin, Block::iterator end,
         const DenseSet<Operation *> &movable);

  bool empty() const { return dots.empty(); }
  Operation *back() const { return dots.back(); }

  /// False when the dots are in order already.
  bool sort(DotOrder order);

private:
  using Key = std::tuple<size_t, size_t, size_t>;
  SmallVector<std::pair<Key, tt::DotOp>> getKeys(DotOrder order);
  bool isDotOfRun(Value value) {
    return value.getDefiningOp<tt::DotOp>() &&
           pending.contains(value.getDefiningOp());
  }
  void place(Operation *op);

  SmallVector<tt::DotOp> dots;
  DenseSet<Operation *> pending;
  Operation *behind = nullptr;
};
} // namespace

DotRun::DotRun(Block::iterator begin, Block::iterator end,
               const DenseSet<Operation *> &movable) {
  for (; begin != end; ++begin) {
    Operation *op = &*begin;
    if (auto dot = dyn_cast<tt::DotOp>(op))
      dots.push_back(dot);
    else if (dots.empty())
      continue;
    else if (!movable.contains(op) ||
             llvm::any_of(op->getOperands(),
                          [&](Value value) { return isDotOfRun(value); }))
      break;
    pending.insert(op);
  }
  if (!dots.empty())
    behind = dots.back()->getNextNode();
}

/// Moves `op` to the end of the run, behind what it needs.
void DotRun::place(Operation *op) {
  if (!op || !pending.erase(op))
    return;
  for (Value operand : op->getOperands())
    place(operand.getDefiningOp());
  op->moveBefore(behind);
}

SmallVector<std::pair<DotRun::Key, tt::DotOp>> DotRun::getKeys(DotOrder order) {
  // Loads by the place of their first dot.
  llvm::DenseMap<Operation *, size_t> ranks;
  auto getRank = [&](Value operand) -> size_t {
    Operation *load = getLoad(operand);
    if (!load || load->getBlock() != dots.front()->getBlock())
      return 0;
    return ranks.try_emplace(load, ranks.size() + 1).first->second;
  };
  llvm::DenseMap<Value, size_t> depths;
  SmallVector<std::pair<Key, tt::DotOp>> keyed;
  for (tt::DotOp dot : dots) {
    auto before = depths.find(dot.getC());
    size_t depth = before == depths.end() ? 0 : before->second + 1;
    depths[dot.getResult()] = depth;
    size_t a = getRank(dot.getA()), b = getRank(dot.getB());
    keyed.push_back(
        {order == DotOrder::Loads ? Key{a, b, 0} : Key{depth, b, a}, dot});
  }
  return keyed;
}

bool DotRun::sort(DotOrder order) {
  auto byKey = [](const auto &a, const auto &b) { return a.first < b.first; };
  SmallVector<std::pair<Key, tt::DotOp>> keyed = getKeys(order);
  if (llvm::is_sorted(keyed, byKey))
    return false;
  llvm::stable_sort(keyed, byKey);
  for (auto &[key, dot] : keyed)
    place(dot);
  return true;
}

int64_t mlt::orderDots(Block &block, DotOrder order) {
  int64_t numOrdered = 0;
  DenseSet<Operation *> movable = findMovable(block);
  Block::iterator begin = block.begin();
  while (true) {
    DotRun run(begin, block.end(), movable);
    if (run.empty())
      return numOrdered;
    begin = std::next(run.back()->getIterator());
    numOrdered += run.sort(order);
  }
}
