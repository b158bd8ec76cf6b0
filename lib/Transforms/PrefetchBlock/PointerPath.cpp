//===- PointerPath.cpp - where a block pointer goes in a loop -------------===//
//
// A prefetch needs the address of a block some iterations before the loop has
// it. Loops move block pointers in several ways: carried and advanced, made
// anew from the induction variable, advanced before the loop or by an earlier
// one, carried by an outer loop. All of them are linear in the iteration, so
// one closed form serves: a start and a step, both computed in front of the
// loop by cloning what they follow from.
//
//===----------------------------------------------------------------------===//
#include "Transforms/PrefetchBlock/PointerPath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
/// Remembers what was built, to take it away again.
struct Journal : OpBuilder::Listener {
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    operations.push_back(op);
  }
  void undo() {
    for (Operation *op : llvm::reverse(operations))
      op->erase();
  }
  SmallVector<Operation *> operations;
};

/// A step, null for zero; the outer optional is empty when there is none.
using Step = std::optional<Value>;

/// Scalars and block pointers of one loop as functions of its iteration.
class Evolution {
public:
  Evolution(scf::ForOp loop, Journal &journal)
      : loop(loop), builder(loop, &journal), journal(journal) {}

  /// The path of a block pointer that is used in the loop.
  std::optional<PointerPath> getPath(Value pointer);

  /// What one iteration adds to a carried block pointer.
  std::optional<SmallVector<Value>> getPointerSteps(BlockArgument carried);

  /// Number of iterations (i32), in front of the loop.
  Value getTrips();

private:
  bool isOutside(Value value) { return loop.isDefinedOutsideOfLoop(value); }
  bool isInvariant(Value value);
  /// The value that `value` has in the first iteration, or null.
  Value getFirst(Value value);
  SmallVector<Value> getFirst(ValueRange values);
  /// What each iteration adds to `value`.
  Step getStep(Value value);
  Step computeStep(Value value);
  Step getCarriedStep(Value yielded, BlockArgument carried);
  std::optional<SmallVector<Value>> getPointerSteps(Value yielded,
                                                    BlockArgument carried);

  std::optional<PointerPath> getPathOutside(Value pointer);
  void moveAlong(PointerPath &path, Value iterations, ArrayRef<Value> steps);

  Value toI32(Value value);
  Value add(Value a, Value b);
  Value subtract(Value a, Value b);
  Value multiply(Value a, Value b);

  scf::ForOp loop;
  OpBuilder builder;
  Journal &journal;
  IRMapping first;
  llvm::DenseMap<Value, bool> invariant;
  llvm::DenseMap<Value, Step> steps;
};
} // namespace

//===----------------------------------------------------------------------===//
// Arithmetic in front of the loop; null is zero
//===----------------------------------------------------------------------===//

Value Evolution::add(Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return builder.createOrFold<arith::AddIOp>(loop.getLoc(), a, b);
}

Value Evolution::subtract(Value a, Value b) {
  if (!b)
    return a;
  if (!a)
    a = builder.createOrFold<arith::ConstantOp>(
        loop.getLoc(), builder.getZeroAttr(b.getType()));
  return builder.createOrFold<arith::SubIOp>(loop.getLoc(), a, b);
}

Value Evolution::multiply(Value a, Value b) {
  if (!a || !b)
    return {};
  return builder.createOrFold<arith::MulIOp>(loop.getLoc(), a, b);
}

Value Evolution::toI32(Value value) {
  Type i32 = builder.getI32Type();
  Type type = value.getType();
  if (type == i32)
    return value;
  if (type.isIndex())
    return builder.createOrFold<arith::IndexCastOp>(loop.getLoc(), i32, value);
  if (type.getIntOrFloatBitWidth() > 32)
    return builder.createOrFold<arith::TruncIOp>(loop.getLoc(), i32, value);
  return builder.createOrFold<arith::ExtSIOp>(loop.getLoc(), i32, value);
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// Whether `op` may be done where it was not: also where the loop never runs.
static bool isPureScalarOp(Operation *op) {
  return op && op->getNumRegions() == 0 && isPure(op);
}

bool Evolution::isInvariant(Value value) {
  if (isOutside(value))
    return true;
  if (auto it = invariant.find(value); it != invariant.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  bool result =
      isPureScalarOp(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
        return isInvariant(operand);
      });
  invariant[value] = result;
  return result;
}

Value Evolution::getFirst(Value value) {
  if (isOutside(value))
    return value;
  if (Value known = first.lookupOrNull(value))
    return known;
  if (value == loop.getInductionVar())
    return loop.getLowerBound();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    OpOperand *init = argument.getOwner() == loop.getBody()
                          ? loop.getTiedLoopInit(argument)
                          : nullptr;
    return init ? init->get() : Value();
  }
  Operation *op = value.getDefiningOp();
  if (!isPureScalarOp(op))
    return {};
  for (Value operand : op->getOperands()) {
    Value start = getFirst(operand);
    if (!start)
      return {};
    first.map(operand, start);
  }
  builder.clone(*op, first);
  return first.lookup(value);
}

