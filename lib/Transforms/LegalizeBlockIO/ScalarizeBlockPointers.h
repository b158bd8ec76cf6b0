//===- ScalarizeBlockPointers.h - block pointers taken apart ----*- C++ -*-===//
#ifndef MLTC_TRANSFORMS_LEGALIZEBLOCKIO_SCALARIZEBLOCKPOINTERS_H
#define MLTC_TRANSFORMS_LEGALIZEBLOCKIO_SCALARIZEBLOCKPOINTERS_H

#include "Transforms/BlockPointer/BlockPointer.h"
#include "Transforms/LegalizeBlockIO/MarkedPointers.h"

namespace mlir::mlt {

/// The parts that a block pointer was converted to.
BlockPointerParts getBlockParts(ValueRange values);

/// The shape of the block that `pointer` points to.
ArrayRef<int64_t> getBlockShape(Value pointer);

/// Replaces the block pointers `pointers` (closed by closeOverPointers) by
/// base, shape, strides and offsets, and accesses through them by what
/// `populateAccesses` has patterns for.
LogicalResult takeBlockPointersApart(
    tt::FuncOp func, const llvm::DenseSet<Value> &pointers,
    function_ref<void(const TypeConverter &, RewritePatternSet &)>
        populateAccesses);

/// The same, with accesses to elements. Prefetches are dropped.
LogicalResult scalarizeBlockPointers(tt::FuncOp func,
                                     const llvm::DenseSet<Value> &pointers);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_LEGALIZEBLOCKIO_SCALARIZEBLOCKPOINTERS_H
