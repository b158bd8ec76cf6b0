//===- Regroups.cpp - regrouped lanes by shuffles -------------------------===//
//
// Portable devices have no regions of registers, but can read any lane: what a
// lane gets comes from one lane of the first register or of the second.
//
//===----------------------------------------------------------------------===//
#include "Target/Intrinsics/DeviceCalls.h"
#include "Target/Intrinsics/LaneRegroup.h"
#include "Transforms/EmulateIntrinsics/PortableForm.h"

using namespace mlir;
using namespace mlir::mlt;

static FailureOr<Value> shuffle(OpBuilder &builder, Location loc, Value value,
                                Value lane) {
  StringRef name = value.getType().isF32() ? "_Z17sub_group_shufflefj"
                                           : "_Z17sub_group_shuffleij";
  FailureOr<LLVM::CallOp> call = createDeviceCall(
      builder, loc, name, value.getType(), {value, lane}, DeviceEffects::None);
  if (failed(call))
    return failure();
  return call->getResult();
}

/// LaneRegroup::getSource of the lane that computes it.
static FailureOr<Value> getSource(OpBuilder &builder, Location loc,
                                  LaneRegroup regroup) {
  Type i32 = builder.getI32Type();
  FailureOr<LLVM::CallOp> lane = createDeviceCall(
      builder, loc, "_Z22get_sub_group_local_idv", i32, {}, DeviceEffects::None,
      /*convergent=*/false);
  if (failed(lane))
    return failure();
  Value id = lane->getResult();
  // Widths are powers of two: the bits above the place in a group count twice.
  Value group = LLVM::AndOp::create(
      builder, loc, id, createInt(builder, loc, i32, -regroup.width));
  Value place = LLVM::AddOp::create(builder, loc, id, group);
  return LLVM::AddOp::create(builder, loc, place,
                             createInt(builder, loc, i32, regroup.getSource(0)))
      .getResult();
}

static LogicalResult replace(LLVM::InlineAsmOp op) {
  std::optional<LaneRegroup> regroup = decodeRegroup(op);
  if (!regroup)
    return op.emitError() << "expected a move that regroups lanes, got '"
                          << op.getAsmString()
                          << "', which has no portable form";
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Type i32 = builder.getI32Type();
  FailureOr<Value> source = getSource(builder, loc, *regroup);
  if (failed(source))
    return failure();
  Value lane = LLVM::AndOp::create(
      builder, loc, *source,
      createInt(builder, loc, i32, LaneRegroup::kNumLanes - 1));
  SmallVector<Value, 2> shuffled;
  for (int64_t index : {0, 1}) {
    Value value = LLVM::ExtractElementOp::create(
        builder, loc, op.getOperand(0), createInt(builder, loc, i32, index));
    FailureOr<Value> moved = shuffle(builder, loc, value, lane);
    if (failed(moved))
      return failure();
    shuffled.push_back(*moved);
  }
  Value isFirst = LLVM::ICmpOp::create(
      builder, loc, LLVM::ICmpPredicate::slt, *source,
      createInt(builder, loc, i32, LaneRegroup::kNumLanes));
  Value result =
      LLVM::SelectOp::create(builder, loc, isFirst, shuffled[0], shuffled[1]);
  op.getRes().replaceAllUsesWith(result);
  op.erase();
  return success();
}

LogicalResult mlt::replaceRegroups(ModuleOp module) {
  SmallVector<LLVM::InlineAsmOp> moves;
  module.walk([&](LLVM::InlineAsmOp op) { moves.push_back(op); });
  for (LLVM::InlineAsmOp op : moves)
    if (failed(replace(op)))
      return failure();
  return success();
}
