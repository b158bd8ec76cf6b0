//===- XeVMToGenISA.cpp - xevm ops to GenISA intrinsics -------------------===//
//
// The interface `genisa`: block messages return their data as a value, so no
// private memory is involved. The device compiler checks nothing about these
// intrinsics; shapes come from verified xevm ops, codes from the tables of the
// generation that the module is compiled for.
//
//===----------------------------------------------------------------------===//
#include "Conversion/XeVMToBuiltin/Passes.h"
#include "Conversion/XeVMToGenISA/Passes.h"
#include "Target/Intrinsics/DeviceCalls.h"
#include "Target/Intrinsics/GenISA.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::mlt {
#define GEN_PASS_DEF_CONVERTXEVMTOGENISA
#include "Conversion/XeVMToGenISA/Passes.h.inc"
} // namespace mlir::mlt

using namespace mlir;
using namespace mlir::mlt;
using xevm::ElemType;

static std::string getName(StringRef stem, TypeRange types) {
  return getOverloadedName((kGenISAPrefix + stem).str(), types);
}

/// The only element of `value`.
static Value scalarize(OpBuilder &builder, Location loc, Value value) {
  return LLVM::ExtractElementOp::create(
      builder, loc, value, createInt(builder, loc, builder.getI32Type(), 0));
}

//===----------------------------------------------------------------------===//
// 2-D block messages
//===----------------------------------------------------------------------===//

/// The 13 operands that the three 2-D block messages share.
template <typename OpTy>
static SmallVector<Value, 14>
getBlock2DArgs(ConversionPatternRewriter &rewriter, OpTy op, bool transpose,
               bool vnni, int32_t cache) {
  Location loc = op.getLoc();
  Type i1 = rewriter.getI1Type(), i32 = rewriter.getI32Type();
  auto constant = [&](int64_t value) {
    return createInt(rewriter, loc, i32, value);
  };
  auto minusOne = [&](Value value) -> Value {
    return LLVM::AddOp::create(rewriter, loc, value, constant(-1));
  };
  Value base = LLVM::PtrToIntOp::create(rewriter, loc, rewriter.getI64Type(),
                                        op.getPtr());
  return {base,
          minusOne(op.getBaseWidth()),
          minusOne(op.getBaseHeight()),
          minusOne(op.getBasePitch()),
          op.getX(),
          op.getY(),
          constant(op.getElemSizeInBits()),
          constant(op.getTileWidth()),
          constant(op.getTileHeight()),
          constant(op.getVBlocks()),
          createInt(rewriter, loc, i1, transpose),
          createInt(rewriter, loc, i1, vnni),
          constant(cache)};
}

