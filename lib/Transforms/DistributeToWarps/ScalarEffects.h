//===- ScalarEffects.h - side effects of what every warp holds --*- C++ -*-===//
#ifndef MLTC_TRANSFORMS_DISTRIBUTETOWARPS_SCALAREFFECTS_H
#define MLTC_TRANSFORMS_DISTRIBUTETOWARPS_SCALAREFFECTS_H

#include "Dialect/Triton/IR/Triton.h"

namespace mlir::mlt {

/// Puts every store and atomic of a scalar in `func` under the condition that
/// the warp `warpId` (i32) is the first one; what an atomic returns then
/// reaches the others through shared local memory. Returns how many there were.
int64_t predicateScalarEffects(tt::FuncOp func, Value warpId);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_DISTRIBUTETOWARPS_SCALAREFFECTS_H
