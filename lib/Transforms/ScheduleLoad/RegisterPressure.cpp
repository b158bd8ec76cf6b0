//===- RegisterPressure.cpp - registers that a loop needs -----------------===//
//
// The register allocator is Intel's and comes last; whether a loop will spill
// has to be known here, where the order of its loads can still be chosen. So
// this counts what the values of a loop need at each operation. It knows two
// things of the lowering: pieces that are cut from a tile or glued are the
// tile's registers, and broadcast values are operands with a stride of zero.
// Addresses of messages come out of the reserve: that compiler keeps one per
// tensor where registers are few.
//
//===----------------------------------------------------------------------===//
#include "Transforms/ScheduleLoad/RegisterPressure.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Dialect/TritonGPU/IR/TritonGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::mlt;

int64_t mlt::getMostRegisters(ModuleOp module,
                              const TargetDescription &target) {
  int64_t numWarps = ttg::lookupNumWarps(module).value_or(1);
  int64_t most = 0;
  for (const GRFMode &mode : target.grfModes)
    if (numWarps <= mode.maxWarps)
      most = std::max(most, mode.registers);
  return most;
}

FailureOr<int64_t> mlt::getRegisterBudget(ModuleOp module,
                                          const TargetDescription &target,
                                          int64_t requested) {
  if (requested < 0)
    return module->emitError()
           << "expected option 'registers' to be 0 or more, got " << requested;
  if (requested > 0)
    return requested;
  int64_t most = getMostRegisters(module, target);
  return most - most * target.reservedRegisterPercent / 100;
}

/// True for operations whose result is, or is read from, the registers of
/// their operands; constants are immediate operands.
static bool isView(Operation *op) {
  return isa<ExtractOp, GlueOp, tt::ExpandDimsOp, tt::BroadcastOp, tt::SplatOp,
             arith::ConstantOp>(op);
}

/// Calls `fn` for the values whose registers `value` stands for.
static void forEachStorage(Value value, llvm::function_ref<void(Value)> fn) {
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
  if (!type.getShape().empty())
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
      peak = std::max(peak, getPeak(block, liveThrough));
  return peak;
}

int64_t RegisterPressure::getPeak(Block &block,
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
  int64_t peak = live;
  for (Operation &op : block) {
    if (isView(&op))
      continue;
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
    peak = std::max(peak, live + made - (inPlace ? ended : 0));
    live += made - ended;
  }
  return peak;
}
