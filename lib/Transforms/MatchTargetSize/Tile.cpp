//===- Tile.cpp - a tile that exists in pieces ----------------------------===//
#include "Transforms/MatchTargetSize/Tile.h"
#include "Dialect/MLT/IR/MLTDialect.h"

using namespace mlir;
using namespace mlir::mlt;

Value TilePieces::getPiece(ArrayRef<int64_t> offset) const {
  int64_t index = 0;
  for (auto [start, part, extent] :
       llvm::zip_equal(offset, piece, type.getShape()))
    index = index * (extent / part) + start / part;
  return pieces[index];
}

Value TilePieces::get(OpBuilder &builder, Location loc,
                      ArrayRef<int64_t> offset, ArrayRef<int64_t> shape) const {
  // The largest part that lies inside one piece.
  SmallVector<int64_t> inner;
  for (auto [part, extent] : llvm::zip_equal(piece, shape))
    inner.push_back(std::min(part, extent));
  auto innerType =
      RankedTensorType::get(inner, type.getElementType(), type.getEncoding());

  SmallVector<Value> parts;
  for (ArrayRef<int64_t> step : getPieceOffsets(shape, inner)) {
    SmallVector<int64_t> start, within;
    for (auto [a, b, part] : llvm::zip_equal(offset, step, piece)) {
      start.push_back(a + b);
      within.push_back((a + b) % part);
    }
    Value source = getPiece(start);
    parts.push_back(
        source.getType() == innerType
            ? source
            : ExtractOp::create(builder, loc, innerType, source, within));
  }
  if (parts.size() == 1)
    return parts.front();
  return GlueOp::create(
      builder, loc,
      RankedTensorType::get(shape, type.getElementType(), type.getEncoding()),
      parts);
}

SmallVector<Value> TilePieces::split(OpBuilder &builder, Location loc,
                                     ArrayRef<int64_t> shape) const {
  SmallVector<Value> result;
  for (ArrayRef<int64_t> offset : getPieceOffsets(type.getShape(), shape))
    result.push_back(get(builder, loc, offset, shape));
  return result;
}
