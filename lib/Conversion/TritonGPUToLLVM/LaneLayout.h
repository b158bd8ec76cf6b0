//===- LaneLayout.h - which lane holds which element of a tile ------------===//
//
// The one table that every lowering to LLVM goes through. A tile is a tensor at
// the intrinsic level; it lies in `slots` of the lanes of a warp. A slot is one
// element in one lane; `pack` consecutive slots share a register (an element of
// the LLVM vector that carries the tile), lowest slot in the lowest bits.
//
// With 16 lanes (SIMT):
//   plain H x W         (r, c) -> lane c % 16, slot (c / 16) * H + r; where
//                       W < 16, lane l holds column l % W: columns repeat
//   1-D tensor          as a 1 x N tile; leading dimensions of rank > 2 are
//                       unrolled, outermost slowest; 0-d tensors are uniform
//   operand A, 8 bits   per block of 32 columns: lane l holds columns 2l and
//                       2l + 1
//   operand A, 32 bits  per block of 8 columns: slot i of lane l holds row
//                       2i + l / 8 of column l % 8
//   operand B           lane = column; a register packs 32 / bits rows
//
// With the whole tile in one lane (SIMD) a slot is an element of the registers
// that the 16 lanes above share, first register first: the flat image that 2-D
// block messages and dots work on. A tile of at most 16 columns is row-major;
// a wider one is its blocks of 16 columns one after another (32 columns for an
// 8-bit and 8 for a 32-bit operand A). Nothing is replicated.
//
//===----------------------------------------------------------------------===//
#ifndef MLTC_CONVERSION_TRITONGPUTOLLVM_LANELAYOUT_H
#define MLTC_CONVERSION_TRITONGPUTOLLVM_LANELAYOUT_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/LogicalResult.h"
#include <string>

namespace mlir::mlt {

/// One element in one lane.
struct Place {
  int64_t lane;
  int64_t slot;
  bool operator==(const Place &other) const {
    return lane == other.lane && slot == other.slot;
  }
};

class LaneLayout {
public:
  /// Layout of `type` over `numLanes` lanes. On failure `reason`, if given,
  /// says why there is none.
  static FailureOr<LaneLayout> get(RankedTensorType type, int64_t numLanes,
                                   std::string *reason = nullptr);

  /// Plain layout of a tile of `shape`.
  static LaneLayout getPlain(ArrayRef<int64_t> shape, int64_t numLanes);

  /// Layout of `type` in one lane, in blocks of `width` columns; fails
  /// likewise.
  static FailureOr<LaneLayout> getFlat(RankedTensorType type, int64_t width,
                                       std::string *reason = nullptr);

  /// Plain layout of a tile of `shape` in one lane.
  static LaneLayout getFlatPlain(ArrayRef<int64_t> shape, int64_t width);

  int64_t getNumLanes() const { return flat ? 1 : numLanes; }
  /// Elements per lane.
  int64_t getNumSlots() const {
    return flat ? getNumElements() : getSlotsPerLane();
  }
  /// Slots that share one register.
  int64_t getPack() const { return flat ? 1 : pack; }
  int64_t getNumRegisters() const { return getNumSlots() / getPack(); }
  int64_t getNumElements() const { return batch * rows * columns; }
  /// Lanes 0 .. n-1 together hold every element exactly once.
  int64_t getNumActiveLanes() const;

  /// Row-major number of the element that `place` holds.
  int64_t getElement(Place place) const;
  /// A place of the element with row-major number `element`: in `preferredLane`
  /// if that lane holds it, else in the lowest lane that does.
  Place getPlace(int64_t element, int64_t preferredLane) const;

private:
  enum class Kind { Plain, OperandA8, OperandA32, OperandB };

  LaneLayout(Kind kind, int64_t numLanes, ArrayRef<int64_t> shape,
             int64_t pack);

  static FailureOr<LaneLayout>
  getOperandB(RankedTensorType type, int64_t numLanes, std::string *reason);
  int64_t getSlotsPerLane() const;
  // Between a place in the lanes of a block and its slot in the flat image.
  Place toLanes(Place place) const;
  Place toFlat(Place place) const;

  Kind kind;
  /// Of a flat layout: columns of a block.
  int64_t numLanes;
  int64_t batch, rows, columns;
  int64_t pack;
  bool flat = false;
};

} // namespace mlir::mlt

#endif // MLTC_CONVERSION_TRITONGPUTOLLVM_LANELAYOUT_H
