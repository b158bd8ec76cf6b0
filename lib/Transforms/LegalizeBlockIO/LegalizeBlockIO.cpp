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
#include "Dialect/MLT/IR/RowAccess.h"
#include "Dialect/MLT/IR/Versions.h"
#include "Dialect/MLT/IR/WarpTiles.h"
#include "Support/Remarks.h"
#include "Transforms/LegalizeBlockIO/Passes.h"
#include "Transforms/LegalizeBlockIO/ScalarizeBlockPointers.h"
#include "Transforms/LegalizeBlockIO/ShareLoads.h"
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

/// How the accesses through a pointer are done: all in one way, because the
/// pointer is taken apart for the others.
enum class AccessForm { Block, Rows, Elements };

/// The forms of all block pointers of a function.
class AccessForms {
public:
  /// Pointers `apart` are taken apart anyway.
  AccessForms(tt::FuncOp func, const ForwardingEdges &edges,
              ArrayRef<Verdict> verdicts, ArrayRef<Value> apart = {});

  AccessForm get(Operation *access) const {
    Value pointer = access->getOperand(0);
    return elements.contains(pointer) ? AccessForm::Elements
           : rows.contains(pointer)   ? AccessForm::Rows
                                      : AccessForm::Block;
  }
  const llvm::DenseSet<Value> &getElements() const { return elements; }

private:
  llvm::DenseSet<Value> elements, rows;
};

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
  SmallVector<Verdict> classify(ArrayRef<Operation *> accesses,
                                const BlockIOAnalysis &analysis);
  SmallVector<Attribute> collectPreconditions(ArrayRef<Verdict> verdicts,
                                              const AccessForms &forms);
  llvm::DenseSet<Value> shareLoads(tt::FuncOp func,
                                   const TargetDescription &target,
                                   SmallVectorImpl<Verdict> &verdicts,
                                   AccessForms &forms);
};
} // namespace

/// Whether a value on the way to `dot`, in its block, is another one's product.
static bool takesProduct(tt::DotOp dot) {
  SmallVector<Value> worklist{dot.getA(), dot.getB()};
  llvm::SmallDenseSet<Operation *> seen;
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (!op || op->getBlock() != dot->getBlock() || !seen.insert(op).second)
      continue;
    if (isa<tt::DotOp>(op))
      return true;
    llvm::append_range(worklist, op->getOperands());
  }
  return false;
}

/// Whether matrices of `func` may be accessed row by row. Accumulators and
/// operands of a product fill a thread's registers, and it takes more of them
/// until rows are in the image of an operand; elements are loaded a few at a
/// time. In attention, which lives on products of products, there is room.
static bool hasRoomForRows(tt::FuncOp func) {
  bool multiplies = false, chains = false;
  func.walk([&](tt::DotOp dot) {
    multiplies = true;
    chains |= takesProduct(dot);
  });
  return !multiplies || chains;
}

AccessForms::AccessForms(tt::FuncOp func, const ForwardingEdges &edges,
                         ArrayRef<Verdict> verdicts, ArrayRef<Value> apart) {
  bool matricesByRows = hasRoomForRows(func);
  SmallVector<Value> withoutRows(apart), withRows;
  for (auto &[access, verdict] : verdicts) {
    bool byRows = verdict.hasRows && (verdict.isVector || matricesByRows);
    if (!verdict.legal)
      (byRows ? withRows : withoutRows).push_back(access->getOperand(0));
  }
  elements = closeOverPointers(func, edges, withoutRows);
  rows = closeOverPointers(func, edges, withRows);
}

/// Says that `access` is done row by row; a prefetch is not done.
static void goByRows(Operation *access, const BlockIOVerdict &verdict) {
  if (isa<mlt::PrefetchOp>(access))
    return access->erase();
  Type i32 = IntegerType::get(access->getContext(), 32);
  access->setAttr(kRowDimAttrName, IntegerAttr::get(i32, verdict.fastDim));
  access->setAttr(kRowAlignmentAttrName,
                  IntegerAttr::get(i32, verdict.rowAlignment));
}

