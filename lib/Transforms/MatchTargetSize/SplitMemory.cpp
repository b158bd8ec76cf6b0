//===- SplitMemory.cpp - block pointers and block messages ----------------===//
//
// A block pointer to a tile becomes one block pointer per message, each made
// and advanced on its own, so that loops carry plain offsets.
//
//===----------------------------------------------------------------------===//
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Support/CloneOp.h"
#include "Transforms/MatchTargetSize/Patterns.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
struct SplitMakeTensorPtr : SplitPattern<tt::MakeTensorPtrOp> {
  using SplitPattern::SplitPattern;
  LogicalResult
  matchAndRewrite(tt::MakeTensorPtrOp op, Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<int64_t> piece = plan.getPiece(op.getResult());
    Type type = withTileShape(op.getType(), piece);
    SmallVector<Value> parts;
    for (ArrayRef<int64_t> start :
         getPieceOffsets(getTileType(op.getType()).getShape(), piece)) {
      SmallVector<Value> offsets(op.getOffsets());
      for (auto [offset, step] : llvm::zip_equal(offsets, start))
        if (step != 0)
          offset = arith::AddIOp::create(
              rewriter, loc, offset,
              arith::ConstantIntOp::create(rewriter, loc, step, 32));
      parts.push_back(tt::MakeTensorPtrOp::create(
          rewriter, loc, type, op.getBase(), op.getShape(), op.getStrides(),
          offsets, op.getOrder()));
    }
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

struct SplitAdvance : SplitPattern<tt::AdvanceOp> {
  using SplitPattern::SplitPattern;
  LogicalResult
  matchAndRewrite(tt::AdvanceOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts;
    for (Value pointer : adaptor.getPtr())
      parts.push_back(tt::AdvanceOp::create(
          rewriter, op.getLoc(), pointer.getType(), pointer, op.getOffsets()));
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

struct SplitBlockLoad : SplitPattern<tt::LoadOp> {
  using SplitPattern::SplitPattern;
  LogicalResult
  matchAndRewrite(tt::LoadOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!tt::isBlockPointer(op.getPtr().getType()))
      return failure();
    SmallVector<Value> parts;
    for (Value pointer : adaptor.getPtr()) {
      parts.push_back(
          cloneOp(rewriter, op, pointer, getTileType(pointer.getType()))
              ->getResult(0));
    }
    SmallVector<int64_t> message = plan.getPiece(op.getPtr());
    TilePieces loaded(getTileType(op.getType()), message, parts);
    rewriter.replaceOpWithMultiple(
        op,
        {loaded.split(rewriter, op.getLoc(), plan.getPiece(op.getResult()))});
    return success();
  }
};

struct SplitBlockStore : SplitPattern<tt::StoreOp> {
  using SplitPattern::SplitPattern;
  LogicalResult
  matchAndRewrite(tt::StoreOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!tt::isBlockPointer(op.getPtr().getType()))
      return failure();
    SmallVector<int64_t> valuePiece;
    TilePieces value = makeTile(op.getValue(), adaptor.getValue(), valuePiece);
    SmallVector<Value> parts =
        value.split(rewriter, op.getLoc(), plan.getPiece(op.getPtr()));
    for (auto [pointer, part] : llvm::zip_equal(adaptor.getPtr(), parts))
      cloneOp(rewriter, op, {pointer, part}, TypeRange());
    rewriter.eraseOp(op);
    return success();
  }
};

struct SplitPrefetch : SplitPattern<mlt::PrefetchOp> {
  using SplitPattern::SplitPattern;
  LogicalResult
  matchAndRewrite(mlt::PrefetchOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    for (Value pointer : adaptor.getPtr())
      mlt::PrefetchOp::create(rewriter, op.getLoc(), pointer, op.getPartAttr(),
                              op.getPartsAttr());
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void mlt::populateSplitMemoryPatterns(const PieceConverter &converter,
                                      RewritePatternSet &patterns,
                                      const PiecePlan &plan) {
  patterns.add<SplitMakeTensorPtr, SplitAdvance, SplitBlockLoad,
               SplitBlockStore, SplitPrefetch>(converter, patterns.getContext(),
                                               plan);
}
