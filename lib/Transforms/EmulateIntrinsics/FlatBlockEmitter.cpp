//===- FlatBlockEmitter.cpp - block messages on whole register images -----===//
//
// Where one work-item holds the whole image, a loop over the elements of the
// block copies those that lie on the surface between memory and a private copy
// of the image. The image is read and written as one vector. Unrolled, as for a
// lane's share, the code would grow with the block.
//
//===----------------------------------------------------------------------===//
#include "Transforms/EmulateIntrinsics/Emitter.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::mlt;
using LLVM::ICmpPredicate;

namespace {
class FlatBlock {
public:
  FlatBlock(Emitter &emitter, const Block2DMessage &message,
            const Surface &surface);

  Value read();
  void write(Value data);

private:
  unsigned getElementBytes() const { return message.elementBits / 8; }
  /// Place in the image of the element at `row` and `column` of block `block`.
  Value getIndex(Value block, Value row, Value column);
  /// Runs `copy(memory, image)` for the elements on the surface; both are
  /// pointers to one.
  void forEachElement(function_ref<void(Value, Value)> copy);
  Value divide(Value value, unsigned divisor) {
    return LLVM::UDivOp::create(e.builder, e.loc, value,
                                e.constantLike(value, divisor));
  }
  Value remainder(Value value, unsigned divisor) {
    return LLVM::URemOp::create(e.builder, e.loc, value,
                                e.constantLike(value, divisor));
  }

  Emitter &e;
  const Block2DMessage &message;
  const Surface &surface;
  Type element;
  Value image;
};
} // namespace

FlatBlock::FlatBlock(Emitter &emitter, const Block2DMessage &message,
                     const Surface &surface)
    : e(emitter), message(message), surface(surface),
      element(e.intType(message.elementBits)) {
  int64_t bits = message.dataType.getNumElements() *
                 message.dataType.getElementTypeBitWidth();
  auto array = LLVM::LLVMArrayType::get(element, bits / message.elementBits);
  image = LLVM::AllocaOp::create(
      e.builder, e.loc, LLVM::LLVMPointerType::get(e.builder.getContext()),
      array, e.constant(e.intType(32), 1),
      e.lanes.getBlockAlignment(getElementBytes()));
}

Value FlatBlock::getIndex(Value block, Value row, Value column) {
  unsigned blockElements =
      message.getBlockBytes(e.lanes.getBlockAlignment(getElementBytes())) /
      getElementBytes();
  Value index;
  if (message.packing == BlockPacking::Transposed) {
    index = e.add(e.mul(column, llvm::PowerOf2Ceil(message.rows)), row);
  } else {
    unsigned packed = message.getPackedRows();
    Value dword =
        e.add(e.mul(divide(row, packed), llvm::PowerOf2Ceil(message.columns)),
              column);
    index = e.add(e.mul(dword, packed), remainder(row, packed));
  }
  return e.add(index, e.mul(block, blockElements));
}

void FlatBlock::forEachElement(function_ref<void(Value, Value)> copy) {
  OpBuilder &b = e.builder;
  Type i32 = e.intType(32);
  Block *before = b.getInsertionBlock();
  Region *region = before->getParent();
  Block *head = b.createBlock(region, region->end(), i32, e.loc);
  Block *body = b.createBlock(region, region->end());
  Block *next = b.createBlock(region, region->end());
  Block *after = b.createBlock(region, region->end());

  // Surface sizes are the same for all elements. The low bits of the base do
  // not exist in the message; a column counts when it starts on the surface.
  b.setInsertionPointToEnd(before);
  Value base = surface.anyBase ? surface.base
                               : e.bitAnd(surface.base, -kBlock2DBaseAlignment);
  Value pitch = e.resize(surface.pitch, 64);
  Value bytes = e.add(e.resize(surface.width, 64), getElementBytes() - 1);
  Value columns = e.resize(e.lshr(bytes, llvm::Log2_32(getElementBytes())), 32);
  LLVM::BrOp::create(b, e.loc, e.constant(i32, 0), head);

  b.setInsertionPointToEnd(head);
  Value number = head->getArgument(0);
  unsigned perBlock = message.rows * message.columns;
  Value block = divide(number, perBlock), inner = remainder(number, perBlock);
  Value row = divide(inner, message.columns);
  Value column = remainder(inner, message.columns);
  Value y = e.add(surface.y, row);
  Value x = e.add(surface.x, e.add(e.mul(block, message.columns), column));
  Value valid = e.bitAnd(e.icmp(ICmpPredicate::ult, y, surface.height),
                         e.icmp(ICmpPredicate::ult, x, columns));
  LLVM::CondBrOp::create(b, e.loc, valid, body, next);

  b.setInsertionPointToEnd(body);
  Value offset = e.add(e.mul(e.resize(y, 64), pitch),
                       e.mul(e.resize(x, 64), getElementBytes()));
  Value memory = LLVM::IntToPtrOp::create(
      b, e.loc, LLVM::LLVMPointerType::get(b.getContext(), 1),
      e.add(base, offset));
  Value place =
      LLVM::GEPOp::create(b, e.loc, image.getType(), element, image,
                          ArrayRef<LLVM::GEPArg>{getIndex(block, row, column)});
  copy(memory, place);
  LLVM::BrOp::create(b, e.loc, ValueRange(), next);

  b.setInsertionPointToEnd(next);
  Value following = e.add(number, 1);
  Value more = e.icmp(ICmpPredicate::ult, following, perBlock * message.blocks);
  LLVM::CondBrOp::create(b, e.loc, more, head, following, after, ValueRange());
  b.setInsertionPointToEnd(after);
}

Value FlatBlock::read() {
  unsigned alignment = e.lanes.getBlockAlignment(getElementBytes());
  Value zero = LLVM::ZeroOp::create(e.builder, e.loc, message.dataType);
  LLVM::StoreOp::create(e.builder, e.loc, zero, image, alignment);
  forEachElement([&](Value memory, Value place) {
    Value value = LLVM::LoadOp::create(e.builder, e.loc, element, memory,
                                       getElementBytes());
    LLVM::StoreOp::create(e.builder, e.loc, value, place, getElementBytes());
  });
  return LLVM::LoadOp::create(e.builder, e.loc, message.dataType, image,
                              alignment);
}

void FlatBlock::write(Value data) {
  LLVM::StoreOp::create(e.builder, e.loc, data, image,
                        e.lanes.getBlockAlignment(getElementBytes()));
  forEachElement([&](Value memory, Value place) {
    Value value = LLVM::LoadOp::create(e.builder, e.loc, element, place,
                                       getElementBytes());
    LLVM::StoreOp::create(e.builder, e.loc, value, memory, getElementBytes());
  });
}

Value mlt::emitFlatBlockRead2D(Emitter &emitter, const Block2DMessage &message,
                               const Surface &surface) {
  return FlatBlock(emitter, message, surface).read();
}

void mlt::emitFlatBlockWrite2D(Emitter &emitter, const Block2DMessage &message,
                               const Surface &surface, Value data) {
  FlatBlock(emitter, message, surface).write(data);
}
