//===- SimdMath.h - functions of the math unit in style simd --------------===//
#ifndef MLTC_CONVERSION_TRITONGPUTOLLVM_SIMDMATH_H
#define MLTC_CONVERSION_TRITONGPUTOLLVM_SIMDMATH_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::mlt {

/// Math operations as intrinsics of the vector backend, preferred over the
/// patterns of all styles.
void populateSimdMathPatterns(RewritePatternSet &patterns);

} // namespace mlir::mlt

#endif // MLTC_CONVERSION_TRITONGPUTOLLVM_SIMDMATH_H
