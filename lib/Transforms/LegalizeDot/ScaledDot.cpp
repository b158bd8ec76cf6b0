//===- ScaledDot.cpp - dots of operands with scales -----------------------===//
//
// The target has no instruction that takes scales or 4-bit floats. Operands are
// decoded to f32, multiplied by their scales there, and rounded once to the
// type of the dot. A scale that is a power of two changes no mantissa: bf16
// then holds every 8-bit and 4-bit element exactly, and tf32 every f16.
//
//===----------------------------------------------------------------------===//
#include "Transforms/LegalizeDot/ScaledDot.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
/// Builds operations on tiles at one place.
class Decoder {
public:
  Decoder(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  /// The numbers of an operand as f32. `kDim` is the dimension of the depth;
  /// pairs of 4-bit elements are packed along it, or along the other one.
  FailureOr<Value> decode(Value value, tt::ScaleDotElemType format,
                          unsigned kDim, bool kPack);
  /// The factors of a scale of [rows, groups] for every place of [rows, depth].
  Value spread(Value scale, int64_t depth);
  Value transpose(Value value);
  Value multiply(Value a, Value b) {
    return arith::MulFOp::create(builder, loc, a, b);
  }
  Value convert(Value value, Type element);

private:
  static RankedTensorType getType(Value value) {
    return cast<RankedTensorType>(value.getType());
  }
  Type withElement(Value value, Type element) {
    return RankedTensorType::get(getType(value).getShape(), element);
  }
  Value constant(Value like, int64_t number) {
    auto type = getType(like);
    return arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(type, Attribute(builder.getIntegerAttr(
                                         type.getElementType(), number))));
  }
  Value reshape(Value value, ArrayRef<int64_t> shape) {
    auto type = RankedTensorType::get(shape, getType(value).getElementType());
    return tt::ReshapeOp::create(builder, loc, type, value);
  }
  Value widen(Value value) {
    return arith::ExtUIOp::create(
        builder, loc, withElement(value, builder.getI32Type()), value);
  }
  Value asFloat(Value bits) {
    return arith::BitcastOp::create(
        builder, loc, withElement(bits, builder.getF32Type()), bits);
  }
  Value shiftLeft(Value value, int64_t count) {
    return arith::ShLIOp::create(builder, loc, value, constant(value, count));
  }
  Value mask(Value value, int64_t bits) {
    return arith::AndIOp::create(builder, loc, value, constant(value, bits));
  }
  Value unpack(Value value, unsigned dim);
  Value decodeE2M1(Value codes);
  Value decodeFactor(Value scale);

  OpBuilder &builder;
  Location loc;
};
} // namespace

Value Decoder::transpose(Value value) {
  ArrayRef<int64_t> shape = getType(value).getShape();
  auto type = RankedTensorType::get({shape[1], shape[0]},
                                    getType(value).getElementType());
  return tt::TransOp::create(builder, loc, type, value,
                             ArrayRef<int32_t>{1, 0});
}

/// Bytes to their halves, low half first, next to each other along `dim`.
Value Decoder::unpack(Value value, unsigned dim) {
  auto type = getType(value);
  SmallVector<int64_t> shape(type.getShape());
  Value low = mask(value, 15);
  Value high = arith::ShRUIOp::create(builder, loc, value, constant(value, 4));
  auto pairs =
      RankedTensorType::get({shape[0], shape[1], 2}, type.getElementType());
  Value joined = tt::JoinOp::create(builder, loc, pairs, low, high);
  if (dim == 0) {
    auto turned =
        RankedTensorType::get({shape[0], 2, shape[1]}, type.getElementType());
    joined = tt::TransOp::create(builder, loc, turned, joined,
                                 ArrayRef<int32_t>{0, 2, 1});
  }
  shape[dim] *= 2;
  return reshape(joined, shape);
}

/// Sign, two bits of exponent (bias 1), one of mantissa: in f32 they only move,
/// but for the numbers without an exponent, 0 and 0.5.
Value Decoder::decodeE2M1(Value codes) {
  Value wide = widen(codes);
  Value magnitude = mask(wide, 7);
  Value normal = arith::AddIOp::create(builder, loc, shiftLeft(magnitude, 22),
                                       constant(wide, int64_t(126) << 23));
  Value isHalf = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                       magnitude, constant(wide, 1));
  Value isSmall = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                        magnitude, constant(wide, 2));
  Value small = arith::SelectOp::create(builder, loc, isHalf,
                                        constant(wide, int64_t(126) << 23),
                                        constant(wide, 0));
  Value bits = arith::SelectOp::create(builder, loc, isSmall, small, normal);
  Value sign = shiftLeft(mask(wide, 8), 28);
  return asFloat(arith::OrIOp::create(builder, loc, bits, sign));
}

