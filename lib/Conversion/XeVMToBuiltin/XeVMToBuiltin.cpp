//===- XeVMToBuiltin.cpp - xevm ops to OpenCL built-ins -------------------===//
//
// The interface `builtin`: 2-D block messages move their data through private
// memory, as OpenCL's signatures want; the buffers live in the entry block so
// that a message in a loop does not allocate, and the device compiler promotes
// them to registers. Cache controls travel as the attribute that MLIR's XeVM
// translation turns into SPV_INTEL_cache_controls.
//
//===----------------------------------------------------------------------===//
#include "Conversion/XeVMToBuiltin/Passes.h"
#include "Target/Intrinsics/DeviceCalls.h"
#include "Target/Intrinsics/Mangling.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::mlt {
#define GEN_PASS_DEF_CONVERTXEVMTOBUILTIN
#include "Conversion/XeVMToBuiltin/Passes.h.inc"
} // namespace mlir::mlt

using namespace mlir;
using namespace mlir::mlt;
using xevm::ElemType;
using xevm::LoadCacheControl;
using xevm::StoreCacheControl;

//===----------------------------------------------------------------------===//
// Cache controls
//===----------------------------------------------------------------------===//

namespace {
/// Controls of the two levels that exist, as numbered by
/// SPV_INTEL_cache_controls for loads or for stores.
struct CacheLevels {
  int32_t decoration;
  int32_t l1;
  int32_t l3;
};
} // namespace

/// SPV_INTEL_cache_controls: 0 uncached, 1 cached, 2 streaming, 3 invalidate
/// after read. The name of an enumerator is "L1<c>_L2<c>_L3<c>" or "ir".
static CacheLevels getCacheLevels(LoadCacheControl control) {
  StringRef name = xevm::stringifyLoadCacheControl(control);
  auto level = [&](StringRef prefix) {
    StringRef rest = name.substr(name.find(prefix) + prefix.size());
    return rest.starts_with("uc") ? 0 : rest.starts_with("s") ? 2 : 1;
  };
  if (control == LoadCacheControl::INVALIDATE_READ)
    return {6442, 3, 3};
  return {6442, level("L1"), level("L3")};
}

/// 0 uncached, 1 write-through, 2 write-back, 3 streaming.
static CacheLevels getCacheLevels(StoreCacheControl control) {
  StringRef name = xevm::stringifyStoreCacheControl(control);
  auto level = [&](StringRef prefix) {
    StringRef rest = name.substr(name.find(prefix) + prefix.size());
    return rest.starts_with("uc")   ? 0
           : rest.starts_with("wt") ? 1
           : rest.starts_with("wb") ? 2
                                    : 3;
  };
  return {6443, level("L1"), level("L3")};
}

/// Attaches `control` of the access through pointer argument 0 to `call`.
template <typename Control>
static void setCacheControl(OpBuilder &builder, LLVM::CallOp call,
                            std::optional<Control> control) {
  if (!control)
    return;
  CacheLevels levels = getCacheLevels(*control);
  auto decoration = [&](int32_t level, int32_t value) -> Attribute {
    return builder.getI32ArrayAttr({levels.decoration, level, value, 0});
  };
  call->setAttr(xevm::XeVMDialect::getCacheControlsAttrName(),
                builder.getArrayAttr(
                    {decoration(0, levels.l1), decoration(1, levels.l3)}));
}

//===----------------------------------------------------------------------===//
// 2-D block messages
//===----------------------------------------------------------------------===//

/// Alignment of the private buffers that carry block data, in bytes.
static constexpr int64_t kBufferAlignment = 64;

/// A private buffer for a value of `type`, in the entry block of the function.
static Value createBuffer(ConversionPatternRewriter &rewriter, Operation *op,
                          VectorType type) {
  OpBuilder::InsertionGuard guard(rewriter);
  auto function = op->getParentOfType<LLVM::LLVMFuncOp>();
  rewriter.setInsertionPointToStart(&function.getBody().front());
  Location loc = op->getLoc();
  Value one = createInt(rewriter, loc, rewriter.getI32Type(), 1);
  auto array =
      LLVM::LLVMArrayType::get(type.getElementType(), type.getNumElements());
  return LLVM::AllocaOp::create(
      rewriter, loc, LLVM::LLVMPointerType::get(rewriter.getContext()), array,
      one, kBufferAlignment);
}

