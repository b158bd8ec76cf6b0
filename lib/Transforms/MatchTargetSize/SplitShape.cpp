//===- SplitShape.cpp - operations that change the shape ------------------===//
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Support/CloneOp.h"
#include "Transforms/MatchTargetSize/Patterns.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
/// Operations each of whose result pieces comes from one part of the source.
/// `getPart` maps offset and shape of the result piece to those of the part.
template <typename OpT, typename Derived>
struct SplitByPart : SplitPattern<OpT> {
  using Base = SplitPattern<OpT>;
  using Base::Base;

  LogicalResult
  matchAndRewrite(OpT op, typename Base::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<int64_t> sourcePiece;
    TilePieces source =
        this->makeTile(op.getSrc(), adaptor.getSrc(), sourcePiece);
    SmallVector<int64_t> piece = this->plan.getPiece(op.getResult());
    RankedTensorType whole = getTileType(op.getType());
    SmallVector<Value> parts;
    for (ArrayRef<int64_t> offset : getPieceOffsets(whole.getShape(), piece)) {
      SmallVector<int64_t> partOffset(offset), partShape(piece);
      Derived::getPart(op, partOffset, partShape);
      Value part = source.get(rewriter, op.getLoc(), partOffset, partShape);
      parts.push_back(
          cloneOp(rewriter, op, part, withTileShape(op.getType(), piece))
              ->getResult(0));
    }
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

struct SplitExpandDims : SplitByPart<tt::ExpandDimsOp, SplitExpandDims> {
  using SplitByPart::SplitByPart;
  static void getPart(tt::ExpandDimsOp op, SmallVectorImpl<int64_t> &offset,
                      SmallVectorImpl<int64_t> &shape) {
    offset.erase(offset.begin() + op.getAxis());
    shape.erase(shape.begin() + op.getAxis());
  }
};

struct SplitBroadcast : SplitByPart<tt::BroadcastOp, SplitBroadcast> {
  using SplitByPart::SplitByPart;
  static void getPart(tt::BroadcastOp op, SmallVectorImpl<int64_t> &offset,
                      SmallVectorImpl<int64_t> &shape) {
    auto source = cast<RankedTensorType>(op.getSrc().getType());
    for (auto [dim, extent] : llvm::enumerate(source.getShape()))
      if (extent == 1)
        offset[dim] = 0, shape[dim] = 1;
  }
};

struct SplitTrans : SplitByPart<tt::TransOp, SplitTrans> {
  using SplitByPart::SplitByPart;
  static void getPart(tt::TransOp op, SmallVectorImpl<int64_t> &offset,
                      SmallVectorImpl<int64_t> &shape) {
    auto resultOffset = llvm::to_vector(offset);
    auto resultShape = llvm::to_vector(shape);
    for (auto [dim, source] : llvm::enumerate(op.getOrder())) {
      offset[source] = resultOffset[dim];
      shape[source] = resultShape[dim];
    }
  }
};

/// Reshapes that only add or drop leading dimensions of size 1.
struct SplitUnitReshape : SplitByPart<tt::ReshapeOp, SplitUnitReshape> {
  using SplitByPart::SplitByPart;
  static void getPart(tt::ReshapeOp op, SmallVectorImpl<int64_t> &offset,
                      SmallVectorImpl<int64_t> &shape) {
    size_t rank = cast<RankedTensorType>(op.getSrc().getType()).getRank();
    while (shape.size() > rank) {
      offset.erase(offset.begin());
      shape.erase(shape.begin());
    }
    while (shape.size() < rank) {
      offset.insert(offset.begin(), 0);
      shape.insert(shape.begin(), 1);
    }
  }
};
} // namespace

bool mlt::isUnitReshape(Operation *op) {
  auto reshape = dyn_cast<tt::ReshapeOp>(op);
  if (!reshape)
    return false;
  auto dropUnits = [](Value value) {
    return cast<RankedTensorType>(value.getType())
        .getShape()
        .drop_while([](int64_t extent) { return extent == 1; });
  };
  // Every dimension of the narrower shape is kept, so at least two of them.
  auto rank = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getRank();
  };
  return std::min(rank(reshape.getSrc()), rank(reshape.getResult())) >= 2 &&
         dropUnits(reshape.getSrc()) == dropUnits(reshape.getResult());
}

void mlt::populateSplitShapePatterns(const PieceConverter &converter,
                                     RewritePatternSet &patterns,
                                     const PiecePlan &plan) {
  patterns.add<SplitExpandDims, SplitBroadcast, SplitTrans, SplitUnitReshape>(
      converter, patterns.getContext(), plan);
}
