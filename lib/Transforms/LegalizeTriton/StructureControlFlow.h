//===- StructureControlFlow.h - early returns as branches -------*- C++ -*-===//
#ifndef MLTC_TRANSFORMS_LEGALIZETRITON_STRUCTURECONTROLFLOW_H
#define MLTC_TRANSFORMS_LEGALIZETRITON_STRUCTURECONTROLFLOW_H

#include "Dialect/Triton/IR/Triton.h"

namespace mlir::mlt {

/// Gives a function without loops between its blocks one block; others stay.
LogicalResult structureControlFlow(tt::FuncOp func);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_LEGALIZETRITON_STRUCTURECONTROLFLOW_H
