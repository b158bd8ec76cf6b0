//===- WarpDivergence.h - what differs between the warps of a kernel ------===//
#ifndef MLTC_TRANSFORMS_MATERIALIZEMARKERS_WARPDIVERGENCE_H
#define MLTC_TRANSFORMS_MATERIALIZEMARKERS_WARPDIVERGENCE_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::mlt {

/// Which values of a warp-level function may differ from warp to warp: the warp
/// id, results of reductions that only some warps have, what an atomic
/// operation found, and all that follows.
class WarpDivergence {
public:
  explicit WarpDivergence(Operation *function);

  bool differs(Value value) const { return varying.contains(value); }

  /// The innermost operation around `op` that some warps may pass by or repeat
  /// more often than others; null when all warps reach `op` alike.
  Operation *findDivergence(Operation *op) const;

  /// Whether what `op` decides, which region is executed and how often, differs
  /// between the warps.
  bool isDivergent(Operation *op) const;

  /// The first branch between blocks that warps take differently, or null.
  Operation *findDivergentBranch() const;

private:
  bool visit(Operation *op);
  bool mark(ValueRange values);
  bool anyDiffers(ValueRange values) const;

  Operation *function;
  llvm::DenseSet<Value> varying;
};

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_MATERIALIZEMARKERS_WARPDIVERGENCE_H
