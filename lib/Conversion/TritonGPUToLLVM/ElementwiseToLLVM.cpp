//===- ElementwiseToLLVM.cpp - arithmetic on tiles becomes on vectors -----===//
//
// An elementwise operation does the same to every element, so it does not ask
// where elements lie: the same operation on the vectors of slots is what it
// becomes. The narrow floats are widened to f32 around it. Operations that end
// as calls of library functions are applied to short vectors.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/FloatConversions.h"
#include "Conversion/TritonGPUToLLVM/MoveElements.h"
#include "Conversion/TritonGPUToLLVM/Patterns.h"
#include "Conversion/TritonGPUToLLVM/VectorUtils.h"
#include "Dialect/Triton/IR/Triton.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace mlir::mlt;

//===----------------------------------------------------------------------===//
// arith and math
//===----------------------------------------------------------------------===//

/// Operations that move bits and never look at them as numbers.
static bool isBitwise(Operation *op) {
  return isa<arith::SelectOp, arith::BitcastOp>(op);
}

/// Operations that the device compilers turn into calls for long vectors. The
/// vector backend does so with functions that are no instructions.
static bool needsShortVectors(Operation *op, const CodeGenStyle &style) {
  if (style.getNumLanes() == 1)
    return isa<math::PowFOp>(op) ||
           (isa<math::MathDialect>(op->getDialect()) &&
            getElementTypeOrSelf(op->getResult(0).getType()).isF64());
  return isa<math::MathDialect>(op->getDialect()) ||
         isa<CastOpInterface, arith::MaxNumFOp, arith::MinNumFOp,
             arith::RemFOp>(op);
}

/// So many slots an operation is applied to at once.
static int64_t getStep(Operation *op, const CodeGenStyle &style,
                       int64_t length) {
  // LLVM makes functions of idioms that are selections (magnitudes, saturating
  // differences) and bits put together (byte swaps). Of vectors, IGC 2.40 then
  // computes the first element only, or crashes.
  if (style.getNumLanes() > 1 && isa<arith::SelectOp, arith::OrIOp>(op))
    return 1;
  return needsShortVectors(op, style) ? std::min(length, kMaxCallVector)
                                      : length;
}

namespace {
/// An operand or result: how it is carried, and its type during computation.
struct ElementwiseValue {
  Tile tile;
  Type element;
  bool widened;

  Type getComputeType(int64_t length) const {
    Type scalar = widened ? Float32Type::get(element.getContext()) : tile.slot;
    return getVectorType(scalar, length);
  }
};

class ElementwiseOpPattern : public ConversionPattern {
public:
  ElementwiseOpPattern(const TileTypeConverter &converter,
                       const LoweringContext &lowering, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), /*benefit=*/1,
                          context),
        converter(converter), lowering(lowering) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
        !op->hasTrait<OpTrait::Elementwise>())
      return failure();
    SmallVector<ElementwiseValue> inputs, outputs;
    if (failed(describe(op, op->getOperandTypes(), inputs)) ||
        failed(describe(op, op->getResultTypes(), outputs)))
      return failure();

    Location loc = op->getLoc();
    int64_t length = outputs.front().tile.getNumSlots();
    int64_t step = getStep(op, lowering.style, length);
    // Operands in pieces of `step` slots; scalars (a condition) as they are.
    SmallVector<SmallVector<Value>> pieces;
    for (auto [operand, input] : llvm::zip_equal(operands, inputs)) {
      Value slots = input.tile.unpack(rewriter, loc, operand);
      if (input.widened)
        slots = widenToF32(rewriter, loc, slots, input.element);
      pieces.push_back(splitVector(rewriter, loc, slots, step));
    }
    SmallVector<SmallVector<Value>> results(outputs.size());
    for (int64_t index = 0; index < length / step; ++index) {
      auto arguments = llvm::map_to_vector(pieces, [&](ArrayRef<Value> all) {
        return all.size() == 1 ? all.front() : all[index];
      });
      auto types = llvm::map_to_vector(outputs, [&](ElementwiseValue &output) {
        return output.getComputeType(step);
      });
      for (auto [result, value] :
           llvm::zip_equal(results, compute(op, rewriter, arguments, types)))
        result.push_back(value);
    }
    SmallVector<Value> replacements;
    for (auto [result, output] : llvm::zip_equal(results, outputs)) {
      Value slots = concatVectors(rewriter, loc, result);
      if (output.widened)
        slots =
            narrowFromF32(rewriter, loc, lowering.style, slots, output.element);
      replacements.push_back(output.tile.pack(rewriter, loc, slots));
    }
    rewriter.replaceOp(op, replacements);
    return success();
  }

