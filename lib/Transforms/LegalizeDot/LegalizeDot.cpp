//===- LegalizeDot.cpp - dots in the types and sizes of the target --------===//
//
// Triton has dots of more types and sizes than there are instructions. Before
// layouts are chosen every dot is brought to one of two forms: one that the
// target's dot instruction takes, or one of f32, f64 or i32 operands that is
// done by multiplications and additions. Nothing is lost on the way: operands
// only become wider, and products of the narrow types are exact in the wide.
//
//===----------------------------------------------------------------------===//
#include "Analysis/OperandRole/OperandRole.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Transforms/LegalizeDot/ScaledDot.h"
#include "Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::mlt {
#define GEN_PASS_DEF_LEGALIZEDOT
#include "Transforms/Passes.h.inc"
} // namespace mlir::mlt

using namespace mlir;
using namespace mlir::mlt;

static Type getElement(Value value) { return getElementTypeOrSelf(value); }

/// `value`, a tensor, with elements of the wider type `element`.
static Value widen(OpBuilder &builder, Location loc, Value value,
                   Type element) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getElementType() == element)
    return value;
  auto wide = RankedTensorType::get(type.getShape(), element);
  if (isa<IntegerType>(element))
    return arith::ExtSIOp::create(builder, loc, wide, value);
  if (type.getElementTypeBitWidth() == 8)
    return tt::FpToFpOp::create(builder, loc, wide, value,
                                /*rounding=*/tt::RoundingModeAttr());
  return arith::ExtFOp::create(builder, loc, wide, value);
}

static bool isFloat8(Type type) {
  return isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8;
}

/// The common type in which operands of `dot` are multiplied exactly although
/// theirs differ or no instruction takes them; null when nothing has to change.
static Type getCommonOperandType(tt::DotOp dot) {
  Type a = getElement(dot.getA()), b = getElement(dot.getB());
  if (isa<IntegerType>(a) || isa<IntegerType>(b))
    return {};
  Builder builder(dot.getContext());
  // 8-bit floats are all values of f16.
  if (isFloat8(a) && isFloat8(b))
    return builder.getF16Type();
  if (a == b)
    return {};
  for (auto [narrow, other] : {std::pair(a, b), std::pair(b, a)})
    if (isFloat8(narrow) && other.isF16())
      return other;
  if (a.isF64() || b.isF64())
    return builder.getF64Type();
  return builder.getF32Type();
}

/// The type whose dots are done by multiplications and additions.
static Type getMultiplyAddType(tt::DotOp dot) {
  Builder builder(dot.getContext());
  Type a = getElement(dot.getA()), c = getElement(dot.getC());
  if (isa<IntegerType>(a))
    return builder.getI32Type();
  return a.isF64() || c.isF64() ? Type(builder.getF64Type())
                                : builder.getF32Type();
}

/// Products of integers are sums of 32 bits, as the instructions have them.
static LogicalResult checkIntegers(tt::DotOp dot) {
  for (Value operand : {dot.getA(), dot.getB(), dot.getC()})
    if (auto type = dyn_cast<IntegerType>(getElement(operand));
        type && type.getWidth() > 32)
      return dot.emitOpError()
             << "cannot be lowered: expected integers of at most 32 bits, got "
             << type;
  return success();
}

namespace {
/// Operands of different types, and of 8-bit floats.
struct UnifyOperands : OpRewritePattern<tt::DotOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tt::DotOp op,
                                PatternRewriter &rewriter) const override {
    Type common = getCommonOperandType(op);
    if (!common)
      return failure();
    Value a = widen(rewriter, op.getLoc(), op.getA(), common);
    Value b = widen(rewriter, op.getLoc(), op.getB(), common);
    rewriter.modifyOpInPlace(op, [&] {
      op.getAMutable().assign(a);
      op.getBMutable().assign(b);
    });
    return success();
  }
};

/// f32 as a sum of numbers of a narrower format, multiplied part by part,
/// smallest products first.
struct SplitPrecision : OpRewritePattern<tt::DotOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tt::DotOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<unsigned> parts = getNumParts(op.getInputPrecision());
    if (!getElement(op.getA()).isF32() || !parts)
      return failure();
    bool asTF32 = op.getInputPrecision() == tt::InputPrecision::TF32x3;
    SmallVector<Value> a =
        split(rewriter, op.getLoc(), op.getA(), *parts, asTF32);
    SmallVector<Value> b =
        split(rewriter, op.getLoc(), op.getB(), *parts, asTF32);
    // Part i is about 2^-11i (tf32) or 2^-8i (bf16) of the number; products of
    // parts further down than the last one are below the result's precision.
    Value sum = op.getC();
    for (int order = *parts - 1; order >= 0; --order)
      for (int i = 0; i <= order; ++i)
        sum = createDot(rewriter, op, a[i], b[order - i], sum);
    rewriter.replaceOp(op, sum);
    return success();
  }

