//===- Workload.h - what a kernel is, and its root operations
//---------------===//
#ifndef MLTC_ANALYSIS_LAYOUT_WORKLOAD_H
#define MLTC_ANALYSIS_LAYOUT_WORKLOAD_H

#include "Analysis/Layout/LayoutAnalysis.h"
#include "Analysis/Tiling/Tiling.h"
#include "Target/Description/TargetDescription.h"
#include "llvm/ADT/MapVector.h"
#include <string>

namespace mlir::mlt {

enum class WorkloadKind { Elementwise, Reduction, Gemm, Attention };

llvm::StringRef stringifyWorkloadKind(WorkloadKind kind);

/// A root operation and the layout that was chosen for it.
struct LayoutRoot {
  Operation *op;
  WorkloadKind kind;
  Tiling tiling;
  /// Why this tiling, for a remark.
  std::string reason;
};

/// Which dots of a function feed which: through operations that keep the place
/// of elements, transpositions and control flow.
class DotChains {
public:
  explicit DotChains(FunctionOpInterface func);

  struct Links {
    /// Dots that this dot's result reaches as operand A or B.
    llvm::SmallPtrSet<Operation *, 4> consumers;
    bool hasProducerA = false, hasProducerB = false;
  };

  /// All dots in program order.
  const llvm::MapVector<Operation *, Links> &get() const { return dots; }

private:
  void follow(Operation *dot);

  llvm::MapVector<Operation *, Links> dots;
  ForwardingEdges edges;
};

/// The number of warps that suits `func` on `target`, a power of two: so many
/// that a warp owns the target's preferred part of the largest root.
int64_t chooseNumWarps(FunctionOpInterface func,
                       const TargetDescription &target);

/// Chooses root operations and their tilings, strongest first (dots with a
/// hint, ends of chains of dots, other dots, reductions and scans, memory
/// accesses), and propagates each through `analysis` to the end. Emits an error
/// and fails for a hint that is unknown or cannot be met.
LogicalResult solveLayouts(FunctionOpInterface func,
                           const TargetDescription &target,
                           LayoutAnalysis &analysis,
                           SmallVectorImpl<LayoutRoot> &roots);

} // namespace mlir::mlt

#endif // MLTC_ANALYSIS_LAYOUT_WORKLOAD_H
