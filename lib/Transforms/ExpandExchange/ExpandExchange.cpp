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
#include "Transforms/ExpandExchange/TilePositions.h"
#include "Transforms/Passes.h"
#include "Transforms/SharedMemory/SharedTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::mlt {
#define GEN_PASS_DEF_EXPANDEXCHANGE
#include "Transforms/Passes.h.inc"
} // namespace mlir::mlt

using namespace mlir;
using namespace mlir::mlt;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// `value`, a tensor of places, as i32: those of fewer bits have no sign.
static Value toI32(OpBuilder &builder, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  auto wanted = RankedTensorType::get(type.getShape(), builder.getI32Type());
  unsigned bits = type.getElementTypeBitWidth();
  if (bits == 32)
    return value;
  if (bits > 32)
    return arith::TruncIOp::create(builder, loc, wanted, value);
  return arith::ExtUIOp::create(builder, loc, wanted, value);
}

SharedTile mlt::makeBuffer(OpBuilder &builder, Operation *op,
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
    patterns.add<ExpandGather, ExpandHistogram, ExpandBarrier<gpu::BarrierOp>,
                 ExpandBarrier<ttg::BarrierOp>>(&getContext());
    populateScanPatterns(patterns);
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
