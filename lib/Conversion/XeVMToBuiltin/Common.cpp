//===- Common.cpp - xevm ops that all SIMT interfaces lower alike ---------===//
//
// Ids, fences, prefetches and 1-D block messages have one spelling that both
// generations of the device compiler and the CPU device understand. The checks
// here report what cannot be lowered before any conversion starts, at the op
// and with the reason.
//
//===----------------------------------------------------------------------===//
#include "Conversion/XeVMToBuiltin/Passes.h"
#include "Target/Intrinsics/DeviceCalls.h"
#include "Target/Intrinsics/GenISA.h"
#include "Target/Intrinsics/Mangling.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::mlt;
using xevm::ElemType;

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static LogicalResult check(xevm::MMAOp op) {
  xevm::MMATypesAttr types = op.getTypes();
  ElemType a = types.getA(), b = types.getB(), d = types.getD();
  auto isByte = [](ElemType type) {
    return type == ElemType::S8 || type == ElemType::U8;
  };
  bool legalInputs = (isByte(a) && isByte(b)) ||
                     (a == b && (a == ElemType::F16 || a == ElemType::BF16 ||
                                 a == ElemType::TF32));
  if (!legalInputs)
    return op.emitError() << "no dot instruction of "
                          << xevm::stringifyElemType(a) << " and "
                          << xevm::stringifyElemType(b);
  bool legalAcc = isByte(a)
                      ? d == ElemType::S32
                      : d == ElemType::F32 || (d == a && a != ElemType::TF32);
  if (!legalAcc)
    return op.emitError() << "a dot of " << xevm::stringifyElemType(a)
                          << " cannot accumulate in "
                          << xevm::stringifyElemType(d);

  int64_t m = op.getShape().getM();
  int64_t k = isByte(a) ? 32 : a == ElemType::TF32 ? 8 : 16;
  if (op.getShape().getN() != 16 || op.getShape().getK() != k ||
      !llvm::is_contained({1, 2, 4, 8}, m))
    return op.emitError() << "expected a shape of {1, 2, 4, 8} x 16 x " << k
                          << " for " << xevm::stringifyElemType(a);
  auto checkBits = [&](StringRef what, Value value,
                       int64_t bits) -> LogicalResult {
    auto type = cast<VectorType>(value.getType());
    if (type.getNumElements() * type.getElementTypeBitWidth() == bits)
      return success();
    return op.emitError() << "expected " << bits << " bits of " << what
                          << " per lane, got " << type;
  };
  int64_t aBits =
      a == ElemType::TF32 ? std::max<int64_t>(1, m / 2) * 32 : m * 16;
  int64_t dBits = m * (d == ElemType::F32 || d == ElemType::S32 ? 32 : 16);
  if (failed(checkBits("A", op.getA(), aBits)) ||
      failed(checkBits("B", op.getB(), 256)) ||
      failed(checkBits("D", op.getD(), dBits)))
    return failure();
  return success();
}

static LogicalResult check(xevm::MemfenceOp op) {
  if (op.getScope() != xevm::MemScope::WORKGROUP &&
      op.getScope() != xevm::MemScope::DEVICE)
    return op.emitError() << "expected a fence of scope workgroup or device";
  if (op.getAddrspace() != xevm::AddrSpace::GLOBAL &&
      op.getAddrspace() != xevm::AddrSpace::SHARED)
    return op.emitError() << "expected a fence of global or shared memory";
  return success();
}

static LogicalResult checkGlobal(Operation *op, Value pointer) {
  auto type = cast<LLVM::LLVMPointerType>(pointer.getType());
  if (type.getAddressSpace() == 1)
    return success();
  return op->emitError() << "expected a pointer to global memory, got " << type;
}

static LogicalResult
checkStoreCache(Operation *op, std::optional<xevm::StoreCacheControl> cc) {
  if (getCacheCode(cc))
    return success();
  return op->emitError() << "the hardware has no stores with cache control "
                         << xevm::stringifyStoreCacheControl(*cc);
}

static LogicalResult check(Operation *op) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case<xevm::MMAOp, xevm::MemfenceOp>([](auto op) { return check(op); })
      .Case<xevm::BlockLoad2dOp, xevm::BlockPrefetch2dOp, xevm::PrefetchOp>(
          [](auto op) { return checkGlobal(op, op.getPtr()); })
      .Case<xevm::BlockStore2dOp>([](xevm::BlockStore2dOp op) {
        return success(succeeded(checkGlobal(op, op.getPtr())) &&
                       succeeded(checkStoreCache(op, op.getCacheControl())));
      })
      .Default(success());
}

LogicalResult mlt::checkXeVMOps(ModuleOp module) {
  bool failed = false;
  module.walk([&](Operation *op) { failed |= mlir::failed(check(op)); });
  return failure(failed);
}

