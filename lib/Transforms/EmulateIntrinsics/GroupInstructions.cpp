//===- GroupInstructions.cpp - lanes exchange values by instructions ------===//
//
// SPIR-V cannot say of an imported function that all lanes have to call it
// together. Intel's runtime for CPUs takes OpenCL's sub-group functions for
// pure ones when they come as imports, moves a call to where its result is
// used, and loses it there when that is a block for one lane: a row's sum
// behind a store by the first lane was never stored. The instructions that do
// the same are known to involve all lanes.
//
//===----------------------------------------------------------------------===//
#include "Target/Intrinsics/DeviceCalls.h"
#include "Transforms/EmulateIntrinsics/PortableForm.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::mlt;

/// SPIR-V's number of the scope that a sub-group is.
static constexpr int64_t kSubgroupScope = 3;

namespace {
struct GroupInstruction {
  /// Mangled name of the OpenCL function, up to its types.
  StringLiteral function;
  /// The same of the function that stands for the instruction; it takes the
  /// scope (i32) before the other operands.
  StringLiteral instruction;
};
} // namespace

static constexpr GroupInstruction kInstructions[] = {
    {"_Z19sub_group_broadcast", "_Z22__spirv_GroupBroadcasti"},
    {"_Z17sub_group_shuffle", "_Z30__spirv_GroupNonUniformShufflei"},
    {"_Z21sub_group_shuffle_xor", "_Z33__spirv_GroupNonUniformShuffleXori"},
};

static LogicalResult replaceCall(LLVM::CallOp call,
                                 const GroupInstruction &entry) {
  OpBuilder builder(call);
  Location loc = call.getLoc();
  StringRef types = call.getCallee()->drop_front(entry.function.size());
  SmallVector<Value> args = {
      createInt(builder, loc, builder.getI32Type(), kSubgroupScope)};
  llvm::append_range(args, call.getArgOperands());
  FailureOr<LLVM::CallOp> replacement =
      createDeviceCall(builder, loc, (entry.instruction + types).str(),
                       call.getResult().getType(), args, DeviceEffects::None);
  if (failed(replacement))
    return failure();
  call.getResult().replaceAllUsesWith(replacement->getResult());
  call.erase();
  return success();
}

LogicalResult mlt::useGroupInstructions(ModuleOp module) {
  SmallVector<std::pair<LLVM::CallOp, const GroupInstruction *>> calls;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (function.getCConv() != LLVM::CConv::SPIR_KERNEL)
      continue;
    function.walk([&](LLVM::CallOp call) {
      for (const GroupInstruction &entry : kInstructions)
        if (call.getCallee() && call.getCallee()->starts_with(entry.function))
          calls.emplace_back(call, &entry);
    });
  }
  for (auto [call, entry] : calls)
    if (failed(replaceCall(call, *entry)))
      return failure();
  return success();
}
