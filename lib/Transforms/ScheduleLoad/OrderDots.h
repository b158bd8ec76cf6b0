//===- OrderDots.h - dots in the order of their loads ---------------------===//
#ifndef MLTC_TRANSFORMS_SCHEDULELOAD_ORDERDOTS_H
#define MLTC_TRANSFORMS_SCHEDULELOAD_ORDERDOTS_H

#include "mlir/IR/Block.h"

namespace mlir::mlt {

/// Moves each block load of `block` down to its first use, but not over what
/// may write memory. Returns how many moved.
int64_t sinkLoads(Block &block);

/// Orders runs of dots so that those that use the same loaded piece of A, and
/// in them those that use the same piece of B, follow each other. Returns how
/// many runs changed.
int64_t orderDots(Block &block);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_SCHEDULELOAD_ORDERDOTS_H
