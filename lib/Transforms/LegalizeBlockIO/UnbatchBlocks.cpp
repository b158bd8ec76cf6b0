//===- UnbatchBlocks.cpp - batches of matrices as matrices ----------------===//
//
// Attention over heads and batched products load tiles of three and four
// dimensions. What a warp holds of them is a few matrices, most often one, and
// for matrices there are block messages. Splitting them here, where every warp
// knows its own part, leaves all passes behind with two dimensions.
//
//===----------------------------------------------------------------------===//
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Support/Remarks.h"
#include "Transforms/BlockPointer/BlockPointer.h"
#include "Transforms/LegalizeBlockIO/MarkedPointers.h"
#include "Transforms/LegalizeBlockIO/Passes.h"
#include "Transforms/LegalizeBlockIO/UnbatchDots.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::mlt {
#define GEN_PASS_DEF_UNBATCHBLOCKS
#include "Transforms/LegalizeBlockIO/Passes.h.inc"
} // namespace mlir::mlt

using namespace mlir;
using namespace mlir::mlt;

//===----------------------------------------------------------------------===//
// Matrices of a block
//===----------------------------------------------------------------------===//

namespace {
/// How a block of any rank is made of matrices.
struct Batch {
  explicit Batch(RankedTensorType block);

  /// The members of `all`, one per dimension, of the matrix dimensions.
  SmallVector<Value> getMatrixPart(ValueRange all) const {
    return {all[rows], all[columns]};
  }
  bool isLeading(unsigned dim) const { return dim != rows && dim != columns; }
  SmallVector<int32_t> getChecks(ArrayRef<int32_t> checked) const;

  unsigned rows, columns;
  RankedTensorType matrix; // of two dimensions
  RankedTensorType slice;  // the same in the rank of the block
  /// Where each matrix begins in the block.
  SmallVector<SmallVector<int64_t>> starts;
};
} // namespace

Batch::Batch(RankedTensorType block) {
  ArrayRef<int64_t> shape = block.getShape();
  std::tie(rows, columns) = getMatrixDims(shape);
  SmallVector<int64_t> part(shape.size(), 1);
  part[rows] = shape[rows];
  part[columns] = shape[columns];
  slice = block.clone(part);
  matrix = block.clone({shape[rows], shape[columns]});
  for (ArrayRef<int64_t> start : getPieceOffsets(shape, part))
    starts.emplace_back(start);
}

static RankedTensorType getBlock(Value pointer) {
  return cast<RankedTensorType>(
      cast<tt::PointerType>(pointer.getType()).getPointeeType());
}

static ArrayRef<int32_t> getBoundaryCheck(Operation *access) {
  if (auto load = dyn_cast<tt::LoadOp>(access))
    return load.getBoundaryCheck();
  if (auto store = dyn_cast<tt::StoreOp>(access))
    return store.getBoundaryCheck();
  return {};
}

/// What is checked of a matrix: rows also say where the batch ends.
SmallVector<int32_t> Batch::getChecks(ArrayRef<int32_t> checked) const {
  SmallVector<int32_t> result;
  if (llvm::any_of(checked, [&](int32_t dim) {
        return isLeading(dim) || unsigned(dim) == rows;
      }))
    result.push_back(0);
  if (llvm::is_contained(checked, int32_t(columns)))
    result.push_back(1);
  return result;
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

namespace {
/// Leading dimensions that the accesses through a block pointer check, by the
/// operation that makes it.
using CheckedDims = llvm::DenseMap<Operation *, SmallVector<int32_t>>;

/// Marked block pointer -> one pointer per matrix.
class MatrixConverter : public TypeConverter {
public:
  MatrixConverter() {
    addConversion([](Type type) { return type; });
    addConversion([](tt::PointerType type, SmallVectorImpl<Type> &parts)
                      -> std::optional<LogicalResult> {
      std::optional<RankedTensorType> block = getMarkedBlock(type);
      if (!block)
        return std::nullopt;
      Batch batch(*block);
      parts.append(batch.starts.size(),
                   tt::PointerType::get(batch.matrix, type.getAddressSpace()));
      return success();
    });
  }
};

struct ConvertMake : OpConversionPattern<tt::MakeTensorPtrOp> {
  ConvertMake(const TypeConverter &converter, MLIRContext *context,
              const CheckedDims &checkedDims)
      : OpConversionPattern(converter, context), checkedDims(checkedDims) {}

  LogicalResult
  matchAndRewrite(tt::MakeTensorPtrOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertType(op.getType(), types)))
      return failure();
    Batch batch(*getMarkedBlock(op.getType()));
    SmallVector<Value> matrices;
    for (ArrayRef<int64_t> start : batch.starts)
      matrices.push_back(makeMatrix(rewriter, op, types.front(), batch, start));
    rewriter.replaceOpWithMultiple(op, {ValueRange(matrices)});
    return success();
  }

private:
  Value makeMatrix(OpBuilder &builder, tt::MakeTensorPtrOp op, Type type,
                   const Batch &batch, ArrayRef<int64_t> start) const;

  const CheckedDims &checkedDims;
};

