//===- Tile.h - a tile that exists in pieces ------------------------------===//
#ifndef MLTC_TRANSFORMS_TILE_H
#define MLTC_TRANSFORMS_TILE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::mlt {

/// A tile of type `type` given by equal pieces in row-major order. Any part of
/// it can be asked for; parts inside one piece cost nothing at run time.
class TilePieces {
public:
  TilePieces(RankedTensorType type, ArrayRef<int64_t> piece, ValueRange pieces)
      : type(type), piece(piece), pieces(pieces) {}

  /// The part of shape `shape` at `offset`, both in elements. Along each
  /// dimension the extents of piece and part must divide one another.
  Value get(OpBuilder &builder, Location loc, ArrayRef<int64_t> offset,
            ArrayRef<int64_t> shape) const;

  /// The whole tile in pieces of another shape.
  SmallVector<Value> split(OpBuilder &builder, Location loc,
                           ArrayRef<int64_t> shape) const;

private:
  Value getPiece(ArrayRef<int64_t> offset) const;

  RankedTensorType type;
  ArrayRef<int64_t> piece;
  ValueRange pieces;
};

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_TILE_H
