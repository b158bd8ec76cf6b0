//===- MemoryOrder.h - what loads must not move over ----------------------===//
#ifndef MLTC_TRANSFORMS_SCHEDULELOAD_MEMORYORDER_H
#define MLTC_TRANSFORMS_SCHEDULELOAD_MEMORYORDER_H

#include "mlir/IR/Operation.h"

namespace mlir::mlt {

/// True when `op`, or an operation in its regions, may write what a load reads
/// or orders accesses to memory. A volatile load does; a prefetch does not.
bool mayWriteMemory(Operation *op);

/// True when `op` may write what `load` reads, or orders accesses to the memory
/// that it is in, global or shared.
bool mayWriteMemoryOf(Operation *load, Operation *op);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_SCHEDULELOAD_MEMORYORDER_H
