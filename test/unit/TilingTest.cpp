//===- TilingTest.cpp - exhaustive test of the tiling solver
//---------------===//
//
// Three properties over all powers of two: the product of warpsPerCTA is the
// number of warps, every element has exactly one owner, and no tile is smaller
// than the dot instruction unless the problem is. Owners are found by walking
// all warps, not from the formula that the solver uses.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Tiling/Tiling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <numeric>
#include <set>

using namespace mlir::mlt;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {
constexpr int64_t kRows = 8, kColumns = 16, kLanes = 16;
int64_t checked = 0, wrong = 0;

void report(ArrayRef<int64_t> shape, int64_t numWarps, llvm::StringRef kind,
            llvm::StringRef problem) {
  ++wrong;
  llvm::outs() << "shape";
  for (int64_t extent : shape)
    llvm::outs() << " " << extent;
  llvm::outs() << ", " << numWarps << " warps, " << kind << ": " << problem
               << "\n";
}

/// Tile indices of a warp, from its row-major coordinates.
SmallVector<int64_t> getTile(const Tiling &tiling, ArrayRef<int64_t> shape,
                             int64_t warp) {
  SmallVector<int64_t> tile(shape.size());
  for (size_t dim = shape.size(); dim-- > 0;) {
    int64_t coordinate = warp % tiling.warpsPerCTA[dim];
    warp /= tiling.warpsPerCTA[dim];
    tile[dim] = coordinate % (shape[dim] / tiling.sizePerWarp[dim]);
  }
  return tile;
}

/// True when warp coordinates are zero along replicated dimensions.
bool isOwner(const Tiling &tiling, ArrayRef<int64_t> shape, int64_t warp) {
  for (size_t dim = shape.size(); dim-- > 0;) {
    int64_t coordinate = warp % tiling.warpsPerCTA[dim];
    warp /= tiling.warpsPerCTA[dim];
    if (coordinate >= shape[dim] / tiling.sizePerWarp[dim])
      return false;
  }
  return true;
}

void check(ArrayRef<int64_t> shape, int64_t numWarps, llvm::StringRef kind,
           llvm::Expected<Tiling> solved, ArrayRef<int64_t> minTile) {
  ++checked;
  if (!solved)
    return report(shape, numWarps, kind, llvm::toString(solved.takeError()));
  const Tiling &tiling = *solved;
  auto product = [](ArrayRef<int64_t> list) {
    return std::accumulate(list.begin(), list.end(), int64_t(1),
                           std::multiplies<int64_t>());
  };
  if (product(tiling.warpsPerCTA) != numWarps)
    report(shape, numWarps, kind, "the product of warpsPerCTA is wrong");
  int64_t tiles = 1;
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    if (extent % tiling.sizePerWarp[dim] != 0)
      return report(shape, numWarps, kind, "tiles do not divide the shape");
    tiles *= extent / tiling.sizePerWarp[dim];
    if (tiling.sizePerWarp[dim] < std::min(minTile[dim], extent))
      report(shape, numWarps, kind, "a tile is smaller than the instruction");
  }
  // Equal tiles do not overlap partially, so elements are owned once exactly
  // when tiles are.
  std::set<SmallVector<int64_t>> owned;
  for (int64_t warp = 0; warp < numWarps; ++warp)
    if (isOwner(tiling, shape, warp) &&
        !owned.insert(getTile(tiling, shape, warp)).second)
      report(shape, numWarps, kind, "two owners");
  if (static_cast<int64_t>(owned.size()) != tiles)
    report(shape, numWarps, kind, "elements without owner");
}

void checkDots() {
  for (int64_t m = 1; m <= 1024; m *= 2)
    for (int64_t n = 1; n <= 1024; n *= 2)
      for (int64_t warps = 1; warps <= 64; warps *= 2) {
        int64_t rows = std::min(kRows, m);
        int64_t shape[] = {m, n}, minTile[] = {rows, kColumns};
        check(shape, warps, "square",
              solveTiling(shape, warps, TilingKind::Square, minTile), minTile);
        // Rows go down to a repeat count of 1 where horizontal is asked for.
        int64_t oneRow[] = {1, kColumns};
        check(shape, warps, "attention",
              solveTiling(shape, warps, TilingKind::Attention, minTile),
              oneRow);
        for (TilingKind kind : {TilingKind::Horizontal, TilingKind::Vertical}) {
          auto solved = solveTiling(shape, warps, kind, minTile);
          bool possible = kind == TilingKind::Horizontal
                              ? warps <= m
                              : warps * kColumns <= std::max(n, kColumns);
          if (possible) {
            check(shape, warps, stringifyTilingKind(kind), std::move(solved),
                  oneRow);
            continue;
          }
          ++checked;
          if (solved)
            report(shape, warps, stringifyTilingKind(kind), "not refused");
          else
            llvm::consumeError(solved.takeError());
        }
        int64_t batched[] = {4, m, n}, minBatched[] = {1, rows, kColumns};
        check(batched, warps, "batched square",
              solveTiling(batched, warps, TilingKind::Square, minTile),
              minBatched);
      }
}

