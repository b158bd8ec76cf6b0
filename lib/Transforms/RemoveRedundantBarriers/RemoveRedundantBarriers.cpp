//===- RemoveRedundantBarriers.cpp - barriers that order nothing ----------===//
//
// Every exchange through shared local memory brings its own barriers, one in
// front of its reads and one behind them, because it knows nothing of what
// comes before and after. Where exchanges follow one another with buffers of
// their own, the second kind orders nothing, and each barrier makes all warps
// wait for the slowest one.
//
// Barriers cut the paths of a kernel into stretches. A barrier is needed when
// an access of a stretch that ends at it conflicts with one of a stretch that
// begins at it: the same buffer, and one of them writes. Paths lead around
// loops and through conditions, so the two may belong to different iterations.
//
//===----------------------------------------------------------------------===//
#include "Dialect/MLT/IR/SharedMemory.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Target/Description/TargetDescription.h"
#include "Transforms/MaterializeMarkers/Alternatives.h"
#include "Transforms/Passes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::mlt {
#define GEN_PASS_DEF_REMOVEREDUNDANTBARRIERS
#include "Transforms/Passes.h.inc"
} // namespace mlir::mlt

using namespace mlir;
using namespace mlir::mlt;

namespace {
/// What a piece of code does with shared local memory.
struct Accesses {
  llvm::SmallDenseSet<Operation *> read, written;
  /// Something that cannot be followed; conflicts with every access.
  bool unknown = false;

  bool empty() const { return read.empty() && written.empty() && !unknown; }
  bool conflictsWith(const Accesses &other) const;
  void add(Operation *op);
  void add(const Accesses &other);
};

/// What can be done from a barrier, or from the start of the function, up to
/// the next barriers.
struct Stretch {
  Accesses accesses;
  llvm::SmallDenseSet<Operation *> ends;
};

/// All stretches of a function by what they begin at; null is the start.
using Stretches = llvm::MapVector<Operation *, Stretch>;

struct RemoveRedundantBarriers
    : mlt::impl::RemoveRedundantBarriersBase<RemoveRedundantBarriers> {
  using RemoveRedundantBarriersBase::RemoveRedundantBarriersBase;

  void runOnOperation() override;
};
} // namespace

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// The allocation an address is computed from, null if it cannot be followed.
static AllocOp findAlloc(Value pointer) {
  while (Operation *op = pointer.getDefiningOp()) {
    if (auto alloc = dyn_cast<AllocOp>(op))
      return alloc;
    // An operation that chooses between two addresses has a condition as its
    // first operand; every other one has the base there.
    if (!isMemoryEffectFree(op) || op->getNumRegions() != 0 ||
        op->getNumOperands() == 0 ||
        !isLocalPointer(op->getOperand(0).getType()))
      return {};
    pointer = op->getOperand(0);
  }
  return {};
}

static bool overlap(const llvm::SmallDenseSet<Operation *> &a,
                    const llvm::SmallDenseSet<Operation *> &b) {
  return llvm::any_of(a, [&](Operation *op) { return b.contains(op); });
}

bool Accesses::conflictsWith(const Accesses &other) const {
  if (unknown || other.unknown)
    return !empty() && !other.empty();
  return overlap(written, other.written) || overlap(written, other.read) ||
         overlap(read, other.written);
}

void Accesses::add(const Accesses &other) {
  read.insert_range(other.read);
  written.insert_range(other.written);
  unknown |= other.unknown;
}

void Accesses::add(Operation *op) {
  if (isa<AllocOp, BarrierOp>(op) || isMemoryEffectFree(op))
    return;
  // Global memory is ordered by barriers that say so, and those stay.
  bool known = isa<tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp,
                   PrefetchOp>(op);
  if (known && !isLocalPointer(op->getOperand(0).getType()))
    return;
  AllocOp alloc = known ? findAlloc(op->getOperand(0)) : AllocOp();
  if (!alloc) {
    unknown = true;
    return;
  }
  if (!isa<tt::StoreOp>(op))
    read.insert(alloc);
  if (!isa<tt::LoadOp>(op))
    written.insert(alloc);
}

