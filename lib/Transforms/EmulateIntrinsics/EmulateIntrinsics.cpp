//===- EmulateIntrinsics.cpp - portable code for device intrinsics --------===//
//
// The pass behind the interface `portable`: decodes all calls before it
// replaces the first, and brings the module into the form that portable devices
// take.
//
//===----------------------------------------------------------------------===//
#include "Dialect/MLT/IR/Versions.h"
#include "Target/Intrinsics/VCBlock2D.h"
#include "Transforms/EmulateIntrinsics/Emulator.h"
#include "Transforms/EmulateIntrinsics/MaskedAccess.h"
#include "Transforms/EmulateIntrinsics/Passes.h"
#include "Transforms/EmulateIntrinsics/PortableForm.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::mlt {
#define GEN_PASS_DEF_EMULATEINTRINSICS
#include "Transforms/EmulateIntrinsics/Passes.h.inc"
} // namespace mlir::mlt

using namespace mlir;
using namespace mlir::mlt;

namespace {
struct EmulateIntrinsicsPass
    : mlt::impl::EmulateIntrinsicsBase<EmulateIntrinsicsPass> {
  using EmulateIntrinsicsBase::EmulateIntrinsicsBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  using DecodedCall = std::pair<LLVM::CallOp, IntrinsicInfo>;

  LogicalResult run();
  FailureOr<std::optional<GenISAGeneration>> selectGeneration();
  LogicalResult expandRawSends();
  FailureOr<SmallVector<DecodedCall>>
  decodeCalls(std::optional<GenISAGeneration> selected);
  bool keepOneVersion();
  void eraseUnusedDeclarations();
  void recordInterface();
  void makeWorkItems();
};
} // namespace

FailureOr<std::optional<GenISAGeneration>>
EmulateIntrinsicsPass::selectGeneration() {
  if (generation.empty())
    return lookupGenISAGeneration(getOperation());
  std::optional<GenISAGeneration> selected =
      symbolizeGenISAGeneration(generation);
  if (!selected) {
    emitError(getOperation().getLoc())
        << "expected generation 'old' or 'current', got '" << generation << "'";
    return failure();
  }
  return selected;
}

/// Raw sends become the intrinsics of the messages that their descriptors and
/// registers say they are.
LogicalResult EmulateIntrinsicsPass::expandRawSends() {
  SmallVector<LLVM::CallOp> sends;
  getOperation().walk([&](LLVM::CallOp call) {
    if (isRawSend(call))
      sends.push_back(call);
  });
  for (LLVM::CallOp send : sends) {
    OpBuilder builder(send);
    FailureOr<VCBlock2D> block = readRawSend(builder, send);
    if (failed(block))
      return failure();
    FailureOr<LLVM::CallOp> call = block->createCall(builder, send.getLoc());
    if (failed(call))
      return failure();
    send->replaceAllUsesWith(call->getOperation());
    send.erase();
  }
  return success();
}

FailureOr<SmallVector<EmulateIntrinsicsPass::DecodedCall>>
EmulateIntrinsicsPass::decodeCalls(std::optional<GenISAGeneration> selected) {
  SmallVector<DecodedCall> calls;
  SymbolTable symbols(getOperation());
  bool failed = false;
  getOperation().walk([&](LLVM::CallOp call) {
    if (!call.getCallee())
      return;
    auto callee = symbols.lookup<LLVM::LLVMFuncOp>(*call.getCallee());
    if (!callee || !callee.isExternal())
      return;
    FailureOr<IntrinsicInfo> info = decodeIntrinsic(call, selected);
    failed |= mlir::failed(info);
    if (succeeded(info))
      calls.emplace_back(call, *info);
  });
  if (failed)
    return failure();
  return calls;
}

