//===- LegalizeBlockIO.cpp - block accesses that hardware can do ----------===//
//
// Triton promises divisibility by 16 at most; a 2-D block message wants more.
// Behind this pass every block pointer that is left is one that the target's
// messages serve, under conditions that are written down for the launch.
//
//===----------------------------------------------------------------------===//
#include "Analysis/BlockIO/BlockIO.h"
#include "Dialect/MLT/IR/LaunchAttrs.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/MLT/IR/Versions.h"
#include "Support/Remarks.h"
#include "Transforms/LegalizeBlockIO/Passes.h"
#include "Transforms/LegalizeBlockIO/ScalarizeBlockPointers.h"
#include "Transforms/LegalizeBlockIO/Versions.h"
#include "Transforms/RaiseBlockPointer/CarriedPointers.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::mlt {
#define GEN_PASS_DEF_LEGALIZEBLOCKIO
#include "Transforms/LegalizeBlockIO/Passes.h.inc"
} // namespace mlir::mlt

using namespace mlir;
using namespace mlir::mlt;

namespace {
using Verdict = std::pair<Operation *, BlockIOVerdict>;

class LegalizeBlockIOPass
    : public mlt::impl::LegalizeBlockIOBase<LegalizeBlockIOPass> {
public:
  using LegalizeBlockIOBase::LegalizeBlockIOBase;

  void runOnOperation() override {
    const TargetDescription *target = TargetDescription::get(getOperation());
    if (!target)
      return signalPassFailure();
    for (tt::FuncOp func : getOperation().getOps<tt::FuncOp>())
      if (!func.isExternal() && failed(legalize(func, *target)))
        return signalPassFailure();
  }

private:
  LogicalResult legalize(tt::FuncOp func, const TargetDescription &target);
  bool wantsVersions(tt::FuncOp func);
};
} // namespace

static SmallVector<Operation *> collectAccesses(tt::FuncOp func) {
  SmallVector<Operation *> accesses;
  func.walk([&](Operation *op) {
    if (isa<tt::LoadOp, tt::StoreOp, mlt::PrefetchOp>(op) &&
        tt::isBlockPointer(op->getOperand(0).getType()))
      accesses.push_back(op);
  });
  return accesses;
}

static LogicalResult checkInput(ArrayRef<Operation *> accesses) {
  for (Operation *access : accesses) {
    auto pointer = cast<tt::PointerType>(access->getOperand(0).getType());
    auto block = cast<RankedTensorType>(pointer.getPointeeType());
    if (block.getEncoding())
      return access->emitError()
             << "expected warp tiles without layout, got " << block
             << "; run --distribute-to-warps first";
  }
  return success();
}

/// A condition without what says where it comes from.
static Attribute withoutEntries(Attribute condition,
                                ArrayRef<StringRef> names) {
  NamedAttrList entries(cast<DictionaryAttr>(condition));
  for (StringRef name : names)
    entries.erase(name);
  return entries.getDictionary(condition.getContext());
}

/// Appends launch conditions to those of the function. Conditions that differ
/// in their source line only are one condition.
static unsigned addPreconditions(tt::FuncOp func,
                                 ArrayRef<Attribute> preconditions) {
  SmallVector<Attribute> all;
  llvm::DenseSet<Attribute> known;
  auto add = [&](Attribute attr) {
    if (known.insert(withoutEntries(attr, {"loc"})).second)
      all.push_back(attr);
  };
  if (auto existing = func->getAttrOfType<ArrayAttr>(kPreconditionsAttr))
    for (Attribute attr : existing.getAsRange<DictionaryAttr>())
      add(attr);
  size_t before = all.size();
  llvm::for_each(preconditions, add);
  if (!all.empty())
    func->setAttr(kPreconditionsAttr, ArrayAttr::get(func.getContext(), all));
  return all.size() - before;
}

/// The order of a block pointer says which dimension is contiguous; lowerings
/// rely on it.
static void setFastDim(tt::MakeTensorPtrOp make, unsigned fast) {
  int32_t order[] = {static_cast<int32_t>(fast),
                     1 - static_cast<int32_t>(fast)};
  make.setOrder(order);
}

static void explainRefusal(Operation *access, StringRef reason) {
  remarkMissed(access, topic::kBlockIO, [&](llvm::raw_ostream &os) {
    os << "no 2-D block message: " << reason;
  });
}

/// Whether the pointer of one of the other accesses makes this one illegal.
static bool staysBlock(Operation *access, const BlockIOVerdict &verdict,
                       const llvm::DenseSet<Value> &scalars) {
  return verdict.legal && !scalars.contains(access->getOperand(0));
}

