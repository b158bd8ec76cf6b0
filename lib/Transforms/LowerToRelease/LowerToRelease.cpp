//===- LowerToRelease.cpp - the Triton IR of one release ------------------===//
//
// What is printed for a release of Triton is meant to be read by it. This pass
// holds the life time of every operation, type and attribute that not all
// releases have; the table was taken from the operations that their libraries
// register and is checked against their parsers.
//
//===----------------------------------------------------------------------===//
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/TritonGPU/IR/TritonGPUOps.h"
#include "Transforms/LowerToRelease/Passes.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::mlt {
#define GEN_PASS_DEF_LOWERTORELEASE
#include "Transforms/LowerToRelease/Passes.h.inc"
} // namespace mlir::mlt

using namespace mlir;
using Release = tt::TritonRelease;

namespace {
/// The releases that have an operation, and its name in others.
struct LifeTime {
  StringRef name;
  Release first, last;
  StringRef otherName = {};
};

class LowerToReleasePass
    : public mlt::impl::LowerToReleaseBase<LowerToReleasePass> {
public:
  using LowerToReleaseBase::LowerToReleaseBase;

  void runOnOperation() override {
    SmallVector<Operation *> all;
    getOperation().walk([&](Operation *op) { all.push_back(op); });
    for (Operation *op : all)
      if (failed(lower(op)))
        signalPassFailure();
  }

private:
  LogicalResult lower(Operation *op);
  LogicalResult checkTypes(Operation *op);
  LogicalResult checkScaledDot(tt::DotScaledOp dot);
  LogicalResult checkCache(Operation *op, tt::CacheModifier modifier,
                           ArrayRef<tt::CacheModifier> dropped);
  LogicalResult refuse(Operation *op, const Twine &what) {
    return op->emitError() << "expected what Triton "
                           << tt::stringifyTritonRelease(release)
                           << " knows, found " << what
                           << "; choose another release";
  }
};
} // namespace

/// Operations that some release does not have. Those of the same meaning under
/// another name differ in nothing else.
static const LifeTime kLifeTimes[] = {
    {"tt.make_tensor_ptr", Release::V3_2, Release::V3_7},
    {"tt.advance", Release::V3_2, Release::V3_7},
    {"tt.experimental_tensormap_create", Release::V3_2, Release::V3_3},
    {"tt.experimental_tensormap_fenceproxy_acquire", Release::V3_2,
     Release::V3_3},
    {"tt.experimental_descriptor_load", Release::V3_2, Release::V3_3,
     "tt.descriptor_load"},
    {"tt.experimental_descriptor_store", Release::V3_2, Release::V3_3,
     "tt.descriptor_store"},
    {"tt.experimental_descriptor_gather", Release::V3_3, Release::V3_3,
     "tt.descriptor_gather"},
    {"tt.experimental_descriptor_scatter", Release::V3_3, Release::V3_3,
     "tt.descriptor_scatter"},
    {"tt.descriptor_load", Release::V3_5, Release::Newest,
     "tt.experimental_descriptor_load"},
    {"tt.descriptor_store", Release::V3_5, Release::Newest,
     "tt.experimental_descriptor_store"},
    {"tt.descriptor_gather", Release::V3_5, Release::Newest,
     "tt.experimental_descriptor_gather"},
    {"tt.descriptor_scatter", Release::V3_5, Release::Newest,
     "tt.experimental_descriptor_scatter"},
    {"tt.reinterpret_tensor_descriptor", Release::V3_3, Release::V3_3},
    {"tt.make_tensor_descriptor", Release::V3_3, Release::Newest},
    {"tt.gather", Release::V3_3, Release::Newest},
    {"tt.descriptor_reduce", Release::V3_5, Release::Newest},
    {"tt.map_elementwise", Release::V3_5, Release::Newest},
    {"tt.map_elementwise.return", Release::V3_5, Release::Newest},
    {"tt.unsplat", Release::V3_5, Release::Newest},
    {"ttg.barrier", Release::V3_7, Release::Newest, "gpu.barrier"},
    {"tt.approx_divf", Release::V3_9, Release::Newest},
    {"tt.atomic_load", Release::V3_9, Release::Newest},
    {"tt.atomic_poll", Release::V3_9, Release::Newest},
    {"tt.atomic_store", Release::V3_9, Release::Newest},
    {"tt.grid_dependency_wait", Release::V3_9, Release::Newest},
    {"tt.grid_dependency_launch_dependents", Release::V3_9, Release::Newest},
};

