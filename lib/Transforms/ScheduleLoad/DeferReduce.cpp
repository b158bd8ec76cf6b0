//===- DeferReduce.cpp - sums over lanes behind the loop ------------------===//
//
// Combining the lanes of a tile takes several instructions per row, adding a
// tile to another one takes one. A loop that adds the sum of a tile's columns
// to what it carries therefore carries the columns. Multiplying the carried sum
// is multiplying its parts, so the factor of an online softmax is no obstacle.
//
//===----------------------------------------------------------------------===//
#include "Analysis/RegisterPressure/RegisterPressure.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Transforms/ScheduleLoad/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::mlt {
#define GEN_PASS_DEF_DEFERREDUCE
#include "Transforms/ScheduleLoad/Passes.h.inc"
} // namespace mlir::mlt

using namespace mlir;
using namespace mlir::mlt;

namespace {
/// A carried sum: `next` = `argument` (times `factor`) + `reduce`.
struct CarriedSum {
  scf::ForOp loop;
  BlockArgument argument;
  arith::MulFOp scaled; // null without a factor
  Value factor;
  tt::ReduceOp reduce;
  arith::AddFOp next;
};

struct DeferReduce : mlt::impl::DeferReduceBase<DeferReduce> {
  using DeferReduceBase::DeferReduceBase;

  void runOnOperation() override {
    const TargetDescription *target = TargetDescription::get(getOperation());
    if (!target)
      return signalPassFailure();
    FailureOr<ThreadStyle> threads = parseThreadStyle(getOperation(), style);
    if (failed(threads))
      return signalPassFailure();
    FailureOr<int64_t> budget =
        getRegisterBudget(getOperation(), *target, *threads, registers);
    if (failed(budget))
      return signalPassFailure();
    RegisterPressure pressure(*target, *threads);
    getOperation().walk([&](scf::ForOp loop) {
      for (BlockArgument argument : loop.getRegionIterArgs()) {
        std::optional<CarriedSum> sum = matchSum(loop, argument);
        if (!sum)
          continue;
        Type parts = sum->reduce.getSrcs().front().getType();
        if (pressure.getPeak(loop) + pressure.getRegisters(parts) > *budget)
          continue;
        defer(*sum);
        ++numDeferred;
      }
    });
  }

private:
  static std::optional<CarriedSum> matchSum(scf::ForOp loop,
                                            BlockArgument argument);
  static void defer(CarriedSum sum);
};
} // namespace

/// A sum of f32 over the columns of a tile, which are a power of two.
static bool isSumOfColumns(tt::ReduceOp reduce) {
  if (!reduce || reduce.getSrcs().size() != 1)
    return false;
  auto type = cast<RankedTensorType>(reduce.getSrcs().front().getType());
  if (type.getRank() != 2 || reduce.getAxis() != 1 ||
      !type.getElementType().isF32() ||
      !llvm::isPowerOf2_64(type.getDimSize(1)))
    return false;
  Block &body = reduce.getCombineOp().front();
  auto add = dyn_cast<arith::AddFOp>(body.front());
  return add && body.getOperations().size() == 2 &&
         body.getTerminator()->getOperand(0) == add.getResult() &&
         add.getLhs() != add.getRhs() && isa<BlockArgument>(add.getLhs()) &&
         isa<BlockArgument>(add.getRhs());
}

std::optional<CarriedSum> DeferReduce::matchSum(scf::ForOp loop,
                                                BlockArgument argument) {
  if (!argument.hasOneUse())
    return std::nullopt;
  CarriedSum sum{loop, argument, {}, {}, {}, {}};
  Value carried = argument;
  Operation *user = *argument.user_begin();
  if ((sum.scaled = dyn_cast<arith::MulFOp>(user))) {
    sum.factor = sum.scaled.getLhs() == argument ? sum.scaled.getRhs()
                                                 : sum.scaled.getLhs();
    carried = sum.scaled;
    if (!carried.hasOneUse())
      return std::nullopt;
    user = *carried.user_begin();
  }
  sum.next = dyn_cast<arith::AddFOp>(user);
  if (!sum.next || !sum.next->hasOneUse() ||
      sum.next->getBlock() != loop.getBody() ||
      loop.getTiedLoopYieldedValue(argument)->get() != sum.next.getResult())
    return std::nullopt;
  Value other =
      sum.next.getLhs() == carried ? sum.next.getRhs() : sum.next.getLhs();
  sum.reduce = other.getDefiningOp<tt::ReduceOp>();
  if (!isSumOfColumns(sum.reduce) || !other.hasOneUse() ||
      sum.reduce->getBlock() != loop.getBody())
    return std::nullopt;
  return sum;
}

/// `value`, one element per row, for all columns of `type`.
static Value spread(OpBuilder &builder, Location loc, Value value,
                    RankedTensorType type) {
  auto column =
      RankedTensorType::get({type.getDimSize(0), 1}, type.getElementType());
  value = tt::ExpandDimsOp::create(builder, loc, column, value, 1);
  return tt::BroadcastOp::create(builder, loc, type, value);
}

void DeferReduce::defer(CarriedSum sum) {
  scf::ForOp loop = sum.loop;
  Location loc = sum.next.getLoc();
  Value parts = sum.reduce.getSrcs().front();
  auto type = cast<RankedTensorType>(parts.getType());

  // Each column starts with its share; dividing by a power of two is exact.
  OpBuilder builder(loop);
  OpOperand *init = loop.getTiedLoopInit(sum.argument);
  float share = 1.0f / static_cast<float>(type.getDimSize(1));
  Value shares = arith::ConstantOp::create(builder, loc,
                                           SplatElementsAttr::get(type, share));
  Value start = spread(builder, loc, init->get(), type);
  init->set(arith::MulFOp::create(builder, loc, start, shares));

  builder.setInsertionPoint(sum.next);
  BlockArgument argument = sum.argument;
  argument.setType(type);
  Value carried = argument;
  arith::FastMathFlagsAttr flags = sum.next.getFastmathAttr();
  if (sum.factor)
    carried = arith::MulFOp::create(builder, loc, argument,
                                    spread(builder, loc, sum.factor, type),
                                    sum.scaled.getFastmathAttr());
  Value next = arith::AddFOp::create(builder, loc, carried, parts, flags);
  loop.getTiedLoopYieldedValue(argument)->set(next);
  sum.next->erase();
  if (sum.scaled)
    sum.scaled->erase();

  // The same reduction, of what the loop leaves.
  OpResult result = loop.getTiedLoopResult(argument);
  sum.reduce->moveAfter(loop);
  Value total = sum.reduce->getResult(0);
  result.replaceAllUsesWith(total);
  sum.reduce->setOperand(0, result);
  result.setType(type);
}
