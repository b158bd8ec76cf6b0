//===- PointerShape.cpp - tensors of indices and pointers -----------------===//
//
// Triton builds addresses from ranges that are moved, stretched, laid along a
// dimension and added. Each of these steps keeps the form "a start, and a
// stride per dimension"; anything else has no form and ends the search.
//
//===----------------------------------------------------------------------===//
#include "Analysis/PointerShape/PointerShape.h"
#include "Dialect/Triton/IR/Triton.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::mlt;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

bool IndexShape::isUniform() const {
  return llvm::all_of(strides, [](const Polynomial &p) { return p.isZero(); });
}

bool IndexShape::hasWraps() const {
  return llvm::any_of(wraps, [](const auto &wrap) { return wrap.has_value(); });
}

std::optional<unsigned> IndexShape::getOnlyDim() const {
  std::optional<unsigned> found;
  for (auto [dim, stride] : llvm::enumerate(strides))
    if (!stride.isZero()) {
      if (found)
        return std::nullopt;
      found = dim;
    }
  return found;
}

static bool isValid(const IndexShape &index) {
  return index.start.isValid() &&
         llvm::all_of(index.strides,
                      [](const Polynomial &p) { return p.isValid(); });
}

static std::optional<IndexShape> add(const IndexShape &a, const IndexShape &b,
                                     bool subtract = false) {
  IndexShape result = a;
  Polynomial sign(subtract ? -1 : 1);
  result.start = a.start + b.start * sign;
  for (unsigned dim : llvm::seq<unsigned>(0, a.strides.size())) {
    result.strides[dim] = a.strides[dim] + b.strides[dim] * sign;
    if (a.wraps[dim] || !b.wraps[dim])
      continue;
    // A wrapped index and another one along one dimension have no common form.
    if (!a.strides[dim].isZero())
      return std::nullopt;
    result.wraps[dim] = b.wraps[dim];
  }
  for (unsigned dim : llvm::seq<unsigned>(0, a.strides.size()))
    if (a.wraps[dim] && !b.strides[dim].isZero())
      return std::nullopt;
  result.room = b.start.isZero() ? a.room : a.start.isZero() ? b.room : 0;
  return isValid(result) ? std::optional(result) : std::nullopt;
}

static std::optional<IndexShape> scale(const IndexShape &index,
                                       const IndexShape &factor) {
  if (!factor.isUniform())
    return std::nullopt;
  IndexShape result = index;
  result.start = index.start * factor.start;
  for (Polynomial &stride : result.strides)
    stride = stride * factor.start;
  result.room = 0;
  return isValid(result) ? std::optional(result) : std::nullopt;
}

static IndexShape insertDim(const IndexShape &index, unsigned axis) {
  IndexShape result = index;
  result.strides.insert(result.strides.begin() + axis, Polynomial());
  result.wraps.insert(result.wraps.begin() + axis, std::nullopt);
  return result;
}

/// Makes nothing depend on the position in dimensions that have one only, so
/// that they can be broadcast.
static void dropSingleDims(IndexShape &index, RankedTensorType type) {
  for (unsigned dim : llvm::seq<unsigned>(0, index.strides.size()))
    if (type.getDimSize(dim) == 1)
      index.strides[dim] = Polynomial();
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

std::optional<IndexShape> PointerShapeAnalysis::getIndex(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type || !type.getElementType().isIntOrIndex())
    return std::nullopt;
  if (open.contains(tensor)) {
    IndexShape self(type.getRank());
    self.start = scalars.getOpaque(tensor);
    return self;
  }
  if (auto it = indices.find(tensor); it != indices.end())
    return it->second;
  std::optional<IndexShape> result = computeIndex(tensor);
  if (result) {
    dropSingleDims(*result, type);
    if (type.getElementTypeBitWidth() <= 32)
      result->room = Scalars::kNarrowRoom;
  }
  if (open.empty())
    indices[tensor] = result;
  return result;
}

