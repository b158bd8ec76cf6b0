//===- TritonElementwiseToLLVM.cpp - casts and arithmetic of tt -----------===//
//
// The elementwise operations that arith and math do not have: pointers, which
// tiles carry as addresses, and arithmetic whose rounding is prescribed.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/Builtins.h"
#include "Conversion/TritonGPUToLLVM/FloatConversions.h"
#include "Conversion/TritonGPUToLLVM/Patterns.h"
#include "Conversion/TritonGPUToLLVM/VectorUtils.h"
#include "Dialect/Triton/IR/Triton.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
/// addptr of tiles: carried addresses plus offsets in bytes.
struct AddPtrPattern : TilePattern<tt::AddPtrOp> {
  using TilePattern::TilePattern;
  LogicalResult
  matchAndRewrite(tt::AddPtrOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto pointer = cast<tt::PointerType>(getElementTypeOrSelf(op.getType()));
    Type memory = converter.getMemoryType(pointer.getPointeeType());
    if (!memory)
      return failure();
    if (!isa<RankedTensorType>(op.getType())) {
      rewriter.replaceOpWithNewOp<LLVM::GEPOp>(op, adaptor.getPtr().getType(),
                                               memory, adaptor.getPtr(),
                                               adaptor.getOffset());
      return success();
    }
    int64_t length = getVectorLength(adaptor.getPtr().getType());
    Type i64 = getVectorType(rewriter.getI64Type(), length);
    Value offset = adaptor.getOffset();
    if (offset.getType() != i64)
      offset = extend(rewriter, loc, offset, i64);
    int64_t size = memory.getIntOrFloatBitWidth() / 8;
    if (size != 1) {
      Value scale = arith::ConstantOp::create(
          rewriter, loc, cast<TypedAttr>(getAttr(rewriter, i64, size)));
      offset = arith::MulIOp::create(rewriter, loc, offset, scale);
    }
    rewriter.replaceOpWithNewOp<arith::AddIOp>(op, adaptor.getPtr(), offset);
    return success();
  }

  static Attribute getAttr(Builder &builder, Type type, int64_t value) {
    Attribute scalar = builder.getI64IntegerAttr(value);
    if (auto vector = dyn_cast<VectorType>(type))
      return DenseElementsAttr::get(vector, scalar);
    return scalar;
  }

  static Value extend(OpBuilder &builder, Location loc, Value value,
                      Type type) {
    SmallVector<Value> pieces;
    for (Value piece : splitVector(builder, loc, value, kMaxCallVector)) {
      Type wide =
          getVectorType(getUnitType(type), getVectorLength(piece.getType()));
      pieces.push_back(arith::ExtSIOp::create(builder, loc, wide, piece));
    }
    return concatVectors(builder, loc, pieces);
  }
};

/// ptr_to_int and int_to_ptr: nothing on tiles, where pointers are integers.
template <typename OpT, typename LLVMOpT>
struct PointerCastPattern : TilePattern<OpT> {
  using TilePattern<OpT>::TilePattern;
  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (isa<RankedTensorType>(op.getType())) {
      rewriter.replaceOp(op, adaptor.getSrc());
      return success();
    }
    Type type = this->converter.convertType(op.getType());
    rewriter.replaceOpWithNewOp<LLVMOpT>(op, type, adaptor.getSrc());
    return success();
  }
};

struct BitcastPattern : TilePattern<tt::BitcastOp> {
  using TilePattern::TilePattern;
  LogicalResult
  matchAndRewrite(tt::BitcastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = converter.convertType(op.getType());
    if (!type)
      return failure();
    Value source = adaptor.getSrc();
    bool fromPointer = isa<LLVM::LLVMPointerType>(source.getType());
    bool toPointer = isa<LLVM::LLVMPointerType>(type);
    if (fromPointer && !toPointer)
      rewriter.replaceOpWithNewOp<LLVM::PtrToIntOp>(op, type, source);
    else if (!fromPointer && toPointer)
      rewriter.replaceOpWithNewOp<LLVM::IntToPtrOp>(op, type, source);
    else
      rewriter.replaceOp(op, bitcastTo(rewriter, loc, source, type));
    return success();
  }
};

