//===- WarpMap.h - which warp holds which part of a tensor
//------------------===//
#ifndef MLTC_ANALYSIS_LAYOUT_WARPMAP_H
#define MLTC_ANALYSIS_LAYOUT_WARPMAP_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include <optional>

namespace mlir::mlt {

/// What an encoding means for one shape, free of how it is spelled: along each
/// dimension, warp w holds tile (w / stride) % tiles of `size` elements. Two
/// encodings with equal maps need no data movement between them.
struct WarpMap {
  struct Dim {
    int64_t size;   // elements per warp
    int64_t tiles;  // distinct tiles, 1: every warp holds the whole dimension
    int64_t stride; // warps between neighbouring tiles

    bool operator==(const Dim &other) const {
      return size == other.size && tiles == other.tiles &&
             (tiles == 1 || stride == other.stride);
    }
  };

  SmallVector<Dim> dims;
  int64_t numWarps = 1;

  /// The map of a tensor of `shape` with `encoding`; nullopt when the attribute
  /// is no layout encoding, has another rank, or leaves elements without owner.
  static std::optional<WarpMap> get(ArrayRef<int64_t> shape,
                                    Attribute encoding);

  bool operator==(const WarpMap &other) const {
    return numWarps == other.numWarps && dims == other.dims;
  }

  /// An encoding with this map: blocked, or a slice of a blocked one. Null when
  /// there is none, since encodings cannot permute the digits of a warp's id.
  Attribute toEncoding(MLIRContext *context) const;

  /// Dimension i of the result is dimension `order[i]`.
  WarpMap permute(ArrayRef<int32_t> order) const;

  /// With a dimension of `extent` elements, whole in every warp, at `axis`.
  WarpMap insertWhole(unsigned axis, int64_t extent) const;

  /// Without dimension `axis`.
  WarpMap erase(unsigned axis) const;

  /// With dimension `axis` of `extent` elements whole in every warp.
  WarpMap makeWhole(unsigned axis, int64_t extent) const;

  /// The map after a row-major reshape to `shape`; nullopt when the part of a
  /// warp is no rectangle there.
  std::optional<WarpMap> reshape(ArrayRef<int64_t> shape) const;
};

/// True when both encodings put every element of `shape` into the same warps.
bool areEquivalent(ArrayRef<int64_t> shape, Attribute a, Attribute b);

/// The tensor behind a type that can carry an encoding: a ranked tensor, or the
/// pointee of a block pointer. Null for everything else.
RankedTensorType getTensorType(Type type);

/// `type` with its tensor's encoding replaced.
Type withEncoding(Type type, Attribute encoding);

/// Encoding of the tensor behind `type`, null when there is none.
Attribute getEncoding(Type type);

} // namespace mlir::mlt

#endif // MLTC_ANALYSIS_LAYOUT_WARPMAP_H
