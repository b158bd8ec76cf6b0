//===- BlockPointers.cpp - where block pointers come from -----------------===//
//
// The order of a block pointer's tensor stands only on tt.make_tensor_ptr, but
// decides which message an access becomes. Pointers reach accesses through
// tt.advance, loops, branches and selects; this analysis walks back through all
// of them before the conversion takes the pointers apart.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/BlockPointers.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/Triton/IR/Triton.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
/// Collects the tt.make_tensor_ptr operations that a pointer can come from.
class OriginWalk {
public:
  /// Fails when the walk ends at anything else.
  LogicalResult run(Value pointer);

  SmallVector<tt::MakeTensorPtrOp> makers;

private:
  LogicalResult visit(Value pointer);
  LogicalResult visitBlockArgument(BlockArgument argument);
  LogicalResult visitRegionSuccessors(RegionBranchOpInterface branch,
                                      Value input);

  SmallVector<Value> worklist;
  llvm::DenseSet<Value> seen;
};
} // namespace

LogicalResult OriginWalk::run(Value pointer) {
  worklist.push_back(pointer);
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (seen.insert(next).second && failed(visit(next)))
      return failure();
  }
  return success(!makers.empty());
}

LogicalResult OriginWalk::visit(Value pointer) {
  if (auto argument = dyn_cast<BlockArgument>(pointer))
    return visitBlockArgument(argument);
  Operation *op = pointer.getDefiningOp();
  if (auto maker = dyn_cast<tt::MakeTensorPtrOp>(op)) {
    makers.push_back(maker);
    return success();
  }
  if (auto advance = dyn_cast<tt::AdvanceOp>(op)) {
    worklist.push_back(advance.getPtr());
    return success();
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    worklist.append({select.getTrueValue(), select.getFalseValue()});
    return success();
  }
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
    return visitRegionSuccessors(branch, pointer);
  return failure();
}

LogicalResult OriginWalk::visitBlockArgument(BlockArgument argument) {
  Block *block = argument.getOwner();
  Operation *parent = block->getParentOp();
  if (block->isEntryBlock()) {
    auto branch = dyn_cast<RegionBranchOpInterface>(parent);
    return branch ? visitRegionSuccessors(branch, argument) : failure();
  }
  for (auto it = block->pred_begin(), e = block->pred_end(); it != e; ++it) {
    auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
    if (!branch)
      return failure();
    SuccessorOperands operands =
        branch.getSuccessorOperands(it.getSuccessorIndex());
    Value operand = operands[argument.getArgNumber()];
    if (!operand)
      return failure();
    worklist.push_back(operand);
  }
  return success();
}

/// Queues all values that `branch` can forward to `input`, an entry argument of
/// one of its regions or one of its results.
LogicalResult OriginWalk::visitRegionSuccessors(RegionBranchOpInterface branch,
                                                Value input) {
  RegionBranchSuccessorMapping mapping;
  branch.getSuccessorOperandInputMapping(mapping);
  bool found = false;
  for (auto &[operand, inputs] : mapping)
    if (llvm::is_contained(inputs, input)) {
      worklist.push_back(operand->get());
      found = true;
    }
  return success(found);
}

/// True when `base` is an argument of the function that contains it.
static bool isFunctionArgument(Value base) {
  auto argument = dyn_cast<BlockArgument>(base);
  return argument && argument.getOwner()->isEntryBlock() &&
         isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
}

static FailureOr<BlockOrigin> getOrigin(Operation *access, Value pointer) {
  OriginWalk walk;
  if (failed(walk.run(pointer))) {
    access->emitOpError("cannot be lowered: the origin of its block pointer is "
                        "not known; expected 'tt.make_tensor_ptr'");
    return failure();
  }
  BlockOrigin origin{llvm::to_vector(walk.makers.front().getOrder()), true};
  for (tt::MakeTensorPtrOp maker : walk.makers) {
    if (maker.getOrder() != ArrayRef<int32_t>(origin.order)) {
      InFlightDiagnostic diag = access->emitOpError(
          "cannot be lowered: block pointers of different orders reach it");
      diag.attachNote(walk.makers.front().getLoc()) << "one is made here";
      diag.attachNote(maker.getLoc()) << "another one is made here";
      return failure();
    }
    origin.baseIsArgument &= isFunctionArgument(maker.getBase());
  }
  return origin;
}

FailureOr<BlockPointerAnalysis> BlockPointerAnalysis::run(Operation *root) {
  BlockPointerAnalysis analysis;
  WalkResult result = root->walk([&](Operation *op) {
    Value pointer;
    if (auto load = dyn_cast<tt::LoadOp>(op))
      pointer = load.getPtr();
    else if (auto store = dyn_cast<tt::StoreOp>(op))
      pointer = store.getPtr();
    else if (auto prefetch = dyn_cast<PrefetchOp>(op))
      pointer = prefetch.getPtr();
    if (!pointer || !tt::isBlockPointer(pointer.getType()))
      return WalkResult::advance();
    FailureOr<BlockOrigin> origin = ::getOrigin(op, pointer);
    if (failed(origin))
      return WalkResult::interrupt();
    analysis.origins.try_emplace(op, std::move(*origin));
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return analysis;
}
