//===- AddressLines.cpp - messages that share an address register ---------===//
//
// A loop with few messages has a register with the address of each, which takes
// one addition. Attention over long rows has forty messages in its loop, and
// their registers are those that its tiles lack. Messages of a line of blocks
// differ in one coordinate by what is known in front of the loop, so one
// register can walk along the line with as many additions. It costs the wait
// for a message to have read the register, which the device compiler writes in
// several instructions: for loops that have no registers to spare.
//
//===----------------------------------------------------------------------===//
#include "Conversion/VCToRawSend/AddressLines.h"
#include "Target/Intrinsics/DeviceCalls.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;
using namespace mlir::mlt;

/// Pairs of values that are known to be the same: a chain in which every value
/// is used twice is followed once.
using Known = llvm::SmallDenseSet<std::pair<Value, Value>>;

static bool isSameValue(Value a, Value b, Known &known) {
  if (a == b || known.contains({a, b}))
    return true;
  Operation *first = a ? a.getDefiningOp() : nullptr,
            *second = b ? b.getDefiningOp() : nullptr;
  if (!first || !second || !isPure(first) ||
      cast<OpResult>(a).getResultNumber() !=
          cast<OpResult>(b).getResultNumber())
    return false;
  bool isSame = OperationEquivalence::isEquivalentTo(
      first, second,
      [&](Value x, Value y) { return success(isSameValue(x, y, known)); },
      [](Value, Value) {}, OperationEquivalence::IgnoreLocations);
  if (isSame)
    known.insert({a, b});
  return isSame;
}

bool mlt::isSameValue(Value a, Value b) {
  Known known;
  return ::isSameValue(a, b, known);
}

namespace {
/// A value as another one, null for 0, and a constant.
struct Sum {
  Value root;
  int64_t constant = 0;
};
} // namespace

static Sum split(Value value) {
  Sum sum{value};
  APInt bits;
  while (sum.root) {
    if (matchPattern(sum.root, m_ConstantInt(&bits)))
      return {Value(), sum.constant + bits.getSExtValue()};
    auto add = sum.root.getDefiningOp<LLVM::AddOp>();
    if (!add)
      break;
    if (matchPattern(add.getRhs(), m_ConstantInt(&bits)))
      sum.root = add.getLhs();
    else if (matchPattern(add.getLhs(), m_ConstantInt(&bits)))
      sum.root = add.getRhs();
    else
      break;
    sum.constant += bits.getSExtValue();
  }
  return sum;
}

Distance mlt::getDistance(Value from, Value to, Value step) {
  Sum begin = split(from), end = split(to), more = split(step);
  Distance distance{end.root, begin.root, more.root,
                    end.constant - begin.constant + more.constant};
  if (isSameValue(distance.plus, distance.minus))
    distance.plus = distance.minus = Value();
  return distance;
}

Value Distance::create(OpBuilder &builder, Location loc) const {
  Type i32 = builder.getI32Type();
  Value sum;
  auto add = [&](Value value) {
    if (value)
      sum = sum ? LLVM::AddOp::create(builder, loc, sum, value) : value;
  };
  add(plus);
  add(step);
  if (constant != 0 || (!sum && !minus))
    add(createInt(builder, loc, i32, constant));
  if (minus)
    sum = LLVM::SubOp::create(
        builder, loc, sum ? sum : createInt(builder, loc, i32, 0), minus);
  return sum;
}

AddressLine::Move AddressLine::getMove(size_t i) const {
  const MovingMessage &message = *messages[i];
  const MovingMessage &before = *(i == 0 ? messages.back() : messages[i - 1]);
  bool isNext = i == 0;
  return {getDistance(before.x.start, message.x.start,
                      isNext ? message.x.step : Value()),
          getDistance(before.y.start, message.y.start,
                      isNext ? message.y.step : Value())};
}

/// Registers that `lines` take and additions that they make.
static std::pair<size_t, size_t> getCost(ArrayRef<AddressLine> lines) {
  size_t additions = 0;
  for (const AddressLine &line : lines)
    for (size_t i = 0; i < line.messages.size(); ++i) {
      AddressLine::Move move = line.getMove(i);
      additions += !move.x.isZero() + !move.y.isZero();
    }
  return {lines.size() + additions, additions};
}

/// A line for each set of messages that `belongTogether`.
static SmallVector<AddressLine>
group(ArrayRef<MovingMessage> messages,
      llvm::function_ref<bool(const MovingMessage &, const MovingMessage &)>
          belongTogether) {
  SmallVector<AddressLine> lines;
  for (const MovingMessage &message : messages) {
    auto *line = llvm::find_if(lines, [&](const AddressLine &line) {
      return belongTogether(*line.messages.front(), message);
    });
    if (line == lines.end())
      line = &lines.emplace_back();
    line->messages.push_back(&message);
  }
  return lines;
}

static bool isSamePlace(Value a, Value b) { return getDistance(a, b).isZero(); }

static bool isSameColumn(const MovingMessage &a, const MovingMessage &b) {
  return isSamePlace(a.x.start, b.x.start);
}

static bool isSameRow(const MovingMessage &a, const MovingMessage &b) {
  return isSamePlace(a.y.start, b.y.start);
}

SmallVector<AddressLine> mlt::planPlaces(ArrayRef<MovingMessage> messages) {
  return group(messages, [](const MovingMessage &a, const MovingMessage &b) {
    return isSameColumn(a, b) && isSameRow(a, b);
  });
}

SmallVector<AddressLine> mlt::planLines(ArrayRef<MovingMessage> messages) {
  SmallVector<AddressLine> best = planPlaces(messages);
  auto consider = [&](SmallVector<AddressLine> lines) {
    if (getCost(lines) < getCost(best))
      best = std::move(lines);
  };
  consider(group(messages, isSameColumn));
  consider(group(messages, isSameRow));
  consider(group(messages, [](const MovingMessage &, const MovingMessage &) {
    return true;
  }));
  return best;
}
