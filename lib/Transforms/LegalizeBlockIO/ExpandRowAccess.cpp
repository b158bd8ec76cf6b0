//===- ExpandRowAccess.cpp - accesses that are done row by row ------------===//
//
// 2-D block messages want a tensor that is aligned and has room between its
// rows. Where it is not, rows are contiguous all the same, and messages for
// single rows bring a tile in few more instructions. They know no bounds: a
// piece that does not lie inside of the tensor as a whole takes its elements
// one by one.
//
// An access stays one operation until here, so that pieces, register images and
// the order of loads are decided for it as for any block.
//
//===----------------------------------------------------------------------===//
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/MLT/IR/RowAccess.h"
#include "Target/Description/TargetDescription.h"
#include "Transforms/LegalizeBlockIO/Passes.h"
#include "Transforms/LegalizeBlockIO/ScalarizeBlockPointers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <numeric>

namespace mlir::mlt {
#define GEN_PASS_DEF_EXPANDROWACCESS
#include "Transforms/LegalizeBlockIO/Passes.h.inc"
} // namespace mlir::mlt

using namespace mlir;
using namespace mlir::mlt;

//===----------------------------------------------------------------------===//
// When rows will do
//===----------------------------------------------------------------------===//

namespace {
/// One piece that is accessed by rows.
class RowPiece {
public:
  RowPiece(OpBuilder &builder, Operation *access, ValueRange pointer,
           RankedTensorType tile)
      : builder(builder), loc(access->getLoc()), parts(getBlockParts(pointer)),
        tile(tile),
        rowDim(access->getAttrOfType<IntegerAttr>(kRowDimAttrName).getInt()) {
    // What is known is known of the tile; pieces begin whole pieces further.
    int64_t bytes = tile.getDimSize(rowDim) * tt::getElementBitWidth(tile) / 8;
    if (auto known = access->getAttrOfType<IntegerAttr>(kRowAlignmentAttrName))
      alignment = std::gcd(known.getInt(), bytes);
    if (auto pack = access->getAttrOfType<IntegerAttr>(kRowPackAttrName))
      packed = pack.getInt();
    // Known, whatever carries the pointer; only blocks of columns begin where
    // its stride says.
    Value stride = constant(builder.getI64Type(), packed);
    if (!access->hasAttr(kRowBlockAttrName))
      parts.strides[rowDim] = stride;
    start = buildStart(builder, loc, parts);
    parts.strides[rowDim] = stride;
  }

  Value getStart() const { return start; }
  bool isTransposed() const { return tile.getRank() == 2 && rowDim == 0; }
  /// From one row in memory to the next; null for one row.
  Value getPitch() const {
    if (tile.getRank() != 2)
      return Value();
    Value pitch = parts.strides[1 - rowDim];
    if (packed == 1)
      return pitch;
    return builder.createOrFold<arith::MulIOp>(
        loc, pitch, constant(builder.getI64Type(), packed));
  }
  int64_t getPacked() const { return packed; }
  /// An i1 that is true where all of the piece is inside of the tensor along
  /// the dimensions `checked`, and rows begin at multiples of `needed`
  /// bytes; null where that is known.
  Value buildCondition(ArrayRef<int32_t> checked, int64_t needed) const;

  /// Cuts the piece into parts of at most `rows` x `lanes`, for accesses with
  /// an address per element: calls `visit` for each, in the order of mlt.glue,
  /// with its pointers, its mask along `checked` (null without) and where in
  /// the piece it begins.
  using PartVisitor = function_ref<void(Value, Value, ArrayRef<int64_t>)>;
  void forEachPart(OpBuilder &builder, int64_t rows, int64_t lanes,
                   ArrayRef<int32_t> checked, PartVisitor visit) const;

private:
  Value constant(Type type, int64_t value) const {
    return arith::ConstantIntOp::create(builder, loc, type, value);
  }
  Value isInside(int32_t dim) const;
  BlockPointerParts getPartsAt(OpBuilder &builder,
                               ArrayRef<int64_t> begin) const;
  void forEachPartOfRow(OpBuilder &builder, int64_t lanes,
                        ArrayRef<int32_t> checked, PartVisitor visit) const;
  Value isAligned(int64_t needed) const;

  OpBuilder &builder;
  Location loc;
  BlockPointerParts parts;
  RankedTensorType tile;
  int64_t rowDim;
  /// Rows of the tile in a row of memory.
  int64_t packed = 1;
  /// Of all rows, as far as it is known, in bytes.
  int64_t alignment = 1;
  Value start;
};
} // namespace

