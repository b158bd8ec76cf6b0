//===- Pass.cpp - --convert-tritongpu-to-llvm -----------------------------===//
//
// Runs the three steps that Patterns.h describes. What cannot be lowered is
// refused before the first of them, so that a kernel is lowered as a whole or
// not touched.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/KernelInfo.h"
#include "Conversion/TritonGPUToLLVM/Passes.h"
#include "Conversion/TritonGPUToLLVM/Patterns.h"
#include "Conversion/TritonGPUToLLVM/SimdMath.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/MLT/IR/Versions.h"
#include "Dialect/TritonGPU/IR/TritonGPUDialect.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/Transforms/StructuralTypeConversions.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace mlir::mlt {
#define GEN_PASS_DEF_CONVERTTRITONGPUTOLLVM
#include "Conversion/TritonGPUToLLVM/Passes.h.inc"
} // namespace mlir::mlt

using namespace mlir;
using namespace mlir::mlt;

//===----------------------------------------------------------------------===//
// Before the conversion
//===----------------------------------------------------------------------===//

/// A product and a sum may be contracted: this is what makes a multiply-add. A
/// product with other uses is computed anyhow, and contracting it would keep
/// its factors in registers beside it.
static void allowContraction(Operation *root) {
  auto isSum = [](Operation *user) {
    return isa<arith::AddFOp, arith::SubFOp>(user);
  };
  root->walk([&](Operation *op) {
    if (!isSum(op) &&
        !(isa<arith::MulFOp>(op) && llvm::all_of(op->getUsers(), isSum)))
      return;
    auto interface = cast<arith::ArithFastMathInterface>(op);
    arith::FastMathFlags flags = interface.getFastMathFlagsAttr().getValue() |
                                 arith::FastMathFlags::contract;
    op->setAttr(interface.getFastMathAttrName(),
                arith::FastMathFlagsAttr::get(op->getContext(), flags));
  });
}

/// A boolean is passed to a kernel as a byte.
static void widenBooleanArguments(tt::FuncOp kernel) {
  OpBuilder builder(kernel.getContext());
  builder.setInsertionPointToStart(&kernel.getBody().front());
  SmallVector<Type> types(kernel.getArgumentTypes());
  for (BlockArgument argument : kernel.getArguments()) {
    if (!argument.getType().isInteger(1))
      continue;
    types[argument.getArgNumber()] = builder.getI8Type();
    argument.setType(builder.getI8Type());
    auto flag = arith::TruncIOp::create(builder, argument.getLoc(),
                                        builder.getI1Type(), argument);
    argument.replaceAllUsesExcept(flag, flag);
  }
  kernel.setFunctionType(builder.getFunctionType(types, {}));
}

//===----------------------------------------------------------------------===//
// The steps
//===----------------------------------------------------------------------===//

/// Step 1: tiles, pointers and everything of tt and mlt.
static LogicalResult lowerTiles(ModuleOp module,
                                const TileTypeConverter &converter,
                                const LoweringContext &lowering) {
  MLIRContext *context = module.getContext();
  RewritePatternSet patterns(context);
  PatternArguments arguments{patterns, converter, lowering};
  populateFunctionPatterns(arguments);
  populateElementwisePatterns(arguments);
  populateTritonElementwisePatterns(arguments);
  populateViewPatterns(arguments);
  populateBlockMemoryPatterns(arguments);
  populateGatherPatterns(arguments);
  populateRowPatterns(arguments);
  populateAtomicPatterns(arguments);
  populateDotPatterns(arguments);
  populateReducePatterns(arguments);
  populateSyncPatterns(arguments);

  ConversionTarget target(*context);
  target.addIllegalDialect<tt::TritonDialect, MLTDialect>();
  target.addLegalDialect<LLVM::LLVMDialect, xevm::XeVMDialect>();
  target.addLegalOp<ModuleOp, UnrealizedConversionCastOp>();
  target.addDynamicallyLegalDialect<arith::ArithDialect, math::MathDialect,
                                    ub::UBDialect>(
      [&](Operation *op) { return converter.isLegal(op); });
  scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                       target);
  cf::populateCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                     target);
  return applyPartialConversion(module, target, std::move(patterns));
}

/// Ids of lanes and warps are asked for wherever they are needed; one call of
/// each at the start of the function is enough.
static void mergeIdCalls(LLVM::LLVMFuncOp function) {
  llvm::StringMap<LLVM::CallOp> calls;
  function.walk([&](LLVM::CallOp call) {
    std::optional<StringRef> callee = call.getCallee();
    if (!callee || call.getNumOperands() != 0 || call.getConvergent() ||
        !call.getMemoryEffectsAttr())
      return;
    auto [it, isFirst] = calls.try_emplace(*callee, call);
    if (isFirst) {
      Block &entry = function.getBody().front();
      call->moveBefore(&entry, entry.begin());
      return;
    }
    call->replaceAllUsesWith(it->second);
    call->erase();
  });
}

