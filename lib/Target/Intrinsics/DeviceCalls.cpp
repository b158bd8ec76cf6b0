//===- DeviceCalls.cpp - calls to device functions ------------------------===//
//
// One place that declares device functions, so that every declaration carries
// the calling convention and the attributes that keep LLVM's optimiser from
// moving a sub-group operation into divergent control flow.
//
//===----------------------------------------------------------------------===//
#include "Target/Intrinsics/DeviceCalls.h"

using namespace mlir;
using namespace mlir::mlt;

static LLVM::MemoryEffectsAttr getMemoryEffects(MLIRContext *context,
                                                DeviceEffects effects) {
  using LLVM::ModRefInfo;
  if (effects == DeviceEffects::ReadWriteMemory)
    return {};
  ModRefInfo info =
      effects == DeviceEffects::None ? ModRefInfo::NoModRef : ModRefInfo::Ref;
  return LLVM::MemoryEffectsAttr::get(context, /*other=*/info, /*argMem=*/info,
                                      /*inaccessibleMem=*/info,
                                      /*errnoMem=*/ModRefInfo::NoModRef,
                                      /*targetMem0=*/ModRefInfo::NoModRef,
                                      /*targetMem1=*/ModRefInfo::NoModRef);
}

FailureOr<LLVM::LLVMFuncOp>
mlt::getDeviceFunction(OpBuilder &builder, Location loc, StringRef name,
                       Type result, TypeRange params, DeviceEffects effects,
                       bool convergent) {
  Operation *parent = builder.getInsertionBlock()->getParentOp();
  auto module = dyn_cast<ModuleOp>(parent);
  if (!module)
    module = parent->getParentOfType<ModuleOp>();
  if (!module) {
    emitError(loc) << "expected a module around the call to '" << name << "'";
    return failure();
  }
  MLIRContext *context = builder.getContext();
  if (!result)
    result = LLVM::LLVMVoidType::get(context);
  auto type = LLVM::LLVMFunctionType::get(result, llvm::to_vector(params));
  if (Operation *symbol = SymbolTable::lookupSymbolIn(module, name)) {
    auto function = dyn_cast<LLVM::LLVMFuncOp>(symbol);
    if (function && function.getFunctionType() == type)
      return function;
    emitError(loc) << "'" << name << "' is already something else";
    return failure();
  }
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  auto function =
      LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, type);
  function.setCConv(LLVM::CConv::SPIR_FUNC);
  function.setConvergent(convergent);
  function.setNoUnwind(true);
  function.setWillReturn(true);
  if (LLVM::MemoryEffectsAttr attr = getMemoryEffects(context, effects))
    function.setMemoryEffectsAttr(attr);
  return function;
}

FailureOr<LLVM::CallOp> mlt::createDeviceCall(OpBuilder &builder, Location loc,
                                              StringRef name, Type result,
                                              ValueRange args,
                                              DeviceEffects effects,
                                              bool convergent) {
  FailureOr<LLVM::LLVMFuncOp> function = getDeviceFunction(
      builder, loc, name, result, args.getTypes(), effects, convergent);
  if (failed(function))
    return failure();
  auto call = LLVM::CallOp::create(builder, loc, *function, args);
  call.setCConv(LLVM::CConv::SPIR_FUNC);
  call.setConvergent(convergent);
  call.setNoUnwind(true);
  call.setWillReturn(true);
  if (LLVM::MemoryEffectsAttr attr = function->getMemoryEffectsAttr())
    call.setMemoryEffectsAttr(attr);
  return call;
}

/// LLVM's spelling of `type` in the suffix of an overloaded name: "v8f32".
static std::string getTypeSuffix(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return "v" + std::to_string(vector.getNumElements()) +
           getTypeSuffix(vector.getElementType());
  return (isa<FloatType>(type) ? "f" : "i") +
         std::to_string(type.getIntOrFloatBitWidth());
}

std::string mlt::getOverloadedName(StringRef stem, TypeRange types) {
  std::string name = stem.str();
  for (Type type : types)
    (name += '.') += getTypeSuffix(type);
  return name;
}

Value mlt::createInt(OpBuilder &builder, Location loc, Type type,
                     int64_t value) {
  return LLVM::ConstantOp::create(builder, loc,
                                  builder.getIntegerAttr(type, value));
}
