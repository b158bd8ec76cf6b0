//===- Emulator.cpp - calls to device functions become helpers ------------===//
//
// Helpers are named after what they do and shared by all calls that do the
// same. Call sites bring their arguments into one form, so helpers do not
// depend on the interface that the kernel was lowered to.
//
//===----------------------------------------------------------------------===//
#include "Transforms/EmulateIntrinsics/Emulator.h"
#include "Target/Intrinsics/Mangling.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::mlt;

static constexpr StringLiteral kMemoryBarrierName =
    "_Z21__spirv_MemoryBarrierii";

/// The OpenCL functions of one axis that ids become.
static constexpr StringLiteral kIdFunctions[] = {"get_group_id", "get_local_id",
                                                 "get_num_groups"};

static std::string mangleId(StringRef function) {
  return mangle(function, {MangledType::scalar("j")});
}

LogicalResult Emulator::declareFunctions() {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  Type i32 = builder.getI32Type();
  SmallVector<Type> params = {i32, i32, i32};
  if (failed(lanes.declareFunctions(module)) ||
      failed(getDeviceFunction(builder, module.getLoc(), kControlBarrierName,
                               {}, params, DeviceEffects::ReadWriteMemory)))
    return failure();
  // Only intrinsics of the vector backend ask for ids.
  bool isFlat = lanes.getNumLanes() == 1;
  for (StringRef function :
       ArrayRef(kIdFunctions).take_front(isFlat ? std::size(kIdFunctions) : 0))
    if (failed(getDeviceFunction(builder, module.getLoc(), mangleId(function),
                                 builder.getI64Type(), i32, DeviceEffects::None,
                                 /*convergent=*/false)))
      return failure();
  return getDeviceFunction(builder, module.getLoc(), kMemoryBarrierName, {},
                           ArrayRef<Type>(params).drop_back(),
                           DeviceEffects::ReadWriteMemory);
}

LLVM::LLVMFuncOp Emulator::getHelper(StringRef name, Type result,
                                     TypeRange params, BodyEmitter emitBody) {
  LLVM::LLVMFuncOp &helper = helpers[name];
  if (helper)
    return helper;
  ++numHelpers;
  MLIRContext *context = module.getContext();
  std::string symbol = name.str();
  for (unsigned i = 0; SymbolTable::lookupSymbolIn(module, symbol); ++i)
    symbol = (name + "_" + Twine(i)).str();
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = NameLoc::get(StringAttr::get(context, symbol));
  auto type = LLVM::LLVMFunctionType::get(
      result ? result : LLVM::LLVMVoidType::get(context),
      llvm::to_vector(params));
  helper = LLVM::LLVMFuncOp::create(builder, loc, symbol, type,
                                    LLVM::Linkage::Internal);
  helper.setCConv(LLVM::CConv::SPIR_FUNC);
  helper.setNoInline(true);
  helper.setNoUnwind(true);
  helper.setConvergent(true);
  Block *entry = helper.addEntryBlock(builder);
  builder.setInsertionPointToStart(entry);
  Emitter emitter(builder, loc, lanes);
  emitBody(emitter, *entry);
  return helper;
}

LLVM::CallOp Emulator::callHelper(OpBuilder &builder, Location loc,
                                  LLVM::LLVMFuncOp helper, ValueRange args) {
  auto call = LLVM::CallOp::create(builder, loc, helper, args);
  call.setCConv(LLVM::CConv::SPIR_FUNC);
  call.setConvergent(true);
  call.setNoUnwind(true);
  return call;
}

void mlt::emitReturn(Emitter &emitter, Value value) {
  LLVM::ReturnOp::create(emitter.builder, emitter.loc,
                         value ? ValueRange(value) : ValueRange());
}

void Emulator::replace(LLVM::CallOp call, const IntrinsicInfo &info) {
  switch (info.kind) {
  case IntrinsicKind::Native:
    return;
  case IntrinsicKind::BlockRead2D:
  case IntrinsicKind::BlockWrite2D:
  case IntrinsicKind::BlockPrefetch2D:
    return replaceBlock2D(call, info);
  case IntrinsicKind::BlockRead1D:
  case IntrinsicKind::BlockWrite1D:
    return replaceBlock1D(call, info);
  case IntrinsicKind::Dpas:
    return replaceDpas(call, info.dpas);
  case IntrinsicKind::RoundToTF32:
  case IntrinsicKind::FloatToBF16:
  case IntrinsicKind::BF16ToFloat:
    return replaceConversion(call, info.kind);
  case IntrinsicKind::Barrier:
  case IntrinsicKind::BarrierWait:
    return replaceBarrier(call, /*execution=*/true);
  case IntrinsicKind::Fence:
    return replaceBarrier(call, /*execution=*/false);
  case IntrinsicKind::WorkItemId:
    return replaceId(call, info.query);
  case IntrinsicKind::Gather:
  case IntrinsicKind::Scatter:
  case IntrinsicKind::AtomicUpdate:
    return replaceAddressed(call, info);
  case IntrinsicKind::Region:
    return replaceRegion(call, info.region);
  case IntrinsicKind::Math:
    return replaceMath(call, info.math);
  case IntrinsicKind::BarrierArrive:
  case IntrinsicKind::Prefetch:
    // A hint, or the half of a barrier that the other half waits for.
    call.erase();
    return;
  case IntrinsicKind::PrefetchAddress: {
    // Its users are hints and go as well.
    OpBuilder builder(call);
    Value none = LLVM::ZeroOp::create(builder, call.getLoc(),
                                      call.getResult().getType());
    call.getResult().replaceAllUsesWith(none);
    call.erase();
    return;
  }
  }
}