static StringRef getUnsignedCode(unsigned bits) {
  switch (bits) {
  case 8:
    return "h";
  case 16:
    return "t";
  case 64:
    return "m";
  default:
    return "j";
  }
}

namespace {
/// Fields that the three 2-D block messages share.
struct Block2D {
  StringRef operation;
  uint32_t bits, rows, columns, blocks;
  Value base, width, height, pitch, x, y;
  /// Data of one lane: type and buffer; none for a prefetch.
  VectorType data;
  Value buffer;
};
} // namespace

/// Bits of the elements that the built-in moves per lane: a row's share for a
/// plain block, dwords for a packed or transposed one.
static unsigned getDataBits(uint32_t bits, uint32_t columns, bool packed) {
  if (packed)
    return std::max(32u, bits);
  return columns > 16 ? bits * columns / 16 : bits;
}

static FailureOr<LLVM::CallOp>
createBlock2DCall(OpBuilder &builder, Location loc, const Block2D &block) {
  std::string base = llvm::formatv("intel_sub_group_2d_block_{0}_{1}b_{2}r{3}x"
                                   "{4}c",
                                   block.operation, block.bits, block.rows,
                                   block.columns, block.blocks);
  SmallVector<MangledType, 6> params = {
      MangledType::pointer(1, false, "v"), MangledType::scalar("i"),
      MangledType::scalar("i"), MangledType::scalar("i"),
      MangledType::vector(2, "i")};
  Type i32 = builder.getI32Type();
  Value xy = LLVM::PoisonOp::create(builder, loc, VectorType::get({2}, i32));
  xy = LLVM::InsertElementOp::create(builder, loc, xy, block.x,
                                     createInt(builder, loc, i32, 0));
  xy = LLVM::InsertElementOp::create(builder, loc, xy, block.y,
                                     createInt(builder, loc, i32, 1));
  SmallVector<Value, 6> args = {block.base, block.width, block.height,
                                block.pitch, xy};
  if (block.buffer) {
    params.push_back(MangledType::pointer(
        0, false, getUnsignedCode(block.data.getElementTypeBitWidth())));
    args.push_back(block.buffer);
  }
  return createDeviceCall(builder, loc, mangle(base, params), {}, args,
                          DeviceEffects::ReadWriteMemory);
}

template <typename OpTy> static Block2D getBlock2D(OpTy op) {
  return {"",
          op.getElemSizeInBits(),
          op.getTileHeight(),
          op.getTileWidth(),
          op.getVBlocks(),
          op.getPtr(),
          op.getBaseWidth(),
          op.getBaseHeight(),
          op.getBasePitch(),
          op.getX(),
          op.getY(),
          {},
          {}};
}

/// `type` with its bits as integers of `bits` bits.
static VectorType getDataType(VectorType type, unsigned bits) {
  int64_t total = type.getNumElements() * type.getElementTypeBitWidth();
  return VectorType::get({total / bits},
                         IntegerType::get(type.getContext(), bits));
}

namespace {
struct BlockLoad2dPattern : OpConversionPattern<xevm::BlockLoad2dOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(xevm::BlockLoad2dOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    bool packed = op.getPackRegister() || op.getTranspose();
    unsigned bits =
        getDataBits(op.getElemSizeInBits(), op.getTileWidth(), packed);
    VectorType type = op.getRes().getType();
    Block2D block = getBlock2D(op);
    block.operation = op.getPackRegister() ? "read_transform"
                      : op.getTranspose()  ? "read_transpose"
                                           : "read";
    block.data = getDataType(type, bits);
    block.buffer = createBuffer(rewriter, op, block.data);
    FailureOr<LLVM::CallOp> call = createBlock2DCall(rewriter, loc, block);
    if (failed(call))
      return failure();
    setCacheControl(rewriter, *call, op.getCacheControl());
    Value value = LLVM::LoadOp::create(rewriter, loc, block.data, block.buffer,
                                       kBufferAlignment);
    rewriter.replaceOp(
        op, castElements(rewriter, loc, value, type.getElementType()));
    return success();
  }
};