std::optional<IndexShape> PointerShapeAnalysis::computeIndex(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (scf::ForOp loop = Scalars::getCarrier(tensor))
    return computeCarried(loop, tensor);
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return std::nullopt;
  IndexShape result(type.getRank());
  APInt constant;
  if (matchPattern(tensor, m_ConstantInt(&constant))) {
    if (constant.getSignificantBits() > 64)
      return std::nullopt;
    result.start = Polynomial(constant.getSExtValue());
    if (llvm::isInt<32>(constant.getSExtValue()))
      result.room = Scalars::kNarrowRoom;
    return result;
  }
  if (auto splat = dyn_cast<tt::SplatOp>(op)) {
    result.start = scalars.get(splat.getSrc());
    result.room = scalars.getRoom(splat.getSrc());
    return result;
  }
  if (auto range = dyn_cast<tt::MakeRangeOp>(op)) {
    result.start = Polynomial(range.getStartAttr().getInt());
    result.strides[0] = Polynomial(1);
    return result;
  }
  if (isa<tt::BroadcastOp, arith::ExtSIOp>(op))
    return getIndex(op->getOperand(0));
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
    std::optional<IndexShape> source = getIndex(expand.getSrc());
    return source ? std::optional(insertDim(*source, expand.getAxis()))
                  : std::nullopt;
  }
  if (std::optional<IndexShape> wrapped = computeWrapped(op))
    return wrapped;
  return computeArithmetic(op);
}

std::optional<IndexShape>
PointerShapeAnalysis::computeArithmetic(Operation *op) {
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return std::nullopt;
  std::optional<IndexShape> lhs = getIndex(op->getOperand(0));
  std::optional<IndexShape> rhs = getIndex(op->getOperand(1));
  if (!lhs || !rhs)
    return std::nullopt;
  if (isa<arith::MulIOp>(op))
    return lhs->isUniform() ? scale(*rhs, *lhs) : scale(*lhs, *rhs);
  if (isa<arith::SubIOp>(op) && rhs->hasWraps())
    return std::nullopt;
  return add(*lhs, *rhs, isa<arith::SubIOp>(op));
}

