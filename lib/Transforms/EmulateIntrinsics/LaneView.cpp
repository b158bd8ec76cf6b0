//===- LaneView.cpp - how register images lie over values -----------------===//
//
// The SIMT lane view on OpenCL sub-group functions, and symbolic arithmetic on
// indices that depend on the lane.
//
//===----------------------------------------------------------------------===//
#include "Transforms/EmulateIntrinsics/LaneView.h"
#include "Target/Intrinsics/VC.h"
#include "Transforms/EmulateIntrinsics/Emitter.h"

using namespace mlir;
using namespace mlir::mlt;

static constexpr StringLiteral kLaneIdName = "_Z22get_sub_group_local_idv";

/// A call to an OpenCL sub-group function that has been declared.
static Value callSubgroup(OpBuilder &builder, Location loc, StringRef name,
                          Type result, ValueRange args, bool convergent) {
  FailureOr<LLVM::CallOp> call = createDeviceCall(
      builder, loc, name, result, args, DeviceEffects::None, convergent);
  if (succeeded(call))
    return call->getResult();
  return LLVM::PoisonOp::create(builder, loc, result);
}

Value SubgroupLaneView::getLaneId(OpBuilder &builder, Location loc) const {
  return callSubgroup(builder, loc, kLaneIdName, builder.getI32Type(), {},
                      /*convergent=*/false);
}

/// Name of `sub_group_broadcast(type, uint)`; empty when OpenCL has none.
static StringRef getBroadcastName(Type type) {
  if (type.isF32())
    return "_Z19sub_group_broadcastfj";
  if (type.isInteger(32))
    return "_Z19sub_group_broadcastij";
  if (type.isInteger(64))
    return "_Z19sub_group_broadcastlj";
  return "";
}

LogicalResult SubgroupLaneView::declareFunctions(ModuleOp module) const {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  Type i32 = builder.getI32Type();
  for (Type type :
       {Type(builder.getF32Type()), Type(builder.getI64Type()), i32})
    if (failed(getDeviceFunction(builder, module.getLoc(),
                                 getBroadcastName(type), type, {type, i32},
                                 DeviceEffects::None)))
      return failure();
  return getDeviceFunction(builder, module.getLoc(), kLaneIdName, i32, {},
                           DeviceEffects::None, /*convergent=*/false);
}

Value SubgroupLaneView::broadcast(OpBuilder &builder, Location loc, Value value,
                                  unsigned lane) const {
  if (isa<LLVM::LLVMPointerType>(value.getType())) {
    Value address =
        LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), value);
    address = broadcast(builder, loc, address, lane);
    return LLVM::IntToPtrOp::create(builder, loc, value.getType(), address);
  }
  Value index = createInt(builder, loc, builder.getI32Type(), lane);
  return callSubgroup(builder, loc, getBroadcastName(value.getType()),
                      value.getType(), {value, index}, /*convergent=*/true);
}

unsigned FlatLaneView::getBlockAlignment(unsigned) const {
  return kVCRegisterBytes;
}

//===----------------------------------------------------------------------===//
// LaneIndex
//===----------------------------------------------------------------------===//

Value LaneIndex::materialize(Emitter &emitter) const {
  Value value = rest;
  if (scale) {
    Value term = emitter.mul(laneId, scale);
    value = value ? emitter.add(value, term) : term;
  }
  if (!value)
    return emitter.constant(emitter.intType(32), base);
  return emitter.add(value, base);
}

std::pair<LaneIndex, LaneIndex> LaneIndex::divide(Emitter &emitter,
                                                  unsigned log2) const {
  int64_t divisor = int64_t(1) << log2;
  int64_t low = base & (divisor - 1);
  int64_t high = base >> log2;
  if (!rest) {
    if (scale % divisor == 0)
      return {LaneIndex(high, scale >> log2, Value(), max >> log2, laneId),
              LaneIndex(low, 0, Value(), low, laneId)};
    int64_t lowMax = low + (max - base);
    if (lowMax < divisor)
      return {LaneIndex(high, 0, Value(), high, laneId),
              LaneIndex(low, scale, Value(), lowMax, laneId)};
  }
  // The lane decides: split off what is exact, compute the rest.
  LaneIndex lowPart(low, scale, rest, low + (max - base), laneId);
  auto [quotient, remainder] = emitter.divideOnce(lowPart, log2);
  int64_t lowMax = lowPart.max;
  return {LaneIndex(high, 0, quotient, high + (lowMax >> log2), laneId),
          LaneIndex(0, 0, remainder, std::min(lowMax, divisor - 1), laneId)};
}

LaneIndex LaneIndex::scaleAndAdd(Emitter &emitter, int64_t factor,
                                 const LaneIndex &other) const {
  Value value = rest ? emitter.mul(rest, factor) : Value();
  if (other.rest)
    value = value ? emitter.add(value, other.rest) : other.rest;
  return LaneIndex(base * factor + other.base, scale * factor + other.scale,
                   value, max * factor + other.max, laneId);
}
