//===- TritonFold.cpp - folders and canonicalization ----------------------===//
//
// Keeps uniform tensors visible as splats and constants, and removes masks that
// are known. Nothing here changes which memory is accessed.
//
//===----------------------------------------------------------------------===//
#include "Dialect/Triton/IR/Triton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::tt;

/// The uniform constant `operand` in the shape of `type`, or null.
static Attribute resizeSplat(Attribute operand, Type type) {
  auto splat = dyn_cast_if_present<SplatElementsAttr>(operand);
  if (!splat)
    return {};
  return SplatElementsAttr::get(cast<ShapedType>(type),
                                splat.getSplatValue<Attribute>());
}

static bool isZero(Attribute attr) {
  return attr && matchPattern(attr, m_Zero());
}

namespace {

/// A shape operation on a tensor of one value is again a tensor of that value.
template <typename OpTy> struct ShapeOfSplat : public OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    auto splat = op.getSrc().template getDefiningOp<SplatOp>();
    if (!splat)
      return failure();
    rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getSrc());
    return success();
  }
};

/// broadcast(broadcast(x)) -> broadcast(x)
struct MergeBroadcasts : public OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(BroadcastOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getSrc().getDefiningOp<BroadcastOp>();
    if (!inner)
      return failure();
    rewriter.modifyOpInPlace(
        op, [&] { op.getSrcMutable().assign(inner.getSrc()); });
    return success();
  }
};

/// reshape(reshape(x)) -> reshape(x), with the freedom of either.
struct MergeReshapes : public OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getSrc().getDefiningOp<ReshapeOp>();
    if (!inner || op.getEfficientLayout() || inner.getEfficientLayout())
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      op.getSrcMutable().assign(inner.getSrc());
      op.setAllowReorder(op.getAllowReorder() || inner.getAllowReorder());
    });
    return success();
  }
};

/// trans(trans(x)) -> trans(x)
struct MergeTransposes : public OpRewritePattern<TransOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getSrc().getDefiningOp<TransOp>();
    if (!inner)
      return failure();
    SmallVector<int32_t> order;
    for (int32_t dim : op.getOrder())
      order.push_back(inner.getOrder()[dim]);
    rewriter.modifyOpInPlace(op, [&] {
      op.getSrcMutable().assign(inner.getSrc());
      op.setOrder(order);
    });
    return success();
  }
};

/// A block pointer that is chosen is made of, or advanced by, what is chosen,
/// so that whoever takes block pointers apart finds one origin.
struct SelectOfBlocks : public OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::SelectOp op,
                                PatternRewriter &rewriter) const override {
    if (!isBlockPointer(op.getType()) ||
        !op.getCondition().getType().isInteger(1))
      return failure();
    Value yes = getOrigin(op.getTrueValue()),
          no = getOrigin(op.getFalseValue());
    if (yes != no)
      return selectOrigins(op, yes, no, rewriter);
    rewriter.replaceOpWithNewOp<AdvanceOp>(
        op, op.getType(), yes,
        select(op, getDistance(op, op.getTrueValue(), rewriter),
               getDistance(op, op.getFalseValue(), rewriter), rewriter));
    return success();
  }

