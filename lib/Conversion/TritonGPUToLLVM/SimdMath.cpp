//===- SimdMath.cpp - functions of the math unit in style simd ------------===//
//
// What the math unit does (powers and logarithms of base 2, roots, reciprocals,
// sines) and roundings are intrinsics of the vector backend, on vectors of any
// length, and the functions that kernels need most are written out with them.
// exp and log go through base 2 with one rounding of the scaled number, as
// Triton's own do. The other functions, and those of f64, are calls of OpenCL's
// as in the other style.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/SimdMath.h"
#include "Conversion/TritonGPUToLLVM/VCBuilder.h"
#include "Conversion/TritonGPUToLLVM/VectorUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/DialectConversion.h"
#include <cmath>

using namespace mlir;
using namespace mlir::mlt;

namespace {
/// Preferred over the patterns of all styles.
constexpr unsigned kBenefit = 20;

/// Arithmetic on vectors (or scalars) of f32; what needs no bits also of f64.
struct Floats {
  ConversionPatternRewriter &rewriter;
  Location loc;
  Type type;

  Value constant(double value) const {
    TypedAttr attr = rewriter.getFloatAttr(getUnitType(type), value);
    if (auto vector = dyn_cast<VectorType>(type))
      attr = DenseElementsAttr::get(vector, Attribute(attr));
    return arith::ConstantOp::create(rewriter, loc, attr);
  }
  Value add(Value a, Value b) const {
    return arith::AddFOp::create(rewriter, loc, a, b);
  }
  Value mul(Value a, Value b) const {
    return arith::MulFOp::create(rewriter, loc, a, b);
  }
  Value mul(Value a, double b) const { return mul(a, constant(b)); }
  Value fma(Value a, Value b, Value c) const {
    return math::FmaOp::create(rewriter, loc, a, b, c);
  }
  Value abs(Value a) const { return math::AbsFOp::create(rewriter, loc, a); }
  /// `a`, which is not negative, with the sign of `sign`.
  Value copySign(Value a, Value sign) const {
    Type i32 = getVectorType(rewriter.getI32Type(), getVectorLength(type));
    auto bits = [&](Value v) -> Value {
      return LLVM::BitcastOp::create(rewriter, loc, i32, v);
    };
    Value signBit = LLVM::AndOp::create(
        rewriter, loc, bits(sign),
        createConstant(rewriter, loc, i32,
                       std::numeric_limits<int32_t>::min()));
    Value both = LLVM::OrOp::create(rewriter, loc, bits(a), signBit);
    return LLVM::BitcastOp::create(rewriter, loc, type, both);
  }
  Value call(StringRef function, Value a) const {
    return VCBuilder(rewriter, loc)
        .call(function, type, type, a, DeviceEffects::None);
  }
  Value exp2(Value a) const { return call("exp", a); }
  Value invert(Value a) const { return call("inv", a); }
  /// `a < bound ? below : otherwise`.
  Value selectBelow(Value a, double bound, Value below, Value otherwise) const {
    Value isBelow = arith::CmpFOp::create(
        rewriter, loc, arith::CmpFPredicate::OLT, a, constant(bound));
    return arith::SelectOp::create(rewriter, loc, isBelow, below, otherwise);
  }
  /// c[0] + x c[1] + x^2 c[2] ...
  Value polynomial(Value x, ArrayRef<double> c) const {
    Value sum = constant(c.back());
    for (double coefficient : llvm::reverse(c.drop_back()))
      sum = fma(sum, x, constant(coefficient));
    return sum;
  }
};
} // namespace

constexpr double kLog2E = 1.4426950408889634, kLn2 = 0.6931471805599453;
constexpr double kLog10Of2 = 0.30102999566398120;
constexpr double kTwoPi = 6.283185307179586;

