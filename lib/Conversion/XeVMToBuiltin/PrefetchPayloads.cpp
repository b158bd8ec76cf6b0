//===- PrefetchPayloads.cpp - prefetches of loops keep their address ------===//
//
// A 2-D block message takes its address from a register with eight fields. The
// device compiler keeps that register over the iterations of a loop for loads,
// but rebuilds it for every prefetch, which costs more instructions than the
// prefetch is worth. So the register of a prefetch in a loop is made in front
// of the loop, and each iteration adds to the one field that moves.
//
//===----------------------------------------------------------------------===//
#include "Analysis/LoopMotion/LoopMotion.h"
#include "Conversion/XeVMToBuiltin/Passes.h"
#include "Target/Intrinsics/DeviceCalls.h"
#include "Target/Intrinsics/GenISA.h"
#include "mlir/IR/Dominance.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
/// Fields of the register, as GenISA numbers them.
enum class Field : int64_t { X = 5, Y = 6 };

class PrefetchHoister {
public:
  PrefetchHoister(LLVM::LLVMFuncOp function)
      : dominance(function), loops(dominance.getDomTree(&function.getBody())) {}

  /// Rewrites `prefetch` if it lies in a loop that has one way in and one way
  /// round, is reached in each iteration, and moves evenly.
  LogicalResult hoist(xevm::BlockPrefetch2dOp prefetch);

private:
  FailureOr<Value> createPayload(OpBuilder &builder,
                                 xevm::BlockPrefetch2dOp prefetch,
                                 ArrayRef<Value> surface, Value x, Value y);

  DominanceInfo dominance;
  CFGLoopInfo loops;
};
} // namespace

FailureOr<Value>
PrefetchHoister::createPayload(OpBuilder &builder,
                               xevm::BlockPrefetch2dOp prefetch,
                               ArrayRef<Value> surface, Value x, Value y) {
  Location loc = prefetch.getLoc();
  Type i32 = builder.getI32Type();
  auto constant = [&](int64_t value) {
    return createInt(builder, loc, i32, value);
  };
  auto minusOne = [&](Value value) -> Value {
    return LLVM::AddOp::create(builder, loc, value, constant(-1));
  };
  Value base =
      LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), surface[0]);
  Value args[] = {base,
                  minusOne(surface[1]),
                  minusOne(surface[2]),
                  minusOne(surface[3]),
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

/// `step`, which all lanes have, as a value that the device compiler knows
/// nothing of: what it knows to fit into a byte it keeps as one, and widens in
/// every iteration.
static FailureOr<Value> keepInRegister(OpBuilder &builder, Value step) {
  Location loc = step.getLoc();
  Type i32 = builder.getI32Type();
  FailureOr<LLVM::CallOp> call = createDeviceCall(
      builder, loc, "_Z19sub_group_broadcastij", i32,
      {step, createInt(builder, loc, i32, 0)}, DeviceEffects::None);
  if (failed(call))
    return failure();
  return call->getResult();
}

LogicalResult PrefetchHoister::hoist(xevm::BlockPrefetch2dOp prefetch) {
  std::optional<LoopMotion> loop =
      LoopMotion::get(loops.getLoopFor(prefetch->getBlock()));
  if (!loop || !dominance.dominates(prefetch->getBlock(), loop->getLatch()))
    return success();
  SmallVector<Value> surface;
  for (Value value :
       {Value(prefetch.getPtr()), Value(prefetch.getBaseWidth()),
        Value(prefetch.getBaseHeight()), Value(prefetch.getBasePitch())}) {
    surface.push_back(loop->hoist(value));
    if (!surface.back())
      return success();
  }
  std::optional<Motion> x = loop->find(prefetch.getX());
  std::optional<Motion> y = loop->find(prefetch.getY());
  if (!x || !y)
    return success();

  OpBuilder builder(loop->getPredecessor()->getTerminator());
  OpBuilder before = builder;
  FailureOr<Value> payload =
      createPayload(builder, prefetch, surface, x->start, y->start);
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
    else if (FailureOr<Value> kept = keepInRegister(before, step);
             succeeded(kept))
      step = *kept;
    else
      return failure();
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
