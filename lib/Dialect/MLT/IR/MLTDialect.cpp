//===- MLTDialect.cpp - what ML-Triton adds to Triton ---------------------===//
//
// Verifiers and folders of the `mlt` operations. The folds of `extract` and
// `glue` are what keeps glued tiles out of loops: a piece of a glued tile is
// the piece itself.
//
//===----------------------------------------------------------------------===//
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Dialect/TritonGPU/IR/TritonGPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include "Dialect/MLT/IR/MLTDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "Dialect/MLT/IR/MLTAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "Dialect/MLT/IR/MLTOps.cpp.inc"

using namespace mlir;
using namespace mlir::mlt;

void MLTDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "Dialect/MLT/IR/MLTAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "Dialect/MLT/IR/MLTOps.cpp.inc"
      >();
}

SmallVector<SmallVector<int64_t>>
mlt::getPieceOffsets(ArrayRef<int64_t> shape, ArrayRef<int64_t> piece) {
  SmallVector<SmallVector<int64_t>> result{
      SmallVector<int64_t>(shape.size(), 0)};
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    SmallVector<SmallVector<int64_t>> next;
    for (const SmallVector<int64_t> &prefix : result)
      for (int64_t offset = 0; offset < extent; offset += piece[dim]) {
        next.push_back(prefix);
        next.back()[dim] = offset;
      }
    result = std::move(next);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// #mlt.operand
//===----------------------------------------------------------------------===//

Attribute OperandAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (parser.parseLess() || parser.parseKeyword(&name) || parser.parseGreater())
    return {};
  if (name != "a" && name != "b") {
    parser.emitError(loc) << "expected operand 'a' or 'b', got '" << name
                          << "'";
    return {};
  }
  return get(parser.getContext(), name == "b");
}

void OperandAttr::print(AsmPrinter &printer) const {
  printer << "<" << (getOpIdx() == 0 ? "a" : "b") << ">";
}

LogicalResult OperandAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  unsigned opIdx) {
  if (opIdx > 1)
    return emitError() << "expected operand 0 (a) or 1 (b), got " << opIdx;
  return success();
}

//===----------------------------------------------------------------------===//
// convert_layout
//===----------------------------------------------------------------------===//

LogicalResult ConvertLayoutOp::verify() {
  RankedTensorType source = getSource().getType();
  RankedTensorType result = getResult().getType();
  if (source.getShape() != result.getShape() ||
      source.getElementType() != result.getElementType())
    return emitOpError() << "expected one shape and element type, got "
                         << source << " and " << result;
  auto from = dyn_cast_if_present<ttg::WarpEncodingAttr>(source.getEncoding());
  auto to = dyn_cast_if_present<ttg::WarpEncodingAttr>(result.getEncoding());
  if (!from || !to)
    return emitOpError() << "expected layouts on source and result, got "
                         << source << " and " << result;
  auto warps = [](ttg::WarpEncodingAttr encoding) {
    int64_t product = 1;
    for (int64_t count : ttg::getRootEncoding(encoding).getWarpsPerCTA())
      product *= count;
    return product;
  };
  if (warps(from) != warps(to))
    return emitOpError() << "expected layouts for one number of warps, got "
                         << warps(from) << " and " << warps(to);
  return success();
}

//===----------------------------------------------------------------------===//
// extract
//===----------------------------------------------------------------------===//

/// Checks that `piece` is a legal piece type of `whole`: rank, element type,
/// encoding, and extents that divide.
static LogicalResult verifyPiece(Operation *op, RankedTensorType whole,
                                 RankedTensorType piece) {
  if (piece.getRank() != whole.getRank() ||
      piece.getElementType() != whole.getElementType() ||
      piece.getEncoding() != whole.getEncoding())
    return op->emitOpError() << "expected piece and tile of one rank, element "
                                "type and encoding, got "
                             << piece << " and " << whole;
  for (auto [extent, part] :
       llvm::zip_equal(whole.getShape(), piece.getShape()))
    if (part <= 0 || extent % part != 0)
      return op->emitOpError() << "expected the extents of " << piece
                               << " to divide those of " << whole;
  return success();
}

LogicalResult ExtractOp::verify() {
  RankedTensorType source = getSource().getType();
  RankedTensorType piece = getResult().getType();
  if (failed(verifyPiece(*this, source, piece)))
    return failure();
  if (getOffsets().size() != static_cast<size_t>(source.getRank()))
    return emitOpError() << "expected " << source.getRank() << " offsets, got "
                         << getOffsets().size();
  for (auto [offset, extent, part] :
       llvm::zip_equal(getOffsets(), source.getShape(), piece.getShape()))
    if (offset < 0 || offset % part != 0 || offset + part > extent)
      return emitOpError() << "expected offsets that are multiples of the "
                              "piece's extents inside the source, got "
                           << offset << " for a piece of " << part << " in "
                           << extent;
  return success();
}

