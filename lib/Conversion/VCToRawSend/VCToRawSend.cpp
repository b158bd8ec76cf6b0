//===- VCToRawSend.cpp - block messages whose address is a value ----------===//
//
// The vector backend writes the address register of a 2-D block message anew
// for every call of its intrinsic, six moves each. A raw send takes the
// register as a vector, so this pass decides where it is made: in front of a
// loop when the loop does not change the tensor, else where it is used.
//
//===----------------------------------------------------------------------===//
#include "Analysis/LoopMotion/LoopMotion.h"
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

//===----------------------------------------------------------------------===//
// Messages of a function
//===----------------------------------------------------------------------===//

namespace {
/// A coordinate of a message in a loop.
struct Coordinate {
  int64_t field;
  Value value;
  /// nullopt: no even motion, each iteration writes it.
  std::optional<Motion> motion;

  bool isFixed() const { return motion && !motion->step; }
};

class MessageConverter {
public:
  MessageConverter(LLVM::LLVMFuncOp function) : dominance(function) {
    // A function of one block has no dominator tree.
    if (!function.getBody().hasOneBlock())
      loops.emplace(dominance.getDomTree(&function.getBody()));
  }

  LogicalResult convert(LLVM::CallOp call, const VCBlock2D &block);

  int64_t numCarried = 0, numLocal = 0;

private:
  /// The register of `call`, carried by its loop; null when that cannot be.
  Value carryPayload(LLVM::CallOp call, const VCBlock2D &block);
  /// The register of `call`, made from that of the message before it.
  Value makePayload(LLVM::CallOp call, const VCBlock2D &block);

  /// The payload that a block wrote last for a tensor and shape, with its x and
  /// y.
  struct Last {
    Value payload, x, y;
  };
  using Key = std::tuple<Block *, void *, void *, void *, void *, int32_t>;

  DominanceInfo dominance;
  std::optional<CFGLoopInfo> loops;
  std::map<Key, Last> lastPayloads;
};
} // namespace

Value MessageConverter::carryPayload(LLVM::CallOp call,
                                     const VCBlock2D &block) {
  std::optional<LoopMotion> loop;
  if (loops)
    loop = LoopMotion::get(loops->getLoopFor(call->getBlock()));
  if (!loop)
    return Value();
  VCBlock2D first = block;
  for (Value *part : {&first.base, &first.width, &first.height, &first.pitch})
    if (!(*part = loop->hoist(*part)))
      return Value();
  Coordinate coordinates[] = {{kVCPayloadX, block.x, loop->find(block.x)},
                              {kVCPayloadY, block.y, loop->find(block.y)}};
  Location loc = call.getLoc();
  // A message that every iteration sends moves its register before it is sent:
  // behind it, the register would have to be read first, for which the device
  // compiler waits in its own ways.
  bool movesFirst = dominance.dominates(call->getBlock(), loop->getLatch());
  OpBuilder outside(loop->getPredecessor()->getTerminator());
  auto getStart = [&](const Coordinate &coordinate) -> Value {
    if (!coordinate.motion)
      return LLVM::UndefOp::create(outside, loc, outside.getI32Type());
    auto [start, step] = *coordinate.motion;
    if (!step || !movesFirst)
      return start;
    return LLVM::SubOp::create(outside, loc, start, step);
  };
  first.x = getStart(coordinates[0]);
  first.y = getStart(coordinates[1]);
  Value start = Payload{outside, loc}.create(first);
  if (llvm::all_of(coordinates,
                   [](const Coordinate &c) { return c.isFixed(); }))
    return start;

  BlockArgument carried = loop->carry(start);
  OpBuilder before(call), latch(loop->getLatch()->getTerminator());
  Value current = carried;
  for (const Coordinate &coordinate : coordinates)
    if (!coordinate.motion)
      current =
          Payload{before, loc}.set(current, coordinate.field, coordinate.value);
  Payload update{movesFirst ? before : latch, loc};
  Value next = movesFirst ? current : carried;
  for (const Coordinate &coordinate : coordinates)
    if (coordinate.motion && coordinate.motion->step)
      next = update.add(next, coordinate.field, coordinate.motion->step);
  loop->setNext(next);
  return movesFirst ? next : current;
}

Value MessageConverter::makePayload(LLVM::CallOp call, const VCBlock2D &block) {
  OpBuilder builder(call);
  Payload payload{builder, call.getLoc()};
  auto getKey = [](Value value) { return value.getAsOpaquePointer(); };
  Key key{call->getBlock(),     getKey(block.base),  getKey(block.width),
          getKey(block.height), getKey(block.pitch), getPayloadShape(block)};
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
  Value payload = carryPayload(call, block);
  ++(payload ? numCarried : numLocal);
  if (!payload)
    payload = makePayload(call, block);
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
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct ConvertVCToRawSendPass
    : mlt::impl::ConvertVCToRawSendBase<ConvertVCToRawSendPass> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (!function.isExternal() && failed(convert(function)))
        return signalPassFailure();
  }

private:
  LogicalResult convert(LLVM::LLVMFuncOp function);
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

LogicalResult ConvertVCToRawSendPass::convert(LLVM::LLVMFuncOp function) {
  auto messages = findMessages(function);
  if (failed(messages))
    return failure();
  if (messages->empty())
    return success();
  MessageConverter converter(function);
  for (auto &[call, block] : *messages)
    if (failed(converter.convert(call, block)))
      return failure();
  numCarried += converter.numCarried;
  numLocal += converter.numLocal;

  // Coordinates that only messages needed are carried no more.
  IRRewriter rewriter(&getContext());
  DominanceInfo dominance(function);
  eliminateCommonSubExpressions(rewriter, dominance, function);
  (void)runRegionDCE(rewriter, function->getRegions());
  return success();
}
