//===- DeviceMath.cpp - arithmetic as the device compilers know it --------===//
//
// Upstream's lowerings of arith and math to LLVM, with the exceptions listed
// here: operations that LLVM has no intrinsic for, or one that llvm-spirv maps
// to something that treats NaN differently, become OpenCL built-ins or are
// written out.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/Builtins.h"
#include "Conversion/TritonGPUToLLVM/Patterns.h"
#include "Conversion/TritonGPUToLLVM/VectorUtils.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
/// Preferred over upstream's patterns.
constexpr unsigned kBenefit = 10;

/// A math operation of one operand that is an OpenCL function.
template <typename OpT> class UnaryBuiltin : public OpConversionPattern<OpT> {
public:
  UnaryBuiltin(const TypeConverter &converter, MLIRContext *context,
               StringRef function)
      : OpConversionPattern<OpT>(converter, context, kBenefit),
        function(function) {}

  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value x = adaptor.getOperands().front();
    rewriter.replaceOp(op, callFunction(rewriter, op.getLoc(), function,
                                        getUnitType(x.getType()), x));
    return success();
  }

private:
  StringRef function;
};

struct Atan2Pattern : OpConversionPattern<math::Atan2Op> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(math::Atan2Op op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, callFunction(rewriter, op.getLoc(), "atan2",
                                        getUnitType(adaptor.getLhs().getType()),
                                        adaptor.getOperands()));
    return success();
  }
};

/// maximumf, minimumf: NaN if one operand is. llvm.maximum reaches the device
/// as OpenCL's fmax, which returns the other operand.
template <typename OpT, typename NumOpT>
struct PropagateNaNPattern : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;
  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Value> results;
    for (auto [a, b] : llvm::zip_equal(
             splitVector(rewriter, loc, adaptor.getLhs(), kMaxCallVector),
             splitVector(rewriter, loc, adaptor.getRhs(), kMaxCallVector))) {
      Value unordered =
          LLVM::FCmpOp::create(rewriter, loc, LLVM::FCmpPredicate::uno, a, b);
      Value nan = LLVM::FAddOp::create(rewriter, loc, a, b);
      Value number = NumOpT::create(rewriter, loc, a, b);
      results.push_back(
          LLVM::SelectOp::create(rewriter, loc, unordered, nan, number));
    }
    rewriter.replaceOp(op, concatVectors(rewriter, loc, results));
    return success();
  }
};

/// Products of 64-bit integers; upstream would need integers of 128 bits.
template <typename OpT> struct WideProductPattern : OpConversionPattern<OpT> {
  WideProductPattern(const TypeConverter &converter, MLIRContext *context)
      : OpConversionPattern<OpT>(converter, context, kBenefit) {}
  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value lhs = adaptor.getLhs(), rhs = adaptor.getRhs();
    if (!getUnitType(lhs.getType()).isInteger(64))
      return failure();
    constexpr bool isSigned = std::is_same_v<OpT, arith::MulSIExtendedOp>;
    Value low = LLVM::MulOp::create(rewriter, loc, lhs, rhs);
    Value high =
        callBuiltinByElement(rewriter, loc, "mul_hi", isSigned ? "ll" : "mm",
                             rewriter.getI64Type(), {lhs, rhs});
    rewriter.replaceOp(op, {low, high});
    return success();
  }
};
} // namespace

void mlt::populateDeviceMathPatterns(const LLVMTypeConverter &converter,
                                     RewritePatternSet &patterns) {
  const TypeConverter &types = converter;
  MLIRContext *context = patterns.getContext();
  patterns.add<UnaryBuiltin<math::AcosOp>>(types, context, "acos");
  patterns.add<UnaryBuiltin<math::AcoshOp>>(types, context, "acosh");
  patterns.add<UnaryBuiltin<math::AsinOp>>(types, context, "asin");
  patterns.add<UnaryBuiltin<math::AsinhOp>>(types, context, "asinh");
  patterns.add<UnaryBuiltin<math::AtanOp>>(types, context, "atan");
  patterns.add<UnaryBuiltin<math::AtanhOp>>(types, context, "atanh");
  patterns.add<UnaryBuiltin<math::CbrtOp>>(types, context, "cbrt");
  patterns.add<UnaryBuiltin<math::CoshOp>>(types, context, "cosh");
  patterns.add<UnaryBuiltin<math::ErfOp>>(types, context, "erf");
  patterns.add<UnaryBuiltin<math::ErfcOp>>(types, context, "erfc");
  patterns.add<UnaryBuiltin<math::ExpM1Op>>(types, context, "expm1");
  patterns.add<UnaryBuiltin<math::Log1pOp>>(types, context, "log1p");
  patterns.add<UnaryBuiltin<math::RsqrtOp>>(types, context, "rsqrt");
  patterns.add<UnaryBuiltin<math::SinhOp>>(types, context, "sinh");
  patterns.add<UnaryBuiltin<math::TanOp>>(types, context, "tan");
  patterns.add<UnaryBuiltin<math::TanhOp>>(types, context, "tanh");
  patterns
      .add<Atan2Pattern, PropagateNaNPattern<arith::MaximumFOp, LLVM::MaxNumOp>,
           PropagateNaNPattern<arith::MinimumFOp, LLVM::MinNumOp>>(
          types, context, PatternBenefit(kBenefit));
  patterns.add<WideProductPattern<arith::MulUIExtendedOp>,
               WideProductPattern<arith::MulSIExtendedOp>>(types, context);
}
