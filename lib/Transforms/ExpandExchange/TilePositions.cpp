//===- TilePositions.cpp - where the elements of a tile are ---------------===//
//
// Exchanges address buffers by the row-major number of an element, which comes
// from its indices.
//
//===----------------------------------------------------------------------===//
#include "Transforms/ExpandExchange/TilePositions.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Transforms/BlockPointer/BlockPointer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::mlt;

Value mlt::splatConstant(OpBuilder &builder, Location loc,
                         RankedTensorType type, int64_t value) {
  auto element = builder.getIntegerAttr(
      type.getElementType(),
      APInt(64, value).trunc(type.getElementTypeBitWidth()));
  return arith::ConstantOp::create(builder, loc,
                                   SplatElementsAttr::get(type, element));
}

Value mlt::getIndex(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape,
                    unsigned dim) {
  auto type = RankedTensorType::get({shape[dim]}, builder.getI32Type());
  Value range = tt::MakeRangeOp::create(builder, loc, type, 0, shape[dim]);
  return spreadVector(builder, loc, range, dim, shape);
}

int64_t mlt::getStride(ArrayRef<int64_t> shape, unsigned dim) {
  int64_t stride = 1;
  for (int64_t extent : shape.drop_front(dim + 1))
    stride *= extent;
  return stride;
}

Value mlt::linearize(OpBuilder &builder, Location loc, ValueRange indices,
                     ArrayRef<int64_t> shape) {
  Value number;
  for (auto [dim, index] : llvm::enumerate(indices)) {
    auto type = cast<RankedTensorType>(index.getType());
    int64_t stride = getStride(shape, dim);
    if (stride != 1)
      index = arith::MulIOp::create(builder, loc, index,
                                    splatConstant(builder, loc, type, stride));
    number =
        number ? arith::AddIOp::create(builder, loc, number, index) : index;
  }
  return number;
}

SmallVector<Value> mlt::getZeroOffsets(OpBuilder &builder, Location loc,
                                       unsigned rank) {
  return SmallVector<Value>(rank,
                            arith::ConstantIntOp::create(builder, loc, 0, 32));
}
