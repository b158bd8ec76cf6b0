//===- ExpandExchange.cpp - operations that move elements anywhere --------===//
//
// Gathers, histograms and scans combine elements from any places of a tile, so
// no split over warps keeps them inside one. Before layouts are chosen they
// become accesses to shared local memory; every level below treats those as
// ordinary loads and stores, with owners, masks and pieces.
//
// The protocol is the same everywhere: a barrier between the writes of a buffer
// and its reads, and one behind the reads, so that the next round (or the next
// iteration of a loop) cannot overtake slow readers.
//
//===----------------------------------------------------------------------===//
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/MLT/IR/WarpLevel.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Dialect/TritonGPU/IR/TritonGPUDialect.h"
#include "Dialect/TritonGPU/IR/TritonGPUOps.h"
#include "Transforms/BlockPointer/BlockPointer.h"
#include "Transforms/MatchTargetSize/CombineRegion.h"
#include "Transforms/Passes.h"
#include "Transforms/SharedMemory/SharedTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::mlt {
#define GEN_PASS_DEF_EXPANDEXCHANGE
#include "Transforms/Passes.h.inc"
} // namespace mlir::mlt

using namespace mlir;
using namespace mlir::mlt;

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

static Value splatConstant(OpBuilder &builder, Location loc,
                           RankedTensorType type, int64_t value) {
  auto element = builder.getIntegerAttr(
      type.getElementType(),
      APInt(64, value).trunc(type.getElementTypeBitWidth()));
  return arith::ConstantOp::create(builder, loc,
                                   SplatElementsAttr::get(type, element));
}

/// The index along `dim` (i32) of every place of a tile of `shape`.
static Value getIndex(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape,
                      unsigned dim) {
  auto type = RankedTensorType::get({shape[dim]}, builder.getI32Type());
  Value range = tt::MakeRangeOp::create(builder, loc, type, 0, shape[dim]);
  return spreadVector(builder, loc, range, dim, shape);
}

/// Distance of neighbours along `dim` in row-major order.
static int64_t getStride(ArrayRef<int64_t> shape, unsigned dim) {
  int64_t stride = 1;
  for (int64_t extent : shape.drop_front(dim + 1))
    stride *= extent;
  return stride;
}

/// The row-major number in a tile of `shape` of the place whose index along
/// every dimension is given by `indices` (i32, of one shape).
static Value linearize(OpBuilder &builder, Location loc, ValueRange indices,
                       ArrayRef<int64_t> shape) {
  Value number;
  for (auto [dim, index] : llvm::enumerate(indices)) {
    auto type = cast<RankedTensorType>(index.getType());
    int64_t stride = getStride(shape, dim);
    if (stride != 1)
      index = arith::MulIOp::create(builder, loc, index,
                                    splatConstant(builder, loc, type, stride));
    number =
        number ? arith::AddIOp::create(builder, loc, number, index) : index;
  }
  return number;
}

/// `value`, a tensor of integers, as i32.
static Value toI32(OpBuilder &builder, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  auto wanted = RankedTensorType::get(type.getShape(), builder.getI32Type());
  unsigned bits = type.getElementTypeBitWidth();
  if (bits == 32)
    return value;
  if (bits > 32)
    return arith::TruncIOp::create(builder, loc, wanted, value);
  return arith::ExtSIOp::create(builder, loc, wanted, value);
}

static SmallVector<Value> getZeroOffsets(OpBuilder &builder, Location loc,
                                         unsigned rank) {
  return SmallVector<Value>(rank,
                            arith::ConstantIntOp::create(builder, loc, 0, 32));
}

/// A buffer for a tile of `op`: the work-group's or, in a kernel written for
/// one warp, the warp's.
static SharedTile makeBuffer(OpBuilder &builder, Operation *op,
                             ArrayRef<int64_t> shape, Type element) {
  auto function = op->getParentOfType<tt::FuncOp>();
  if (!isWarpLevel(function))
    return SharedTile(builder, op->getLoc(), shape, element);
  int64_t numWarps = ttg::lookupNumWarps(op->getParentOfType<ModuleOp>())
                         .value_or(ttg::kMaxWarps);
  return SharedTile::ofWarp(builder, op->getLoc(), shape, element, numWarps);
}

/// A tile of `op` that all warps have written to shared local memory.
static SharedTile share(OpBuilder &builder, Operation *op, Value value) {
  Location loc = op->getLoc();
  auto type = cast<RankedTensorType>(value.getType());
  SharedTile buffer =
      makeBuffer(builder, op, type.getShape(), type.getElementType());
  buffer.store(builder, loc, value,
               getZeroOffsets(builder, loc, type.getRank()));
  BarrierOp::create(builder, loc);
  return buffer;
}

namespace {
//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

struct ExpandGather : OpRewritePattern<tt::GatherOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tt::GatherOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto source = cast<RankedTensorType>(op.getSrc().getType());
    auto result = cast<RankedTensorType>(op.getType());
    SmallVector<Value> indices;
    for (unsigned dim : llvm::seq<unsigned>(0, result.getRank()))
      indices.push_back(dim == op.getAxis()
                            ? toI32(rewriter, loc, op.getIndices())
                            : getIndex(rewriter, loc, result.getShape(), dim));
    SharedTile buffer = share(rewriter, op, op.getSrc());
    Value number = linearize(rewriter, loc, indices, source.getShape());
    Value loaded = buffer.gather(rewriter, loc, source.getElementType(),
                                 /*start=*/Value(), number);
    BarrierOp::create(rewriter, loc);
    rewriter.replaceOp(op, loaded);
    return success();
  }
};

