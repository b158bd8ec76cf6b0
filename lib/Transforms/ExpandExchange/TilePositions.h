//===- TilePositions.h - where the elements of a tile are -----------------===//
#ifndef MLTC_TRANSFORMS_EXPANDEXCHANGE_TILEPOSITIONS_H
#define MLTC_TRANSFORMS_EXPANDEXCHANGE_TILEPOSITIONS_H

#include "Transforms/SharedMemory/SharedTile.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mlir::mlt {

/// A tensor of integers that are all `value`.
Value splatConstant(OpBuilder &builder, Location loc, RankedTensorType type,
                    int64_t value);

/// The index along `dim` (i32) of every place of a tile of `shape`.
Value getIndex(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape,
               unsigned dim);

/// Distance of neighbours along `dim` in row-major order.
int64_t getStride(ArrayRef<int64_t> shape, unsigned dim);

/// The row-major number in a tile of `shape` of the place whose index along
/// every dimension is given by `indices` (i32, of one shape).
Value linearize(OpBuilder &builder, Location loc, ValueRange indices,
                ArrayRef<int64_t> shape);

/// As many offsets of zero (i32) as a tile of rank `rank` has.
SmallVector<Value> getZeroOffsets(OpBuilder &builder, Location loc,
                                  unsigned rank);

/// A buffer for a tile of `op`: the work-group's or, in a kernel written for
/// one warp, the warp's.
SharedTile makeBuffer(OpBuilder &builder, Operation *op,
                      ArrayRef<int64_t> shape, Type element);

/// Adds the pattern that expands `tt.scan`.
void populateScanPatterns(RewritePatternSet &patterns);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_EXPANDEXCHANGE_TILEPOSITIONS_H