struct BlockStore2dPattern : OpConversionPattern<xevm::BlockStore2dOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(xevm::BlockStore2dOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    unsigned bits =
        getDataBits(op.getElemSizeInBits(), op.getTileWidth(), false);
    Block2D block = getBlock2D(op);
    block.operation = "write";
    block.data = getDataType(op.getStoredVal().getType(), bits);
    block.buffer = createBuffer(rewriter, op, block.data);
    Value value = castElements(rewriter, loc, adaptor.getStoredVal(),
                               block.data.getElementType());
    LLVM::StoreOp::create(rewriter, loc, value, block.buffer, kBufferAlignment);
    FailureOr<LLVM::CallOp> call = createBlock2DCall(rewriter, loc, block);
    if (failed(call))
      return failure();
    setCacheControl(rewriter, *call, op.getCacheControl());
    rewriter.eraseOp(op);
    return success();
  }
};

struct BlockPrefetch2dPattern : OpConversionPattern<xevm::BlockPrefetch2dOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(xevm::BlockPrefetch2dOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Block2D block = getBlock2D(op);
    block.operation = "prefetch";
    FailureOr<LLVM::CallOp> call =
        createBlock2DCall(rewriter, op.getLoc(), block);
    if (failed(call))
      return failure();
    setCacheControl(rewriter, *call, op.getCacheControl());
    rewriter.eraseOp(op);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Dot
//===----------------------------------------------------------------------===//

StringRef getInputName(ElemType type) {
  switch (type) {
  case ElemType::F16:
    return "f16";
  case ElemType::BF16:
    return "bf16";
  case ElemType::TF32:
    return "tf32";
  case ElemType::U8:
    return "u8";
  default:
    return "i8";
  }
}

StringRef getAccumulatorCode(ElemType type) {
  switch (type) {
  case ElemType::F32:
    return "f";
  case ElemType::F16:
    return "Dh";
  case ElemType::BF16:
    return "s";
  default:
    return "i";
  }
}

struct MMAPattern : OpConversionPattern<xevm::MMAOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(xevm::MMAOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ElemType a = op.getTypes().getA(), b = op.getTypes().getB();
    ElemType d = op.getTypes().getD();
    unsigned rows = op.getShape().getM();
    bool tf32 = a == ElemType::TF32;

    Type accElement = getAccumulatorType(rewriter, d);
    Value acc = adaptor.getC();
    if (!acc)
      acc = LLVM::ZeroOp::create(rewriter, loc,
                                 VectorType::get({rows}, accElement));
    Value args[] = {
        unpack(rewriter, loc, adaptor.getA(), getPackedType(rewriter, a, 16)),
        unpack(rewriter, loc, adaptor.getB(), getPackedType(rewriter, b, 32)),
        unpack(rewriter, loc, acc, accElement)};

    unsigned aRows = tf32 ? std::max(1u, rows / 2) : rows;
    MangledType params[] = {MangledType::vector(aRows, tf32 ? "f"
                                                       : a == ElemType::U8
                                                           ? "t"
                                                           : "s"),
                            MangledType::vector(8, tf32                ? "f"
                                                   : b == ElemType::U8 ? "j"
                                                                       : "i"),
                            MangledType::vector(rows, getAccumulatorCode(d))};
    std::string base =
        llvm::formatv("intel_sub_group_{0}_{1}_matrix_mad_k{2}",
                      getInputName(a), getInputName(b), op.getShape().getK());
    FailureOr<LLVM::CallOp> call =
        createDeviceCall(rewriter, loc, mangle(base, params), args[2].getType(),
                         args, DeviceEffects::None);
    if (failed(call))
      return failure();
    Value result = call->getResult();
    Type type = op.getD().getType();
    if (result.getType() != type)
      result = LLVM::BitcastOp::create(rewriter, loc, type, result);
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  /// `value` as elements of `element`; a vector of one becomes a scalar, which
  /// is what the built-ins of one row take.
  static Value unpack(OpBuilder &builder, Location loc, Value value,
                      Type element) {
    value = castElements(builder, loc, value, element);
    if (cast<VectorType>(value.getType()).getNumElements() > 1)
      return value;
    return LLVM::ExtractElementOp::create(
        builder, loc, value, createInt(builder, loc, builder.getI32Type(), 0));
  }
};

struct ConvertXeVMToBuiltinPass
    : mlt::impl::ConvertXeVMToBuiltinBase<ConvertXeVMToBuiltinPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateXeVMCommonPatterns(patterns);
    patterns.add<BlockLoad2dPattern, BlockStore2dPattern,
                 BlockPrefetch2dPattern, MMAPattern>(&getContext());
    if (failed(checkXeVMOps(getOperation())) ||
        failed(hoistPrefetchPayloads(getOperation())) ||
        failed(convertXeVMOps(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
