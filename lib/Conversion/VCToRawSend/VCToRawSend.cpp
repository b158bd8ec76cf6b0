//===- VCToRawSend.cpp - block messages whose address is a value ----------===//
//
// The vector backend writes the address register of a 2-D block message anew
// for every call of its intrinsic, six moves each. A raw send takes the
// register as a vector, so this pass decides where it is made: in front of a
// loop when the loop does not change the tensor, else where it is used.
//
//===----------------------------------------------------------------------===//
#include "Analysis/RegisterPressure/RegisterPressure.h"
#include "Conversion/VCToRawSend/AddressLines.h"
#include "Conversion/VCToRawSend/LoopCounters.h"
#include "Conversion/VCToRawSend/Passes.h"
#include "Target/Intrinsics/DeviceCalls.h"
#include "Target/Intrinsics/VCBlock2D.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::mlt {
#define GEN_PASS_DEF_CONVERTVCTORAWSEND
#include "Conversion/VCToRawSend/Passes.h.inc"
} // namespace mlir::mlt

using namespace mlir;
using namespace mlir::mlt;

//===----------------------------------------------------------------------===//
// Registers with an address
//===----------------------------------------------------------------------===//

namespace {
/// Reads and writes fields of a payload.
struct Payload {
  OpBuilder &builder;
  Location loc;

  Value index(int64_t field) const {
    return createInt(builder, loc, builder.getI32Type(), field);
  }
  Value get(Value payload, int64_t field) const {
    return LLVM::ExtractElementOp::create(builder, loc, payload, index(field));
  }
  Value set(Value payload, int64_t field, Value value) const {
    return LLVM::InsertElementOp::create(builder, loc, payload, value,
                                         index(field));
  }
  Value add(Value payload, int64_t field, Value step) const {
    return set(payload, field,
               LLVM::AddOp::create(builder, loc, get(payload, field), step));
  }
  /// The payload of `block`.
  Value create(const VCBlock2D &block) const;
};
} // namespace

Value Payload::create(const VCBlock2D &block) const {
  Type i32 = builder.getI32Type();
  auto type = VectorType::get({kVCPayloadLength}, i32);
  Value shift = createInt(builder, loc, builder.getI64Type(), 32);
  Value high = LLVM::LShrOp::create(builder, loc, block.base, shift);
  std::pair<int64_t, Value> fields[] = {
      {kVCPayloadBase, LLVM::TruncOp::create(builder, loc, i32, block.base)},
      {kVCPayloadBase + 1, LLVM::TruncOp::create(builder, loc, i32, high)},
      {kVCPayloadWidth, block.width},
      {kVCPayloadHeight, block.height},
      {kVCPayloadPitch, block.pitch},
      {kVCPayloadX, block.x},
      {kVCPayloadY, block.y},
      {kVCPayloadShape, createInt(builder, loc, i32, getPayloadShape(block))}};
  Value payload = LLVM::UndefOp::create(builder, loc, type);
  for (auto [field, value] : fields)
    payload = set(payload, field, value);
  return payload;
}