private:
  static Value getOrigin(Value pointer) {
    while (auto advance = pointer.getDefiningOp<AdvanceOp>())
      pointer = advance.getPtr();
    return pointer;
  }

  /// How far `pointer` has been advanced from its origin.
  static SmallVector<Value> getDistance(arith::SelectOp op, Value pointer,
                                        PatternRewriter &rewriter) {
    Type type = cast<PointerType>(pointer.getType()).getPointeeType();
    SmallVector<Value> distance(
        cast<RankedTensorType>(type).getRank(),
        arith::ConstantIntOp::create(rewriter, op.getLoc(), 0, 32));
    return add(op, std::move(distance), pointer, rewriter);
  }

  /// `offsets` and how far `pointer` has been advanced.
  static SmallVector<Value> add(arith::SelectOp op, SmallVector<Value> offsets,
                                Value pointer, PatternRewriter &rewriter) {
    while (auto advance = pointer.getDefiningOp<AdvanceOp>()) {
      for (auto [offset, more] : llvm::zip_equal(offsets, advance.getOffsets()))
        offset =
            rewriter.createOrFold<arith::AddIOp>(op.getLoc(), offset, more);
      pointer = advance.getPtr();
    }
    return offsets;
  }

  static SmallVector<Value> select(arith::SelectOp op, ValueRange yes,
                                   ValueRange no, PatternRewriter &rewriter) {
    SmallVector<Value> result;
    for (auto [a, b] : llvm::zip_equal(yes, no))
      result.push_back(a == b ? a
                              : rewriter.createOrFold<arith::SelectOp>(
                                    op.getLoc(), op.getCondition(), a, b));
    return result;
  }

  static LogicalResult selectOrigins(arith::SelectOp op, Value yes, Value no,
                                     PatternRewriter &rewriter) {
    auto a = yes.getDefiningOp<MakeTensorPtrOp>();
    auto b = no.getDefiningOp<MakeTensorPtrOp>();
    if (!a || !b || a.getOrder() != b.getOrder())
      return failure();
    Value base = select(op, a.getBase(), b.getBase(), rewriter).front();
    SmallVector<Value> shape = select(op, a.getShape(), b.getShape(), rewriter);
    SmallVector<Value> strides =
        select(op, a.getStrides(), b.getStrides(), rewriter);
    SmallVector<Value> offsets =
        select(op,
               add(op, SmallVector<Value>(a.getOffsets()), op.getTrueValue(),
                   rewriter),
               add(op, SmallVector<Value>(b.getOffsets()), op.getFalseValue(),
                   rewriter),
               rewriter);
    rewriter.replaceOpWithNewOp<MakeTensorPtrOp>(
        op, op.getType(), base, shape, strides, offsets, a.getOrderAttr());
    return success();
  }
};

/// A mask that is always true goes, an access whose mask is always false goes
/// with it.
struct KnownLoadMask : public OpRewritePattern<LoadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LoadOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getMask())
      return failure();
    if (matchPattern(op.getMask(), m_One())) {
      rewriter.modifyOpInPlace(op, [&] {
        op.getMaskMutable().clear();
        op.getOtherMutable().clear();
      });
      return success();
    }
    if (!matchPattern(op.getMask(), m_Zero()) || !op.getOther())
      return failure();
    rewriter.replaceOp(op, op.getOther());
    return success();
  }
};

struct KnownStoreMask : public OpRewritePattern<StoreOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(StoreOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getMask())
      return failure();
    if (matchPattern(op.getMask(), m_Zero())) {
      rewriter.eraseOp(op);
      return success();
    }
    if (!matchPattern(op.getMask(), m_One()))
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op.getMaskMutable().clear(); });
    return success();
  }
};

/// The operations of 3.3 on typed descriptors have other names now; operands,
/// results and attributes are the same.
template <typename OldOp, typename NewOp>
struct RenameDescriptorOp : public OpRewritePattern<OldOp> {
  using OpRewritePattern<OldOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(OldOp op,
                                PatternRewriter &rewriter) const override {
    if (!isa<TensorDescType>(op->getOperand(0).getType()))
      return failure();
    rewriter.replaceOpWithNewOp<NewOp>(op, op->getResultTypes(),
                                       op->getOperands(), op->getAttrs());
    return success();
  }
};

} // namespace

void ExpandDimsOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                               MLIRContext *context) {
  patterns.add<ShapeOfSplat<ExpandDimsOp>>(context);
}

void BroadcastOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<ShapeOfSplat<BroadcastOp>, MergeBroadcasts>(context);
}

void ReshapeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<ShapeOfSplat<ReshapeOp>, MergeReshapes>(context);
}

void TritonDialect::getCanonicalizationPatterns(
    RewritePatternSet &patterns) const {
  patterns.add<SelectOfBlocks>(getContext());
}

void TransOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns.add<ShapeOfSplat<TransOp>, MergeTransposes>(context);
}

void LoadOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<KnownLoadMask>(context);
}

void StoreOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns.add<KnownStoreMask>(context);
}

void ExperimentalDescriptorLoadOp::getCanonicalizationPatterns(
    RewritePatternSet &patterns, MLIRContext *context) {
  patterns
      .add<RenameDescriptorOp<ExperimentalDescriptorLoadOp, DescriptorLoadOp>>(
          context);
}