private:
  static std::optional<unsigned> getNumParts(tt::InputPrecision precision) {
    switch (precision) {
    case tt::InputPrecision::TF32x3:
    case tt::InputPrecision::BF16x3:
      return 2;
    case tt::InputPrecision::BF16x6:
      return 3;
    default:
      return std::nullopt;
    }
  }

  static Value createDot(OpBuilder &builder, tt::DotOp op, Value a, Value b,
                         Value c) {
    auto dot =
        tt::DotOp::create(builder, op.getLoc(), op.getType(), a, b, c,
                          tt::InputPrecision::TF32, op.getMaxNumImpreciseAcc());
    dot->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    return dot;
  }

  static SmallVector<Value> split(OpBuilder &builder, Location loc, Value value,
                                  unsigned parts, bool asTF32) {
    auto type = cast<RankedTensorType>(value.getType());
    auto narrow = RankedTensorType::get(type.getShape(), builder.getBF16Type());
    Value zero = arith::ConstantOp::create(
        builder, loc, cast<TypedAttr>(builder.getZeroAttr(type)));
    SmallVector<Value> result;
    Value rest = value;
    for (unsigned part = 0; part < parts; ++part) {
      Value rounded;
      if (asTF32) {
        rounded = RoundTF32Op::create(builder, loc, rest);
        result.push_back(rounded);
      } else {
        result.push_back(arith::TruncFOp::create(builder, loc, narrow, rest));
        rounded = arith::ExtFOp::create(builder, loc, type, result.back());
      }
      if (part + 1 == parts)
        break;
      rest = arith::SubFOp::create(builder, loc, rest, rounded);
      // Infinity is its first part alone.
      Value isNaN = arith::CmpFOp::create(
          builder, loc, arith::CmpFPredicate::UNO, rest, rest);
      rest = arith::SelectOp::create(builder, loc, isNaN, zero, rest);
    }
    return result;
  }
};

/// Dots that no instruction does: of other types, and of fewer columns or less
/// depth than an instruction has.
struct UseMultiplyAdd : OpRewritePattern<tt::DotOp> {
  UseMultiplyAdd(MLIRContext *context, const TargetDescription &target)
      : OpRewritePattern(context), target(target) {}

  LogicalResult matchAndRewrite(tt::DotOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getType();
    Type wide = getMultiplyAddType(op);
    if (isMultiplyAddDot(op) && type.getElementType() == wide &&
        getElement(op.getA()) == wide)
      return failure();
    const DotForm *form = findDotForm(target, op);
    int64_t rank = type.getRank();
    int64_t depth =
        cast<RankedTensorType>(op.getA().getType()).getDimSize(rank - 1);
    if (!isMultiplyAddDot(op) && form &&
        type.getDimSize(rank - 1) >= target.dotN && depth >= form->k)
      return failure();
    Location loc = op.getLoc();
    Value a = widen(rewriter, loc, op.getA(), wide);
    Value b = widen(rewriter, loc, op.getB(), wide);
    Value c = widen(rewriter, loc, op.getC(), wide);
    auto dot =
        tt::DotOp::create(rewriter, loc, c.getType(), a, b, c,
                          tt::InputPrecision::IEEE, op.getMaxNumImpreciseAcc());
    dot->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    if (type == dot.getType())
      rewriter.replaceOp(op, dot);
    else
      rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, type, dot);
    return success();
  }

  const TargetDescription &target;
};

struct LegalizeDot : mlt::impl::LegalizeDotBase<LegalizeDot> {
  using LegalizeDotBase::LegalizeDotBase;

  void runOnOperation() override {
    const TargetDescription *target = TargetDescription::get(getOperation());
    if (!target)
      return signalPassFailure();
    WalkResult checked = getOperation().walk(
        [](tt::DotOp dot) -> WalkResult { return checkIntegers(dot); });
    if (checked.wasInterrupted())
      return signalPassFailure();
    SmallVector<tt::DotScaledOp> scaled;
    getOperation().walk([&](tt::DotScaledOp dot) { scaled.push_back(dot); });
    IRRewriter rewriter(&getContext());
    for (tt::DotScaledOp dot : scaled)
      if (failed(expandScaledDot(rewriter, dot)))
        return signalPassFailure();
    // One after the other: the products that a step makes are seen by the next.
    apply(
        [&](RewritePatternSet &set) { set.add<UnifyOperands>(&getContext()); });
    apply([&](RewritePatternSet &set) {
      set.add<SplitPrecision>(&getContext());
    });
    apply([&](RewritePatternSet &set) {
      set.add<UseMultiplyAdd>(&getContext(), *target);
    });
    getOperation().walk([&](tt::DotOp dot) {
      if (isMultiplyAddDot(dot))
        ++numMultiplyAdd;
      else
        ++numInstructions;
    });
  }

private:
  void apply(llvm::function_ref<void(RewritePatternSet &)> populate) {
    RewritePatternSet patterns(&getContext());
    populate(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
