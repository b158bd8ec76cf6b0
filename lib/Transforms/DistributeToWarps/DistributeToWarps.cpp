//===- DistributeToWarps.cpp - from workgroup tiles to warp tiles ---------===//
//
// The only place where warps are told apart. The layout of every tensor is in
// its type, so most operations only change type; what remains are the
// operations that name positions in the tile (ranges, block pointers), those
// that combine elements of several warps (reductions), and those with side
// effects, which exactly one of the warps that hold a value may perform.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Layout/WarpMap.h"
#include "Dialect/MLT/IR/WarpLevel.h"
#include "Dialect/MLT/IR/WarpTiles.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Dialect/TritonGPU/IR/TritonGPUDialect.h"
#include "Support/CloneOp.h"
#include "Transforms/DistributeToWarps/ScalarEffects.h"
#include "Transforms/DistributeToWarps/WarpCoordinates.h"
#include "Transforms/Passes.h"
#include "Transforms/SharedMemory/SharedTile.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::mlt {
#define GEN_PASS_DEF_DISTRIBUTETOWARPS
#include "Transforms/Passes.h.inc"
} // namespace mlir::mlt

using namespace mlir;
using namespace mlir::ttg;
using mlir::mlt::cloneOp;
using mlir::mlt::getEncodedTensor;
using mlir::mlt::WarpCoordinates;

namespace {
//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

struct WarpTypeConverter : TypeConverter {
  WarpTypeConverter() {
    addConversion([](Type type) { return type; });
    addConversion(
        [](RankedTensorType type) -> Type { return getWarpType(type); });
    addConversion([](tt::PointerType type) -> Type {
      auto tensor = dyn_cast<RankedTensorType>(type.getPointeeType());
      return tensor ? tt::PointerType::get(getWarpType(tensor),
                                           type.getAddressSpace())
                    : type;
    });
  }
};

using CoordinateMap = llvm::MapVector<Operation *, WarpCoordinates>;

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// Operations whose warp form is the same operation on warp tiles.
bool onlyChangesType(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() ||
         isa<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::DotOp,
             tt::AddPtrOp, tt::AdvanceOp, tt::TransOp, tt::ReshapeOp,
             tt::JoinOp, tt::SplitOp, tt::CatOp, tt::BitcastOp, tt::FpToFpOp,
             tt::IntToPtrOp, tt::PtrToIntOp, tt::ClampFOp, tt::MulhiUIOp,
             tt::PreciseSqrtOp, tt::PreciseDivFOp, tt::ExternElementwiseOp,
             mlt::RoundTF32Op, mlt::PrefetchOp, ub::PoisonOp>(op);
}

struct ConvertTypes : ConversionPattern {
  ConvertTypes(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    if (!onlyChangesType(op))
      return failure();
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op->getResultTypes(), types)))
      return failure();
    rewriter.replaceOp(op, cloneOp(rewriter, op, operands, types));
    return success();
  }
};

struct ConvertConstant : OpConversionPattern<arith::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(arith::ConstantOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto splat = cast<SplatElementsAttr>(op.getValue()); // as checked before
    auto type = cast<RankedTensorType>(op.getType());
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        op, splat.resizeSplat(getWarpType(type)));
    return success();
  }
};

/// What several warps load is said to be so: they may share the work.
struct ConvertLoad : OpConversionPattern<tt::LoadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tt::LoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    Operation *load = cloneOp(rewriter, op, adaptor.getOperands(),
                              {getTypeConverter()->convertType(op.getType())});
    rewriter.replaceOp(op, load);
    if (!type || !tt::isBlockPointer(op.getPtr().getType()))
      return success();
    auto map = mlt::WarpMap::get(type.getShape(), type.getEncoding());
    if (!map)
      return success();
    SmallVector<int64_t> tiles;
    int64_t numTiles = 1;
    for (const mlt::WarpMap::Dim &dim : map->dims) {
      tiles.append({dim.tiles, dim.stride});
      numTiles *= dim.tiles;
    }
    if (numTiles < map->numWarps)
      load->setAttr(mlt::kWarpTilesAttrName,
                    rewriter.getDenseI64ArrayAttr(tiles));
    return success();
  }
};

/// Patterns that need the warp's coordinates.
template <typename OpT> struct CoordinatePattern : OpConversionPattern<OpT> {
  CoordinatePattern(const TypeConverter &converter, MLIRContext *context,
                    const CoordinateMap &map)
      : OpConversionPattern<OpT>(converter, context), map(map) {}

  const WarpCoordinates &coordinates(Operation *op) const {
    return map.find(op->getParentOfType<tt::FuncOp>())->second;
  }

private:
  const CoordinateMap &map;
};