/// Makes `call` the raw send of `payload` that is `block`.
static LogicalResult replace(LLVM::CallOp call, const VCBlock2D &block,
                             Value payload) {
  OpBuilder builder(call);
  FailureOr<LLVM::CallOp> send =
      createRawSend(builder, call.getLoc(), block, payload);
  if (failed(send))
    return failure();
  call->replaceAllUsesWith(send->getOperation());
  call.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Messages of a function
//===----------------------------------------------------------------------===//

namespace {
class MessageConverter {
public:
  MessageConverter(LLVM::LLVMFuncOp function) : dominance(function) {
    // A function of one block has no dominator tree.
    if (!function.getBody().hasOneBlock())
      loops.emplace(dominance.getDomTree(&function.getBody()));
  }

  LogicalResult convert(LLVM::CallOp call, const VCBlock2D &block);

  /// Converts what `convert` put off: messages of a loop share registers where
  /// they would need more than `maxRegisters`.
  LogicalResult finish(int64_t maxRegisters);

  /// Lets loops end by a coordinate that moves like their counter. Nothing can
  /// be converted any more.
  void mergeCounters();

  int64_t numCarried = 0, numShared = 0, numLocal = 0, numCounters = 0;

private:
  std::optional<LoopMotion> getLoop(LLVM::CallOp call) const;
  /// Puts off `call`, whose `block` has an address from in front of `loop`, if
  /// every iteration sends it and moves it evenly. False if not.
  bool putOff(LLVM::CallOp call, const VCBlock2D &block, const VCBlock2D &first,
              const LoopMotion &loop);
  LogicalResult convert(const AddressLine &line);
  /// The register of `call`, carried by its loop; null when that cannot be.
  Value carryPayload(LLVM::CallOp call, VCBlock2D first, const VCBlock2D &block,
                     const LoopMotion &loop);
  /// The register of `call`, made from that of the message before it.
  Value makePayload(LLVM::CallOp call, const VCBlock2D &block);

  /// The payload that a block wrote last for a tensor and shape, with its x and
  /// y.
  struct Last {
    Value payload, x, y;
  };
  using Key = std::tuple<Block *, void *, void *, void *, void *, int32_t>;
  static Key getKey(LLVM::CallOp call, const VCBlock2D &block);

  DominanceInfo dominance;
  std::optional<CFGLoopInfo> loops;
  std::map<Key, Last> lastPayloads;
  /// Coordinates that the messages of a loop have, by its header.
  llvm::MapVector<Block *, std::pair<LoopMotion, SmallVector<MovingValue>>>
      coordinates;
  /// Messages of one tensor and shape with equal steps.
  SmallVector<std::pair<Key, SmallVector<MovingMessage>>> moving;
};
} // namespace

MessageConverter::Key MessageConverter::getKey(LLVM::CallOp call,
                                               const VCBlock2D &block) {
  auto pointer = [](Value value) { return value.getAsOpaquePointer(); };
  return {call->getBlock(),      pointer(block.base),  pointer(block.width),
          pointer(block.height), pointer(block.pitch), getPayloadShape(block)};
}

std::optional<LoopMotion> MessageConverter::getLoop(LLVM::CallOp call) const {
  if (!loops)
    return std::nullopt;
  return LoopMotion::get(loops->getLoopFor(call->getBlock()));
}

//===----------------------------------------------------------------------===//
// Messages that every iteration sends
//===----------------------------------------------------------------------===//

bool MessageConverter::putOff(LLVM::CallOp call, const VCBlock2D &block,
                              const VCBlock2D &first, const LoopMotion &loop) {
  if (!dominance.dominates(call->getBlock(), loop.getLatch()))
    return false;
  std::optional<Motion> x = loop.find(block.x), y = loop.find(block.y);
  if (!x || !y)
    return false;
  auto movesAlike = [&](const MovingMessage &other) {
    return isSameValue(other.x.step, x->step) &&
           isSameValue(other.y.step, y->step);
  };
  Key key = getKey(call, block);
  auto *group = llvm::find_if(moving, [&](const auto &entry) {
    return entry.first == key && movesAlike(entry.second.front());
  });
  if (group == moving.end())
    group = &moving.emplace_back(key, SmallVector<MovingMessage>());
  group->second.push_back({call, first, *x, *y});
  return true;
}

LogicalResult MessageConverter::finish(int64_t maxRegisters) {
  // Registers of each loop, by its block with the messages.
  llvm::MapVector<Block *, int64_t> counts;
  SmallVector<SmallVector<AddressLine>> plans, shared;
  for (auto &[key, messages] : moving) {
    plans.push_back(planPlaces(messages));
    shared.push_back(planLines(messages));
    counts[std::get<0>(key)] += plans.back().size();
  }
  auto getSaving = [&](size_t i) {
    return static_cast<int64_t>(plans[i].size() - shared[i].size());
  };
  auto order = llvm::to_vector(llvm::seq<size_t>(0, moving.size()));
  llvm::stable_sort(
      order, [&](size_t a, size_t b) { return getSaving(a) > getSaving(b); });
  for (size_t i : order) {
    int64_t &count = counts[std::get<0>(moving[i].first)];
    if (count <= maxRegisters)
      continue;
    count -= getSaving(i);
    plans[i] = shared[i];
  }
  for (ArrayRef<AddressLine> lines : plans)
    for (const AddressLine &line : lines)
      if (failed(convert(line)))
        return failure();
  return success();
}

/// Messages move their register before they are sent: behind it, the register
/// would have to be read first, for which the device compiler waits in its own
/// ways.
LogicalResult MessageConverter::convert(const AddressLine &line) {
  MovingMessage front = *line.messages.front();
  std::optional<LoopMotion> loop = getLoop(front.call);
  OpBuilder outside(loop->getPredecessor()->getTerminator());
  Location loc = front.call.getLoc();
  auto subtract = [&](Value start, const Distance &distance) -> Value {
    if (distance.isZero())
      return start;
    return LLVM::SubOp::create(outside, loc, start,
                               distance.create(outside, loc));
  };
  VCBlock2D first = front.block;
  AddressLine::Move wrap = line.getMove(0);
  first.x = subtract(front.x.start, wrap.x);
  first.y = subtract(front.y.start, wrap.y);
  Value payload = Payload{outside, loc}.create(first);
  bool moves = line.messages.size() > 1 || !wrap.x.isZero() || !wrap.y.isZero();
  if (moves)
    payload = loop->carry(payload);
  for (auto [i, message] : llvm::enumerate(line.messages)) {
    LLVM::CallOp call = message->call;
    OpBuilder builder(call);
    Payload update{builder, call.getLoc()};
    AddressLine::Move move = line.getMove(i);
    auto advance = [&](int64_t field, const Distance &distance,
                       const Motion &motion) {
      if (distance.isZero())
        return;
      Value moved = LLVM::AddOp::create(builder, call.getLoc(),
                                        update.get(payload, field),
                                        distance.create(outside, loc));
      payload = update.set(payload, field, moved);
      coordinates
          .try_emplace(loop->getHeader(), *loop, SmallVector<MovingValue>())
          .first->second.second.push_back({moved, motion});
    };
    advance(kVCPayloadX, move.x, message->x);
    advance(kVCPayloadY, move.y, message->y);
    if (failed(replace(call, message->block, payload)))
      return failure();
  }
  if (moves)
    loop->setNext(payload);
  ++numCarried;
  numShared += line.messages.size() - 1;
  return success();
}

void MessageConverter::mergeCounters() {
  for (auto &[header, entry] : coordinates)
    numCounters += countWithCoordinate(entry.first, entry.second);
}

//===----------------------------------------------------------------------===//
// Other messages
//===----------------------------------------------------------------------===//

Value MessageConverter::carryPayload(LLVM::CallOp call, VCBlock2D first,
                                     const VCBlock2D &block,
                                     const LoopMotion &loop) {
  struct Coordinate {
    int64_t field;
    Value value;
    /// nullopt: no even motion, each iteration writes it.
    std::optional<Motion> motion;
  };
  Coordinate coordinates[] = {{kVCPayloadX, block.x, loop.find(block.x)},
                              {kVCPayloadY, block.y, loop.find(block.y)}};
  Location loc = call.getLoc();
  OpBuilder outside(loop.getPredecessor()->getTerminator());
  auto getStart = [&](const Coordinate &coordinate) -> Value {
    if (coordinate.motion)
      return coordinate.motion->start;
    return LLVM::UndefOp::create(outside, loc, outside.getI32Type());
  };
  first.x = getStart(coordinates[0]);
  first.y = getStart(coordinates[1]);
  Value current = Payload{outside, loc}.create(first);
  auto isFixed = [](const Coordinate &c) {
    return c.motion && !c.motion->step;
  };
  if (llvm::all_of(coordinates, isFixed))
    return current;

  Value carried = current = loop.carry(current);
  OpBuilder before(call), latch(loop.getLatch()->getTerminator());
  for (const Coordinate &coordinate : coordinates)
    if (!coordinate.motion)
      current =
          Payload{before, loc}.set(current, coordinate.field, coordinate.value);
  bool isSent = dominance.dominates(call->getBlock(), loop.getLatch());
  Value next = isSent ? current : carried;
  for (const Coordinate &coordinate : coordinates)
    if (coordinate.motion && coordinate.motion->step)
      next = Payload{latch, loc}.add(next, coordinate.field,
                                     coordinate.motion->step);
  loop.setNext(next);
  return current;
}

Value MessageConverter::makePayload(LLVM::CallOp call, const VCBlock2D &block) {
  OpBuilder builder(call);
  Payload payload{builder, call.getLoc()};
  Key key = getKey(call, block);
  auto [it, isNew] = lastPayloads.try_emplace(key);
  Last &last = it->second;
  Value current = last.payload;
  if (isNew)
    current = payload.create(block);
  else if (last.x != block.x)
    current = payload.set(current, kVCPayloadX, block.x);
  if (!isNew && last.y != block.y)
    current = payload.set(current, kVCPayloadY, block.y);
  last = {current, block.x, block.y};
  return current;
}

LogicalResult MessageConverter::convert(LLVM::CallOp call,
                                        const VCBlock2D &block) {
  VCBlock2D first = block;
  std::optional<LoopMotion> loop = getLoop(call);
  for (Value *part : {&first.base, &first.width, &first.height, &first.pitch})
    if (loop && !(*part = loop->hoist(*part)))
      loop.reset();
  if (loop && putOff(call, block, first, *loop))
    return success();
  ++(loop ? numCarried : numLocal);
  return replace(call, block,
                 loop ? carryPayload(call, first, block, *loop)
                      : makePayload(call, block));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct ConvertVCToRawSendPass
    : mlt::impl::ConvertVCToRawSendBase<ConvertVCToRawSendPass> {
  using ConvertVCToRawSendBase::ConvertVCToRawSendBase;

  void runOnOperation() override {
    FailureOr<int64_t> most = getMostAddresses();
    if (failed(most))
      return signalPassFailure();
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (!function.isExternal() && failed(convert(function, *most)))
        return signalPassFailure();
  }

private:
  /// Addresses may take what the passes in front leave to this style.
  FailureOr<int64_t> getMostAddresses() {
    const TargetDescription *target = TargetDescription::get(getOperation());
    if (!target)
      return failure();
    return getRegisterBudget(getOperation(), *target,
                             1000 - target->reservedPermilleSimd, registers);
  }

  LogicalResult convert(LLVM::LLVMFuncOp function, int64_t maxRegisters);
};
} // namespace

/// The 2-D block messages of `function`. Fails after an error at one that the
/// hardware does not have.
static FailureOr<SmallVector<std::pair<LLVM::CallOp, VCBlock2D>>>
findMessages(LLVM::LLVMFuncOp function) {
  SmallVector<std::pair<LLVM::CallOp, VCBlock2D>> messages;
  WalkResult result = function.walk([&](LLVM::CallOp call) -> WalkResult {
    if (!isVCBlock2D(call))
      return WalkResult::advance();
    FailureOr<IntrinsicInfo> info = decodeIntrinsic(call, std::nullopt);
    if (failed(info))
      return WalkResult::interrupt();
    messages.emplace_back(call, VCBlock2D::get(call, *info));
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return messages;
}

LogicalResult ConvertVCToRawSendPass::convert(LLVM::LLVMFuncOp function,
                                              int64_t maxRegisters) {
  auto messages = findMessages(function);
  if (failed(messages))
    return failure();
  if (messages->empty())
    return success();
  MessageConverter converter(function);
  for (auto &[call, block] : *messages)
    if (failed(converter.convert(call, block)))
      return failure();
  if (failed(converter.finish(maxRegisters)))
    return failure();
  converter.mergeCounters();
  numCarried += converter.numCarried;
  numShared += converter.numShared;
  numLocal += converter.numLocal;
  numCounters += converter.numCounters;

  // Coordinates that only messages needed are carried no more.
  IRRewriter rewriter(&getContext());
  DominanceInfo dominance(function);
  eliminateCommonSubExpressions(rewriter, dominance, function);
  (void)runRegionDCE(rewriter, function->getRegions());
  return success();
}