static Value emitExp2(const Floats &f, Value x) { return f.exp2(x); }
static Value emitLog2(const Floats &f, Value x) { return f.call("log", x); }
static Value emitSqrt(const Floats &f, Value x) { return f.call("sqrt", x); }
static Value emitRsqrt(const Floats &f, Value x) { return f.call("rsqrt", x); }
static Value emitExp(const Floats &f, Value x) {
  return f.exp2(f.mul(x, kLog2E));
}
static Value emitLog(const Floats &f, Value x) {
  return f.mul(f.call("log", x), kLn2);
}
static Value emitLog10(const Floats &f, Value x) {
  return f.mul(f.call("log", x), kLog10Of2);
}
static Value emitFloor(const Floats &f, Value x) { return f.call("rndd", x); }
static Value emitCeil(const Floats &f, Value x) { return f.call("rndu", x); }
static Value emitTrunc(const Floats &f, Value x) { return f.call("rndz", x); }
static Value emitRoundEven(const Floats &f, Value x) {
  return f.call("rnde", x);
}
/// Halves away from zero. The rest behind the point is exact.
static Value emitRound(const Floats &f, Value x) {
  Value a = f.abs(x);
  Value whole = f.call("rndz", a);
  Value rest = f.fma(whole, f.constant(-1), a);
  Value up = f.add(whole, f.constant(1));
  return f.copySign(f.selectBelow(rest, 0.5, whole, up), x);
}

/// 1 - 2 / (e^2|x| + 1), and the odd series where that would cancel.
static Value emitTanh(const Floats &f, Value x) {
  Value a = f.abs(x);
  Value power = f.exp2(f.mul(a, 2 * kLog2E));
  Value quotient = f.invert(f.add(power, f.constant(1)));
  Value big = f.fma(quotient, f.constant(-2), f.constant(1));
  Value square = f.mul(a, a);
  Value small =
      f.mul(a, f.polynomial(square, {1, -1.0 / 3, 2.0 / 15, -17.0 / 315}));
  return f.copySign(f.selectBelow(a, 0.25, small, big), x);
}

/// Abramowitz and Stegun 7.1.26 (error 1.5e-7), and the series near 0.
static Value emitErf(const Floats &f, Value x) {
  Value a = f.abs(x);
  Value square = f.mul(a, a);
  Value t = f.invert(f.fma(a, f.constant(0.3275911), f.constant(1)));
  Value sum = f.mul(t, f.polynomial(t, {0.254829592, -0.284496736, 1.421413741,
                                        -1.453152027, 1.061405429}));
  Value decay = f.exp2(f.mul(square, -kLog2E));
  Value big = f.fma(f.mul(sum, decay), f.constant(-1), f.constant(1));
  constexpr double k = 1.1283791670955126; // 2 / sqrt(pi)
  Value small = f.mul(a, f.polynomial(square, {k, -k / 3, k / 10, -k / 42,
                                               k / 216, -k / 1320}));
  return f.copySign(f.selectBelow(a, 0.5, small, big), x);
}

/// `x` minus a multiple of 2 pi, in two parts.
static Value reduceAngle(const Floats &f, Value x) {
  Value turns = f.call("rnde", f.mul(x, 1 / kTwoPi));
  float high = static_cast<float>(kTwoPi);
  Value r = f.fma(turns, f.constant(-high), x);
  return f.fma(turns, f.constant(high - kTwoPi), r);
}
static Value emitSin(const Floats &f, Value x) {
  return f.call("sin", reduceAngle(f, x));
}
static Value emitCos(const Floats &f, Value x) {
  return f.call("cos", reduceAngle(f, x));
}