void checkEvenSplits() {
  for (int64_t a = 1; a <= 1024; a *= 2)
    for (int64_t b = 1; b <= 1024; b *= 2)
      for (int64_t warps = 1; warps <= 64; warps *= 2) {
        int64_t shape[] = {a, b};
        int64_t rowMajor[] = {1, 0}, columnMajor[] = {0, 1};
        int64_t minRow[] = {1, kLanes}, minColumn[] = {kLanes, 1};
        check(shape, warps, "row-major",
              solveEvenSplit(shape, rowMajor, warps, kLanes), minRow);
        check(shape, warps, "column-major",
              solveEvenSplit(shape, columnMajor, warps, kLanes), minColumn);
        for (int64_t axis : {0, 1}) {
          auto solved = solveEvenSplit(shape, rowMajor, warps, kLanes, axis);
          // The reduced axis is whole as long as the other one can be cut.
          int64_t cuts = axis == 1 ? a : std::max<int64_t>(1, b / kLanes);
          if (solved && cuts >= warps &&
              solved->sizePerWarp[axis] != shape[axis])
            report(shape, warps, "reduction", "axis split without need");
          check(shape, warps, "reduction", std::move(solved), minRow);
        }
        int64_t longShape[] = {2, a, 1, b}, longOrder[] = {3, 2, 1, 0};
        int64_t longMin[] = {1, 1, 1, kLanes};
        check(longShape, warps, "rank 4",
              solveEvenSplit(longShape, longOrder, warps, kLanes), longMin);
        // As sorting makes them: one dimension per bit of the index.
        int64_t bits[] = {a, 2, 2, 2, 2, 2, 2, 2, 2, 2},
                bitsOrder[] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0},
                bitsMin[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
        check(bits, warps, "rank 10",
              solveEvenSplit(bits, bitsOrder, warps, kLanes), bitsMin);
        check({b}, warps, "rank 1", solveEvenSplit({b}, {0}, warps, kLanes),
              {kLanes});
      }
}

/// Choices that experts made by hand.
void checkKnown() {
  struct Known {
    int64_t m, n, warps;
    Tiling tiling;
  };
  const Known known[] = {
      {256, 256, 32, {{32, 64}, {8, 4}}}, {128, 128, 8, {{32, 64}, {4, 2}}},
      {128, 128, 16, {{32, 32}, {4, 4}}}, {128, 128, 32, {{16, 32}, {8, 4}}},
      {256, 128, 32, {{32, 32}, {8, 4}}}, {256, 256, 64, {{32, 32}, {8, 8}}},
      {8, 128, 4, {{8, 32}, {1, 4}}},     {8, 512, 32, {{8, 16}, {1, 32}}},
  };
  for (const Known &entry : known) {
    ++checked;
    int64_t shape[] = {entry.m, entry.n}, minTile[] = {kRows, kColumns};
    auto solved = solveTiling(shape, entry.warps, TilingKind::Square, minTile);
    if (!solved)
      report(shape, entry.warps, "known", llvm::toString(solved.takeError()));
    else if (!(*solved == entry.tiling))
      report(shape, entry.warps, "known", "another tiling");
  }
}

/// What is no power of two is refused, not rounded.
void checkRefusals() {
  int64_t good[] = {64, 64}, odd[] = {48, 64}, minTile[] = {8, 16};
  struct Request {
    ArrayRef<int64_t> shape;
    int64_t warps;
  };
  for (const Request &request :
       {Request{odd, 4}, Request{good, 3}, Request{good, 0}, Request{{}, 1}}) {
    ++checked;
    auto solved =
        solveTiling(request.shape, request.warps, TilingKind::Square, minTile);
    if (solved)
      report(request.shape, request.warps, "refusal", "accepted");
    else
      llvm::consumeError(solved.takeError());
  }
}
} // namespace

int main() {
  checkDots();
  checkEvenSplits();
  checkKnown();
  checkRefusals();
  llvm::outs() << checked << " tilings checked, " << wrong << " wrong\n";
  return wrong == 0 ? 0 : 1;
}