struct ConvertMakeRange : CoordinatePattern<tt::MakeRangeOp> {
  using CoordinatePattern::CoordinatePattern;
  LogicalResult
  matchAndRewrite(tt::MakeRangeOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    WarpDistribution distribution = *getWarpDistribution(op.getType());
    RankedTensorType type = getWarpType(op.getType());
    uint32_t start = op.getStart();
    Value range = tt::MakeRangeOp::create(rewriter, loc, type, start,
                                          start + type.getDimSize(0));
    if (Value offset =
            coordinates(op).getOffset(rewriter, loc, distribution, 0))
      range = arith::AddIOp::create(
          rewriter, loc, range,
          tt::SplatOp::create(rewriter, loc, type, offset));
    rewriter.replaceOp(op, range);
    return success();
  }
};

struct ConvertMakeTensorPtr : CoordinatePattern<tt::MakeTensorPtrOp> {
  using CoordinatePattern::CoordinatePattern;
  LogicalResult
  matchAndRewrite(tt::MakeTensorPtrOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    WarpDistribution distribution =
        *getWarpDistribution(getEncodedTensor(op.getType()));
    SmallVector<Value> offsets(adaptor.getOffsets());
    for (auto [dim, offset] : llvm::enumerate(offsets))
      if (Value warpOffset =
              coordinates(op).getOffset(rewriter, loc, distribution, dim))
        offset = arith::AddIOp::create(rewriter, loc, offset, warpOffset);
    rewriter.replaceOpWithNewOp<tt::MakeTensorPtrOp>(
        op, getTypeConverter()->convertType(op.getType()), adaptor.getBase(),
        adaptor.getShape(), adaptor.getStrides(), offsets, op.getOrder());
    return success();
  }
};

/// Clones an operation with side effects for the warp; under the ownership
/// predicate where several warps hold the same elements. Its result, if used,
/// reaches the others through shared local memory.
template <typename OpT> struct ConvertEffect : CoordinatePattern<OpT> {
  using CoordinatePattern<OpT>::CoordinatePattern;
  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType held = getEncodedTensor(op.getPtr().getType());
    WarpDistribution distribution = *getWarpDistribution(held);
    Location loc = op.getLoc();
    const WarpCoordinates &warp = this->coordinates(op);
    Value owner = warp.getOwnership(rewriter, loc, distribution);
    SmallVector<Type> types;
    if (failed(this->getTypeConverter()->convertTypes(op->getResultTypes(),
                                                      types)))
      return failure();
    if (!owner) {
      rewriter.replaceOp(op,
                         cloneOp(rewriter, op, adaptor.getOperands(), types));
      return success();
    }
    std::optional<mlt::SharedTile> shared;
    SmallVector<Value> offsets;
    if (!op->use_empty()) {
      offsets = warp.getOffsets(rewriter, loc, distribution);
      shared.emplace(rewriter, loc, held.getShape(),
                     getElementTypeOrSelf(op->getResult(0)));
    }
    auto guard = scf::IfOp::create(rewriter, loc, owner,
                                   /*withElseRegion=*/false);
    {
      OpBuilder::InsertionGuard inner(rewriter);
      rewriter.setInsertionPointToStart(guard.thenBlock());
      Operation *once = cloneOp(rewriter, op, adaptor.getOperands(), types);
      if (shared)
        shared->store(rewriter, loc, once->getResult(0), offsets);
    }
    if (!shared) {
      rewriter.eraseOp(op);
      return success();
    }
    // What the atomic has acquired is seen by all warps.
    rewriter.replaceOp(op, shared->exchange(rewriter, loc, types.front(),
                                            offsets, /*global=*/true));
    return success();
  }
};

/// A reduction inside the warp, followed by one across warps when the reduced
/// axis is split over them.
struct ConvertReduce : CoordinatePattern<tt::ReduceOp> {
  using CoordinatePattern::CoordinatePattern;
  LogicalResult
  matchAndRewrite(tt::ReduceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto source = cast<RankedTensorType>(op.getSrcs().front().getType());
    WarpDistribution distribution = *getWarpDistribution(source);
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op->getResultTypes(), types)))
      return failure();
    Operation *local = cloneOp(
        rewriter, op, adaptor.getSrcs(), types, [&](OperationState &state) {
          Region *body = state.addRegion();
          rewriter.cloneRegionBefore(op.getCombineOp(), *body, body->end());
        });

    int64_t tiles = distribution.numTiles[op.getAxis()];
    if (tiles == 1) {
      rewriter.replaceOp(op, local);
      return success();
    }
    int64_t stride = 1;
    ArrayRef<int64_t> warps = distribution.root.getWarpsPerCTA();
    for (int64_t count :
         warps.drop_front(*distribution.rootDims[op.getAxis()] + 1))
      stride *= count;
    auto across = mlt::CrossWarpReduceOp::create(
        rewriter, op.getLoc(), types, local->getResults(), tiles, stride,
        /*dst_warps=*/nullptr);
    rewriter.cloneRegionBefore(op.getCombineOp(), across.getCombine(),
                               across.getCombine().end());
    Operation *terminator = across.getCombine().front().getTerminator();
    rewriter.setInsertionPoint(terminator);
    rewriter.replaceOpWithNewOp<mlt::YieldOp>(terminator,
                                              terminator->getOperands());
    rewriter.replaceOp(op, across);
    return success();
  }
};

