//===- MaterializeMarkers.cpp - the language extension as operations ------===//
//
// The language extension runs on stock Triton, which can print only its own
// operations. What it cannot say travels as inline assembly with a text of
// ours, and as attributes on a reduction. This pass is the only place that
// knows those spellings; behind it there are mlt operations, checked at the
// lines of Python that wrote them.
//
//===----------------------------------------------------------------------===//
#include "Dialect/MLT/IR/SharedMemory.h"
#include "Dialect/MLT/IR/WarpLevel.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Dialect/TritonGPU/IR/TritonGPUDialect.h"
#include "Dialect/TritonGPU/IR/TritonGPUOps.h"
#include "Transforms/MaterializeMarkers/DestinationWarps.h"
#include "Transforms/MaterializeMarkers/LocalAddress.h"
#include "Transforms/MaterializeMarkers/Passes.h"
#include "Transforms/MaterializeMarkers/WarpDivergence.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::mlt {
#define GEN_PASS_DEF_MATERIALIZEMARKERS
#include "Transforms/MaterializeMarkers/Passes.h.inc"
} // namespace mlir::mlt

using namespace mlir;
using namespace mlir::mlt;

namespace {
constexpr llvm::StringLiteral kPrefix = "mlt.";
constexpr llvm::StringLiteral kCrossWarpAttr = "mlt.cross_warp";
constexpr llvm::StringLiteral kDstWarpsAttr = "mlt.dst_warps";

/// Turns the markers of one function into operations.
class Materializer {
public:
  Materializer(tt::FuncOp function, std::optional<int64_t> numWarps)
      : function(function), numWarps(numWarps) {}

  LogicalResult run(Pass::Statistic &numMarkers);

private:
  LogicalResult findMarkers();
  LogicalResult checkKernel();
  LogicalResult replace(tt::ElementwiseInlineAsmOp marker);
  LogicalResult replaceAlloc(tt::ElementwiseInlineAsmOp marker,
                             StringRef shape);
  LogicalResult replacePrefetch(tt::ElementwiseInlineAsmOp marker);
  LogicalResult replaceReduce(tt::ReduceOp marker);
  LogicalResult checkDivergence();

