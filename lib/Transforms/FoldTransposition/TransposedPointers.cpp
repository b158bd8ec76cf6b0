//===- TransposedPointers.cpp - block pointers in another order -----------===//
#include "Transforms/FoldTransposition/TransposedPointers.h"
#include "Analysis/OperandRole/OperandRole.h"

using namespace mlir;
using namespace mlir::mlt;

//===----------------------------------------------------------------------===//
// Which pointers
//===----------------------------------------------------------------------===//

namespace {
/// A value that a loop carries: by its initial, its yielded and its last value
/// and the argument of the body alike.
struct Carried {
  scf::ForOp loop;
  unsigned index;
};
} // namespace

static std::optional<Carried> getCarried(Value value) {
  if (auto loop = value.getDefiningOp<scf::ForOp>())
    return Carried{loop, cast<OpResult>(value).getResultNumber()};
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return std::nullopt;
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || argument == loop.getInductionVar())
    return std::nullopt;
  return Carried{loop, argument.getArgNumber() - loop.getNumInductionVars()};
}

/// `around` are the loops whose yielded value is looked at.
static bool canTransposeWithin(Value pointer,
                               SmallVectorImpl<Carried> &around) {
  if (pointer.getDefiningOp<tt::MakeTensorPtrOp>())
    return true;
  if (auto advance = pointer.getDefiningOp<tt::AdvanceOp>())
    return canTransposeWithin(advance.getPtr(), around);
  std::optional<Carried> carried = getCarried(pointer);
  if (!carried)
    return false;
  for (const Carried &outer : around)
    if (outer.loop == carried->loop)
      return outer.index == carried->index;
  if (!canTransposeWithin(carried->loop.getInitArgs()[carried->index], around))
    return false;
  around.push_back(*carried);
  bool result = canTransposeWithin(
      carried->loop.getYieldedValues()[carried->index], around);
  around.pop_back();
  return result;
}

bool TransposedPointers::canTranspose(Value pointer) {
  SmallVector<Carried> around;
  return canTransposeWithin(pointer, around);
}

//===----------------------------------------------------------------------===//
// Twins
//===----------------------------------------------------------------------===//

SmallVector<int32_t>
TransposedPointers::renumber(ArrayRef<int32_t> dims) const {
  return llvm::map_to_vector(dims, [&](int32_t dim) {
    return static_cast<int32_t>(llvm::find(order, dim) - order.begin());
  });
}

/// The pointer that `pointer` follows from: where a loop starts, or what is
/// advanced. Null for one that is made.
static Value getOrigin(Value pointer) {
  if (auto advance = pointer.getDefiningOp<tt::AdvanceOp>())
    return advance.getPtr();
  if (std::optional<Carried> carried = getCarried(pointer))
    return carried->loop.getInitArgs()[carried->index];
  return {};
}

Value TransposedPointers::get(tt::LoadOp load) {
  // From the first one on: an outer loop that gets another value replaces loops
  // in it, so nothing of those may be in hand then.
  for (;;) {
    Value pointer = load.getPtr();
    while (Value origin = getOrigin(pointer)) {
      if (twins.contains(pointer) || twins.contains(origin))
        break;
      pointer = origin;
    }
    bool isLast = pointer == load.getPtr();
    Value twin = get(pointer);
    if (isLast)
      return twin;
  }
}

Value TransposedPointers::get(Value pointer) {
  if (Value known = twins.lookup(pointer))
    return known;
  if (std::optional<Carried> carried = getCarried(pointer)) {
    bool isResult = isa<OpResult>(pointer);
    scf::ForOp loop = carry(carried->loop, carried->index);
    return isResult ? loop->getResults().back()
                    : Value(loop.getRegionIterArgs().back());
  }
  auto op = pointer.getDefiningOp<tt::MakeTensorPtrOp>();
  Value twin = op ? make(op) : advance(pointer.getDefiningOp<tt::AdvanceOp>());
  twins[pointer] = twin;
  return twin;
}

Value TransposedPointers::make(tt::MakeTensorPtrOp op) {
  OpBuilder builder(op);
  auto pointer = cast<tt::PointerType>(op.getType());
  auto block = cast<RankedTensorType>(pointer.getPointeeType());
  return tt::MakeTensorPtrOp::create(
      builder, op.getLoc(), op.getBase(), permute(op.getShape()),
      permute(op.getStrides()), permute(op.getOffsets()),
      llvm::to_vector_of<int32_t>(permute(block.getShape())),
      renumber(op.getOrder()));
}

Value TransposedPointers::advance(tt::AdvanceOp op) {
  Value from = get(op.getPtr());
  OpBuilder builder(op);
  return tt::AdvanceOp::create(builder, op.getLoc(), from.getType(), from,
                               permute(op.getOffsets()));
}

scf::ForOp TransposedPointers::carry(scf::ForOp loop, unsigned index) {
  Value init = get(loop.getInitArgs()[index]);
  scf::ForOp wider = addCarried(loop, init);
  Value twin = wider.getRegionIterArgs().back();
  // Known before the body is looked at, which leads back here.
  twins[wider.getRegionIterArgs()[index]] = twin;
  twins[wider.getResult(index)] = wider->getResults().back();
  Value yielded = get(wider.getYieldedValues()[index]);
  wider.getYieldedValuesMutable()->back().set(yielded);
  return wider;
}

scf::ForOp TransposedPointers::addCarried(scf::ForOp loop, Value init) {
  auto getValues = [](scf::ForOp loop) {
    SmallVector<Value> values(loop.getRegionIterArgs());
    llvm::append_range(values, loop.getResults());
    return values;
  };
  SmallVector<Value> before = getValues(loop);
  DictionaryAttr attributes = loop->getDiscardableAttrDictionary();
  IRRewriter rewriter(loop);
  auto wider = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, init, /*replaceInitOperandUsesInLoop=*/false,
      [](OpBuilder &, Location, ArrayRef<BlockArgument> added) {
        return SmallVector<Value>(added.begin(), added.end());
      }));
  wider->setDiscardableAttrs(attributes);

  // What is known of the old loop's values is so of the new one's.
  SmallVector<Value> after;
  unsigned count = wider.getInitArgs().size() - 1;
  llvm::append_range(after, wider.getRegionIterArgs().take_front(count));
  llvm::append_range(after, wider.getResults().take_front(count));
  IRMapping moved;
  moved.map(before, after);
  llvm::DenseMap<Value, Value> remapped;
  for (auto [pointer, twin] : twins)
    remapped[moved.lookupOrDefault(pointer)] = moved.lookupOrDefault(twin);
  twins = std::move(remapped);
  return wider;
}

//===----------------------------------------------------------------------===//
// Pointers without users
//===----------------------------------------------------------------------===//

void mlt::releaseUnusedPointers(tt::FuncOp func) {
  auto isUse = [](Operation *user) {
    return !isa<tt::AdvanceOp, scf::ForOp, scf::YieldOp>(user);
  };
  auto isUnused = [&](Value pointer) {
    return llvm::none_of(getPointerFamily(pointer), [&](Value value) {
      return llvm::any_of(value.getUsers(), isUse);
    });
  };
  func.walk([&](scf::ForOp loop) {
    for (auto [argument, yielded] : llvm::zip_equal(
             loop.getRegionIterArgs(), *loop.getYieldedValuesMutable()))
      if (tt::isBlockPointer(argument.getType()) && isUnused(argument))
        yielded.set(argument);
  });
}
