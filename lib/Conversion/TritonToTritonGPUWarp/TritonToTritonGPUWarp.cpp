//===- TritonToTritonGPUWarp.cpp - gives every tensor a layout ------------===//
//
// The paper's first pass. It is thin: what a kernel is and how its roots are
// tiled is decided in lib/Analysis, how layouts enter the types in
// LayoutMaterializer. Here the number of warps is settled, the decisions are
// reported, and the outcome is verified before anybody relies on it.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Layout/LayoutVerifier.h"
#include "Analysis/Layout/WarpMap.h"
#include "Analysis/Layout/Workload.h"
#include "Conversion/TritonToTritonGPUWarp/LayoutMaterializer.h"
#include "Conversion/TritonToTritonGPUWarp/Passes.h"
#include "Dialect/MLT/IR/WarpLevel.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Support/Remarks.h"
#include "Target/Description/TargetDescription.h"
#include "mlir/IR/Builders.h"

namespace mlir::mlt {
#define GEN_PASS_DEF_CONVERTTRITONTOTRITONGPUWARP
#include "Conversion/TritonToTritonGPUWarp/Passes.h.inc"
} // namespace mlir::mlt

using namespace mlir;
using namespace mlir::mlt;

namespace {
/// The older spelling of `ttg.num-warps`, accepted on input.
constexpr llvm::StringLiteral kOldNumWarpsAttr = "triton_gpu.num-warps";

class ConvertTritonToTritonGPUWarpPass
    : public mlt::impl::ConvertTritonToTritonGPUWarpBase<
          ConvertTritonToTritonGPUWarpPass> {
public:
  using ConvertTritonToTritonGPUWarpBase::ConvertTritonToTritonGPUWarpBase;

  void runOnOperation() override {
    if (failed(convert()))
      signalPassFailure();
  }

private:
  LogicalResult convert();
  LogicalResult convertFunction(FunctionOpInterface func);
  FailureOr<const TargetDescription *> findTarget();
  FailureOr<int64_t> findNumWarps(const TargetDescription &description,
                                  ArrayRef<FunctionOpInterface> functions);
  void report(FunctionOpInterface func, const LayoutAnalysis &analysis,
              ArrayRef<LayoutRoot> roots);

  const TargetDescription *description = nullptr;
  int64_t warps = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// Target and number of warps
//===----------------------------------------------------------------------===//

FailureOr<const TargetDescription *>
ConvertTritonToTritonGPUWarpPass::findTarget() {
  if (target.empty()) {
    const TargetDescription *found = TargetDescription::get(getOperation());
    if (!found)
      return failure();
    return found;
  }
  llvm::Expected<const TargetDescription *> found =
      TargetDescription::lookup(target);
  if (!found)
    return getOperation()->emitError() << llvm::toString(found.takeError());
  return *found;
}

static LogicalResult checkNumWarps(Operation *op, int64_t count) {
  if (ttg::isLegalWarpCount(count))
    return success();
  return op->emitError()
         << "expected a number of warps that is a power of two from 1 to "
         << ttg::kMaxWarps << ", got " << count;
}

FailureOr<int64_t> ConvertTritonToTritonGPUWarpPass::findNumWarps(
    const TargetDescription &description,
    ArrayRef<FunctionOpInterface> functions) {
  ModuleOp module = getOperation();
  int64_t count = 0;
  if (!numWarps.empty() && numWarps != "auto") {
    if (StringRef(numWarps).getAsInteger(10, count))
      return module->emitError()
             << "expected num-warps to be a number or auto, got '" << numWarps
             << "'";
    if (failed(checkNumWarps(module, count)))
      return failure();
    return count;
  }
  if (numWarps.empty()) {
    for (StringRef name : {StringRef(ttg::TritonGPUDialect::kNumWarpsAttr),
                           StringRef(kOldNumWarpsAttr)})
      if (auto attr = module->getAttrOfType<IntegerAttr>(name)) {
        if (failed(checkNumWarps(module, attr.getInt())))
          return failure();
        return attr.getInt();
      }
  }
  count = 1;
  for (FunctionOpInterface func : functions)
    count = std::max(count, chooseNumWarps(func, description));
  return count;
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

static void printList(llvm::raw_ostream &os, ArrayRef<int64_t> list) {
  os << "[";
  llvm::interleaveComma(list, os);
  os << "]";
}

static void describe(llvm::raw_ostream &os, const LayoutRoot &root,
                     int64_t warps) {
  os << stringifyWorkloadKind(root.kind) << " root: tile ";
  printList(os, getAnchorType(root.op).getShape());
  os << " over " << warps << " warps, sizePerWarp ";
  printList(os, root.tiling.sizePerWarp);
  os << ", warpsPerCTA ";
  printList(os, root.tiling.warpsPerCTA);
  os << " (" << root.reason << ")";
}

void ConvertTritonToTritonGPUWarpPass::report(FunctionOpInterface func,
                                              const LayoutAnalysis &analysis,
                                              ArrayRef<LayoutRoot> roots) {
  for (const LayoutRoot &root : roots) {
    auto write = [&](llvm::raw_ostream &os) { describe(os, root, warps); };
    if (!printAnalysisOnly) {
      remarkAnalysis(root.op, topic::kTiling, write);
      continue;
    }
    std::string text;
    llvm::raw_string_ostream os(text);
    write(os);
    root.op->emitRemark() << text;
  }
  if (!printAnalysisOnly)
    return;
  for (Operation *op : analysis.getOperations())
    for (OpResult result : op->getResults())
      if (Attribute encoding = analysis.lookup(result))
        op->emitRemark() << "result " << result.getResultNumber() << ": "
                         << withEncoding(result.getType(), encoding);
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

/// Refuses what the analysis has no rule for, with a way out where there is
/// one.
static LogicalResult checkInput(FunctionOpInterface func) {
  WalkResult result = func->walk([&](Operation *op) {
    if (op == func.getOperation())
      return WalkResult::advance();
    for (Type type : op->getResultTypes())
      if (Attribute encoding = getEncoding(type))
        return WalkResult(op->emitError()
                          << "expected tensors without layout, got " << type);
    if (getLayoutRule(op) != LayoutRule::Unsupported)
      return WalkResult::advance();
    InFlightDiagnostic diag = op->emitError()
                              << "'" << op->getName()
                              << "' has no rule for the layout of its tensors";
    if (isa<tt::CallOp>(op))
      diag << "; inline functions that take or return tensors first";
    else if (isa_and_present<tt::TritonDialect>(op->getDialect()) &&
             op->getName().getStringRef().contains("descriptor"))
      diag << "; run --rewrite-tensor-descriptor first";
    return WalkResult(diag);
  });
  return failure(result.wasInterrupted());
}

LogicalResult
ConvertTritonToTritonGPUWarpPass::convertFunction(FunctionOpInterface func) {
  LayoutAnalysis analysis(func, warps);
  SmallVector<LayoutRoot> roots;
  if (failed(solveLayouts(func, *description, analysis, roots)))
    return failure();
  numRoots += roots.size();
  report(func, analysis, roots);
  if (printAnalysisOnly)
    return success();
  LayoutMaterializer materializer(func, analysis);
  if (failed(materializer.run()))
    return failure();
  numConversions += materializer.getNumConversions();
  numClones += materializer.getNumClones();
  return verifyLayouts(func, warps);
}

LogicalResult ConvertTritonToTritonGPUWarpPass::convert() {
  ModuleOp module = getOperation();
  FailureOr<const TargetDescription *> found = findTarget();
  if (failed(found))
    return failure();
  description = *found;
  auto functions = llvm::to_vector(module.getOps<FunctionOpInterface>());
  for (FunctionOpInterface func : functions)
    if (!isWarpLevel(func) && failed(checkInput(func)))
      return failure();
  FailureOr<int64_t> count = findNumWarps(*description, functions);
  if (failed(count))
    return failure();
  warps = *count;
  for (FunctionOpInterface func : functions)
    if (!func.isExternal() && !isWarpLevel(func) &&
        failed(convertFunction(func)))
      return failure();
  if (printAnalysisOnly)
    return success();
  Builder builder(module.getContext());
  module->removeAttr(kOldNumWarpsAttr);
  module->setAttr(ttg::TritonGPUDialect::kNumWarpsAttr,
                  builder.getI32IntegerAttr(warps));
  module->setAttr(ttg::TritonGPUDialect::kThreadsPerWarpAttr,
                  builder.getI32IntegerAttr(description->subGroupSize));
  module->setAttr(MLTDialect::kTargetAttr,
                  builder.getStringAttr(description->name));
  return success();
}
