//===- WarpDivergence.h - what differs between the warps of a kernel ------===//
#ifndef MLTC_TRANSFORMS_MATERIALIZEMARKERS_WARPDIVERGENCE_H
#define MLTC_TRANSFORMS_MATERIALIZEMARKERS_WARPDIVERGENCE_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::mlt {

/// Which values of a warp-level function may differ from warp to warp: the warp
/// id, results of reductions that only some warps have, and all that follows.
class WarpDivergence {
public:
  explicit WarpDivergence(Operation *function);

  bool differs(Value value) const { return varying.contains(value); }

  /// The innermost operation around `op` that some warps may pass by or repeat
  /// more often than others; null when all warps reach `op` alike.
  Operation *findDivergence(Operation *op) const;

private:
  bool visit(Operation *op);
  bool mark(ValueRange values);
  bool anyDiffers(ValueRange values) const;
  bool isDivergent(Operation *op) const;

  llvm::DenseSet<Value> varying;
};

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_MATERIALIZEMARKERS_WARPDIVERGENCE_H