SmallVector<Value> Evolution::getFirst(ValueRange values) {
  return llvm::map_to_vector(values, [&](Value v) { return getFirst(v); });
}

Step Evolution::getStep(Value value) {
  if (auto it = steps.find(value); it != steps.end())
    return it->second;
  Step step = computeStep(value);
  steps[value] = step;
  return step;
}

Step Evolution::computeStep(Value value) {
  if (isInvariant(value))
    return Value();
  if (value == loop.getInductionVar())
    return loop.getStep();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() != loop.getBody())
      return std::nullopt;
    return getCarriedStep(loop.getTiedLoopYieldedValue(argument)->get(),
                          argument);
  }
  Operation *op = value.getDefiningOp();
  auto both = [&](auto combine) -> Step {
    Step a = getStep(op->getOperand(0)), b = getStep(op->getOperand(1));
    if (!a || !b)
      return std::nullopt;
    return combine(*a, *b);
  };
  return llvm::TypeSwitch<Operation *, Step>(op)
      .Case([&](arith::AddIOp) {
        return both([&](Value a, Value b) { return add(a, b); });
      })
      .Case([&](arith::SubIOp) {
        return both([&](Value a, Value b) { return subtract(a, b); });
      })
      .Case([&](arith::MulIOp mul) -> Step {
        Value a = mul.getLhs(), b = mul.getRhs();
        if (isInvariant(a))
          std::swap(a, b);
        Step step = getStep(a);
        if (!step || !isInvariant(b))
          return std::nullopt;
        return multiply(*step, getFirst(b));
      })
      // A cast of a sum is taken for the sum of casts: offsets do not wrap.
      .Case<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
            arith::IndexCastOp>([&](auto cast) -> Step {
        Step step = getStep(cast.getIn());
        if (!step || !*step)
          return step;
        return builder
            .create(loop.getLoc(), op->getName().getIdentifier(), *step,
                    cast.getType())
            ->getResult(0);
      })
      .Default([](Operation *) -> Step { return std::nullopt; });
}

Step Evolution::getCarriedStep(Value yielded, BlockArgument carried) {
  if (yielded == carried)
    return Value();
  Operation *op = yielded.getDefiningOp();
  if (!op || !isa<arith::AddIOp, arith::SubIOp>(op))
    return std::nullopt;
  Value rest = op->getOperand(0), added = op->getOperand(1);
  bool minus = isa<arith::SubIOp>(op);
  if (!minus && isInvariant(rest))
    std::swap(rest, added);
  if (!isInvariant(added))
    return std::nullopt;
  Step before = getCarriedStep(rest, carried);
  if (!before)
    return std::nullopt;
  Value amount = getFirst(added);
  return minus ? subtract(*before, amount) : add(*before, amount);
}

Value Evolution::getTrips() {
  Location loc = loop.getLoc();
  Value span = builder.createOrFold<arith::SubIOp>(loc, loop.getUpperBound(),
                                                   loop.getLowerBound());
  Value zero = builder.createOrFold<arith::ConstantOp>(
      loc, builder.getZeroAttr(span.getType()));
  span = builder.createOrFold<arith::MaxSIOp>(loc, span, zero);
  return toI32(
      builder.createOrFold<arith::CeilDivSIOp>(loc, span, loop.getStep()));
}

//===----------------------------------------------------------------------===//
// Block pointers
//===----------------------------------------------------------------------===//

std::optional<SmallVector<Value>>
Evolution::getPointerSteps(BlockArgument carried) {
  return getPointerSteps(loop.getTiedLoopYieldedValue(carried)->get(), carried);
}

std::optional<SmallVector<Value>>
Evolution::getPointerSteps(Value yielded, BlockArgument carried) {
  if (yielded == carried) {
    auto pointer = cast<tt::PointerType>(carried.getType());
    return SmallVector<Value>(
        cast<RankedTensorType>(pointer.getPointeeType()).getRank());
  }
  if (auto advance = yielded.getDefiningOp<tt::AdvanceOp>()) {
    std::optional<SmallVector<Value>> steps =
        getPointerSteps(advance.getPtr(), carried);
    if (!steps)
      return std::nullopt;
    for (auto [step, offset] : llvm::zip_equal(*steps, advance.getOffsets())) {
      if (!isInvariant(offset))
        return std::nullopt;
      step = add(step, getFirst(offset));
    }
    return steps;
  }
  // Carried through an inner loop, which moves it as often as it runs.
  auto inner = yielded.getDefiningOp<scf::ForOp>();
  if (!inner || !loop->isProperAncestor(inner))
    return std::nullopt;
  unsigned index = cast<OpResult>(yielded).getResultNumber();
  std::optional<SmallVector<Value>> steps =
      getPointerSteps(inner.getInitArgs()[index], carried);
  Evolution nested(inner, journal);
  std::optional<SmallVector<Value>> innerSteps =
      steps ? nested.getPointerSteps(inner.getRegionIterArgs()[index])
            : std::nullopt;
  if (!innerSteps)
    return std::nullopt;
  Value trips = nested.getTrips();
  for (auto [step, innerStep] : llvm::zip_equal(*steps, *innerSteps)) {
    if (!innerStep)
      continue;
    if (!isInvariant(trips) || !isInvariant(innerStep))
      return std::nullopt;
    step = add(step, multiply(getFirst(trips), getFirst(innerStep)));
  }
  return steps;
}

