//===- DescriptorArguments.h - descriptors as kernel arguments
//--------------===//
#ifndef MLTC_TRANSFORMS_REWRITETENSORDESCRIPTOR_DESCRIPTORARGUMENTS_H
#define MLTC_TRANSFORMS_REWRITETENSORDESCRIPTOR_DESCRIPTORARGUMENTS_H

#include "Dialect/Triton/IR/Triton.h"

namespace mlir::mlt {

/// Replaces descriptor arguments of a kernel by the scalars that the launcher
/// passes, and rebuilds each descriptor at the entry. Emits an error for a
/// function that is no kernel.
LogicalResult flattenDescriptorArguments(tt::FuncOp func);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_REWRITETENSORDESCRIPTOR_DESCRIPTORARGUMENTS_H