namespace {
struct BlockLoad2dPattern : OpConversionPattern<xevm::BlockLoad2dOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(xevm::BlockLoad2dOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value, 14> args =
        getBlock2DArgs(rewriter, op, op.getTranspose(), op.getPackRegister(),
                       *getCacheCode(op.getCacheControl()));
    // Integers in registers; floats are a reinterpretation.
    VectorType type = op.getRes().getType();
    Type data = rewriter.getIntegerType(type.getElementTypeBitWidth());
    if (type.getNumElements() > 1)
      data = VectorType::get(type.getShape(), data);
    FailureOr<LLVM::CallOp> call =
        createDeviceCall(rewriter, op.getLoc(), getName("LSC2DBlockRead", data),
                         data, args, DeviceEffects::ReadMemory);
    if (failed(call))
      return failure();
    Value result = call->getResult();
    if (data != type)
      result = LLVM::BitcastOp::create(rewriter, op.getLoc(), type, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct BlockStore2dPattern : OpConversionPattern<xevm::BlockStore2dOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(xevm::BlockStore2dOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value, 14> args = getBlock2DArgs(
        rewriter, op, false, false, *getCacheCode(op.getCacheControl()));
    VectorType type = op.getStoredVal().getType();
    Value value =
        castElements(rewriter, op.getLoc(), adaptor.getStoredVal(),
                     rewriter.getIntegerType(type.getElementTypeBitWidth()));
    if (type.getNumElements() == 1)
      value = scalarize(rewriter, op.getLoc(), value);
    args.push_back(value);
    if (failed(
            createDeviceCall(rewriter, op.getLoc(),
                             getName("LSC2DBlockWrite", args.back().getType()),
                             {}, args, DeviceEffects::ReadWriteMemory)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

struct BlockPrefetch2dPattern : OpConversionPattern<xevm::BlockPrefetch2dOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(xevm::BlockPrefetch2dOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // Without a cache option a prefetch has nowhere to put its data.
    int32_t cache =
        op.getCacheControl() ? *getCacheCode(op.getCacheControl()) : 4;
    SmallVector<Value, 14> args =
        getBlock2DArgs(rewriter, op, false, false, cache);
    if (failed(createDeviceCall(rewriter, op.getLoc(),
                                getName("LSC2DBlockPrefetch", {}), {}, args,
                                DeviceEffects::ReadWriteMemory)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Dot
//===----------------------------------------------------------------------===//

struct MMAPattern : OpConversionPattern<xevm::MMAOp> {
  MMAPattern(MLIRContext *context, GenISAGeneration generation)
      : OpConversionPattern(context), generation(generation) {}

  LogicalResult
  matchAndRewrite(xevm::MMAOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ElemType a = op.getTypes().getA(), b = op.getTypes().getB();
    int64_t rows = op.getShape().getM();
    Type i32 = rewriter.getI32Type();
    Type element = getAccumulatorType(rewriter, op.getTypes().getD());
    Value acc = adaptor.getC();
    if (!acc)
      acc =
          LLVM::ZeroOp::create(rewriter, loc, VectorType::get({rows}, element));
    acc = castElements(rewriter, loc, acc, element);
    Value aValue = castElements(rewriter, loc, adaptor.getA(),
                                getPackedType(rewriter, a, 16));
    Value bValue = castElements(rewriter, loc, adaptor.getB(),
                                getPackedType(rewriter, b, 32));
    if (rows == 1)
      acc = scalarize(rewriter, loc, acc);
    if (cast<VectorType>(aValue.getType()).getNumElements() == 1)
      aValue = scalarize(rewriter, loc, aValue);
    SmallVector<Value, 8> args = {
        acc,
        aValue,
        bValue,
        createInt(rewriter, loc, i32, *getDpasPrecisionCode(generation, a)),
        createInt(rewriter, loc, i32, *getDpasPrecisionCode(generation, b)),
        createInt(rewriter, loc, i32, 8),
        createInt(rewriter, loc, i32, rows),
        createInt(rewriter, loc, rewriter.getI1Type(), 0)};
    FailureOr<LLVM::CallOp> call = createDeviceCall(
        rewriter, loc,
        getName("sub.group.dpas",
                {acc.getType(), aValue.getType(), bValue.getType()}),
        acc.getType(), args, DeviceEffects::None);
    if (failed(call))
      return failure();
    Value result = call->getResult();
    if (result.getType() != op.getD().getType())
      result =
          LLVM::BitcastOp::create(rewriter, loc, op.getD().getType(), result);
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  GenISAGeneration generation;
};

struct ConvertXeVMToGenISAPass
    : mlt::impl::ConvertXeVMToGenISABase<ConvertXeVMToGenISAPass> {
  using ConvertXeVMToGenISABase::ConvertXeVMToGenISABase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    std::optional<GenISAGeneration> selected =
        symbolizeGenISAGeneration(generation);
    if (!selected) {
      emitError(module.getLoc())
          << "expected generation 'old' or 'current', got '" << generation
          << "'";
      return signalPassFailure();
    }
    if (failed(checkXeVMOps(module)) ||
        failed(checkGeneration(module, *selected)))
      return signalPassFailure();
    if (*selected == GenISAGeneration::Current &&
        failed(hoistPrefetchPayloads(module)))
      return signalPassFailure();
    module->setAttr(
        kGenISAGenerationAttr,
        StringAttr::get(&getContext(), stringifyGenISAGeneration(*selected)));
    RewritePatternSet patterns(&getContext());
    populateXeVMCommonPatterns(patterns);
    patterns
        .add<BlockLoad2dPattern, BlockStore2dPattern, BlockPrefetch2dPattern>(
            &getContext());
    patterns.add<MMAPattern>(&getContext(), *selected);
    if (failed(convertXeVMOps(module, std::move(patterns))))
      signalPassFailure();
  }

private:
  /// Reports the ops that `selected` would silently turn into something else.
  static LogicalResult checkGeneration(ModuleOp module,
                                       GenISAGeneration selected) {
    if (selected == GenISAGeneration::Current)
      return success();
    bool failed = false;
    module.walk([&](Operation *op) {
      if (!isa<xevm::BlockStore2dOp, xevm::BlockPrefetch2dOp>(op))
        return;
      failed = true;
      op->emitError() << "the old compiler generation (ocloc 22.43) has no 2-D "
                         "block writes and prefetches in SIMT style: it takes "
                         "their names for reads and drops the data; use the "
                         "current ocloc, or style=simd";
    });
    return failure(failed);
  }
};
} // namespace
