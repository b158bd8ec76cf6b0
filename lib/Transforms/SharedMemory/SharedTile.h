//===- SharedTile.h - tiles in shared local memory ------------------------===//
#ifndef MLTC_TRANSFORMS_SHAREDTILE_H
#define MLTC_TRANSFORMS_SHAREDTILE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::mlt {

/// A row-major buffer of `shape` elements in shared local memory, through which
/// warps exchange parts of a tile. Elements that memory cannot hold as they are
/// (i1, pointers) are stored as i8 and i64. Barriers are the
/// caller's, except in `exchange`.
class SharedTile {
public:
  /// Allocates the buffer for elements of type `element`.
  SharedTile(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape,
             Type element);

  /// Allocates such a buffer for each of `numWarps` warps, for what a warp
  /// keeps to itself; this is the one of the current warp.
  static SharedTile ofWarp(OpBuilder &builder, Location loc,
                           ArrayRef<int64_t> shape, Type element,
                           int64_t numWarps);

  /// What the buffer takes of one warp's or the work-group's memory (bytes).
  int64_t getSizeInBytes() const;

  /// Stores `value`, a tensor of the buffer's rank or a scalar, at `offsets`
  /// (i32, elements, one per dimension of the buffer).
  void store(OpBuilder &builder, Location loc, Value value,
             ArrayRef<Value> offsets) const;

  /// Loads a value of `type`, a tensor of the buffer's rank or a scalar.
  Value load(OpBuilder &builder, Location loc, Type type,
             ArrayRef<Value> offsets) const;

  /// Loads like `load` what other warps have stored: between a barrier behind
  /// their stores, which orders global memory too if `global`, and one that
  /// keeps the next use of the buffer from overtaking slow readers.
  Value exchange(OpBuilder &builder, Location loc, Type type,
                 ArrayRef<Value> offsets, bool global = false) const;

  /// Loads one scalar of `type` per element of `indices` (a tensor of i32), the
  /// row-major number of an element of the buffer, counted from element `start`
  /// (i32) if that is given.
  Value gather(OpBuilder &builder, Location loc, Type type, Value start,
               Value indices) const;

  /// Stores the elements of `value` where `gather` would load them from.
  void scatter(OpBuilder &builder, Location loc, Value value, Value start,
               Value indices) const;

  /// Pointers to the elements with the row-major numbers `indices` (i32).
  Value getPointersAt(OpBuilder &builder, Location loc, Value indices,
                      Value start = {}) const;

private:
  SharedTile(ArrayRef<int64_t> shape, Type element);
  Value toStored(OpBuilder &builder, Location loc, Value value) const;
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