/// Base of operations on numbers that are written out by hand: gives `emit`
/// the operands as vectors of slots, narrow floats as f32.
template <typename OpT> struct NumericPattern : TilePattern<OpT> {
  using TilePattern<OpT>::TilePattern;
  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    FailureOr<Tile> tile = this->getTile(op.getType());
    Type element = getElementTypeOrSelf(op.getType());
    bool widened = isCarriedAsInteger(element);
    if (failed(tile) || (widened && !isConvertibleFloat(element)))
      return failure();
    SmallVector<Value> operands;
    for (Value operand : adaptor.getOperands()) {
      Value slots = tile->unpack(rewriter, loc, operand);
      operands.push_back(widened ? widenToF32(rewriter, loc, slots, element)
                                 : slots);
    }
    Value result = emit(op, rewriter, operands);
    if (!result)
      return failure();
    if (widened)
      result = narrowFromF32(rewriter, loc, this->style, result, element);
    rewriter.replaceOp(op, tile->pack(rewriter, loc, result));
    return success();
  }

  virtual Value emit(OpT op, ConversionPatternRewriter &rewriter,
                     ArrayRef<Value> operands) const = 0;
};

/// min(max(x, min), max); a NaN operand decides only if asked for.
struct ClampFPattern : NumericPattern<tt::ClampFOp> {
  using NumericPattern::NumericPattern;
  Value emit(tt::ClampFOp op, ConversionPatternRewriter &rewriter,
             ArrayRef<Value> operands) const override {
    Location loc = op.getLoc();
    if (op.getPropagateNan() == tt::PropagateNan::ALL) {
      Value low =
          arith::MaximumFOp::create(rewriter, loc, operands[0], operands[1]);
      return arith::MinimumFOp::create(rewriter, loc, low, operands[2]);
    }
    Value low =
        arith::MaxNumFOp::create(rewriter, loc, operands[0], operands[1]);
    return arith::MinNumFOp::create(rewriter, loc, low, operands[2]);
  }
};

/// Correctly rounded f32 (and f16) operations through a type that is wide
/// enough for a second rounding to be harmless.
template <typename OpT, typename ArithOpT>
struct PrecisePattern : NumericPattern<OpT> {
  using NumericPattern<OpT>::NumericPattern;
  Value emit(OpT op, ConversionPatternRewriter &rewriter,
             ArrayRef<Value> operands) const override {
    Location loc = op.getLoc();
    Type narrow = getUnitType(operands.front().getType());
    Type wide = narrow.isF16() ? rewriter.getF32Type() : rewriter.getF64Type();
    SmallVector<SmallVector<Value>> pieces;
    for (Value operand : operands)
      pieces.push_back(splitVector(rewriter, loc, operand, kMaxCallVector));
    SmallVector<Value> results;
    for (size_t i = 0; i < pieces.front().size(); ++i) {
      Type type = pieces.front()[i].getType();
      Type wideType = getVectorType(wide, getVectorLength(type));
      SmallVector<Value> arguments;
      for (ArrayRef<Value> operand : pieces)
        arguments.push_back(
            narrow == wide
                ? operand[i]
                : arith::ExtFOp::create(rewriter, loc, wideType, operand[i])
                      .getResult());
      Value result = ArithOpT::create(rewriter, loc, wideType, arguments);
      if (narrow != wide)
        result = arith::TruncFOp::create(rewriter, loc, type, result);
      results.push_back(result);
    }
    return concatVectors(rewriter, loc, results);
  }
};

struct ApproxDivFPattern : NumericPattern<tt::ApproxDivFOp> {
  using NumericPattern::NumericPattern;
  Value emit(tt::ApproxDivFOp op, ConversionPatternRewriter &rewriter,
             ArrayRef<Value> operands) const override {
    return arith::DivFOp::create(
        rewriter, op.getLoc(), operands[0], operands[1],
        arith::FastMathFlags::arcp | arith::FastMathFlags::afn);
  }
};

/// Upper half of a product of unsigned integers.
struct MulhiUIPattern : NumericPattern<tt::MulhiUIOp> {
  using NumericPattern::NumericPattern;
  Value emit(tt::MulhiUIOp op, ConversionPatternRewriter &rewriter,
             ArrayRef<Value> operands) const override {
    return arith::MulUIExtendedOp::create(rewriter, op.getLoc(), operands[0],
                                          operands[1])
        .getHigh();
  }
};