FailureOr<Value> Decoder::decode(Value value, tt::ScaleDotElemType format,
                                 unsigned kDim, bool kPack) {
  Type element = getType(value).getElementType();
  auto as = [&](Type type) -> Value {
    if (element == type)
      return value;
    return tt::BitcastOp::create(builder, loc, withElement(value, type), value);
  };
  switch (format) {
  case tt::ScaleDotElemType::E2M1:
    return decodeE2M1(unpack(value, kPack ? kDim : 1 - kDim));
  case tt::ScaleDotElemType::E4M3:
    value = as(builder.getType<Float8E4M3FNType>());
    break;
  case tt::ScaleDotElemType::E5M2:
    value = as(builder.getType<Float8E5M2Type>());
    break;
  case tt::ScaleDotElemType::BF16:
  case tt::ScaleDotElemType::FP16:
    break;
  case tt::ScaleDotElemType::E2M3:
  case tt::ScaleDotElemType::E3M2:
    return failure();
  }
  return convert(value, builder.getF32Type());
}

/// e8m0 is the exponent of an f32; its smallest value is a denormal of f32 and
/// its largest code NaN.
Value Decoder::decodeFactor(Value scale) {
  if (isa<FloatType>(getType(scale).getElementType()))
    return convert(scale, builder.getF32Type());
  Value code = widen(scale);
  Value isNaN = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                      code, constant(code, 255));
  Value isZero = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                       code, constant(code, 0));
  Value bits = shiftLeft(code, 23);
  bits = arith::SelectOp::create(builder, loc, isZero, constant(code, 1 << 22),
                                 bits);
  bits = arith::SelectOp::create(builder, loc, isNaN,
                                 constant(code, 0x7fc00000), bits);
  return asFloat(bits);
}

Value Decoder::spread(Value scale, int64_t depth) {
  ArrayRef<int64_t> shape = getType(scale).getShape();
  int64_t rows = shape[0], groups = shape[1];
  Value factor = tt::ExpandDimsOp::create(builder, loc, decodeFactor(scale), 2);
  auto wide = RankedTensorType::get({rows, groups, depth / groups},
                                    builder.getF32Type());
  return reshape(tt::BroadcastOp::create(builder, loc, wide, factor),
                 {rows, depth});
}

Value Decoder::convert(Value value, Type element) {
  auto type = getType(value);
  Type from = type.getElementType();
  if (from == element)
    return value;
  Type result = withElement(value, element);
  if (from.getIntOrFloatBitWidth() == 8)
    return tt::FpToFpOp::create(builder, loc, result, value,
                                tt::RoundingModeAttr());
  if (from.getIntOrFloatBitWidth() < element.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(builder, loc, result, value);
  return arith::TruncFOp::create(builder, loc, result, value);
}

/// The element type of the dot: bf16 unless it would round an operand.
static Type getDotType(tt::DotScaledOp op) {
  Builder builder(op.getContext());
  auto isFP16 = [](tt::ScaleDotElemType format) {
    return format == tt::ScaleDotElemType::FP16;
  };
  auto isFloat = [](Value scale) {
    return scale && isa<FloatType>(getElementTypeOrSelf(scale.getType()));
  };
  bool needsMore = isFP16(op.getAElemType()) || isFP16(op.getBElemType()) ||
                   isFloat(op.getAScale()) || isFloat(op.getBScale());
  return needsMore ? Type(builder.getF32Type()) : Type(builder.getBF16Type());
}

LogicalResult mlt::expandScaledDot(RewriterBase &rewriter, tt::DotScaledOp op) {
  Location loc = op.getLoc();
  auto result = cast<RankedTensorType>(op.getD().getType());
  if (result.getRank() != 2)
    return op.emitOpError("expected operands of rank 2, got rank ")
           << result.getRank();
  rewriter.setInsertionPoint(op);
  Decoder decoder(rewriter, loc);
  Type type = getDotType(op);
  Value operands[2];
  for (unsigned side : {0u, 1u}) {
    bool isA = side == 0;
    auto format = isA ? op.getAElemType() : op.getBElemType();
    FailureOr<Value> numbers =
        decoder.decode(isA ? op.getA() : op.getB(), format, isA ? 1 : 0,
                       isA ? op.getLhsKPack() : op.getRhsKPack());
    if (failed(numbers))
      return op.emitOpError("expected elements of e2m1, e4m3, e5m2, bf16 or "
                            "fp16, got ")
             << tt::stringifyScaleDotElemType(format);
    if (Value scale = isA ? op.getAScale() : op.getBScale()) {
      int64_t depth =
          cast<RankedTensorType>(numbers->getType()).getDimSize(isA ? 1 : 0);
      Value factors = decoder.spread(scale, depth);
      // The scales of b have a row per column.
      numbers = decoder.multiply(*numbers,
                                 isA ? factors : decoder.transpose(factors));
    }
    operands[side] = decoder.convert(*numbers, type);
  }
  auto precision =
      type.isF32() ? tt::InputPrecision::TF32 : tt::InputPrecision::IEEE;
  Value c = decoder.convert(op.getC(), rewriter.getF32Type());
  Value d = tt::DotOp::create(rewriter, loc, c.getType(), operands[0],
                              operands[1], c, precision,
                              /*maxNumImpreciseAcc=*/0);
  rewriter.replaceOp(op, decoder.convert(d, result.getElementType()));
  return success();
}