/// Offsets that leave room for the piece are below a number that no loop
/// changes; seen without sign, negative ones are not.
Value RowPiece::isInside(int32_t dim) const {
  Type i64 = builder.getI64Type(), i32 = builder.getI32Type();
  Value room = arith::SubIOp::create(builder, loc, parts.shape[dim],
                                     constant(i64, tile.getDimSize(dim) - 1));
  room = arith::MaxSIOp::create(builder, loc, room, constant(i64, 0));
  room = arith::MinSIOp::create(
      builder, loc, room, constant(i64, std::numeric_limits<int32_t>::max()));
  return arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::ult, parts.offsets[dim],
      arith::TruncIOp::create(builder, loc, i32, room));
}

Value RowPiece::isAligned(int64_t needed) const {
  int64_t bytes = tt::getElementBitWidth(tile) / 8;
  if (bytes % needed == 0 || alignment % needed == 0)
    return Value();
  Type i64 = builder.getI64Type(), i32 = builder.getI32Type();
  auto truncate = [&](Value value) -> Value {
    return arith::TruncIOp::create(builder, loc, i32, value);
  };
  Value bits = truncate(tt::PtrToIntOp::create(builder, loc, i64, start));
  if (Value pitch = getPitch())
    bits = arith::OrIOp::create(builder, loc, bits,
                                arith::MulIOp::create(builder, loc,
                                                      truncate(pitch),
                                                      constant(i32, bytes)));
  bits = arith::AndIOp::create(builder, loc, bits, constant(i32, needed - 1));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, bits,
                               constant(i32, 0));
}

