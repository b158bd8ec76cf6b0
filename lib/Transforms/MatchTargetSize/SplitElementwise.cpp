//===- SplitElementwise.cpp - operations that work place by place ---------===//
//
// Elementwise operations, loads and stores through tensors of pointers, and
// atomics: one clone per piece of the result, its operands cut to that piece.
//
//===----------------------------------------------------------------------===//
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Support/CloneOp.h"
#include "Transforms/MatchTargetSize/CombineRegion.h"
#include "Transforms/MatchTargetSize/Patterns.h"

using namespace mlir;
using namespace mlir::mlt;

/// True for operations each of whose pieces needs the same piece of every
/// tensor operand.
static bool isPlacewise(Operation *op) {
  if (isa<tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp>(op))
    return isa<RankedTensorType>(op->getOperand(0).getType());
  return op->hasTrait<OpTrait::Elementwise>() ||
         isa<tt::AddPtrOp, tt::BitcastOp, tt::FpToFpOp, tt::IntToPtrOp,
             tt::PtrToIntOp, tt::ClampFOp, tt::MulhiUIOp, tt::PreciseSqrtOp,
             tt::PreciseDivFOp, tt::ExternElementwiseOp>(op);
}

namespace {
struct SplitPlacewise : ConversionPattern {
  SplitPlacewise(const TypeConverter &converter, MLIRContext *context,
                 const PiecePlan &plan)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), 1, context),
        plan(plan) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<ValueRange> operands,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isPlacewise(op))
      return failure();
    // A store has no result: its pointers decide.
    Value leader =
        op->getNumResults() ? Value(op->getResult(0)) : op->getOperand(0);
    SmallVector<int64_t> piece = plan.getPiece(leader);
    RankedTensorType whole = getTileType(leader.getType());
    SmallVector<SmallVector<Value>> results(op->getNumResults());
    for (ArrayRef<int64_t> offset : getPieceOffsets(whole.getShape(), piece)) {
      Operation *part = clonePart(rewriter, op, operands, offset, piece);
      for (auto [pieces, value] : llvm::zip_equal(results, part->getResults()))
        pieces.push_back(value);
    }
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }

private:
  Operation *clonePart(OpBuilder &builder, Operation *op,
                       ArrayRef<ValueRange> operands, ArrayRef<int64_t> offset,
                       ArrayRef<int64_t> piece) const {
    SmallVector<Value> parts;
    for (auto [original, pieces] :
         llvm::zip_equal(op->getOperands(), operands)) {
      auto type = dyn_cast<RankedTensorType>(original.getType());
      if (!type) {
        parts.push_back(pieces.front());
        continue;
      }
      SmallVector<int64_t> shape = plan.getPiece(original);
      parts.push_back(TilePieces(type, shape, pieces)
                          .get(builder, op->getLoc(), offset, piece));
    }
    SmallVector<Type> types;
    for (Type type : op->getResultTypes())
      types.push_back(withTileShape(type, piece));
    return cloneOp(builder, op, parts, types);
  }

  const PiecePlan &plan;
};

/// Every piece of a splat or of a constant splat is the same.
struct SplitSplat : SplitPattern<tt::SplatOp> {
  using SplitPattern::SplitPattern;
  LogicalResult
  matchAndRewrite(tt::SplatOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<int64_t> piece = plan.getPiece(op.getResult());
    Value part = tt::SplatOp::create(rewriter, op.getLoc(),
                                     withTileShape(op.getType(), piece),
                                     adaptor.getSrc().front());
    size_t count = getPieceOffsets(op.getType().getShape(), piece).size();
    rewriter.replaceOpWithMultiple(op, {SmallVector<Value>(count, part)});
    return success();
  }
};

struct SplitConstant : SplitPattern<arith::ConstantOp> {
  using SplitPattern::SplitPattern;
  LogicalResult
  matchAndRewrite(arith::ConstantOp op, Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
    if (!splat)
      return rewriter.notifyMatchFailure(op, "expected a splat");
    SmallVector<int64_t> piece = plan.getPiece(op.getResult());
    Value part =
        arith::ConstantOp::create(rewriter, op.getLoc(),
                                  splat.resizeSplat(cast<RankedTensorType>(
                                      withTileShape(op.getType(), piece))));
    size_t count = getPieceOffsets(splat.getType().getShape(), piece).size();
    rewriter.replaceOpWithMultiple(op, {SmallVector<Value>(count, part)});
    return success();
  }
};

struct SplitPoison : SplitPattern<ub::PoisonOp> {
  using SplitPattern::SplitPattern;
  LogicalResult
  matchAndRewrite(ub::PoisonOp op, Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    SmallVector<int64_t> piece = plan.getPiece(op.getResult());
    Value part =
        ub::PoisonOp::create(rewriter, op.getLoc(), withTileShape(type, piece));
    size_t count = getPieceOffsets(type.getShape(), piece).size();
    rewriter.replaceOpWithMultiple(op, {SmallVector<Value>(count, part)});
    return success();
  }
};

struct SplitMakeRange : SplitPattern<tt::MakeRangeOp> {
  using SplitPattern::SplitPattern;
  LogicalResult
  matchAndRewrite(tt::MakeRangeOp op, Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    int64_t size = plan.getPiece(op.getResult()).front();
    auto type = withTileShape(op.getType(), {size});
    SmallVector<Value> parts;
    // The bounds have a sign, which their accessors do not give.
    int64_t first = op.getStartAttr().getInt(), end = op.getEndAttr().getInt();
    for (int64_t start = first; start < end; start += size)
      parts.push_back(tt::MakeRangeOp::create(rewriter, op.getLoc(), type,
                                              start, start + size));
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};
} // namespace

bool mlt::canSplit(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<SplatElementsAttr>(constant.getValue());
  if (auto reduce = dyn_cast<tt::ReduceOp>(op))
    return isElementwiseRegion(reduce.getCombineOp());
  return isPlacewise(op) || isUnitReshape(op) ||
         isa<ub::PoisonOp, tt::SplatOp, tt::MakeRangeOp, tt::ExpandDimsOp,
             tt::BroadcastOp, tt::TransOp, tt::LoadOp, tt::StoreOp,
             mlt::PrefetchOp, tt::MakeTensorPtrOp, tt::AdvanceOp, tt::DotOp,
             scf::ForOp, scf::IfOp, scf::WhileOp, scf::YieldOp,
             scf::ConditionOp>(op);
}

void mlt::populateSplitElementwisePatterns(const PieceConverter &converter,
                                           RewritePatternSet &patterns,
                                           const PiecePlan &plan) {
  patterns.add<SplitPlacewise, SplitSplat, SplitConstant, SplitPoison,
               SplitMakeRange>(converter, patterns.getContext(), plan);
}