static const LifeTime *findLifeTime(StringRef name) {
  const auto *it = llvm::find_if(
      kLifeTimes, [&](const LifeTime &life) { return life.name == name; });
  return it == std::end(kLifeTimes) ? nullptr : it;
}

static bool isAlive(const LifeTime *life, Release release) {
  return !life || (life->first <= release && release <= life->last);
}

static void rename(Operation *op, StringRef name) {
  OpBuilder builder(op);
  OperationState state(op->getLoc(), name, op->getOperands(),
                       op->getResultTypes());
  if (isa<ttg::BarrierOp>(op))
    state.addAttributes(llvm::to_vector(op->getDiscardableAttrs()));
  else
    state.addAttributes(op->getAttrs());
  Operation *renamed = builder.create(state);
  op->replaceAllUsesWith(renamed->getResults());
  op->erase();
}

/// Descriptors that name their blocks came with 3.3.
LogicalResult LowerToReleasePass::checkTypes(Operation *op) {
  if (release >= Release::V3_3)
    return success();
  auto isDescriptor = [](Type type) { return isa<tt::TensorDescType>(type); };
  bool found = llvm::any_of(op->getOperandTypes(), isDescriptor) ||
               llvm::any_of(op->getResultTypes(), isDescriptor);
  if (auto func = dyn_cast<tt::FuncOp>(op))
    found |= llvm::any_of(func.getArgumentTypes(), isDescriptor);
  return found ? refuse(op, "a tensor descriptor") : success();
}

LogicalResult LowerToReleasePass::checkScaledDot(tt::DotScaledOp dot) {
  if (release == Release::V3_2 && !dot.getAScale())
    return refuse(dot, "a left operand without scale");
  if (release < Release::V3_5 && !(dot.getLhsKPack() && dot.getRhsKPack()))
    return refuse(dot, "an operand that is not packed along k");
  return success();
}

/// From 3.9 on a cache modifier has to belong to the direction of the access.
LogicalResult
LowerToReleasePass::checkCache(Operation *op, tt::CacheModifier modifier,
                               ArrayRef<tt::CacheModifier> dropped) {
  if (release < Release::V3_9 || !llvm::is_contained(dropped, modifier))
    return success();
  return refuse(op, "cache modifier '" + tt::stringifyCacheModifier(modifier) +
                        "' of '" + op->getName().getStringRef() + "'");
}

LogicalResult LowerToReleasePass::lower(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (isa_and_present<mlt::MLTDialect>(op->getDialect()))
    return refuse(op, "'" + name + "'");
  if (failed(checkTypes(op)))
    return failure();
  if (auto dot = dyn_cast<tt::DotScaledOp>(op))
    return checkScaledDot(dot);
  if (auto load = dyn_cast<tt::LoadOp>(op))
    return checkCache(load, load.getCache(),
                      {tt::CacheModifier::WB, tt::CacheModifier::WT});
  if (auto store = dyn_cast<tt::StoreOp>(op))
    return checkCache(store, store.getCache(),
                      {tt::CacheModifier::CA, tt::CacheModifier::CV});
  const LifeTime *life = findLifeTime(name);
  if (isAlive(life, release))
    return success();
  const LifeTime *other =
      life->otherName.empty() ? nullptr : findLifeTime(life->otherName);
  if (life->otherName.empty() || !isAlive(other, release))
    return refuse(op, "'" + name + "' of " +
                          tt::stringifyTritonRelease(life->first) + " to " +
                          tt::stringifyTritonRelease(life->last));
  rename(op, life->otherName);
  ++numRenamed;
  return success();
}