  tt::FuncOp function;
  std::optional<int64_t> numWarps;
  SmallVector<tt::ElementwiseInlineAsmOp> markers, prefetches;
  SmallVector<tt::ReduceOp> reductions;
  SmallVector<Value> allocs;
};

struct MaterializeMarkers
    : mlt::impl::MaterializeMarkersBase<MaterializeMarkers> {
  using MaterializeMarkersBase::MaterializeMarkersBase;

  void runOnOperation() override {
    std::optional<int64_t> count = ttg::lookupNumWarps(getOperation());
    int64_t given;
    if (!numWarps.empty() && numWarps != "auto") {
      if (StringRef(numWarps).getAsInteger(10, given) ||
          !ttg::isLegalWarpCount(given)) {
        getOperation()->emitError()
            << "expected num-warps to be a power of two from 1 to "
            << ttg::kMaxWarps << ", got '" << numWarps << "'";
        return signalPassFailure();
      }
      count = given;
    }
    for (tt::FuncOp function : getOperation().getOps<tt::FuncOp>())
      if (failed(Materializer(function, count).run(numMarkers)))
        return signalPassFailure();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Markers
//===----------------------------------------------------------------------===//

LogicalResult Materializer::run(Pass::Statistic &numMarkers) {
  if (failed(findMarkers()) || failed(checkKernel()))
    return failure();
  for (tt::ElementwiseInlineAsmOp marker : markers)
    if (failed(replace(marker)))
      return failure();
  if (failed(retypeLocalAddresses(function, allocs)))
    return failure();
  for (tt::ReduceOp marker : reductions)
    if (failed(replaceReduce(marker)))
      return failure();
  for (tt::ElementwiseInlineAsmOp marker : prefetches)
    if (failed(replacePrefetch(marker)))
      return failure();
  numMarkers += markers.size() + reductions.size() + prefetches.size();
  return isWarpLevel(function) ? checkDivergence() : success();
}

LogicalResult Materializer::findMarkers() {
  WalkResult result = function.walk([&](Operation *op) -> WalkResult {
    if (auto marker = dyn_cast<tt::ElementwiseInlineAsmOp>(op);
        marker && marker.getAsmString().starts_with(kPrefix)) {
      if (marker.getAsmString() == "mlt.prefetch") {
        prefetches.push_back(marker);
        return WalkResult::advance();
      }
      if (marker.getAsmString() != "mlt.warp_level") {
        markers.push_back(marker);
        return WalkResult::advance();
      }
      if (op->getParentOp() != function)
        return op->emitError() << "expected warp_level() at the start of the "
                                  "kernel, found it under a condition";
      function->setAttr(kWarpLevelAttr, UnitAttr::get(op->getContext()));
      op->erase();
      return WalkResult::skip();
    }
    if (op->hasAttr(kCrossWarpAttr)) {
      auto reduce = dyn_cast<tt::ReduceOp>(op);
      if (!reduce)
        return op->emitError()
               << "expected '" << kCrossWarpAttr
               << "' on 'tt.reduce', found it on '" << op->getName() << "'";
      reductions.push_back(reduce);
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Markers have a meaning only where tensors belong to one warp.
LogicalResult Materializer::checkKernel() {
  Operation *first = !markers.empty()      ? markers.front().getOperation()
                     : !reductions.empty() ? reductions.front().getOperation()
                                           : nullptr;
  if (!isWarpLevel(function)) {
    if (!first)
      return success();
    return first->emitError()
           << "expected a warp-level kernel: warp_id, alloc, barrier and "
              "cross_warp need warp_level() at its start";
  }
  if (!numWarps)
    return function.emitError()
           << "expected a number of warps for a warp-level kernel, found none; "
              "give --num-warps";
  // What all warps hold together is laid out for this number from here on.
  Operation *module = function->getParentOp();
  module->setAttr(
      ttg::TritonGPUDialect::kNumWarpsAttr,
      IntegerAttr::get(IntegerType::get(module->getContext(), 32), *numWarps));
  return success();
}

LogicalResult Materializer::replace(tt::ElementwiseInlineAsmOp marker) {
  OpBuilder builder(marker);
  Location loc = marker.getLoc();
  auto [name, rest] = marker.getAsmString().split(' ');
  if (!marker.getArgs().empty() || marker->getNumResults() != 1)
    return marker.emitError() << "expected no operands and one result of the "
                                 "marker '"
                              << name << "'";
  if (name == "mlt.alloc")
    return replaceAlloc(marker, rest);
  Type type = marker->getResult(0).getType();
  if (!type.isInteger(32))
    return marker.emitError()
           << "expected the marker '" << name << "' of type i32, got " << type;
  if (name == "mlt.warp_id") {
    marker->getResult(0).replaceAllUsesWith(
        WarpIdOp::create(builder, loc, type));
  } else if (name == "mlt.barrier" && marker->use_empty()) {
    BarrierOp::create(builder, loc);
  } else {
    return marker.emitError()
           << "expected a marker of mltc.language, got '" << name << "'";
  }
  marker.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Prefetches
//===----------------------------------------------------------------------===//

/// The block that `load` reads as a block pointer, which the descriptor has
/// when it is rewritten.
static Value getBlockOf(OpBuilder &builder, tt::DescriptorLoadOp load) {
  SmallVector<Value> place{load.getDesc()};
  llvm::append_range(place, load.getIndices());
  Type block = load.getDesc().getType().getSignlessBlockType();
  return UnrealizedConversionCastOp::create(
             builder, load.getLoc(), tt::PointerType::get(block, 1), place)
      .getResult(0);
}

/// A prefetch travels as a load whose value only the marker has: Triton knows
/// every kind of block as something to load, and drops loads without users.
LogicalResult Materializer::replacePrefetch(tt::ElementwiseInlineAsmOp marker) {
  if (marker.getArgs().size() != 1 || !marker->use_empty())
    return marker.emitError() << "expected one loaded block as operand of the "
                                 "marker 'mlt.prefetch', and no use of it";
  OpBuilder builder(marker);
  Value loaded = marker.getArgs().front();
  // Booleans and integers may have been cast.
  Operation *op = loaded.getDefiningOp();
  while (op && op->getNumOperands() == 1 && isMemoryEffectFree(op))
    op = op->getOperand(0).getDefiningOp();
  if (tt::LoadOp load = tt::getBlockLoad(op))
    PrefetchOp::create(builder, marker.getLoc(), load.getPtr());
  else if (auto load = dyn_cast_if_present<tt::DescriptorLoadOp>(op))
    PrefetchOp::create(builder, marker.getLoc(), getBlockOf(builder, load));
  else
    return marker.emitError()
           << "expected a block pointer, or a tensor descriptor with offsets, "
              "to prefetch";
  marker.erase();
  for (Operation *dead = loaded.getDefiningOp(); dead && dead->use_empty();) {
    Operation *source =
        dead == op ? nullptr : dead->getOperand(0).getDefiningOp();
    dead->erase();
    dead = source;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Shared local memory
//===----------------------------------------------------------------------===//

LogicalResult Materializer::replaceAlloc(tt::ElementwiseInlineAsmOp marker,
                                         StringRef text) {
  SmallVector<StringRef> parts;
  text.split(parts, 'x');
  SmallVector<int64_t> shape(parts.size());
  for (auto [part, extent] : llvm::zip_equal(parts, shape))
    if (part.getAsInteger(10, extent) || extent <= 0)
      return marker.emitError()
             << "expected a shape such as 1x128 behind 'mlt.alloc', got '"
             << text << "'";
  auto type = dyn_cast<tt::PointerType>(marker->getResult(0).getType());
  if (!type || !type.getPointeeType().isIntOrFloat())
    return marker.emitError() << "expected a pointer to numbers as result of "
                                 "'mlt.alloc', got "
                              << marker->getResult(0).getType();
  if (marker->getParentOp() != function)
    return marker.emitError() << "expected alloc() outside of loops and "
                                 "conditions, its memory belongs to the kernel";
  OpBuilder builder(marker);
  auto local = tt::PointerType::get(type.getPointeeType(), kLocalSpace);
  auto alloc = AllocOp::create(builder, marker.getLoc(), local, shape,
                               /*offset=*/nullptr);
  marker->getResult(0).replaceAllUsesWith(alloc.getResult());
  marker.erase();
  allocs.push_back(alloc.getResult());
  return success();
}

//===----------------------------------------------------------------------===//
// Reductions across warps
//===----------------------------------------------------------------------===//

/// The value without its leading dimension of extent 1, of type `type`.
static Value dropLeading(OpBuilder &builder, Location loc, Value value,
                         Type type) {
  if (Operation *op = value.getDefiningOp();
      isa_and_nonnull<tt::ExpandDimsOp, tt::SplatOp>(op) &&
      op->getOperand(0).getType() == type)
    return op->getOperand(0);
  if (!isa<RankedTensorType>(type))
    return tt::UnsplatOp::create(builder, loc, type, value);
  return tt::ReshapeOp::create(builder, loc, type, value,
                               /*allowReorder=*/false);
}

LogicalResult Materializer::replaceReduce(tt::ReduceOp marker) {
  if (marker.getAxis() != 0 || marker.getInputTypes().empty() ||
      marker.getInputTypes().front().getDimSize(0) != 1)
    return marker.emitError() << "expected '" << kCrossWarpAttr
                              << "' on a reduction of a leading axis of "
                                 "extent 1";
  DenseI32ArrayAttr destination;
  if (Attribute attr = marker->getAttr(kDstWarpsAttr)) {
    SmallVector<int32_t> warps;
    auto text = dyn_cast<StringAttr>(attr);
    SmallVector<StringRef> parts;
    if (text)
      text.getValue().split(parts, ',');
    for (StringRef part : parts)
      if (int32_t warp; part.getAsInteger(10, warp) || warp < 0 ||
                        warp >= *numWarps || llvm::is_contained(warps, warp))
        return marker.emitError()
               << "expected dst_warps to be different warps from 0 to "
               << *numWarps - 1 << ", got " << text;
      else
        warps.push_back(warp);
    if (warps.empty())
      return marker.emitError() << "expected '" << kDstWarpsAttr
                                << "' to name warps, got " << attr;
    destination = DenseI32ArrayAttr::get(marker.getContext(), warps);
  }
  OpBuilder builder(marker);
  SmallVector<Value> sources;
  for (auto [source, result] :
       llvm::zip_equal(marker.getSrcs(), marker->getResults()))
    sources.push_back(
        dropLeading(builder, marker.getLoc(), source, result.getType()));
  auto reduce = CrossWarpReduceOp::create(builder, marker.getLoc(),
                                          marker->getResultTypes(), sources,
                                          *numWarps, /*stride=*/1, destination);
  reduce.getCombine().takeBody(marker->getRegion(0));
  Operation *end = reduce.getCombine().front().getTerminator();
  builder.setInsertionPoint(end);
  YieldOp::create(builder, end->getLoc(), end->getOperands());
  end->erase();
  marker->replaceAllUsesWith(reduce);
  marker.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Warps that go different ways
//===----------------------------------------------------------------------===//

/// What all warps have to do together, because it waits for all of them; empty
/// for anything else.
static StringRef getJointName(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<BarrierOp, gpu::BarrierOp, ttg::BarrierOp>(
          [](auto) { return "barrier"; })
      .Case([](CrossWarpReduceOp) { return "reduction across warps"; })
      .Case<tt::GatherOp, tt::ScanOp, tt::HistogramOp>([](auto) {
        return "exchange of elements through shared local memory";
      })
      .Default([](Operation *) { return ""; });
}

LogicalResult Materializer::checkDivergence() {
  WarpDivergence divergence(function);
  WalkResult result = function.walk([&](Operation *op) -> WalkResult {
    StringRef name = getJointName(op);
    if (name.empty())
      return WalkResult::advance();
    if (Operation *place = divergence.findDivergence(op)) {
      InFlightDiagnostic diag =
          op->emitError() << "expected every warp to reach this " << name
                          << ", found it where warps go different ways; move "
                             "it out of the condition";
      diag.attachNote(place->getLoc()) << "this depends on the warp";
      return diag;
    }
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return checkDestinationWarps(function, *numWarps, divergence);
}
