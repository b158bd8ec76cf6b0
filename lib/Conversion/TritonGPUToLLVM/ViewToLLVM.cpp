//===- ViewToLLVM.cpp - ranges, copies, pieces and other shapes -----------===//
//
// Operations that compute nothing: every element of the result is an element of
// an operand. Each pattern says which; the lane table and `moveElements` find
// out how. Most cost nothing.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/MoveElements.h"
#include "Conversion/TritonGPUToLLVM/Patterns.h"
#include "Conversion/TritonGPUToLLVM/VectorUtils.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/Triton/IR/Triton.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::mlt;

/// Index per dimension of the element with row-major number `element`.
static SmallVector<int64_t> delinearize(int64_t element,
                                        ArrayRef<int64_t> shape) {
  SmallVector<int64_t> index(shape.size());
  for (size_t dim = shape.size(); dim-- > 0;) {
    index[dim] = element % shape[dim];
    element /= shape[dim];
  }
  return index;
}

static int64_t linearize(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  int64_t element = 0;
  for (auto [i, extent] : llvm::zip_equal(index, shape))
    element = element * extent + i;
  return element;
}

namespace {
/// Base of the patterns that only move elements of tiles of one type.
template <typename OpT> struct MovePattern : TilePattern<OpT> {
  using TilePattern<OpT>::TilePattern;

  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    FailureOr<Tile> from = this->getTile(op->getOperand(0).getType());
    if (failed(from))
      return failure();
    SmallVector<Value> results;
    for (OpResult result : op->getResults()) {
      FailureOr<Tile> to = this->getTile(result.getType());
      if (failed(to))
        return failure();
      int64_t number = result.getResultNumber();
      results.push_back(moveElements(
          rewriter, op.getLoc(), this->style,
          llvm::to_vector(adaptor.getOperands()), *from, *to,
          [&](int64_t element) { return getSource(op, number, element); }));
    }
    rewriter.replaceOp(op, results);
    return success();
  }

  /// Where element `element` of result `result` comes from.
  virtual ElementSource getSource(OpT op, int64_t result,
                                  int64_t element) const = 0;
};

/// The same elements in the same row-major order.
template <typename OpT> struct SameOrderPattern : MovePattern<OpT> {
  using MovePattern<OpT>::MovePattern;
  ElementSource getSource(OpT, int64_t, int64_t element) const override {
    return {0, element};
  }
};

struct BroadcastPattern : MovePattern<tt::BroadcastOp> {
  using MovePattern::MovePattern;
  ElementSource getSource(tt::BroadcastOp op, int64_t,
                          int64_t element) const override {
    auto source = cast<RankedTensorType>(op.getSrc().getType());
    auto result = cast<RankedTensorType>(op.getType());
    SmallVector<int64_t> index = delinearize(element, result.getShape());
    for (auto [i, extent] : llvm::zip_equal(index, source.getShape()))
      i %= extent;
    return {0, linearize(index, source.getShape())};
  }
};

struct TransPattern : MovePattern<tt::TransOp> {
  using MovePattern::MovePattern;
  ElementSource getSource(tt::TransOp op, int64_t,
                          int64_t element) const override {
    auto source = cast<RankedTensorType>(op.getSrc().getType());
    auto result = cast<RankedTensorType>(op.getType());
    SmallVector<int64_t> from(source.getRank());
    SmallVector<int64_t> index = delinearize(element, result.getShape());
    for (auto [dim, sourceDim] : llvm::enumerate(op.getOrder()))
      from[sourceDim] = index[dim];
    return {0, linearize(from, source.getShape())};
  }
};

struct ExtractPattern : MovePattern<ExtractOp> {
  using MovePattern::MovePattern;
  ElementSource getSource(ExtractOp op, int64_t,
                          int64_t element) const override {
    SmallVector<int64_t> index = delinearize(element, op.getType().getShape());
    for (auto [i, offset] : llvm::zip_equal(index, op.getOffsets()))
      i += offset;
    return {0, linearize(index, op.getSource().getType().getShape())};
  }
};

