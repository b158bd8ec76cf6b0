//===- PrefetchBlock.cpp - blocks on their way before they are loaded -----===//
//
// A loop that multiplies blocks waits for memory unless the blocks are in the
// cache when it loads them. All warps of a row of the workgroup load the same
// part of operand A, so a prefetch written at the warp level would fetch it
// many times. This pass therefore works where a value is still the workgroup's
// tile: it gives the prefetch its own layout, and distribute-to-warps does the
// rest. A kernel's own prefetches get the same layout.
//
// Two blocks of a loop are fetched by half of the warps each where a message
// has room for twice the lines, so that a warp sends one and not two: a message
// without a result costs more than itself, because its register may not be
// written again before it has been read.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Layout/WarpMap.h"
#include "Analysis/OperandRole/OperandRole.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/MLT/IR/WarpLevel.h"
#include "Dialect/TritonGPU/IR/TritonGPUDialect.h"
#include "Support/Remarks.h"
#include "Target/Description/TargetDescription.h"
#include "Transforms/BlockPointer/BlockPointer.h"
#include "Transforms/Passes.h"
#include "Transforms/PrefetchBlock/PointerPath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::mlt {
#define GEN_PASS_DEF_PREFETCHBLOCK
#include "Transforms/Passes.h.inc"
} // namespace mlir::mlt

using namespace mlir;
using namespace mlir::mlt;

namespace {
/// More would only evict what is needed first.
constexpr int64_t kMaxDistance = 32;

/// One block of a loop that is prefetched, for a load or in the place of a
/// prefetch that the kernel has.
struct Candidate {
  Operation *access;
  PointerPath path;
  RankedTensorType type; // of the prefetch's block
  unsigned fast;         // its dimension that is contiguous in memory
  const BlockForm *form;
  /// Which range of the warps fetches it, of how many.
  int64_t part = 0, parts = 1;
};

struct PrefetchBlock : mlt::impl::PrefetchBlockBase<PrefetchBlock> {
  using PrefetchBlockBase::PrefetchBlockBase;

  void runOnOperation() override;

private:
  std::vector<Candidate> findCandidates(scf::ForOp loop);
  std::optional<Candidate> makeCandidate(scf::ForOp loop, Operation *access);
  void shareWarps(MutableArrayRef<Candidate> candidates);
  void prefetch(scf::ForOp loop, ArrayRef<Candidate> candidates);
  void share(PrefetchOp prefetch);
  bool shareWhereMade(PrefetchOp prefetch);

