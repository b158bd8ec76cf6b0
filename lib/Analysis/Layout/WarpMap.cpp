//===- WarpMap.cpp - which warp holds which part of a tensor
//----------------===//
//
// Encodings are names with a parent chain; many different chains mean the same
// thing. This file computes the meaning, compares meanings, and finds a name
// for a meaning that comes out of a transposition, a reshape or a new
// dimension.
//
// All extents and warp counts are powers of two, so a dimension is a string of
// bits: the upper ones choose the warp, the lower ones the place within it.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Layout/WarpMap.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Dialect/TritonGPU/IR/TritonGPUDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::mlt;

std::optional<WarpMap> WarpMap::get(ArrayRef<int64_t> shape,
                                    Attribute attribute) {
  auto encoding = dyn_cast_if_present<ttg::WarpEncodingAttr>(attribute);
  if (!encoding || encoding.getRank() != shape.size())
    return std::nullopt;
  auto root = cast<ttg::BlockedEncodingAttr>(encoding.getRoot());
  ArrayRef<int64_t> warps = root.getWarpsPerCTA();
  SmallVector<int64_t> strides(warps.size(), 1);
  for (unsigned dim = warps.size() - 1; dim > 0; --dim)
    strides[dim - 1] = strides[dim] * warps[dim];

  WarpMap map;
  map.numWarps = strides.front() * warps.front();
  for (auto [extent, size, rootDim] : llvm::zip_equal(
           shape, encoding.getSizePerWarp(shape), encoding.getRootDims())) {
    int64_t tiles = rootDim ? extent / size : 1;
    if (size * tiles != extent || (rootDim && tiles > warps[*rootDim]))
      return std::nullopt;
    map.dims.push_back({size, tiles, tiles > 1 ? strides[*rootDim] : 1});
  }
  return map;
}

//===----------------------------------------------------------------------===//
// A name for a map
//===----------------------------------------------------------------------===//

Attribute WarpMap::toEncoding(MLIRContext *context) const {
  unsigned rank = dims.size();
  SmallVector<int64_t> size, warps(rank, 1);
  for (const Dim &dim : dims)
    size.push_back(dim.size);

  // From the last dimension, whose digit of the warp id is the lowest. Digits
  // that no dimension uses make replicas: the upper digits of a dimension that
  // is already placed, or of an extra last dimension that is sliced off.
  int64_t placed = 1;
  int64_t extra = 1;
  for (unsigned dim = rank; dim-- > 0;) {
    if (dims[dim].tiles == 1)
      continue;
    if (dims[dim].stride % placed != 0)
      return {};
    int64_t gap = dims[dim].stride / placed;
    (dim + 1 < rank ? warps[dim + 1] : extra) *= gap;
    warps[dim] = dims[dim].tiles;
    placed = dims[dim].stride * dims[dim].tiles;
  }
  if (placed > numWarps)
    return {};
  warps.front() *= numWarps / placed;

  auto blocked = [&] {
    SmallVector<int64_t> order =
        llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, size.size())));
    return ttg::BlockedEncodingAttr::get(context, size, warps, order);
  };
  if (extra == 1)
    return blocked();
  size.push_back(1);
  warps.push_back(extra);
  return ttg::SliceEncodingAttr::get(context, rank, blocked());
}

//===----------------------------------------------------------------------===//
// Shape operations
//===----------------------------------------------------------------------===//

WarpMap WarpMap::permute(ArrayRef<int32_t> order) const {
  WarpMap result{{}, numWarps};
  for (int32_t dim : order)
    result.dims.push_back(dims[dim]);
  return result;
}

WarpMap WarpMap::insertWhole(unsigned axis, int64_t extent) const {
  WarpMap result = *this;
  result.dims.insert(result.dims.begin() + axis, Dim{extent, 1, 1});
  return result;
}

WarpMap WarpMap::erase(unsigned axis) const {
  WarpMap result = *this;
  result.dims.erase(result.dims.begin() + axis);
  return result;
}

WarpMap WarpMap::makeWhole(unsigned axis, int64_t extent) const {
  WarpMap result = *this;
  result.dims[axis] = {extent, 1, 1};
  return result;
}

std::optional<WarpMap> WarpMap::reshape(ArrayRef<int64_t> shape) const {
  // The bits of the row-major index, highest first: the stride (in warps) of
  // the digit of the warp id that a bit comes from, 0 for a place in the warp.
  SmallVector<int64_t> bits;
  for (const Dim &dim : dims) {
    for (int64_t tile = dim.tiles; tile > 1; tile /= 2)
      bits.push_back(dim.stride * tile / 2);
    bits.append(llvm::Log2_64(dim.size), 0);
  }

  WarpMap result{{}, numWarps};
  auto next = bits.begin();
  for (int64_t extent : shape) {
    Dim dim{extent, 1, 1};
    for (int64_t left = extent; left > 1; left /= 2, ++next) {
      if (next == bits.end())
        return std::nullopt;
      if (*next == 0)
        continue;
      bool first = dim.tiles == 1;
      // Warp bits come first within a dimension, and in the order of the id.
      if (left * dim.tiles != extent || (!first && *next * 2 != dim.stride))
        return std::nullopt;
      dim = {dim.size / 2, dim.tiles * 2, *next};
    }
    result.dims.push_back(dim);
  }
  if (next != bits.end())
    return std::nullopt;
  return result;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

bool mlt::areEquivalent(ArrayRef<int64_t> shape, Attribute a, Attribute b) {
  if (a == b)
    return true;
  std::optional<WarpMap> left = WarpMap::get(shape, a);
  std::optional<WarpMap> right = WarpMap::get(shape, b);
  return left && right && *left == *right;
}

RankedTensorType mlt::getTensorType(Type type) {
  if (auto pointer = dyn_cast<tt::PointerType>(type))
    type = pointer.getPointeeType();
  return dyn_cast<RankedTensorType>(type);
}

Type mlt::withEncoding(Type type, Attribute encoding) {
  if (auto pointer = dyn_cast<tt::PointerType>(type))
    return tt::PointerType::get(
        withEncoding(pointer.getPointeeType(), encoding),
        pointer.getAddressSpace());
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.cloneWithEncoding(encoding);
  return type;
}

Attribute mlt::getEncoding(Type type) {
  RankedTensorType tensor = getTensorType(type);
  return tensor ? tensor.getEncoding() : Attribute();
}