/// Step 2: loops carry what changes, and compute what changes.
static void simplifyLoops(ModuleOp module) {
  MLIRContext *context = module.getContext();
  RewritePatternSet patterns(context);
  for (StringRef name : {"arith", "cf", "scf", "builtin"})
    if (Dialect *dialect = context->getLoadedDialect(name))
      dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    if (isa_and_present<arith::ArithDialect, cf::ControlFlowDialect,
                        scf::SCFDialect, BuiltinDialect>(
            context->getLoadedDialect(op.getDialectNamespace())))
      op.getCanonicalizationPatterns(patterns, context);
  // Not converging is no error: the result is right, if not the simplest.
  (void)applyPatternsGreedily(module, std::move(patterns));
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (!function.isExternal())
      mergeIdCalls(function);
  module.walk([](LoopLikeOpInterface loop) { moveLoopInvariantCode(loop); });
  IRRewriter rewriter(context);
  DominanceInfo dominance;
  module.walk([&](LLVM::LLVMFuncOp function) {
    eliminateCommonSubExpressions(rewriter, dominance, function);
  });
}

namespace {
/// The branch between two versions of a kernel keeps its name, so that whoever
/// needs one version only finds it.
struct LowerVersions : OpRewritePattern<scf::IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::IfOp op,
                                PatternRewriter &rewriter) const override {
    if (!op->hasAttr(kVersionsAttrName) || op->getNumResults() != 0 ||
        op.getElseRegion().empty())
      return failure();
    Location loc = op.getLoc();
    Block *head = op->getBlock();
    Block *rest = rewriter.splitBlock(head, op->getIterator());
    SmallVector<Block *> starts;
    for (Region &region : op->getRegions()) {
      starts.push_back(&region.front());
      Operation *yield = region.back().getTerminator();
      rewriter.setInsertionPoint(yield);
      rewriter.replaceOpWithNewOp<LLVM::BrOp>(yield, ValueRange(), rest);
      rewriter.inlineRegionBefore(region, rest);
    }
    rewriter.setInsertionPointToEnd(head);
    auto branch =
        LLVM::CondBrOp::create(rewriter, loc, op.getCondition(), starts[0],
                               ValueRange(), starts[1], ValueRange());
    branch->setAttr(kVersionsAttrName, rewriter.getUnitAttr());
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

/// Step 3: what is left of other dialects.
static LogicalResult lowerRest(ModuleOp module, const CodeGenStyle &style) {
  MLIRContext *context = module.getContext();
  LowerToLLVMOptions options(context);
  options.overrideIndexBitwidth(64);
  LLVMTypeConverter converter(context, options);
  RewritePatternSet patterns(context);
  populateSCFToControlFlowConversionPatterns(patterns);
  patterns.add<LowerVersions>(context, /*benefit=*/10);
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  populateMathToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);
  populateDeviceMathPatterns(converter, patterns);
  if (style.getNumLanes() == 1)
    populateSimdMathPatterns(patterns);

  ConversionTarget target(*context);
  target.addLegalDialect<LLVM::LLVMDialect, xevm::XeVMDialect>();
  target.addLegalOp<ModuleOp>();
  return applyFullConversion(module, target, std::move(patterns));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
class ConvertTritonGPUToLLVMPass
    : public mlt::impl::ConvertTritonGPUToLLVMBase<ConvertTritonGPUToLLVMPass> {
public:
  using ConvertTritonGPUToLLVMBase::ConvertTritonGPUToLLVMBase;

  void runOnOperation() override {
    if (failed(run(getOperation())))
      signalPassFailure();
  }

private:
  LogicalResult run(ModuleOp module);
};
} // namespace

static LogicalResult prepareKernels(ModuleOp module,
                                    const LoweringContext &lowering) {
  for (tt::FuncOp kernel : module.getOps<tt::FuncOp>()) {
    FailureOr<int64_t> slmBytes =
        planSharedMemory(kernel, lowering.target.slmBytes,
                         /*asGlobal=*/!lowering.style.getTileMemory());
    if (failed(slmBytes))
      return failure();
    kernel->setAttr(
        MLTDialect::kKernelAttr,
        getKernelInfo(kernel, lowering.style, lowering.numWarps, *slmBytes));
    widenBooleanArguments(kernel);
  }
  allowContraction(module);
  return success();
}

LogicalResult ConvertTritonGPUToLLVMPass::run(ModuleOp module) {
  std::unique_ptr<CodeGenStyle> codeGen =
      CodeGenStyle::create(module.getLoc(), style, interface);
  const TargetDescription *target = TargetDescription::get(module);
  if (!codeGen || !target)
    return failure();
  if (module.getOps<tt::FuncOp>().empty())
    return success();
  std::optional<int64_t> numWarps = ttg::lookupNumWarps(module);
  if (!numWarps || !ttg::isLegalWarpCount(*numWarps))
    return module.emitError()
           << "expected the module attribute '"
           << ttg::TritonGPUDialect::kNumWarpsAttr
           << "' with a power of two in 1.." << ttg::kMaxWarps;

  FailureOr<BlockPointerAnalysis> blocks = BlockPointerAnalysis::run(module);
  if (failed(blocks))
    return failure();
  TileTypeConverter converter(module.getContext(), *codeGen);
  LoweringContext lowering{*codeGen, *target, *blocks, *numWarps};
  if (failed(checkLowerable(module, converter, lowering)) ||
      failed(prepareKernels(module, lowering)) ||
      failed(lowerTiles(module, converter, lowering)))
    return failure();
  simplifyLoops(module);
  numBlockMessages += lowering.numBlockMessages;
  numDots += lowering.numDots;
  numShuffles += codeGen->getNumShuffles();
  return lowerRest(module, *codeGen);
}
