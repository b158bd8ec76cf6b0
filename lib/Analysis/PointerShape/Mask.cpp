//===- Mask.cpp - masks as ranges of positions ----------------------------===//
//
// A mask that says which part of a tile lies inside of a tensor compares
// positions with bounds, one dimension at a time. The range may stand on either
// side of the comparison, and on both sides of it there may be an offset.
//
//===----------------------------------------------------------------------===//
#include "Analysis/PointerShape/PointerShape.h"
#include "Dialect/Triton/IR/Triton.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
/// left < right, or not, after moving everything to one side.
struct Comparison {
  Value left, right;
  bool negated;   // left >= right
  int64_t offset; // added to right
};
} // namespace

static std::optional<Comparison> normalize(arith::CmpIOp cmp) {
  Value lhs = cmp.getLhs(), rhs = cmp.getRhs();
  switch (cmp.getPredicate()) {
  case arith::CmpIPredicate::slt:
    return Comparison{lhs, rhs, false, 0};
  case arith::CmpIPredicate::sle:
    return Comparison{lhs, rhs, false, 1};
  case arith::CmpIPredicate::sge:
    return Comparison{lhs, rhs, true, 0};
  case arith::CmpIPredicate::sgt:
    return Comparison{lhs, rhs, true, 1};
  default:
    return std::nullopt;
  }
}

/// left < right as a condition on all elements at once.
static UniformCondition getUniform(const Comparison &form, Polynomial left,
                                   Polynomial right) {
  right = right + Polynomial(form.offset);
  // left >= right is right - 1 < left.
  return form.negated ? UniformCondition{Value(), right - Polynomial(1), left}
                      : UniformCondition{Value(), left, right};
}

bool PointerShapeAnalysis::addComparison(Operation *op, MaskShape &shape) {
  auto cmp = cast<arith::CmpIOp>(op);
  std::optional<Comparison> form = normalize(cmp);
  if (!form)
    return false;
  std::optional<IndexShape> left = getIndex(form->left);
  std::optional<IndexShape> right = getIndex(form->right);
  if (!left || !right || left->hasWraps() || right->hasWraps())
    return false;
  if (left->isUniform() && right->isUniform()) {
    shape.uniform.push_back(getUniform(*form, left->start, right->start));
    return true;
  }
  MaskCondition condition;
  condition.upper = !form->negated;
  condition.start = left->start;
  condition.bound = right->start + Polynomial(form->offset);
  if (left->isUniform()) {
    // s < r + t is r + t >= s + 1.
    std::swap(left, right);
    condition.upper = !condition.upper;
    condition.start = left->start;
    condition.bound = right->start + Polynomial(1 - form->offset);
  }
  std::optional<unsigned> dim = left->getOnlyDim();
  if (!dim || !right->isUniform() || left->strides[*dim].getConstant() != 1 ||
      !condition.bound.isValid())
    return false;
  condition.dim = *dim;
  // What is negative in 32 bits lies behind a bound that fits in them.
  condition.narrowBound =
      left->room >= Scalars::kNarrowRoom || right->room >= Scalars::kNarrowRoom;
  condition.room = condition.narrowBound ? left->room : 0;
  condition.narrowType =
      getElementTypeOrSelf(form->left).getIntOrFloatBitWidth() <= 32;
  shape.bounds.push_back(condition);
  return true;
}

void PointerShapeAnalysis::addMask(Value mask, MaskShape &shape) {
  if (!mask || matchPattern(mask, m_One()))
    return;
  Operation *op = mask.getDefiningOp();
  if (auto broadcast = dyn_cast_if_present<tt::BroadcastOp>(op))
    return addMask(broadcast.getSrc(), shape);
  if (auto splat = dyn_cast_if_present<tt::SplatOp>(op)) {
    shape.uniform.push_back({splat.getSrc(), Polynomial(), Polynomial()});
    return;
  }
  if (auto expand = dyn_cast_if_present<tt::ExpandDimsOp>(op)) {
    size_t before = shape.bounds.size();
    addMask(expand.getSrc(), shape);
    for (MaskCondition &bound : llvm::drop_begin(shape.bounds, before))
      bound.dim += bound.dim >= expand.getAxis();
    return;
  }
  if (isa_and_present<arith::AndIOp>(op)) {
    for (Value operand : op->getOperands())
      addMask(operand, shape);
    return;
  }
  if (!isa_and_present<arith::CmpIOp>(op) || !addComparison(op, shape))
    shape.complete = false;
}

MaskShape PointerShapeAnalysis::getMask(Value mask) {
  MaskShape shape;
  addMask(mask, shape);
  return shape;
}
