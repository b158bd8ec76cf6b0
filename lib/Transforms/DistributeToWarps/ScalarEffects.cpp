//===- ScalarEffects.cpp - side effects of what every warp holds ----------===//
//
// Scalars have no layout: every warp holds them, and warp 0 is their owner.
//
//===----------------------------------------------------------------------===//
#include "Transforms/DistributeToWarps/ScalarEffects.h"
#include "Transforms/SharedMemory/SharedTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::mlt;

/// Gives the result of a scalar atomic, which only warp 0 has done in the block
/// `done`, to all warps. Everything behind it also sees what it has acquired.
static void shareScalarResult(Operation *atomic, scf::IfOp done) {
  Location loc = atomic->getLoc();
  OpBuilder builder(done);
  Value result = atomic->getResult(0);
  Value zero = arith::ConstantIntOp::create(builder, loc, 0, 32);
  SharedTile shared(builder, loc, {1}, result.getType());
  builder.setInsertionPointAfter(atomic);
  shared.store(builder, loc, result, zero);
  builder.setInsertionPointAfter(done);
  Value loaded = shared.exchange(builder, loc, result.getType(), zero,
                                 /*global=*/true);
  result.replaceUsesWithIf(loaded, [&](OpOperand &use) {
    return !done->isAncestor(use.getOwner());
  });
}

int64_t mlt::predicateScalarEffects(tt::FuncOp func, Value warpId) {
  SmallVector<Operation *> effects;
  func.walk([&](Operation *op) {
    if (isa<tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp>(op) &&
        !isa<RankedTensorType>(op->getOperand(0).getType()) &&
        !tt::isBlockPointer(op->getOperand(0).getType()))
      effects.push_back(op);
  });
  for (Operation *op : effects) {
    OpBuilder builder(op);
    Value zero = arith::ConstantIntOp::create(builder, op->getLoc(), 0, 32);
    Value owner = arith::CmpIOp::create(builder, op->getLoc(),
                                        arith::CmpIPredicate::eq, warpId, zero);
    auto guard = scf::IfOp::create(builder, op->getLoc(), owner,
                                   /*withElseRegion=*/false);
    op->moveBefore(guard.thenBlock()->getTerminator());
    if (!op->use_empty())
      shareScalarResult(op, guard);
  }
  return effects.size();
}
