//===- SplitReduce.cpp - reductions of register-sized pieces --------------===//
//
// Pieces along the reduced axis are first combined element by element, which
// stays inside the lanes; one reduction per remaining piece follows. Its rows
// are kept together up to the sub-group size, because the result of reducing
// rows is spread over the lanes.
//
//===----------------------------------------------------------------------===//
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Support/CloneOp.h"
#include "Transforms/MatchTargetSize/CombineRegion.h"
#include "Transforms/MatchTargetSize/Patterns.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
struct SplitReduce : SplitPattern<tt::ReduceOp> {
  using SplitPattern::SplitPattern;

  LogicalResult
  matchAndRewrite(tt::ReduceOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto whole = cast<RankedTensorType>(op.getSrcs().front().getType());
    SmallVector<int64_t> piece = getReducedPiece(op);
    SmallVector<SmallVector<Value>> partials(op.getNumResults());

    // One group of pieces per place outside the reduced axis.
    SmallVector<int64_t> outer(whole.getShape());
    outer[op.getAxis()] = piece[op.getAxis()];
    for (ArrayRef<int64_t> offset : getPieceOffsets(outer, piece)) {
      SmallVector<Value> values =
          combineGroup(rewriter, op, adaptor.getSrcs(), offset, piece);
      for (auto [list, value] : llvm::zip_equal(
               partials, createReduce(rewriter, op, values)->getResults()))
        list.push_back(value);
    }

    SmallVector<SmallVector<Value>> results;
    SmallVector<int64_t> partialShape(piece);
    partialShape.erase(partialShape.begin() + op.getAxis());
    for (auto [value, list] : llvm::zip_equal(op->getResults(), partials)) {
      auto type = dyn_cast<RankedTensorType>(value.getType());
      results.push_back(
          type ? TilePieces(type, partialShape, list)
                     .split(rewriter, op.getLoc(), plan.getPiece(value))
               : list);
    }
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }

private:
  SmallVector<int64_t> getReducedPiece(tt::ReduceOp op) const {
    Value source = op.getSrcs().front();
    auto whole = cast<RankedTensorType>(source.getType());
    SmallVector<int64_t> piece = plan.getPiece(source);
    // The columns of a piece are the lanes.
    unsigned rank = piece.size();
    if (rank >= 2 && op.getAxis() == rank - 1)
      piece[rank - 2] = std::min(whole.getDimSize(rank - 2), piece[rank - 1]);
    return piece;
  }

  SmallVector<Value> combineGroup(OpBuilder &builder, tt::ReduceOp op,
                                  ArrayRef<ValueRange> sources,
                                  ArrayRef<int64_t> offset,
                                  ArrayRef<int64_t> piece) const {
    auto whole = cast<RankedTensorType>(op.getSrcs().front().getType());
    unsigned axis = op.getAxis();
    SmallVector<Value> combined;
    for (int64_t start = 0; start < whole.getDimSize(axis);
         start += piece[axis]) {
      SmallVector<int64_t> at(offset);
      at[axis] = start;
      SmallVector<Value> values;
      for (auto [original, pieces] : llvm::zip_equal(op.getSrcs(), sources)) {
        SmallVector<int64_t> shape = plan.getPiece(original);
        values.push_back(TilePieces(cast<RankedTensorType>(original.getType()),
                                    shape, pieces)
                             .get(builder, op.getLoc(), at, piece));
      }
      combined = combined.empty() ? values
                                  : combineTensors(builder, op.getCombineOp(),
                                                   combined, values);
    }
    return combined;
  }

  static Operation *createReduce(ConversionPatternRewriter &rewriter,
                                 tt::ReduceOp op, ValueRange values) {
    auto source = cast<RankedTensorType>(values.front().getType());
    SmallVector<int64_t> shape(source.getShape());
    shape.erase(shape.begin() + op.getAxis());
    SmallVector<Type> types;
    for (Type type : op->getResultTypes()) {
      Type element = getElementTypeOrSelf(type);
      types.push_back(shape.empty() ? element
                                    : RankedTensorType::get(shape, element));
    }
    return cloneOp(rewriter, op, values, types, [&](OperationState &state) {
      Region *body = state.addRegion();
      rewriter.cloneRegionBefore(op.getCombineOp(), *body, body->end());
    });
  }
};
} // namespace

void mlt::populateSplitReducePatterns(const PieceConverter &converter,
                                      RewritePatternSet &patterns,
                                      const PiecePlan &plan) {
  patterns.add<SplitReduce>(converter, patterns.getContext(), plan);
}
