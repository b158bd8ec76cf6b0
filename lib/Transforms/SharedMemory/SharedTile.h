//===- SharedTile.h - tiles in shared local memory ------------------------===//
#ifndef MLTC_TRANSFORMS_SHAREDTILE_H
#define MLTC_TRANSFORMS_SHAREDTILE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::mlt {

/// A row-major buffer of `shape` elements in shared local memory, through which
/// warps exchange parts of a tile. Elements that memory cannot hold as they are
/// (i1, pointers) are stored as i8 and i64. Barriers are the caller's.
class SharedTile {
public:
  /// Allocates the buffer for elements of type `element`.
  SharedTile(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape,
             Type element);

  /// Stores `value`, a tensor of the buffer's rank or a scalar, at `offsets`
  /// (i32, elements, one per dimension of the buffer).
  void store(OpBuilder &builder, Location loc, Value value,
             ArrayRef<Value> offsets) const;

  /// Loads a value of `type`, a tensor of the buffer's rank or a scalar.
  Value load(OpBuilder &builder, Location loc, Type type,
             ArrayRef<Value> offsets) const;

  /// Loads one scalar of `type` per element of `indices` (a 1-D tensor of i32)
  /// from a 1-D buffer, counted from element `start` (i32).
  Value gather(OpBuilder &builder, Location loc, Type type, Value start,
               Value indices) const;

private:
  Value fromStored(OpBuilder &builder, Location loc, Type type,
                   Value value) const;
  Value getPointers(OpBuilder &builder, Location loc, Type type,
                    ArrayRef<Value> offsets) const;

  SmallVector<int64_t> shape;
  Type stored;
  Value base;
};

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_SHAREDTILE_H
