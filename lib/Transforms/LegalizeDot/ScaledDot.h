//===- ScaledDot.h - dots of block-scaled operands ------------------------===//
#ifndef MLTC_TRANSFORMS_SCALEDDOT_H
#define MLTC_TRANSFORMS_SCALEDDOT_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::mlt {

/// Adds the pattern that turns tt.dot_scaled into tt.dot of wider operands.
void populateScaledDotPatterns(RewritePatternSet &patterns);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_SCALEDDOT_H
