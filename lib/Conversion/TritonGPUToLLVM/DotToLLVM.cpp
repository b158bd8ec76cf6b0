//===- DotToLLVM.cpp - dots become dot instructions -----------------------===//
//
// Operands arrive in the register image that the instruction wants, so only the
// types of registers change here. Rounding to tf32 stands apart, since where it
// happens (before a loop or in it) is decided earlier.
//
//===----------------------------------------------------------------------===//
#include "Analysis/OperandRole/OperandRole.h"
#include "Conversion/TritonGPUToLLVM/BlockForms.h"
#include "Conversion/TritonGPUToLLVM/MoveElements.h"
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
    if (isMultiplyAddDot(op))
      return failure();
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

/// For each k, column k of A and row k of B are spread over the tile of the
/// result; where that moves nothing (lanes that are columns, rows that are
/// regions) depends on the layout.
struct MultiplyAddPattern : TilePattern<tt::DotOp> {
  using TilePattern::TilePattern;
  LogicalResult
  matchAndRewrite(tt::DotOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isMultiplyAddDot(op))
      return failure();
    FailureOr<Tile> a = getTile(op.getA().getType());
    FailureOr<Tile> b = getTile(op.getB().getType());
    FailureOr<Tile> c = getTile(op.getType());
    if (failed(a) || failed(b) || failed(c))
      return failure();
    Location loc = op.getLoc();
    int64_t depth = cast<RankedTensorType>(op.getA().getType()).getDimSize(1);
    int64_t columns = cast<RankedTensorType>(op.getType()).getDimSize(1);
    Value sum = adaptor.getC();
    for (int64_t k = 0; k < depth; ++k) {
      Value left = moveElements(
          rewriter, loc, style, adaptor.getA(), *a, *c, [&](int64_t element) {
            return ElementSource{0, element / columns * depth + k};
          });
      Value right = moveElements(
          rewriter, loc, style, adaptor.getB(), *b, *c, [&](int64_t element) {
            return ElementSource{0, k * columns + element % columns};
          });
      sum = multiplyAdd(rewriter, loc, left, right, sum);
    }
    rewriter.replaceOp(op, sum);
    return success();
  }

private:
  static Value multiplyAdd(OpBuilder &builder, Location loc, Value a, Value b,
                           Value c) {
    if (!isa<FloatType>(getUnitType(c.getType())))
      return LLVM::AddOp::create(builder, loc,
                                 LLVM::MulOp::create(builder, loc, a, b), c);
    SmallVector<Value> results;
    for (auto [x, y, z] :
         llvm::zip_equal(splitVector(builder, loc, a, kMaxCallVector),
                         splitVector(builder, loc, b, kMaxCallVector),
                         splitVector(builder, loc, c, kMaxCallVector)))
      results.push_back(LLVM::FMAOp::create(builder, loc, x, y, z));
    return concatVectors(builder, loc, results);
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
  arguments.add<DotPattern, MultiplyAddPattern, RoundTF32Pattern>();
}
