//===- UnbatchDots.cpp - dots with a batch dimension ----------------------===//
//
// Instructions multiply matrices. The batch of a warp's tile is unrolled, so
// that all passes behind know dots of rank 2 only; slices of a batch, with a
// leading dimension of 1, lie in registers as matrices do.
//
//===----------------------------------------------------------------------===//
#include "Transforms/LegalizeBlockIO/UnbatchDots.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/Triton/IR/Triton.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::mlt;

/// Matrix number `index` of a batch of them.
static Value getMatrix(OpBuilder &builder, Location loc, Value batch,
                       int64_t index) {
  auto type = cast<RankedTensorType>(batch.getType());
  ArrayRef<int64_t> shape = type.getShape();
  auto slice = type.clone(ArrayRef<int64_t>{1, shape[1], shape[2]});
  auto matrix = type.clone(shape.drop_front());
  Value part = batch;
  if (shape.front() != 1)
    part = ExtractOp::create(builder, loc, slice, batch,
                             ArrayRef<int64_t>{index, 0, 0});
  return tt::ReshapeOp::create(builder, loc, matrix, part);
}

static void unbatch(RewriterBase &rewriter, tt::DotOp op) {
  Location loc = op.getLoc();
  RankedTensorType type = op.getType();
  auto slice =
      type.clone(ArrayRef<int64_t>{1, type.getDimSize(1), type.getDimSize(2)});
  rewriter.setInsertionPoint(op);
  SmallVector<Value> slices;
  for (int64_t index = 0; index < type.getDimSize(0); ++index) {
    Value a = getMatrix(rewriter, loc, op.getA(), index);
    Value b = getMatrix(rewriter, loc, op.getB(), index);
    Value c = getMatrix(rewriter, loc, op.getC(), index);
    auto dot =
        tt::DotOp::create(rewriter, loc, c.getType(), a, b, c,
                          op.getInputPrecision(), op.getMaxNumImpreciseAcc());
    dot->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    slices.push_back(tt::ReshapeOp::create(rewriter, loc, slice, dot));
  }
  if (slices.size() == 1)
    rewriter.replaceOp(op, slices);
  else
    rewriter.replaceOpWithNewOp<GlueOp>(op, type, slices);
}

void mlt::unbatchDots(Operation *func) {
  SmallVector<tt::DotOp> batched;
  func->walk([&](tt::DotOp dot) {
    if (dot.getType().getRank() == 3)
      batched.push_back(dot);
  });
  IRRewriter rewriter(func->getContext());
  for (tt::DotOp dot : batched)
    unbatch(rewriter, dot);
}
