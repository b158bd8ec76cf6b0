//===- SimdStyle.cpp - a whole tile is a vector ---------------------------===//
//
// Leaves of the lowering for the vector compute backend: a warp is one
// work-item, a tile one flat vector in the order of its registers (LaneLayout's
// flat form), so that a message or a dot takes the vector as it is and a piece
// of a tile is a register region. There is one lane, so nothing ever moves
// between lanes. Device functions are the `llvm.genx.*` intrinsics, which both
// generations of the compiler agree on.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/CodeGenStyle.h"
#include "Conversion/TritonGPUToLLVM/VCBuilder.h"
#include "Conversion/TritonGPUToLLVM/VectorUtils.h"
#include "Dialect/MLT/IR/SharedMemory.h"
#include "Target/Intrinsics/VCBlock2D.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
/// Columns of an accumulator of the dot instruction, which is how wide the
/// blocks of a tile are.
constexpr int64_t kBlockColumns = 16;
/// Depth of the dot instruction in dwords.
constexpr int64_t kDotDepth = 8;

class SimdStyle : public CodeGenStyle {
public:
  explicit SimdStyle(Interface interface) : CodeGenStyle(interface) {}

  StringRef getName() const override { return "simd"; }
  int64_t getNumLanes() const override { return 1; }

  FailureOr<LaneLayout> getLayout(RankedTensorType type,
                                  std::string *reason) const override {
    return LaneLayout::getFlat(type, kBlockColumns, reason);
  }

  LaneLayout getPlainLayout(ArrayRef<int64_t> shape) const override {
    return LaneLayout::getFlatPlain(shape, kBlockColumns);
  }

  SmallVector<int32_t> getLocalSize(int64_t numWarps) const override {
    return {static_cast<int32_t>(numWarps), 1, 1};
  }

  void setKernelAttributes(Operation *kernel, int64_t slmBytes) const override {
    Builder builder(kernel->getContext());
    auto pair = [&](StringRef name, const Twine &value) -> Attribute {
      return builder.getStrArrayAttr({name, value.str()});
    };
    cast<LLVM::LLVMFuncOp>(kernel).setPassthroughAttr(
        builder.getArrayAttr({builder.getStringAttr(kVCFunctionAttr),
                              pair("VCNamedBarrierCount", "0"),
                              pair(kVCSharedAttr, Twine(slmBytes))}));
  }

  Value getLaneId(OpBuilder &builder, Location loc) const override {
    return createConstant(builder, loc, builder.getI32Type(), 0);
  }

  Value getWarpId(OpBuilder &builder, Location loc) const override {
    return getFromTriple(builder, loc, "local.id", 0);
  }

  Value getProgramId(OpBuilder &builder, Location loc,
                     int axis) const override {
    static constexpr StringLiteral names[] = {"group.id.x", "group.id.y",
                                              "group.id.z"};
    return VCBuilder(builder, loc)
        .call(names[axis], {}, builder.getI32Type(), {}, DeviceEffects::None);
  }

  Value getNumPrograms(OpBuilder &builder, Location loc,
                       int axis) const override {
    return getFromTriple(builder, loc, "group.count", axis);
  }

  Value broadcast(OpBuilder &, Location, Value value, int64_t) const override {
    return value;
  }
  Value shuffleXor(OpBuilder &, Location, Value value, int64_t) const override {
    return value;
  }
  Value shuffle(OpBuilder &, Location, Value value, Value) const override {
    return value;
  }

  Value select(OpBuilder &builder, Location loc, Value vector,
               ArrayRef<int64_t> indices) const override {
    return VCBuilder(builder, loc).select(vector, indices);
  }

