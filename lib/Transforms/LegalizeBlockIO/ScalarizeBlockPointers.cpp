//===- ScalarizeBlockPointers.cpp - block pointers taken apart
//--------------===//
//
// The general form of an access: a pointer per element and a mask. A block
// pointer that has to go this way is converted 1:N into scalars, so that loops
// carry offsets instead of pointers. Block pointers that stay have the same
// type as those that go; the latter are marked by an encoding while the
// conversion runs.
//
//===----------------------------------------------------------------------===//
#include "Transforms/LegalizeBlockIO/ScalarizeBlockPointers.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Transforms/BlockPointer/BlockPointer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::mlt;

//===----------------------------------------------------------------------===//
// Which pointers belong together
//===----------------------------------------------------------------------===//

llvm::DenseSet<Value> mlt::closeOverPointers(tt::FuncOp func,
                                             const ForwardingEdges &edges,
                                             ArrayRef<Value> pointers) {
  llvm::DenseSet<Value> closed;
  SmallVector<Value> worklist(pointers);
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!tt::isBlockPointer(value.getType()) || !closed.insert(value).second)
      continue;
    if (Operation *op = value.getDefiningOp();
        isa_and_present<tt::AdvanceOp, arith::SelectOp>(op))
      llvm::append_range(worklist, op->getOperands());
    for (OpOperand *source : edges.getSources(value))
      worklist.push_back(source->get());
    for (OpOperand &use : value.getUses()) {
      llvm::append_range(worklist, edges.getTargets(use));
      if (isa<tt::AdvanceOp, arith::SelectOp>(use.getOwner()))
        worklist.push_back(use.getOwner()->getResult(0));
    }
  }
  return closed;
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

namespace {
constexpr llvm::StringLiteral kMark = "mlt.scalars";

bool isMarked(Type type) {
  auto pointer = dyn_cast<tt::PointerType>(type);
  if (!pointer)
    return false;
  auto block = dyn_cast<RankedTensorType>(pointer.getPointeeType());
  auto mark = block ? dyn_cast_if_present<StringAttr>(block.getEncoding())
                    : StringAttr();
  return mark && mark.getValue() == kMark;
}

void mark(Value pointer) {
  auto type = cast<tt::PointerType>(pointer.getType());
  auto block = cast<RankedTensorType>(type.getPointeeType());
  pointer.setType(tt::PointerType::get(
      block.cloneWithEncoding(StringAttr::get(pointer.getContext(), kMark)),
      type.getAddressSpace()));
}

/// Marked block pointer -> base, shape (i64), strides (i64), offsets (i32).
class PartsConverter : public TypeConverter {
public:
  PartsConverter() {
    addConversion([](Type type) { return type; });
    addConversion(
        [](tt::PointerType type,
           SmallVectorImpl<Type> &parts) -> std::optional<LogicalResult> {
          if (!isMarked(type))
            return std::nullopt;
          auto block = cast<RankedTensorType>(type.getPointeeType());
          MLIRContext *context = type.getContext();
          parts.push_back(tt::PointerType::get(block.getElementType(),
                                               type.getAddressSpace()));
          parts.append(2 * block.getRank(), IntegerType::get(context, 64));
          parts.append(block.getRank(), IntegerType::get(context, 32));
          return success();
        });
  }
};

BlockPointerParts getParts(ValueRange values) {
  unsigned rank = (values.size() - 1) / 3;
  return {values.front(), SmallVector<Value>(values.slice(1, rank)),
          SmallVector<Value>(values.slice(1 + rank, rank)),
          SmallVector<Value>(values.slice(1 + 2 * rank, rank))};
}

ArrayRef<int64_t> getBlockShape(Value pointer) {
  auto type = cast<tt::PointerType>(pointer.getType());
  return cast<RankedTensorType>(type.getPointeeType()).getShape();
}

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

struct ConvertLoad : OpConversionPattern<tt::LoadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tt::LoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    BlockPointerParts parts = getParts(adaptor.getPtr());
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
    BlockPointerParts parts = getParts(adaptor.getPtr());
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

LogicalResult
mlt::scalarizeBlockPointers(tt::FuncOp func,
                            const llvm::DenseSet<Value> &pointers) {
  for (Value pointer : pointers)
    mark(pointer);
  MLIRContext *context = func.getContext();
  PartsConverter converter;
  RewritePatternSet patterns(context);
  ConversionTarget target(*context);
  target.markUnknownOpDynamicallyLegal([](Operation *op) {
    return llvm::none_of(op->getOperandTypes(), isMarked) &&
           llvm::none_of(op->getResultTypes(), isMarked);
  });
  patterns.add<ConvertMake, ConvertAdvance, ConvertLoad, ConvertStore,
               DropPrefetch>(converter, context);
  populateStructuralPatterns(converter, patterns, target);
  return applyFullConversion(func, target, std::move(patterns));
}
