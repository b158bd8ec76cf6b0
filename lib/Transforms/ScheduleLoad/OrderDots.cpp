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
#include "Transforms/ScheduleLoad/RegisterPressure.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::mlt;

/// A prefetch is declared to write, lest it be erased; loads may pass it.
static bool mayWrite(Operation &op) {
  return !isa<PrefetchOp>(op) && !isMemoryEffectFree(&op) &&
         !hasSingleEffect<MemoryEffects::Read>(&op);
}

/// All operations of the block of `load` that use it or a piece of it, pieces
/// themselves in `pieces`.
static Operation *findFirstUser(Operation *load,
                                SmallVectorImpl<Operation *> &pieces) {
  Block *block = load->getBlock();
  Operation *first = nullptr;
  SmallVector<Operation *> worklist{load};
  while (!worklist.empty()) {
    for (Operation *user : worklist.pop_back_val()->getUsers()) {
      if (isa<ExtractOp>(user) && user->getBlock() == block) {
        pieces.push_back(user);
        worklist.push_back(user);
        continue;
      }
      Operation *ancestor = block->findAncestorOpInBlock(*user);
      if (ancestor && (!first || ancestor->isBeforeInBlock(first)))
        first = ancestor;
    }
  }
  return first;
}

int64_t mlt::sinkLoads(Block &block) {
  int64_t numSunk = 0;
  for (Operation &load : llvm::make_early_inc_range(llvm::reverse(block))) {
    if (load.getNumResults() != 1 || getBlockLoad(load.getResult(0)) != &load)
      continue;
    SmallVector<Operation *> pieces;
    Operation *target = findFirstUser(&load, pieces);
    if (!target)
      continue;
    bool passed = false;
    for (Operation *next = load.getNextNode(); next != target;
         next = next->getNextNode()) {
      if (mayWrite(*next)) {
        target = next;
        break;
      }
      passed |= !isa<ExtractOp, tt::LoadOp>(next);
    }
    if (!passed)
      continue;
    load.moveBefore(target);
    // Pieces of pieces come behind them in `pieces`.
    for (Operation *piece : llvm::reverse(pieces))
      if (piece->isBeforeInBlock(&load))
        piece->moveAfter(&load);
    ++numSunk;
  }
  return numSunk;
}

namespace {
/// Dots with nothing between them that would keep one from another's place.
class DotRun {
public:
  /// The run that begins with the first dot at or behind `begin`.
  explicit DotRun(Block::iterator begin, Block::iterator end);

  bool empty() const { return dots.empty(); }
  Operation *back() const { return dots.back(); }

  /// False when the dots are in order already.
  bool order();

private:
  void place(Operation *op);

  SmallVector<tt::DotOp> dots;
  llvm::DenseSet<Operation *> pending;
  Operation *behind = nullptr;
};
} // namespace

DotRun::DotRun(Block::iterator begin, Block::iterator end) {
  for (; begin != end; ++begin) {
    Operation *op = &*begin;
    if (auto dot = dyn_cast<tt::DotOp>(op))
      dots.push_back(dot);
    else if (dots.empty())
      continue;
    else if (!isa<ExtractOp>(op) &&
             !(op->getNumResults() == 1 && getBlockLoad(op->getResult(0))))
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

bool DotRun::order() {
  // Loads by the place of their first dot.
  llvm::DenseMap<Operation *, size_t> ranks;
  auto getRank = [&](Value operand) -> size_t {
    Operation *load = getBlockLoad(operand);
    if (!load || load->getBlock() != dots.front()->getBlock())
      return 0;
    return ranks.try_emplace(load, ranks.size() + 1).first->second;
  };
  using Key = std::pair<size_t, size_t>;
  SmallVector<std::pair<Key, tt::DotOp>> keyed;
  for (tt::DotOp dot : dots)
    keyed.push_back({{getRank(dot.getA()), 0}, dot});
  for (auto &[key, dot] : keyed)
    key.second = getRank(dot.getB());
  auto byKey = [](const auto &a, const auto &b) { return a.first < b.first; };
  if (llvm::is_sorted(keyed, byKey))
    return false;
  llvm::stable_sort(keyed, byKey);
  for (auto &[key, dot] : keyed)
    place(dot);
  return true;
}

int64_t mlt::orderDots(Block &block) {
  int64_t numOrdered = 0;
  Block::iterator begin = block.begin();
  while (true) {
    DotRun run(begin, block.end());
    if (run.empty())
      return numOrdered;
    begin = std::next(run.back()->getIterator());
    numOrdered += run.order();
  }
}
