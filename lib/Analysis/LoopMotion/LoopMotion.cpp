//===- LoopMotion.cpp - values that move evenly in a loop -----------------===//
//
// The coordinates of block messages are carried by loops and reach the messages
// with offsets added, scaled to other element sizes. Whoever keeps the address
// of a message in a register over the iterations needs to know the coordinate
// of the first iteration and the step, for the latter is all that is left to do
// in the loop.
//
//===----------------------------------------------------------------------===//
#include "Analysis/LoopMotion/LoopMotion.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::mlt;

std::optional<LoopMotion> LoopMotion::get(CFGLoop *loop) {
  if (!loop)
    return std::nullopt;
  Block *predecessor = loop->getLoopPredecessor(),
        *latch = loop->getLoopLatch();
  if (!predecessor || !latch ||
      !isa<BranchOpInterface>(predecessor->getTerminator()) ||
      !isa<BranchOpInterface>(latch->getTerminator()))
    return std::nullopt;
  return LoopMotion(loop, loop->getHeader(), predecessor, latch);
}

//===----------------------------------------------------------------------===//
// What the loop does not change
//===----------------------------------------------------------------------===//

Value LoopMotion::hoist(Value value) const {
  if (!loop->contains(value.getParentBlock()))
    return value;
  Operation *op = value.getDefiningOp();
  if (!op || !isPure(op) || op->getNumRegions() != 0)
    return Value();
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    Value outside = hoist(operand);
    if (!outside)
      return Value();
    mapping.map(operand, outside);
  }
  OpBuilder builder(predecessor->getTerminator());
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}

//===----------------------------------------------------------------------===//
// What it moves evenly
//===----------------------------------------------------------------------===//

/// The operand that `from` passes on for `argument` of its successor.
static Value getForwarded(Block *from, BlockArgument argument) {
  auto branch = cast<BranchOpInterface>(from->getTerminator());
  Value found;
  for (auto [index, successor] : llvm::enumerate(from->getSuccessors())) {
    if (successor != argument.getOwner())
      continue;
    Value operand = branch.getSuccessorOperands(index)[argument.getArgNumber()];
    if (!operand || (found && found != operand))
      return {};
    found = operand;
  }
  return found;
}

std::optional<Motion> LoopMotion::findCarried(BlockArgument argument) const {
  if (argument.getOwner() != header)
    return std::nullopt;
  Value start = getForwarded(predecessor, argument);
  Value next = getForwarded(latch, argument);
  auto add = next ? next.getDefiningOp<LLVM::AddOp>() : LLVM::AddOp();
  if (!start || !add || (add.getLhs() != argument && add.getRhs() != argument))
    return std::nullopt;
  Value step = hoist(add.getLhs() == argument ? add.getRhs() : add.getLhs());
  if (!step)
    return std::nullopt;
  return Motion{start, step};
}

/// Whether dividing a value by two to the power of `amount`, rounded down,
/// divides its steps too.
static bool isDivisible(Value step, Value amount) {
  APInt bits, shift;
  return !step || (matchPattern(step, m_ConstantInt(&bits)) &&
                   matchPattern(amount, m_ConstantInt(&shift)) &&
                   shift.ult(bits.getBitWidth()) &&
                   bits.countr_zero() >= shift.getZExtValue());
}

std::optional<Motion> LoopMotion::findComputed(Operation *op) const {
  bool isShift = isa<LLVM::AShrOp>(op);
  bool scales = isShift || isa<LLVM::MulOp, LLVM::ShlOp>(op);
  bool commutes = isa<LLVM::AddOp, LLVM::MulOp>(op);
  if (!scales && !isa<LLVM::AddOp, LLVM::SubOp>(op))
    return std::nullopt;
  Value moving = op->getOperand(0), fixed = hoist(op->getOperand(1));
  if (!fixed && commutes) {
    moving = op->getOperand(1);
    fixed = hoist(op->getOperand(0));
  }
  std::optional<Motion> motion = fixed ? find(moving) : std::nullopt;
  if (!motion || (isShift && !isDivisible(motion->step, fixed)))
    return std::nullopt;
  bool isFirst = moving == op->getOperand(0);
  auto apply = [&](Value value) {
    OpBuilder builder(predecessor->getTerminator());
    IRMapping mapping;
    mapping.map(op->getOperand(isFirst ? 1 : 0), fixed);
    mapping.map(moving, value);
    return builder.clone(*op, mapping)->getResult(0);
  };
  motion->start = apply(motion->start);
  if (motion->step && scales)
    motion->step = apply(motion->step);
  return motion;
}

std::optional<Motion> LoopMotion::findSelected(LLVM::SelectOp op) const {
  Value condition = hoist(op.getCondition());
  if (!condition)
    return std::nullopt;
  std::optional<Motion> yes = find(op.getTrueValue()),
                        no = find(op.getFalseValue());
  if (!yes || !no)
    return std::nullopt;
  OpBuilder builder(predecessor->getTerminator());
  auto select = [&](Value a, Value b) -> Value {
    if (a == b)
      return a;
    auto orZero = [&](Value step) -> Value {
      return step ? step
                  : LLVM::ConstantOp::create(builder, op.getLoc(), op.getType(),
                                             builder.getZeroAttr(op.getType()));
    };
    return LLVM::SelectOp::create(builder, op.getLoc(), condition, orZero(a),
                                  orZero(b));
  };
  return Motion{select(yes->start, no->start), select(yes->step, no->step)};
}

std::optional<Motion> LoopMotion::find(Value value) const {
  if (Value outside = hoist(value))
    return Motion{outside, {}};
  if (auto argument = dyn_cast<BlockArgument>(value))
    return findCarried(argument);
  if (auto select = value.getDefiningOp<LLVM::SelectOp>())
    return findSelected(select);
  return findComputed(value.getDefiningOp());
}

//===----------------------------------------------------------------------===//
// Carrying another value
//===----------------------------------------------------------------------===//

/// Passes `value` on as the last argument of `header`.
static void pass(Block *from, Block *header, Value value) {
  auto branch = cast<BranchOpInterface>(from->getTerminator());
  for (auto [index, successor] : llvm::enumerate(from->getSuccessors()))
    if (successor == header)
      branch.getSuccessorOperands(index).append(value);
}

BlockArgument LoopMotion::carry(Value start) const {
  pass(predecessor, header, start);
  return header->addArgument(start.getType(), start.getLoc());
}

void LoopMotion::setNext(Value next) const { pass(latch, header, next); }
