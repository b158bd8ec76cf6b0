//===- WarpLevel.h - kernels whose tensors belong to one warp -------------===//
#ifndef MLTC_DIALECT_MLT_IR_WARPLEVEL_H
#define MLTC_DIALECT_MLT_IR_WARPLEVEL_H

#include "mlir/IR/Operation.h"

namespace mlir::mlt {

/// Unit attribute of a function that is written for one warp (paper, 3.2): its
/// tensors get no layout and are not distributed.
inline constexpr llvm::StringLiteral kWarpLevelAttr = "mlt.warp_level";

inline bool isWarpLevel(Operation *function) {
  return function->hasAttr(kWarpLevelAttr);
}

} // namespace mlir::mlt

#endif // MLTC_DIALECT_MLT_IR_WARPLEVEL_H
