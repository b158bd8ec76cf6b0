//===- WarpTree.cpp - how a reduction across warps is done ----------------===//
//
// With w warps and m messages for a tensor, a warp that reads all tensors needs
// m stores and w m loads behind one barrier. All warps do so at the same time
// through one port, so messages are what counts. Two ways need fewer:
//
// * a tree of r1 r2 ... = w: a barrier and m stores more per step, but only
//   (r1 + r2 + ...) m loads. For one message and 32 warps 12 loads, not 32.
// * a warp combines the w-th part of all tensors, writes it back, and behind a
//   second barrier the result is read: 2 m loads and m / w more stores, however
//   many warps there are. A part must fill the lanes, so this is for tensors
//   that take several messages.
//
//===----------------------------------------------------------------------===//
#include "Transforms/LowerCrossWarpReduce/WarpTree.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::mlt;

/// A barrier is two messages: the fence in front of it, and the signal.
static constexpr int64_t kBarrierMessages = 2;

static int64_t countMessages(ArrayRef<int64_t> shape, int64_t lanes) {
  int64_t rows = 1;
  for (int64_t extent : shape.drop_back())
    rows *= extent;
  return rows * llvm::divideCeil(shape.back(), lanes);
}

/// `shape` cut into `count` equal pieces, along the first dimensions first;
/// empty if that is not possible.
static SmallVector<int64_t> cut(ArrayRef<int64_t> shape, int64_t count) {
  SmallVector<int64_t> piece(shape);
  for (int64_t &extent : piece) {
    int64_t parts = std::min(extent, count);
    if (extent % parts != 0 || count % parts != 0)
      return {};
    extent /= parts;
    count /= parts;
  }
  return count == 1 ? piece : SmallVector<int64_t>();
}

namespace {
struct Search {
  int64_t messages; // of one tensor of every source
  int64_t bestCost = INT64_MAX;
  SmallVector<int64_t> best;

  /// Completes `radices` by all ways to split what is left of the warps. Larger
  /// steps go first: they are the ones whose buffers are read the most.
  void complete(SmallVectorImpl<int64_t> &radices, int64_t left, int64_t cost) {
    if (cost >= bestCost)
      return;
    if (left == 1) {
      bestCost = cost;
      best.assign(radices.begin(), radices.end());
      return;
    }
    int64_t most = radices.empty() ? left : std::min(left, radices.back());
    for (int64_t radix = most; radix > 1; --radix) {
      if (left % radix != 0)
        continue;
      radices.push_back(radix);
      complete(radices, left / radix,
               cost + messages * (1 + radix) + kBarrierMessages);
      radices.pop_back();
    }
  }
};
} // namespace

WarpTree mlt::chooseWarpTree(ArrayRef<int64_t> shape, int64_t numTensors,
                             int64_t numWarps, int64_t lanes) {
  int64_t messages = numTensors * countMessages(shape, lanes);
  Search search{messages};
  SmallVector<int64_t> radices;
  search.complete(radices, numWarps, 0);
  WarpTree tree{search.best, {}};
  if (tree.radices.empty())
    tree.radices.push_back(1);
  for (int64_t sharers = 2; sharers <= numWarps; ++sharers) {
    SmallVector<int64_t> piece = cut(shape, sharers);
    if (piece.empty())
      continue;
    int64_t part = numTensors * countMessages(piece, lanes);
    int64_t cost = 2 * messages + (numWarps + 1) * part + 2 * kBarrierMessages;
    if (cost >= search.bestCost)
      continue;
    search.bestCost = cost;
    tree.piece = piece;
  }
  return tree;
}
