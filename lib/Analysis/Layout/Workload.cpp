//===- Workload.cpp - what a kernel is, and its root operations
//-------------===//
//
// The paper's first step: find the operations whose layout matters and tile
// them; everything else follows. Roots are tried from the most to the least
// expensive one. A root that an earlier root already reached is not tiled
// again, so a kernel with a dot and a bias has one root, and a kernel with two
// unrelated loops has two.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Layout/Workload.h"
#include "Analysis/Layout/AccessOrder.h"
#include "Analysis/Layout/WarpMap.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Dialect/TritonGPU/IR/TritonGPUDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::mlt;

StringRef mlt::stringifyWorkloadKind(WorkloadKind kind) {
  switch (kind) {
  case WorkloadKind::Elementwise:
    return "elementwise";
  case WorkloadKind::Reduction:
    return "reduction";
  case WorkloadKind::Gemm:
    return "gemm";
  case WorkloadKind::Attention:
    return "attention";
  }
  return "";
}

static bool isReduction(Operation *op) {
  return isa<tt::ReduceOp, tt::ScanOp>(op);
}

static int64_t getAxis(Operation *op) {
  if (auto reduce = dyn_cast<tt::ReduceOp>(op))
    return reduce.getAxis();
  return cast<tt::ScanOp>(op).getAxis();
}

static bool isMemoryAccess(Operation *op) {
  return isa<tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp,
             tt::AtomicLoadOp, tt::AtomicStoreOp, tt::AtomicPollOp>(op);
}

//===----------------------------------------------------------------------===//
// Number of warps
//===----------------------------------------------------------------------===//

/// Warps that suit the dots of a function, 0 when there are none.
static int64_t countDotWarps(const DotChains &chains, const AutoWarps &prefer) {
  int64_t most = 0;
  for (auto &[dot, links] : chains.get()) {
    ArrayRef<int64_t> shape = getAnchorType(dot).getShape();
    int64_t rows = shape[shape.size() - 2], columns = shape.back();
    int64_t batch = getAnchorType(dot).getNumElements() / rows / columns;
    int64_t warps =
        links.hasProducerA || links.hasProducerB
            ? llvm::divideCeil(rows, prefer.attentionRowsPerWarp)
            : llvm::divideCeil(rows, prefer.gemmTilePerWarp[0]) *
                  llvm::divideCeil(columns, prefer.gemmTilePerWarp[1]);
    // The first dots of a chain follow the last one.
    if (links.consumers.empty())
      most = std::max(most, batch * warps);
  }
  return most;
}

int64_t mlt::chooseNumWarps(FunctionOpInterface func,
                            const TargetDescription &target) {
  const AutoWarps &prefer = target.autoWarps;
  DotChains chains(func);
  int64_t warps = countDotWarps(chains, prefer);
  if (warps == 0) {
    int64_t elements = 1;
    func->walk([&](Operation *op) {
      if ((isReduction(op) || isMemoryAccess(op)) &&
          getLayoutRule(op) != LayoutRule::None)
        elements = std::max(elements, getAnchorType(op).getNumElements());
    });
    warps = elements / (target.subGroupSize * prefer.elementsPerLane);
  }
  warps = std::clamp<int64_t>(warps, 1, prefer.maxWarps);
  return int64_t(1) << llvm::Log2_64(warps);
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

namespace {
class RootSolver {
public:
  RootSolver(FunctionOpInterface func, const TargetDescription &target,
             LayoutAnalysis &analysis, SmallVectorImpl<LayoutRoot> &roots)
      : target(target), analysis(analysis), roots(roots), chains(func) {}

  LogicalResult solve() {
    if (failed(solveHints()))
      return failure();
    if (failed(solveDots()) || failed(solveReductions()) ||
        failed(solveAccesses()))
      return failure();
    analysis.finish();
    return success();
  }

private:
  LogicalResult solveHints();
  LogicalResult solveDots();
  LogicalResult solveReductions();
  LogicalResult solveAccesses();

  llvm::Expected<Tiling> tileDot(Operation *dot, TilingKind kind) const;
  /// A chain is cut so that its first dots are not computed twice.
  llvm::Expected<Tiling> tileChain(Operation *dot,
                                   const DotChains::Links &links,
                                   TilingKind &kind) const;
  LogicalResult meetHint(Operation *dot, StringRef name);
  LogicalResult accept(Operation *op, WorkloadKind kind,
                       llvm::Expected<Tiling> tiling, ArrayRef<int64_t> order,
                       const Twine &reason);
  /// Unanchored operations that satisfy `predicate`, the largest first.
  SmallVector<Operation *>
  getOpen(llvm::function_ref<bool(Operation *)> predicate) const;

  const TargetDescription &target;
  LayoutAnalysis &analysis;
  SmallVectorImpl<LayoutRoot> &roots;
  DotChains chains;
};
} // namespace

static SmallVector<int64_t> rowMajor(int64_t rank) {
  return llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, rank)));
}