LogicalResult mlt::convertXeVMOps(ModuleOp module,
                                  RewritePatternSet &&patterns) {
  ConversionTarget target(*module.getContext());
  target.addLegalDialect<LLVM::LLVMDialect>();
  target.addIllegalDialect<xevm::XeVMDialect>();
  return applyPartialConversion(module, target, std::move(patterns));
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type mlt::getPackedType(Builder &builder, ElemType type, unsigned bits) {
  if (type == ElemType::TF32)
    return builder.getF32Type();
  return builder.getIntegerType(bits);
}

Type mlt::getAccumulatorType(Builder &builder, ElemType type) {
  switch (type) {
  case ElemType::F32:
    return builder.getF32Type();
  case ElemType::F16:
    return builder.getF16Type();
  case ElemType::BF16:
    return builder.getI16Type();
  default:
    return builder.getI32Type();
  }
}

Value mlt::castElements(OpBuilder &builder, Location loc, Value value,
                        Type element) {
  auto type = cast<VectorType>(value.getType());
  if (type.getElementType() == element)
    return value;
  int64_t bits = type.getNumElements() * type.getElementTypeBitWidth();
  auto result =
      VectorType::get({bits / element.getIntOrFloatBitWidth()}, element);
  return LLVM::BitcastOp::create(builder, loc, result, value);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {

/// Ids by dimension: `size_t get_group_id(uint)` and the like.
template <typename OpTy> struct DimensionIdPattern : OpConversionPattern<OpTy> {
  DimensionIdPattern(MLIRContext *context, StringRef function, int32_t dim)
      : OpConversionPattern<OpTy>(context), function(function), dim(dim) {}

  LogicalResult
  matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value axis = createInt(rewriter, loc, rewriter.getI32Type(), dim);
    FailureOr<LLVM::CallOp> call = createDeviceCall(
        rewriter, loc, mangle(function, {MangledType::scalar("j")}),
        rewriter.getI64Type(), axis, DeviceEffects::None, false);
    if (failed(call))
      return failure();
    Value result = call->getResult();
    if (op.getType() != result.getType())
      result = LLVM::TruncOp::create(rewriter, loc, op.getType(), result);
    rewriter.replaceOp(op, result);
    return success();
  }

  StringRef function;
  int32_t dim;
};

/// Ids within the sub-group: `uint get_sub_group_id(void)` and the like.
template <typename OpTy> struct SubgroupIdPattern : OpConversionPattern<OpTy> {
  SubgroupIdPattern(MLIRContext *context, StringRef function)
      : OpConversionPattern<OpTy>(context), function(function) {}

  LogicalResult
  matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    FailureOr<LLVM::CallOp> call =
        createDeviceCall(rewriter, loc, mangle(function, {}),
                         rewriter.getI32Type(), {}, DeviceEffects::None, false);
    if (failed(call))
      return failure();
    Value result = call->getResult();
    if (op.getType() != result.getType())
      result = LLVM::ZExtOp::create(rewriter, loc, op.getType(), result);
    rewriter.replaceOp(op, result);
    return success();
  }

  StringRef function;
};

struct MemfencePattern : OpConversionPattern<xevm::MemfenceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(xevm::MemfenceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // SPIR-V scopes and memory semantics (acquire-release).
    int64_t scope = op.getScope() == xevm::MemScope::WORKGROUP ? 2 : 1;
    int64_t semantics =
        op.getAddrspace() == xevm::AddrSpace::SHARED ? 0x108 : 0x208;
    Location loc = op.getLoc();
    Type i32 = rewriter.getI32Type();
    MangledType type = MangledType::scalar("i");
    FailureOr<LLVM::CallOp> call = createDeviceCall(
        rewriter, loc, mangle("__spirv_MemoryBarrier", {type, type}), {},
        {createInt(rewriter, loc, i32, scope),
         createInt(rewriter, loc, i32, semantics)},
        DeviceEffects::ReadWriteMemory);
    if (failed(call))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

/// OpenCL's `prefetch` produces no instruction; this one does, everywhere.
struct PrefetchPattern : OpConversionPattern<xevm::PrefetchOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(xevm::PrefetchOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type i32 = rewriter.getI32Type();
    // Both levels cached unless told otherwise; one dword per lane.
    int64_t cache =
        op.getCacheControl() ? *getCacheCode(op.getCacheControl()) : 4;
    FailureOr<LLVM::CallOp> call = createDeviceCall(
        rewriter, loc, (kGenISAPrefix + "LSCPrefetch.p1").str(), {},
        {adaptor.getPtr(), createInt(rewriter, loc, i32, 0),
         createInt(rewriter, loc, i32, 3), createInt(rewriter, loc, i32, 1),
         createInt(rewriter, loc, i32, cache)},
        DeviceEffects::ReadWriteMemory);
    if (failed(call))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

/// Built-in suffix and Itanium code of the elements of a 1-D block message.
std::pair<StringRef, StringRef> getBlock1DCodes(unsigned bits) {
  switch (bits) {
  case 8:
    return {"_uc", "h"};
  case 16:
    return {"_us", "t"};
  case 64:
    return {"_ul", "m"};
  default:
    return {"", "j"}; // Compilers do not know the suffix _ui.
  }
}

template <typename OpTy> struct Block1DPattern : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;
  static constexpr bool isStore = std::is_same_v<OpTy, xevm::BlockStoreOp>;

  LogicalResult
  matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type;
    SmallVector<Value, 2> args = {adaptor.getPtr()};
    if constexpr (isStore)
      type = op.getVal().getType();
    else
      type = op.getRes().getType();
    auto vector = dyn_cast<VectorType>(type);
    int64_t count = vector ? vector.getNumElements() : 1;
    Type element = vector ? vector.getElementType() : type;
    if constexpr (isStore)
      args.push_back(
          count == 1 && vector
              ? Value(LLVM::ExtractElementOp::create(
                    rewriter, loc, adaptor.getVal(),
                    createInt(rewriter, loc, rewriter.getI32Type(), 0)))
              : adaptor.getVal());

    auto [suffix, code] = getBlock1DCodes(element.getIntOrFloatBitWidth());
    std::string base =
        (Twine("intel_sub_group_block_") + (isStore ? "write" : "read") +
         suffix + (count > 1 ? Twine(count) : Twine()))
            .str();
    unsigned space =
        cast<LLVM::LLVMPointerType>(op.getPtr().getType()).getAddressSpace();
    SmallVector<MangledType, 2> params = {
        MangledType::pointer(space, !isStore, code)};
    if (isStore)
      params.push_back(MangledType::vector(count, code));
    FailureOr<LLVM::CallOp> call = createDeviceCall(
        rewriter, loc, mangle(base, params),
        isStore ? Type() : (count == 1 ? element : type), args,
        isStore ? DeviceEffects::ReadWriteMemory : DeviceEffects::ReadMemory);
    if (failed(call))
      return failure();
    if (isStore)
      rewriter.eraseOp(op);
    else if (count == 1 && vector)
      rewriter.replaceOpWithNewOp<LLVM::BitcastOp>(op, type, call->getResult());
    else
      rewriter.replaceOp(op, call->getResult());
    return success();
  }
};

} // namespace