/// Where a kernel has block messages for some launches and other accesses for
/// the rest, keeps the messages: here nothing stands against them at any
/// launch.
bool EmulateIntrinsicsPass::keepOneVersion() {
  SmallVector<LLVM::CondBrOp> branches;
  getOperation().walk([&](LLVM::CondBrOp branch) {
    if (branch->hasAttr(kVersionsAttrName))
      branches.push_back(branch);
  });
  IRRewriter rewriter(&getContext());
  for (LLVM::CondBrOp branch : branches) {
    Region *region = branch->getParentRegion();
    rewriter.setInsertionPoint(branch);
    rewriter.replaceOpWithNewOp<LLVM::BrOp>(
        branch, branch.getTrueDestOperands(), branch.getTrueDest());
    (void)eraseUnreachableBlocks(rewriter, *region);
  }
  return !branches.empty();
}

LogicalResult EmulateIntrinsicsPass::run() {
  ModuleOp module = getOperation();
  const TargetDescription *target = TargetDescription::get(module);
  if (!target)
    return failure();
  FailureOr<std::optional<GenISAGeneration>> selected = selectGeneration();
  if (failed(selected))
    return failure();
  if (failed(expandRawSends()))
    return failure();
  bool unlimited = !checked && keepOneVersion();
  FailureOr<SmallVector<DecodedCall>> calls = decodeCalls(*selected);
  if (failed(calls))
    return failure();

  CheckSites sites;
  if (checked) {
    SmallVector<LLVM::CallOp> messages;
    for (auto &[call, info] : *calls)
      if (isBlock1D(info) ||
          llvm::is_contained({IntrinsicKind::BlockRead2D,
                              IntrinsicKind::BlockWrite2D,
                              IntrinsicKind::BlockPrefetch2D},
                             info.kind))
        messages.push_back(call);
    if (failed(sites.prepare(messages)))
      return failure();
  }

  SubgroupLaneView subgroup;
  FlatLaneView flat;
  const bool isFlat = usesVectorCompute(module);
  const LaneView &lanes = isFlat ? static_cast<const LaneView &>(flat)
                                 : static_cast<const LaneView &>(subgroup);
  Emulator emulator(module, lanes, checked ? &sites : nullptr, unlimited);
  if (failed(emulator.declareFunctions()))
    return failure();
  for (auto &[call, info] : *calls) {
    numCalls += info.kind != IntrinsicKind::Native;
    emulator.replace(call, info);
  }
  numHelpers += emulator.numHelpers;
  if (checked)
    sites.attach(*target);
  if (failed(replaceRegroups(module)) || failed(useGroupInstructions(module)))
    return failure();
  eraseUnusedDeclarations();
  recordInterface();
  if (isFlat)
    makeWorkItems();
  else if (failed(defineMaskedAccesses(module)))
    return failure();
  dropFastMathOnCalls(module);
  replaceNegations(module);
  splitWideVectors(module);
  return success();
}

void EmulateIntrinsicsPass::eraseUnusedDeclarations() {
  for (auto function :
       llvm::make_early_inc_range(getOperation().getOps<LLVM::LLVMFuncOp>()))
    if (function.isExternal() && isDeviceFunctionName(function.getName()) &&
        SymbolTable::symbolKnownUseEmpty(function, getOperation()))
      function.erase();
}

/// Says in each kernel's record that its code is portable now.
void EmulateIntrinsicsPass::recordInterface() {
  MLIRContext *context = &getContext();
  getOperation()->removeAttr(kGenISAGenerationAttr);
  for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>()) {
    auto record = function->getAttrOfType<DictionaryAttr>(kKernelAttr);
    if (!record)
      continue;
    NamedAttrList fields(record);
    fields.set("interface", StringAttr::get(context, "portable"));
    function->setAttr(kKernelAttr, fields.getDictionary(context));
  }
}

/// Kernels of the vector backend become ordinary ones, whose work-items have
/// nothing to do with each other.
void EmulateIntrinsicsPass::makeWorkItems() {
  for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>()) {
    if (function.getCConv() != LLVM::CConv::SPIR_KERNEL)
      continue;
    function.removePassthroughAttr();
    function.setIntelReqdSubGroupSize(1);
  }
}