struct ConvertAdvance : OpConversionPattern<tt::AdvanceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tt::AdvanceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> steps =
        Batch(*getMarkedBlock(op.getType())).getMatrixPart(op.getOffsets());
    SmallVector<Value> moved;
    for (Value matrix : adaptor.getPtr())
      moved.push_back(tt::AdvanceOp::create(rewriter, op.getLoc(),
                                            matrix.getType(), matrix, steps));
    rewriter.replaceOpWithMultiple(op, {ValueRange(moved)});
    return success();
  }
};

struct ConvertLoad : OpConversionPattern<tt::LoadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tt::LoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Batch batch(cast<RankedTensorType>(op.getType()));
    SmallVector<int32_t> checked = batch.getChecks(op.getBoundaryCheck());
    SmallVector<Value> slices;
    for (Value pointer : adaptor.getPtr()) {
      auto load =
          tt::LoadOp::create(rewriter, loc, pointer, checked, op.getPadding(),
                             op.getCache(), op.getEvict(), op.getIsVolatile());
      load->setDiscardableAttrs(op->getDiscardableAttrDictionary());
      slices.push_back(
          tt::ReshapeOp::create(rewriter, loc, batch.slice, load.getResult()));
    }
    if (slices.size() == 1)
      rewriter.replaceOp(op, slices);
    else
      rewriter.replaceOpWithNewOp<GlueOp>(op, op.getType(), slices);
    return success();
  }
};