  /// In dwords: taken one by one, every element would be a move.
  Value interleave(OpBuilder &builder, Location loc,
                   ArrayRef<Value> vectors) const override {
    auto type = cast<VectorType>(vectors.front().getType());
    unsigned bits = type.getElementTypeBitWidth();
    Type narrow =
        VectorType::get(type.getShape(), builder.getIntegerType(bits));
    Type wide = VectorType::get(type.getShape(), builder.getI32Type());
    Value result;
    for (auto [index, vector] : llvm::enumerate(vectors)) {
      Value part = LLVM::ZExtOp::create(
          builder, loc, wide, bitcastTo(builder, loc, vector, narrow));
      if (index > 0)
        part = LLVM::ShlOp::create(
            builder, loc, part,
            createConstant(builder, loc, wide, index * bits));
      result = result
                   ? LLVM::OrOp::create(builder, loc, result, part).getResult()
                   : part;
    }
    int64_t length = type.getNumElements() * vectors.size();
    return bitcastTo(builder, loc, result,
                     VectorType::get({length}, type.getElementType()));
  }

  const TileMemory *getTileMemory() const override { return memory.get(); }

  Value loadBlock(OpBuilder &builder, Location loc, const BlockMessage &message,
                  VectorType type) const override;
  void storeBlock(OpBuilder &builder, Location loc, const BlockMessage &message,
                  Value data) const override;
  void prefetchBlock(OpBuilder &builder, Location loc,
                     const BlockMessage &message) const override;
  Value dot(OpBuilder &builder, Location loc, const DotMessage &message,
            Value a, Value b, Value c) const override;

  /// Whole dwords.
  bool hasRow(int64_t count, int64_t bits) const override {
    return count * bits % 32 == 0;
  }
  Value loadRow(OpBuilder &builder, Location loc, Value pointer,
                Type share) const override;
  void storeRow(OpBuilder &builder, Location loc, Value pointer,
                Value data) const override;

  Value roundToTF32(OpBuilder &builder, Location loc,
                    Value value) const override {
    Type bits =
        getVectorType(builder.getI32Type(), getVectorLength(value.getType()));
    Value rounded = VCBuilder(builder, loc).callPure("tf32.cvt", bits, value);
    return bitcastTo(builder, loc, rounded, value.getType());
  }

  Value truncateToBF16(OpBuilder &builder, Location loc,
                       Value value) const override {
    int64_t length = getVectorLength(value.getType());
    // The result is typed f16 where there is no bfloat.
    Type half = getVectorType(builder.getF16Type(), length);
    Value rounded = VCBuilder(builder, loc).callPure("bf.cvt", half, value);
    return bitcastTo(builder, loc, rounded,
                     getVectorType(builder.getI16Type(), length));
  }

  /// Rounds to nearest, and steps back where that went away from zero.
  Value truncateToF16(OpBuilder &builder, Location loc,
                      Value value) const override {
    int64_t length = getVectorLength(value.getType());
    Type bits = getVectorType(builder.getI16Type(), length);
    Type half = getVectorType(builder.getF16Type(), length);
    auto sizeOf = [&](Value v) -> Value {
      return LLVM::FAbsOp::create(builder, loc, v);
    };
    Value nearest = LLVM::FPTruncOp::create(builder, loc, half, value);
    Value back = LLVM::FPExtOp::create(builder, loc, value.getType(), nearest);
    Value isBeyond = LLVM::FCmpOp::create(
        builder, loc, LLVM::FCmpPredicate::ogt, sizeOf(back), sizeOf(value));
    Value step = LLVM::ZExtOp::create(builder, loc, bits, isBeyond);
    Value result = LLVM::SubOp::create(
        builder, loc, bitcastTo(builder, loc, nearest, bits), step);
    return bitcastTo(builder, loc, result, half);
  }

  void barrier(OpBuilder &builder, Location loc, bool global) const override {
    VCBuilder vc(builder, loc);
    vc.fence(VCPort::Shared, VCFenceOp::None, VCScope::Workgroup);
    if (global)
      vc.fence(VCPort::Global, VCFenceOp::None, VCScope::Workgroup);
    vc.call("barrier", {}, {}, {}, DeviceEffects::ReadWriteMemory);
  }
  void barrierArrive(OpBuilder &builder, Location loc) const override {
    VCBuilder vc(builder, loc);
    vc.fence(VCPort::Shared, VCFenceOp::None, VCScope::Workgroup);
    splitBarrier(vc, 1);
  }
  void barrierWait(OpBuilder &builder, Location loc) const override {
    splitBarrier(VCBuilder(builder, loc), 0);
  }

private:
  /// Component `index` of an intrinsic that returns three ids.
  static Value getFromTriple(OpBuilder &builder, Location loc, StringRef stem,
                             int64_t index) {
    Type triple = VectorType::get({3}, builder.getI32Type());
    Value ids = VCBuilder(builder, loc)
                    .call(stem, triple, triple, {}, DeviceEffects::None);
    return getElement(builder, loc, ids, index);
  }

