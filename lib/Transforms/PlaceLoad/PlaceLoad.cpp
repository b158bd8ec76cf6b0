//===- PlaceLoad.cpp - when blocks are loaded --------------------------===//
//
// The vector backend of the device compiler neither delays a load until its
// data fit into the registers nor moves it ahead of its use, so where a load
// stands decides whether a kernel spills and whether it waits.
//
//===----------------------------------------------------------------------===//
#include "Analysis/RegisterPressure/RegisterPressure.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Target/Description/TargetDescription.h"
#include "Transforms/PlaceLoad/Passes.h"
#include "Transforms/ScheduleLoad/MemoryOrder.h"
#include "Transforms/ScheduleLoad/OrderDots.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::mlt {
#define GEN_PASS_DEF_PLACELOAD
#include "Transforms/PlaceLoad/Passes.h.inc"
} // namespace mlir::mlt

using namespace mlir;
using namespace mlir::mlt;

/// Bytes of `type` in a thread that holds whole tiles; 0 for scalars.
static int64_t getTileBytes(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return 0;
  return llvm::divideCeil(
      tensor.getNumElements() * tt::getElementBitWidth(tensor), 8);
}

/// Operations that may wait for their first use: block loads, and what makes
/// tiles no smaller than those it takes.
static bool canWait(Operation *op) {
  if (tt::getBlockLoad(op))
    return true;
  if (op->getNumResults() != 1 || !isPure(op) || op->getNumRegions() != 0)
    return false;
  int64_t taken = 0, made = getTileBytes(op->getResult(0).getType());
  llvm::SmallDenseSet<Value> operands(op->operand_begin(), op->operand_end());
  for (Value operand : operands)
    taken += getTileBytes(operand.getType());
  return isa<ExtractOp>(op) || (taken > 0 && made >= taken);
}

/// The first operation of the block that needs `op` to stand before it.
static Operation *findTarget(Operation *op) {
  Operation *first = getFirstUse(op);
  if (!first || !tt::getBlockLoad(op))
    return first;
  for (Operation *next = op->getNextNode(); next != first;
       next = next->getNextNode())
    if (mayWriteMemoryOf(op, next))
      return next;
  return first;
}

/// Moves what can wait in front of its first use, keeping the order of those
/// that wait for the same.
static void delay(Block &block) {
  llvm::DenseMap<Operation *, Operation *> waiting;
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    Operation *use = canWait(&op) ? findTarget(&op) : nullptr;
    if (!use)
      continue;
    Operation *&first = waiting.try_emplace(use, use).first->second;
    op.moveBefore(first);
    first = &op;
  }
}

/// Converts all pieces of a loaded tile when the first is needed, where that
/// makes them no larger: the pieces then take the place of the tile, which
/// otherwise would live beside them until the last one is made.
static void convertAtOnce(Operation *load) {
  SmallVector<Operation *> pieces;
  for (Operation *user : load->getUsers())
    if (isa<ExtractOp>(user) && user->getBlock() == load->getBlock())
      pieces.push_back(user);
  llvm::sort(pieces,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  Operation *last = load;
  for (Operation *piece : pieces) {
    if (!piece->hasOneUse())
      continue;
    Operation *conversion = *piece->user_begin();
    if (conversion->getNumOperands() != 1 || !canWait(conversion) ||
        conversion->getBlock() != load->getBlock() ||
        getTileBytes(conversion->getResult(0).getType()) !=
            getTileBytes(piece->getResult(0).getType()))
      continue;
    piece->moveAfter(last);
    conversion->moveAfter(piece);
    last = conversion;
  }
}

/// Moves each load back while no more than `budget` registers are live.
static void advance(Block &block, const RegisterPressure &pressure,
                    int64_t budget) {
  SmallVector<int64_t> live = pressure.getProfile(block);
  SmallVector<Operation *> ops;
  llvm::DenseMap<Operation *, size_t> positions;
  for (Operation &op : block) {
    positions[&op] = ops.size();
    ops.push_back(&op);
  }
  llvm::DenseSet<Operation *> moved;
  size_t floor = 0;
  bool isFirst = true;
  for (auto [position, op] : llvm::enumerate(ops)) {
    // A prefetch that is the first message stays so: behind a load, whose
    // register has been read too, it takes one instruction more.
    if (mayWriteMemory(op) || (isFirst && isa<PrefetchOp>(op)))
      floor = position + 1;
    if (!tt::getBlockLoad(op))
      continue;
    isFirst = false;
    size_t earliest = floor;
    for (Value operand : op->getOperands())
      if (Operation *def = operand.getDefiningOp();
          def && def->getBlock() == &block)
        earliest = std::max(earliest, positions.lookup(def) + 1);
    int64_t count = pressure.getRegisters(op->getResult(0).getType());
    size_t target = position;
    while (target > earliest && live[target - 1] + count <= budget)
      live[--target] += count;
    floor = target;
    if (target == position) {
      ++floor;
      continue;
    }
    // Loads that went ahead are no longer where the block had them.
    while (moved.contains(ops[target]))
      ++target;
    if (target != position)
      op->moveBefore(ops[target]);
    moved.insert(op);
  }
}

namespace {
struct PlaceLoadPass : mlt::impl::PlaceLoadBase<PlaceLoadPass> {
  using PlaceLoadBase::PlaceLoadBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    const TargetDescription *target = TargetDescription::get(module);
    if (!target)
      return signalPassFailure();
    FailureOr<int64_t> budget = getRegisterBudget(
        module, *target, target->reservedPermilleEarly, registers);
    if (failed(budget))
      return signalPassFailure();
    RegisterPressure pressure(*target, ThreadStyle::Simd);
    llvm::SmallSetVector<Block *, 8> blocks;
    module.walk([&](tt::LoadOp load) {
      if (tt::getBlockLoad(load))
        blocks.insert(load->getBlock());
    });
    for (Block *block : blocks)
      schedule(*block, pressure, *budget);
  }

private:
  void schedule(Block &block, const RegisterPressure &pressure, int64_t budget);
};
} // namespace

void PlaceLoadPass::schedule(Block &block, const RegisterPressure &pressure,
                             int64_t budget) {
  auto getOrder = [&] {
    SmallVector<Operation *> order;
    for (Operation &op : block)
      order.push_back(&op);
    return order;
  };
  SmallVector<Operation *> before = getOrder();
  delay(block);
  for (Operation *op : before)
    if (tt::getBlockLoad(op))
      convertAtOnce(op);
  advance(block, pressure, budget);
  for (auto [from, to] : llvm::zip_equal(before, getOrder()))
    numMoved += from != to && bool(tt::getBlockLoad(to));
}
