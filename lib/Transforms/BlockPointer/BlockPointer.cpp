//===- BlockPointer.cpp - block pointers as scalars
//-------------------------===//
//
// Addresses, bounds and padding of a block, written out as tensor arithmetic,
// and the conversion patterns that let a bundle of scalars take the place of
// one value in loops and branches.
//
//===----------------------------------------------------------------------===//
#include "Transforms/BlockPointer/BlockPointer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/Transforms/StructuralTypeConversions.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::mlt;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Value mlt::extendToI64(OpBuilder &builder, Location loc, Value value) {
  Type i64 = builder.getI64Type();
  if (value.getType() == i64)
    return value;
  // A size that was cut down from 64 bits to fit an operation.
  if (auto truncated = value.getDefiningOp<arith::TruncIOp>())
    if (truncated.getIn().getType() == i64)
      return truncated.getIn();
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return arith::ConstantIntOp::create(builder, loc, i64,
                                        constant.getSExtValue());
  return arith::ExtSIOp::create(builder, loc, i64, value);
}

static RankedTensorType tensorOf(ArrayRef<int64_t> shape, Type element) {
  return RankedTensorType::get(shape, element);
}

static Value splat(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape,
                   Value scalar) {
  return tt::SplatOp::create(builder, loc, tensorOf(shape, scalar.getType()),
                             scalar);
}

/// 0, 1, ..., extent - 1 as i64.
static Value range(OpBuilder &builder, Location loc, int64_t extent) {
  Value narrow = tt::MakeRangeOp::create(
      builder, loc, tensorOf({extent}, builder.getI32Type()), 0, extent);
  return arith::ExtSIOp::create(
      builder, loc, tensorOf({extent}, builder.getI64Type()), narrow);
}

Value mlt::spreadVector(OpBuilder &builder, Location loc, Value vector,
                        unsigned dim, ArrayRef<int64_t> shape) {
  for (unsigned axis : llvm::seq<unsigned>(0, shape.size()))
    if (axis != dim)
      vector = tt::ExpandDimsOp::create(builder, loc, vector, axis);
  auto type = cast<RankedTensorType>(vector.getType());
  if (type.getShape() == shape)
    return vector;
  return tt::BroadcastOp::create(
      builder, loc, tensorOf(shape, type.getElementType()), vector);
}

/// Dimensions from the one with the largest steps to the contiguous one.
static SmallVector<unsigned> getAddressOrder(const BlockPointerParts &parts) {
  auto dims = llvm::to_vector(llvm::seq<unsigned>(0, parts.getRank()));
  std::stable_partition(dims.begin(), dims.end(), [&](unsigned dim) {
    return !matchPattern(parts.strides[dim], m_One());
  });
  return dims;
}

Value mlt::buildStart(OpBuilder &builder, Location loc,
                      const BlockPointerParts &parts) {
  Value start;
  for (auto [offset, stride] : llvm::zip_equal(parts.offsets, parts.strides)) {
    Value moved = arith::MulIOp::create(
        builder, loc, extendToI64(builder, loc, offset), stride);
    start = start ? arith::AddIOp::create(builder, loc, start, moved) : moved;
  }
  return tt::AddPtrOp::create(builder, loc, parts.base.getType(), parts.base,
                              start);
}

Value mlt::buildPointers(OpBuilder &builder, Location loc,
                         const BlockPointerParts &parts,
                         ArrayRef<int64_t> blockShape) {
  Value base = buildStart(builder, loc, parts);
  // One address per row, then one per element: everything that is held for long
  // is a vector, never a tile.
  SmallVector<int64_t> shape(blockShape.size(), 1);
  Value pointers;
  for (unsigned dim : getAddressOrder(parts)) {
    int64_t extent = blockShape[dim];
    if (extent == 1 && blockShape.size() > 1)
      continue;
    shape[dim] = extent;
    Value along = range(builder, loc, extent);
    if (!matchPattern(parts.strides[dim], m_One()))
      along = arith::MulIOp::create(
          builder, loc, along,
          splat(builder, loc, {extent}, parts.strides[dim]));
    along = spreadVector(builder, loc, along, dim, shape);
    Type type = tensorOf(shape, base.getType());
    pointers =
        pointers
            ? tt::BroadcastOp::create(builder, loc, type, pointers).getResult()
            : splat(builder, loc, shape, base);
    pointers = tt::AddPtrOp::create(builder, loc, type, pointers, along);
  }
  return pointers ? pointers : splat(builder, loc, blockShape, base);
}