void mlt::populateXeVMCommonPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<DimensionIdPattern<xevm::WorkitemIdXOp>>(context, "get_local_id",
                                                        0);
  patterns.add<DimensionIdPattern<xevm::WorkitemIdYOp>>(context, "get_local_id",
                                                        1);
  patterns.add<DimensionIdPattern<xevm::WorkitemIdZOp>>(context, "get_local_id",
                                                        2);
  patterns.add<DimensionIdPattern<xevm::WorkgroupDimXOp>>(context,
                                                          "get_local_size", 0);
  patterns.add<DimensionIdPattern<xevm::WorkgroupDimYOp>>(context,
                                                          "get_local_size", 1);
  patterns.add<DimensionIdPattern<xevm::WorkgroupDimZOp>>(context,
                                                          "get_local_size", 2);
  patterns.add<DimensionIdPattern<xevm::WorkgroupIdXOp>>(context,
                                                         "get_group_id", 0);
  patterns.add<DimensionIdPattern<xevm::WorkgroupIdYOp>>(context,
                                                         "get_group_id", 1);
  patterns.add<DimensionIdPattern<xevm::WorkgroupIdZOp>>(context,
                                                         "get_group_id", 2);
  patterns.add<DimensionIdPattern<xevm::GridDimXOp>>(context, "get_num_groups",
                                                     0);
  patterns.add<DimensionIdPattern<xevm::GridDimYOp>>(context, "get_num_groups",
                                                     1);
  patterns.add<DimensionIdPattern<xevm::GridDimZOp>>(context, "get_num_groups",
                                                     2);
  patterns.add<SubgroupIdPattern<xevm::LaneIdOp>>(context,
                                                  "get_sub_group_local_id");
  patterns.add<SubgroupIdPattern<xevm::SubgroupIdOp>>(context,
                                                      "get_sub_group_id");
  patterns.add<SubgroupIdPattern<xevm::SubgroupSizeOp>>(context,
                                                        "get_sub_group_size");
  patterns
      .add<MemfencePattern, PrefetchPattern, Block1DPattern<xevm::BlockLoadOp>,
           Block1DPattern<xevm::BlockStoreOp>>(context);
}
