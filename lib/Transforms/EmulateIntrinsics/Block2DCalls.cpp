//===- Block2DCalls.cpp - 2-D block messages at their call sites ----------===//
//
// A message becomes calls to helpers for pieces of at most eight elements per
// lane: the CPU's compiler needs time that grows with the square of the vectors
// that a function returns, and most users want such a slice anyway. Private
// buffers, which the OpenCL signatures force on a kernel, are cut out again.
//
//===----------------------------------------------------------------------===//
#include "Transforms/EmulateIntrinsics/Emulator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::mlt;

/// Elements that one helper reads at most: 8 per lane of 16.
static constexpr unsigned kMaxPieceElements = 128;

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

static StringRef getBlockStem(IntrinsicKind kind) {
  switch (kind) {
  case IntrinsicKind::BlockWrite2D:
    return "mlt_block_write";
  case IntrinsicKind::BlockPrefetch2D:
    return "mlt_block_prefetch";
  default:
    return "mlt_block_read";
  }
}

static StringRef getPackingSuffix(BlockPacking packing) {
  switch (packing) {
  case BlockPacking::Vnni:
    return "_vnni";
  case BlockPacking::Transposed:
    return "_transposed";
  default:
    return "";
  }
}

/// "v64i16": the data of one lane.
static std::string describeData(VectorType type) {
  return llvm::formatv("v{0}{1}{2}", type.getNumElements(),
                       isa<FloatType>(type.getElementType()) ? "f" : "i",
                       type.getElementTypeBitWidth());
}

/// A surface that no message could have: sizes below zero are empty, and rows
/// may lie in any order.
static void removeLimits(Emitter &e, Surface &surface) {
  auto positive = [&](Value size) {
    Value zero = e.constantLike(size, 0);
    return e.select(e.icmp(LLVM::ICmpPredicate::sgt, size, zero), size, zero);
  };
  surface.width = positive(surface.width);
  surface.height = positive(surface.height);
  surface.pitch = e.signExtend(surface.pitch, 64);
  surface.anyBase = true;
}

/// Body of a helper with arguments base, width, height, pitch, x, y, then the
/// data of a write, then a pointer and a site when messages are checked.
void Emulator::emitBlock2DBody(Emitter &e, const IntrinsicInfo &info,
                               ValueRange args) {
  const Block2DMessage &message = info.block2D;
  bool isRead = info.kind == IntrinsicKind::BlockRead2D;
  Surface surface = {e.uniform(args[0]), e.uniform(args[1]),
                     e.uniform(args[2]), e.uniform(args[3]),
                     e.uniform(args[4]), e.uniform(args[5])};
  if (unlimited)
    removeLimits(e, surface);
  if (checks) {
    const TargetDescription *target = TargetDescription::get(module);
    Value rule = emitRuleCheck(e, message, surface, target->block2D);
    emitReport(e, rule, isRead ? Type(message.dataType) : Type(),
               args.take_back(2));
  }
  Value result;
  if (isRead)
    result = emitBlockRead2D(e, message, surface);
  else if (info.kind == IntrinsicKind::BlockWrite2D)
    emitBlockWrite2D(e, message, surface, args[6]);
  emitReturn(e, result);
}

