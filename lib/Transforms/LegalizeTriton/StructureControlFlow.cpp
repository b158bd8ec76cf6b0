//===- StructureControlFlow.cpp - early returns as branches ---------------===//
//
// A kernel that returns early (a program behind the end of a sequence) comes as
// blocks and jumps. With the rest of the kernel under a structured branch, one
// condition at its start can choose between two versions of all of it.
//
//===----------------------------------------------------------------------===//
#include "Transforms/LegalizeTriton/StructureControlFlow.h"
#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Dominance.h"
#include "llvm/ADT/SCCIterator.h"

using namespace mlir;
using namespace mlir::mlt;

/// Whether the lifting knows all terminators, and no block is reached again.
static bool isForward(Region &region) {
  for (Block &block : region)
    if (block.hasNoPredecessors() && !block.isEntryBlock())
      return false;
  for (Block &block : region)
    if (!isa<cf::BranchOp, cf::CondBranchOp, tt::ReturnOp>(
            block.getTerminator()))
      return false;
  for (auto it = llvm::scc_begin(&region.front()); !it.isAtEnd(); ++it)
    if (it.hasCycle())
      return false;
  return true;
}

LogicalResult mlt::structureControlFlow(tt::FuncOp func) {
  if (func.isExternal() || func.getBody().hasOneBlock() ||
      !isForward(func.getBody()))
    return success();
  ControlFlowToSCFTransformation lifting;
  DominanceInfo dominance(func);
  // What it refuses is no forward control flow, or made by no operation here.
  return LogicalResult(transformCFGToSCF(func.getBody(), lifting, dominance));
}
