//===- AddressLines.h - messages that share an address register -----------===//
#ifndef MLTC_CONVERSION_VCTORAWSEND_ADDRESSLINES_H
#define MLTC_CONVERSION_VCTORAWSEND_ADDRESSLINES_H

#include "Analysis/LoopMotion/LoopMotion.h"
#include "Target/Intrinsics/VCBlock2D.h"

namespace mlir::mlt {

/// A message that each iteration of a loop sends, to a tensor that the loop
/// does not change: `block` has the parts of its address that exist in front of
/// the loop, but the coordinates.
struct MovingMessage {
  LLVM::CallOp call;
  VCBlock2D block;
  Motion x, y;
};

/// What has to be added to a coordinate: the sum of what is not null, less
/// `minus`.
struct Distance {
  Value plus, minus, step;
  int64_t constant = 0;

  bool isZero() const { return !plus && !minus && !step && constant == 0; }
  /// The value, as an i32.
  Value create(OpBuilder &builder, Location loc) const;
};

/// How far two coordinates in front of a loop are apart, `step` added.
Distance getDistance(Value from, Value to, Value step = {});

/// Messages of one block, in its order, that one register serves: each adds to
/// what the message before it left there, the first one to what the last one of
/// the iteration before did.
struct AddressLine {
  SmallVector<const MovingMessage *> messages;

  struct Move {
    Distance x, y;
  };
  /// What message `i` adds.
  Move getMove(size_t i) const;
};

/// A register for each place that messages of one tensor and shape, which move
/// by the same steps, have.
SmallVector<AddressLine> planPlaces(ArrayRef<MovingMessage> messages);

/// Registers for lines of those places, so that a loop has the fewest registers
/// and additions.
SmallVector<AddressLine> planLines(ArrayRef<MovingMessage> messages);

/// True when both are the same value however often it is computed.
bool isSameValue(Value a, Value b);

} // namespace mlir::mlt

#endif // MLTC_CONVERSION_VCTORAWSEND_ADDRESSLINES_H
