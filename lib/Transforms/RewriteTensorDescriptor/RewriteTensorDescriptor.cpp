//===- RewriteTensorDescriptor.cpp - descriptors to block pointers --------===//
//
// Block pointers are the one form in which dense accesses reach the layout
// pass. A descriptor has no offsets of its own, so nothing has to be advanced:
// every access states its block completely, and in the end only scalars are
// left.
//
//===----------------------------------------------------------------------===//
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Transforms/BlockPointer/BlockPointer.h"
#include "Transforms/RewriteTensorDescriptor/DescriptorArguments.h"
#include "Transforms/RewriteTensorDescriptor/DescriptorPadding.h"
#include "Transforms/RewriteTensorDescriptor/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::mlt {
#define GEN_PASS_DEF_REWRITETENSORDESCRIPTOR
#include "Transforms/RewriteTensorDescriptor/Passes.h.inc"
} // namespace mlir::mlt

using namespace mlir;
using namespace mlir::mlt;

//===----------------------------------------------------------------------===//
// Descriptors as scalars
//===----------------------------------------------------------------------===//

namespace {
/// tensordesc -> base, sizes (i64), strides (i64).
class DescriptorConverter : public TypeConverter {
public:
  DescriptorConverter() {
    addConversion([](Type type) { return type; });
    addConversion([](tt::TensorDescType type, SmallVectorImpl<Type> &parts) {
      Type i64 = IntegerType::get(type.getContext(), 64);
      parts.push_back(
          tt::PointerType::get(type.getSignlessBlockType().getElementType()));
      parts.append(2 * type.getRank(), i64);
      return success();
    });
  }
};

/// The scalars of a descriptor with the offsets of one access.
BlockPointerParts getParts(ValueRange descriptor, ValueRange offsets) {
  unsigned rank = (descriptor.size() - 1) / 2;
  return {descriptor.front(), SmallVector<Value>(descriptor.slice(1, rank)),
          SmallVector<Value>(descriptor.slice(1 + rank, rank)),
          SmallVector<Value>(offsets)};
}

SmallVector<int32_t> allDims(unsigned rank) {
  return llvm::to_vector(llvm::seq<int32_t>(0, rank));
}

/// One value per operand, for operands that are no descriptors.
SmallVector<Value> flatten(ArrayRef<ValueRange> operands) {
  SmallVector<Value> values;
  for (ValueRange range : operands)
    llvm::append_range(values, range);
  return values;
}

Value createBlockPointer(OpBuilder &builder, Location loc,
                         const BlockPointerParts &parts,
                         ArrayRef<int64_t> block) {
  SmallVector<int32_t> shape(block.begin(), block.end());
  SmallVector<int32_t> order =
      llvm::to_vector(llvm::reverse(llvm::seq<int32_t>(0, block.size())));
  return tt::MakeTensorPtrOp::create(builder, loc, parts.base, parts.shape,
                                     parts.strides, parts.offsets, shape,
                                     order);
}

/// `value` in the shape of `type`: a block may lack leading dimensions of 1.
Value reshapeTo(OpBuilder &builder, Location loc, Value value,
                RankedTensorType type) {
  if (value.getType() == type)
    return value;
  return tt::ReshapeOp::create(builder, loc, type, value,
                               /*allow_reorder=*/UnitAttr(),
                               /*efficient_layout=*/UnitAttr());
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

struct ConvertMake : OpConversionPattern<tt::MakeTensorDescOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tt::MakeTensorDescOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts{adaptor.getBase()};
    for (Value size : adaptor.getShape())
      parts.push_back(extendToI64(rewriter, op.getLoc(), size));
    llvm::append_range(parts, adaptor.getStrides());
    rewriter.replaceOpWithMultiple(op, {ValueRange(parts)});
    return success();
  }
};