  static void splitBarrier(const VCBuilder &vc, int64_t signal) {
    vc.call("sbarrier", {}, {}, vc.constant(8, signal),
            DeviceEffects::ReadWriteMemory);
  }

  std::unique_ptr<TileMemory> memory = createSimdMemory();
};
} // namespace

//===----------------------------------------------------------------------===//
// Block messages
//===----------------------------------------------------------------------===//

/// The message of kind `kind` that `message` is, without its data.
static VCBlock2D getBlock(OpBuilder &builder, Location loc,
                          const BlockMessage &message, IntrinsicKind kind) {
  Value one = createConstant(builder, loc, builder.getI32Type(), -1);
  auto minusOne = [&](Value value) -> Value {
    return LLVM::AddOp::create(builder, loc, value, one);
  };
  VCBlock2D block{kind};
  block.elementBits = message.bits;
  block.blocks = message.blocks;
  block.columns = message.tileWidth;
  block.rows = message.tileHeight;
  block.packing = message.transpose ? BlockPacking::Transposed
                  : message.vnni    ? BlockPacking::Vnni
                                    : BlockPacking::Plain;
  block.base = LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(),
                                        message.base);
  block.width = minusOne(message.width);
  block.height = minusOne(message.height);
  block.pitch = minusOne(message.pitch);
  block.x = message.x;
  block.y = message.y;
  return block;
}

/// Elements of a block of `elements` in registers, where blocks start anew.
static int64_t padBlock(int64_t elements, int64_t bits) {
  return llvm::alignTo(elements, 8 * kVCRegisterBytes / bits);
}

Value SimdStyle::loadBlock(OpBuilder &builder, Location loc,
                           const BlockMessage &message, VectorType type) const {
  int64_t bits = type.getElementTypeBitWidth();
  int64_t perBlock = type.getNumElements() / message.blocks;
  int64_t padded = padBlock(perBlock, bits);
  // The register image, in dwords.
  auto image = VectorType::get({message.blocks * padded * bits / 32},
                               builder.getI32Type());
  VCBlock2D block = getBlock(builder, loc, message, IntrinsicKind::BlockRead2D);
  block.type = image;
  FailureOr<LLVM::CallOp> call = block.createCall(builder, loc);
  // Fails, after an error, only if the kernel itself has the intrinsic's name.
  Value data = succeeded(call) ? call->getResult()
                               : LLVM::PoisonOp::create(builder, loc, image);
  Value elements =
      bitcastTo(builder, loc, data,
                getVectorType(type.getElementType(), message.blocks * padded));
  if (padded == perBlock)
    return elements;
  SmallVector<int64_t> kept;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    kept.push_back(i / perBlock * padded + i % perBlock);
  return bitcastTo(builder, loc, selectElements(builder, loc, elements, kept),
                   type);
}

void SimdStyle::storeBlock(OpBuilder &builder, Location loc,
                           const BlockMessage &message, Value data) const {
  auto type = cast<VectorType>(data.getType());
  int64_t length = type.getNumElements();
  int64_t bits = type.getElementTypeBitWidth();
  int64_t padded = padBlock(length, bits);
  if (padded != length) {
    // The message reads whole registers; what it does not store does not
    // matter.
    SmallVector<int32_t> indices(padded, -1);
    for (int64_t i = 0; i < length; ++i)
      indices[i] = i;
    Value poison = LLVM::PoisonOp::create(builder, loc, type);
    data = LLVM::ShuffleVectorOp::create(builder, loc, data, poison, indices);
  }
  data = bitcastTo(builder, loc, data,
                   VectorType::get({padded * bits / 32}, builder.getI32Type()));
  VCBlock2D block =
      getBlock(builder, loc, message, IntrinsicKind::BlockWrite2D);
  block.data = data;
  (void)block.createCall(builder, loc);
}