private:
  LogicalResult describe(Operation *op, TypeRange types,
                         SmallVectorImpl<ElementwiseValue> &values) const {
    for (Type type : types) {
      FailureOr<Tile> tile = converter.getTile(type);
      if (failed(tile))
        return failure();
      Type element = getElementTypeOrSelf(type);
      bool widened = isCarriedAsInteger(element) && !isBitwise(op);
      if (widened && !isConvertibleFloat(element))
        return failure();
      values.push_back({*tile, element, widened});
    }
    return success();
  }

  static SmallVector<Value> compute(Operation *op,
                                    ConversionPatternRewriter &rewriter,
                                    ValueRange arguments, TypeRange types) {
    // A conversion between types that are computed with in the same type.
    if (isa<CastOpInterface>(op) &&
        arguments.front().getType() == types.front())
      return {arguments.front()};
    OperationState state(op->getLoc(), op->getName());
    state.addOperands(arguments);
    state.addTypes(types);
    state.addAttributes(llvm::to_vector(op->getAttrDictionary().getValue()));
    return llvm::to_vector_of<Value>(rewriter.create(state)->getResults());
  }

  const TileTypeConverter &converter;
  const LoweringContext &lowering;
};

/// A select between block pointers selects every part.
struct SelectBlockPointer : TilePattern<arith::SelectOp> {
  using TilePattern::TilePattern;
  LogicalResult
  matchAndRewrite(arith::SelectOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!tt::isBlockPointer(op.getType()))
      return failure();
    SmallVector<Value> parts;
    for (auto [a, b] :
         llvm::zip_equal(adaptor.getTrueValue(), adaptor.getFalseValue()))
      parts.push_back(arith::SelectOp::create(
          rewriter, op.getLoc(), adaptor.getCondition().front(), a, b));
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

struct PoisonPattern : TilePattern<ub::PoisonOp> {
  using TilePattern::TilePattern;
  LogicalResult
  matchAndRewrite(ub::PoisonOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(converter.convertType(op.getType(), types)))
      return failure();
    auto parts = llvm::map_to_vector(types, [&](Type type) -> Value {
      return LLVM::PoisonOp::create(rewriter, op.getLoc(), type);
    });
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// The number as it is carried: the bits of a float carried as integer.
static TypedAttr getCarriedAttr(Builder &builder, Attribute attr, Type slot) {
  if (auto number = dyn_cast<FloatAttr>(attr)) {
    if (isa<FloatType>(slot))
      return number;
    return builder.getIntegerAttr(slot, number.getValue().bitcastToAPInt());
  }
  return cast<IntegerAttr>(attr);
}

struct ConstantPattern : TilePattern<arith::ConstantOp> {
  using TilePattern::TilePattern;
  LogicalResult
  matchAndRewrite(arith::ConstantOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    FailureOr<Tile> tile = getTile(op.getType());
    if (failed(tile))
      return failure();
    auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
    if (!dense) {
      if (!isa<FloatAttr, IntegerAttr>(op.getValue()))
        return failure();
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(
          op, getCarriedAttr(rewriter, op.getValue(), tile->slot));
      return success();
    }
    Value slots = dense.isSplat()
                      ? createSplat(rewriter, op.getLoc(), *tile, dense)
                      : createTable(rewriter, op.getLoc(), *tile, dense);
    rewriter.replaceOp(op, tile->pack(rewriter, op.getLoc(), slots));
    return success();
  }

  static Value createSplat(OpBuilder &builder, Location loc, const Tile &tile,
                           DenseElementsAttr dense) {
    TypedAttr attr =
        getCarriedAttr(builder, dense.getSplatValue<Attribute>(), tile.slot);
    if (auto vector = dyn_cast<VectorType>(tile.getSlots()))
      attr = DenseElementsAttr::get(vector, Attribute(attr));
    return arith::ConstantOp::create(builder, loc, attr);
  }

  /// Every lane has its own numbers.
  Value createTable(OpBuilder &builder, Location loc, const Tile &tile,
                    DenseElementsAttr dense) const {
    auto all = llvm::to_vector(dense.getValues<Attribute>());
    Type integer = builder.getIntegerType(tile.slot.getIntOrFloatBitWidth());
    SmallVector<Value> slots;
    for (int64_t slot = 0; slot < tile.getNumSlots(); ++slot) {
      SmallVector<int64_t> values;
      for (int64_t lane = 0; lane < style.getNumLanes(); ++lane) {
        Attribute attr = all[tile.layout.getElement({lane, slot})];
        auto number = dyn_cast<FloatAttr>(attr);
        APInt bits = number ? number.getValue().bitcastToAPInt()
                            : cast<IntegerAttr>(attr).getValue();
        values.push_back(bits.getSExtValue());
      }
      Value table = getLaneTable(builder, loc, style, values, integer);
      slots.push_back(bitcastTo(builder, loc, table, tile.slot));
    }
    return buildVector(builder, loc, slots);
  }
};
} // namespace

void mlt::populateElementwisePatterns(const PatternArguments &arguments) {
  arguments.add<ElementwiseOpPattern, PoisonPattern, ConstantPattern>();
  arguments.patterns.add<SelectBlockPointer>(
      arguments.converter, arguments.lowering, arguments.patterns.getContext(),
      /*benefit=*/2);
}
