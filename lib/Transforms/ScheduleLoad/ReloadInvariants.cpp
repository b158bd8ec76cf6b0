//===- ReloadInvariants.cpp - operands loaded again in a loop -------------===//
//
// The queries of attention stay the same over the loop, and with a large head
// they fill a quarter of the registers. Loading them again costs as many
// messages as they have pieces; spilling costs more. The kernel may store to
// the place they come from once it is through with them, and then a warp that
// is ahead must not store while another one still loads.
//
//===----------------------------------------------------------------------===//
#include "Transforms/ScheduleLoad/ReloadInvariants.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/MLT/IR/RowAccess.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Target/Description/TargetDescription.h"
#include "Transforms/MaterializeMarkers/WarpDivergence.h"
#include "Transforms/ScheduleLoad/MemoryOrder.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::mlt;

/// The cuts and the load behind `load`'s uses, users before what they use, if
/// all of it is for dots of `loop`; empty otherwise.
static SmallVector<Operation *> getChain(Operation *load, scf::ForOp loop) {
  SmallVector<Operation *> chain{load};
  for (size_t i = 0; i < chain.size(); ++i)
    for (Operation *user : chain[i]->getUsers()) {
      if (isa<ExtractOp>(user) && user->getBlock() == load->getBlock())
        chain.push_back(user);
      else if (!loop->isProperAncestor(user) ||
               !isa<ExtractOp, tt::DotOp>(user))
        return {};
    }
  return chain;
}

/// Whether `load` is done row by row, or else by elements, which takes more
/// registers than it saves.
static bool mayBranch(tt::LoadOp load) {
  const TargetDescription *target = TargetDescription::get(load);
  auto alignment = load->getAttrOfType<IntegerAttr>(kRowAlignmentAttrName);
  return load->hasAttr(kRowDimAttrName) &&
         (!load.getBoundaryCheck().empty() || !alignment || !target ||
          alignment.getInt() % target->block1D.loadAlignment != 0);
}

/// A store behind the loop, also in the next round of a loop around it.
static bool isFollowedByStore(scf::ForOp loop, tt::LoadOp load) {
  auto function = loop->getParentOfType<FunctionOpInterface>();
  return function && mayWriteMemoryOf(load, function);
}

int64_t mlt::reloadInvariants(scf::ForOp loop) {
  SmallVector<SmallVector<Operation *>> chains;
  bool needsBarrier = false;
  for (Operation *op = loop->getPrevNode(); op && !mayWriteMemory(op);
       op = op->getPrevNode()) {
    tt::LoadOp load = tt::getBlockLoad(op);
    if (!load || mayBranch(load) || mayWriteMemoryOf(load, loop))
      continue;
    SmallVector<Operation *> chain = getChain(load, loop);
    if (chain.empty())
      continue;
    needsBarrier |= isFollowedByStore(loop, load);
    chains.push_back(std::move(chain));
  }
  if (chains.empty())
    return 0;
  if (needsBarrier) {
    auto function = loop->getParentOfType<FunctionOpInterface>();
    if (WarpDivergence(function).findDivergence(loop))
      return 0;
    OpBuilder builder(loop->getContext());
    builder.setInsertionPointAfter(loop);
    BarrierOp::create(builder, loop.getLoc());
  }
  for (const SmallVector<Operation *> &chain : chains)
    for (Operation *op : llvm::reverse(chain))
      op->moveBefore(&loop.getBody()->front());
  return chains.size();
}
