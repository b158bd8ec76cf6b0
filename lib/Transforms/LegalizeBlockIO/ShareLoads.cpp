//===- ShareLoads.cpp - one load for the warps that hold a tile -----------===//
//
// An operand of a product is held by all warps of a row or column of the
// workgroup. A 2-D block message brings it to each of them, in the image that
// the product takes. Where no such message is legal, each warp would gather the
// elements of all of it. So each loads a part, and stores it to shared local
// memory in an order in which few messages bring all parts to every warp.
//
//===----------------------------------------------------------------------===//
#include "Transforms/LegalizeBlockIO/ShareLoads.h"
#include "Analysis/RegisterPressure/RegisterPressure.h"
#include "Dialect/MLT/IR/RowAccess.h"
#include "Dialect/MLT/IR/SharedMemory.h"
#include "Dialect/MLT/IR/WarpTiles.h"
#include "Dialect/TritonGPU/IR/TritonGPUDialect.h"
#include "Transforms/MaterializeMarkers/Alternatives.h"
#include "Transforms/ScheduleLoad/MemoryOrder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::mlt;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// What a workgroup may take of shared memory without keeping another one from
/// the core that has registers for it.
static int64_t getShare(ModuleOp module, const TargetDescription &target,
                        int64_t numWarps) {
  const GRFMode *mode = getLargestMode(module, target);
  return mode ? target.slmBytes * numWarps / mode->maxWarps : 0;
}

LoadSharing::LoadSharing(tt::FuncOp func, const TargetDescription &target)
    : func(func), target(target), divergence(func), roles(func),
      numWarps(
          ttg::lookupNumWarps(func->getParentOfType<ModuleOp>()).value_or(1)),
      bytesLeft(getShare(func->getParentOfType<ModuleOp>(), target, numWarps)) {
}

//===----------------------------------------------------------------------===//
// Which loads, and how
//===----------------------------------------------------------------------===//

SmallVector<int64_t> LoadSharing::Exchange::getPartShape() const {
  ArrayRef<int64_t> tile = getTile().getShape();
  return {tile[getSlow()] / numParts, tile[fast]};
}

std::optional<LoadSharing::Exchange>
LoadSharing::plan(tt::LoadOp load, const BlockIOVerdict &verdict) const {
  auto tiles = load->getAttrOfType<DenseI64ArrayAttr>(kWarpTilesAttrName);
  auto type = dyn_cast<RankedTensorType>(load.getType());
  if (!tiles || !type || type.getRank() != 2 || tiles.size() != 4 ||
      load.getIsVolatile())
    return std::nullopt;
  // The operands of products are whole along one dimension.
  if (tiles[0] != 1 && tiles[2] != 1)
    return std::nullopt;
  unsigned bits = tt::getElementBitWidth(type);
  BlockRole role = roles.get(load.getResult());
  Exchange exchange;
  exchange.load = load;
  exchange.rowAlignment = verdict.rowAlignment;
  // Lanes take columns apart in dwords.
  const BlockLoadForm *form =
      verdict.hasRows && verdict.fastDim == 0 && bits >= 16
          ? findLoadForm(target, bits, role, /*transposed=*/true)
          : nullptr;
  exchange.fast = form ? 0 : 1;
  if (!form)
    form = findLoadForm(target, bits, role, /*transposed=*/false);
  const BlockLoadForm *plain =
      findLoadForm(target, bits, BlockRole::Plain, /*transposed=*/false);
  if (!form || !plain || !target.findStore(bits))
    return std::nullopt;
  int64_t columns = type.getDimSize(exchange.fast);
  int64_t width = std::max(plain->tileWidth, target.findStore(bits)->tileWidth);
  if (type.getDimSize(1) % form->tileWidth != 0 || columns % width != 0)
    return std::nullopt;
  if (exchange.fast == 0) {
    exchange.block = form->maxHeight >= width ? width : 0;
  } else {
    exchange.block = std::max(form->tileWidth, width);
    if (form->role == BlockRole::OperandB)
      exchange.packed = std::max<int64_t>(1, 32 / bits);
  }
  if (exchange.block && columns % exchange.block != 0)
    return std::nullopt;
  exchange.byRows = verdict.hasRows && verdict.fastDim == exchange.fast;

  int64_t copies = numWarps / (tiles[0] * tiles[2]);
  exchange.numParts =
      std::min(copies, type.getDimSize(exchange.getSlow()) / exchange.packed);
  for (unsigned dim = 0; dim < 2; ++dim)
    exchange.shape.push_back(tiles[2 * dim] * type.getDimSize(dim));
  return exchange;
}