struct GluePattern : MovePattern<GlueOp> {
  using MovePattern::MovePattern;
  ElementSource getSource(GlueOp op, int64_t, int64_t element) const override {
    ArrayRef<int64_t> whole = op.getType().getShape();
    ArrayRef<int64_t> part =
        cast<RankedTensorType>(op.getPieces().front().getType()).getShape();
    SmallVector<int64_t> index = delinearize(element, whole);
    int64_t piece = 0;
    for (auto [i, extent, size] : llvm::zip_equal(index, whole, part)) {
      piece = piece * (extent / size) + i / size;
      i %= size;
    }
    return {piece, linearize(index, part)};
  }
};

struct JoinPattern : MovePattern<tt::JoinOp> {
  using MovePattern::MovePattern;
  ElementSource getSource(tt::JoinOp, int64_t, int64_t element) const override {
    return {element % 2, element / 2};
  }
};

struct SplitPattern : MovePattern<tt::SplitOp> {
  using MovePattern::MovePattern;
  ElementSource getSource(tt::SplitOp, int64_t result,
                          int64_t element) const override {
    return {0, 2 * element + result};
  }
};

struct CatPattern : MovePattern<tt::CatOp> {
  using MovePattern::MovePattern;
  ElementSource getSource(tt::CatOp op, int64_t,
                          int64_t element) const override {
    int64_t size =
        cast<RankedTensorType>(op.getLhs().getType()).getNumElements();
    return {element / size, element % size};
  }
};

struct SplatPattern : TilePattern<tt::SplatOp> {
  using TilePattern::TilePattern;
  LogicalResult
  matchAndRewrite(tt::SplatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    FailureOr<Tile> tile = getTile(op.getType());
    if (failed(tile))
      return failure();
    Value scalar = adaptor.getSrc();
    if (isa<LLVM::LLVMPointerType>(scalar.getType()))
      scalar = LLVM::PtrToIntOp::create(rewriter, loc, tile->slot, scalar);
    Value slots = splatVector(rewriter, loc, scalar, tile->getNumSlots());
    rewriter.replaceOp(op, tile->pack(rewriter, loc, slots));
    return success();
  }
};

struct UnsplatPattern : TilePattern<tt::UnsplatOp> {
  using TilePattern::TilePattern;
  LogicalResult
  matchAndRewrite(tt::UnsplatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // One element is the same in all lanes.
    Value scalar = adaptor.getSrc();
    Type type = converter.convertType(op.getType());
    if (isa<LLVM::LLVMPointerType>(type))
      scalar = LLVM::IntToPtrOp::create(rewriter, op.getLoc(), type, scalar);
    rewriter.replaceOp(op, scalar);
    return success();
  }
};

struct MakeRangePattern : TilePattern<tt::MakeRangeOp> {
  using TilePattern::TilePattern;
  LogicalResult
  matchAndRewrite(tt::MakeRangeOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    FailureOr<Tile> tile = getTile(op.getType());
    if (failed(tile))
      return failure();
    // Slot 0 by lane, then the constant distance of every other slot.
    int64_t start = op.getStartAttr().getInt();
    SmallVector<int64_t> first;
    for (int64_t lane = 0; lane < style.getNumLanes(); ++lane)
      first.push_back(start + tile->layout.getElement({lane, 0}));
    Value base = getLaneTable(rewriter, loc, style, first, tile->slot);
    Value result = splatVector(rewriter, loc, base, tile->getNumSlots());
    if (auto vector = dyn_cast<VectorType>(tile->carrier)) {
      SmallVector<int32_t> distances;
      for (int64_t slot = 0; slot < tile->getNumSlots(); ++slot)
        distances.push_back(tile->layout.getElement({0, slot}) -
                            tile->layout.getElement({0, 0}));
      Value distance = arith::ConstantOp::create(
          rewriter, loc,
          DenseElementsAttr::get(vector, ArrayRef<int32_t>(distances)));
      result = arith::AddIOp::create(rewriter, loc, result, distance);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};
} // namespace

void mlt::populateViewPatterns(const PatternArguments &arguments) {
  arguments
      .add<SameOrderPattern<tt::ExpandDimsOp>, SameOrderPattern<tt::ReshapeOp>,
           SameOrderPattern<ConvertOperandOp>, BroadcastPattern, TransPattern,
           ExtractPattern, GluePattern, JoinPattern, SplitPattern, CatPattern,
           SplatPattern, UnsplatPattern, MakeRangePattern>();
}