struct ConvertStore : OpConversionPattern<tt::StoreOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tt::StoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value value = adaptor.getValue().front();
    Batch batch(cast<RankedTensorType>(value.getType()));
    SmallVector<int32_t> checked = batch.getChecks(op.getBoundaryCheck());
    for (auto [pointer, start] :
         llvm::zip_equal(adaptor.getPtr(), batch.starts)) {
      Value slice = rewriter.createOrFold<ExtractOp>(
          loc, batch.slice, value, rewriter.getDenseI64ArrayAttr(start));
      Value matrix = tt::ReshapeOp::create(rewriter, loc, batch.matrix, slice);
      tt::StoreOp::create(rewriter, loc, pointer, matrix,
                          ArrayRef<int32_t>(checked), op.getCache(),
                          op.getEvict())
          ->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertPrefetch : OpConversionPattern<PrefetchOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(PrefetchOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    for (Value pointer : adaptor.getPtr())
      PrefetchOp::create(rewriter, op.getLoc(), pointer);
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

/// The pointer to one matrix: its base is moved along the leading dimensions.
Value ConvertMake::makeMatrix(OpBuilder &builder, tt::MakeTensorPtrOp op,
                              Type type, const Batch &batch,
                              ArrayRef<int64_t> start) const {
  Location loc = op.getLoc();
  Type i64 = builder.getI64Type();
  auto constant = [&](int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, i64, value);
  };
  Value base = op.getBase(), moved, inside;
  auto require = [&](arith::CmpIPredicate predicate, Value index, Value bound) {
    Value holds =
        builder.createOrFold<arith::CmpIOp>(loc, predicate, index, bound);
    inside = inside ? builder.createOrFold<arith::AndIOp>(loc, inside, holds)
                    : holds;
  };
  ArrayRef<int32_t> checked = checkedDims.find(op)->second;
  for (auto [dim, offset] : llvm::enumerate(op.getOffsets())) {
    if (!batch.isLeading(dim))
      continue;
    Value index = extendToI64(builder, loc, offset);
    if (start[dim] != 0)
      index =
          builder.createOrFold<arith::AddIOp>(loc, index, constant(start[dim]));
    Value step =
        builder.createOrFold<arith::MulIOp>(loc, index, op.getStrides()[dim]);
    moved =
        moved ? builder.createOrFold<arith::AddIOp>(loc, moved, step) : step;
    if (!llvm::is_contained(checked, int32_t(dim)))
      continue;
    require(arith::CmpIPredicate::sge, index, constant(0));
    require(arith::CmpIPredicate::slt, index, op.getShape()[dim]);
  }
  if (!matchPattern(moved, m_Zero()))
    base = tt::AddPtrOp::create(builder, loc, base.getType(), base, moved);
  SmallVector<Value> offsets = batch.getMatrixPart(op.getOffsets());
  if (inside) // Behind the largest offset come negative ones.
    offsets[0] = arith::SelectOp::create(
        builder, loc, inside, offsets[0],
        arith::ConstantIntOp::create(builder, loc, builder.getI32Type(),
                                     std::numeric_limits<int32_t>::max()));
  ArrayRef<int32_t> order = op.getOrder();
  bool columnsFirst = llvm::find(order, int32_t(batch.columns)) <
                      llvm::find(order, int32_t(batch.rows));
  return tt::MakeTensorPtrOp::create(
      builder, loc, type, base, batch.getMatrixPart(op.getShape()),
      batch.getMatrixPart(op.getStrides()), offsets,
      builder.getDenseI32ArrayAttr(columnsFirst ? ArrayRef<int32_t>{1, 0}
                                                : ArrayRef<int32_t>{0, 1}));
}

//===----------------------------------------------------------------------===//
// Which pointers
//===----------------------------------------------------------------------===//

namespace {
class UnbatchBlocksPass
    : public mlt::impl::UnbatchBlocksBase<UnbatchBlocksPass> {
public:
  void runOnOperation() override {
    for (tt::FuncOp func : getOperation().getOps<tt::FuncOp>()) {
      if (func.isExternal())
        continue;
      unbatchDots(func);
      if (failed(unbatch(func)) || failed(simplify(func)))
        return signalPassFailure();
    }
  }

private:
  LogicalResult unbatch(tt::FuncOp func);
  LogicalResult simplify(tt::FuncOp func);
};

/// Block pointers that are converted together.
struct Family {
  llvm::DenseSet<Value> pointers;
  SmallVector<tt::MakeTensorPtrOp> makes;
  SmallVector<Operation *> accesses;
};
} // namespace

static Family getFamily(tt::FuncOp func, const ForwardingEdges &edges,
                        tt::MakeTensorPtrOp make) {
  Family family;
  family.pointers = closeOverPointers(func, edges, {make.getResult()});
  func.walk([&](Operation *op) {
    if (isa<tt::LoadOp, tt::StoreOp, PrefetchOp>(op) &&
        family.pointers.contains(op->getOperand(0)))
      family.accesses.push_back(op);
    else if (auto other = dyn_cast<tt::MakeTensorPtrOp>(op);
             other && family.pointers.contains(other.getResult()))
      family.makes.push_back(other);
  });
  return family;
}

static bool movesAlongBatch(const Family &family, const Batch &batch) {
  return llvm::any_of(family.pointers, [&](Value pointer) {
    auto advance = pointer.getDefiningOp<tt::AdvanceOp>();
    if (!advance)
      return false;
    for (auto [dim, offset] : llvm::enumerate(advance.getOffsets()))
      if (batch.isLeading(dim) && !matchPattern(offset, m_Zero()))
        return true;
    return false;
  });
}

/// The leading dimensions that all loads and stores check.
static std::optional<SmallVector<int32_t>> getCommonChecks(const Family &family,
                                                           const Batch &batch) {
  std::optional<SmallVector<int32_t>> common;
  for (Operation *access : family.accesses) {
    if (isa<PrefetchOp>(access))
      continue;
    SmallVector<int32_t> leading;
    llvm::copy_if(getBoundaryCheck(access), std::back_inserter(leading),
                  [&](int32_t dim) { return batch.isLeading(dim); });
    if (common && *common != leading)
      return std::nullopt;
    common = leading;
  }
  return common ? common : SmallVector<int32_t>();
}

LogicalResult UnbatchBlocksPass::unbatch(tt::FuncOp func) {
  ForwardingEdges edges(func);
  llvm::DenseSet<Value> seen, chosen;
  CheckedDims checkedDims;
  func.walk([&](tt::MakeTensorPtrOp make) {
    RankedTensorType block = getBlock(make.getResult());
    if (block.getRank() < 3 || seen.contains(make.getResult()))
      return;
    Family family = getFamily(func, edges, make);
    seen.insert(family.pointers.begin(), family.pointers.end());
    Batch batch(block);
    auto checks = getCommonChecks(family, batch);
    StringRef reason;
    if (movesAlongBatch(family, batch))
      reason = "the block moves along a leading dimension";
    else if (!checks)
      reason = "accesses through the block pointer check different leading "
               "dimensions";
    if (!reason.empty()) {
      for (Operation *access : family.accesses)
        remarkMissed(access, topic::kBlockIO, [&](llvm::raw_ostream &os) {
          os << "no matrices: " << reason;
        });
      return;
    }
    chosen.insert(family.pointers.begin(), family.pointers.end());
    for (tt::MakeTensorPtrOp member : family.makes)
      checkedDims[member] = *checks;
  });
  if (chosen.empty())
    return success();
  numUnbatched += checkedDims.size();
  MatrixConverter converter;
  RewritePatternSet patterns(&getContext());
  patterns.add<ConvertMake>(converter, &getContext(), checkedDims);
  patterns.add<ConvertAdvance, ConvertLoad, ConvertStore, ConvertPrefetch>(
      converter, &getContext());
  return convertPointers(func, chosen, converter, std::move(patterns));
}

/// A matrix that was loaded meets the dot or the reshape that wants it.
LogicalResult UnbatchBlocksPass::simplify(tt::FuncOp func) {
  RewritePatternSet patterns(&getContext());
  ExtractOp::getCanonicalizationPatterns(patterns, &getContext());
  tt::ReshapeOp::getCanonicalizationPatterns(patterns, &getContext());
  return applyPatternsGreedily(func, std::move(patterns));
}
