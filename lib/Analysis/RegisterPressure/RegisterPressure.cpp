//===- RegisterPressure.cpp - registers that a block needs ----------------===//
//
// The register allocator is Intel's and comes last; whether a loop will spill
// has to be known here, where the order of its loads can still be chosen. So
// this counts what the values of a block need at each operation. It knows of
// the lowering that pieces which are cut from a tile are the tile's registers.
//
// Addresses of messages come out of the reserve.
//
// The styles differ in three things. Lanes repeat narrow tiles, whole tiles are
// as large as they are. What is glued or broadcast is an operand per register
// for lanes, and a vector of its own in style simd. And the vector backend does
// in several steps over a whole piece what the other one does value by value.
//
//===----------------------------------------------------------------------===//
#include "Analysis/RegisterPressure/RegisterPressure.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/MLT/IR/RowAccess.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Dialect/TritonGPU/IR/TritonGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::mlt;

FailureOr<ThreadStyle> mlt::parseThreadStyle(ModuleOp module, StringRef name) {
  if (name == "simt")
    return ThreadStyle::Simt;
  if (name == "simd")
    return ThreadStyle::Simd;
  return module->emitError()
         << "expected option 'style' to be 'simt' or 'simd', got '" << name
         << "'";
}

const GRFMode *mlt::getLargestMode(ModuleOp module,
                                   const TargetDescription &target) {
  int64_t numWarps = ttg::lookupNumWarps(module).value_or(1);
  const GRFMode *largest = nullptr;
  for (const GRFMode &mode : target.grfModes)
    if (numWarps <= mode.maxWarps &&
        (!largest || largest->registers < mode.registers))
      largest = &mode;
  return largest;
}

int64_t mlt::getMostRegisters(ModuleOp module,
                              const TargetDescription &target) {
  const GRFMode *mode = getLargestMode(module, target);
  return mode ? mode->registers : 0;
}

FailureOr<int64_t> mlt::getRegisterBudget(ModuleOp module,
                                          const TargetDescription &target,
                                          int64_t reservedPermille,
                                          int64_t requested) {
  if (requested < 0)
    return module->emitError()
           << "expected option 'registers' to be 0 or more, got " << requested;
  if (requested > 0)
    return requested;
  int64_t most = getMostRegisters(module, target);
  return most - most * reservedPermille / 1000;
}

FailureOr<int64_t> mlt::getRegisterBudget(ModuleOp module,
                                          const TargetDescription &target,
                                          ThreadStyle style,
                                          int64_t requested) {
  return getRegisterBudget(module, target,
                           style == ThreadStyle::Simt
                               ? target.reservedPermilleSimt
                               : target.reservedPermilleSimd,
                           requested);
}

/// True for operations whose result is, or is read from, the registers of
/// their operands; constants are immediate operands. A glued tile of style simd
/// is one vector, so its pieces are copied, and so are broadcast values.
bool RegisterPressure::isView(Operation *op) const {
  if (isa<ExtractOp, tt::ExpandDimsOp, arith::ConstantOp>(op))
    return true;
  return style == ThreadStyle::Simt &&
         isa<GlueOp, tt::BroadcastOp, tt::SplatOp>(op);
}

/// Calls `fn` for the values whose registers `value` stands for.
void RegisterPressure::forEachStorage(
    Value value, llvm::function_ref<void(Value)> fn) const {
  Operation *op = value.getDefiningOp();
  if (!op || !isView(op))
    return fn(value);
  for (Value operand : op->getOperands())
    forEachStorage(operand, fn);
}

int64_t RegisterPressure::getRegisters(Type value) const {
  auto type = dyn_cast<RankedTensorType>(value);
  if (!type)
    return 0; // scalars share registers
  Type element = type.getElementType();
  int64_t bits = isa<tt::PointerType>(element)
                     ? 64
                     : int64_t(element.getIntOrFloatBitWidth());
  int64_t elements = type.getNumElements();
  // Fewer columns than lanes are repeated.
  if (style == ThreadStyle::Simt && !type.getShape().empty())
    elements = elements / type.getShape().back() *
               llvm::alignTo(type.getShape().back(), target.subGroupSize);
  return llvm::divideCeil(elements * bits, 8 * target.registerBytes);
}

