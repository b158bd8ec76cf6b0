//===- FloatConversions.cpp - narrow floats that LLVM does not carry ------===//
//
// bf16 and the 8-bit formats travel as integers: half of the device compilers
// get LLVM's bfloat wrong. Widening is exact and done with shifts. Narrowing to
// bf16 is a device function; to 8 bits it is integer arithmetic on the bits of
// the f32 (as in the OCP specification's reference).
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/FloatConversions.h"
#include "Conversion/TritonGPUToLLVM/VectorUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::mlt;

bool mlt::isCarriedAsInteger(Type element) {
  return element.isBF16() ||
         (isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 8);
}

bool mlt::isConvertibleFloat(Type element) {
  return element.isBF16() || isa<Float8E5M2Type, Float8E4M3FNType>(element);
}

namespace {
/// Shorthands for integer arithmetic on one scalar or short vector.
struct Bits {
  OpBuilder &builder;
  Location loc;
  int64_t length;

  Type getType(Type scalar) const { return getVectorType(scalar, length); }
  Type i(unsigned width) const {
    return getType(builder.getIntegerType(width));
  }
  Type f32() const { return getType(builder.getF32Type()); }
  Value constant(int64_t value, unsigned width = 32) const {
    return createConstant(builder, loc, i(width), value);
  }
  Value zext(Value v, unsigned width) const {
    return LLVM::ZExtOp::create(builder, loc, i(width), v);
  }
  Value trunc(Value v, unsigned width) const {
    return LLVM::TruncOp::create(builder, loc, i(width), v);
  }
  Value cast(Value v, Type type) const {
    return bitcastTo(builder, loc, v, type);
  }
  Value add(Value a, Value b) const {
    return LLVM::AddOp::create(builder, loc, a, b);
  }
  Value sub(Value a, Value b) const {
    return LLVM::SubOp::create(builder, loc, a, b);
  }
  Value land(Value a, Value b) const {
    return LLVM::AndOp::create(builder, loc, a, b);
  }
  Value lor(Value a, Value b) const {
    return LLVM::OrOp::create(builder, loc, a, b);
  }
  Value shl(Value a, int64_t n, unsigned width = 32) const {
    return LLVM::ShlOp::create(builder, loc, a, constant(n, width));
  }
  Value lshr(Value a, int64_t n, unsigned width = 32) const {
    return LLVM::LShrOp::create(builder, loc, a, constant(n, width));
  }
  Value ashr(Value a, int64_t n, unsigned width = 32) const {
    return LLVM::AShrOp::create(builder, loc, a, constant(n, width));
  }
  Value select(Value c, Value a, Value b) const {
    return LLVM::SelectOp::create(builder, loc, c, a, b);
  }
  Value compare(LLVM::ICmpPredicate predicate, Value a, Value b) const {
    return LLVM::ICmpOp::create(builder, loc, predicate, a, b);
  }
};

/// An 8-bit format by the numbers that conversions need.
struct Format8 {
  int mantissaBits;
  int bias;
  /// f32 bits of the first value that is rounded beyond the largest one.
  uint32_t overflow;
  uint8_t largest;
  uint8_t onOverflow;
  uint8_t nan;
};
} // namespace

static Format8 getFormat8(Type element) {
  if (isa<Float8E5M2Type>(element))
    return {2, 15, 0x47700000 /*61440*/, 0x7b, 0x7c, 0x7f};
  return {3, 7, 0x43e80000 /*464*/, 0x7e, 0x7e, 0x7f};
}

/// f16 of 8-bit numbers, all of which it has.
static Value widenToF16(const Bits &b, Value value, Type element) {
  Type f16 = b.getType(b.builder.getF16Type());
  Value wide = b.shl(b.zext(value, 16), 8, 16);
  if (isa<Float8E5M2Type>(element))
    return b.cast(wide, f16);
  // e4m3: sign and magnitude as bits of an f16 are 2^-8 of the value.
  Value small = b.land(b.ashr(wide, 1, 16), b.constant(0xbfff, 16));
  Value scaled =
      LLVM::FMulOp::create(b.builder, b.loc, b.cast(small, f16),
                           createConstant(b.builder, b.loc, f16, 256));
  // The one magnitude that is no number, all ones, has become 480: with one
  // more bit of its exponent it is none again. Comparisons would take flags, of
  // which there are few.
  Value carry =
      b.land(b.add(small, b.constant(0x80, 16)), b.constant(0x4000, 16));
  Value bits = b.lor(b.cast(scaled, b.i(16)), b.lshr(carry, 1, 16));
  return b.cast(bits, f16);
}

static Value widenPiece(const Bits &b, Value value, Type element) {
  if (element.isBF16())
    return b.cast(b.shl(b.zext(value, 32), 16), b.f32());
  return LLVM::FPExtOp::create(b.builder, b.loc, b.f32(),
                               widenToF16(b, value, element));
}

