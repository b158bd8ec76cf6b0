//===- TritonGPUDialect.h - layout encodings of ML-Triton
//-------------------===//
#ifndef MLTC_DIALECT_TRITONGPU_H
#define MLTC_DIALECT_TRITONGPU_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include <optional>

#include "Dialect/TritonGPU/IR/TritonGPUDialect.h.inc"

namespace mlir::ttg {
class BlockedEncodingAttr;

/// Largest number of warps of a workgroup (design: powers of two, 1..64).
inline constexpr int64_t kMaxWarps = 64;
} // namespace mlir::ttg

#include "Dialect/TritonGPU/IR/TritonGPUAttrInterfaces.h.inc"
#define GET_ATTRDEF_CLASSES
#include "Dialect/TritonGPU/IR/TritonGPUAttrs.h.inc"

namespace mlir::ttg {

/// How a tensor of a given shape and encoding lies over the warps. Derived once
/// from the type; everything that needs warp coordinates asks here.
struct WarpDistribution {
  BlockedEncodingAttr root;
  /// Elements per warp, per tensor dimension.
  SmallVector<int64_t> sizePerWarp;
  /// Root dimension that splits each tensor dimension; nullopt: held whole.
  SmallVector<std::optional<unsigned>> rootDims;
  /// Distinct warp tiles along each tensor dimension (1 when held whole).
  SmallVector<int64_t> numTiles;

  /// Root dimensions along which several warps hold the same tile, each with
  /// the number of distinct tiles along it (1: all warps along it agree).
  SmallVector<std::pair<unsigned, int64_t>> getReplication() const;
};

/// The blocked encoding at the root of the parent chain of `encoding`.
BlockedEncodingAttr getRootEncoding(WarpEncodingAttr encoding);

/// Distribution of `type`, whose encoding must be one of this dialect's.
/// Returns nullopt for a type without such an encoding.
std::optional<WarpDistribution> getWarpDistribution(RankedTensorType type);

/// The type that one warp holds of `type`: shape from the distribution, no
/// encoding. Types without encoding are returned unchanged.
RankedTensorType getWarpType(RankedTensorType type);

/// Coordinates of warp `warp` in `root`: row-major delinearisation.
SmallVector<int64_t> getWarpCoordinates(BlockedEncodingAttr root, int64_t warp);

/// Number of warps from the module attribute, nullopt when there is none.
std::optional<int64_t> lookupNumWarps(ModuleOp module);

/// True for the numbers of warps that a workgroup can have.
bool isLegalWarpCount(int64_t numWarps);

/// Registers `triton_gpu` as an input-only spelling of this dialect.
void registerTritonGPUAliasDialect(DialectRegistry &registry);

} // namespace mlir::ttg

#endif // MLTC_DIALECT_TRITONGPU_H
