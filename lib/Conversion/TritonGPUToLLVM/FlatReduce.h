//===- FlatReduce.h - reductions of tiles that one lane holds -------------===//
#ifndef MLTC_CONVERSION_TRITONGPUTOLLVM_FLATREDUCE_H
#define MLTC_CONVERSION_TRITONGPUTOLLVM_FLATREDUCE_H

#include "Conversion/TritonGPUToLLVM/Patterns.h"

namespace mlir::mlt {

/// True when the combining region is the same operation on vectors: made of
/// elementwise operations and constants.
bool isVectorizable(tt::ReduceOp op);

/// The results of `op`, converted, from its converted operands, for a style in
/// which one lane holds the whole tile.
FailureOr<SmallVector<Value>> reduceFlat(tt::ReduceOp op,
                                         ConversionPatternRewriter &rewriter,
                                         const CodeGenStyle &style,
                                         const TileTypeConverter &converter,
                                         ValueRange operands);

} // namespace mlir::mlt

#endif // MLTC_CONVERSION_TRITONGPUTOLLVM_FLATREDUCE_H
