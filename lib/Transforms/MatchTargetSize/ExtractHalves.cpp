//===- ExtractHalves.cpp - halves of a tile without moving elements -------===//
//
// Triton has no operation that cuts a tile in two. Kernels write it as
// `split(permute(reshape(x, [M, 2, N / 2]), [0, 2, 1]))`, and the reverse as
// `reshape(permute(join(a, b), [0, 2, 1]), [M, N])`. Taken literally each moves
// every element through a dimension of two at the end. Within one warp they are
// parts of a tile, which cost nothing.
//
//===----------------------------------------------------------------------===//
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Transforms/MatchTargetSize/Patterns.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::mlt;

/// The dimension of `whole` that `parts` has as two, the number of the half
/// first: [M, N] and [M, 2, N / 2] give 1. Columns go to lanes, so a half of
/// them is a part of the tile only where it fills the `lanes`.
static std::optional<unsigned>
getHalvedDim(ArrayRef<int64_t> whole, ArrayRef<int64_t> parts, int64_t lanes) {
  if (parts.size() != whole.size() + 1)
    return std::nullopt;
  for (unsigned dim : llvm::seq(whole.size())) {
    SmallVector<int64_t> halved(whole);
    int64_t unit = dim + 1 == whole.size() ? lanes : 1;
    if (halved[dim] % (2 * unit) != 0)
      continue;
    halved[dim] /= 2;
    halved.insert(halved.begin() + dim, 2);
    if (ArrayRef<int64_t>(halved) == parts)
      return dim;
  }
  return std::nullopt;
}

/// True when `order` takes dimension `dim` to the end and keeps the others.
static bool movesToEnd(ArrayRef<int32_t> order, unsigned dim) {
  SmallVector<int32_t> expected =
      llvm::to_vector(llvm::seq<int32_t>(0, order.size()));
  expected.erase(expected.begin() + dim);
  expected.push_back(dim);
  return order == ArrayRef<int32_t>(expected);
}

/// True when `order` takes the last dimension to `dim` and keeps the others.
static bool movesFromEnd(ArrayRef<int32_t> order, unsigned dim) {
  SmallVector<int32_t> expected =
      llvm::to_vector(llvm::seq<int32_t>(0, order.size() - 1));
  expected.insert(expected.begin() + dim, order.size() - 1);
  return order == ArrayRef<int32_t>(expected);
}

/// Rows of a piece hold all dimensions but the last two in order, so a half of
/// any dimension is a part of the tile.
static void extractHalves(RewriterBase &rewriter, tt::SplitOp split,
                          int64_t lanes) {
  auto trans = split.getSrc().getDefiningOp<tt::TransOp>();
  auto reshape =
      trans ? trans.getSrc().getDefiningOp<tt::ReshapeOp>() : nullptr;
  if (!reshape || reshape.getAllowReorder())
    return;
  Value whole = reshape.getSrc();
  ArrayRef<int64_t> shape = cast<RankedTensorType>(whole.getType()).getShape();
  std::optional<unsigned> dim = getHalvedDim(
      shape, cast<RankedTensorType>(reshape.getType()).getShape(), lanes);
  if (!dim || !movesToEnd(trans.getOrder(), *dim))
    return;
  rewriter.setInsertionPoint(split);
  SmallVector<Value> halves;
  for (OpResult result : split->getResults()) {
    SmallVector<int64_t> offset(shape.size(), 0);
    offset[*dim] = result.getResultNumber() * shape[*dim] / 2;
    halves.push_back(ExtractOp::create(rewriter, split.getLoc(),
                                       result.getType(), whole, offset));
  }
  rewriter.replaceOp(split, halves);
}

static void glueHalves(RewriterBase &rewriter, tt::ReshapeOp reshape,
                       int64_t lanes) {
  auto trans = reshape.getSrc().getDefiningOp<tt::TransOp>();
  auto join = trans ? trans.getSrc().getDefiningOp<tt::JoinOp>() : nullptr;
  if (!join || reshape.getAllowReorder())
    return;
  auto type = cast<RankedTensorType>(reshape.getType());
  std::optional<unsigned> dim =
      getHalvedDim(type.getShape(),
                   cast<RankedTensorType>(trans.getType()).getShape(), lanes);
  if (!dim || !movesFromEnd(trans.getOrder(), *dim))
    return;
  rewriter.setInsertionPoint(reshape);
  rewriter.replaceOpWithNewOp<GlueOp>(reshape, type, join->getOperands());
}

/// Views that led to a half only would still be cut into pieces.
static void eraseUnused(RewriterBase &rewriter, Operation *view) {
  while (isa_and_present<tt::TransOp, tt::ReshapeOp, tt::JoinOp>(view) &&
         view->use_empty()) {
    Operation *source = view->getOperand(0).getDefiningOp();
    rewriter.eraseOp(view);
    view = source;
  }
}

void mlt::halveTiles(Operation *root, int64_t lanes) {
  SmallVector<Operation *> candidates;
  root->walk([&](Operation *op) {
    if (isa<tt::SplitOp, tt::ReshapeOp>(op))
      candidates.push_back(op);
  });
  // What becomes unused stands in front of the candidate, so it was visited.
  IRRewriter rewriter(root->getContext());
  for (Operation *op : candidates) {
    Operation *view = op->getOperand(0).getDefiningOp();
    if (auto split = dyn_cast<tt::SplitOp>(op))
      extractHalves(rewriter, split, lanes);
    else
      glueHalves(rewriter, cast<tt::ReshapeOp>(op), lanes);
    eraseUnused(rewriter, view);
  }
}
