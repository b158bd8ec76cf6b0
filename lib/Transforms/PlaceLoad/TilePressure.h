//===- TilePressure.h - registers that tiles take -------------------------===//
#ifndef MLTC_TRANSFORMS_PLACELOAD_TILEPRESSURE_H
#define MLTC_TRANSFORMS_PLACELOAD_TILEPRESSURE_H

#include "mlir/IR/Block.h"

namespace mlir::mlt {

/// Bytes of `type` in the registers of a thread that holds whole tiles; 0 for
/// scalars and pointers.
int64_t getTileBytes(Type type);

/// How many bytes tiles take while each operation of a block runs. A piece of a
/// tile is no value of its own: it keeps the tile alive.
class TilePressure {
public:
  explicit TilePressure(Block &block);

  ArrayRef<Operation *> getOps() const { return ops; }
  size_t getPosition(Operation *op) const { return positions.lookup(op); }
  int64_t getBytes(size_t position) const { return bytes[position]; }
  /// A value of `count` bytes lives at the positions from `begin` to `end` - 1.
  void add(size_t begin, size_t end, int64_t count);

private:
  /// The position behind the last use of `value` in the block, also through
  /// pieces of it.
  size_t getEnd(Value value) const;

  Block &block;
  SmallVector<Operation *> ops;
  llvm::DenseMap<Operation *, size_t> positions;
  SmallVector<int64_t> bytes;
};

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_PLACELOAD_TILEPRESSURE_H