void Evolution::moveAlong(PointerPath &path, Value iterations,
                          ArrayRef<Value> steps) {
  for (auto [offset, step] : llvm::zip_equal(path.offsets, steps))
    offset = add(offset, multiply(iterations, step));
}

std::optional<PointerPath> Evolution::getPathOutside(Value pointer) {
  if (auto make = pointer.getDefiningOp<tt::MakeTensorPtrOp>())
    return PointerPath{make.getBase(),
                       llvm::to_vector(make.getShape()),
                       llvm::to_vector(make.getStrides()),
                       llvm::to_vector(make.getOrder()),
                       llvm::to_vector(make.getOffsets()),
                       SmallVector<Value>(make.getOffsets().size())};
  if (auto advance = pointer.getDefiningOp<tt::AdvanceOp>()) {
    std::optional<PointerPath> path = getPathOutside(advance.getPtr());
    if (path)
      for (auto [offset, more] :
           llvm::zip_equal(path->offsets, advance.getOffsets()))
        offset = add(offset, more);
    return path;
  }
  // Behind an earlier loop: it has moved the pointer in every iteration.
  if (auto earlier = pointer.getDefiningOp<scf::ForOp>()) {
    unsigned index = cast<OpResult>(pointer).getResultNumber();
    Evolution before(earlier, journal);
    auto steps = before.getPointerSteps(earlier.getRegionIterArgs()[index]);
    std::optional<PointerPath> path =
        steps ? getPathOutside(earlier.getInitArgs()[index]) : std::nullopt;
    if (path)
      moveAlong(*path, before.getTrips(), *steps);
    return path;
  }
  // Carried by an outer loop, so far by as many iterations as it has done.
  auto argument = dyn_cast<BlockArgument>(pointer);
  auto outer = argument
                   ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                   : scf::ForOp();
  if (!outer)
    return std::nullopt;
  Evolution around(outer, journal);
  auto steps = around.getPointerSteps(argument);
  std::optional<PointerPath> path =
      steps ? getPathOutside(outer.getTiedLoopInit(argument)->get())
            : std::nullopt;
  if (path) {
    Value done = builder.createOrFold<arith::SubIOp>(
        loop.getLoc(), outer.getInductionVar(), outer.getLowerBound());
    done = builder.createOrFold<arith::DivSIOp>(loop.getLoc(), done,
                                                outer.getStep());
    moveAlong(*path, toI32(done), *steps);
  }
  return path;
}

std::optional<PointerPath> Evolution::getPath(Value pointer) {
  if (isOutside(pointer))
    return getPathOutside(pointer);
  if (auto argument = dyn_cast<BlockArgument>(pointer)) {
    if (argument.getOwner() != loop.getBody())
      return std::nullopt;
    auto steps = getPointerSteps(argument);
    std::optional<PointerPath> path =
        steps ? getPathOutside(loop.getTiedLoopInit(argument)->get())
              : std::nullopt;
    if (path)
      path->steps = *steps;
    return path;
  }
  auto moveBy = [&](PointerPath &path, ValueRange offsets) {
    for (auto [offset, step, more] :
         llvm::zip_equal(path.offsets, path.steps, offsets)) {
      Step moved = getStep(more);
      Value start = moved ? getFirst(more) : Value();
      if (!start)
        return false;
      offset = add(offset, start);
      step = add(step, *moved);
    }
    return true;
  };
  if (auto advance = pointer.getDefiningOp<tt::AdvanceOp>()) {
    std::optional<PointerPath> path = getPath(advance.getPtr());
    if (!path || !moveBy(*path, advance.getOffsets()))
      return std::nullopt;
    return path;
  }
  auto make = pointer.getDefiningOp<tt::MakeTensorPtrOp>();
  if (!make || !isInvariant(make.getBase()) ||
      !llvm::all_of(make.getShape(), [&](Value v) { return isInvariant(v); }) ||
      !llvm::all_of(make.getStrides(), [&](Value v) { return isInvariant(v); }))
    return std::nullopt;
  unsigned rank = make.getOffsets().size();
  PointerPath path{
      getFirst(make.getBase()),    getFirst(make.getShape()),
      getFirst(make.getStrides()), llvm::to_vector(make.getOrder()),
      SmallVector<Value>(rank),    SmallVector<Value>(rank)};
  if (!moveBy(path, make.getOffsets()))
    return std::nullopt;
  return path;
}

std::optional<PointerPath> mlt::getPointerPath(scf::ForOp loop, Value pointer) {
  Journal journal;
  std::optional<PointerPath> path = Evolution(loop, journal).getPath(pointer);
  if (!path)
    journal.undo();
  return path;
}
