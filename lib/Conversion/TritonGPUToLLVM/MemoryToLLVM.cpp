//===- MemoryToLLVM.cpp - block pointers and 2-D block messages -----------===//
//
// A block pointer is taken apart into base, shape, strides and offsets; making
// and advancing it is scalar arithmetic. An access through it is one 2-D block
// message of the hardware. A message wants a base that is a multiple of 64
// bytes: that is a launch precondition for a kernel argument, anywhere else the
// difference is moved into width and x at run time.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/BlockForms.h"
#include "Conversion/TritonGPUToLLVM/Patterns.h"
#include "Conversion/TritonGPUToLLVM/VectorUtils.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/Triton/IR/Triton.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::mlt;

//===----------------------------------------------------------------------===//
// The surface of a message
//===----------------------------------------------------------------------===//

namespace {
/// Integer arithmetic that canonicalization and loop-invariant code motion
/// know.
struct Scalars {
  OpBuilder &builder;
  Location loc;

  Value constant(Type type, int64_t value) const {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, value));
  }
  Value truncate(Value value) const {
    return arith::TruncIOp::create(builder, loc, builder.getI32Type(), value);
  }
  Value add(Value a, Value b) const {
    return arith::AddIOp::create(builder, loc, a, b);
  }
  Value scale(Value a, int64_t factor) const {
    if (factor == 1)
      return a;
    return arith::MulIOp::create(builder, loc, a,
                                 constant(a.getType(), factor));
  }
  /// `a / divisor`, rounded down, for a power of two.
  Value divide(Value a, int64_t divisor) const {
    if (divisor == 1)
      return a;
    return arith::ShRSIOp::create(
        builder, loc, a, constant(a.getType(), llvm::Log2_64(divisor)));
  }
};
} // namespace

/// Moves `message.base` down to a multiple of `alignment` bytes.
static void alignBase(const Scalars &scalars, BlockMessage &message,
                      int64_t alignment) {
  OpBuilder &builder = scalars.builder;
  Location loc = scalars.loc;
  Type i64 = builder.getI64Type();
  Value address = LLVM::PtrToIntOp::create(builder, loc, i64, message.base);
  Value excess = arith::AndIOp::create(builder, loc, address,
                                       scalars.constant(i64, alignment - 1));
  Value down =
      arith::SubIOp::create(builder, loc, scalars.constant(i64, 0), excess);
  message.base = LLVM::GEPOp::create(builder, loc, message.base.getType(),
                                     builder.getI8Type(), message.base, down);
  Value bytes = scalars.truncate(excess);
  message.width = scalars.add(message.width, bytes);
  message.x = scalars.add(message.x, scalars.divide(bytes, message.bits / 8));
}

