//===- JoinPrefetch.cpp - one prefetch of a warp for several blocks -------===//
//
// prefetch-block deals the warps out to the blocks of a loop. At its level they
// are tiles of different shapes; what one warp fetches of each has one type, so
// here a warp chooses among the pointers and sends one message. That comes
// behind legalize-block-io, which has to know the tensor behind every pointer
// and may have dropped a prefetch whose other part then stays alone; and behind
// match-target-size and assign-operand-layout, which give all pointers that one
// may come from the same piece and layout.
//
//===----------------------------------------------------------------------===//
#include "Analysis/BlockIO/BlockIO.h"
#include "Analysis/ForwardingEdges/ForwardingEdges.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/TritonGPU/IR/TritonGPUDialect.h"
#include "Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::mlt {
#define GEN_PASS_DEF_JOINPREFETCH
#include "Transforms/Passes.h.inc"
} // namespace mlir::mlt

using namespace mlir;
using namespace mlir::mlt;

namespace {
/// Prefetches of one block of code, one for each range of the warps.
struct Parts {
  Type type;
  SmallVector<int32_t> order;
  SmallVector<PrefetchOp> prefetches;

  bool isComplete() const {
    return llvm::all_of(prefetches, [](PrefetchOp op) { return bool(op); });
  }
  bool takes(PrefetchOp op, ArrayRef<int32_t> otherOrder) const {
    return op.getPtr().getType() == type && otherOrder == ArrayRef(order) &&
           *op.getParts() == prefetches.size() && !prefetches[*op.getPart()];
  }
};

struct JoinPrefetch : mlt::impl::JoinPrefetchBase<JoinPrefetch> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<tt::FuncOp>())
      if (!func.isExternal() && failed(join(func)))
        return signalPassFailure();
  }

private:
  LogicalResult join(tt::FuncOp func);
};
} // namespace

/// The order of the tensors that `pointer` may point to; nullopt when they
/// differ.
static std::optional<ArrayRef<int32_t>> getOrder(Value pointer,
                                                 const ForwardingEdges &edges) {
  std::optional<ArrayRef<int32_t>> order;
  for (tt::MakeTensorPtrOp make : traceBlockPointer(pointer, edges).makes) {
    if (order && *order != make.getOrder())
      return std::nullopt;
    order = make.getOrder();
  }
  return order;
}

/// Complete sets of parts in `func`. Which prefetches make a set does not
/// matter, since each does its part in whatever company.
static SmallVector<Parts> findParts(tt::FuncOp func) {
  SmallVector<PrefetchOp> candidates;
  func.walk([&](PrefetchOp op) {
    if (op.getParts())
      candidates.push_back(op);
  });
  if (candidates.empty())
    return {};
  ForwardingEdges edges(func);
  llvm::MapVector<Block *, SmallVector<Parts>> sets;
  for (PrefetchOp op : candidates) {
    std::optional<ArrayRef<int32_t>> order = getOrder(op.getPtr(), edges);
    if (!order)
      continue;
    SmallVector<Parts> &here = sets[op->getBlock()];
    auto *set = llvm::find_if(
        here, [&](const Parts &parts) { return parts.takes(op, *order); });
    if (set == here.end())
      set = &here.emplace_back(Parts{op.getPtr().getType(),
                                     SmallVector<int32_t>(*order),
                                     SmallVector<PrefetchOp>(*op.getParts())});
    set->prefetches[*op.getPart()] = op;
  }
  SmallVector<Parts> complete;
  for (auto &[block, here] : sets)
    for (Parts &parts : here)
      if (parts.isComplete())
        complete.push_back(std::move(parts));
  return complete;
}

LogicalResult JoinPrefetch::join(tt::FuncOp func) {
  SmallVector<Parts> sets = findParts(func);
  if (sets.empty())
    return success();
  std::optional<int64_t> numWarps = ttg::lookupNumWarps(getOperation());
  if (!numWarps)
    return getOperation().emitError()
           << "expected the number of warps in '"
           << ttg::TritonGPUDialect::kNumWarpsAttr
           << "' for prefetches that warps share, found none";
  OpBuilder entry = OpBuilder::atBlockBegin(&func.getBody().front());
  Value warp = WarpIdOp::create(entry, func.getLoc());
  for (Parts &set : sets) {
    auto isBefore = [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    };
    // All pointers exist in front of the last one.
    PrefetchOp last = *llvm::max_element(set.prefetches, isBefore);
    OpBuilder builder(last);
    Location loc = last.getLoc();
    int64_t parts = set.prefetches.size();
    Value pointer = set.prefetches.front().getPtr();
    for (int64_t part = 1; part < parts; ++part) {
      Value first = arith::ConstantIntOp::create(entry, func.getLoc(),
                                                 *numWarps * part / parts, 32);
      Value isPart = arith::CmpIOp::create(
          entry, func.getLoc(), arith::CmpIPredicate::uge, warp, first);
      pointer = arith::SelectOp::create(builder, loc, isPart,
                                        set.prefetches[part].getPtr(), pointer);
    }
    PrefetchOp::create(builder, loc, pointer);
    for (PrefetchOp prefetch : set.prefetches)
      prefetch.erase();
    ++numJoined;
  }
  return success();
}
