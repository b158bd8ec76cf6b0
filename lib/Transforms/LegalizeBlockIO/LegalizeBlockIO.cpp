//===- LegalizeBlockIO.cpp - block accesses that hardware can do ----------===//
//
// Triton promises divisibility by 16 at most; a 2-D block message wants more.
// Behind this pass every block pointer that is left is one that the target's
// messages serve, under conditions that are written down for the launch.
//
//===----------------------------------------------------------------------===//
#include "Analysis/BlockIO/BlockIO.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Support/Remarks.h"
#include "Transforms/LegalizeBlockIO/Passes.h"
#include "Transforms/LegalizeBlockIO/ScalarizeBlockPointers.h"

namespace mlir::mlt {
#define GEN_PASS_DEF_LEGALIZEBLOCKIO
#include "Transforms/LegalizeBlockIO/Passes.h.inc"
} // namespace mlir::mlt

using namespace mlir;
using namespace mlir::mlt;

namespace {
constexpr llvm::StringLiteral kPreconditionsAttr = "mlt.preconditions";

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

/// Appends launch conditions to those of the function. Conditions that differ
/// in their source line only are one condition.
static unsigned addPreconditions(tt::FuncOp func,
                                 ArrayRef<Attribute> preconditions) {
  SmallVector<Attribute> all;
  llvm::DenseSet<Attribute> known;
  auto withoutLine = [](Attribute attr) {
    NamedAttrList entries(cast<DictionaryAttr>(attr));
    entries.erase("loc");
    return entries.getDictionary(attr.getContext());
  };
  auto add = [&](Attribute attr) {
    if (known.insert(withoutLine(attr)).second)
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

/// A hint must not restrict launches: a prefetch stays only where it needs no
/// condition that the loads and stores do not ask for anyway.
static void dropDemandingPrefetches(
    MutableArrayRef<std::pair<Operation *, BlockIOVerdict>> verdicts,
    const llvm::DenseSet<Value> &scalars) {
  auto normalize = [](Attribute attr) {
    NamedAttrList entries(cast<DictionaryAttr>(attr));
    entries.erase("loc");
    entries.erase("access");
    return entries.getDictionary(attr.getContext());
  };
  llvm::DenseSet<Attribute> asked;
  for (auto &[access, verdict] : verdicts)
    if (verdict.legal && !isa<mlt::PrefetchOp>(access) &&
        !scalars.contains(access->getOperand(0)))
      for (Attribute condition : verdict.preconditions)
        asked.insert(normalize(condition));
  for (auto &[access, verdict] : verdicts) {
    if (!verdict.legal || !isa<mlt::PrefetchOp>(access))
      continue;
    if (!llvm::all_of(verdict.preconditions, [&](Attribute condition) {
          return asked.contains(normalize(condition));
        })) {
      verdict.legal = false;
      explainRefusal(access, "the prefetch alone would ask for a condition of "
                             "the launch");
    }
    verdict.preconditions.clear();
  }
}

LogicalResult LegalizeBlockIOPass::legalize(tt::FuncOp func,
                                            const TargetDescription &target) {
  SmallVector<Operation *> accesses = collectAccesses(func);
  if (failed(checkInput(accesses)))
    return failure();
  BlockIOAnalysis analysis(func, target);
  SmallVector<std::pair<Operation *, BlockIOVerdict>> verdicts;
  SmallVector<Value> illegal;
  for (Operation *access : accesses) {
    BlockIOVerdict verdict = analysis.classify(access);
    if (!verdict.legal) {
      explainRefusal(access, verdict.reason);
      if (!isa<mlt::PrefetchOp>(access))
        illegal.push_back(access->getOperand(0));
    }
    verdicts.emplace_back(access, std::move(verdict));
  }

  llvm::DenseSet<Value> scalars =
      closeOverPointers(func, analysis.getEdges(), illegal);
  dropDemandingPrefetches(verdicts, scalars);
  SmallVector<Attribute> preconditions;
  for (auto &[access, verdict] : verdicts) {
    Value pointer = access->getOperand(0);
    if (scalars.contains(pointer)) {
      if (verdict.legal)
        explainRefusal(access, "another access through the pointer is none");
      ++numIllegal;
      continue;
    }
    if (!verdict.legal) {
      access->erase(); // a prefetch
      continue;
    }
    ++numLegal;
    preconditions.append(verdict.preconditions);
    for (tt::MakeTensorPtrOp make :
         traceBlockPointer(pointer, analysis.getEdges()).makes)
      setFastDim(make, verdict.fastDim);
  }
  numPreconditions += addPreconditions(func, preconditions);
  if (scalars.empty())
    return success();
  return scalarizeBlockPointers(func, scalars);
}