bool LoadSharing::add(tt::LoadOp load, const BlockIOVerdict &verdict) {
  std::optional<Exchange> exchange = plan(load, verdict);
  if (!exchange || exchange->numParts < 2 || divergence.findDivergence(load))
    return false;
  int64_t bytes = llvm::alignTo(exchange->shape[0] * exchange->shape[1] *
                                    tt::getElementBitWidth(load.getType()) / 8,
                                kSlmAlignment);
  if (bytes + getBytesBeside(load, func, divergence) > bytesLeft)
    return false;
  bytesLeft -= bytes;
  exchanges.push_back(std::move(*exchange));
  return true;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

static bool isAvailable(Value value, Operation *place) {
  Operation *def = value.getDefiningOp();
  return !def || def->getBlock() != place->getBlock() ||
         def->isBeforeInBlock(place);
}

/// Whether something before `place` uses what `load` loads.
static bool isUsedBefore(tt::LoadOp load, Operation *place) {
  return llvm::any_of(load->getUsers(), [&](Operation *user) {
    Operation *at = place->getBlock()->findAncestorOpInBlock(*user);
    return at && at->isBeforeInBlock(place);
  });
}

bool LoadSharing::tryJoin(Group &group, Exchange &exchange) const {
  Operation *first = group.members.front()->load;
  bool atFirst = group.atFirst && isAvailable(exchange.load.getPtr(), first);
  bool atLast =
      group.atLast && llvm::none_of(group.members, [&](Exchange *member) {
        return isUsedBefore(member->load, exchange.load);
      });
  if (!atFirst && !atLast)
    return false;
  group.members.push_back(&exchange);
  group.atFirst = atFirst;
  group.atLast = atLast;
  return true;
}

/// Loads of one block may go together if nothing between them writes.
SmallVector<LoadSharing::Group> LoadSharing::findGroups(Block *block) {
  llvm::DenseMap<Operation *, Exchange *> planned;
  for (Exchange &exchange : exchanges)
    planned[exchange.load] = &exchange;
  auto containsLoad = [&](Operation *op) {
    return op
        ->walk([&](Operation *nested) {
          return nested != op && planned.contains(nested)
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  };
  SmallVector<Group> groups;
  bool isOpen = false;
  for (Operation &op : *block) {
    if (mayWriteMemory(&op) || containsLoad(&op))
      isOpen = false;
    Exchange *exchange = planned.lookup(&op);
    if (!exchange || (isOpen && tryJoin(groups.back(), *exchange)))
      continue;
    groups.emplace_back().members.push_back(exchange);
    isOpen = true;
  }
  return groups;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static Value constant(OpBuilder &builder, Location loc, int64_t value,
                      unsigned bits = 32) {
  return arith::ConstantIntOp::create(builder, loc, value, bits);
}

/// Says where in the workgroup's tile a warp finds its own, and which part of
/// that it loads: warps that hold the same are numbered by the digits of their
/// ids that choose no tile.
void LoadSharing::locate(OpBuilder &builder, Exchange &exchange) const {
  Location loc = exchange.load.getLoc();
  ArrayRef<int64_t> tiles =
      exchange.load->getAttrOfType<DenseI64ArrayAttr>(kWarpTilesAttrName)
          .asArrayRef();
  Value warp = WarpIdOp::create(builder, loc, builder.getI32Type());
  auto digits = [&](int64_t stride, int64_t count) -> Value {
    Value rest = arith::DivUIOp::create(builder, loc, warp,
                                        constant(builder, loc, stride));
    return arith::RemUIOp::create(builder, loc, rest,
                                  constant(builder, loc, count));
  };
  auto scale = [&](Value value, int64_t factor) -> Value {
    return arith::MulIOp::create(builder, loc, value,
                                 constant(builder, loc, factor));
  };
  int64_t taken = 0;
  SmallVector<Value, 2> tile;
  for (unsigned dim = 0; dim < 2; ++dim) {
    auto [count, stride] = std::pair(tiles[2 * dim], tiles[2 * dim + 1]);
    tile.push_back(digits(stride, count));
    exchange.start.push_back(
        scale(tile.back(), exchange.getTile().getDimSize(dim)));
    taken |= (count - 1) * stride;
  }
  // Beginning with another part in each tile keeps a part's place from being a
  // reversal of the bits of the warp's id, on which the vector backend of the
  // device compiler crashes.
  Value number = arith::AddIOp::create(builder, loc, tile[0], tile[1]);
  int64_t numbers = 1;
  for (int64_t stride = 1; stride < numWarps; stride *= 2)
    if ((taken & stride) == 0) {
      number = arith::AddIOp::create(builder, loc, number,
                                     scale(digits(stride, 2), numbers));
      numbers *= 2;
    }
  // Where there are fewer parts than warps, some load the same.
  number = arith::RemUIOp::create(builder, loc, number,
                                  constant(builder, loc, exchange.numParts));
  exchange.partStart = scale(number, exchange.getPartShape().front());
}

/// A pointer to `shape` in the buffer, from `slow` and `fast` on. Dimensions
/// are those of the buffer's rows, or `inTileOrder`.
Value LoadSharing::makePointer(OpBuilder &builder, const Exchange &exchange,
                               ArrayRef<int64_t> shape, Value slow, Value fast,
                               bool inTileOrder) const {
  Location loc = tt::LoadOp(exchange.load).getLoc();
  int64_t rows = exchange.shape[exchange.getSlow()];
  int64_t columns = exchange.shape[exchange.fast];
  SmallVector<int64_t> sizes{rows, columns}, strides{columns, 1};
  if (exchange.block)
    strides = {exchange.block, rows};
  SmallVector<Value> offsets{slow, fast};
  SmallVector<int32_t> order{1, 0};
  if (inTileOrder && exchange.fast == 0) {
    std::swap(sizes[0], sizes[1]);
    std::swap(strides[0], strides[1]);
    std::swap(offsets[0], offsets[1]);
    std::swap(order[0], order[1]);
  }
  auto toValues = [&](ArrayRef<int64_t> numbers) {
    return llvm::map_to_vector(numbers, [&](int64_t number) {
      return constant(builder, loc, number, 64);
    });
  };
  auto type =
      tt::PointerType::get(exchange.getTile().clone(shape), kLocalSpace);
  return tt::MakeTensorPtrOp::create(builder, loc, type, exchange.buffer,
                                     toValues(sizes), toValues(strides),
                                     offsets, order);
}

/// Says how an access to the buffer finds its rows.
void LoadSharing::mark(Operation *access, const Exchange &exchange,
                       unsigned rowDim) const {
  Builder builder(access->getContext());
  auto set = [&](StringRef name, int64_t value) {
    access->setAttr(name, builder.getI32IntegerAttr(value));
  };
  set(kRowDimAttrName, rowDim);
  set(kRowAlignmentAttrName, kSlmAlignment);
  if (exchange.packed > 1)
    set(kRowPackAttrName, exchange.packed);
  if (exchange.block)
    set(kRowBlockAttrName, exchange.block);
}

/// Loads the part of this warp and stores it to the buffer, a cache line of
/// each row at a time: what has been stored needs no registers any more.
void LoadSharing::emitPart(OpBuilder &builder, const Exchange &exchange) {
  RankedTensorType tile = exchange.getTile();
  SmallVector<int64_t> shape = exchange.getPartShape();
  int64_t columns = shape.back();
  shape.back() = std::min(
      columns, std::max(exchange.block, target.block2D.maxRowBytes * 8 /
                                            tt::getElementBitWidth(tile)));
  for (int64_t column = 0; column < columns; column += shape.back()) {
    Value part = emitPartLoad(builder, exchange, shape, column);
    emitPartStore(builder, exchange, part, column);
  }
}

Value LoadSharing::emitPartLoad(OpBuilder &builder, const Exchange &exchange,
                                ArrayRef<int64_t> shape, int64_t column) {
  tt::LoadOp load = exchange.load;
  Location loc = load.getLoc();
  SmallVector<Value> offsets{exchange.partStart,
                             constant(builder, loc, column)};
  SmallVector<int32_t> checked(load.getBoundaryCheck());
  bool transposed = exchange.fast == 0;
  if (transposed) {
    std::swap(offsets[0], offsets[1]);
    for (int32_t &dim : checked)
      dim = 1 - dim;
    llvm::sort(checked);
  }
  auto type = tt::PointerType::get(
      exchange.getTile().clone(shape),
      cast<tt::PointerType>(load.getPtr().getType()).getAddressSpace());
  Value pointer = SubBlockOp::create(builder, loc, type, load.getPtr(), offsets,
                                     transposed);
  auto part = tt::LoadOp::create(builder, loc, pointer, checked,
                                 load.getPadding(), load.getCache(),
                                 load.getEvict(), /*isVolatile=*/false);
  if (exchange.byRows) {
    part->setAttr(kRowDimAttrName, builder.getI32IntegerAttr(1));
    part->setAttr(kRowAlignmentAttrName,
                  builder.getI32IntegerAttr(exchange.rowAlignment));
  } else {
    byElements.push_back(pointer);
  }
  return part;
}

void LoadSharing::emitPartStore(OpBuilder &builder, const Exchange &exchange,
                                Value part, int64_t column) const {
  Location loc = part.getLoc();
  Value slow = arith::AddIOp::create(
      builder, loc, exchange.start[exchange.getSlow()], exchange.partStart);
  Value fast =
      arith::AddIOp::create(builder, loc, exchange.start[exchange.fast],
                            constant(builder, loc, column));
  Value place = makePointer(builder, exchange,
                            cast<RankedTensorType>(part.getType()).getShape(),
                            slow, fast, /*inTileOrder=*/false);
  auto store =
      tt::StoreOp::create(builder, loc, place, part, ArrayRef<int32_t>{},
                          tt::CacheModifier::NONE, tt::EvictionPolicy::NORMAL);
  mark(store, exchange, /*rowDim=*/1);
}

/// Replaces the load by one of what all warps have stored.
void LoadSharing::emitLoad(OpBuilder &builder, Exchange &exchange) const {
  tt::LoadOp load = exchange.load;
  Value place =
      makePointer(builder, exchange, exchange.getTile().getShape(),
                  exchange.start[exchange.getSlow()],
                  exchange.start[exchange.fast], /*inTileOrder=*/true);
  auto shared = tt::LoadOp::create(
      builder, load.getLoc(), place, ArrayRef<int32_t>{}, std::nullopt,
      tt::CacheModifier::NONE, tt::EvictionPolicy::NORMAL,
      /*isVolatile=*/false);
  mark(shared, exchange, exchange.fast);
  load.replaceAllUsesWith(shared.getResult());
  load.erase();
}

/// The barrier in front keeps the stores behind what other warps still load
/// from the buffers; `remove-redundant-barriers` removes what is too much.
void LoadSharing::emit(const Group &group) {
  Operation *first = group.members.front()->load,
            *last = group.members.back()->load;
  Location loc = first->getLoc();
  OpBuilder atStart = OpBuilder::atBlockBegin(&func.getBody().front());
  for (Exchange *exchange : group.members)
    locate(atStart, *exchange);
  OpBuilder builder(group.atFirst ? first : last);
  for (Exchange *exchange : group.members)
    exchange->buffer = AllocOp::create(
        builder, loc,
        tt::PointerType::get(exchange->getTile().getElementType(), kLocalSpace),
        exchange->shape, /*offset=*/nullptr);
  BarrierOp::create(builder, loc);
  for (Exchange *exchange : group.members)
    emitPart(builder, *exchange);
  BarrierOp::create(builder, loc);
  for (Exchange *exchange : group.members) {
    if (group.atFirst && exchange->load != first)
      builder.setInsertionPoint(exchange->load);
    emitLoad(builder, *exchange);
  }
}

SmallVector<Value> LoadSharing::rewrite() {
  llvm::SmallSetVector<Block *, 4> blocks;
  for (Exchange &exchange : exchanges)
    blocks.insert(exchange.load->getBlock());
  SmallVector<Group> groups;
  for (Block *block : blocks)
    llvm::append_range(groups, findGroups(block));
  for (const Group &group : groups)
    emit(group);
  return std::move(byElements);
}
