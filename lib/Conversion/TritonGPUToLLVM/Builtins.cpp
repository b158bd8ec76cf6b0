//===- Builtins.cpp - calls of OpenCL and SPIR-V built-in functions -------===//
//
// What LLVM IR has no operation for reaches the device as a call of a built-in
// function, by its mangled name. llvm-spirv turns the names into SPIR-V
// instructions; one that it does not know stays a call that no device resolves,
// hence the one place where names are formed.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/Builtins.h"
#include "Conversion/TritonGPUToLLVM/VectorUtils.h"
#include "Target/Intrinsics/Mangling.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace mlir::mlt;

std::string mlt::mangleType(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return "Dv" + std::to_string(vector.getNumElements()) + "_" +
           mangleType(vector.getElementType());
  if (type.isF16())
    return "Dh";
  if (type.isF32())
    return "f";
  if (type.isF64())
    return "d";
  switch (type.getIntOrFloatBitWidth()) {
  case 8:
    return "c";
  case 16:
    return "s";
  case 64:
    return "l";
  default:
    return "i";
  }
}

static bool isConvergent(BuiltinEffect effect) {
  return effect == BuiltinEffect::CrossLane || effect == BuiltinEffect::Barrier;
}

static LLVM::LLVMFuncOp declareBuiltin(OpBuilder &builder, Location loc,
                                       StringRef name, Type type,
                                       BuiltinEffect effect) {
  Operation *parent = builder.getInsertionBlock()->getParentOp();
  auto module = parent->getParentOfType<ModuleOp>();
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return known;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  auto function =
      LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, type);
  function.setCConv(LLVM::CConv::SPIR_FUNC);
  function.setNoUnwind(true);
  function.setWillReturn(true);
  function.setConvergent(isConvergent(effect));
  if (effect == BuiltinEffect::Pure || effect == BuiltinEffect::CrossLane) {
    auto none = LLVM::ModRefInfo::NoModRef;
    function.setMemoryEffectsAttr(LLVM::MemoryEffectsAttr::get(
        builder.getContext(), {none, none, none, none, none, none}));
  }
  return function;
}

Value mlt::callBuiltin(OpBuilder &builder, Location loc, StringRef name,
                       Type result, ValueRange arguments,
                       BuiltinEffect effect) {
  Type returned =
      result ? result : LLVM::LLVMVoidType::get(builder.getContext());
  auto type = LLVM::LLVMFunctionType::get(
      returned, SmallVector<Type>(arguments.getTypes()));
  LLVM::LLVMFuncOp function = declareBuiltin(builder, loc, name, type, effect);
  auto call = LLVM::CallOp::create(builder, loc, function, arguments);
  call.setCConv(function.getCConv());
  call.setNoUnwind(true);
  call.setWillReturn(true);
  call.setConvergent(isConvergent(effect));
  call.setMemoryEffectsAttr(function.getMemoryEffectsAttr());
  return result ? call.getResult() : Value();
}

Value mlt::callFunction(OpBuilder &builder, Location loc, StringRef base,
                        Type result, ValueRange arguments) {
  auto pieces = llvm::map_to_vector(arguments, [&](Value argument) {
    return splitVector(builder, loc, argument, kMaxCallVector);
  });
  SmallVector<Value> results;
  for (size_t i = 0; i < pieces.front().size(); ++i) {
    auto operands = llvm::map_to_vector(
        pieces, [&](ArrayRef<Value> all) { return all[i]; });
    int64_t length = getVectorLength(operands.front().getType());
    auto types = llvm::map_to_vector(operands, [&](Value operand) {
      return MangledType::vector(length,
                                 mangleType(getUnitType(operand.getType())));
    });
    results.push_back(callBuiltin(builder, loc, mangle(base, types),
                                  getVectorType(result, length), operands,
                                  BuiltinEffect::Pure));
  }
  return concatVectors(builder, loc, results);
}

Value mlt::callBuiltinByElement(OpBuilder &builder, Location loc,
                                StringRef base, StringRef mangledArguments,
                                Type result, ValueRange arguments) {
  std::string name =
      ("_Z" + Twine(base.size()) + base + mangledArguments).str();
  auto elements = llvm::map_to_vector(arguments, [&](Value argument) {
    return getElements(builder, loc, argument);
  });
  SmallVector<Value> results;
  for (size_t i = 0; i < elements.front().size(); ++i) {
    auto scalars = llvm::map_to_vector(
        elements, [&](ArrayRef<Value> all) { return all[i]; });
    results.push_back(
        callBuiltin(builder, loc, name, result, scalars, BuiltinEffect::Pure));
  }
  return buildVector(builder, loc, results);
}
