//===- GatherToLLVM.cpp - loads and stores through tensors of pointers ----===//
//
// Every lane accesses the elements it holds, one slot after another. The
// hardware combines what the lanes of one message access. A style that has
// messages for whole tiles accesses all elements at once.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/Patterns.h"
#include "Conversion/TritonGPUToLLVM/Predication.h"
#include "Conversion/TritonGPUToLLVM/VectorUtils.h"
#include "Dialect/MLT/IR/SharedMemory.h"
#include "Dialect/Triton/IR/Triton.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::mlt;

/// The type pointed to and the address space of a pointer or tile of pointers.
static tt::PointerType getPointerType(Value pointer) {
  return cast<tt::PointerType>(getElementTypeOrSelf(pointer.getType()));
}

/// Converts between an element as it is carried and as it lies in memory.
static Value fromMemory(OpBuilder &builder, Location loc, Value value,
                        Type carried) {
  if (value.getType() == carried)
    return value;
  if (isa<LLVM::LLVMPointerType>(carried))
    return LLVM::IntToPtrOp::create(builder, loc, carried, value);
  // i1 is a byte that is not zero.
  Value zero = createConstant(builder, loc, value.getType(), 0);
  return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, value,
                              zero);
}

static Value toMemory(OpBuilder &builder, Location loc, Value value,
                      Type memory) {
  if (value.getType() == memory)
    return value;
  if (isa<LLVM::LLVMPointerType>(value.getType()))
    return LLVM::PtrToIntOp::create(builder, loc, memory, value);
  return LLVM::ZExtOp::create(builder, loc, memory, value);
}

/// Whether the style accesses all of a tile through `pointer` at once, also a
/// tile of one element. A scalar in global memory is an ordinary load or store.
static bool accessesTile(const CodeGenStyle &style, Value pointer) {
  return style.getTileMemory() &&
         (isa<RankedTensorType>(pointer.getType()) ||
          getPointerType(pointer).getAddressSpace() == kLocalSpace);
}

/// Whether an access has a message that takes its condition along. One
/// condition for several elements, or for a scalar, is a branch that all lanes
/// take.
static bool isPredicated(const SlotPredicate &predicate, Value pointer,
                         const Tile &tile) {
  return predicate.get(0) && isa<RankedTensorType>(pointer.getType()) &&
         (tile.getNumSlots() == 1 || !predicate.isShared()) &&
         getPointerType(pointer).getAddressSpace() != kLocalSpace;
}

namespace {
struct GatherLoadPattern : TilePattern<tt::LoadOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(tt::LoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    FailureOr<Tile> tile = getTile(op.getType());
    if (tt::isBlockPointer(op.getPtr().getType()) || failed(tile))
      return failure();
    if (accessesTile(style, op.getPtr())) {
      rewriter.replaceOp(op, loadTile(op, adaptor, rewriter, *tile));
      return success();
    }
    Location loc = op.getLoc();
    SmallVector<Value> addresses =
        getElements(rewriter, loc, adaptor.getPtr().front());
    SlotPredicate predicate(rewriter, loc, style, *tile, op.getMask(),
                            op.getMask() ? adaptor.getMask().front() : Value(),
                            /*onceOnly=*/false);
    SmallVector<Value> others = getOthers(op, adaptor, rewriter, *tile);

    auto loadSlot = [&](OpBuilder &builder, int64_t slot) {
      return emitLoad(op, builder, *tile, addresses[slot]);
    };
    SmallVector<Value> slots;
    if (isPredicated(predicate, op.getPtr(), *tile) && !op.getIsVolatile()) {
      tt::PointerType type = getPointerType(op.getPtr());
      Type memory = converter.getMemoryType(type.getPointeeType());
      for (auto [slot, address] : llvm::enumerate(addresses)) {
        Value loaded = loadPredicated(
            rewriter, loc,
            getPointer(rewriter, loc, address, type.getAddressSpace()),
            predicate.get(slot), toMemory(rewriter, loc, others[slot], memory));
        slots.push_back(fromMemory(rewriter, loc, loaded, tile->slot));
      }
    } else if (predicate.isShared()) {
      slots = emitPredicated(
          rewriter, loc, predicate.get(0), others, [&](OpBuilder &builder) {
            SmallVector<Value> values;
            for (size_t slot = 0; slot < addresses.size(); ++slot)
              values.push_back(loadSlot(builder, slot));
            return values;
          });
    } else {
      for (size_t slot = 0; slot < addresses.size(); ++slot)
        llvm::append_range(
            slots,
            emitPredicated(rewriter, loc, predicate.get(slot), others[slot],
                           [&](OpBuilder &builder) {
                             return SmallVector<Value>{loadSlot(builder, slot)};
                           }));
    }
    rewriter.replaceOp(
        op, tile->pack(rewriter, loc, buildVector(rewriter, loc, slots)));
    return success();
  }

private:
  Value loadTile(tt::LoadOp op, OneToNOpAdaptor adaptor, OpBuilder &builder,
                 const Tile &tile) const {
    Location loc = op.getLoc();
    tt::PointerType type = getPointerType(op.getPtr());
    Type memory = converter.getMemoryType(type.getPointeeType());
    Value mask, otherwise;
    if (op.getMask()) {
      mask = adaptor.getMask().front();
      SmallVector<Value> others = getOthers(op, adaptor, builder, tile);
      otherwise = toMemory(
          builder, loc,
          llvm::all_equal(others)
              ? splatVector(builder, loc, others.front(), others.size())
              : tile.unpack(builder, loc, adaptor.getOther().front()),
          getVectorType(memory, others.size()));
    }
    Value data = style.getTileMemory()->load(
        builder, loc, toAddress(builder, loc, adaptor.getPtr().front()), mask,
        otherwise, memory, type.getAddressSpace());
    return tile.pack(builder, loc,
                     fromMemory(builder, loc, data, tile.getSlots()));
  }

