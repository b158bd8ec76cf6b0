//===- ScaledDot.h - dots of operands with scales -------------------------===//
#ifndef MLTC_TRANSFORMS_SCALEDDOT_H
#define MLTC_TRANSFORMS_SCALEDDOT_H

#include "Dialect/Triton/IR/Triton.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::mlt {

/// Replaces the operation by a dot of its decoded and scaled operands; reports
/// an error for formats that have no decoding.
LogicalResult expandScaledDot(RewriterBase &rewriter, tt::DotScaledOp op);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_SCALEDDOT_H