/// Values from in front of `loop` that its body or what comes behind it needs.
SetVector<Value> RegisterPressure::getLiveThrough(Operation *loop) const {
  SetVector<Value> live;
  for (Operation *inner = loop; !isa<FunctionOpInterface>(inner);
       inner = inner->getParentOp()) {
    Block *block = inner->getBlock();
    auto isNeeded = [&](OpOperand &use) {
      // What a loop starts with becomes its argument.
      Operation *user = block->findAncestorOpInBlock(*use.getOwner());
      return user && use.getOwner() != inner && !user->isBeforeInBlock(inner);
    };
    auto collect = [&](Value value) {
      if (llvm::any_of(value.getUses(), isNeeded))
        forEachStorage(value, [&](Value storage) { live.insert(storage); });
    };
    llvm::for_each(block->getArguments(), collect);
    for (Operation &op : llvm::make_range(block->begin(), inner->getIterator()))
      llvm::for_each(op.getResults(), collect);
    if (!inner->getParentOp())
      break;
  }
  return live;
}

int64_t RegisterPressure::getPeak(Operation *loop) const {
  SetVector<Value> liveThrough = getLiveThrough(loop);
  int64_t peak = 0;
  for (Region &region : loop->getRegions())
    for (Block &block : region)
      for (int64_t count : getProfile(block, liveThrough))
        peak = std::max(peak, count);
  return peak;
}

SmallVector<int64_t> RegisterPressure::getProfile(Block &block) const {
  Operation *parent = block.getParentOp();
  return getProfile(block, isa<FunctionOpInterface>(parent)
                               ? SetVector<Value>()
                               : getLiveThrough(parent));
}

//===----------------------------------------------------------------------===//
// What operations need while they run
//===----------------------------------------------------------------------===//

/// What is loaded row by row arrives in other registers than it stays in, and
/// with an address each.
static constexpr int64_t kCopiesOfRows = 2;

int64_t RegisterPressure::getTemporaries(Operation &op) const {
  if (auto load = dyn_cast<tt::LoadOp>(op);
      load && load->hasAttr(kRowDimAttrName))
    return kCopiesOfRows * getRegisters(load.getType());
  if (style == ThreadStyle::Simt || op.getNumOperands() == 0)
    return 0;
  int64_t taken = getRegisters(op.getOperand(0).getType());
  if (isa<RoundTF32Op>(op))
    return taken;
  // The first step of the tree.
  return isa<tt::ReduceOp>(op) ? taken / 2 : 0;
}

//===----------------------------------------------------------------------===//
// The block
//===----------------------------------------------------------------------===//

SmallVector<int64_t>
RegisterPressure::getProfile(Block &block,
                             const SetVector<Value> &liveThrough) const {
  llvm::DenseMap<Value, Operation *> lastUses;
  for (Operation &op : block)
    op.walk([&](Operation *nested) {
      for (Value operand : nested->getOperands()) {
        forEachStorage(operand, [&](Value storage) {
          lastUses[storage] = isView(&op) ? lastUses.lookup(storage) : &op;
        });
      }
    });

  int64_t live = 0;
  for (Value value : liveThrough)
    live += getRegisters(value.getType());
  for (Value argument : block.getArguments())
    live += getRegisters(argument.getType());
  SmallVector<int64_t> profile;
  for (Operation &op : block) {
    if (isView(&op)) {
      profile.push_back(live);
      continue;
    }
    int64_t ended = 0, made = 0;
    SetVector<Value> operands;
    op.walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        forEachStorage(operand,
                       [&](Value storage) { operands.insert(storage); });
    });
    for (Value operand : operands)
      if (operand.getParentBlock() == &block &&
          !liveThrough.contains(operand) && lastUses.lookup(operand) == &op)
        ended += getRegisters(operand.getType());
    for (Type type : op.getResultTypes())
      made += getRegisters(type);
    bool inPlace = op.hasTrait<OpTrait::Elementwise>() || isa<tt::DotOp>(op);
    profile.push_back(live + made - (inPlace ? ended : 0) + getTemporaries(op));
    live += made - ended;
  }
  return profile;
}
