//===- FlatReduce.cpp - reductions of tiles that one lane holds -----------===//
//
// A tree over halves of the tile: both halves along the axis are register
// regions, so a step is one vector operation per register and moves nothing.
// The combining region is cloned onto vectors, in the form of 1-D tiles of its
// own element types, which the other patterns then lower.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/FlatReduce.h"
#include "Conversion/TritonGPUToLLVM/MoveElements.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::mlt;

bool mlt::isVectorizable(tt::ReduceOp op) {
  return llvm::all_of(op.getCombineOp().front().without_terminator(),
                      [](Operation &nested) {
                        return isa<arith::ConstantOp>(nested) ||
                               nested.hasTrait<OpTrait::Elementwise>();
                      });
}

namespace {
class FlatReducer {
public:
  FlatReducer(tt::ReduceOp op, ConversionPatternRewriter &rewriter,
              const CodeGenStyle &style, const TileTypeConverter &converter)
      : op(op), rewriter(rewriter), style(style), converter(converter),
        loc(op.getLoc()), axis(op.getAxis()) {
    llvm::append_range(shape, op.getInputTypes().front().getShape());
  }

  FailureOr<SmallVector<Value>> run(ValueRange operands);

private:
  /// Tile of operand `index` with the current shape.
  FailureOr<Tile> getTile(size_t index) {
    return converter.getTile(RankedTensorType::get(
        shape, op.getInputTypes()[index].getElementType()));
  }
  /// Halves every value along the axis and combines the halves.
  LogicalResult step();
  Value getHalf(Value value, const Tile &from, const Tile &to, int64_t first);
  SmallVector<Value> combine(ArrayRef<Value> a, ArrayRef<Value> b);
  /// The operand of an operation of the region as a tile of `count` elements.
  Value toTile(Value value, int64_t count);
  Value cast(Value value, Type type) {
    if (value.getType() == type)
      return value;
    return UnrealizedConversionCastOp::create(rewriter, loc, type, value)
        .getResult(0);
  }

  tt::ReduceOp op;
  ConversionPatternRewriter &rewriter;
  const CodeGenStyle &style;
  const TileTypeConverter &converter;
  Location loc;
  int64_t axis;
  SmallVector<int64_t> shape;
  SmallVector<Value> values;
};
} // namespace

Value FlatReducer::getHalf(Value value, const Tile &from, const Tile &to,
                           int64_t first) {
  int64_t extent = shape[axis], inner = 1;
  for (int64_t size : ArrayRef(shape).drop_front(axis + 1))
    inner *= size;
  auto sourceOf = [&](int64_t element) -> ElementSource {
    int64_t outer = element / (inner * extent);
    int64_t rest = element % (inner * extent);
    return {0, outer * inner * extent * 2 + first * inner + rest};
  };
  return moveElements(rewriter, loc, style, value, from, to, sourceOf);
}

Value FlatReducer::toTile(Value value, int64_t count) {
  if (isa<RankedTensorType>(value.getType()))
    return value;
  auto type = RankedTensorType::get({count}, value.getType());
  return tt::SplatOp::create(rewriter, loc, type, value);
}

SmallVector<Value> FlatReducer::combine(ArrayRef<Value> a, ArrayRef<Value> b) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  auto getType = [&](Type element) {
    return RankedTensorType::get({count}, element);
  };
  Block &body = op.getCombineOp().front();
  IRMapping mapping;
  SmallVector<Value> arguments(a);
  llvm::append_range(arguments, b);
  for (auto [argument, value] : llvm::zip_equal(body.getArguments(), arguments))
    mapping.map(argument, cast(value, getType(argument.getType())));
  for (Operation &nested : body.without_terminator()) {
    if (isa<arith::ConstantOp>(nested)) {
      rewriter.clone(nested, mapping);
      continue;
    }
    for (Value operand : nested.getOperands())
      mapping.map(operand, toTile(mapping.lookupOrDefault(operand), count));
    Operation *copy = rewriter.clone(nested, mapping);
    for (OpResult result : copy->getResults())
      result.setType(getType(result.getType()));
  }
  SmallVector<Value> results;
  for (auto [returned, value] :
       llvm::zip_equal(body.getTerminator()->getOperands(), a))
    results.push_back(cast(toTile(mapping.lookupOrDefault(returned), count),
                           value.getType()));
  return results;
}

LogicalResult FlatReducer::step() {
  SmallVector<Tile> from;
  for (size_t index = 0; index < values.size(); ++index) {
    FailureOr<Tile> tile = getTile(index);
    if (failed(tile))
      return failure();
    from.push_back(*tile);
  }
  shape[axis] /= 2;
  SmallVector<Value> low, high;
  for (auto [index, value] : llvm::enumerate(values)) {
    FailureOr<Tile> to = getTile(index);
    if (failed(to))
      return failure();
    low.push_back(getHalf(value, from[index], *to, 0));
    high.push_back(getHalf(value, from[index], *to, shape[axis]));
  }
  values = combine(low, high);
  return success();
}

FailureOr<SmallVector<Value>> FlatReducer::run(ValueRange operands) {
  values = llvm::to_vector(operands);
  while (shape[axis] > 1)
    if (failed(step()))
      return failure();
  // Drop the dimension: the elements keep their numbers.
  for (auto [index, value] : llvm::enumerate(values)) {
    FailureOr<Tile> from = getTile(index);
    FailureOr<Tile> to = converter.getTile(op.getResultTypes()[index]);
    if (failed(from) || failed(to))
      return failure();
    value = moveElements(
        rewriter, loc, style, value, *from, *to,
        [](int64_t element) -> ElementSource { return {0, element}; });
  }
  return values;
}

FailureOr<SmallVector<Value>>
mlt::reduceFlat(tt::ReduceOp op, ConversionPatternRewriter &rewriter,
                const CodeGenStyle &style, const TileTypeConverter &converter,
                ValueRange operands) {
  return FlatReducer(op, rewriter, style, converter).run(operands);
}