struct ConvertLoad : OpConversionPattern<tt::DescriptorLoadOp> {
  ConvertLoad(const TypeConverter &converter, MLIRContext *context,
              const DescriptorPadding &padding)
      : OpConversionPattern(converter, context), padding(padding) {}

  LogicalResult
  matchAndRewrite(tt::DescriptorLoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    BlockPointerParts parts =
        getParts(adaptor.getDesc(), flatten(adaptor.getIndices()));
    ArrayRef<int64_t> block = op.getDesc().getType().getShape();
    Value pointer = createBlockPointer(rewriter, op.getLoc(), parts, block);
    Value value = tt::LoadOp::create(
        rewriter, op.getLoc(), pointer, allDims(block.size()),
        std::optional<tt::PaddingOption>(padding.lookup(op)), op.getCache(),
        op.getEvict(), /*isVolatile=*/false);
    rewriter.replaceOp(op,
                       reshapeTo(rewriter, op.getLoc(), value, op.getType()));
    return success();
  }

  const DescriptorPadding &padding;
};

/// A prefetch names its block by a cast of a descriptor and offsets.
struct ConvertBlock : OpConversionPattern<UnrealizedConversionCastOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(UnrealizedConversionCastOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto descriptor =
        op->getNumOperands() == 0
            ? tt::TensorDescType()
            : dyn_cast<tt::TensorDescType>(op->getOperand(0).getType());
    if (!descriptor || op->getNumResults() != 1 ||
        op->getNumOperands() != 1 + descriptor.getRank() ||
        !tt::isBlockPointer(op->getResult(0).getType()))
      return failure();
    ArrayRef<ValueRange> operands = adaptor.getOperands();
    BlockPointerParts parts =
        getParts(operands.front(), flatten(operands.drop_front()));
    rewriter.replaceOp(op, createBlockPointer(rewriter, op.getLoc(), parts,
                                              descriptor.getShape()));
    return success();
  }
};

struct ConvertStore : OpConversionPattern<tt::DescriptorStoreOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tt::DescriptorStoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    BlockPointerParts parts =
        getParts(adaptor.getDesc(), flatten(adaptor.getIndices()));
    tt::TensorDescType desc = op.getDesc().getType();
    Value pointer =
        createBlockPointer(rewriter, op.getLoc(), parts, desc.getShape());
    auto block = RankedTensorType::get(
        desc.getShape(), desc.getSignlessBlockType().getElementType());
    Value value =
        reshapeTo(rewriter, op.getLoc(), adaptor.getSrc().front(), block);
    tt::StoreOp::create(rewriter, op.getLoc(), pointer, value,
                        ArrayRef<int32_t>(allDims(desc.getRank())));
    rewriter.eraseOp(op);
    return success();
  }
};

/// The atomic operation that a descriptor reduction means, if there is one.
std::optional<tt::RMWOp> getAtomic(tt::DescriptorReduceKind kind,
                                   Type element) {
  bool isFloat = isa<FloatType>(element);
  switch (kind) {
  case tt::DescriptorReduceKind::ADD:
    return isFloat ? tt::RMWOp::FADD : tt::RMWOp::ADD;
  case tt::DescriptorReduceKind::MIN:
  case tt::DescriptorReduceKind::MAX:
    if (isFloat)
      return std::nullopt;
    if (element.isUnsignedInteger())
      return kind == tt::DescriptorReduceKind::MIN ? tt::RMWOp::UMIN
                                                   : tt::RMWOp::UMAX;
    return kind == tt::DescriptorReduceKind::MIN ? tt::RMWOp::MIN
                                                 : tt::RMWOp::MAX;
  case tt::DescriptorReduceKind::AND:
    return tt::RMWOp::AND;
  case tt::DescriptorReduceKind::OR:
    return tt::RMWOp::OR;
  case tt::DescriptorReduceKind::XOR:
    return tt::RMWOp::XOR;
  default:
    return std::nullopt;
  }
}

