//===- ScaledDot.cpp - dots of block-scaled operands ----------------------===//
//
// The microscaling formats give groups of 16 or 32 elements along k one scale.
// No instruction of the target knows them, so operands are decoded before the
// dot. bf16 holds every scaled value of the 4- and 8-bit formats exactly: they
// have few bits, and its range is that of the scales. f16 has more bits, so
// with one such operand the dot is of tf32, which holds both.
//
//===----------------------------------------------------------------------===//
#include "Transforms/LegalizeDot/ScaledDot.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Transforms/BlockPointer/BlockPointer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
using Format = tt::ScaleDotElemType;

/// One operand: its elements, their format, and the scales (may be null) with
/// the shape [other dimension, groups along k].
struct ScaledOperand {
  Value value, scale;
  Format format;
  /// 4-bit elements lie in pairs along k, else along the other dimension.
  bool kPack;
  unsigned kDim;
};

/// Writes operations on whole tensors at one place.
class Decoder {
public:
  Decoder(OpBuilder &builder, Location loc, FloatType element, bool mayBeNaN)
      : builder(builder), loc(loc), element(element), mayBeNaN(mayBeNaN) {}

  /// The operand's numbers as `element`, scaled.
  Value decode(const ScaledOperand &operand);

private:
  Value decodeElements(const ScaledOperand &operand);
  Value decodeFloat4(Value codes);
  Value unpack(Value packed, unsigned dim);
  Value decodeScale(Value scale);
  Value repeat(Value value, unsigned dim, int64_t count);

  Value splat(Type type, int64_t value) {
    auto tensor = cast<RankedTensorType>(type);
    auto attr = builder.getIntegerAttr(tensor.getElementType(), value);
    return arith::ConstantOp::create(builder, loc,
                                     SplatElementsAttr::get(tensor, attr));
  }
  static RankedTensorType withElement(Value value, Type element) {
    return cast<RankedTensorType>(value.getType()).clone(element);
  }
  Value isEqual(Value value, int64_t number) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, value,
                                 splat(value.getType(), number));
  }

  OpBuilder &builder;
  Location loc;
  FloatType element;
  bool mayBeNaN;
};
} // namespace

/// Every element `count` times along `dim`: a dimension behind it that is
/// broadcast and then merged.
Value Decoder::repeat(Value value, unsigned dim, int64_t count) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  Value column = tt::ExpandDimsOp::create(builder, loc, value, dim + 1);
  shape.insert(shape.begin() + dim + 1, count);
  Value wide = tt::BroadcastOp::create(
      builder, loc, RankedTensorType::get(shape, type.getElementType()),
      column);
  shape.erase(shape.begin() + dim + 1);
  shape[dim] *= count;
  return tt::ReshapeOp::create(
      builder, loc, RankedTensorType::get(shape, type.getElementType()), wide,
      /*allow_reorder=*/false);
}

/// The 4-bit codes of pairs along `dim`, low one first. Both places of a pair
/// get the byte and shift out what is theirs.
Value Decoder::unpack(Value packed, unsigned dim) {
  Value bytes = repeat(packed, dim, 2);
  auto type = cast<RankedTensorType>(bytes.getType());
  Type i32 = builder.getI32Type();
  auto rangeType = RankedTensorType::get({type.getDimSize(dim)}, i32);
  Value range =
      tt::MakeRangeOp::create(builder, loc, rangeType, 0, type.getDimSize(dim));
  Value index = spreadVector(builder, loc, range, dim, type.getShape());
  Value odd =
      arith::AndIOp::create(builder, loc, index, splat(index.getType(), 1));
  Value shift =
      arith::ShLIOp::create(builder, loc, odd, splat(odd.getType(), 2));
  Value wide =
      arith::ExtUIOp::create(builder, loc, withElement(bytes, i32), bytes);
  Value shifted = arith::ShRUIOp::create(builder, loc, wide, shift);
  return arith::AndIOp::create(builder, loc, shifted,
                               splat(shifted.getType(), 15));
}

/// Sign, two bits of exponent, one of mantissa: 0, 0.5, 1, 1.5, 2, 3, 4, 6.
/// Computed as twice the number, an integer.
Value Decoder::decodeFloat4(Value codes) {
  Type type = codes.getType();
  auto constant = [&](int64_t value) { return splat(type, value); };
  auto bits = [&](int64_t shift, int64_t mask) -> Value {
    Value field = codes;
    if (shift)
      field = arith::ShRUIOp::create(builder, loc, field, constant(shift));
    return arith::AndIOp::create(builder, loc, field, constant(mask));
  };
  Value mantissa = bits(0, 1), exponent = bits(1, 3);
  Value isSmall = isEqual(exponent, 0);
  Value normal = arith::OrIOp::create(builder, loc, mantissa, constant(2));
  Value shift = arith::SubIOp::create(builder, loc, exponent, constant(1));
  shift = arith::SelectOp::create(builder, loc, isSmall, constant(0), shift);
  Value twice = arith::ShLIOp::create(builder, loc, normal, shift);
  twice = arith::SelectOp::create(builder, loc, isSmall, mantissa, twice);
  // The sign is put where f32 has it: negative zero stays one.
  RankedTensorType f32 = withElement(codes, builder.getF32Type());
  Value number = arith::UIToFPOp::create(builder, loc, f32, twice);
  Value half = arith::ConstantOp::create(
      builder, loc, SplatElementsAttr::get(f32, builder.getF32FloatAttr(0.5f)));
  number = arith::MulFOp::create(builder, loc, number, half);
  Value isNegative = isEqual(bits(3, 1), 1);
  number = arith::SelectOp::create(builder, loc, isNegative,
                                   arith::NegFOp::create(builder, loc, number),
                                   number);
  if (element.isF32())
    return number;
  return arith::TruncFOp::create(builder, loc, withElement(codes, element),
                                 number);
}

