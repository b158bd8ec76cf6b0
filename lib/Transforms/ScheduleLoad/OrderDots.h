//===- OrderDots.h - dots in the order of their loads ---------------------===//
#ifndef MLTC_TRANSFORMS_SCHEDULELOAD_ORDERDOTS_H
#define MLTC_TRANSFORMS_SCHEDULELOAD_ORDERDOTS_H

#include "mlir/IR/Block.h"

namespace mlir::mlt {

/// The first operation of the block of `op` that uses its results, itself or
/// within its regions; null when nothing there does.
Operation *getFirstUse(Operation *op);

/// Moves each load of `block`, and what only computes its addresses, down to
/// its first use, but not over what may write memory. Returns how many loads
/// moved.
int64_t sinkLoads(Block &block);

/// What decides the order of the dots of one product, most important first.
enum class DotOrder {
  Loads, ///< the load that A comes from, the one of B
  Depth, ///< the place in the chain of an accumulator, the load of B, of A
};

/// Puts the dots of each product of `block` in `order`. Returns how many
/// products changed.
int64_t orderDots(Block &block, DotOrder order);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_SCHEDULELOAD_ORDERDOTS_H