//===----------------------------------------------------------------------===//
// Paths
//===----------------------------------------------------------------------===//

/// Where control goes behind `point`, a place of the operation `around`.
static void enterRegions(RegionBranchOpInterface around,
                         RegionBranchPoint point,
                         SmallVectorImpl<Operation *> &next) {
  SmallVector<RegionSuccessor> successors;
  around.getSuccessorRegions(point, successors);
  for (RegionSuccessor successor : successors) {
    if (Region *region = successor.getSuccessor())
      next.push_back(&region->front().front());
    else
      next.push_back(around->getNextNode());
  }
}

/// What may be executed right behind `op`.
static SmallVector<Operation *> getNext(Operation *op) {
  SmallVector<Operation *> next;
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op)) {
    enterRegions(branch, RegionBranchPoint::parent(), next);
  } else if (auto end = dyn_cast<RegionBranchTerminatorOpInterface>(op);
             end && isa<RegionBranchOpInterface>(op->getParentOp())) {
    enterRegions(cast<RegionBranchOpInterface>(op->getParentOp()), end, next);
  } else if (op->getNumSuccessors() != 0) {
    for (Block *block : op->getSuccessors())
      next.push_back(&block->front());
  } else if (Operation *after = op->getNextNode()) {
    next.push_back(after);
  }
  return next;
}

static Stretch follow(SmallVector<Operation *> open) {
  Stretch stretch;
  llvm::DenseSet<Operation *> seen;
  while (!open.empty()) {
    Operation *op = open.pop_back_val();
    if (!seen.insert(op).second)
      continue;
    if (isa<BarrierOp>(op)) {
      stretch.ends.insert(op);
      continue;
    }
    if (!isa<RegionBranchOpInterface>(op))
      op->walk([&](Operation *nested) { stretch.accesses.add(nested); });
    llvm::append_range(open, getNext(op));
  }
  return stretch;
}

static Stretches findStretches(FunctionOpInterface function) {
  Stretches stretches;
  stretches[nullptr] = follow({&function.getFunctionBody().front().front()});
  function->walk([&](BarrierOp barrier) {
    stretches[barrier] = follow(getNext(barrier));
  });
  return stretches;
}

static bool isNeeded(BarrierOp barrier, Stretches &stretches) {
  if (barrier.getGlobal())
    return true;
  Accesses before;
  for (auto &[start, stretch] : stretches)
    if (stretch.ends.contains(barrier))
      before.add(stretch.accesses);
  return before.conflictsWith(stretches[barrier].accesses);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// Whether the buffers of a function that are in use in one launch fit if none
/// of them shares memory, which they do only behind barriers: memory that is
/// scarce is worth more than the time of a barrier.
static bool fitsWithoutSharing(FunctionOpInterface function,
                               int64_t available) {
  WarpDivergence divergence(function);
  return !function
              ->walk([&](AllocOp op) {
                return getBytesBeside(op, function, divergence) > available
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted();
}

void RemoveRedundantBarriers::runOnOperation() {
  const TargetDescription *target = TargetDescription::get(getOperation());
  if (!target)
    return signalPassFailure();
  getOperation().walk([&](FunctionOpInterface function) {
    SmallVector<BarrierOp> barriers;
    function->walk([&](BarrierOp op) { barriers.push_back(op); });
    if (barriers.empty() || !fitsWithoutSharing(function, target->slmBytes))
      return;
    Stretches stretches = findStretches(function);
    for (BarrierOp barrier : barriers) {
      if (isNeeded(barrier, stretches)) {
        ++numKept;
        continue;
      }
      barrier.erase();
      ++numRemoved;
      // Two stretches have become one.
      stretches = findStretches(function);
    }
  });
}