Value RowPiece::buildCondition(ArrayRef<int32_t> checked,
                               int64_t needed) const {
  Value all = isAligned(needed);
  for (int32_t dim : checked) {
    Value inside = isInside(dim);
    all = all ? arith::AndIOp::create(builder, loc, all, inside).getResult()
              : inside;
  }
  return all;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// The parts of a pointer to what begins at `begin` of the piece.
BlockPointerParts RowPiece::getPartsAt(OpBuilder &builder,
                                       ArrayRef<int64_t> begin) const {
  BlockPointerParts part = parts;
  for (auto [offset, step] : llvm::zip_equal(part.offsets, begin))
    if (step != 0)
      offset =
          arith::AddIOp::create(builder, loc, offset,
                                arith::ConstantIntOp::create(
                                    builder, loc, builder.getI32Type(), step));
  return part;
}

/// One part of a row after the other. Addresses take several times the
/// registers of what they point to, and those that no iteration of a loop
/// changes are kept over all of it: so each row begins at a scalar, made from
/// that of the row before, and all add the same vector.
void RowPiece::forEachPartOfRow(OpBuilder &builder, int64_t lanes,
                                ArrayRef<int32_t> checked,
                                PartVisitor visit) const {
  SmallVector<int64_t> shape{1, lanes};
  auto pointerType = RankedTensorType::get(shape, start.getType());
  auto maskType = RankedTensorType::get(shape, builder.getI1Type());
  bool checksRows = llvm::is_contained(checked, 0);
  SmallVector<Value> columns, columnMasks;
  for (int64_t column = 0; column < tile.getDimSize(1); column += lanes) {
    Value range = tt::MakeRangeOp::create(
        builder, loc, RankedTensorType::get({lanes}, builder.getI32Type()),
        column, column + lanes);
    columns.push_back(tt::ExpandDimsOp::create(builder, loc, range, 0));
    columnMasks.push_back(
        llvm::is_contained(checked, 1)
            ? buildBoundsMask(builder, loc, getPartsAt(builder, {0, column}),
                              shape, {1})
            : Value());
  }
  Value pointer = start;
  for (int64_t row = 0; row < tile.getDimSize(0); ++row) {
    Value rowMask;
    if (checksRows)
      rowMask = buildBoundsMask(builder, loc, getPartsAt(builder, {row, 0}),
                                shape, {0});
    Value pointers = tt::SplatOp::create(builder, loc, pointerType, pointer);
    for (auto [index, column] : llvm::enumerate(columns)) {
      Value mask = columnMasks[index] ? columnMasks[index] : rowMask;
      if (columnMasks[index] && rowMask)
        mask = arith::AndIOp::create(builder, loc, maskType, rowMask,
                                     columnMasks[index]);
      visit(tt::AddPtrOp::create(builder, loc, pointerType, pointers, column),
            mask, {row, static_cast<int64_t>(index) * lanes});
    }
    pointer = tt::AddPtrOp::create(builder, loc, pointer.getType(), pointer,
                                   getPitch());
  }
}

void RowPiece::forEachPart(OpBuilder &builder, int64_t rows, int64_t lanes,
                           ArrayRef<int32_t> checked, PartVisitor visit) const {
  SmallVector<int64_t> shape(tile.getShape());
  if (tile.getRank() == 2) {
    lanes = std::min(lanes, shape[1]);
    if (!isTransposed())
      return forEachPartOfRow(builder, lanes, checked, visit);
    shape = {std::min(rows, shape[0]), lanes};
  }
  for (ArrayRef<int64_t> begin : getPieceOffsets(tile.getShape(), shape)) {
    BlockPointerParts part = getPartsAt(builder, begin);
    visit(buildPointers(builder, loc, part, shape),
          buildBoundsMask(builder, loc, part, shape, checked), begin);
  }
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

namespace {
/// Counts of a run.
struct Counts {
  int64_t expanded = 0, branches = 0;
};

template <typename OpTy> struct RowPattern : OpConversionPattern<OpTy> {
  RowPattern(const TypeConverter &converter, MLIRContext *context,
             const TargetDescription &target, Counts &counts)
      : OpConversionPattern<OpTy>(converter, context), target(target),
        counts(counts) {}

  const TargetDescription &target;
  Counts &counts;
};

struct ExpandLoad : RowPattern<tt::LoadOp> {
  using RowPattern::RowPattern;
  LogicalResult
  matchAndRewrite(tt::LoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getType());
    RowPiece piece(rewriter, op, adaptor.getPtr(), type);
    auto loadRows = [&](OpBuilder &builder) -> Value {
      return LoadRowsOp::create(builder, loc, type, piece.getStart(),
                                piece.getPitch(), piece.isTransposed(),
                                piece.getPacked());
    };
    ++counts.expanded;
    Value condition = piece.buildCondition(op.getBoundaryCheck(),
                                           target.block1D.loadAlignment);
    if (!condition) {
      rewriter.replaceOp(op, loadRows(rewriter));
      return success();
    }
    ++counts.branches;
    auto branch = scf::IfOp::create(
        rewriter, loc, condition,
        [&](OpBuilder &builder, Location loc) {
          scf::YieldOp::create(builder, loc, loadRows(builder));
        },
        [&](OpBuilder &builder, Location loc) {
          scf::YieldOp::create(builder, loc, loadParts(builder, op, piece));
        });
    rewriter.replaceOp(op, branch.getResults());
    return success();
  }

private:
  Value loadParts(OpBuilder &builder, tt::LoadOp op,
                  const RowPiece &piece) const {
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getType());
    RankedTensorType plain = type.cloneWithEncoding({});
    SmallVector<Value> loaded;
    piece.forEachPart(
        builder, target.dotM.back(), target.subGroupSize, op.getBoundaryCheck(),
        [&](Value pointers, Value mask, ArrayRef<int64_t>) {
          auto shape = cast<ShapedType>(pointers.getType()).getShape();
          Value other;
          if (mask)
            other = buildPadding(
                builder, loc, plain.clone(shape),
                op.getPadding().value_or(tt::PaddingOption::PAD_ZERO));
          loaded.push_back(tt::LoadOp::create(
              builder, loc, pointers, mask, other, op.getCache(), op.getEvict(),
              op.getIsVolatile()));
        });
    Value tile = builder.createOrFold<GlueOp>(loc, plain, loaded);
    if (plain == type)
      return tile;
    return ConvertOperandOp::create(builder, loc, type, tile);
  }
};

struct ExpandStore : RowPattern<tt::StoreOp> {
  using RowPattern::RowPattern;
  LogicalResult
  matchAndRewrite(tt::StoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value value = adaptor.getValue().front();
    RowPiece piece(rewriter, op, adaptor.getPtr(),
                   cast<RankedTensorType>(value.getType()));
    auto storeRows = [&](OpBuilder &builder) {
      StoreRowsOp::create(builder, loc, value, piece.getStart(),
                          piece.getPitch(), piece.getPacked());
    };
    ++counts.expanded;
    if (Value condition = piece.buildCondition(op.getBoundaryCheck(),
                                               target.block1D.storeAlignment)) {
      ++counts.branches;
      scf::IfOp::create(
          rewriter, loc, condition,
          [&](OpBuilder &builder, Location loc) {
            storeRows(builder);
            scf::YieldOp::create(builder, loc);
          },
          [&](OpBuilder &builder, Location loc) {
            storeParts(builder, op, value, piece);
            scf::YieldOp::create(builder, loc);
          });
    } else {
      storeRows(rewriter);
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  void storeParts(OpBuilder &builder, tt::StoreOp op, Value value,
                  const RowPiece &piece) const {
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(value.getType());
    piece.forEachPart(
        builder, target.dotM.back(), target.subGroupSize, op.getBoundaryCheck(),
        [&](Value pointers, Value mask, ArrayRef<int64_t> begin) {
          auto shape = cast<ShapedType>(pointers.getType()).getShape();
          Value part = builder.createOrFold<ExtractOp>(
              loc, type.clone(shape), value,
              builder.getDenseI64ArrayAttr(begin));
          tt::StoreOp::create(builder, loc, pointers, part, mask, op.getCache(),
                              op.getEvict());
        });
  }
};

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

struct ExpandRowAccessPass
    : mlt::impl::ExpandRowAccessBase<ExpandRowAccessPass> {
  void runOnOperation() override {
    const TargetDescription *target = TargetDescription::get(getOperation());
    if (!target)
      return signalPassFailure();
    for (tt::FuncOp func : getOperation().getOps<tt::FuncOp>())
      if (!func.isExternal() && failed(expand(func, *target)))
        return signalPassFailure();
  }

private:
  LogicalResult expand(tt::FuncOp func, const TargetDescription &target);
};
} // namespace

/// Checks how the rows of an access are arranged in memory.
static LogicalResult checkOrder(Operation *access, int64_t rowDim) {
  ArrayRef<int64_t> tile = getBlockShape(access->getOperand(0));
  auto pack = access->getAttrOfType<IntegerAttr>(kRowPackAttrName);
  if (pack && (pack.getInt() < 1 || tile.size() != 2 || rowDim != 1 ||
               tile.front() % pack.getInt() != 0))
    return access->emitOpError()
           << "expected '" << kRowPackAttrName
           << "' to divide the rows of a tile of two dimensions, got " << pack;
  auto block = access->getAttrOfType<IntegerAttr>(kRowBlockAttrName);
  if (block && block.getInt() != tile[rowDim])
    return access->emitOpError()
           << "expected '" << kRowBlockAttrName << "' to be the length "
           << tile[rowDim] << " of the tile's rows, got " << block
           << "; run --match-target-size first";
  return success();
}

/// Checks the mark of an access, or that an access through the pointer of a
/// marked one has a mark.
static LogicalResult checkMark(Operation *access) {
  if (!isa<tt::LoadOp, tt::StoreOp>(access))
    return access->emitOpError()
           << "expected '" << kRowDimAttrName << "' on loads and stores only";
  auto rowDim = access->getAttrOfType<IntegerAttr>(kRowDimAttrName);
  if (!rowDim)
    return access->emitOpError()
           << "expected '" << kRowDimAttrName
           << "' as on other accesses through this block pointer";
  Type pointer = access->getOperand(0).getType();
  if (!tt::isBlockPointer(pointer))
    return access->emitOpError() << "expected a block pointer beside '"
                                 << kRowDimAttrName << "', got " << pointer;
  int64_t rank = getBlockShape(access->getOperand(0)).size();
  int64_t dim = rowDim.getInt();
  if (rank > 2 || dim < 0 || dim >= rank ||
      (isa<tt::StoreOp>(access) && dim != rank - 1))
    return access->emitOpError() << "expected '" << kRowDimAttrName
                                 << "' to be a dimension of at most two, the "
                                    "last one of a store, got "
                                 << dim << " for " << pointer;
  return checkOrder(access, dim);
}

/// The pointers of marked accesses.
static FailureOr<llvm::DenseSet<Value>> findPointers(tt::FuncOp func) {
  SmallVector<Value> pointers;
  WalkResult result = func.walk([&](Operation *op) -> WalkResult {
    if (!op->hasAttr(kRowDimAttrName))
      return WalkResult::advance();
    if (failed(checkMark(op)))
      return WalkResult::interrupt();
    pointers.push_back(op->getOperand(0));
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  llvm::DenseSet<Value> closed =
      closeOverPointers(func, ForwardingEdges(func), pointers);
  result = func.walk([&](Operation *op) -> WalkResult {
    if (!isa<tt::LoadOp, tt::StoreOp, PrefetchOp>(op) ||
        !closed.contains(op->getOperand(0)))
      return WalkResult::advance();
    return checkMark(op);
  });
  if (result.wasInterrupted())
    return failure();
  return closed;
}

LogicalResult ExpandRowAccessPass::expand(tt::FuncOp func,
                                          const TargetDescription &target) {
  FailureOr<llvm::DenseSet<Value>> pointers = findPointers(func);
  if (failed(pointers) || pointers->empty())
    return failure(failed(pointers));
  Counts counts;
  auto populate = [&](const TypeConverter &converter,
                      RewritePatternSet &patterns) {
    patterns.add<ExpandLoad, ExpandStore>(converter, patterns.getContext(),
                                          target, counts);
  };
  if (failed(takeBlockPointersApart(func, *pointers, populate)))
    return failure();
  numExpanded += counts.expanded;
  numBranches += counts.branches;
  return success();
}