void ExperimentalDescriptorStoreOp::getCanonicalizationPatterns(
    RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<
      RenameDescriptorOp<ExperimentalDescriptorStoreOp, DescriptorStoreOp>>(
      context);
}

void ExperimentalDescriptorGatherOp::getCanonicalizationPatterns(
    RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<
      RenameDescriptorOp<ExperimentalDescriptorGatherOp, DescriptorGatherOp>>(
      context);
}

void ExperimentalDescriptorScatterOp::getCanonicalizationPatterns(
    RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<
      RenameDescriptorOp<ExperimentalDescriptorScatterOp, DescriptorScatterOp>>(
      context);
}

//===----------------------------------------------------------------------===//
// Folders
//===----------------------------------------------------------------------===//

OpFoldResult MakeRangeOp::fold(FoldAdaptor) {
  int64_t start = getStartAttr().getInt();
  if (getEndAttr().getInt() - start != 1)
    return {};
  auto element = IntegerAttr::get(getType().getElementType(), start);
  return SplatElementsAttr::get(cast<ShapedType>(getType()),
                                Attribute(element));
}

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) {
  Attribute value = adaptor.getSrc();
  if (!isa_and_present<IntegerAttr, FloatAttr>(value))
    return {};
  return SplatElementsAttr::get(cast<ShapedType>(getType()), value);
}

OpFoldResult UnsplatOp::fold(FoldAdaptor adaptor) {
  if (auto splat = getSrc().getDefiningOp<SplatOp>())
    return splat.getSrc();
  if (auto splat = dyn_cast_if_present<SplatElementsAttr>(adaptor.getSrc()))
    return splat.getSplatValue<Attribute>();
  return {};
}

OpFoldResult ExpandDimsOp::fold(FoldAdaptor adaptor) {
  return resizeSplat(adaptor.getSrc(), getType());
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  return resizeSplat(adaptor.getSrc(), getType());
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType() && !getEfficientLayout())
    return getSrc();
  return resizeSplat(adaptor.getSrc(), getType());
}

OpFoldResult TransOp::fold(FoldAdaptor adaptor) {
  SmallVector<int64_t> order(getOrder());
  if (getSrc().getType() == getType() && isIdentityPermutation(order))
    return getSrc();
  return resizeSplat(adaptor.getSrc(), getType());
}

LogicalResult SplitOp::fold(FoldAdaptor adaptor,
                            SmallVectorImpl<OpFoldResult> &results) {
  auto join = getSrc().getDefiningOp<JoinOp>();
  if (join && join.getLhs().getType() == getOutLHS().getType()) {
    results.assign({join.getLhs(), join.getRhs()});
    return success();
  }
  Attribute half = resizeSplat(adaptor.getSrc(), getOutLHS().getType());
  if (!half)
    return failure();
  results.assign({half, half});
  return success();
}

OpFoldResult AddPtrOp::fold(FoldAdaptor adaptor) {
  return isZero(adaptor.getOffset()) ? getPtr() : Value();
}

OpFoldResult AdvanceOp::fold(FoldAdaptor adaptor) {
  return llvm::all_of(adaptor.getOffsets(), isZero) ? getPtr() : Value();
}

OpFoldResult BitcastOp::fold(FoldAdaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  // bitcast(bitcast(x)) -> x
  auto inner = getSrc().getDefiningOp<BitcastOp>();
  if (inner && inner.getSrc().getType() == getType())
    return inner.getSrc();
  return {};
}

/// Only conversions that lose nothing are folded, so that the rounding of the
/// target remains the only one.
OpFoldResult FpToFpOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  auto element = cast<FloatType>(getElementTypeOrSelf(getType()));
  auto convert = [&](APFloat value) -> Attribute {
    bool losesInfo = false;
    APFloat::opStatus status = value.convert(
        element.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
    if (losesInfo || status != APFloat::opOK || value.isNaN())
      return {};
    return FloatAttr::get(element, value);
  };
  if (auto scalar = dyn_cast_if_present<FloatAttr>(adaptor.getSrc()))
    return convert(scalar.getValue());
  if (auto splat = dyn_cast_if_present<SplatElementsAttr>(adaptor.getSrc()))
    if (Attribute value = convert(splat.getSplatValue<APFloat>()))
      return SplatElementsAttr::get(cast<ShapedType>(getType()), value);
  return {};
}