SmallVector<Value> Emulator::getCheckArgs(LLVM::CallOp call) {
  if (!checks)
    return {};
  OpBuilder builder(call);
  int64_t site = checks->addSite(call, *call.getCallee());
  return {checks->getArgument(call),
          createInt(builder, call.getLoc(), builder.getI32Type(), site)};
}

void Emulator::emitCheck1D(Emitter &e, Value address, Type result,
                           ValueRange args) {
  const TargetDescription *target = TargetDescription::get(module);
  if (isa<LLVM::LLVMPointerType>(address.getType()))
    address =
        LLVM::PtrToIntOp::create(e.builder, e.loc, e.intType(64), address);
  Value rule =
      emitRuleCheck1D(e, address, /*isWrite=*/!result, target->block1D);
  emitReport(e, rule, result, args.take_back(2));
}

void Emulator::replaceBlock1D(LLVM::CallOp call, const IntrinsicInfo &info) {
  const Block1DMessage &message = info.block1D;
  bool isRead = info.kind == IntrinsicKind::BlockRead1D;
  bool isChecked = checks && isBlock1D(info);
  OpBuilder builder(call);
  std::string name = llvm::formatv(
      "mlt_block_{0}_{1}b_x{2}_as{3}{4}", isRead ? "read" : "write",
      message.elementBits, message.count, message.addressSpace,
      isChecked ? "_checked" : "");
  SmallVector<Value> args(call.getArgOperands());
  if (isChecked)
    llvm::append_range(args, getCheckArgs(call));
  Type result = isRead ? call.getResult().getType() : Type();
  LLVM::LLVMFuncOp helper = getHelper(
      name, result, ValueRange(args).getTypes(), [&](Emitter &e, Block &entry) {
        if (isChecked)
          emitCheck1D(e, e.uniform(entry.getArgument(0)), result,
                      entry.getArguments());
        Value value;
        if (isRead)
          value = emitBlockRead1D(e, message, entry.getArgument(0), result);
        else
          emitBlockWrite1D(e, message, entry.getArgument(0),
                           entry.getArgument(1));
        emitReturn(e, value);
      });
  LLVM::CallOp replacement = callHelper(builder, call.getLoc(), helper, args);
  if (isRead)
    call.getResult().replaceAllUsesWith(replacement.getResult());
  call.erase();
}

void Emulator::replaceDpas(LLVM::CallOp call, const DpasMessage &message) {
  OpBuilder builder(call);
  OperandRange operands = call.getArgOperands();
  Value args[] = {operands[message.accOperand], operands[message.aOperand],
                  operands[message.bOperand]};
  std::string name = llvm::formatv("mlt_dpas_{0}_{1}_{2}_m{3}{4}",
                                   xevm::stringifyElemType(message.a),
                                   xevm::stringifyElemType(message.b),
                                   xevm::stringifyElemType(message.accumulator),
                                   message.rows, message.flat ? "_flat" : "");
  LLVM::LLVMFuncOp helper = getHelper(
      name, args[0].getType(), ValueRange(args).getTypes(),
      [&](Emitter &e, Block &entry) {
        emitReturn(e, emitDpas(e, message, entry.getArgument(0),
                               entry.getArgument(1), entry.getArgument(2)));
      });
  LLVM::CallOp result = callHelper(builder, call.getLoc(), helper, args);
  call.getResult().replaceAllUsesWith(result.getResult());
  call.erase();
}

void Emulator::replaceConversion(LLVM::CallOp call, IntrinsicKind kind) {
  OpBuilder builder(call);
  Emitter e(builder, call.getLoc(), lanes);
  Value value = call.getArgOperands()[0];
  switch (kind) {
  case IntrinsicKind::FloatToBF16:
    value = e.floatToBF16(value);
    break;
  case IntrinsicKind::BF16ToFloat:
    value = e.bf16ToFloat(value);
    break;
  default:
    value = e.roundToTF32(value);
    break;
  }
  // One of the two spellings of the tf32 conversion returns bits.
  call.getResult().replaceAllUsesWith(
      e.bitcast(value, call.getResult().getType()));
  call.erase();
}

void Emulator::replaceId(LLVM::CallOp call, const WorkItemQuery &query) {
  OpBuilder builder(call);
  Emitter e(builder, call.getLoc(), lanes);
  auto getId = [&](int axis) -> Value {
    // Declared before the first replacement, so this cannot fail.
    FailureOr<LLVM::CallOp> id = createDeviceCall(
        builder, call.getLoc(), mangleId(query.function), e.intType(64),
        e.constant(e.intType(32), axis), DeviceEffects::None,
        /*convergent=*/false);
    return e.resize(id->getResult(), 32);
  };
  Value result = query.axis < 0 ? e.pack(call.getResult().getType(),
                                         {getId(0), getId(1), getId(2)})
                                : getId(query.axis);
  call.getResult().replaceAllUsesWith(result);
  call.erase();
}

/// A barrier (or only a fence) of the work-group over local and global memory.
void Emulator::replaceBarrier(LLVM::CallOp call, bool execution) {
  OpBuilder builder(call);
  Emitter e(builder, call.getLoc(), lanes);
  Value workgroup = e.constant(e.intType(32), 2);
  // Acquire-release, work-group and cross-work-group memory.
  Value semantics = e.constant(e.intType(32), 0x308);
  SmallVector<Value> args = {workgroup, semantics};
  if (execution)
    args.insert(args.begin(), workgroup);
  // Declared before the first replacement, so this cannot fail.
  (void)createDeviceCall(builder, call.getLoc(),
                         execution ? kControlBarrierName : kMemoryBarrierName,
                         {}, args, DeviceEffects::ReadWriteMemory);
  call.erase();
}
