//===- MemoryOrder.h - what loads must not move over ----------------------===//
#ifndef MLTC_TRANSFORMS_SCHEDULELOAD_MEMORYORDER_H
#define MLTC_TRANSFORMS_SCHEDULELOAD_MEMORYORDER_H

#include "mlir/IR/Operation.h"

namespace mlir::mlt {

/// True when `op`, or an operation in its regions, may write what a load reads
/// or orders accesses to memory. A volatile load does; a prefetch does not.
bool mayWriteMemory(Operation *op);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_SCHEDULELOAD_MEMORYORDER_H