static Attribute toEncoding(MLIRContext *context, const Tiling &tiling,
                            ArrayRef<int64_t> order) {
  return ttg::BlockedEncodingAttr::get(context, tiling.sizePerWarp,
                                       tiling.warpsPerCTA, order);
}

LogicalResult RootSolver::accept(Operation *op, WorkloadKind kind,
                                 llvm::Expected<Tiling> tiling,
                                 ArrayRef<int64_t> order, const Twine &reason) {
  if (!tiling)
    return op->emitError() << "cannot be split over " << analysis.getNumWarps()
                           << " warps: " << llvm::toString(tiling.takeError());
  Attribute encoding = toEncoding(op->getContext(), *tiling, order);
  if (analysis.assignRoot(op, encoding))
    roots.push_back({op, kind, *tiling, reason.str()});
  return success();
}

SmallVector<Operation *>
RootSolver::getOpen(llvm::function_ref<bool(Operation *)> predicate) const {
  SmallVector<Operation *> result;
  for (Operation *op : analysis.getOperations())
    if (predicate(op) && !analysis.lookupAnchor(op))
      result.push_back(op);
  llvm::stable_sort(result, [](Operation *a, Operation *b) {
    return getAnchorType(a).getNumElements() >
           getAnchorType(b).getNumElements();
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Dots
//===----------------------------------------------------------------------===//

llvm::Expected<Tiling> RootSolver::tileDot(Operation *dot,
                                           TilingKind kind) const {
  ArrayRef<int64_t> shape = getAnchorType(dot).getShape();
  int64_t minTile[] = {target.getDotRows(shape[shape.size() - 2]), target.dotN};
  return solveTiling(shape, analysis.getNumWarps(), kind, minTile);
}

llvm::Expected<Tiling> RootSolver::tileChain(Operation *dot,
                                             const DotChains::Links &links,
                                             TilingKind &kind) const {
  // Consumed as B, the first dot's result is split like columns.
  if (links.hasProducerB && !links.hasProducerA) {
    llvm::Expected<Tiling> vertical = tileDot(dot, TilingKind::Vertical);
    if (vertical) {
      kind = TilingKind::Vertical;
      return vertical;
    }
    llvm::consumeError(vertical.takeError());
    kind = TilingKind::Square;
    return tileDot(dot, kind);
  }
  kind = TilingKind::Attention;
  return tileDot(dot, kind);
}

LogicalResult RootSolver::meetHint(Operation *dot, StringRef name) {
  std::optional<TilingKind> kind = symbolizeTilingKind(name);
  if (!kind)
    return dot->emitError() << "expected '" << MLTDialect::kTilingAttr
                            << "' to be \"square\", \"horizontal\" or "
                               "\"vertical\", got \""
                            << name << "\"";
  llvm::Expected<Tiling> tiling = tileDot(dot, *kind);
  if (!tiling)
    return dot->emitError()
           << "tiling hint \"" << name
           << "\" cannot be met: " << llvm::toString(tiling.takeError());
  RankedTensorType type = getAnchorType(dot);
  Attribute encoding =
      toEncoding(dot->getContext(), *tiling, rowMajor(type.getRank()));
  if (analysis.assignRoot(dot, encoding)) {
    const DotChains::Links &links = chains.get().find(dot)->second;
    roots.push_back({dot,
                     links.hasProducerA || links.hasProducerB
                         ? WorkloadKind::Attention
                         : WorkloadKind::Gemm,
                     *tiling, ("hint \"" + name + "\"").str()});
    return success();
  }
  Attribute anchor = analysis.lookupAnchor(dot);
  if (!anchor)
    return dot->emitError() << "tiling hint \"" << name
                            << "\" cannot be met: what the dot takes or gives "
                               "does not allow the layout "
                            << encoding;
  if (areEquivalent(type.getShape(), anchor, encoding))
    return success();
  InFlightDiagnostic diag =
      dot->emitError() << "tiling hint \"" << name
                       << "\" cannot be met: the result already has the layout "
                       << anchor << " from another dot with a hint";
  if (!roots.empty())
    diag.attachNote(roots.back().op->getLoc()) << "last dot with a hint";
  return diag;
}

LogicalResult RootSolver::solveHints() {
  for (auto &entry : chains.get()) {
    Operation *dot = entry.first;
    Attribute hint = dot->getAttr(MLTDialect::kTilingAttr);
    if (!hint)
      continue;
    auto name = dyn_cast<StringAttr>(hint);
    if (!name)
      return dot->emitError() << "expected '" << MLTDialect::kTilingAttr
                              << "' to be a string, got " << hint;
    if (failed(meetHint(dot, name)))
      return failure();
  }
  return success();
}

LogicalResult RootSolver::solveDots() {
  auto isChained = [&](const DotChains::Links &links) {
    return links.hasProducerA || links.hasProducerB;
  };
  auto solveOne = [&](Operation *dot,
                      const DotChains::Links &links) -> LogicalResult {
    if (analysis.lookupAnchor(dot))
      return success();
    SmallVector<int64_t> order = rowMajor(getAnchorType(dot).getRank());
    if (!isChained(links))
      return accept(dot, WorkloadKind::Gemm, tileDot(dot, TilingKind::Square),
                    order, "square, least to load per step of k");
    TilingKind kind;
    llvm::Expected<Tiling> tiling = tileChain(dot, links, kind);
    StringRef reason =
        kind == TilingKind::Attention
            ? "horizontal, operand A comes from another dot of the same rows"
        : kind == TilingKind::Vertical
            ? "vertical, operand B comes from another dot of the same columns"
            : "square, too few columns for a vertical split";
    return accept(dot, WorkloadKind::Attention, std::move(tiling), order,
                  reason);
  };
  // Ends of chains, then dots on cycles of chains, then the rest.
  for (auto &[dot, links] : chains.get())
    if (isChained(links) && links.consumers.empty() &&
        failed(solveOne(dot, links)))
      return failure();
  for (auto &[dot, links] : chains.get())
    if (isChained(links) && failed(solveOne(dot, links)))
      return failure();
  for (Operation *dot : getOpen(
           [](Operation *op) { return isa<tt::DotOp, tt::DotScaledOp>(op); }))
    if (failed(solveOne(dot, chains.get().find(dot)->second)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Reductions and accesses
//===----------------------------------------------------------------------===//

LogicalResult RootSolver::solveReductions() {
  for (Operation *op : getOpen(isReduction)) {
    if (analysis.lookupAnchor(op))
      continue;
    RankedTensorType type = getAnchorType(op);
    int64_t axis = getAxis(op);
    SmallVector<int64_t> order = rowMajor(type.getRank());
    auto tiling = solveEvenSplit(type.getShape(), order, analysis.getNumWarps(),
                                 target.subGroupSize, /*last=*/axis);
    bool whole = tiling && tiling->sizePerWarp[axis] == type.getDimSize(axis);
    if (failed(accept(op, WorkloadKind::Reduction, std::move(tiling), order,
                      whole ? "reduced axis whole in every warp"
                            : "too few rows, reduced axis split over warps")))
      return failure();
  }
  return success();
}

LogicalResult RootSolver::solveAccesses() {
  for (Operation *op : getOpen(isMemoryAccess)) {
    if (analysis.lookupAnchor(op))
      continue;
    SmallVector<int64_t> order = getAccessOrder(op, analysis);
    auto tiling = solveEvenSplit(getAnchorType(op).getShape(), order,
                                 analysis.getNumWarps(), target.subGroupSize);
    if (failed(accept(op, WorkloadKind::Elementwise, std::move(tiling), order,
                      "even split, contiguous chunks")))
      return failure();
  }
  return success();
}

LogicalResult mlt::solveLayouts(FunctionOpInterface func,
                                const TargetDescription &target,
                                LayoutAnalysis &analysis,
                                SmallVectorImpl<LayoutRoot> &roots) {
  return RootSolver(func, target, analysis, roots).solve();
}
