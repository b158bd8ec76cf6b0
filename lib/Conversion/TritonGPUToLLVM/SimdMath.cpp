//===- SimdMath.cpp - functions of the math unit in style simd ------------===//
//
// The vector backend resolves no library functions: what the math unit does
// (powers and logarithms of base 2, roots, reciprocals, sines) is an intrinsic,
// and the other functions are written out with them. exp and log go through
// base 2 with one rounding of the scaled number, as Triton's own do.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/SimdMath.h"
#include "Conversion/TritonGPUToLLVM/VCBuilder.h"
#include "Conversion/TritonGPUToLLVM/VectorUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
/// Preferred over the patterns of all styles.
constexpr unsigned kBenefit = 20;

/// Arithmetic on vectors (or scalars) of f32.
struct Floats {
  ConversionPatternRewriter &rewriter;
  Location loc;
  Type type;

  Value constant(double value) const {
    TypedAttr attr = rewriter.getF32FloatAttr(static_cast<float>(value));
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
  Value turns =
      math::RoundEvenOp::create(f.rewriter, f.loc, f.mul(x, 1 / kTwoPi));
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
               ExtremePattern<arith::MaxNumFOp, kMax, true>,
               ExtremePattern<arith::MinNumFOp, kMin, true>,
               ExtremePattern<arith::MaximumFOp, kMax, false>,
               ExtremePattern<arith::MinimumFOp, kMin, false>>(
      patterns.getContext());
}