  const TargetDescription *target = nullptr;
  int64_t numWarps = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// Which loads
//===----------------------------------------------------------------------===//

/// True when `value` reaches an operand of a dot in `loop` by computation.
static bool reachesDot(scf::ForOp loop, Value value) {
  return mlt::reachesDot(
      value, [&](OpOperand &use, SmallVectorImpl<Value> &values) {
        Operation *user = use.getOwner();
        if (!loop->isProperAncestor(user))
          return;
        llvm::append_range(values, user->getResults());
        // Into loops and branches, and out of them.
        if (auto inner = dyn_cast<scf::ForOp>(user))
          if (BlockArgument carried = inner.getTiedLoopRegionIterArg(&use))
            values.push_back(carried);
        if (isa<scf::YieldOp>(user) && user->getParentOp() != loop)
          llvm::append_range(values, user->getParentOp()->getResults());
      });
}

static void explain(Operation *access, StringRef reason) {
  StringRef what = isa<PrefetchOp>(access)
                       ? "every warp prefetches what it loads: "
                       : "no prefetch: ";
  remarkMissed(access, topic::kPrefetch,
               [&](llvm::raw_ostream &os) { os << what << reason; });
}

/// The dimension that is contiguous in memory; nullopt where none is known.
static std::optional<unsigned> getFastDim(ArrayRef<int32_t> order,
                                          ValueRange strides) {
  for (int32_t dim : order)
    if (matchPattern(strides[dim], m_One()))
      return dim;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The layout of a prefetch
//===----------------------------------------------------------------------===//

/// Splits the tile over the warps, or over each of `parts` ranges of them:
/// matrices, then rows of one message's width, and as many of them in every
/// warp as it takes. Rows run along `fast`. Null when they run along none of
/// the two dimensions of a matrix.
static ttg::BlockedEncodingAttr getSlices(RankedTensorType type, unsigned fast,
                                          const BlockForm &form,
                                          int64_t numWarps, int64_t parts = 1) {
  numWarps /= parts;
  auto [rows, columns] = getMatrixDims(type.getShape());
  if (fast != rows && fast != columns)
    return {};
  unsigned slow = fast == rows ? columns : rows;
  SmallVector<int64_t> size(type.getShape()), warps(type.getRank(), 1);
  auto split = [&](unsigned dim, int64_t parts) {
    warps[dim] = parts;
    size[dim] = std::max<int64_t>(1, size[dim] / parts);
    numWarps /= parts;
  };
  for (unsigned dim : llvm::seq<unsigned>(0, type.getRank()))
    if (dim != fast && dim != slow)
      split(dim, std::min(size[dim], numWarps));
  int64_t width = std::min(size[fast], form.tileWidth * form.maxBlocks);
  split(fast, std::min(size[fast] / width, numWarps));
  split(slow, numWarps);
  // Warps beyond the last slice begin again with the first one.
  warps.front() *= parts;
  auto order =
      llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, type.getRank())));
  return ttg::BlockedEncodingAttr::get(type.getContext(), size, warps, order);
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// Makes the rows of a matrix run along the last dimension. A prefetch fetches
/// the same either way, and matrices that run alike can share the warps.
static void turn(Candidate &candidate) {
  if (candidate.type.getRank() != 2 || candidate.fast != 0)
    return;
  PointerPath &path = candidate.path;
  std::swap(path.shape[0], path.shape[1]);
  std::swap(path.strides[0], path.strides[1]);
  std::swap(path.offsets[0], path.offsets[1]);
  std::swap(path.steps[0], path.steps[1]);
  path.order = {1, 0};
  ArrayRef<int64_t> shape = candidate.type.getShape();
  candidate.type = RankedTensorType::get({shape[1], shape[0]},
                                         candidate.type.getElementType());
  candidate.fast = 1;
}

std::optional<Candidate> PrefetchBlock::makeCandidate(scf::ForOp loop,
                                                      Operation *access) {
  Value pointer = access->getOperand(0);
  RankedTensorType type = getTensorType(pointer.getType());
  auto refuse = [&](StringRef reason) {
    explain(access, reason);
    return std::nullopt;
  };
  if (type.getRank() < 2)
    return refuse("the block has less than two dimensions");
  const BlockForm *form =
      target->findPrefetch(type.getElementType().getIntOrFloatBitWidth());
  if (!form)
    return refuse("the target has no prefetch for elements of this size");
  std::optional<PointerPath> path = getPointerPath(loop, pointer);
  if (!path)
    return refuse("where the block lies is not linear in the iteration");
  if (!path->moves())
    return refuse("every iteration loads the same block");
  std::optional<unsigned> fast = getFastDim(path->order, path->strides);
  if (!fast)
    return refuse("no dimension has a stride that is known to be 1");
  Candidate candidate{access, *path, type, *fast, form};
  turn(candidate);
  ttg::BlockedEncodingAttr slices =
      getSlices(candidate.type, candidate.fast, *form, numWarps);
  if (!slices)
    return refuse("the contiguous dimension is none of the last two");
  candidate.type = candidate.type.cloneWithEncoding(slices);
  return candidate;
}

std::vector<Candidate> PrefetchBlock::findCandidates(scf::ForOp loop) {
  std::vector<Candidate> candidates;
  llvm::SmallDenseSet<Value> pointers;
  for (auto load : loop.getBody()->getOps<tt::LoadOp>())
    if (tt::getBlockLoad(load) && reachesDot(loop, load.getResult()) &&
        pointers.insert(load.getPtr()).second)
      if (std::optional<Candidate> candidate = makeCandidate(loop, load))
        candidates.push_back(std::move(*candidate));
  return candidates;
}

//===----------------------------------------------------------------------===//
// Two blocks for half of the warps each
//===----------------------------------------------------------------------===//

/// The slices of `candidate` where half of the warps fetch it, one message
/// each; null if that is not enough.
static ttg::BlockedEncodingAttr getHalves(const Candidate &candidate,
                                          int64_t numWarps) {
  constexpr unsigned slow = 0, fast = 1;
  if (numWarps < 2 || candidate.type.getRank() != 2 || candidate.fast != fast)
    return {};
  const BlockForm &form = *candidate.form;
  ttg::BlockedEncodingAttr slices =
      getSlices(candidate.type, fast, form, numWarps, /*parts=*/2);
  ArrayRef<int64_t> size = slices.getSizePerWarp();
  bool fits = size[slow] <= form.maxHeight &&
              size[fast] <= form.tileWidth * form.maxBlocks;
  return fits ? slices : ttg::BlockedEncodingAttr();
}

void PrefetchBlock::shareWarps(MutableArrayRef<Candidate> candidates) {
  for (auto [i, first] : llvm::enumerate(candidates)) {
    ttg::BlockedEncodingAttr slices = getHalves(first, numWarps);
    if (first.parts != 1 || !slices)
      continue;
    for (Candidate &second : candidates.drop_front(i + 1)) {
      ttg::BlockedEncodingAttr others = getHalves(second, numWarps);
      if (second.parts != 1 || !others ||
          first.type.getElementType() != second.type.getElementType() ||
          slices.getSizePerWarp() != others.getSizePerWarp())
        continue;
      first.type = first.type.cloneWithEncoding(slices);
      second.type = second.type.cloneWithEncoding(others);
      first.parts = second.parts = 2;
      second.part = 1;
      break;
    }
  }
}

//===----------------------------------------------------------------------===//
// Prefetches
//===----------------------------------------------------------------------===//

static void createPrefetch(OpBuilder &builder, const Candidate &candidate,
                           Value pointer) {
  IntegerAttr part, parts;
  if (candidate.parts != 1) {
    part = builder.getI32IntegerAttr(candidate.part);
    parts = builder.getI32IntegerAttr(candidate.parts);
  }
  PrefetchOp::create(builder, candidate.access->getLoc(), pointer, part, parts);
}

/// `pointer` advanced by one iteration of `candidate`'s loop.
static Value advance(OpBuilder &builder, Value pointer,
                     const Candidate &candidate) {
  Location loc = candidate.access->getLoc();
  SmallVector<Value> steps(candidate.path.steps);
  for (Value &step : steps)
    if (!step)
      step = arith::ConstantIntOp::create(builder, loc, 0, 32);
  return tt::AdvanceOp::create(builder, loc, pointer.getType(), pointer, steps);
}

/// The pointer of a candidate in the first iteration, in front of the loop.
static Value makePointer(OpBuilder &builder, const Candidate &candidate) {
  const PointerPath &path = candidate.path;
  auto type = cast<tt::PointerType>(candidate.access->getOperand(0).getType());
  return tt::MakeTensorPtrOp::create(
      builder, candidate.access->getLoc(),
      tt::PointerType::get(candidate.type, type.getAddressSpace()), path.base,
      path.shape, path.strides, path.offsets,
      builder.getDenseI32ArrayAttr(path.order));
}

/// Carries pointers through `loop`, advanced by each iteration; `use` gets
/// them.
static void carry(IRRewriter &rewriter, scf::ForOp loop,
                  ArrayRef<Candidate> candidates, ArrayRef<Value> first,
                  llvm::function_ref<void(OpBuilder &, ValueRange)> use) {
  auto yieldNext = [&](OpBuilder &builder, Location,
                       ArrayRef<BlockArgument> carried) {
    {
      OpBuilder::InsertionGuard guard(builder);
      use(builder, SmallVector<Value>(carried.begin(), carried.end()));
    }
    SmallVector<Value> next;
    for (auto [pointer, candidate] : llvm::zip_equal(carried, candidates))
      next.push_back(advance(builder, pointer, candidate));
    return next;
  };
  // A loop always takes more values.
  (void)loop.replaceWithAdditionalYields(
      rewriter, first, /*replaceInitOperandUsesInLoop=*/false, yieldNext);
}

/// Messages that a warp sends for `candidates` in an iteration.
static int64_t countMessages(ArrayRef<Candidate> candidates) {
  int64_t count = 0;
  for (const Candidate &candidate : candidates) {
    // Others send those of the other parts.
    if (candidate.part != 0)
      continue;
    auto slices = cast<ttg::BlockedEncodingAttr>(candidate.type.getEncoding());
    int64_t messages = 1;
    for (auto [dim, size] : llvm::enumerate(slices.getSizePerWarp())) {
      const BlockForm &form = *candidate.form;
      messages *= llvm::divideCeil(size, dim == candidate.fast
                                             ? form.tileWidth * form.maxBlocks
                                             : form.maxHeight);
    }
    count += messages;
  }
  return count;
}

/// Before a register that a message without a result has read is written again,
/// the finalizer of the device compiler reads it and the one that the message
/// before has read; for several messages it does so once if they are the last
/// ones of the loop. So one stands at the top of the loop, and several at its
/// end. To memory both are the same: the next iteration's loads come soon.
static Operation *getPlace(scf::ForOp loop, ArrayRef<Candidate> candidates) {
  Block *body = loop.getBody();
  return countMessages(candidates) == 1 ? &body->front()
                                        : body->getTerminator();
}

void PrefetchBlock::prefetch(scf::ForOp loop, ArrayRef<Candidate> candidates) {
  Operation *place = getPlace(loop, candidates);
  IRRewriter rewriter(loop);
  SmallVector<Value> ahead;
  for (const Candidate &candidate : candidates) {
    Value pointer = makePointer(rewriter, candidate);
    for (int64_t i = 0; i < distance; ++i) {
      createPrefetch(rewriter, candidate, pointer);
      pointer = advance(rewriter, pointer, candidate);
    }
    ahead.push_back(pointer);
  }
  carry(rewriter, loop, candidates, ahead,
        [&](OpBuilder &builder, ValueRange pointers) {
          builder.setInsertionPoint(place);
          for (auto [pointer, candidate] :
               llvm::zip_equal(pointers, candidates))
            createPrefetch(builder, candidate, pointer);
        });
  numPrefetched += candidates.size();
}

//===----------------------------------------------------------------------===//
// The kernel's own prefetches
//===----------------------------------------------------------------------===//

/// Shares a prefetch whose pointer is made, and perhaps advanced, without a
/// loop in between: the same is done once more with the other layout.
bool PrefetchBlock::shareWhereMade(PrefetchOp prefetch) {
  SmallVector<tt::AdvanceOp> advances;
  Value pointer = prefetch.getPtr();
  while (auto advance = pointer.getDefiningOp<tt::AdvanceOp>()) {
    advances.push_back(advance);
    pointer = advance.getPtr();
  }
  auto make = pointer.getDefiningOp<tt::MakeTensorPtrOp>();
  RankedTensorType type = getTensorType(pointer.getType());
  if (!make || type.getRank() < 2)
    return false;
  const BlockForm *form =
      target->findPrefetch(type.getElementType().getIntOrFloatBitWidth());
  std::optional<unsigned> fast = getFastDim(make.getOrder(), make.getStrides());
  Attribute slices =
      form && fast ? getSlices(type, *fast, *form, numWarps) : Attribute();
  if (!slices)
    return false;
  Type sliced = withEncoding(pointer.getType(), slices);
  OpBuilder builder(prefetch);
  auto moved = cast<tt::MakeTensorPtrOp>(builder.clone(*make));
  moved.getResult().setType(cast<tt::PointerType>(sliced));
  Value result = moved.getResult();
  for (tt::AdvanceOp advance : llvm::reverse(advances))
    result = tt::AdvanceOp::create(builder, advance.getLoc(), sliced, result,
                                   advance.getOffsets());
  prefetch.getPtrMutable().assign(result);
  ++numShared;
  return true;
}

/// Splits a prefetch over the warps, which share its block and else would fetch
/// what their layout of it holds, some of it several times.
void PrefetchBlock::share(PrefetchOp prefetch) {
  if (shareWhereMade(prefetch))
    return;
  auto loop = prefetch->getParentOfType<scf::ForOp>();
  if (!loop)
    return explain(prefetch, "its block pointer is chosen by control flow");
  std::optional<Candidate> candidate = makeCandidate(loop, prefetch);
  if (!candidate)
    return;
  IRRewriter rewriter(loop);
  Value first = makePointer(rewriter, *candidate);
  carry(rewriter, loop, *candidate, first,
        [&](OpBuilder &, ValueRange pointers) {
          prefetch.getPtrMutable().assign(pointers.front());
        });
  ++numShared;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

void PrefetchBlock::runOnOperation() {
  ModuleOp module = getOperation();
  if (distance < 0 || distance > kMaxDistance) {
    module.emitError() << "expected distance to be from 0 to " << kMaxDistance
                       << " iterations, got " << distance.getValue();
    return signalPassFailure();
  }
  target = TargetDescription::get(module);
  if (!target)
    return signalPassFailure();
  std::optional<int64_t> warps = ttg::lookupNumWarps(module);
  if (!warps) {
    module.emitError() << "expected the number of warps in '"
                       << ttg::TritonGPUDialect::kNumWarpsAttr
                       << "', found none; run "
                          "--convert-triton-to-tritongpu-warp first";
    return signalPassFailure();
  }
  numWarps = *warps;
  SmallVector<scf::ForOp> loops;
  SmallVector<PrefetchOp> given;
  llvm::DenseSet<Operation *> busy;
  for (auto func : module.getOps<tt::FuncOp>()) {
    // A kernel written for one warp says itself what each warp fetches.
    if (isWarpLevel(func))
      continue;
    func.walk([&](PrefetchOp prefetch) {
      given.push_back(prefetch);
      for (Operation *op = prefetch->getParentOp(); op; op = op->getParentOp())
        busy.insert(op);
    });
    func.walk([&](scf::ForOp loop) {
      // One that prefetches for itself knows what it wants.
      if (distance != 0 && !busy.contains(loop))
        loops.push_back(loop);
    });
  }
  for (PrefetchOp prefetch : given)
    share(prefetch);
  for (scf::ForOp loop : loops)
    if (std::vector<Candidate> candidates = findCandidates(loop);
        !candidates.empty()) {
      shareWarps(candidates);
      prefetch(loop, candidates);
    }
}