  /// What masked-off slots get; zero where the operation leaves it open.
  SmallVector<Value> getOthers(tt::LoadOp op, OneToNOpAdaptor adaptor,
                               OpBuilder &builder, const Tile &tile) const {
    if (op.getOther())
      return getElements(
          builder, op.getLoc(),
          tile.unpack(builder, op.getLoc(), adaptor.getOther().front()));
    Value zero;
    if (isa<LLVM::LLVMPointerType>(tile.slot))
      zero = LLVM::ZeroOp::create(builder, op.getLoc(), tile.slot);
    else
      zero = createConstant(builder, op.getLoc(), tile.slot, 0);
    return SmallVector<Value>(tile.getNumSlots(), zero);
  }

  Value emitLoad(tt::LoadOp op, OpBuilder &builder, const Tile &tile,
                 Value address) const {
    tt::PointerType type = getPointerType(op.getPtr());
    Value pointer =
        getPointer(builder, op.getLoc(), address, type.getAddressSpace());
    Type memory = converter.getMemoryType(type.getPointeeType());
    Value value = LLVM::LoadOp::create(builder, op.getLoc(), memory, pointer,
                                       /*alignment=*/0, op.getIsVolatile());
    return fromMemory(builder, op.getLoc(), value, tile.slot);
  }
};

struct ScatterStorePattern : TilePattern<tt::StoreOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(tt::StoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    FailureOr<Tile> tile = getTile(op.getValue().getType());
    if (tt::isBlockPointer(op.getPtr().getType()) || failed(tile))
      return failure();
    Location loc = op.getLoc();
    tt::PointerType type = getPointerType(op.getPtr());
    Type memory = converter.getMemoryType(type.getPointeeType());
    if (accessesTile(style, op.getPtr())) {
      Value data =
          toMemory(rewriter, loc,
                   tile->unpack(rewriter, loc, adaptor.getValue().front()),
                   getVectorType(memory, tile->getNumSlots()));
      style.getTileMemory()->store(
          rewriter, loc, toAddress(rewriter, loc, adaptor.getPtr().front()),
          op.getMask() ? adaptor.getMask().front() : Value(), data,
          type.getAddressSpace());
      rewriter.eraseOp(op);
      return success();
    }
    SmallVector<Value> addresses =
        getElements(rewriter, loc, adaptor.getPtr().front());
    SmallVector<Value> values = getElements(
        rewriter, loc, tile->unpack(rewriter, loc, adaptor.getValue().front()));
    SlotPredicate predicate(rewriter, loc, style, *tile, op.getMask(),
                            op.getMask() ? adaptor.getMask().front() : Value(),
                            /*onceOnly=*/true);

    if (isPredicated(predicate, op.getPtr(), *tile)) {
      for (auto [slot, address] : llvm::enumerate(addresses))
        storePredicated(
            rewriter, loc,
            getPointer(rewriter, loc, address, type.getAddressSpace()),
            predicate.get(slot), toMemory(rewriter, loc, values[slot], memory));
      rewriter.eraseOp(op);
      return success();
    }

    auto storeSlots = [&](size_t begin, size_t end) {
      emitPredicated(
          rewriter, loc, predicate.get(begin), {}, [&](OpBuilder &builder) {
            for (size_t slot = begin; slot < end; ++slot) {
              Value pointer = getPointer(builder, loc, addresses[slot],
                                         type.getAddressSpace());
              LLVM::StoreOp::create(
                  builder, loc, toMemory(builder, loc, values[slot], memory),
                  pointer);
            }
            return SmallVector<Value>{};
          });
    };
    if (predicate.isShared())
      storeSlots(0, addresses.size());
    else
      for (size_t slot = 0; slot < addresses.size(); ++slot)
        storeSlots(slot, slot + 1);
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void mlt::populateGatherPatterns(const PatternArguments &arguments) {
  arguments.add<GatherLoadPattern, ScatterStorePattern>();
}