/// `value`, an i64, between 0 and `most`, as i32.
static Value clampToI32(OpBuilder &builder, Location loc, Value value,
                        int64_t most) {
  Type i64 = builder.getI64Type();
  auto constant = [&](int64_t number) {
    return arith::ConstantIntOp::create(builder, loc, i64, number);
  };
  value = arith::MaxSIOp::create(builder, loc, value, constant(0));
  value = arith::MinSIOp::create(builder, loc, value, constant(most));
  return arith::TruncIOp::create(builder, loc, builder.getI32Type(), value);
}

/// Which of the positions 0 .. extent - 1 behind `offset` (i64) are in
/// 0 .. size - 1: those from a first one on, so many of them. The two numbers
/// take 64 bits to find, but are the same for all positions, which need 32.
static Value buildPositionMask(OpBuilder &builder, Location loc, Value offset,
                               Value size, int64_t extent) {
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  Value zero = arith::ConstantIntOp::create(builder, loc, i64, 0);
  // A negative size is none.
  APInt constant;
  if (!matchPattern(size, m_ConstantInt(&constant)) || constant.isNegative())
    size = arith::MaxSIOp::create(builder, loc, size, zero);
  // Unsigned, so that negative indices are outside as well.
  if (extent == 1)
    return splat(builder, loc, {1},
                 arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                       offset, size));
  Value end = clampToI32(
      builder, loc, arith::SubIOp::create(builder, loc, size, offset), extent);
  Value position =
      tt::MakeRangeOp::create(builder, loc, tensorOf({extent}, i32), 0, extent);
  if (!matchPattern(offset, m_ConstantInt(&constant)) ||
      constant.isNegative()) {
    Value first =
        clampToI32(builder, loc,
                   arith::SubIOp::create(builder, loc, zero, offset), extent);
    // What begins behind the end is empty.
    end = arith::MaxSIOp::create(builder, loc, end, first);
    end = arith::SubIOp::create(builder, loc, end, first);
    position = arith::SubIOp::create(builder, loc, position,
                                     splat(builder, loc, {extent}, first));
  }
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                               position, splat(builder, loc, {extent}, end));
}

Value mlt::buildBoundsMask(OpBuilder &builder, Location loc,
                           const BlockPointerParts &parts,
                           ArrayRef<int64_t> blockShape,
                           ArrayRef<int32_t> checked) {
  Value mask;
  for (int32_t dim : checked) {
    Value inside = buildPositionMask(
        builder, loc, extendToI64(builder, loc, parts.offsets[dim]),
        parts.shape[dim], blockShape[dim]);
    inside = spreadVector(builder, loc, inside, dim, blockShape);
    mask = mask ? arith::AndIOp::create(builder, loc, mask, inside) : inside;
  }
  return mask;
}

Value mlt::buildPadding(OpBuilder &builder, Location loc, RankedTensorType type,
                        tt::PaddingOption padding) {
  TypedAttr element = builder.getZeroAttr(type.getElementType());
  auto floating = dyn_cast<FloatType>(type.getElementType());
  if (padding == tt::PaddingOption::PAD_NAN && floating)
    element = builder.getFloatAttr(
        floating, APFloat::getNaN(floating.getFloatSemantics()));
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(type, element));
}

std::pair<unsigned, unsigned> mlt::getMatrixDims(ArrayRef<int64_t> shape) {
  auto dims = llvm::to_vector(llvm::seq<unsigned>(0, shape.size()));
  std::stable_partition(dims.begin(), dims.end(),
                        [&](unsigned dim) { return shape[dim] == 1; });
  unsigned first = dims[dims.size() - 2], second = dims.back();
  return std::minmax(first, second);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

namespace {
/// A select between bundles selects every part.
struct ConvertSelect : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(arith::SelectOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (adaptor.getCondition().size() != 1)
      return failure();
    SmallVector<Value> parts;
    for (auto [whenTrue, whenFalse] :
         llvm::zip_equal(adaptor.getTrueValue(), adaptor.getFalseValue()))
      parts.push_back(arith::SelectOp::create(rewriter, op.getLoc(),
                                              adaptor.getCondition().front(),
                                              whenTrue, whenFalse));
    rewriter.replaceOpWithMultiple(op, {ValueRange(parts)});
    return success();
  }
};
} // namespace

void mlt::populateStructuralPatterns(const TypeConverter &converter,
                                     RewritePatternSet &patterns,
                                     ConversionTarget &target) {
  patterns.add<ConvertSelect>(converter, patterns.getContext());
  target.addDynamicallyLegalOp<arith::SelectOp>(
      [&](arith::SelectOp op) { return converter.isLegal(op.getOperation()); });
  scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                       target);
  cf::populateCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                     target);
}
