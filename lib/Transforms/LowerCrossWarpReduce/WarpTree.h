//===- WarpTree.h - how a reduction across warps is done ------------------===//
#ifndef MLTC_TRANSFORMS_LOWERCROSSWARPREDUCE_WARPTREE_H
#define MLTC_TRANSFORMS_LOWERCROSSWARPREDUCE_WARPTREE_H

#include "mlir/Support/LLVM.h"

namespace mlir::mlt {

/// The cheapest way to combine one tensor of each of several warps: a tree
/// whose steps combine `radices[i]` warps each, or, where `piece` is set, one
/// round in which every warp combines one piece of all tensors.
struct WarpTree {
  SmallVector<int64_t> radices;
  SmallVector<int64_t> piece;
};

/// Chooses by the number of messages of the busiest warp. `shape` is that of
/// the tensors of one warp, which are alike but for their element types; a
/// message moves one element for each of `lanes` lanes.
WarpTree chooseWarpTree(ArrayRef<int64_t> shape, int64_t numTensors,
                        int64_t numWarps, int64_t lanes);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_LOWERCROSSWARPREDUCE_WARPTREE_H
