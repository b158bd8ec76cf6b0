//===- Tiling.h - how a tile is split over warps
//----------------------------===//
#ifndef MLTC_ANALYSIS_TILING_H
#define MLTC_ANALYSIS_TILING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>

namespace mlir::mlt {

/// How the result of a dot is split (the paper, section 3.1). `Square`,
/// `Horizontal` and `Vertical` are also what a hint on a dot can ask for;
/// `Attention` is horizontal as long as there are rows, splits columns over the
/// warps left, and never fails.
enum class TilingKind { Square, Horizontal, Vertical, Attention };

llvm::StringRef stringifyTilingKind(TilingKind kind);

/// The kind that a hint names; nullopt for an unknown name.
std::optional<TilingKind> symbolizeTilingKind(llvm::StringRef name);

/// Elements per warp and warps per dimension. Warp w has the row-major
/// coordinates of w over `warpsPerCTA`; along a dimension it owns the tile
/// coordinate mod (extent / sizePerWarp). Where there are more warps than
/// tiles, warps with equal tiles are replicas.
struct Tiling {
  llvm::SmallVector<int64_t> sizePerWarp;
  llvm::SmallVector<int64_t> warpsPerCTA;

  bool operator==(const Tiling &other) const {
    return sizePerWarp == other.sizePerWarp && warpsPerCTA == other.warpsPerCTA;
  }
};

/// Splits the result of a dot of `shape` (any rank; the last two dimensions
/// are rows and columns, the others a batch) over `numWarps` warps.
///
/// `minTile` holds the rows and columns below which no warp tile goes unless
/// the problem itself is smaller: the extents of the dot instruction. All
/// extents and counts are powers of two, everything else is an error.
/// `Horizontal` and `Vertical` fail when the extent cannot be cut into
/// `numWarps` parts of at least one row or `minTile` columns; the other kinds
/// replicate instead.
llvm::Expected<Tiling> solveTiling(llvm::ArrayRef<int64_t> shape,
                                   int64_t numWarps, TilingKind kind,
                                   llvm::ArrayRef<int64_t> minTile);

/// Splits a tile evenly, without a dot: dimensions are cut from the slowest to
/// the fastest of `order` (fastest first), so that a warp gets contiguous
/// chunks, the fastest one never below `minChunk` elements. Dimensions in
/// `last` (reduced ones) are cut only when the others are used up.
llvm::Expected<Tiling> solveEvenSplit(llvm::ArrayRef<int64_t> shape,
                                      llvm::ArrayRef<int64_t> order,
                                      int64_t numWarps, int64_t minChunk,
                                      llvm::ArrayRef<int64_t> last = {});

} // namespace mlir::mlt

#endif // MLTC_ANALYSIS_TILING_H