Value Emulator::callBlock2D(LLVM::CallOp call, const IntrinsicInfo &info,
                            SmallVector<Value> args,
                            ArrayRef<Value> checkArgs) {
  const Block2DMessage &message = info.block2D;
  bool isRead = info.kind == IntrinsicKind::BlockRead2D;
  bool hasData = info.kind != IntrinsicKind::BlockPrefetch2D;
  llvm::append_range(args, checkArgs);
  std::string name =
      llvm::formatv("{0}_{1}b_{2}r{3}x{4}{5}{6}{7}", getBlockStem(info.kind),
                    message.elementBits, message.rows, message.columns,
                    message.blocks, getPackingSuffix(message.packing),
                    hasData ? "_" + describeData(message.dataType) : "",
                    checks ? "_checked" : "");
  LLVM::LLVMFuncOp helper =
      getHelper(name, isRead ? Type(message.dataType) : Type(),
                ValueRange(args).getTypes(), [&](Emitter &e, Block &entry) {
                  emitBlock2DBody(e, info, entry.getArguments());
                });
  OpBuilder builder(call);
  LLVM::CallOp result = callHelper(builder, call.getLoc(), helper, args);
  return isRead ? result.getResult() : Value();
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

namespace {
/// Part of a block message that one helper reads.
struct Piece {
  Block2DMessage message;
  /// Where it starts, in columns and rows from the block's corner.
  unsigned x, y;
};
} // namespace

/// Elements per lane that `rows` x `columns` of one block take.
static unsigned getElements(const Block2DMessage &message,
                            const LaneView &lanes, unsigned rows,
                            unsigned columns) {
  Block2DMessage part = message;
  part.rows = rows;
  part.columns = columns;
  unsigned bytes = message.dataType.getElementTypeBitWidth() / 8;
  return part.getBlockBytes(lanes.getBlockAlignment(bytes)) /
         (lanes.getNumLanes() * bytes);
}

/// Cuts `message` so that the pieces' data, one after another, is the
/// message's: by blocks, then along the slow direction of the register image.
static SmallVector<Piece> getPieces(const Block2DMessage &message,
                                    const LaneView &lanes) {
  bool byColumn = message.packing == BlockPacking::Transposed;
  unsigned extent = byColumn ? message.columns : message.rows;
  unsigned step = extent;
  auto elements = [&](unsigned size) {
    return byColumn ? getElements(message, lanes, message.rows, size)
                    : getElements(message, lanes, size, message.columns);
  };
  while (elements(step) * lanes.getNumLanes() > kMaxPieceElements &&
         step % 2 == 0)
    step /= 2;
  SmallVector<Piece> pieces;
  int64_t total = 0;
  for (unsigned block = 0; block < message.blocks; ++block)
    for (unsigned start = 0; start < extent; start += step) {
      Piece piece = {message, block * message.columns, 0};
      (byColumn ? piece.message.columns : piece.message.rows) = step;
      (byColumn ? piece.x : piece.y) += start;
      piece.message.blocks = 1;
      piece.message.dataType =
          VectorType::get({elements(step)}, message.dataType.getElementType());
      total += elements(step);
      pieces.push_back(piece);
    }
  // A piece that is padded has no place in the whole.
  if (total != message.dataType.getNumElements())
    return {{message, 0, 0}};
  return pieces;
}

/// Lets slices of `whole`, which is `pieces` one after another, refer to the
/// pieces that they lie in.
static void forwardSlices(Value whole, ArrayRef<Value> pieces) {
  int64_t size = cast<VectorType>(pieces[0].getType()).getNumElements();
  // A shuffle can use it twice.
  llvm::SmallSetVector<Operation *, 8> users(whole.user_begin(),
                                             whole.user_end());
  for (Operation *user : users) {
    auto shuffle = dyn_cast<LLVM::ShuffleVectorOp>(user);
    if (!shuffle || shuffle.getV1() != whole || shuffle.getMask().empty() ||
        shuffle.getMask()[0] < 0)
      continue;
    int64_t piece = shuffle.getMask()[0] / size;
    SmallVector<int32_t> mask;
    for (int32_t index : shuffle.getMask())
      mask.push_back(index - piece * size);
    if (piece >= static_cast<int64_t>(pieces.size()) ||
        llvm::any_of(mask, [&](int32_t i) { return i < 0 || i >= size; }))
      continue;
    OpBuilder builder(shuffle);
    Value slice = pieces[piece];
    if (!llvm::equal(mask, llvm::seq<int32_t>(0, size)))
      slice = LLVM::ShuffleVectorOp::create(builder, shuffle.getLoc(), slice,
                                            slice, mask);
    shuffle.replaceAllUsesWith(slice);
    shuffle.erase();
  }
}

//===----------------------------------------------------------------------===//
// Private buffers
//===----------------------------------------------------------------------===//

/// The other users of private buffer `place` than `call`, if it is a local
/// buffer of one message: nullopt when its address goes elsewhere.
static std::optional<SmallVector<Operation *>>
getBufferUsers(Value place, LLVM::CallOp call) {
  if (!place.getDefiningOp<LLVM::AllocaOp>())
    return std::nullopt;
  SmallVector<Operation *> users;
  for (Operation *user : place.getUsers())
    if (user != call.getOperation())
      users.push_back(user);
  for (Operation *user : users) {
    auto store = dyn_cast<LLVM::StoreOp>(user);
    if ((store && store.getValue() == place) ||
        !isa<LLVM::LoadOp, LLVM::StoreOp>(user) ||
        user->getBlock() != call->getBlock())
      return std::nullopt;
  }
  return users;
}

/// Hands `value`, which `call` would have put in the buffer `place`, to the
/// loads from it; stores it when that is not possible.
static void fillBuffer(LLVM::CallOp call, Value place, Value value,
                       unsigned alignment) {
  std::optional<SmallVector<Operation *>> users = getBufferUsers(place, call);
  if (users && llvm::all_of(*users, [&](Operation *user) {
        return isa<LLVM::LoadOp>(user) && call->isBeforeInBlock(user) &&
               user->getResult(0).getType() == value.getType();
      })) {
    for (Operation *load : *users) {
      load->getResult(0).replaceAllUsesWith(value);
      load->erase();
    }
    return;
  }
  OpBuilder builder(call);
  LLVM::StoreOp::create(builder, call.getLoc(), value, place, alignment);
}

/// The value of `type` that `call` would read from the buffer `place`.
static Value drainBuffer(LLVM::CallOp call, Value place, Type type,
                         unsigned alignment) {
  std::optional<SmallVector<Operation *>> users = getBufferUsers(place, call);
  if (users && users->size() == 1)
    if (auto store = dyn_cast<LLVM::StoreOp>(users->front()))
      if (store->isBeforeInBlock(call) && store.getValue().getType() == type) {
        Value value = store.getValue();
        store.erase();
        return value;
      }
  OpBuilder builder(call);
  return LLVM::LoadOp::create(builder, call.getLoc(), type, place, alignment);
}

/// Erases `call` and the buffer that nobody else uses.
static void eraseWithBuffer(LLVM::CallOp call, Value place) {
  call.erase();
  if (place && place.use_empty())
    if (Operation *buffer = place.getDefiningOp<LLVM::AllocaOp>())
      buffer->erase();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// The surface arguments of `call` in the form that helpers take.
static SmallVector<Value> getSurfaceArgs(Emitter &e, LLVM::CallOp call,
                                         const Block2DMessage &message) {
  OperandRange args = call.getArgOperands();
  unsigned first = message.surfaceOperand;
  Value base = args[first];
  if (!message.integerBase)
    base = LLVM::PtrToIntOp::create(e.builder, e.loc, e.intType(64), base);
  SmallVector<Value> result = {base};
  for (unsigned i = 1; i <= 3; ++i)
    result.push_back(e.add(args[first + i], message.sizesMinusOne ? 1 : 0));
  if (message.vectorCoordinates) {
    result.push_back(e.extract(args[first + 4], 0));
    result.push_back(e.extract(args[first + 4], 1));
  } else {
    result.push_back(args[first + 4]);
    result.push_back(args[first + 5]);
  }
  return result;
}

void Emulator::replaceBlock2D(LLVM::CallOp call, const IntrinsicInfo &info) {
  const Block2DMessage &message = info.block2D;
  bool isRead = info.kind == IntrinsicKind::BlockRead2D;
  bool isWrite = info.kind == IntrinsicKind::BlockWrite2D;
  if (!isRead && !isWrite && !checks) {
    call.erase();
    return;
  }
  OpBuilder builder(call);
  Emitter e(builder, call.getLoc(), lanes);
  SmallVector<Value> args = getSurfaceArgs(e, call, message);
  SmallVector<Value> checkArgs = getCheckArgs(call);
  Value data = message.dataOperand ? call.getArgOperands()[*message.dataOperand]
                                   : Value();
  Value place = message.dataInMemory ? data : Value();
  unsigned alignment = message.elementBits / 8;
  if (isWrite)
    args.push_back(place ? drainBuffer(call, place, message.dataType, alignment)
                         : e.bitcast(data, message.dataType));
  if (!isRead) {
    callBlock2D(call, info, args, checkArgs);
    return eraseWithBuffer(call, place);
  }

  SmallVector<Value> pieces;
  for (const Piece &piece : getPieces(message, lanes)) {
    SmallVector<Value> pieceArgs = args;
    pieceArgs[4] = e.add(args[4], piece.x);
    pieceArgs[5] = e.add(args[5], piece.y);
    IntrinsicInfo pieceInfo = info;
    pieceInfo.block2D = piece.message;
    pieces.push_back(callBlock2D(call, pieceInfo, pieceArgs, checkArgs));
  }
  Value whole = e.concatenate(pieces);
  if (place)
    fillBuffer(call, place, whole, alignment);
  else
    call.getResult().replaceAllUsesWith(
        e.bitcast(whole, call.getResult().getType()));
  if (pieces.size() > 1)
    forwardSlices(whole, pieces);
  eraseWithBuffer(call, place);
}