static SmallVector<Operation *> collectAccesses(tt::FuncOp func) {
  SmallVector<Operation *> accesses;
  func.walk([&](Operation *op) {
    // What is marked has been decided before.
    if (isa<tt::LoadOp, tt::StoreOp, mlt::PrefetchOp>(op) &&
        tt::isBlockPointer(op->getOperand(0).getType()) &&
        !op->hasAttr(kRowDimAttrName))
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
static void setFastDim(tt::MakeTensorPtrOp make, int32_t fast) {
  SmallVector<int32_t> order{fast};
  for (int32_t dim : make.getOrder())
    if (dim != fast)
      order.push_back(dim);
  make.setOrder(order);
}

static void explainRefusal(Operation *access, StringRef reason) {
  remarkMissed(access, topic::kBlockIO, [&](llvm::raw_ostream &os) {
    os << "no 2-D block message: " << reason;
  });
}

/// A hint must not restrict launches: a prefetch stays only where it needs no
/// condition that the loads and stores do not ask for anyway.
static void dropDemandingPrefetches(SmallVectorImpl<Verdict> &verdicts,
                                    const AccessForms &forms) {
  auto normalize = [](Attribute attr) {
    return withoutEntries(attr, {"loc", "access"});
  };
  llvm::DenseSet<Attribute> asked;
  for (auto &[access, verdict] : verdicts)
    if (!isa<mlt::PrefetchOp>(access) && forms.get(access) == AccessForm::Block)
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
/// one for the others, where no access is legal that needs one. Appends the
/// verdicts on those.
static void addVersion(tt::FuncOp func, const TargetDescription &target,
                       SmallVectorImpl<Verdict> &verdicts,
                       ArrayRef<Attribute> preconditions) {
  IRMapping copies;
  scf::IfOp branch =
      versionFunction(func, preconditions, target.block2D, copies);
  // Whoever has no limits needs no copy.
  if (llvm::all_of(verdicts, [](const Verdict &entry) {
        return !entry.second.legal || entry.second.exact;
      }))
    branch->setAttr(kVersionsAttrName, UnitAttr::get(func.getContext()));
  for (auto [access, verdict] : llvm::to_vector(verdicts)) {
    verdict.legal &= verdict.preconditions.empty();
    verdicts.emplace_back(copies.lookup(access), std::move(verdict));
  }
}

/// What is left to look at where every launch is served: that arrays are as
/// large as the kernel is told.
static SmallVector<Attribute> getArrayConditions(ArrayRef<Attribute> all) {
  SmallVector<Attribute> conditions;
  for (auto entry : llvm::map_range(all, llvm::CastTo<DictionaryAttr>)) {
    if (!entry.contains("base") || !entry.contains("height"))
      continue;
    NamedAttrList array(
        cast<DictionaryAttr>(withoutEntries(entry, {"access"})));
    array.set("kind", StringAttr::get(entry.getContext(), "array"));
    conditions.push_back(array.getDictionary(entry.getContext()));
  }
  return conditions;
}

/// The verdicts on all accesses of `func` but for prefetches that are dropped.
SmallVector<Verdict>
LegalizeBlockIOPass::classify(ArrayRef<Operation *> accesses,
                              const BlockIOAnalysis &analysis) {
  SmallVector<Verdict> verdicts;
  for (Operation *access : accesses) {
    BlockIOVerdict verdict = analysis.classify(access);
    if (!verdict.reason.empty())
      explainRefusal(access, verdict.reason);
    if (!verdict.legal && isa<mlt::PrefetchOp>(access))
      access->erase();
    else
      verdicts.emplace_back(access, std::move(verdict));
  }
  return verdicts;
}

/// What the launch has to keep for the accesses that stay block messages.
SmallVector<Attribute>
LegalizeBlockIOPass::collectPreconditions(ArrayRef<Verdict> verdicts,
                                          const AccessForms &forms) {
  SmallVector<Attribute> preconditions;
  for (auto &[access, verdict] : verdicts) {
    AccessForm form = forms.get(access);
    if (form == AccessForm::Block) {
      ++numLegal;
      // What a prefetch asks for, a load or store asks for too.
      if (!isa<mlt::PrefetchOp>(access))
        preconditions.append(verdict.preconditions);
      continue;
    }
    ++(form == AccessForm::Rows ? numRows : numElements);
    if (verdict.legal)
      explainRefusal(access, "another access through the pointer is none");
  }
  return preconditions;
}

/// Lets warps that hold the same tile share the work of loading it where no
/// block message does it. Brings `verdicts` and `forms` up to date; returns
/// pointers that are to be taken apart in addition.
llvm::DenseSet<Value> LegalizeBlockIOPass::shareLoads(
    tt::FuncOp func, const TargetDescription &target,
    SmallVectorImpl<Verdict> &verdicts, AccessForms &forms) {
  // The analyses are for those that have something to share.
  if (llvm::none_of(verdicts, [&](const Verdict &entry) {
        return entry.first->hasAttr(kWarpTilesAttrName) &&
               forms.get(entry.first) != AccessForm::Block;
      }))
    return {};
  LoadSharing sharing(func, target);
  SmallVector<Value> pointers;
  llvm::SmallDenseSet<Operation *> shared;
  for (auto &[access, verdict] : verdicts) {
    auto load = dyn_cast<tt::LoadOp>(access);
    if (!load || forms.get(load) == AccessForm::Block ||
        !sharing.add(load, verdict))
      continue;
    remarkAnalysis(load, topic::kBlockIO, [&](llvm::raw_ostream &os) {
      os << "warps that hold the same tile load a part of it each, and "
            "exchange the parts through shared local memory";
    });
    pointers.push_back(load.getPtr());
    shared.insert(load);
  }
  if (shared.empty())
    return {};
  forms = AccessForms(func, ForwardingEdges(func), verdicts, pointers);
  llvm::erase_if(verdicts, [&](const Verdict &entry) {
    return shared.contains(entry.first);
  });
  numShared += shared.size();
  SmallVector<Value> parts = sharing.rewrite();
  return llvm::DenseSet<Value>(parts.begin(), parts.end());
}

LogicalResult LegalizeBlockIOPass::legalize(tt::FuncOp func,
                                            const TargetDescription &target) {
  SmallVector<Operation *> accesses = collectAccesses(func);
  if (failed(checkInput(accesses)))
    return failure();
  BlockIOAnalysis analysis(func, target);
  SmallVector<Verdict> verdicts = classify(accesses, analysis);
  AccessForms forms(func, analysis.getEdges(), verdicts);
  dropDemandingPrefetches(verdicts, forms);
  for (auto &[access, verdict] : verdicts)
    if (forms.get(access) != AccessForm::Elements)
      for (tt::MakeTensorPtrOp make :
           traceBlockPointer(access->getOperand(0), analysis.getEdges()).makes)
        setFastDim(make, verdict.fastDim);

  SmallVector<Attribute> preconditions = collectPreconditions(verdicts, forms);
  bool isRaised = func->removeAttr(kRaisedAttrName) != nullptr;
  bool wantsVersions = versions == VersionPolicy::Always ||
                       (versions == VersionPolicy::Raised && isRaised);
  if (wantsVersions && !preconditions.empty() && canVersion(func)) {
    addVersion(func, target, verdicts, preconditions);
    ++numVersioned;
    forms = AccessForms(func, ForwardingEdges(func), verdicts);
    preconditions =
        isRaised ? SmallVector<Attribute>() : getArrayConditions(preconditions);
  }
  numPreconditions += addPreconditions(func, preconditions);
  llvm::DenseSet<Value> apart = shareLoads(func, target, verdicts, forms);
  for (auto &[access, verdict] : verdicts)
    if (forms.get(access) == AccessForm::Rows)
      goByRows(access, verdict);
  // The pointers of prefetches that only one version has.
  freezeUnusedCarriedValues(func);
  func.walk([](tt::LoadOp load) { load->removeAttr(kWarpTilesAttrName); });
  apart.insert_range(forms.getElements());
  if (apart.empty())
    return success();
  return scalarizeBlockPointers(func, apart);
}
