//===- DotToLLVM.cpp - dots become dot instructions -----------------------===//
//
// Operands arrive in the register image that the instruction wants, so only the
// types of registers change here. Rounding to tf32 stands apart, since where it
// happens (before a loop or in it) is decided earlier.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/BlockForms.h"
#include "Conversion/TritonGPUToLLVM/Patterns.h"
#include "Conversion/TritonGPUToLLVM/VectorUtils.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
struct DotPattern : TilePattern<tt::DotOp> {
  using TilePattern::TilePattern;
  LogicalResult
  matchAndRewrite(tt::DotOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    FailureOr<DotMessage> message = getDotForm(lowering.target, op);
    if (failed(message))
      return failure();
    Value result = style.dot(
        rewriter, loc, *message,
        toOperand(rewriter, loc, adaptor.getA(),
                  /*isFloat=*/message->a == xevm::ElemType::TF32),
        toOperand(rewriter, loc, adaptor.getB(),
                  message->b == xevm::ElemType::TF32),
        toVector(rewriter, loc, adaptor.getC(), adaptor.getC().getType()));
    ++lowering.numDots;
    rewriter.replaceOp(
        op, bitcastTo(rewriter, loc, result, adaptor.getC().getType()));
    return success();
  }

private:
  /// The instruction takes vectors, also of one element.
  static Value toVector(OpBuilder &builder, Location loc, Value value,
                        Type type) {
    Type vector = VectorType::get({getVectorLength(type)}, getUnitType(type));
    return bitcastTo(builder, loc, value, vector);
  }

  /// 16-bit and packed operands are passed as integers, tf32 as f32.
  static Value toOperand(OpBuilder &builder, Location loc, Value value,
                         bool isFloat) {
    Type type = value.getType();
    Type scalar = getUnitType(type);
    if (!isFloat)
      scalar = builder.getIntegerType(scalar.getIntOrFloatBitWidth());
    return toVector(builder, loc, value,
                    getVectorType(scalar, getVectorLength(type)));
  }
};

struct RoundTF32Pattern : TilePattern<RoundTF32Op> {
  using TilePattern::TilePattern;
  LogicalResult
  matchAndRewrite(RoundTF32Op op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(
        op, style.roundToTF32(rewriter, op.getLoc(), adaptor.getSource()));
    return success();
  }
};
} // namespace

void mlt::populateDotPatterns(const PatternArguments &arguments) {
  arguments.add<DotPattern, RoundTF32Pattern>();
}
