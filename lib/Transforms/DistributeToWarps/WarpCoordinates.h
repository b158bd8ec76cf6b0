//===- WarpCoordinates.h - which part of a tile a warp has ------*- C++ -*-===//
//
// The position of the current warp in the layouts of a function, as values of
// the function: where its part of a tile starts, and whether it is the owner of
// what several warps hold.
//
//===----------------------------------------------------------------------===//
#ifndef MLTC_TRANSFORMS_DISTRIBUTETOWARPS_WARPCOORDINATES_H
#define MLTC_TRANSFORMS_DISTRIBUTETOWARPS_WARPCOORDINATES_H

#include "Dialect/Triton/IR/Triton.h"
#include "Dialect/TritonGPU/IR/TritonGPUDialect.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::mlt {

/// The tensor that is or is pointed to by a value of `type`, if its encoding
/// says how it is split over warps; else null.
RankedTensorType getEncodedTensor(Type type);

/// The coordinates of the current warp in each root layout of one function,
/// computed once at its entry.
class WarpCoordinates {
public:
  explicit WarpCoordinates(tt::FuncOp func);

  Value getWarpId() const { return warpId; }

  /// First element (i32) of the current warp's tile along dimension `dim`, or a
  /// null value when it is always 0.
  Value getOffset(OpBuilder &builder, Location loc,
                  const ttg::WarpDistribution &distribution,
                  unsigned dim) const;

  /// The same along every dimension, with a zero for what is always 0.
  SmallVector<Value>
  getOffsets(OpBuilder &builder, Location loc,
             const ttg::WarpDistribution &distribution) const;

  /// An i1 that is true in the one warp that owns its part of a value with
  /// `distribution`, or a null value when no warp shares its part.
  Value getOwnership(OpBuilder &builder, Location loc,
                     const ttg::WarpDistribution &distribution) const;

private:
  void add(OpBuilder &builder, Location loc, ttg::BlockedEncodingAttr root);

  Value warpId;
  llvm::MapVector<ttg::BlockedEncodingAttr, SmallVector<Value>> coordinates;
};

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_DISTRIBUTETOWARPS_WARPCOORDINATES_H
