//===- Predication.cpp - memory accesses of some lanes only ---------------===//
//
// A lane that is masked off must not touch memory, and an element that several
// lanes hold must be written or updated once. A load or store takes the
// condition along. For anything else, and where many accesses share a
// condition, both are control flow, which the device compiler leaves as it is:
// each branch waits for its message before the next one starts.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/Predication.h"
#include "Conversion/TritonGPUToLLVM/Builtins.h"
#include "Conversion/TritonGPUToLLVM/MoveElements.h"
#include "Conversion/TritonGPUToLLVM/VectorUtils.h"
#include "Dialect/Triton/IR/Triton.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::mlt;

/// True when `mask` is known to hold everywhere.
static bool isAlwaysTrue(Value mask) {
  Attribute attr;
  if (!matchPattern(mask, m_Constant(&attr)))
    return false;
  if (auto dense = dyn_cast<DenseElementsAttr>(attr))
    return dense.isSplat() && dense.getSplatValue<bool>();
  auto integer = dyn_cast<IntegerAttr>(attr);
  return integer && integer.getValue().isOne();
}

SlotPredicate::SlotPredicate(OpBuilder &builder, Location loc,
                             const CodeGenStyle &style, const Tile &tile,
                             Value mask, Value carried, bool onceOnly) {
  Value active;
  if (onceOnly)
    active = getLowLanes(builder, loc, style, tile.layout.getNumActiveLanes());
  if (!mask || isAlwaysTrue(mask)) {
    if (active)
      conditions.push_back(active);
    return;
  }
  conditions = getElements(builder, loc, carried);
  shared = conditions.size() == 1 || mask.getDefiningOp<tt::SplatOp>();
  if (shared)
    conditions.resize(1);
  if (active)
    for (Value &condition : conditions)
      condition = LLVM::AndOp::create(builder, loc, condition, active);
}

SmallVector<Value>
mlt::emitPredicated(OpBuilder &builder, Location loc, Value condition,
                    ValueRange otherwise,
                    function_ref<SmallVector<Value>(OpBuilder &)> emit) {
  if (!condition)
    return emit(builder);
  // The operation stands before its body is made, so that the body can declare
  // functions.
  auto branch = scf::IfOp::create(builder, loc, otherwise.getTypes(), condition,
                                  /*withElseRegion=*/!otherwise.empty());
  auto fill = [&](Block *block, function_ref<SmallVector<Value>()> getResults) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(block);
    SmallVector<Value> results = getResults();
    if (!otherwise.empty())
      scf::YieldOp::create(builder, loc, results);
  };
  fill(branch.thenBlock(), [&] { return emit(builder); });
  if (!otherwise.empty())
    fill(branch.elseBlock(), [&] { return llvm::to_vector(otherwise); });
  return llvm::to_vector_of<Value>(branch.getResults());
}

/// The integer of a value's width: one built-in per width.
static Value toInteger(OpBuilder &builder, Location loc, Value value) {
  Type type = value.getType();
  return isa<FloatType>(type)
             ? LLVM::BitcastOp::create(
                   builder, loc,
                   builder.getIntegerType(type.getIntOrFloatBitWidth()), value)
             : value;
}

/// "PU3AS1s": a pointer to elements of `type` in global memory.
static std::string manglePointer(Type type) {
  return "PU3AS1" + mangleType(type);
}

Value mlt::loadPredicated(OpBuilder &builder, Location loc, Value pointer,
                          Value condition, Value otherwise) {
  Type type = otherwise.getType();
  Value bits = toInteger(builder, loc, otherwise);
  std::string name = "_Z27__spirv_PredicatedLoadINTEL" +
                     manglePointer(bits.getType()) + "b" +
                     mangleType(bits.getType());
  Value loaded = callBuiltin(builder, loc, name, bits.getType(),
                             {pointer, condition, bits}, BuiltinEffect::Memory);
  return loaded.getType() == type
             ? loaded
             : LLVM::BitcastOp::create(builder, loc, type, loaded).getResult();
}

void mlt::storePredicated(OpBuilder &builder, Location loc, Value pointer,
                          Value condition, Value value) {
  Value bits = toInteger(builder, loc, value);
  std::string name = "_Z28__spirv_PredicatedStoreINTEL" +
                     manglePointer(bits.getType()) +
                     mangleType(bits.getType()) + "b";
  callBuiltin(builder, loc, name, Type(), {pointer, bits, condition},
              BuiltinEffect::Memory);
}

SmallVector<Value> mlt::copyToReplicas(OpBuilder &builder, Location loc,
                                       const CodeGenStyle &style,
                                       const Tile &tile,
                                       ArrayRef<Value> slots) {
  int64_t active = tile.layout.getNumActiveLanes();
  if (active >= style.getNumLanes())
    return llvm::to_vector(slots);
  Value index;
  if (active > 1) {
    SmallVector<int64_t> sources;
    for (int64_t lane = 0; lane < style.getNumLanes(); ++lane)
      sources.push_back(lane % active);
    index = getLaneTable(builder, loc, style, sources, builder.getI32Type());
  }
  return llvm::map_to_vector(slots, [&](Value slot) {
    return active == 1 ? style.broadcast(builder, loc, slot, 0)
                       : style.shuffle(builder, loc, slot, index);
  });
}

Value mlt::getPointer(OpBuilder &builder, Location loc, Value address,
                      unsigned addressSpace) {
  if (isa<LLVM::LLVMPointerType>(address.getType()))
    return address;
  auto type = LLVM::LLVMPointerType::get(builder.getContext(), addressSpace);
  return LLVM::IntToPtrOp::create(builder, loc, type, address);
}

Value mlt::toAddress(OpBuilder &builder, Location loc, Value pointer) {
  if (!isa<LLVM::LLVMPointerType>(pointer.getType()))
    return pointer;
  return LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), pointer);
}
