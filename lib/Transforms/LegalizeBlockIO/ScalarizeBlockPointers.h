//===- ScalarizeBlockPointers.h - block pointers taken apart
//----------------===//
#ifndef MLTC_TRANSFORMS_LEGALIZEBLOCKIO_SCALARIZEBLOCKPOINTERS_H
#define MLTC_TRANSFORMS_LEGALIZEBLOCKIO_SCALARIZEBLOCKPOINTERS_H

#include "Analysis/ForwardingEdges/ForwardingEdges.h"
#include "Dialect/Triton/IR/Triton.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::mlt {

/// All block pointers that have to keep one form with `pointers`: what they
/// were advanced or selected from, what control flow makes the same value.
llvm::DenseSet<Value> closeOverPointers(tt::FuncOp func,
                                        const ForwardingEdges &edges,
                                        ArrayRef<Value> pointers);

/// Replaces the block pointers `pointers` (closed in the sense above) by base,
/// shape, strides and offsets, and accesses through them by accesses through
/// tensors of pointers.
LogicalResult scalarizeBlockPointers(tt::FuncOp func,
                                     const llvm::DenseSet<Value> &pointers);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_LEGALIZEBLOCKIO_SCALARIZEBLOCKPOINTERS_H
