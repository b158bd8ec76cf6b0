//===- PrefetchPayloads.cpp - prefetches of loops keep their address ------===//
//
// A 2-D block message takes its address from a register with eight fields. The
// device compiler keeps that register over the iterations of a loop for loads,
// but rebuilds it for every prefetch, which costs more instructions than the
// prefetch is worth. So the register of a prefetch in a loop is made in front
// of the loop, and each iteration adds to the one field that moves.
//
//===----------------------------------------------------------------------===//
#include "Conversion/XeVMToBuiltin/Passes.h"
#include "Target/Intrinsics/DeviceCalls.h"
#include "Target/Intrinsics/GenISA.h"
#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/IR/Dominance.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
/// Fields of the register, as GenISA numbers them.
enum class Field : int64_t { X = 5, Y = 6 };

/// How a coordinate moves: its value in the first iteration and what each
/// iteration adds to it, null when it stays.
struct Motion {
  Value start;
  Value step;
};

class PrefetchHoister {
public:
  PrefetchHoister(LLVM::LLVMFuncOp function)
      : dominance(function), loops(dominance.getDomTree(&function.getBody())) {}

  /// Rewrites `prefetch` if it lies in a loop that has one way in and one way
  /// round, is reached in each iteration, and moves evenly.
  LogicalResult hoist(xevm::BlockPrefetch2dOp prefetch);

private:
  std::optional<Motion> getMotion(Value coordinate, CFGLoop *loop);
  FailureOr<Value> createPayload(OpBuilder &builder,
                                 xevm::BlockPrefetch2dOp prefetch, Value x,
                                 Value y);

  DominanceInfo dominance;
  CFGLoopInfo loops;
};
} // namespace

/// The operand that `from` passes on for `argument` of its successor.
static Value getForwarded(Block *from, BlockArgument argument) {
  auto branch = dyn_cast<BranchOpInterface>(from->getTerminator());
  if (!branch)
    return {};
  Value found;
  for (auto [index, successor] : llvm::enumerate(from->getSuccessors())) {
    if (successor != argument.getOwner())
      continue;
    Value operand = branch.getSuccessorOperands(index)[argument.getArgNumber()];
    if (!operand || (found && found != operand))
      return {};
    found = operand;
  }
  return found;
}

std::optional<Motion> PrefetchHoister::getMotion(Value coordinate,
                                                 CFGLoop *loop) {
  auto isOutside = [&](Value value) {
    return !loop->contains(value.getParentBlock());
  };
  if (isOutside(coordinate))
    return Motion{coordinate, {}};
  auto carried = dyn_cast<BlockArgument>(coordinate);
  if (!carried || carried.getOwner() != loop->getHeader())
    return std::nullopt;
  Value start = getForwarded(loop->getLoopPredecessor(), carried);
  Value next = getForwarded(loop->getLoopLatch(), carried);
  auto add = next ? next.getDefiningOp<LLVM::AddOp>() : LLVM::AddOp();
  if (!start || !add)
    return std::nullopt;
  Value step = add.getLhs() == carried ? add.getRhs() : add.getLhs();
  bool moves = add.getLhs() == carried || add.getRhs() == carried;
  // Constants are made anew where they are needed.
  APInt constant;
  if (!moves ||
      !(isOutside(step) || matchPattern(step, m_ConstantInt(&constant))))
    return std::nullopt;
  return Motion{start, step};
}