struct ConvertReduce : OpConversionPattern<tt::DescriptorReduceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tt::DescriptorReduceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    tt::TensorDescType desc = op.getDesc().getType();
    std::optional<tt::RMWOp> atomic =
        getAtomic(op.getKind(), desc.getElementType());
    BlockPointerParts parts =
        getParts(adaptor.getDesc(), flatten(adaptor.getIndices()));
    ArrayRef<int64_t> shape = desc.getShape();
    Value pointers = buildPointers(rewriter, loc, parts, shape);
    Value mask =
        buildBoundsMask(rewriter, loc, parts, shape, allDims(shape.size()));
    auto block = RankedTensorType::get(
        shape, desc.getSignlessBlockType().getElementType());
    Value value = reshapeTo(rewriter, loc, adaptor.getSrc().front(), block);
    tt::AtomicRMWOp::create(rewriter, loc, block, *atomic, pointers, value,
                            mask, tt::MemSemantic::RELAXED,
                            tt::MemSyncScope::GPU);
    rewriter.eraseOp(op);
    return success();
  }
};

/// Pointers and bounds of rows chosen by a tensor: the block of one row, moved
/// along dimension 0 for every row.
struct RowAccess {
  Value pointers, mask;

  RowAccess(OpBuilder &builder, Location loc, ValueRange descriptor,
            Value rowNumbers, Value column, int64_t width) {
    Type i64 = builder.getI64Type();
    int64_t rows = cast<RankedTensorType>(rowNumbers.getType()).getDimSize(0);
    auto vector = RankedTensorType::get({rows}, i64);
    Value zero =
        arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), 0);
    // Row 0 of the tensor, repeated for every row number.
    BlockPointerParts parts = getParts(descriptor, {zero, column});
    auto toTile = [&](Value value, Type element) -> Value {
      return tt::BroadcastOp::create(
          builder, loc, RankedTensorType::get({rows, width}, element), value);
    };
    Value first = buildPointers(builder, loc, parts, {1, width});
    Value inRow = buildBoundsMask(builder, loc, parts, {1, width}, {1});
    Value index = arith::ExtSIOp::create(builder, loc, vector, rowNumbers);
    Value size = tt::SplatOp::create(builder, loc, vector, parts.shape[0]);
    Value stride = tt::SplatOp::create(builder, loc, vector, parts.strides[0]);
    Value inside = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ult, index, size);
    Value offset = arith::MulIOp::create(builder, loc, index, stride);
    offset = toTile(tt::ExpandDimsOp::create(builder, loc, offset, 1), i64);
    inside = toTile(tt::ExpandDimsOp::create(builder, loc, inside, 1),
                    builder.getI1Type());
    Value start = toTile(first, parts.base.getType());
    pointers =
        tt::AddPtrOp::create(builder, loc, start.getType(), start, offset);
    mask = arith::AndIOp::create(builder, loc,
                                 toTile(inRow, builder.getI1Type()), inside);
  }
};

struct ConvertGather : OpConversionPattern<tt::DescriptorGatherOp> {
  ConvertGather(const TypeConverter &converter, MLIRContext *context,
                const DescriptorPadding &padding)
      : OpConversionPattern(converter, context), padding(padding) {}

  LogicalResult
  matchAndRewrite(tt::DescriptorGatherOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = op.getType();
    RowAccess rows(rewriter, op.getLoc(), adaptor.getDesc(),
                   adaptor.getXOffsets().front(), adaptor.getYOffset().front(),
                   type.getDimSize(1));
    Value other = buildPadding(rewriter, op.getLoc(), type, padding.lookup(op));
    rewriter.replaceOpWithNewOp<tt::LoadOp>(op, rows.pointers, rows.mask,
                                            other);
    return success();
  }

  const DescriptorPadding &padding;
};

