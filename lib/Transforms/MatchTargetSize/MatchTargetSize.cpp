//===- MatchTargetSize.cpp - from warp tiles to instruction-sized pieces --===//
//
// The plan (PiecePlan) decides; the patterns (Split*.cpp) rewrite one kind of
// operation each. A value that is split is converted 1:N to its pieces by the
// dialect conversion, which also glues and cuts tiles around operations that
// have no pattern and keep whole tiles.
//
//===----------------------------------------------------------------------===//
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Transforms/MatchTargetSize/Patterns.h"
#include "Transforms/Passes.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::mlt {
#define GEN_PASS_DEF_MATCHTARGETSIZE
#include "Transforms/Passes.h.inc"
} // namespace mlir::mlt

using namespace mlir;
using namespace mlir::mlt;

PieceConverter::PieceConverter(const PiecePlan &plan) {
  addConversion([](Type type) { return type; });
  addConversion([&plan](Value value, SmallVectorImpl<Type> &types)
                    -> std::optional<LogicalResult> {
    if (!plan.isSplit(value))
      return std::nullopt;
    SmallVector<int64_t> piece = plan.getPiece(value);
    size_t count =
        getPieceOffsets(getTileType(value.getType()).getShape(), piece).size();
    types.append(count, withTileShape(value.getType(), piece));
    return success();
  });
  addSourceMaterialization([](OpBuilder &builder, RankedTensorType type,
                              ValueRange pieces, Location loc) -> Value {
    return GlueOp::create(builder, loc, type, pieces);
  });
  addTargetMaterialization([](OpBuilder &builder, TypeRange types,
                              ValueRange whole,
                              Location loc) -> SmallVector<Value> {
    auto source = whole.size() == 1
                      ? dyn_cast<RankedTensorType>(whole.front().getType())
                      : RankedTensorType();
    auto piece = types.empty() ? RankedTensorType()
                               : dyn_cast<RankedTensorType>(types.front());
    if (!source || !piece)
      return {};
    SmallVector<Value> pieces;
    for (ArrayRef<int64_t> offset :
         getPieceOffsets(source.getShape(), piece.getShape()))
      pieces.push_back(
          ExtractOp::create(builder, loc, piece, whole.front(), offset));
    return pieces;
  });
}

namespace {
/// Makes the rounding of tf32 operands explicit: the instruction truncates.
void roundTF32Operands(ModuleOp module) {
  module.walk([](tt::DotOp dot) {
    if (dot.getInputPrecision() != tt::InputPrecision::TF32)
      return;
    OpBuilder builder(dot);
    for (OpOperand *operand : {&dot.getAMutable(), &dot.getBMutable()}) {
      auto type = cast<RankedTensorType>(operand->get().getType());
      if (type.getElementType().isF32() &&
          !operand->get().getDefiningOp<RoundTF32Op>())
        operand->set(
            RoundTF32Op::create(builder, dot.getLoc(), operand->get()));
    }
  });
}

struct MatchTargetSize : mlt::impl::MatchTargetSizeBase<MatchTargetSize> {
  using MatchTargetSizeBase::MatchTargetSizeBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    const TargetDescription *target = TargetDescription::get(module);
    SizeLimits limits{llvm::to_vector(maxLoadSize),
                      llvm::to_vector(maxStoreSize),
                      llvm::to_vector(maxDotSize)};
    FailureOr<ThreadStyle> threads = parseThreadStyle(module, style);
    if (!target || failed(threads) || failed(checkLimits(limits)))
      return signalPassFailure();
    halveTiles(module, target->subGroupSize);
    roundTF32Operands(module);

    PiecePlan plan(*target, limits, *threads);
    if (failed(plan.compute(module)) || failed(split(module, plan)))
      return signalPassFailure();
    count(module);
  }

private:
  LogicalResult checkLimit(StringRef name, ArrayRef<int64_t> sizes,
                           size_t count) {
    bool legal =
        sizes.empty() ||
        (sizes.size() == count && llvm::all_of(sizes, [](int64_t size) {
           return size > 0 && llvm::isPowerOf2_64(size);
         }));
    if (!legal)
      return getOperation().emitError()
             << "expected option '" << name << "' to be " << count
             << " powers of two, separated by commas";
    return success();
  }

  LogicalResult checkLimits(const SizeLimits &limits) {
    return success(succeeded(checkLimit("max-load-size", limits.load, 2)) &&
                   succeeded(checkLimit("max-store-size", limits.store, 2)) &&
                   succeeded(checkLimit("max-dot-size", limits.dot, 3)));
  }

  LogicalResult split(ModuleOp module, const PiecePlan &plan) {
    MLIRContext *context = &getContext();
    PieceConverter converter(plan);
    RewritePatternSet patterns(context);
    populateSplitElementwisePatterns(converter, patterns, plan);
    populateSplitShapePatterns(converter, patterns, plan);
    populateSplitMemoryPatterns(converter, patterns, plan);
    populateSplitDotPatterns(converter, patterns, plan);
    populateSplitReducePatterns(converter, patterns, plan);
    populateSplitControlFlowPatterns(converter, patterns, plan);

    ConversionTarget target(*context);
    auto isSplit = [&](Value value) { return plan.isSplit(value); };
    target.markUnknownOpDynamicallyLegal([&](Operation *op) {
      return !canSplit(op) || (llvm::none_of(op->getOperands(), isSplit) &&
                               llvm::none_of(op->getResults(), isSplit));
    });
    // A dot may be too deep although none of its tiles is split.
    target.addDynamicallyLegalOp<tt::DotOp>([&](tt::DotOp dot) {
      std::optional<DotShape> shape = plan.getDotShape(dot);
      ArrayRef<int64_t> a = dot.getA().getType().getShape();
      ArrayRef<int64_t> result = dot.getType().getShape();
      return shape && ArrayRef<int64_t>{shape->m, shape->n} == result &&
             a.back() == shape->k;
    });
    target.addLegalOp<ExtractOp, GlueOp>();
    return applyPartialConversion(module, target, std::move(patterns));
  }

  void count(ModuleOp module) {
    module.walk([&](Operation *op) {
      if (isa<tt::DotOp>(op))
        ++numDots;
      else if (tt::getBlockLoad(op))
        ++numBlockLoads;
    });
  }
};
} // namespace
