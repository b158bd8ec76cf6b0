//===- Tiling.cpp - how a tile is split over warps
//--------------------------===//
//
// The one place that chooses sizePerWarp and warpsPerCTA. Everything is a power
// of two, so the choices can be enumerated: for a dot, all ways to cut rows and
// columns into as many tiles as there are warps, judged by what a warp has to
// load per step of k (rows of A plus columns of B). The same count decides the
// registers of the operands; those of the accumulator depend on the area only.
//
// Three properties hold for every input and are tested exhaustively: the
// product of warpsPerCTA is the number of warps, every element has exactly one
// owner, and no tile is smaller than the dot instruction unless the problem is.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Tiling/Tiling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace mlir::mlt;

StringRef mlir::mlt::stringifyTilingKind(TilingKind kind) {
  switch (kind) {
  case TilingKind::Square:
    return "square";
  case TilingKind::Horizontal:
    return "horizontal";
  case TilingKind::Vertical:
    return "vertical";
  case TilingKind::Attention:
    return "attention";
  }
  return "";
}

std::optional<TilingKind> mlir::mlt::symbolizeTilingKind(StringRef name) {
  return StringSwitch<std::optional<TilingKind>>(name)
      .Case("square", TilingKind::Square)
      .Case("horizontal", TilingKind::Horizontal)
      .Case("vertical", TilingKind::Vertical)
      .Default(std::nullopt);
}

//===----------------------------------------------------------------------===//
// What is asked for
//===----------------------------------------------------------------------===//

static bool isPowerOfTwo(int64_t n) { return n > 0 && isPowerOf2_64(n); }

static Error checkRequest(ArrayRef<int64_t> shape, int64_t numWarps) {
  if (shape.empty())
    return createStringError("expected a tile of rank 1 or more, got rank 0");
  for (int64_t extent : shape)
    if (!isPowerOfTwo(extent))
      return createStringError("expected extents that are powers of two, got " +
                               Twine(extent));
  if (!isPowerOfTwo(numWarps))
    return createStringError(
        "expected a number of warps that is a power of two, got " +
        Twine(numWarps));
  return Error::success();
}

namespace {
/// Numbers of tiles along each dimension under construction.
struct Cuts {
  ArrayRef<int64_t> shape;
  SmallVector<int64_t> tiles;
  int64_t warpsLeft;

  Cuts(ArrayRef<int64_t> shape, int64_t numWarps)
      : shape(shape), tiles(shape.size(), 1), warpsLeft(numWarps) {}

  /// Cuts dimension `dim` into as many tiles as warps are left, none below
  /// `minimum` elements.
  void cut(unsigned dim, int64_t minimum) {
    int64_t most = std::max<int64_t>(1, shape[dim] / tiles[dim] / minimum);
    int64_t count = std::min(warpsLeft, most);
    tiles[dim] *= count;
    warpsLeft /= count;
  }

  /// Warps that no tile is left for become replicas along the slowest
  /// dimension, so that the owners are the warps with the lowest ids.
  Tiling finish() const {
    Tiling tiling;
    for (auto [extent, count] : zip_equal(shape, tiles)) {
      tiling.sizePerWarp.push_back(extent / count);
      tiling.warpsPerCTA.push_back(count);
    }
    tiling.warpsPerCTA.front() *= warpsLeft;
    return tiling;
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Dots
//===----------------------------------------------------------------------===//

/// Cuts rows and columns into as many tiles as there are warps, with the least
/// to load per step of k. Among equals the wider tile wins: its rows are longer
/// in memory.
static void cutSquare(Cuts &cuts, int64_t minRows, int64_t minColumns) {
  unsigned row = cuts.shape.size() - 2, column = row + 1;
  int64_t rows = cuts.shape[row], columns = cuts.shape[column];
  int64_t mostDown = std::max<int64_t>(1, rows / minRows);
  int64_t mostAcross = std::max<int64_t>(1, columns / minColumns);
  int64_t tiles = std::min(cuts.warpsLeft, mostDown * mostAcross);
  int64_t bestCost = INT64_MAX, bestDown = 1;
  for (int64_t down = 1; down <= std::min(tiles, mostDown); down *= 2) {
    int64_t across = tiles / down;
    if (across > mostAcross)
      continue;
    int64_t cost = rows / down + columns / across;
    // Later candidates have fewer rows, hence more columns.
    if (cost <= bestCost) {
      bestCost = cost;
      bestDown = down;
    }
  }
  cuts.tiles[row] = bestDown;
  cuts.tiles[column] = tiles / bestDown;
  cuts.warpsLeft /= tiles;
}

Expected<Tiling> mlir::mlt::solveTiling(ArrayRef<int64_t> shape,
                                        int64_t numWarps, TilingKind kind,
                                        ArrayRef<int64_t> minTile) {
  if (Error error = checkRequest(shape, numWarps))
    return std::move(error);
  if (minTile.size() != 2 || !all_of(minTile, isPowerOfTwo))
    return createStringError("expected two powers of two as smallest tile");
  Cuts cuts(shape, numWarps);
  if (shape.size() == 1) {
    cuts.cut(0, minTile[1]);
    return cuts.finish();
  }
  // Batches share no operand: cutting them costs nothing.
  unsigned row = shape.size() - 2, column = row + 1;
  for (unsigned dim = 0; dim < row; ++dim)
    cuts.cut(dim, 1);
  switch (kind) {
  case TilingKind::Square:
    cutSquare(cuts, std::min(minTile[0], shape[row]),
              std::min(minTile[1], shape[column]));
    break;
  case TilingKind::Attention:
    cuts.cut(row, 1);
    // Fewer rows than warps (decoding): the first dot is repeated by the warps
    // left over in any case, the second one need not be.
    cuts.cut(column, minTile[1]);
    break;
  case TilingKind::Horizontal:
    cuts.cut(row, 1);
    if (cuts.warpsLeft > 1)
      return createStringError(Twine(shape[row]) +
                               " rows cannot be split over " + Twine(numWarps) +
                               " warps");
    break;
  case TilingKind::Vertical:
    cuts.cut(column, minTile[1]);
    if (cuts.warpsLeft > 1)
      return createStringError(
          Twine(shape[column]) + " columns cannot be split over " +
          Twine(numWarps) + " warps, a warp needs at least " +
          Twine(minTile[1]) + " for its dot instruction");
    break;
  }
  return cuts.finish();
}

//===----------------------------------------------------------------------===//
// Everything else
//===----------------------------------------------------------------------===//

Expected<Tiling> mlir::mlt::solveEvenSplit(ArrayRef<int64_t> shape,
                                           ArrayRef<int64_t> order,
                                           int64_t numWarps, int64_t minChunk,
                                           ArrayRef<int64_t> last) {
  if (Error error = checkRequest(shape, numWarps))
    return std::move(error);
  if (order.size() != shape.size() || !isPowerOfTwo(minChunk))
    return createStringError("expected an order of the tile's rank and a "
                             "smallest chunk that is a power of two");
  Cuts cuts(shape, numWarps);
  for (bool deferred : {false, true})
    for (int64_t dim : reverse(order))
      if (is_contained(last, dim) == deferred)
        cuts.cut(dim, dim == order.front() ? minChunk : 1);
  return cuts.finish();
}