Value Decoder::decodeElements(const ScaledOperand &operand) {
  Value value = operand.value;
  RankedTensorType wanted = withElement(value, element);
  switch (operand.format) {
  case Format::E2M1: {
    unsigned dim = operand.kPack ? operand.kDim : 1 - operand.kDim;
    return decodeFloat4(unpack(value, dim));
  }
  case Format::E4M3:
  case Format::E5M2: {
    Type float8 = operand.format == Format::E4M3
                      ? Type(Float8E4M3FNType::get(builder.getContext()))
                      : Type(Float8E5M2Type::get(builder.getContext()));
    RankedTensorType type = withElement(value, float8);
    if (value.getType() != type)
      value = tt::BitcastOp::create(builder, loc, type, value);
    return tt::FpToFpOp::create(builder, loc, wanted, value,
                                /*rounding=*/tt::RoundingModeAttr());
  }
  default:
    if (value.getType() == wanted)
      return value;
    return arith::ExtFOp::create(builder, loc, wanted, value);
  }
}

/// A scale of 8 bits is the exponent of a power of two, biased by 127, or NaN;
/// other scales are 8-bit floats.
Value Decoder::decodeScale(Value scale) {
  RankedTensorType wanted = withElement(scale, element);
  if (!getElementTypeOrSelf(scale.getType()).isInteger(8))
    return tt::FpToFpOp::create(builder, loc, wanted, scale,
                                /*rounding=*/tt::RoundingModeAttr());
  unsigned width = element.getWidth();
  int64_t mantissaBits = element.getFPMantissaWidth() - 1;
  RankedTensorType bitsType = withElement(scale, builder.getIntegerType(width));
  Value exponent = arith::ExtUIOp::create(builder, loc, bitsType, scale);
  Value bits = arith::ShLIOp::create(builder, loc, exponent,
                                     splat(bitsType, mantissaBits));
  // 2^-127 is below the normal numbers: half of the smallest one.
  int64_t smallest = int64_t(1) << (mantissaBits - 1);
  bits = arith::SelectOp::create(builder, loc, isEqual(exponent, 0),
                                 splat(bitsType, smallest), bits);
  if (mayBeNaN) {
    int64_t nan = (int64_t(255) << mantissaBits) | smallest;
    bits = arith::SelectOp::create(builder, loc, isEqual(exponent, 255),
                                   splat(bitsType, nan), bits);
  }
  return tt::BitcastOp::create(builder, loc, wanted, bits);
}

Value Decoder::decode(const ScaledOperand &operand) {
  Value elements = decodeElements(operand);
  if (!operand.scale)
    return elements;
  auto type = cast<RankedTensorType>(elements.getType());
  auto scaleType = cast<RankedTensorType>(operand.scale.getType());
  int64_t group = type.getDimSize(operand.kDim) / scaleType.getDimSize(1);
  Value scale = decodeScale(operand.scale);
  if (operand.kDim == 0) {
    auto turned = RankedTensorType::get(
        {scaleType.getDimSize(1), scaleType.getDimSize(0)}, element);
    scale = tt::TransOp::create(builder, loc, turned, scale,
                                ArrayRef<int32_t>{1, 0});
  }
  scale = repeat(scale, operand.kDim, group);
  return arith::MulFOp::create(builder, loc, elements, scale);
}

namespace {
struct ExpandScaledDot : OpRewritePattern<tt::DotScaledOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tt::DotScaledOp op,
                                PatternRewriter &rewriter) const override {
    if (cast<RankedTensorType>(op.getType()).getRank() != 2)
      return op.emitOpError("cannot be compiled: expected matrices (rank 2); "
                            "write batches as a loop");
    bool isWide =
        op.getAElemType() == Format::FP16 || op.getBElemType() == Format::FP16;
    FloatType element = isWide ? FloatType(rewriter.getF32Type())
                               : FloatType(rewriter.getBF16Type());
    Decoder decoder(rewriter, op.getLoc(), element, !op.getFastMath());
    Value a = decoder.decode(
        {op.getA(), op.getAScale(), op.getAElemType(), op.getLhsKPack(), 1});
    Value b = decoder.decode(
        {op.getB(), op.getBScale(), op.getBElemType(), op.getRhsKPack(), 0});
    auto dot = tt::DotOp::create(rewriter, op.getLoc(), op.getType(), a, b,
                                 op.getC(), tt::InputPrecision::TF32,
                                 /*maxNumImpreciseAcc=*/0);
    dot->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.replaceOp(op, dot);
    return success();
  }
};
} // namespace

void mlt::populateScaledDotPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandScaledDot>(patterns.getContext());
}