std::optional<IndexShape> PointerShapeAnalysis::computeCarried(scf::ForOp loop,
                                                               Value argument) {
  auto carried = cast<BlockArgument>(argument);
  std::optional<IndexShape> init =
      getIndex(loop.getTiedLoopInit(carried)->get());
  if (!init)
    return std::nullopt;
  open.insert(argument);
  std::optional<IndexShape> next =
      getIndex(loop.getTiedLoopYieldedValue(carried)->get());
  open.erase(argument);
  if (!next || !next->isUniform() || next->hasWraps() || init->hasWraps())
    return std::nullopt;
  init->start = scalars.carry(loop, init->start,
                              next->start - scalars.getOpaque(argument));
  init->room = 0;
  return isValid(*init) ? init : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Wrapped indices
//===----------------------------------------------------------------------===//

/// `tensor` wraps around where it reaches `bound` plus `added`.
std::optional<IndexShape> PointerShapeAnalysis::wrap(Value tensor, Value bound,
                                                     int64_t added) {
  std::optional<IndexShape> index = getIndex(tensor), end = getIndex(bound);
  if (!index || index->hasWraps() || !end || !end->isUniform())
    return std::nullopt;
  std::optional<unsigned> dim = index->getOnlyDim();
  if (!dim || index->strides[*dim].getConstant() != 1)
    return std::nullopt;
  bool narrow =
      index->room >= Scalars::kNarrowRoom || end->room >= Scalars::kNarrowRoom;
  index->wraps[*dim] =
      WrappedIndex{index->start, end->start + Polynomial(added), narrow};
  return index;
}

std::optional<IndexShape> PointerShapeAnalysis::computeWrapped(Operation *op) {
  if (isa<arith::RemSIOp, arith::RemUIOp>(op))
    return wrap(op->getOperand(0), op->getOperand(1));
  if (isa<arith::MinSIOp>(op))
    for (unsigned side : {0, 1})
      if (auto result = wrap(op->getOperand(side), op->getOperand(1 - side), 1))
        return result;
  // index < bound ? index : anything
  auto select = dyn_cast<arith::SelectOp>(op);
  auto cmp = select ? select.getCondition().getDefiningOp<arith::CmpIOp>()
                    : arith::CmpIOp();
  if (!cmp || cmp.getPredicate() != arith::CmpIPredicate::slt ||
      cmp.getLhs() != select.getTrueValue())
    return std::nullopt;
  std::optional<IndexShape> otherwise = getIndex(select.getFalseValue());
  return otherwise && otherwise->isUniform() ? wrap(cmp.getLhs(), cmp.getRhs())
                                             : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

/// The rank of a tensor, 0 for a scalar.
static unsigned getRank(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getRank() : 0;
}

std::optional<PointerShape> PointerShapeAnalysis::getPointers(Value value) {
  if (open.contains(value))
    return PointerShape{value, IndexShape(getRank(value))};
  if (auto it = pointers.find(value); it != pointers.end())
    return it->second;
  std::optional<PointerShape> result = computePointers(value);
  if (auto type = dyn_cast<RankedTensorType>(value.getType()); type && result)
    dropSingleDims(result->index, type);
  if (open.empty())
    pointers[value] = result;
  return result;
}

std::optional<PointerShape> PointerShapeAnalysis::computePointers(Value value) {
  if (scf::ForOp loop = Scalars::getCarrier(value))
    if (auto result = computeCarriedPointers(loop, value))
      return result;
  Operation *op = value.getDefiningOp();
  if (auto move = dyn_cast_if_present<tt::AddPtrOp>(op)) {
    std::optional<PointerShape> start = getPointers(move.getPtr());
    if (!start)
      return std::nullopt;
    IndexShape scalar;
    scalar.start = scalars.get(move.getOffset());
    std::optional<IndexShape> offset =
        getRank(value) ? getIndex(move.getOffset()) : std::optional(scalar);
    std::optional<IndexShape> sum =
        offset ? add(start->index, *offset) : std::nullopt;
    return sum ? std::optional(PointerShape{start->base, *sum}) : std::nullopt;
  }
  if (auto splat = dyn_cast_if_present<tt::SplatOp>(op)) {
    std::optional<PointerShape> scalar = getPointers(splat.getSrc());
    if (!scalar)
      return std::nullopt;
    IndexShape index(getRank(value));
    index.start = scalar->index.start;
    return PointerShape{scalar->base, index};
  }
  if (isa_and_present<tt::BroadcastOp>(op))
    return getPointers(op->getOperand(0));
  if (auto expand = dyn_cast_if_present<tt::ExpandDimsOp>(op)) {
    std::optional<PointerShape> source = getPointers(expand.getSrc());
    if (!source)
      return std::nullopt;
    return PointerShape{source->base,
                        insertDim(source->index, expand.getAxis())};
  }
  // Any other scalar is a base.
  if (getRank(value) == 0)
    return PointerShape{value, IndexShape()};
  return std::nullopt;
}

std::optional<PointerShape>
PointerShapeAnalysis::computeCarriedPointers(scf::ForOp loop, Value argument) {
  auto carried = cast<BlockArgument>(argument);
  std::optional<PointerShape> init =
      getPointers(loop.getTiedLoopInit(carried)->get());
  if (!init)
    return std::nullopt;
  open.insert(argument);
  std::optional<PointerShape> step =
      getPointers(loop.getTiedLoopYieldedValue(carried)->get());
  open.erase(argument);
  if (!step || step->base != argument || !step->index.isUniform())
    return std::nullopt;
  init->index.start = scalars.carry(loop, init->index.start, step->index.start);
  init->index.room = 0;
  return isValid(init->index) ? init : std::nullopt;
}
