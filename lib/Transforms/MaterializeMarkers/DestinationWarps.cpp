//===- DestinationWarps.cpp - who uses results that some warps have -------===//
//
// A reduction across warps with `dst_warps` leaves nothing in the other warps.
// Their use of the result is a silent error at run time, so what can be proved
// is refused here. The result is followed from use to use together with the
// warps that have no right to it and are certain to get there; a condition on
// the warp id is evaluated for each of them. Whatever else differs from warp to
// warp proves nothing, and what is the same for all warps excludes none.
//
//===----------------------------------------------------------------------===//
#include "Transforms/MaterializeMarkers/DestinationWarps.h"
#include "Analysis/ForwardingEdges/ForwardingEdges.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/Triton/IR/Triton.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
/// How far a condition is looked at.
constexpr unsigned kMaxDepth = 32;

/// A set of warps, one bit each.
using Warps = uint64_t;

/// Follows the results of one function's reductions.
class DestinationCheck {
public:
  DestinationCheck(Operation *function, int64_t numWarps,
                   const WarpDivergence &divergence)
      : edges(function), numWarps(numWarps), divergence(divergence) {}

  LogicalResult run(CrossWarpReduceOp reduce) const;

private:
  ConstantIntRanges getRange(Value value, int64_t warp,
                             unsigned depth = 0) const;
  bool isCertain(Value condition, bool expected, int64_t warp) const;
  bool isReached(Operation *op, int64_t warp) const;
  bool isTaken(OpOperand &use, int64_t warp) const;
  Warps getTaking(OpOperand &use, Warps warps) const;

  ForwardingEdges edges;
  int64_t numWarps;
  const WarpDivergence &divergence;
};
} // namespace

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// The values of `value` in one warp.
ConstantIntRanges DestinationCheck::getRange(Value value, int64_t warp,
                                             unsigned depth) const {
  unsigned width = ConstantIntRanges::getStorageBitwidth(value.getType());
  ConstantIntRanges any = ConstantIntRanges::maxRange(width);
  Operation *op = value.getDefiningOp();
  if (!op || width == 0 || depth == kMaxDepth)
    return any;
  if (isa<WarpIdOp>(op))
    return ConstantIntRanges::constant(APInt(width, warp));
  if (isa<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::ReshapeOp>(op))
    return getRange(op->getOperand(0), warp, depth + 1);
  auto interface = dyn_cast<InferIntRangeInterface>(op);
  if (!interface)
    return any;
  SmallVector<ConstantIntRanges> operands;
  for (Value operand : op->getOperands())
    operands.push_back(getRange(operand, warp, depth + 1));
  ConstantIntRanges result = any;
  interface.inferResultRanges(operands, [&](Value of, ConstantIntRanges range) {
    if (of == value)
      result = range;
  });
  return result;
}

/// Whether nothing about the warp speaks against `condition` being `expected`.
bool DestinationCheck::isCertain(Value condition, bool expected,
                                 int64_t warp) const {
  if (std::optional<APInt> known = getRange(condition, warp).getConstantValue())
    return known->isZero() != expected;
  return !divergence.differs(condition);
}

/// Whether the warp is certain to get to `op` when any warp does.
bool DestinationCheck::isReached(Operation *op, int64_t warp) const {
  for (Operation *inner = op, *outer = op->getParentOp();
       outer && !isa<FunctionOpInterface>(outer);
       inner = outer, outer = outer->getParentOp()) {
    if (auto branch = dyn_cast<scf::IfOp>(outer)) {
      bool isThen = inner->getParentRegion() == &branch.getThenRegion();
      if (!isCertain(branch.getCondition(), isThen, warp))
        return false;
    } else if (divergence.isDivergent(outer)) {
      return false;
    }
  }
  return !divergence.findDivergentBranch();
}

/// Whether the warp is certain to take the value of `use` there.
bool DestinationCheck::isTaken(OpOperand &use, int64_t warp) const {
  Operation *user = use.getOwner();
  if (!isReached(user, warp))
    return false;
  if (auto select = dyn_cast<arith::SelectOp>(user);
      select && use.getOperandNumber() != 0)
    return isCertain(select.getCondition(), use.getOperandNumber() == 1, warp);
  Value mask;
  if (auto store = dyn_cast<tt::StoreOp>(user))
    mask = store.getMask();
  else if (auto atomic = dyn_cast<tt::AtomicRMWOp>(user))
    mask = atomic.getMask();
  return !mask || isCertain(mask, true, warp);
}

Warps DestinationCheck::getTaking(OpOperand &use, Warps warps) const {
  for (int64_t warp : llvm::seq(numWarps))
    if ((warps >> warp & 1) && !isTaken(use, warp))
      warps &= ~(Warps(1) << warp);
  return warps;
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

LogicalResult DestinationCheck::run(CrossWarpReduceOp reduce) const {
  std::optional<ArrayRef<int32_t>> destination = reduce.getDstWarps();
  if (!destination)
    return success();
  Warps others = numWarps == 64 ? ~Warps(0) : (Warps(1) << numWarps) - 1;
  for (int32_t warp : *destination)
    others &= ~(Warps(1) << warp);
  // The warps that hold each value without having the result.
  llvm::DenseMap<Value, Warps> holders;
  SmallVector<Value> open;
  auto reach = [&](Value value, Warps warps) {
    Warps &known = holders[value];
    if ((known | warps) == known)
      return;
    known |= warps;
    open.push_back(value);
  };
  for (Value result : reduce->getResults())
    reach(result, others);
  while (!open.empty()) {
    Value value = open.pop_back_val();
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      Warps warps = getTaking(use, holders[value]);
      if (warps == 0)
        continue;
      if (isa<tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp, CrossWarpReduceOp>(
              user)) {
        InFlightDiagnostic diag =
            user->emitError()
            << "expected a value that every warp has here, found one that only "
               "dst_warps have, and warp "
            << llvm::countr_zero(warps)
            << " is none of them; use it under a condition on warp_id()";
        diag.attachNote(reduce.getLoc()) << "the reduction";
        return diag;
      }
      for (Value target : edges.getTargets(use))
        reach(target, warps);
      if (user->getNumRegions() == 0 && isMemoryEffectFree(user))
        for (Value result : user->getResults())
          reach(result, warps);
    }
  }
  return success();
}

LogicalResult mlt::checkDestinationWarps(Operation *function, int64_t numWarps,
                                         const WarpDivergence &divergence) {
  DestinationCheck check(function, numWarps, divergence);
  WalkResult result = function->walk(
      [&](CrossWarpReduceOp reduce) { return WalkResult(check.run(reduce)); });
  return failure(result.wasInterrupted());
}
