//===- MarkedPointers.h - block pointers chosen for conversion --*- C++ -*-===//
#ifndef MLTC_TRANSFORMS_LEGALIZEBLOCKIO_MARKEDPOINTERS_H
#define MLTC_TRANSFORMS_LEGALIZEBLOCKIO_MARKEDPOINTERS_H

#include "Analysis/ForwardingEdges/ForwardingEdges.h"
#include "Dialect/Triton/IR/Triton.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::mlt {

/// All block pointers that have to keep one form with `pointers`: what they
/// were advanced or selected from, what control flow makes the same value.
llvm::DenseSet<Value> closeOverPointers(tt::FuncOp func,
                                        const ForwardingEdges &edges,
                                        ArrayRef<Value> pointers);

/// The shape of a block whose pointer is marked; nullopt for other types.
std::optional<RankedTensorType> getMarkedBlock(Type type);

/// Applies `patterns`, which convert marked block pointers by `converter`, with
/// `pointers` (closed in the sense above) marked. Control flow follows.
LogicalResult convertPointers(tt::FuncOp func,
                              const llvm::DenseSet<Value> &pointers,
                              const TypeConverter &converter,
                              RewritePatternSet &&patterns);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_LEGALIZEBLOCKIO_MARKEDPOINTERS_H
