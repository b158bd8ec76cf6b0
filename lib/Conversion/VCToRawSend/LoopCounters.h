//===- LoopCounters.h - loops that count with a coordinate ----------------===//
#ifndef MLTC_CONVERSION_VCTORAWSEND_LOOPCOUNTERS_H
#define MLTC_CONVERSION_VCTORAWSEND_LOOPCOUNTERS_H

#include "Analysis/LoopMotion/LoopMotion.h"

namespace mlir::mlt {

/// A value that every iteration of a loop computes for itself, and how it
/// moves.
struct MovingValue {
  Value value;
  Motion motion;
};

/// Lets `loop` end by one of `values` if one moves as its counter does, and the
/// counter is for nothing else: false if not. The loop tests at its end then,
/// and in front of it whether it runs at all; what is known of its blocks and
/// their dominance no longer holds.
bool countWithCoordinate(const LoopMotion &loop, ArrayRef<MovingValue> values);

} // namespace mlir::mlt

#endif // MLTC_CONVERSION_VCTORAWSEND_LOOPCOUNTERS_H
