//===- SharedTile.cpp - tiles in shared local memory ----------------------===//
//
// Reductions across warps and changes of layout both write parts of a tile
// where other warps read them. This is the one way they do it.
//
//===----------------------------------------------------------------------===//
#include "Transforms/SharedMemory/SharedTile.h"
#include "Dialect/MLT/IR/SharedMemory.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Transforms/BlockPointer/BlockPointer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::mlt;

static Type getStoredType(Type element) {
  OpBuilder builder(element.getContext());
  if (element.isInteger(1))
    return builder.getI8Type();
  if (isa<tt::PointerType>(element))
    return builder.getI64Type();
  return element;
}

/// `type` with the element type `element`.
static Type withElement(Type type, Type element) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return RankedTensorType::get(tensor.getShape(), element);
  return element;
}

SharedTile::SharedTile(ArrayRef<int64_t> shape, Type element)
    : shape(shape), stored(getStoredType(element)) {}

SharedTile SharedTile::ofWarp(OpBuilder &builder, Location loc,
                              ArrayRef<int64_t> shape, Type element,
                              int64_t numWarps) {
  SmallVector<int64_t> all{numWarps};
  llvm::append_range(all, shape);
  SharedTile tile(shape, element);
  Value base = SharedTile(builder, loc, all, element).base;
  int64_t size = 1;
  for (int64_t extent : shape)
    size *= extent;
  Value warp = WarpIdOp::create(builder, loc, builder.getI32Type());
  Value start = arith::MulIOp::create(
      builder, loc, warp, arith::ConstantIntOp::create(builder, loc, size, 32));
  tile.base = tt::AddPtrOp::create(builder, loc, base.getType(), base, start);
  return tile;
}

SharedTile::SharedTile(OpBuilder &builder, Location loc,
                       ArrayRef<int64_t> shape, Type element)
    : SharedTile(shape, element) {
  base = AllocOp::create(builder, loc,
                         tt::PointerType::get(stored, kLocalSpace), shape,
                         /*offset=*/nullptr);
}

int64_t SharedTile::getSizeInBytes() const {
  int64_t size = stored.getIntOrFloatBitWidth() / 8;
  for (int64_t extent : shape)
    size *= extent;
  return size;
}

Value SharedTile::getPointers(OpBuilder &builder, Location loc, Type type,
                              ArrayRef<Value> offsets) const {
  BlockPointerParts parts;
  parts.base = base;
  parts.offsets = llvm::to_vector(offsets);
  int64_t stride = 1;
  for (int64_t extent : llvm::reverse(shape)) {
    parts.strides.insert(parts.strides.begin(), arith::ConstantIntOp::create(
                                                    builder, loc, stride, 64));
    parts.shape.insert(parts.shape.begin(),
                       arith::ConstantIntOp::create(builder, loc, extent, 64));
    stride *= extent;
  }
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return buildPointers(builder, loc, parts, tensor.getShape());
  Value index;
  for (auto [offset, step] : llvm::zip_equal(parts.offsets, parts.strides)) {
    Value part = arith::MulIOp::create(builder, loc,
                                       extendToI64(builder, loc, offset), step);
    index = index ? arith::AddIOp::create(builder, loc, index, part) : part;
  }
  return tt::AddPtrOp::create(builder, loc, base.getType(), base, index);
}

Value SharedTile::toStored(OpBuilder &builder, Location loc,
                           Value value) const {
  Type type = withElement(value.getType(), stored);
  Type element = getElementTypeOrSelf(value.getType());
  if (element.isInteger(1))
    return arith::ExtUIOp::create(builder, loc, type, value);
  if (isa<tt::PointerType>(element))
    return tt::PtrToIntOp::create(builder, loc, type, value);
  return value;
}

void SharedTile::store(OpBuilder &builder, Location loc, Value value,
                       ArrayRef<Value> offsets) const {
  value = toStored(builder, loc, value);
  tt::StoreOp::create(
      builder, loc, getPointers(builder, loc, value.getType(), offsets), value);
}

void SharedTile::scatter(OpBuilder &builder, Location loc, Value value,
                         Value start, Value indices) const {
  tt::StoreOp::create(builder, loc, getPointersAt(builder, loc, indices, start),
                      toStored(builder, loc, value));
}

Value SharedTile::load(OpBuilder &builder, Location loc, Type type,
                       ArrayRef<Value> offsets) const {
  Value value = tt::LoadOp::create(
      builder, loc,
      getPointers(builder, loc, withElement(type, stored), offsets));
  return fromStored(builder, loc, type, value);
}

Value SharedTile::exchange(OpBuilder &builder, Location loc, Type type,
                           ArrayRef<Value> offsets, bool global) const {
  BarrierOp::create(builder, loc, global);
  Value loaded = load(builder, loc, type, offsets);
  BarrierOp::create(builder, loc);
  return loaded;
}

Value SharedTile::getPointersAt(OpBuilder &builder, Location loc, Value indices,
                                Value start) const {
  auto indexType = cast<RankedTensorType>(indices.getType());
  Value first = base;
  if (start)
    first = tt::AddPtrOp::create(builder, loc, base.getType(), base,
                                 extendToI64(builder, loc, start));
  auto pointerType =
      RankedTensorType::get(indexType.getShape(), first.getType());
  Value pointers = tt::SplatOp::create(builder, loc, pointerType, first);
  return tt::AddPtrOp::create(builder, loc, pointerType, pointers, indices);
}

Value SharedTile::gather(OpBuilder &builder, Location loc, Type type,
                         Value start, Value indices) const {
  auto indexType = cast<RankedTensorType>(indices.getType());
  Value value = tt::LoadOp::create(builder, loc,
                                   getPointersAt(builder, loc, indices, start));
  return fromStored(builder, loc,
                    RankedTensorType::get(indexType.getShape(), type), value);
}

Value SharedTile::fromStored(OpBuilder &builder, Location loc, Type type,
                             Value value) const {
  Type element = getElementTypeOrSelf(type);
  if (element.isInteger(1))
    return arith::TruncIOp::create(builder, loc, type, value);
  if (isa<tt::PointerType>(element))
    return tt::IntToPtrOp::create(builder, loc, type, value);
  return value;
}
