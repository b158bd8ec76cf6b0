//===- ScalarizeBlockPointers.cpp - block pointers taken apart ------------===//
//
// The general form of an access: a pointer per element and a mask. A block
// pointer that has to go this way is converted 1:N into scalars, so that loops
// carry offsets instead of pointers.
//
//===----------------------------------------------------------------------===//
#include "Transforms/LegalizeBlockIO/ScalarizeBlockPointers.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Transforms/BlockPointer/BlockPointer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
/// Marked block pointer -> base, shape (i64), strides (i64), offsets (i32).
class PartsConverter : public TypeConverter {
public:
  PartsConverter() {
    addConversion([](Type type) { return type; });
    addConversion(
        [](tt::PointerType type,
           SmallVectorImpl<Type> &parts) -> std::optional<LogicalResult> {
          std::optional<RankedTensorType> block = getMarkedBlock(type);
          if (!block)
            return std::nullopt;
          MLIRContext *context = type.getContext();
          parts.push_back(tt::PointerType::get(block->getElementType(),
                                               type.getAddressSpace()));
          parts.append(2 * block->getRank(), IntegerType::get(context, 64));
          parts.append(block->getRank(), IntegerType::get(context, 32));
          return success();
        });
  }
};
} // namespace

BlockPointerParts mlt::getBlockParts(ValueRange values) {
  unsigned rank = (values.size() - 1) / 3;
  return {values.front(), SmallVector<Value>(values.slice(1, rank)),
          SmallVector<Value>(values.slice(1 + rank, rank)),
          SmallVector<Value>(values.slice(1 + 2 * rank, rank))};
}

ArrayRef<int64_t> mlt::getBlockShape(Value pointer) {
  auto type = cast<tt::PointerType>(pointer.getType());
  return cast<RankedTensorType>(type.getPointeeType()).getShape();
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {
struct ConvertMake : OpConversionPattern<tt::MakeTensorPtrOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tt::MakeTensorPtrOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts(adaptor.getOperands());
    rewriter.replaceOpWithMultiple(op, {ValueRange(parts)});
    return success();
  }
};

struct ConvertAdvance : OpConversionPattern<tt::AdvanceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tt::AdvanceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts(adaptor.getPtr());
    MutableArrayRef<Value> offsets =
        MutableArrayRef(parts).take_back(op.getOffsets().size());
    for (auto [offset, step] : llvm::zip_equal(offsets, adaptor.getOffsets()))
      offset =
          arith::AddIOp::create(rewriter, op.getLoc(), offset, step.front());
    rewriter.replaceOpWithMultiple(op, {ValueRange(parts)});
    return success();
  }
};

/// The part of a pointer that is taken apart is a block pointer of its own; one
/// that is to be taken apart too then is.
struct ConvertSubBlock : OpConversionPattern<mlt::SubBlockOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(mlt::SubBlockOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    BlockPointerParts parts = getBlockParts(adaptor.getPtr());
    for (auto [offset, step] :
         llvm::zip_equal(parts.offsets, adaptor.getOffsets()))
      offset = arith::AddIOp::create(rewriter, loc, offset, step.front());
    if (op.getTransposed())
      for (SmallVector<Value> *values :
           {&parts.shape, &parts.strides, &parts.offsets})
        std::swap(values->front(), values->back());
    auto order =
        llvm::to_vector(llvm::reverse(llvm::seq<int32_t>(0, parts.getRank())));
    rewriter.replaceOpWithNewOp<tt::MakeTensorPtrOp>(
        op, op.getResult().getType(), parts.base, parts.shape, parts.strides,
        parts.offsets, order);
    return success();
  }
};

struct ConvertLoad : OpConversionPattern<tt::LoadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tt::LoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    BlockPointerParts parts = getBlockParts(adaptor.getPtr());
    ArrayRef<int64_t> shape = getBlockShape(op.getPtr());
    Value pointers = buildPointers(rewriter, loc, parts, shape);
    Value mask =
        buildBoundsMask(rewriter, loc, parts, shape, op.getBoundaryCheck());
    Value other;
    if (mask)
      other =
          buildPadding(rewriter, loc, cast<RankedTensorType>(op.getType()),
                       op.getPadding().value_or(tt::PaddingOption::PAD_ZERO));
    rewriter.replaceOpWithNewOp<tt::LoadOp>(op, pointers, mask, other,
                                            op.getCache(), op.getEvict(),
                                            op.getIsVolatile());
    return success();
  }
};

struct ConvertStore : OpConversionPattern<tt::StoreOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tt::StoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    BlockPointerParts parts = getBlockParts(adaptor.getPtr());
    ArrayRef<int64_t> shape = getBlockShape(op.getPtr());
    Value pointers = buildPointers(rewriter, op.getLoc(), parts, shape);
    Value mask = buildBoundsMask(rewriter, op.getLoc(), parts, shape,
                                 op.getBoundaryCheck());
    rewriter.replaceOpWithNewOp<tt::StoreOp>(op, pointers,
                                             adaptor.getValue().front(), mask,
                                             op.getCache(), op.getEvict());
    return success();
  }
};

/// A prefetch is a hint; the cheap form of it is gone.
struct DropPrefetch : OpConversionPattern<mlt::PrefetchOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(mlt::PrefetchOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

LogicalResult mlt::takeBlockPointersApart(
    tt::FuncOp func, const llvm::DenseSet<Value> &pointers,
    function_ref<void(const TypeConverter &, RewritePatternSet &)>
        populateAccesses) {
  PartsConverter converter;
  RewritePatternSet patterns(func.getContext());
  patterns.add<ConvertMake, ConvertAdvance, ConvertSubBlock>(converter,
                                                             func.getContext());
  populateAccesses(converter, patterns);
  return convertPointers(func, pointers, converter, std::move(patterns));
}

LogicalResult
mlt::scalarizeBlockPointers(tt::FuncOp func,
                            const llvm::DenseSet<Value> &pointers) {
  return takeBlockPointersApart(
      func, pointers,
      [](const TypeConverter &converter, RewritePatternSet &patterns) {
        patterns.add<ConvertLoad, ConvertStore, DropPrefetch>(
            converter, patterns.getContext());
      });
}
