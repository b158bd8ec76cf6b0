//===- MaskedAccess.cpp - loads and stores of some lanes as calls ---------===//
//
// The device has messages that take the condition of each lane along; other
// devices have a branch. The branches stay in functions of their own: the CPU's
// vectorizer has to take the control flow of a whole kernel apart, whose cost
// grows much faster than the number of branches. 200 of them, in a GEMM with
// masks, take it 20 seconds.
//
//===----------------------------------------------------------------------===//
#include "Transforms/EmulateIntrinsics/MaskedAccess.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::mlt;

/// The type that a function loads (pointer, condition, otherwise) or stores
/// (pointer, value, condition); null when it is something else.
static IntegerType getAccessedType(LLVM::LLVMFuncOp function, bool isLoad) {
  LLVM::LLVMFunctionType type = function.getFunctionType();
  if (type.isVarArg() || type.getNumParams() != 3 ||
      !isa<LLVM::LLVMPointerType>(type.getParamType(0)) ||
      !type.getParamType(isLoad ? 1 : 2).isInteger(1))
    return {};
  auto accessed = dyn_cast<IntegerType>(type.getParamType(isLoad ? 2 : 1));
  Type expected =
      isLoad ? Type(accessed) : LLVM::LLVMVoidType::get(type.getContext());
  return type.getReturnType() == expected ? accessed : IntegerType();
}

static void emitBody(LLVM::LLVMFuncOp function, IntegerType type, bool isLoad) {
  OpBuilder builder(function.getContext());
  Location loc = function.getLoc();
  Block *entry = function.addEntryBlock(builder);
  Block *then =
      builder.createBlock(&function.getBody(), function.getBody().end());
  Block *merge =
      builder.createBlock(&function.getBody(), function.getBody().end(),
                          isLoad ? TypeRange(type) : TypeRange(),
                          SmallVector<Location>(isLoad ? 1 : 0, loc));
  Value pointer = entry->getArgument(0);
  Value condition = entry->getArgument(isLoad ? 1 : 2);
  unsigned bytes = type.getWidth() / 8;

  builder.setInsertionPointToEnd(entry);
  LLVM::CondBrOp::create(
      builder, loc, condition, then, ValueRange(), merge,
      isLoad ? ValueRange(entry->getArguments().drop_front(2)) : ValueRange());
  builder.setInsertionPointToEnd(then);
  if (isLoad) {
    Value loaded = LLVM::LoadOp::create(builder, loc, type, pointer, bytes);
    LLVM::BrOp::create(builder, loc, loaded, merge);
  } else {
    LLVM::StoreOp::create(builder, loc, entry->getArgument(1), pointer, bytes);
    LLVM::BrOp::create(builder, loc, ValueRange(), merge);
  }
  builder.setInsertionPointToEnd(merge);
  LLVM::ReturnOp::create(builder, loc, merge->getArguments());
}

LogicalResult mlt::defineMaskedAccesses(ModuleOp module) {
  SymbolTable symbols(module);
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    bool isLoad = function.getName().contains("__spirv_PredicatedLoadINTEL");
    if (!function.isExternal() ||
        (!isLoad &&
         !function.getName().contains("__spirv_PredicatedStoreINTEL")))
      continue;
    IntegerType type = getAccessedType(function, isLoad);
    if (!type)
      return function.emitError()
             << "expected a predicated access of an integer, got "
             << function.getFunctionType();
    std::string name = ("mlt_masked_" + Twine(isLoad ? "load" : "store") +
                        "_i" + Twine(type.getWidth()))
                           .str();
    if (symbols.lookup(name) || failed(symbols.rename(function, name)))
      return function.emitError()
             << "the name '" << name << "' of a helper is taken";
    function.setLinkage(LLVM::Linkage::Internal);
    function.setNoInline(true);
    emitBody(function, type, isLoad);
  }
  return success();
}