namespace {
/// A function of one f32 or f16, the latter computed in f32.
template <typename OpT, Value (*emit)(const Floats &, Value)>
struct FunctionPattern : OpConversionPattern<OpT> {
  FunctionPattern(MLIRContext *context)
      : OpConversionPattern<OpT>(context, kBenefit) {}

  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value x = adaptor.getOperands().front();
    Type unit = getUnitType(x.getType());
    if (!unit.isF32() && !unit.isF16())
      return failure();
    Type f32 =
        getVectorType(rewriter.getF32Type(), getVectorLength(x.getType()));
    if (unit.isF16())
      x = arith::ExtFOp::create(rewriter, loc, f32, x);
    Value result = emit(Floats{rewriter, loc, f32}, x);
    if (unit.isF16())
      result = arith::TruncFOp::create(rewriter, loc, op.getType(), result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// x - n y, n = x / y toward zero. The backend's own remainder, frem and fmod
/// alike, has the sign of the divisor, loses bits and refuses f16.
///
/// Numbers of up to 32 bits are long-divided in f64, 24 bits of n at a time: a
/// step's digit times the divisor has at most 48 bits, so the rest is exact,
/// and a quotient that is no integer is farther from one than its error. In
/// f64, n is one digit, exact up to 2^53.
struct RemainderPattern : OpConversionPattern<arith::RemFOp> {
  RemainderPattern(MLIRContext *context)
      : OpConversionPattern(context, kBenefit) {}

  LogicalResult
  matchAndRewrite(arith::RemFOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = adaptor.getLhs().getType();
    Type f64 = getVectorType(rewriter.getF64Type(), getVectorLength(type));
    Floats f{rewriter, loc, f64};
    bool isWide = type == f64;
    auto widen = [&](Value value) -> Value {
      if (isWide)
        return value;
      return arith::ExtFOp::create(rewriter, loc, f64, value);
    };
    Value x = widen(adaptor.getLhs()), y = widen(adaptor.getRhs());
    Value size = f.abs(x), divisor = f.abs(y);
    Value rest =
        isWide ? divideOnce(f, size, divisor) : divideLong(f, size, divisor);
    rest = math::CopySignOp::create(rewriter, loc, rest, x);
    rest = fixSpecial(f, rest, x, size, divisor);
    if (!isWide)
      rest = arith::TruncFOp::create(rewriter, loc, type, rest);
    rewriter.replaceOp(op, rest);
    return success();
  }

private:
  static Value divideLong(const Floats &f, Value rest, Value divisor) {
    // Quotients of f32 are below 2^277.
    constexpr int digitBits = 24, numDigits = 12;
    OpBuilder &builder = f.rewriter;
    Type i32 = getVectorType(builder.getI32Type(), getVectorLength(f.type));
    Value inverse =
        arith::DivFOp::create(builder, f.loc, f.constant(1), divisor);
    for (int bit = (numDigits - 1) * digitBits; bit >= 0; bit -= digitBits) {
      Value quotient = f.mul(rest, f.mul(inverse, std::ldexp(1.0, -bit)));
      Value digit = arith::FPToSIOp::create(builder, f.loc, i32, quotient);
      Value whole = arith::SIToFPOp::create(builder, f.loc, f.type, digit);
      rest =
          f.fma(f.mul(whole, -1), f.mul(divisor, std::ldexp(1.0, bit)), rest);
    }
    return rest;
  }

  /// The quotient may have been rounded to the next integer.
  static Value divideOnce(const Floats &f, Value size, Value divisor) {
    OpBuilder &builder = f.rewriter;
    Value quotient = arith::DivFOp::create(builder, f.loc, size, divisor);
    SmallVector<Value> whole;
    for (Value piece : splitVector(builder, f.loc, quotient, kMaxCallVector))
      whole.push_back(math::FloorOp::create(builder, f.loc, piece));
    Value digits = concatVectors(builder, f.loc, whole);
    Value rest = f.fma(f.mul(digits, -1), divisor, size);
    return f.selectBelow(rest, 0, f.add(rest, divisor), rest);
  }

  /// NaN without a divisor or of an infinite number, which is left over by an
  /// infinite divisor otherwise.
  static Value fixSpecial(const Floats &f, Value rest, Value x, Value size,
                          Value divisor) {
    auto compare = [&](arith::CmpFPredicate predicate, Value a,
                       double b) -> Value {
      return arith::CmpFOp::create(f.rewriter, f.loc, predicate, a,
                                   f.constant(b));
    };
    auto select = [&](Value condition, Value a, Value b) -> Value {
      return arith::SelectOp::create(f.rewriter, f.loc, condition, a, b);
    };
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    rest =
        select(compare(arith::CmpFPredicate::OEQ, divisor, infinity), x, rest);
    rest = select(compare(arith::CmpFPredicate::UEQ, divisor, 0),
                  f.constant(nan), rest);
    return select(compare(arith::CmpFPredicate::UEQ, size, infinity),
                  f.constant(nan), rest);
  }
};

/// Leading zeros of 64 bits from those of the halves: the instruction counts in
/// 32.
struct WideLeadingZerosPattern
    : OpConversionPattern<math::CountLeadingZerosOp> {
  WideLeadingZerosPattern(MLIRContext *context)
      : OpConversionPattern(context, kBenefit) {}

  LogicalResult
  matchAndRewrite(math::CountLeadingZerosOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value x = adaptor.getOperand();
    Type i64 = x.getType();
    if (!getUnitType(i64).isInteger(64))
      return failure();
    Location loc = op.getLoc();
    Type i32 = getVectorType(rewriter.getI32Type(), getVectorLength(i64));
    auto half = [&](Value wide) -> Value {
      return arith::TruncIOp::create(rewriter, loc, i32, wide);
    };
    Value bits = createConstant(rewriter, loc, i64, 32);
    Value high = half(LLVM::LShrOp::create(rewriter, loc, x, bits));
    auto count = [&](Value part) -> Value {
      return math::CountLeadingZerosOp::create(rewriter, loc, part);
    };
    Value isLow =
        LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::eq, high,
                             createConstant(rewriter, loc, i32, 0));
    Value below = LLVM::AddOp::create(rewriter, loc, count(half(x)),
                                      createConstant(rewriter, loc, i32, 32));
    Value zeros =
        LLVM::SelectOp::create(rewriter, loc, isLow, below, count(high));
    rewriter.replaceOpWithNewOp<LLVM::ZExtOp>(op, i64, zeros);
    return success();
  }
};

constexpr llvm::StringLiteral kMax = "fmax", kMin = "fmin";

/// The larger or the smaller of two f32: llvm.maxnum reaches older backends as
/// a library function. `Number` forms give the other operand for a NaN, the
/// other forms NaN.
template <typename OpT, const llvm::StringLiteral &function, bool isNumber>
struct ExtremePattern : OpConversionPattern<OpT> {
  ExtremePattern(MLIRContext *context)
      : OpConversionPattern<OpT>(context, kBenefit) {}

  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value a = adaptor.getLhs(), b = adaptor.getRhs();
    Type type = a.getType();
    if (!getUnitType(type).isF32())
      return failure();
    Value result = VCBuilder(rewriter, loc)
                       .call(function, TypeRange{type, type}, type,
                             ValueRange{a, b}, DeviceEffects::None);
    if (!isNumber) {
      Value unordered =
          LLVM::FCmpOp::create(rewriter, loc, LLVM::FCmpPredicate::uno, a, b);
      Value nan = LLVM::FAddOp::create(rewriter, loc, a, b);
      result = LLVM::SelectOp::create(rewriter, loc, unordered, nan, result);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};
} // namespace

void mlt::populateSimdMathPatterns(RewritePatternSet &patterns) {
  patterns.add<FunctionPattern<math::ExpOp, emitExp>,
               FunctionPattern<math::Exp2Op, emitExp2>,
               FunctionPattern<math::LogOp, emitLog>,
               FunctionPattern<math::Log2Op, emitLog2>,
               FunctionPattern<math::SqrtOp, emitSqrt>,
               FunctionPattern<math::RsqrtOp, emitRsqrt>,
               FunctionPattern<math::TanhOp, emitTanh>,
               FunctionPattern<math::ErfOp, emitErf>,
               FunctionPattern<math::SinOp, emitSin>,
               FunctionPattern<math::CosOp, emitCos>,
               FunctionPattern<math::Log10Op, emitLog10>,
               FunctionPattern<math::FloorOp, emitFloor>,
               FunctionPattern<math::CeilOp, emitCeil>,
               FunctionPattern<math::TruncOp, emitTrunc>,
               FunctionPattern<math::RoundOp, emitRound>,
               FunctionPattern<math::RoundEvenOp, emitRoundEven>,
               RemainderPattern, WideLeadingZerosPattern,
               ExtremePattern<arith::MaxNumFOp, kMax, true>,
               ExtremePattern<arith::MinNumFOp, kMin, true>,
               ExtremePattern<arith::MaximumFOp, kMax, false>,
               ExtremePattern<arith::MinimumFOp, kMin, false>>(
      patterns.getContext());
}