FailureOr<Value> PrefetchHoister::createPayload(
    OpBuilder &builder, xevm::BlockPrefetch2dOp prefetch, Value x, Value y) {
  Location loc = prefetch.getLoc();
  Type i32 = builder.getI32Type();
  auto constant = [&](int64_t value) {
    return createInt(builder, loc, i32, value);
  };
  auto minusOne = [&](Value value) -> Value {
    return LLVM::AddOp::create(builder, loc, value, constant(-1));
  };
  Value base = LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(),
                                        prefetch.getPtr());
  Value args[] = {base,
                  minusOne(prefetch.getBaseWidth()),
                  minusOne(prefetch.getBaseHeight()),
                  minusOne(prefetch.getBasePitch()),
                  x,
                  y,
                  constant(prefetch.getTileWidth()),
                  constant(prefetch.getTileHeight()),
                  constant(prefetch.getVBlocks())};
  FailureOr<LLVM::CallOp> call = createDeviceCall(
      builder, loc, (kGenISAPrefix + "LSC2DBlockCreateAddrPayload.p0").str(),
      LLVM::LLVMPointerType::get(builder.getContext()), args,
      DeviceEffects::ReadWriteMemory);
  if (failed(call))
    return failure();
  return call->getResult();
}

LogicalResult PrefetchHoister::hoist(xevm::BlockPrefetch2dOp prefetch) {
  CFGLoop *loop = loops.getLoopFor(prefetch->getBlock());
  if (!loop || !loop->getLoopPredecessor() || !loop->getLoopLatch() ||
      !dominance.dominates(prefetch->getBlock(), loop->getLoopLatch()))
    return success();
  for (Value surface :
       {Value(prefetch.getPtr()), Value(prefetch.getBaseWidth()),
        Value(prefetch.getBaseHeight()), Value(prefetch.getBasePitch())})
    if (loop->contains(surface.getParentBlock()))
      return success();
  std::optional<Motion> x = getMotion(prefetch.getX(), loop);
  std::optional<Motion> y = getMotion(prefetch.getY(), loop);
  if (!x || !y)
    return success();

  OpBuilder builder(loop->getLoopPredecessor()->getTerminator());
  FailureOr<Value> payload =
      createPayload(builder, prefetch, x->start, y->start);
  if (failed(payload))
    return failure();
  builder.setInsertionPoint(prefetch);
  Location loc = prefetch.getLoc();
  Type i1 = builder.getI1Type(), i32 = builder.getI32Type();
  auto constant = [&](int64_t value) {
    return createInt(builder, loc, i32, value);
  };
  Value no = createInt(builder, loc, i1, 0);
  // Without a cache option a prefetch has nowhere to put its data.
  int64_t cache = prefetch.getCacheControl()
                      ? *getCacheCode(prefetch.getCacheControl())
                      : 4;
  Value args[] = {*payload,
                  constant(0),
                  constant(0),
                  constant(prefetch.getElemSizeInBits()),
                  constant(prefetch.getTileWidth()),
                  constant(prefetch.getTileHeight()),
                  constant(prefetch.getVBlocks()),
                  no,
                  no,
                  constant(cache)};
  if (failed(createDeviceCall(
          builder, loc,
          (kGenISAPrefix + "LSC2DBlockPrefetchAddrPayload.p0").str(), {}, args,
          DeviceEffects::ReadWriteMemory)))
    return failure();
  for (auto [field, motion] : {std::pair(Field::X, *x), {Field::Y, *y}}) {
    if (!motion.step)
      continue;
    Value step = motion.step;
    APInt known;
    if (matchPattern(step, m_ConstantInt(&known)))
      step = constant(known.getSExtValue());
    if (failed(createDeviceCall(
            builder, loc,
            (kGenISAPrefix + "LSC2DBlockSetAddrPayloadField.p0.i32").str(), {},
            {*payload, constant(static_cast<int64_t>(field)), step,
             createInt(builder, loc, i1, 1)},
            DeviceEffects::ReadWriteMemory)))
      return failure();
  }
  prefetch.erase();
  return success();
}

LogicalResult mlt::hoistPrefetchPayloads(ModuleOp module) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    SmallVector<xevm::BlockPrefetch2dOp> prefetches;
    function.walk(
        [&](xevm::BlockPrefetch2dOp op) { prefetches.push_back(op); });
    if (prefetches.empty() || function.getBody().hasOneBlock())
      continue;
    PrefetchHoister hoister(function);
    for (xevm::BlockPrefetch2dOp prefetch : prefetches)
      if (failed(hoister.hoist(prefetch)))
        return failure();
  }
  return success();
}