/// Functions of the device's own library; bf16 and 8-bit floats are computed in
/// f32.
struct DeviceFunctionPattern : TilePattern<tt::ExternElementwiseOp> {
  using TilePattern::TilePattern;
  LogicalResult
  matchAndRewrite(tt::ExternElementwiseOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    FailureOr<Tile> tile = getTile(op.getType());
    if (failed(tile))
      return failure();
    SmallVector<Value> arguments;
    for (auto [operand, carried] :
         llvm::zip_equal(op.getSrcs(), adaptor.getSrcs())) {
      FailureOr<Tile> source = getTile(operand.getType());
      Type element = getElementTypeOrSelf(operand.getType());
      if (failed(source))
        return failure();
      Value slots = source->unpack(rewriter, loc, carried);
      if (isCarriedAsInteger(element))
        slots = widenToF32(rewriter, loc, slots, element);
      arguments.push_back(slots);
    }
    Type element = getElementTypeOrSelf(op.getType());
    bool narrow = isCarriedAsInteger(element);
    Value result = callFunction(
        rewriter, loc, op.getSymbol(),
        narrow ? Type(rewriter.getF32Type()) : tile->slot, arguments);
    if (narrow)
      result = narrowFromF32(rewriter, loc, style, result, element);
    rewriter.replaceOp(op, tile->pack(rewriter, loc, result));
    return success();
  }
};

struct FpToFpPattern : TilePattern<tt::FpToFpOp> {
  using TilePattern::TilePattern;
  LogicalResult
  matchAndRewrite(tt::FpToFpOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override;
};
} // namespace

/// Converts a vector of f32 or wider to `element`, one of LLVM's floats.
static Value convertFloat(OpBuilder &builder, Location loc,
                          const CodeGenStyle &style, Value value, Type element,
                          Rounding rounding) {
  Type from = getUnitType(value.getType());
  if (from == element)
    return value;
  if (rounding == Rounding::TowardZero && element.isF16())
    return style.truncateToF16(builder, loc, value);
  if (rounding == Rounding::TowardZero && from.isF64() && element.isF32())
    return truncateToF32TowardZero(builder, loc, value);
  SmallVector<Value> results;
  for (Value piece : splitVector(builder, loc, value, kMaxCallVector)) {
    Type type = getVectorType(element, getVectorLength(piece.getType()));
    bool widens =
        element.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth();
    results.push_back(
        widens
            ? arith::ExtFOp::create(builder, loc, type, piece).getResult()
            : arith::TruncFOp::create(builder, loc, type, piece).getResult());
  }
  return concatVectors(builder, loc, results);
}

LogicalResult
FpToFpPattern::matchAndRewrite(tt::FpToFpOp op, OpAdaptor adaptor,
                               ConversionPatternRewriter &rewriter) const {
  Location loc = op.getLoc();
  FailureOr<Tile> from = getTile(op.getSrc().getType());
  FailureOr<Tile> to = getTile(op.getType());
  if (failed(from) || failed(to))
    return failure();
  Type source = getElementTypeOrSelf(op.getSrc().getType());
  Type result = getElementTypeOrSelf(op.getType());
  Rounding rounding = op.getRounding() == tt::RoundingMode::RTZ
                          ? Rounding::TowardZero
                          : Rounding::NearestEven;
  Value slots = from->unpack(rewriter, loc, adaptor.getSrc());
  if (isCarriedAsInteger(source))
    slots = widenToF32(rewriter, loc, slots, source);
  if (isCarriedAsInteger(result)) {
    slots = convertFloat(rewriter, loc, style, slots, rewriter.getF32Type(),
                         rounding);
    slots = narrowFromF32(rewriter, loc, style, slots, result, rounding);
  } else {
    slots = convertFloat(rewriter, loc, style, slots, result, rounding);
  }
  rewriter.replaceOp(op, to->pack(rewriter, loc, slots));
  return success();
}

void mlt::populateTritonElementwisePatterns(const PatternArguments &arguments) {
  arguments
      .add<AddPtrPattern, PointerCastPattern<tt::PtrToIntOp, LLVM::PtrToIntOp>,
           PointerCastPattern<tt::IntToPtrOp, LLVM::IntToPtrOp>, BitcastPattern,
           ClampFPattern, PrecisePattern<tt::PreciseSqrtOp, math::SqrtOp>,
           PrecisePattern<tt::PreciseDivFOp, arith::DivFOp>, ApproxDivFPattern,
           MulhiUIPattern, DeviceFunctionPattern, FpToFpPattern>();
}