/// Counters in shared local memory, which owners count up. Values without a
/// counter are not counted.
struct ExpandHistogram : OpRewritePattern<tt::HistogramOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tt::HistogramOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto result = cast<RankedTensorType>(op.getType());
    Value source = toI32(rewriter, loc, op.getSrc());
    auto type = cast<RankedTensorType>(source.getType());
    SharedTile counters =
        share(rewriter, op, splatConstant(rewriter, loc, result, 0));
    Value bins = splatConstant(rewriter, loc, type, result.getDimSize(0));
    Value mask = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult,
                                       source, bins);
    if (Value given = op.getMask()) {
      if (!isa<RankedTensorType>(given.getType()))
        given = tt::SplatOp::create(rewriter, loc, mask.getType(), given);
      mask = arith::AndIOp::create(rewriter, loc, mask, given);
    }
    auto countType =
        RankedTensorType::get(type.getShape(), result.getElementType());
    tt::AtomicRMWOp::create(rewriter, loc, countType, tt::RMWOp::ADD,
                            counters.getPointersAt(rewriter, loc, source),
                            splatConstant(rewriter, loc, countType, 1), mask,
                            tt::MemSemantic::RELAXED, tt::MemSyncScope::CTA);
    rewriter.replaceOp(op, counters.exchange(rewriter, loc, result,
                                             getZeroOffsets(rewriter, loc, 1)));
    return success();
  }
};

/// Hillis and Steele: in round s every element takes in the one 2^s places
/// before it, which by then stands for 2^s elements.
struct ExpandScan : OpRewritePattern<tt::ScanOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tt::ScanOp op,
                                PatternRewriter &rewriter) const override {
    if (!isElementwiseRegion(op.getCombineOp()))
      return rewriter.notifyMatchFailure(op, "region with control flow");
    Location loc = op.getLoc();
    auto first = cast<RankedTensorType>(op.getSrcs().front().getType());
    ArrayRef<int64_t> shape = first.getShape();
    unsigned axis = op.getAxis();
    SmallVector<Value> indices;
    for (unsigned dim : llvm::seq<unsigned>(0, shape.size()))
      indices.push_back(getIndex(rewriter, loc, shape, dim));

    SmallVector<SharedTile> buffers;
    SmallVector<Value> values(op.getSrcs());
    for (Value value : values)
      buffers.push_back(
          makeBuffer(rewriter, op, shape,
                     cast<RankedTensorType>(value.getType()).getElementType()));
    for (int64_t distance = 1; distance < shape[axis]; distance *= 2)
      runRound(rewriter, op, buffers, indices, distance, values);
    rewriter.replaceOp(op, values);
    return success();
  }

private:
  static void runRound(OpBuilder &builder, tt::ScanOp op,
                       ArrayRef<SharedTile> buffers, ArrayRef<Value> indices,
                       int64_t distance, SmallVectorImpl<Value> &values) {
    Location loc = op.getLoc();
    auto indexType = cast<RankedTensorType>(indices.front().getType());
    ArrayRef<int64_t> shape = indexType.getShape();
    unsigned axis = op.getAxis();
    auto constant = [&](int64_t value) {
      return splatConstant(builder, loc, indexType, value);
    };
    for (auto [buffer, value] : llvm::zip_equal(buffers, values))
      buffer.store(builder, loc, value,
                   getZeroOffsets(builder, loc, shape.size()));
    BarrierOp::create(builder, loc);

    Value index = indices[axis], exists, before;
    if (op.getReverse()) {
      exists = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                     index, constant(shape[axis] - distance));
      before = arith::AddIOp::create(builder, loc, index, constant(distance));
    } else {
      exists = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge,
                                     index, constant(distance));
      before = arith::SubIOp::create(builder, loc, index, constant(distance));
    }
    // Places without a predecessor read their own.
    before = arith::SelectOp::create(builder, loc, exists, before, index);
    SmallVector<Value> places(indices);
    places[axis] = before;
    Value number = linearize(builder, loc, places, shape);
    SmallVector<Value> earlier;
    for (auto [buffer, value] : llvm::zip_equal(buffers, values))
      earlier.push_back(buffer.gather(
          builder, loc,
          cast<RankedTensorType>(value.getType()).getElementType(),
          /*start=*/Value(), number));
    SmallVector<Value> combined =
        combineTensors(builder, op.getCombineOp(), earlier, values);
    for (auto [value, sum] : llvm::zip_equal(values, combined))
      value = arith::SelectOp::create(builder, loc, exists, sum, value);
    BarrierOp::create(builder, loc);
  }
};

/// tl.debug_barrier, by its older and its newer name: orders all memory, which
/// is at least what is asked for.
template <typename OpT> struct ExpandBarrier : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    rewriter.template replaceOpWithNewOp<BarrierOp>(op, /*global=*/true);
    return success();
  }
};

struct ExpandExchange : mlt::impl::ExpandExchangeBase<ExpandExchange> {
  using ExpandExchangeBase::ExpandExchangeBase;

  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      if (isa<tt::GatherOp, tt::HistogramOp, tt::ScanOp>(op))
        ++numExpanded;
    });
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandGather, ExpandHistogram, ExpandScan,
                 ExpandBarrier<gpu::BarrierOp>, ExpandBarrier<ttg::BarrierOp>>(
        &getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    WalkResult left = getOperation().walk([](tt::ScanOp scan) {
      scan.emitOpError() << "cannot be expanded: expected a combine region "
                            "without loops and calls";
      return WalkResult::interrupt();
    });
    if (left.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
