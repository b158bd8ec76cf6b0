//===- CombineRegion.cpp - reduction regions applied to tensors -----------===//
//
// A reduction says how to combine two scalars. Where whole tensors are combined
// place by place, the region is applied to them.
//
//===----------------------------------------------------------------------===//
#include "Transforms/MatchTargetSize/CombineRegion.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Support/CloneOp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::mlt;

bool mlt::isElementwiseRegion(Region &combine) {
  return llvm::all_of(combine.front().without_terminator(), [](Operation &op) {
    return op.hasTrait<OpTrait::Elementwise>() ||
           op.hasTrait<OpTrait::ConstantLike>();
  });
}

/// What stands for the scalar `value`; one from outside of the region is the
/// same in every place.
static Value getTensor(OpBuilder &builder, Location loc, Value value,
                       ArrayRef<int64_t> shape, const IRMapping &mapping) {
  if (Value mapped = mapping.lookupOrNull(value))
    return mapped;
  return tt::SplatOp::create(
      builder, loc, RankedTensorType::get(shape, value.getType()), value);
}

/// `op`, scalar, applied to tensors of `shape`.
static void cloneElementwise(OpBuilder &builder, Operation &op,
                             ArrayRef<int64_t> shape, IRMapping &mapping) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto type = RankedTensorType::get(shape, constant.getType());
    Value splat = tt::SplatOp::create(builder, op.getLoc(), type,
                                      builder.clone(op)->getResult(0));
    mapping.map(constant.getResult(), splat);
    return;
  }
  SmallVector<Value> operands;
  for (Value operand : op.getOperands())
    operands.push_back(
        getTensor(builder, op.getLoc(), operand, shape, mapping));
  SmallVector<Type> types;
  for (Type type : op.getResultTypes())
    types.push_back(RankedTensorType::get(shape, type));
  mapping.map(op.getResults(),
              cloneOp(builder, &op, operands, types)->getResults());
}

SmallVector<Value> mlt::combineTensors(OpBuilder &builder, Region &combine,
                                       ValueRange lhs, ValueRange rhs) {
  Block &body = combine.front();
  IRMapping mapping;
  for (auto [argument, value] : llvm::zip_equal(
           body.getArguments(), llvm::concat<Value>(SmallVector<Value>(lhs),
                                                    SmallVector<Value>(rhs))))
    mapping.map(argument, value);
  auto shape = cast<RankedTensorType>(lhs.front().getType()).getShape();
  for (Operation &op : body.without_terminator())
    cloneElementwise(builder, op, shape, mapping);
  SmallVector<Value> results;
  for (Value value : body.getTerminator()->getOperands())
    results.push_back(
        getTensor(builder, value.getLoc(), value, shape, mapping));
  return results;
}
