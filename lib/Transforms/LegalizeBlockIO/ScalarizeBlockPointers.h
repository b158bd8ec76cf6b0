//===- ScalarizeBlockPointers.h - block pointers taken apart ----*- C++ -*-===//
#ifndef MLTC_TRANSFORMS_LEGALIZEBLOCKIO_SCALARIZEBLOCKPOINTERS_H
#define MLTC_TRANSFORMS_LEGALIZEBLOCKIO_SCALARIZEBLOCKPOINTERS_H

#include "Transforms/LegalizeBlockIO/MarkedPointers.h"

namespace mlir::mlt {

/// Replaces the block pointers `pointers` (closed by closeOverPointers) by
/// base, shape, strides and offsets, and accesses through them by accesses
/// through tensors of pointers.
LogicalResult scalarizeBlockPointers(tt::FuncOp func,
                                     const llvm::DenseSet<Value> &pointers);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_LEGALIZEBLOCKIO_SCALARIZEBLOCKPOINTERS_H