struct ConvertScatter : OpConversionPattern<tt::DescriptorScatterOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tt::DescriptorScatterOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = op.getSrc().getType();
    RowAccess rows(rewriter, op.getLoc(), adaptor.getDesc(),
                   adaptor.getXOffsets().front(), adaptor.getYOffset().front(),
                   type.getDimSize(1));
    rewriter.replaceOpWithNewOp<tt::StoreOp>(
        op, rows.pointers, adaptor.getSrc().front(), rows.mask,
        tt::CacheModifier::NONE, tt::EvictionPolicy::NORMAL);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

class RewriteTensorDescriptorPass
    : public mlir::mlt::impl::RewriteTensorDescriptorBase<
          RewriteTensorDescriptorPass> {
public:
  void runOnOperation() override {
    for (tt::FuncOp func : getOperation().getOps<tt::FuncOp>())
      if (!func.isExternal() && failed(rewrite(func)))
        return signalPassFailure();
  }

private:
  LogicalResult rewrite(tt::FuncOp func);
  LogicalResult convertAccesses(tt::FuncOp func);
};
} // namespace

static bool hasDescriptor(Operation *op) {
  auto isDescriptor = [](Type type) { return isa<tt::TensorDescType>(type); };
  return llvm::any_of(op->getOperandTypes(), isDescriptor) ||
         llvm::any_of(op->getResultTypes(), isDescriptor);
}

/// Accesses through descriptors are what the pass converts; anything else that
/// touches one and is no control flow has no meaning here.
static LogicalResult checkDescriptorUses(tt::FuncOp func) {
  WalkResult result = func.walk([&](Operation *op) {
    if (isa<tt::ExperimentalDescriptorLoadOp, tt::ExperimentalDescriptorStoreOp,
            tt::ReinterpretTensorDescOp, tt::ExperimentalTensormapCreateOp>(
            op)) {
      return WalkResult(op->emitError()
                        << "expected descriptors that say what they describe, "
                           "got an untyped one; recompile the kernel with "
                           "tt.make_tensor_descriptor (Triton 3.4 or later)");
    }
    if (auto reduce = dyn_cast<tt::DescriptorReduceOp>(op)) {
      Type element = reduce.getDesc().getType().getElementType();
      if (!getAtomic(reduce.getKind(), element))
        return WalkResult(op->emitError()
                          << "no atomic operation for '"
                          << tt::stringifyDescriptorReduceKind(reduce.getKind())
                          << "' on " << element);
    }
    if (isa<tt::CallOp>(op) && hasDescriptor(op))
      return WalkResult(op->emitError()
                        << "expected functions that take or return tensor "
                           "descriptors to be inlined first");
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult RewriteTensorDescriptorPass::convertAccesses(tt::FuncOp func) {
  DescriptorPadding padding;
  if (failed(padding.analyze(func)))
    return failure();
  func.walk([&](Operation *op) {
    if (isa<tt::DescriptorLoadOp, tt::DescriptorStoreOp, tt::DescriptorReduceOp,
            tt::DescriptorGatherOp, tt::DescriptorScatterOp>(op))
      ++numAccesses;
  });
  MLIRContext *context = &getContext();
  DescriptorConverter converter;
  RewritePatternSet patterns(context);
  ConversionTarget target(*context);
  target.markUnknownOpDynamicallyLegal(
      [](Operation *op) { return !hasDescriptor(op); });
  patterns.add<ConvertBlock, ConvertMake, ConvertStore, ConvertReduce,
               ConvertScatter>(converter, context);
  patterns.add<ConvertLoad, ConvertGather>(converter, context, padding);
  populateStructuralPatterns(converter, patterns, target);
  return applyFullConversion(func, target, std::move(patterns));
}

LogicalResult RewriteTensorDescriptorPass::rewrite(tt::FuncOp func) {
  if (failed(checkDescriptorUses(func)) ||
      failed(flattenDescriptorArguments(func)))
    return failure();
  bool found = false;
  func.walk([&](Operation *op) { found |= hasDescriptor(op); });
  if (!found)
    return success();
  return convertAccesses(func);
}
