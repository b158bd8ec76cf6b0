//===- LoopCounters.cpp - loops that count with a coordinate --------------===//
//
// The loop of a product moves a coordinate of its blocks by what it adds to its
// counter, so one of the two additions is for nothing. The coordinate is a
// field of the register with the address. Comparing it at the top of the loop
// would make the backend carry a copy of it beside the register; where it has
// just been computed it is at hand, so the test moves to the end of the loop.
//
//===----------------------------------------------------------------------===//
#include "Conversion/VCToRawSend/LoopCounters.h"
#include "Conversion/VCToRawSend/AddressLines.h"
#include "Target/Intrinsics/DeviceCalls.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
/// A loop whose header does nothing but compare a counter with what does not
/// change, and that is left nowhere else.
struct CountedLoop {
  LLVM::BrOp entry, again;
  LLVM::CondBrOp test;
  LLVM::ICmpOp compare;
  BlockArgument counter;
  Motion motion;
  int64_t step;
};
} // namespace

/// True where the loop computes `counter` for itself and its test only.
static bool onlyCounts(BlockArgument counter, LLVM::ICmpOp compare,
                       Value next) {
  return llvm::all_of(counter.getUsers(),
                      [&](Operation *user) {
                        return user == compare || user == next.getDefiningOp();
                      }) &&
         next.hasOneUse();
}

static std::optional<CountedLoop> getCountedLoop(const LoopMotion &loop) {
  Block *header = loop.getHeader();
  CountedLoop counted;
  counted.entry = dyn_cast<LLVM::BrOp>(loop.getPredecessor()->getTerminator());
  counted.again = dyn_cast<LLVM::BrOp>(loop.getLatch()->getTerminator());
  counted.test = dyn_cast<LLVM::CondBrOp>(header->getTerminator());
  if (!counted.entry || !counted.again || !counted.test)
    return std::nullopt;
  counted.compare = counted.test.getCondition().getDefiningOp<LLVM::ICmpOp>();
  Block *body = counted.test.getTrueDest(), *exit = counted.test.getFalseDest();
  if (!counted.compare || !counted.compare->hasOneUse() ||
      counted.compare->getBlock() != header ||
      &header->front() != counted.compare ||
      counted.compare->getNextNode() != counted.test || body == exit ||
      body->getSinglePredecessor() != header ||
      exit->getSinglePredecessor() != header ||
      !counted.test.getTrueDestOperands().empty() ||
      !counted.test.getFalseDestOperands().empty())
    return std::nullopt;

  auto predicate = counted.compare.getPredicate();
  counted.counter = dyn_cast<BlockArgument>(counted.compare.getLhs());
  if ((predicate != LLVM::ICmpPredicate::slt &&
       predicate != LLVM::ICmpPredicate::ult) ||
      !counted.counter || counted.counter.getOwner() != header)
    return std::nullopt;
  std::optional<Motion> motion = loop.find(counted.counter);
  APInt step;
  Value next = counted.again.getDestOperands()[counted.counter.getArgNumber()];
  if (!motion || !motion->step ||
      !matchPattern(motion->step, m_ConstantInt(&step)) ||
      !step.isStrictlyPositive() ||
      !onlyCounts(counted.counter, counted.compare, next))
    return std::nullopt;
  counted.motion = *motion;
  counted.step = step.getSExtValue();
  return counted;
}

/// The end of the loop for a value that is one step behind the next counter.
/// An end that is less than a step above the least number has no such value,
/// and only one iteration in front of it.
static Value createEnd(OpBuilder &builder, CountedLoop counted, Value bound) {
  Location loc = bound.getLoc();
  Type type = bound.getType();
  unsigned width = type.getIntOrFloatBitWidth();
  bool isSigned = counted.compare.getPredicate() == LLVM::ICmpPredicate::slt;
  APInt least = isSigned ? APInt::getSignedMinValue(width) : APInt(width, 0);
  least += counted.step;
  Value lowest = createInt(builder, loc, type, least.getSExtValue());
  Value end =
      isSigned ? LLVM::SMaxOp::create(builder, loc, bound, lowest).getResult()
               : LLVM::UMaxOp::create(builder, loc, bound, lowest).getResult();
  return LLVM::SubOp::create(builder, loc, end,
                             createInt(builder, loc, type, counted.step));
}

/// Tests in front of `loop` and, by `again`, at its end. It is the header that
/// goes, because the block behind it may lead into another loop.
static void testAtEnd(const LoopMotion &loop, CountedLoop counted, Value runs,
                      Value again) {
  Block *header = loop.getHeader(), *body = counted.test.getTrueDest(),
        *exit = counted.test.getFalseDest();
  SmallVector<Value> starts(counted.entry.getDestOperands()),
      nexts(counted.again.getDestOperands());
  // What is used behind the loop comes from in front of it, too.
  SmallVector<Value> skipped, left;
  for (BlockArgument argument : header->getArguments()) {
    auto isOutside = [&](OpOperand &use) {
      return !loop.contains(use.getOwner()->getBlock());
    };
    if (llvm::none_of(argument.getUses(), isOutside))
      continue;
    Value passed = exit->addArgument(argument.getType(), argument.getLoc());
    argument.replaceUsesWithIf(passed, isOutside);
    skipped.push_back(starts[argument.getArgNumber()]);
    left.push_back(nexts[argument.getArgNumber()]);
  }
  auto branch = [&](LLVM::BrOp from, Value condition, ValueRange inside,
                    ValueRange outside) {
    OpBuilder builder(from);
    LLVM::CondBrOp::create(builder, from.getLoc(), condition, body, inside,
                           exit, outside);
    from.erase();
  };
  branch(counted.entry, runs, starts, skipped);
  branch(counted.again, again, nexts, left);
  counted.test.erase();
  counted.compare.erase();
  for (BlockArgument argument : header->getArguments())
    argument.replaceAllUsesWith(
        body->addArgument(argument.getType(), argument.getLoc()));
  header->erase();
}

bool mlt::countWithCoordinate(const LoopMotion &loop,
                              ArrayRef<MovingValue> values) {
  std::optional<CountedLoop> counted = getCountedLoop(loop);
  if (!counted)
    return false;
  const auto *same = llvm::find_if(values, [&](const MovingValue &moving) {
    return moving.value.getType() == counted->counter.getType() &&
           isSameValue(moving.motion.start, counted->motion.start) &&
           isSameValue(moving.motion.step, counted->motion.step);
  });
  Value bound = loop.hoist(counted->compare.getRhs());
  if (same == values.end() || !bound)
    return false;
  auto predicate = counted->compare.getPredicate();
  Location loc = counted->compare.getLoc();
  OpBuilder outside(counted->entry), latch(counted->again);
  Value runs = LLVM::ICmpOp::create(outside, loc, predicate,
                                    counted->motion.start, bound);
  Value again = LLVM::ICmpOp::create(latch, loc, predicate, same->value,
                                     createEnd(outside, *counted, bound));
  testAtEnd(loop, *counted, runs, again);
  return true;
}
