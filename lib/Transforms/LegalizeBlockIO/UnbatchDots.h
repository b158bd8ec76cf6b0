//===- UnbatchDots.h - dots with a batch dimension --------------*- C++ -*-===//
#ifndef MLTC_TRANSFORMS_LEGALIZEBLOCKIO_UNBATCHDOTS_H
#define MLTC_TRANSFORMS_LEGALIZEBLOCKIO_UNBATCHDOTS_H

#include "mlir/IR/Operation.h"

namespace mlir::mlt {

/// Unrolls the batch dimension of dots of rank 3.
void unbatchDots(Operation *func);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_LEGALIZEBLOCKIO_UNBATCHDOTS_H
