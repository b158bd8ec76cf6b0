//===- TritonOps.cpp - functions, builders, effects -----------------------===//
//
// What operations need beside their verifiers (TritonVerify*.cpp), folders
// (TritonFold.cpp) and unusual syntax (TritonCustomSyntax.cpp).
//
//===----------------------------------------------------------------------===//
#include "Dialect/Triton/IR/Triton.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace mlir::tt;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

void FuncOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                   FunctionType type, ArrayRef<NamedAttribute> attrs,
                   ArrayRef<DictionaryAttr> argAttrs) {
  state.addAttribute(SymbolTable::getSymbolAttrName(),
                     builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  state.attributes.append(attrs.begin(), attrs.end());
  state.addRegion();
  if (argAttrs.empty())
    return;
  call_interface_impl::addArgAndResultAttrs(
      builder, state, argAttrs, /*resultAttrs=*/{},
      getArgAttrsAttrName(state.name), getResAttrsAttrName(state.name));
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildFuncType =
      [](Builder &builder, ArrayRef<Type> arguments, ArrayRef<Type> results,
         function_interface_impl::VariadicFlag,
         std::string &) { return builder.getFunctionType(arguments, results); };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false,
      getFunctionTypeAttrName(result.name), buildFuncType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void FuncOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(
      printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
      getArgAttrsAttrName(), getResAttrsAttrName());
}

void CallOp::build(OpBuilder &builder, OperationState &state, FuncOp callee,
                   ValueRange operands) {
  build(builder, state, callee.getSymName(),
        callee.getFunctionType().getResults(), operands);
}

void CallOp::build(OpBuilder &builder, OperationState &state, StringRef callee,
                   TypeRange results, ValueRange operands) {
  state.addOperands(operands);
  state.addTypes(results);
  state.addAttribute(getCalleeAttrName(state.name),
                     FlatSymbolRefAttr::get(builder.getContext(), callee));
}

FunctionType CallOp::getCalleeType() {
  return FunctionType::get(getContext(), getOperandTypes(), getResultTypes());
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  auto function =
      symbolTable.lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr());
  if (!function)
    return emitOpError("expected '")
           << getCallee() << "' to name a tt.func of the module";
  if (function.getFunctionType() != getCalleeType())
    return emitOpError("expected the type of '")
           << getCallee() << "', " << function.getFunctionType() << ", got "
           << getCalleeType();
  return success();
}

LogicalResult ReturnOp::verify() {
  auto function = (*this)->getParentOfType<FuncOp>();
  ArrayRef<Type> results = function.getFunctionType().getResults();
  if (llvm::equal(results, getOperandTypes()))
    return success();
  InFlightDiagnostic diag = emitOpError("expected values of the types that '")
                            << function.getSymName() << "' returns, (";
  llvm::interleaveComma(results, diag);
  diag << "), got (";
  llvm::interleaveComma(getOperandTypes(), diag);
  return diag << ")";
}

//===----------------------------------------------------------------------===//
// Builders
//===----------------------------------------------------------------------===//

void ExpandDimsOp::build(OpBuilder &builder, OperationState &state, Value src,
                         int32_t axis) {
  auto type = cast<RankedTensorType>(src.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.begin() + axis, 1);
  build(builder, state, RankedTensorType::get(shape, type.getElementType()),
        src, axis);
}

void MakeTensorPtrOp::build(OpBuilder &builder, OperationState &state,
                            Value base, ValueRange shape, ValueRange strides,
                            ValueRange offsets, ArrayRef<int32_t> tensorShape,
                            ArrayRef<int32_t> order) {
  auto pointer = cast<PointerType>(base.getType());
  SmallVector<int64_t> blockShape(tensorShape.begin(), tensorShape.end());
  auto block = RankedTensorType::get(blockShape, pointer.getPointeeType());
  build(builder, state, PointerType::get(block, pointer.getAddressSpace()),
        base, shape, strides, offsets, order);
}

void LoadOp::build(OpBuilder &builder, OperationState &state, Value ptr,
                   Value mask, Value other, CacheModifier cache,
                   EvictionPolicy evict, bool isVolatile) {
  build(builder, state, tt::getPointeeType(ptr.getType()), ptr, mask, other,
        /*boundaryCheck=*/ArrayRef<int32_t>{}, /*padding=*/PaddingOptionAttr(),
        cache, evict, isVolatile);
}