/// A change of layout: nothing when both give a warp the same elements, else an
/// exchange through shared local memory. Only owners write; the second barrier
/// lets the buffer be written again in the next iteration of a loop.
struct ConvertLayout : CoordinatePattern<mlt::ConvertLayoutOp> {
  using CoordinatePattern::CoordinatePattern;
  LogicalResult
  matchAndRewrite(mlt::ConvertLayoutOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto from = cast<RankedTensorType>(op.getSource().getType());
    auto to = cast<RankedTensorType>(op.getType());
    if (mlt::areEquivalent(from.getShape(), from.getEncoding(),
                           to.getEncoding())) {
      rewriter.replaceOp(op, adaptor.getSource());
      return success();
    }
    Location loc = op.getLoc();
    mlt::SharedTile buffer(rewriter, loc, from.getShape(),
                           from.getElementType());
    WarpDistribution source = *getWarpDistribution(from);
    const WarpCoordinates &warp = coordinates(op);
    Value owner = warp.getOwnership(rewriter, loc, source);
    SmallVector<Value> at = warp.getOffsets(rewriter, loc, source);
    if (owner) {
      auto guard = scf::IfOp::create(rewriter, loc, owner,
                                     /*withElseRegion=*/false);
      OpBuilder inner = guard.getThenBodyBuilder();
      buffer.store(inner, loc, adaptor.getSource(), at);
    } else {
      buffer.store(rewriter, loc, adaptor.getSource(), at);
    }
    Value loaded = buffer.exchange(
        rewriter, loc, getWarpType(to),
        warp.getOffsets(rewriter, loc, *getWarpDistribution(to)));
    rewriter.replaceOp(op, loaded);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// True for operations with encoded types that some pattern handles.
bool isSupported(Operation *op) {
  return onlyChangesType(op) ||
         isa<arith::ConstantOp, tt::MakeRangeOp, tt::MakeTensorPtrOp,
             tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp,
             tt::ReduceOp, mlt::ConvertLayoutOp, scf::ForOp, scf::IfOp,
             scf::WhileOp, scf::YieldOp, scf::ConditionOp, tt::FuncOp>(op);
}

bool hasEncodedTypes(Operation *op) {
  auto encoded = [](Type type) { return bool(getEncodedTensor(type)); };
  return llvm::any_of(op->getOperandTypes(), encoded) ||
         llvm::any_of(op->getResultTypes(), encoded);
}

/// Names the first thing in `module` that cannot be distributed.
LogicalResult checkSupported(ModuleOp module) {
  auto encoded = [](Type type) { return bool(getEncodedTensor(type)); };
  WalkResult result = module.walk([&](Operation *op) -> WalkResult {
    if (auto func = dyn_cast<tt::FuncOp>(op);
        func && (llvm::any_of(func.getArgumentTypes(), encoded) ||
                 llvm::any_of(func.getResultTypes(), encoded)))
      return op->emitOpError()
             << "cannot be distributed to warps: expected no parameters or "
                "results with a layout; inline the function first";
    if (!hasEncodedTypes(op))
      return WalkResult::advance();
    if (!isSupported(op))
      return op->emitOpError() << "cannot be distributed to warps yet";
    if (auto constant = dyn_cast<arith::ConstantOp>(op);
        constant && !isa<SplatElementsAttr>(constant.getValue()))
      return op->emitOpError() << "cannot be distributed to warps: expected a "
                                  "splat, found elements that differ";
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

struct DistributeToWarps : mlt::impl::DistributeToWarpsBase<DistributeToWarps> {
  using DistributeToWarpsBase::DistributeToWarpsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(checkSupported(module)))
      return signalPassFailure();

    CoordinateMap coordinates;
    for (tt::FuncOp func : module.getOps<tt::FuncOp>()) {
      if (func.isDeclaration() || mlt::isWarpLevel(func))
        continue;
      auto it =
          coordinates.insert({func.getOperation(), WarpCoordinates(func)});
      numPredicated +=
          mlt::predicateScalarEffects(func, it.first->second.getWarpId());
    }
    if (failed(convert(module, coordinates)))
      return signalPassFailure();
  }

private:
  LogicalResult convert(ModuleOp module, const CoordinateMap &coordinates) {
    MLIRContext *context = &getContext();
    WarpTypeConverter converter;
    RewritePatternSet patterns(context);
    patterns.add<ConvertTypes, ConvertConstant, ConvertLoad>(converter,
                                                             context);
    patterns
        .add<ConvertLayout, ConvertMakeRange, ConvertMakeTensorPtr,
             ConvertReduce, ConvertEffect<tt::StoreOp>,
             ConvertEffect<tt::AtomicRMWOp>, ConvertEffect<tt::AtomicCASOp>>(
            converter, context, coordinates);
    ConversionTarget target(*context);
    target.markUnknownOpDynamicallyLegal(
        [&](Operation *op) { return converter.isLegal(op); });
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    return applyPartialConversion(module, target, std::move(patterns));
  }
};
} // namespace