OpFoldResult ExtractOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  if (auto splat = dyn_cast_if_present<SplatElementsAttr>(adaptor.getSource()))
    return splat.resizeSplat(getType());
  if (auto glue = getSource().getDefiningOp<GlueOp>()) {
    auto pieceType = cast<RankedTensorType>(glue.getPieces().front().getType());
    if (pieceType == getType()) {
      auto offsets = getPieceOffsets(getSource().getType().getShape(),
                                     pieceType.getShape());
      for (auto [piece, offset] : llvm::zip_equal(glue.getPieces(), offsets))
        if (ArrayRef<int64_t>(offset) == getOffsets())
          return piece;
    }
  }
  return {};
}

namespace {
/// extract(extract(x)) -> extract(x), offsets added.
struct MergeExtracts : OpRewritePattern<ExtractOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ExtractOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getSource().getDefiningOp<ExtractOp>();
    if (!inner)
      return failure();
    SmallVector<int64_t> offsets;
    for (auto [a, b] : llvm::zip_equal(op.getOffsets(), inner.getOffsets()))
      offsets.push_back(a + b);
    rewriter.replaceOpWithNewOp<ExtractOp>(op, op.getType(), inner.getSource(),
                                           offsets);
    return success();
  }
};

/// extract(glue(pieces)) -> extract(piece) when the extracted piece lies inside
/// one glued piece.
struct ExtractFromGluedPiece : OpRewritePattern<ExtractOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ExtractOp op,
                                PatternRewriter &rewriter) const override {
    auto glue = op.getSource().getDefiningOp<GlueOp>();
    if (!glue)
      return failure();
    auto piece = cast<RankedTensorType>(glue.getPieces().front().getType());
    SmallVector<int64_t> inner;
    int64_t index = 0;
    for (auto [offset, size, part, extent] : llvm::zip_equal(
             op.getOffsets(), op.getType().getShape(), piece.getShape(),
             op.getSource().getType().getShape())) {
      if (part % size != 0)
        return failure();
      index = index * (extent / part) + offset / part;
      inner.push_back(offset % part);
    }
    rewriter.replaceOpWithNewOp<ExtractOp>(op, op.getType(),
                                           glue.getPieces()[index], inner);
    return success();
  }
};
} // namespace

void ExtractOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<MergeExtracts, ExtractFromGluedPiece>(context);
}

//===----------------------------------------------------------------------===//
// glue
//===----------------------------------------------------------------------===//

LogicalResult GlueOp::verify() {
  if (getPieces().empty())
    return emitOpError() << "expected at least one piece";
  auto piece = cast<RankedTensorType>(getPieces().front().getType());
  for (Value other : getPieces())
    if (other.getType() != piece)
      return emitOpError() << "expected pieces of one type, got " << piece
                           << " and " << other.getType();
  RankedTensorType whole = getResult().getType();
  if (failed(verifyPiece(*this, whole, piece)))
    return failure();
  int64_t expected = whole.getNumElements() / piece.getNumElements();
  if (static_cast<int64_t>(getPieces().size()) != expected)
    return emitOpError() << "expected " << expected << " pieces of " << piece
                         << " for " << whole << ", got " << getPieces().size();
  return success();
}

OpFoldResult GlueOp::fold(FoldAdaptor) {
  if (getPieces().size() == 1 && getPieces().front().getType() == getType())
    return getPieces().front();
  return {};
}

//===----------------------------------------------------------------------===//
// load_rows, store_rows
//===----------------------------------------------------------------------===//

/// Checks what both have in common.
static LogicalResult verifyRows(Operation *op, RankedTensorType tile,
                                Value start, Value pitch, int64_t packed) {
  Type element = cast<tt::PointerType>(start.getType()).getPointeeType();
  if (tile.getElementType() != element)
    return op->emitOpError() << "expected a tile of the type pointed to, got "
                             << tile << " and " << element;
  if (tile.getRank() != 1 && tile.getRank() != 2)
    return op->emitOpError()
           << "expected a tile of one or two dimensions, got " << tile;
  if (tile.getRank() == 1 ? pitch != nullptr : !pitch)
    return op->emitOpError()
           << "expected a pitch for two dimensions and none for one, got "
           << tile << (pitch ? " with one" : " without one");
  if (packed < 1 ||
      (packed > 1 && (tile.getRank() != 2 || tile.getDimSize(0) % packed != 0)))
    return op->emitOpError() << "expected to pack a part of the rows of a tile "
                                "of two dimensions, got "
                             << packed << " of " << tile;
  return success();
}