void LoadOp::build(OpBuilder &builder, OperationState &state, Value ptr,
                   ArrayRef<int32_t> boundaryCheck,
                   std::optional<PaddingOption> padding, CacheModifier cache,
                   EvictionPolicy evict, bool isVolatile) {
  PaddingOptionAttr paddingAttr;
  if (padding)
    paddingAttr = PaddingOptionAttr::get(builder.getContext(), *padding);
  build(builder, state, tt::getPointeeType(ptr.getType()), ptr,
        /*mask=*/Value(), /*other=*/Value(), boundaryCheck, paddingAttr, cache,
        evict, isVolatile);
}

void StoreOp::build(OpBuilder &builder, OperationState &state, Value ptr,
                    Value value, Value mask, CacheModifier cache,
                    EvictionPolicy evict) {
  build(builder, state, ptr, value, mask,
        /*boundaryCheck=*/ArrayRef<int32_t>{}, cache, evict);
}

void StoreOp::build(OpBuilder &builder, OperationState &state, Value ptr,
                    Value value, ArrayRef<int32_t> boundaryCheck,
                    CacheModifier cache, EvictionPolicy evict) {
  build(builder, state, ptr, value, /*mask=*/Value(), boundaryCheck, cache,
        evict);
}

//===----------------------------------------------------------------------===//
// Effects and speculation
//===----------------------------------------------------------------------===//

using EffectList =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

/// Code the compiler does not see reads and writes memory unless it promised
/// not to.
static void addOpaqueEffects(bool pure, EffectList &effects) {
  if (pure)
    return;
  effects.emplace_back(MemoryEffects::Read::get(), GlobalMemory::get());
  effects.emplace_back(MemoryEffects::Write::get(), GlobalMemory::get());
}

static Speculation::Speculatability getOpaqueSpeculatability(bool pure) {
  return pure ? Speculation::Speculatable : Speculation::NotSpeculatable;
}

/// A volatile load must neither be removed nor moved, which is what a write
/// expresses.
void LoadOp::getEffects(EffectList &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getPtrMutable(),
                       GlobalMemory::get());
  if (getIsVolatile())
    effects.emplace_back(MemoryEffects::Write::get(), GlobalMemory::get());
}

void ExternElementwiseOp::getEffects(EffectList &effects) {
  addOpaqueEffects(getPure(), effects);
}

Speculation::Speculatability ExternElementwiseOp::getSpeculatability() {
  return getOpaqueSpeculatability(getPure());
}

void ElementwiseInlineAsmOp::getEffects(EffectList &effects) {
  addOpaqueEffects(getPure(), effects);
}

Speculation::Speculatability ElementwiseInlineAsmOp::getSpeculatability() {
  return getOpaqueSpeculatability(getPure());
}

//===----------------------------------------------------------------------===//
// Reductions and scans
//===----------------------------------------------------------------------===//

template <typename OpTy>
static SmallVector<RankedTensorType> getTensorTypes(OpTy op) {
  return llvm::map_to_vector(op.getSrcs().getTypes(), [](Type type) {
    return cast<RankedTensorType>(type);
  });
}

template <typename OpTy> static SmallVector<Type> getElements(OpTy op) {
  return llvm::map_to_vector(op.getSrcs().getTypes(), [](Type type) {
    return getElementTypeOrSelf(type);
  });
}

SmallVector<RankedTensorType> ReduceOp::getInputTypes() {
  return getTensorTypes(*this);
}

SmallVector<Type> ReduceOp::getElementTypes() { return getElements(*this); }

SmallVector<RankedTensorType> ScanOp::getInputTypes() {
  return getTensorTypes(*this);
}

SmallVector<Type> ScanOp::getElementTypes() { return getElements(*this); }

LoadOp tt::getBlockLoad(Operation *op) {
  auto load = dyn_cast_if_present<LoadOp>(op);
  return load && isBlockPointer(load.getPtr().getType()) ? load : LoadOp();
}