/// Sets the surface and the position of `message` from a block pointer.
/// `elementBits` are the pointer's, `message.bits` the message's.
static void setSurface(OpBuilder &builder, Location loc, BlockMessage &message,
                       const BlockPointerFields &parts,
                       const BlockOrigin &origin, int64_t elementBits,
                       int64_t alignment) {
  Scalars scalars{builder, loc};
  int64_t fast = origin.order[0], slow = 1 - fast;
  int64_t bytes = elementBits / 8;
  message.base = parts.base;
  message.width = scalars.scale(scalars.truncate(parts.shape[fast]), bytes);
  message.height = scalars.truncate(parts.shape[slow]);
  message.pitch = scalars.scale(scalars.truncate(parts.strides[slow]), bytes);
  message.x = scalars.divide(parts.offsets[fast], message.bits / elementBits);
  message.y = parts.offsets[slow];
  if (!origin.baseIsArgument)
    alignBase(scalars, message, alignment);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {
struct MakeTensorPtrPattern : TilePattern<tt::MakeTensorPtrOp> {
  using TilePattern::TilePattern;
  LogicalResult
  matchAndRewrite(tt::MakeTensorPtrOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts{adaptor.getBase()};
    llvm::append_range(parts, adaptor.getShape());
    llvm::append_range(parts, adaptor.getStrides());
    llvm::append_range(parts, adaptor.getOffsets());
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

struct AdvancePattern : TilePattern<tt::AdvanceOp> {
  using TilePattern::TilePattern;
  LogicalResult
  matchAndRewrite(tt::AdvanceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    BlockPointerFields parts(adaptor.getPtr());
    for (auto [offset, step] :
         llvm::zip_equal(parts.offsets, adaptor.getOffsets()))
      offset =
          arith::AddIOp::create(rewriter, op.getLoc(), offset, step.front());
    rewriter.replaceOpWithMultiple(op, {parts.flatten()});
    return success();
  }
};

struct BlockLoadPattern : TilePattern<tt::LoadOp> {
  using TilePattern::TilePattern;
  LogicalResult
  matchAndRewrite(tt::LoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!tt::isBlockPointer(op.getPtr().getType()))
      return failure();
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getType());
    const BlockOrigin &origin = lowering.blocks.getOrigin(op);
    FailureOr<Tile> tile = getTile(type);
    FailureOr<BlockMessage> message =
        getLoadForm(lowering.target, type, origin);
    if (failed(tile) || failed(message))
      return failure();
    setSurface(rewriter, loc, *message, BlockPointerFields(adaptor.getPtr()),
               origin, tt::getElementBitWidth(type),
               lowering.target.block2D.baseAlignment);

    // One register of a lane is an integer; a single one a vector of one.
    int64_t registers = tile->layout.getNumRegisters();
    Type unit = rewriter.getIntegerType(
        getUnitType(tile->carrier).getIntOrFloatBitWidth());
    Value data = style.loadBlock(rewriter, loc, *message,
                                 VectorType::get({registers}, unit));
    ++lowering.numBlockMessages;
    rewriter.replaceOp(op, bitcastTo(rewriter, loc, data, tile->carrier));
    return success();
  }
};

struct BlockStorePattern : TilePattern<tt::StoreOp> {
  using TilePattern::TilePattern;
  LogicalResult
  matchAndRewrite(tt::StoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!tt::isBlockPointer(op.getPtr().getType()))
      return failure();
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getValue().getType());
    const BlockOrigin &origin = lowering.blocks.getOrigin(op);
    FailureOr<Tile> tile = getTile(type);
    FailureOr<BlockMessage> message =
        getStoreForm(lowering.target, type, origin);
    if (failed(tile) || failed(message))
      return failure();
    setSurface(rewriter, loc, *message, BlockPointerFields(adaptor.getPtr()),
               origin, message->bits, lowering.target.block2D.baseAlignment);
    Type data = VectorType::get({tile->layout.getNumRegisters()},
                                rewriter.getIntegerType(message->bits));
    style.storeBlock(
        rewriter, loc, *message,
        bitcastTo(rewriter, loc, adaptor.getValue().front(), data));
    ++lowering.numBlockMessages;
    rewriter.eraseOp(op);
    return success();
  }
};

struct PrefetchPattern : TilePattern<PrefetchOp> {
  using TilePattern::TilePattern;
  LogicalResult
  matchAndRewrite(PrefetchOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(
        cast<tt::PointerType>(op.getPtr().getType()).getPointeeType());
    const BlockOrigin &origin = lowering.blocks.getOrigin(op);
    FailureOr<BlockMessage> message =
        getPrefetchForm(lowering.target, type, origin);
    if (failed(message))
      return failure();
    setSurface(rewriter, op.getLoc(), *message,
               BlockPointerFields(adaptor.getPtr()), origin, message->bits,
               lowering.target.block2D.baseAlignment);
    style.prefetchBlock(rewriter, op.getLoc(), *message);
    ++lowering.numBlockMessages;
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void mlt::populateBlockMemoryPatterns(const PatternArguments &arguments) {
  arguments.add<MakeTensorPtrPattern, AdvancePattern, BlockLoadPattern,
                BlockStorePattern, PrefetchPattern>();
}