LogicalResult LoadRowsOp::verify() {
  RankedTensorType tile = getResult().getType();
  if (failed(verifyRows(*this, tile, getStart(), getPitch(), getPacked())))
    return failure();
  if (getTransposed() && (tile.getRank() != 2 || getPacked() != 1))
    return emitOpError() << "expected two dimensions to transpose, which are "
                            "not packed, got "
                         << tile;
  if (Attribute encoding = tile.getEncoding();
      encoding && !isa<OperandAttr>(encoding))
    return emitOpError() << "expected a tile without layout or with "
                            "'#mlt.operand', got "
                         << tile;
  return success();
}

LogicalResult StoreRowsOp::verify() {
  RankedTensorType tile = getValue().getType();
  if (tile.getEncoding())
    return emitOpError() << "expected a plain tile, got " << tile;
  return verifyRows(*this, tile, getStart(), getPitch(), getPacked());
}

LogicalResult SubBlockOp::verify() {
  auto getBlock = [](Value pointer) {
    return cast<RankedTensorType>(
        cast<tt::PointerType>(pointer.getType()).getPointeeType());
  };
  RankedTensorType block = getBlock(getPtr()), part = getBlock(getResult());
  if (static_cast<int64_t>(getOffsets().size()) != block.getRank())
    return emitOpError() << "expected " << block.getRank() << " offsets, got "
                         << getOffsets().size();
  SmallVector<int64_t> shape(part.getShape());
  if (getTransposed()) {
    if (block.getRank() != 2)
      return emitOpError() << "expected two dimensions to transpose, got "
                           << block;
    std::reverse(shape.begin(), shape.end());
  }
  if (block.getRank() != part.getRank() ||
      block.getElementType() != part.getElementType() ||
      llvm::any_of(llvm::zip_equal(shape, block.getShape()), [](auto pair) {
        return std::get<0>(pair) > std::get<1>(pair);
      }))
    return emitOpError() << "expected a part of " << block << ", got " << part;
  return success();
}

//===----------------------------------------------------------------------===//
// convert_operand, alloc, cross_warp_reduce
//===----------------------------------------------------------------------===//

LogicalResult ConvertOperandOp::verify() {
  RankedTensorType source = getSource().getType();
  RankedTensorType result = getResult().getType();
  RankedTensorType plain = source.getEncoding() ? result : source;
  RankedTensorType image = source.getEncoding() ? source : result;
  if (plain.getEncoding() || !isa_and_present<OperandAttr>(image.getEncoding()))
    return emitOpError() << "expected a plain tile and one with an "
                            "'#mlt.operand' encoding, got "
                         << source << " and " << result;
  if (source.getShape() != result.getShape() ||
      source.getElementType() != result.getElementType())
    return emitOpError() << "expected one shape and element type, got "
                         << source << " and " << result;
  return success();
}

LogicalResult PrefetchOp::verify() {
  std::optional<uint32_t> part = getPart(), parts = getParts();
  if (part.has_value() != parts.has_value())
    return emitOpError("expected a part and the number of parts, or neither");
  if (parts && *part >= *parts)
    return emitOpError("expected a part below the number of parts, ")
           << *parts << ", got " << *part;
  return success();
}

LogicalResult AllocOp::verify() {
  auto pointer = dyn_cast<tt::PointerType>(getResult().getType());
  if (!pointer || pointer.getAddressSpace() != 3 ||
      !pointer.getPointeeType().isIntOrFloat())
    return emitOpError() << "expected a pointer to a scalar type in address "
                            "space 3 as result, got "
                         << getResult().getType();
  if (getShape().empty() ||
      llvm::any_of(getShape(), [](int64_t extent) { return extent <= 0; }))
    return emitOpError() << "expected a shape of positive extents";
  int64_t numElements = 1;
  for (int64_t extent : getShape())
    if (llvm::MulOverflow(numElements, extent, numElements) ||
        numElements > std::numeric_limits<int32_t>::max())
      return emitOpError() << "expected fewer than 2^31 elements, got "
                           << getShape().front() << " and more";
  return success();
}

LogicalResult CrossWarpReduceOp::verifyRegions() {
  if (getSize() < 1 || getStride() < 1)
    return emitOpError() << "expected positive size and stride, got "
                         << getSize() << " and " << getStride();
  if (getSrcs().getTypes() != getResultTypes())
    return emitOpError() << "expected results of the types of the sources";
  SmallVector<Type> elements;
  for (Type type : getSrcs().getTypes())
    elements.push_back(getElementTypeOrSelf(type));
  SmallVector<Type> expected(elements);
  llvm::append_range(expected, elements);
  Block &body = getCombine().front();
  if (!llvm::equal(body.getArgumentTypes(), expected))
    return emitOpError() << "expected a region whose block takes the element "
                            "types of the sources twice";
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (!yield || !llvm::equal(yield.getValues().getTypes(), elements))
    return emitOpError() << "expected 'mlt.yield' of the element types of the "
                            "sources";
  return success();
}