static Value narrowTo8(const Bits &b, Value value, const Format8 &format,
                       Rounding rounding) {
  int drop = 23 - format.mantissaBits;
  Value bits = b.cast(value, b.i(32));
  Value magnitude = b.land(bits, b.constant(0x7fffffff));
  Value sign = b.land(b.lshr(bits, 24), b.constant(0x80));

  // Normal numbers: round the mantissa, then move the exponent.
  Value rounded = magnitude;
  if (rounding == Rounding::NearestEven) {
    Value odd = b.land(b.lshr(magnitude, drop), b.constant(1));
    rounded = b.add(b.add(magnitude, b.constant((1 << (drop - 1)) - 1)), odd);
  }
  int64_t rebias = static_cast<int64_t>(127 - format.bias) << 23;
  Value normal = b.lshr(b.sub(rounded, b.constant(rebias)), drop);

  // Subnormal numbers: adding a power of two whose unit in the last place is
  // the format's smallest number leaves the result in the low bits.
  int64_t magic = static_cast<int64_t>(127 - format.bias + drop + 1) << 23;
  Value sum = LLVM::FAddOp::create(b.builder, b.loc, b.cast(magnitude, b.f32()),
                                   b.cast(b.constant(magic), b.f32()));
  Value subnormal = b.sub(b.cast(sum, b.i(32)), b.constant(magic));
  if (rounding == Rounding::TowardZero) {
    // The sum was rounded to nearest; step back where it went up.
    Value back = LLVM::FSubOp::create(b.builder, b.loc, sum,
                                      b.cast(b.constant(magic), b.f32()));
    Value up = LLVM::FCmpOp::create(b.builder, b.loc, LLVM::FCmpPredicate::ogt,
                                    back, b.cast(magnitude, b.f32()));
    subnormal = b.sub(subnormal, b.zext(up, 32));
  }

  Value smallest = b.constant(static_cast<int64_t>(128 - format.bias) << 23);
  Value finite =
      b.select(b.compare(LLVM::ICmpPredicate::ult, magnitude, smallest),
               subnormal, normal);
  Value isBig = b.compare(LLVM::ICmpPredicate::uge, magnitude,
                          b.constant(format.overflow));
  Value isNaN =
      b.compare(LLVM::ICmpPredicate::ugt, magnitude, b.constant(0x7f800000));
  Value result = b.select(isBig, b.constant(format.onOverflow), finite);
  if (rounding == Rounding::TowardZero) {
    Value isInfinite =
        b.compare(LLVM::ICmpPredicate::eq, magnitude, b.constant(0x7f800000));
    Value big = b.select(isInfinite, b.constant(format.onOverflow),
                         b.constant(format.largest));
    result = b.select(isBig, big, finite);
  }
  result = b.select(isNaN, b.constant(format.nan), result);
  return b.trunc(b.lor(result, sign), 8);
}

/// Applies `convert` to pieces that are short enough for conversions.
static Value
mapPieces(OpBuilder &builder, Location loc, Value value,
          function_ref<Value(const Bits &bits, Value piece)> convert) {
  SmallVector<Value> results;
  for (Value piece : splitVector(builder, loc, value, kMaxCallVector)) {
    Bits bits{builder, loc, getVectorLength(piece.getType())};
    results.push_back(convert(bits, piece));
  }
  return concatVectors(builder, loc, results);
}

Value mlt::widenToF32(OpBuilder &builder, Location loc, Value value,
                      Type element) {
  return mapPieces(builder, loc, value, [&](const Bits &bits, Value piece) {
    return widenPiece(bits, piece, element);
  });
}

Value mlt::truncateToF32TowardZero(OpBuilder &builder, Location loc,
                                   Value value) {
  return mapPieces(builder, loc, value, [&](const Bits &b, Value piece) {
    Value nearest = LLVM::FPTruncOp::create(builder, loc, b.f32(), piece);
    Value back = LLVM::FPExtOp::create(builder, loc, piece.getType(), nearest);
    // Magnitudes are in the order of their bits. One that went up steps back,
    // from infinity to the largest finite number too.
    Value mask = b.constant(std::numeric_limits<int64_t>::max(), 64);
    Value wentUp =
        b.compare(LLVM::ICmpPredicate::ugt, b.land(b.cast(back, b.i(64)), mask),
                  b.land(b.cast(piece, b.i(64)), mask));
    Value bits = b.sub(b.cast(nearest, b.i(32)), b.zext(wentUp, 32));
    return b.cast(bits, b.f32());
  });
}

Value mlt::narrowFromF32(OpBuilder &builder, Location loc,
                         const CodeGenStyle &style, Value value, Type element,
                         Rounding rounding) {
  if (element.isBF16() && rounding == Rounding::NearestEven)
    return style.truncateToBF16(builder, loc, value);
  return mapPieces(builder, loc, value, [&](const Bits &bits, Value piece) {
    if (!element.isBF16())
      return narrowTo8(bits, piece, getFormat8(element), rounding);
    Value raw = bits.cast(piece, bits.i(32));
    Value isNaN = LLVM::FCmpOp::create(builder, loc, LLVM::FCmpPredicate::uno,
                                       piece, piece);
    Value quiet = bits.lor(raw, bits.constant(0x400000));
    return bits.trunc(bits.lshr(bits.select(isNaN, quiet, raw), 16), 16);
  });
}
