//===- SplitDot.cpp - dots of the instruction's size ----------------------===//
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Support/CloneOp.h"
#include "Transforms/MatchTargetSize/Patterns.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
/// The depth is innermost: a piece of the accumulator is finished before the
/// next one is begun.
struct SplitDot : SplitPattern<tt::DotOp> {
  using SplitPattern::SplitPattern;
  LogicalResult
  matchAndRewrite(tt::DotOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    std::optional<DotShape> shape = plan.getDotShape(op);
    if (!shape)
      return failure();
    SmallVector<int64_t> pieceA, pieceB, pieceC;
    TilePieces a = makeTile(op.getA(), adaptor.getA(), pieceA);
    TilePieces b = makeTile(op.getB(), adaptor.getB(), pieceB);
    TilePieces c = makeTile(op.getC(), adaptor.getC(), pieceC);
    RankedTensorType type = op.getType();
    SmallVector<int64_t> dotPiece{shape->m, shape->n};
    SmallVector<Value> results(type.getNumElements() / (shape->m * shape->n));
    int64_t columns = type.getDimSize(1) / shape->n;
    for (int64_t j = 0; j < type.getDimSize(1); j += shape->n)
      for (int64_t i = 0; i < type.getDimSize(0); i += shape->m)
        results[i / shape->m * columns + j / shape->n] =
            createChain(rewriter, op, *shape, a, b, c, i, j);
    // The plan may want the result in other pieces than the instruction gives.
    TilePieces result(type, dotPiece, results);
    rewriter.replaceOpWithMultiple(
        op,
        {result.split(rewriter, op.getLoc(), plan.getPiece(op.getResult()))});
    return success();
  }

private:
  static Value createChain(OpBuilder &builder, tt::DotOp op, DotShape shape,
                           const TilePieces &a, const TilePieces &b,
                           const TilePieces &c, int64_t i, int64_t j) {
    Location loc = op.getLoc();
    Value acc = c.get(builder, loc, {i, j}, {shape.m, shape.n});
    int64_t depth = cast<RankedTensorType>(op.getA().getType()).getDimSize(1);
    for (int64_t k = 0; k < depth; k += shape.k) {
      Value partA = a.get(builder, loc, {i, k}, {shape.m, shape.k});
      Value partB = b.get(builder, loc, {k, j}, {shape.k, shape.n});
      acc = cloneOp(builder, op, {partA, partB, acc}, acc.getType())
                ->getResult(0);
    }
    return acc;
  }
};
} // namespace

void mlt::populateSplitDotPatterns(const PieceConverter &converter,
                                   RewritePatternSet &patterns,
                                   const PiecePlan &plan) {
  patterns.add<SplitDot>(converter, patterns.getContext(), plan);
}