void SimdStyle::prefetchBlock(OpBuilder &builder, Location loc,
                              const BlockMessage &message) const {
  VCBlock2D block =
      getBlock(builder, loc, message, IntrinsicKind::BlockPrefetch2D);
  block.cacheL1 = block.cacheL3 = kVCCacheCached;
  (void)block.createCall(builder, loc);
}

static int64_t getNumDwords(Type type) {
  return getVectorLength(type) * getUnitType(type).getIntOrFloatBitWidth() / 32;
}

/// `value` as a vector of dwords.
static Value toDwords(OpBuilder &builder, Location loc, Value value) {
  return bitcastTo(
      builder, loc, value,
      VectorType::get({getNumDwords(value.getType())}, builder.getI32Type()));
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

static VCPort getPort(Value pointer) {
  auto type = cast<LLVM::LLVMPointerType>(pointer.getType());
  return type.getAddressSpace() == kLocalSpace ? VCPort::Shared
                                               : VCPort::Global;
}

/// Calls `access` for the parts of a row of `dwords` that a message handles,
/// with address, first dword and number of dwords.
static void
forEachRowMessage(OpBuilder &builder, Location loc, Value pointer,
                  int64_t dwords,
                  function_ref<void(Value, int64_t, int64_t)> access) {
  Type type = getPort(pointer) == VCPort::Shared ? builder.getI32Type()
                                                 : builder.getI64Type();
  Value start = LLVM::PtrToIntOp::create(builder, loc, type, pointer);
  int64_t length = std::min(dwords, kVCMaxConsecutive);
  for (int64_t i = 0; i < dwords; i += length) {
    Value address = start;
    if (i > 0)
      address = LLVM::AddOp::create(builder, loc, start,
                                    createConstant(builder, loc, type, 4 * i));
    access(address, i, length);
  }
}

Value SimdStyle::loadRow(OpBuilder &builder, Location loc, Value pointer,
                         Type share) const {
  VCBuilder vc(builder, loc);
  SmallVector<Value> pieces;
  forEachRowMessage(
      builder, loc, pointer, getNumDwords(share),
      [&](Value address, int64_t, int64_t length) {
        pieces.push_back(vc.loadConsecutive(getPort(pointer), address, length));
      });
  return bitcastTo(builder, loc, concatVectors(builder, loc, pieces), share);
}

void SimdStyle::storeRow(OpBuilder &builder, Location loc, Value pointer,
                         Value data) const {
  VCBuilder vc(builder, loc);
  data = toDwords(builder, loc, data);
  int64_t dwords = getVectorLength(data.getType());
  forEachRowMessage(builder, loc, pointer, dwords,
                    [&](Value address, int64_t first, int64_t length) {
                      Value piece = data;
                      if (length < dwords)
                        piece = vc.select(data, llvm::to_vector(llvm::seq(
                                                    first, first + length)));
                      vc.storeConsecutive(getPort(pointer), address, piece);
                    });
}

//===----------------------------------------------------------------------===//
// Dots
//===----------------------------------------------------------------------===//

Value SimdStyle::dot(OpBuilder &builder, Location loc,
                     const DotMessage &message, Value a, Value b,
                     Value c) const {
  a = toDwords(builder, loc, a);
  b = toDwords(builder, loc, b);
  VCBuilder vc(builder, loc);
  auto i32 = [&](int64_t value) { return vc.constant(32, value); };
  // The two flags are only looked at for integers, which are signed.
  SmallVector<Value> args = {c,
                             b,
                             a,
                             i32(*getVCPrecisionCode(message.b)),
                             i32(*getVCPrecisionCode(message.a)),
                             i32(kDotDepth),
                             i32(message.m),
                             i32(1),
                             i32(1)};
  return vc.call("dpas2",
                 TypeRange{c.getType(), c.getType(), b.getType(), a.getType()},
                 c.getType(), args, DeviceEffects::None);
}

std::unique_ptr<CodeGenStyle> mlt::createSimdStyle(Interface interface) {
  return std::make_unique<SimdStyle>(interface);
}