/// A hint must not restrict launches: a prefetch stays only where it needs no
/// condition that the loads and stores do not ask for anyway.
static void dropDemandingPrefetches(SmallVectorImpl<Verdict> &verdicts,
                                    const llvm::DenseSet<Value> &scalars) {
  auto normalize = [](Attribute attr) {
    return withoutEntries(attr, {"loc", "access"});
  };
  llvm::DenseSet<Attribute> asked;
  for (auto &[access, verdict] : verdicts)
    if (!isa<mlt::PrefetchOp>(access) && staysBlock(access, verdict, scalars))
      for (Attribute condition : verdict.preconditions)
        asked.insert(normalize(condition));
  llvm::erase_if(verdicts, [&](Verdict &entry) {
    auto &[access, verdict] = entry;
    if (!isa<mlt::PrefetchOp>(access) ||
        llvm::all_of(verdict.preconditions, [&](Attribute condition) {
          return asked.contains(normalize(condition));
        }))
      return false;
    explainRefusal(access, "the prefetch alone would ask for a condition of "
                           "the launch");
    access->erase();
    return true;
  });
}

/// Splits `func` into a version for launches that keep `preconditions`, and
/// one for the others, whose pointers in `illegal` are no block pointers.
static void addVersion(tt::FuncOp func, const TargetDescription &target,
                       ArrayRef<Verdict> verdicts,
                       ArrayRef<Attribute> preconditions,
                       SmallVectorImpl<Value> &illegal) {
  IRMapping copies;
  scf::IfOp branch =
      versionFunction(func, preconditions, target.block2D, copies);
  // Whoever has no limits needs no copy.
  if (llvm::all_of(verdicts, [](const Verdict &entry) {
        return !entry.second.legal || entry.second.exact;
      }))
    branch->setAttr(kVersionsAttrName, UnitAttr::get(func.getContext()));
  for (auto &[access, verdict] : verdicts) {
    if (verdict.legal && verdict.preconditions.empty())
      continue;
    Operation *copy = copies.lookup(access);
    if (isa<mlt::PrefetchOp>(copy))
      copy->erase();
    else
      illegal.push_back(copy->getOperand(0));
  }
}

/// A kernel that was written with pointers expects to run with any arguments.
bool LegalizeBlockIOPass::wantsVersions(tt::FuncOp func) {
  bool raised = func->removeAttr(kVersionedAttrName) != nullptr;
  return versions == VersionPolicy::Always ||
         (versions == VersionPolicy::Auto && raised);
}

LogicalResult LegalizeBlockIOPass::legalize(tt::FuncOp func,
                                            const TargetDescription &target) {
  SmallVector<Operation *> accesses = collectAccesses(func);
  if (failed(checkInput(accesses)))
    return failure();
  BlockIOAnalysis analysis(func, target);
  SmallVector<Verdict> verdicts;
  SmallVector<Value> illegal;
  for (Operation *access : accesses) {
    BlockIOVerdict verdict = analysis.classify(access);
    if (!verdict.legal) {
      explainRefusal(access, verdict.reason);
      if (isa<mlt::PrefetchOp>(access)) {
        access->erase();
        continue;
      }
      illegal.push_back(access->getOperand(0));
    }
    verdicts.emplace_back(access, std::move(verdict));
  }

  llvm::DenseSet<Value> scalars =
      closeOverPointers(func, analysis.getEdges(), illegal);
  dropDemandingPrefetches(verdicts, scalars);
  SmallVector<Attribute> preconditions;
  for (auto &[access, verdict] : verdicts) {
    if (!staysBlock(access, verdict, scalars)) {
      if (verdict.legal)
        explainRefusal(access, "another access through the pointer is none");
      ++numIllegal;
      continue;
    }
    ++numLegal;
    // What a prefetch asks for, a load or store asks for too.
    if (!isa<mlt::PrefetchOp>(access))
      preconditions.append(verdict.preconditions);
    for (tt::MakeTensorPtrOp make :
         traceBlockPointer(access->getOperand(0), analysis.getEdges()).makes)
      setFastDim(make, verdict.fastDim);
  }
  if (wantsVersions(func) && !preconditions.empty() && canVersion(func)) {
    addVersion(func, target, verdicts, preconditions, illegal);
    ++numVersioned;
    scalars = closeOverPointers(func, ForwardingEdges(func), illegal);
    // The pointers of prefetches that only one version has.
    freezeUnusedCarriedValues(func);
  } else {
    numPreconditions += addPreconditions(func, preconditions);
  }
  if (scalars.empty())
    return success();
  return scalarizeBlockPointers(func, scalars);
}
