//===- LibraryFunctions.cpp - what functions of device libraries compute --===//
//
// Triton's `libdevice` module calls functions of the library that another
// vendor's compiler links in. What they compute is the same everywhere, so a
// table gives the operation for each name: of math and arith where there is
// one, else a function that every OpenCL device has. Bit tricks and
// compositions are written out. A name that is in no table is refused, never
// guessed.
//
//===----------------------------------------------------------------------===//
#include "Transforms/LegalizeTriton/LibraryFunctions.h"
#include "Support/DeviceFunctions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
/// Makes operations of one call: on scalars or on tensors of one shape.
class Emitter {
public:
  Emitter(OpBuilder &builder, tt::ExternElementwiseOp op)
      : builder(builder), loc(op.getLoc()), result(op.getType()),
        arguments(op.getSrcs()) {}

  Value arg(unsigned index = 0) const { return arguments[index]; }
  Type getResultType() const { return result; }

  template <typename OpT, typename... Args> Value make(Args &&...args) const {
    return OpT::create(builder, loc, std::forward<Args>(args)...)->getResult(0);
  }

  /// `value` in every place of `like`, a type of floats or of integers.
  Value constant(Type like, double value) const {
    Type element = getElementTypeOrSelf(like);
    TypedAttr attr = builder.getFloatAttr(element, value);
    return constantOf(like, attr);
  }
  Value integer(Type like, int64_t value) const {
    Type element = getElementTypeOrSelf(like);
    return constantOf(like, builder.getIntegerAttr(element, value));
  }

  /// The type of `like`'s shape with elements of `element`.
  static Type withElement(Type like, Type element) {
    if (auto tensor = dyn_cast<RankedTensorType>(like))
      return tensor.clone(element);
    return element;
  }

  /// An integer as the result's type.
  Value toResult(Value value) const {
    unsigned from = getWidth(value.getType()), to = getWidth(result);
    if (from == to)
      return value;
    return from < to ? make<arith::ExtUIOp>(result, value)
                     : make<arith::TruncIOp>(result, value);
  }

  static unsigned getWidth(Type type) {
    return getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  }

  /// A call of OpenCL's function `name`.
  Value callOpenCL(StringRef name, ValueRange operands) const {
    return make<tt::ExternElementwiseOp>(result, operands, kDeviceLibraryName,
                                         "", name,
                                         /*pure=*/true);
  }
  ValueRange all() const { return arguments; }

private:
  Value constantOf(Type like, TypedAttr attr) const {
    if (auto tensor = dyn_cast<RankedTensorType>(like))
      attr = SplatElementsAttr::get(tensor, attr);
    return make<arith::ConstantOp>(attr);
  }

  OpBuilder &builder;
  Location loc;
  Type result;
  ValueRange arguments;
};

using Expansion = Value (*)(const Emitter &);

struct Entry {
  StringRef name;
  unsigned numArguments;
  Expansion expand;
};
} // namespace

//===----------------------------------------------------------------------===//
// Shapes of expansions
//===----------------------------------------------------------------------===//

template <typename OpT> static Value unary(const Emitter &e) {
  return e.make<OpT>(e.arg());
}
template <typename OpT> static Value binary(const Emitter &e) {
  return e.make<OpT>(e.arg(0), e.arg(1));
}
static Value fma(const Emitter &e) {
  return e.make<math::FmaOp>(e.arg(0), e.arg(1), e.arg(2));
}
static Value bitcast(const Emitter &e) {
  return e.make<tt::BitcastOp>(e.getResultType(), e.arg());
}
template <typename OpT> static Value convertTo(const Emitter &e) {
  return e.make<OpT>(e.getResultType(), e.arg());
}
/// Rounds by `RoundT`, then converts to an integer.
template <typename RoundT, typename CastT>
static Value toInt(const Emitter &e) {
  return e.make<CastT>(e.getResultType(), e.make<RoundT>(e.arg()));
}
/// A predicate, as the integers 0 and 1.
static Value flag(const Emitter &e, Value condition) {
  if (condition.getType() == e.getResultType())
    return condition;
  return e.make<arith::ExtUIOp>(e.getResultType(), condition);
}
/// One half of a product.
template <typename OpT> static Value upperHalf(const Emitter &e) {
  Value low = e.make<OpT>(e.arg(0), e.arg(1));
  return low.getDefiningOp()->getResult(1);
}

//===----------------------------------------------------------------------===//
// Written out
//===----------------------------------------------------------------------===//

static Value reciprocal(const Emitter &e, Value value) {
  return e.make<arith::DivFOp>(e.constant(value.getType(), 1.0), value);
}
static Value preciseReciprocal(const Emitter &e) {
  Value one = e.constant(e.getResultType(), 1.0);
  return e.make<tt::PreciseDivFOp>(one, e.arg());
}
static Value rcbrt(const Emitter &e) {
  return reciprocal(e, e.make<math::CbrtOp>(e.arg()));
}
/// Euclidean norm of all arguments, scaled so that squares do not overflow.
static Value norm(const Emitter &e) {
  Value largest;
  SmallVector<Value> sizes;
  for (Value argument : e.all()) {
    sizes.push_back(e.make<math::AbsFOp>(argument));
    largest = largest ? e.make<arith::MaximumFOp>(largest, sizes.back())
                      : sizes.back();
  }
  Type type = e.getResultType();
  Value isZero = e.make<arith::CmpFOp>(arith::CmpFPredicate::OEQ, largest,
                                       e.constant(type, 0.0));
  Value scale = e.make<arith::SelectOp>(isZero, e.constant(type, 1.0), largest);
  Value sum;
  for (Value size : sizes) {
    Value part = e.make<arith::DivFOp>(size, scale);
    Value square = e.make<arith::MulFOp>(part, part);
    sum = sum ? e.make<arith::AddFOp>(sum, square) : square;
  }
  Value size = e.make<arith::MulFOp>(scale, e.make<math::SqrtOp>(sum));
  // Infinite in any direction is infinite, not the quotient of infinities.
  Value infinity = e.constant(type, std::numeric_limits<double>::infinity());
  Value isInfinite = Value();
  for (Value part : sizes) {
    Value here =
        e.make<arith::CmpFOp>(arith::CmpFPredicate::OEQ, part, infinity);
    isInfinite = isInfinite ? e.make<arith::OrIOp>(isInfinite, here) : here;
  }
  return e.make<arith::SelectOp>(isInfinite, infinity, size);
}
static Value reciprocalNorm(const Emitter &e) { return reciprocal(e, norm(e)); }
static Value normcdf(const Emitter &e) {
  Type type = e.getResultType();
  Value scaled =
      e.make<arith::MulFOp>(e.arg(), e.constant(type, -0.70710678118654752440));
  return e.make<arith::MulFOp>(e.make<math::ErfcOp>(scaled),
                               e.constant(type, 0.5));
}
static Value saturate(const Emitter &e) {
  Type type = e.getResultType();
  Value low = e.make<arith::MaxNumFOp>(e.arg(), e.constant(type, 0.0));
  return e.make<arith::MinNumFOp>(low, e.constant(type, 1.0));
}
static Value intPower(const Emitter &e) {
  return e.callOpenCL("pown", e.all());
}
static Value isNaN(const Emitter &e) {
  return flag(
      e, e.make<arith::CmpFOp>(arith::CmpFPredicate::UNO, e.arg(), e.arg()));
}
static Value compareWithInfinity(const Emitter &e,
                                 arith::CmpFPredicate predicate) {
  Value infinity =
      e.constant(e.arg().getType(), std::numeric_limits<double>::infinity());
  return flag(e, e.make<arith::CmpFOp>(predicate, e.make<math::AbsFOp>(e.arg()),
                                       infinity));
}
static Value isInf(const Emitter &e) {
  return compareWithInfinity(e, arith::CmpFPredicate::OEQ);
}
static Value isFinite(const Emitter &e) {
  return compareWithInfinity(e, arith::CmpFPredicate::OLT);
}
static Value signBit(const Emitter &e) {
  Type type = e.arg().getType();
  Type bits = Emitter::withElement(
      type, IntegerType::get(type.getContext(), Emitter::getWidth(type)));
  Value asInteger = e.make<tt::BitcastOp>(bits, e.arg());
  return flag(e, e.make<arith::CmpIOp>(arith::CmpIPredicate::slt, asInteger,
                                       e.integer(bits, 0)));
}
static Value countLeadingZeros(const Emitter &e) {
  return e.toResult(e.make<math::CountLeadingZerosOp>(e.arg()));
}
static Value countBits(const Emitter &e) {
  return e.toResult(e.make<math::CtPopOp>(e.arg()));
}
/// The number of the lowest bit set, from 1; 0 when there is none.
static Value findFirstSet(const Emitter &e) {
  Type type = e.arg().getType();
  Value lowest = e.make<arith::AddIOp>(
      e.make<math::CountTrailingZerosOp>(e.arg()), e.integer(type, 1));
  Value isZero = e.make<arith::CmpIOp>(arith::CmpIPredicate::eq, e.arg(),
                                       e.integer(type, 0));
  return e.toResult(
      e.make<arith::SelectOp>(isZero, e.integer(type, 0), lowest));
}
/// Exchanges neighbouring groups of 1, 2, 4, ... bits.
static Value reverseBits(const Emitter &e) {
  Type type = e.arg().getType();
  unsigned width = Emitter::getWidth(type);
  Value value = e.arg();
  for (unsigned step = 1; step < width; step *= 2) {
    // Groups of `step` ones with as many zeros between them.
    APInt mask = APInt::getSplat(width, APInt::getLowBitsSet(2 * step, step));
    Value low = e.integer(type, mask.getSExtValue());
    Value amount = e.integer(type, step);
    Value up = e.make<arith::ShLIOp>(e.make<arith::AndIOp>(value, low), amount);
    Value down =
        e.make<arith::AndIOp>(e.make<arith::ShRUIOp>(value, amount), low);
    value = e.make<arith::OrIOp>(up, down);
  }
  return value;
}
/// A product of the low 24 bits, extended by `ShiftT`.
template <typename ShiftT> static Value product24(const Emitter &e) {
  Value eight = e.integer(e.getResultType(), 8);
  auto narrow = [&](Value value) {
    return e.make<ShiftT>(e.make<arith::ShLIOp>(value, eight), eight);
  };
  return e.make<arith::MulIOp>(narrow(e.arg(0)), narrow(e.arg(1)));
}
/// Averages without overflow: common bits and half of those that differ.
template <typename ShiftT> static Value averageDown(const Emitter &e) {
  Value half = e.make<ShiftT>(e.make<arith::XOrIOp>(e.arg(0), e.arg(1)),
                              e.integer(e.getResultType(), 1));
  return e.make<arith::AddIOp>(e.make<arith::AndIOp>(e.arg(0), e.arg(1)), half);
}
template <typename ShiftT> static Value averageUp(const Emitter &e) {
  Value half = e.make<ShiftT>(e.make<arith::XOrIOp>(e.arg(0), e.arg(1)),
                              e.integer(e.getResultType(), 1));
  return e.make<arith::SubIOp>(e.make<arith::OrIOp>(e.arg(0), e.arg(1)), half);
}
template <typename MaxT, typename MinT>
static Value sumOfDifferences(const Emitter &e) {
  Value difference = e.make<arith::SubIOp>(e.make<MaxT>(e.arg(0), e.arg(1)),
                                           e.make<MinT>(e.arg(0), e.arg(1)));
  return e.make<arith::AddIOp>(difference, e.arg(2));
}

//===----------------------------------------------------------------------===//
// The tables
//===----------------------------------------------------------------------===//

/// Base name, without the suffix for the type.
static const Entry kExpansions[] = {
    {"abs", 1, unary<math::AbsIOp>},
    {"acos", 1, unary<math::AcosOp>},
    {"acosh", 1, unary<math::AcoshOp>},
    {"asin", 1, unary<math::AsinOp>},
    {"asinh", 1, unary<math::AsinhOp>},
    {"atan", 1, unary<math::AtanOp>},
    {"atan2", 2, binary<math::Atan2Op>},
    {"atanh", 1, unary<math::AtanhOp>},
    {"brev", 1, reverseBits},
    {"cbrt", 1, unary<math::CbrtOp>},
    {"ceil", 1, unary<math::CeilOp>},
    {"clz", 1, countLeadingZeros},
    {"copysign", 2, binary<math::CopySignOp>},
    {"cos", 1, unary<math::CosOp>},
    {"cosh", 1, unary<math::CoshOp>},
    {"erf", 1, unary<math::ErfOp>},
    {"erfc", 1, unary<math::ErfcOp>},
    {"exp", 1, unary<math::ExpOp>},
    {"exp2", 1, unary<math::Exp2Op>},
    {"expm1", 1, unary<math::ExpM1Op>},
    {"fabs", 1, unary<math::AbsFOp>},
    {"ffs", 1, findFirstSet},
    {"finite", 1, isFinite},
    {"floor", 1, unary<math::FloorOp>},
    {"fma", 3, fma},
    {"fmod", 2, binary<arith::RemFOp>},
    {"hadd", 2, averageDown<arith::ShRSIOp>},
    {"hypot", 2, norm},
    {"isfinite", 1, isFinite},
    {"isinf", 1, isInf},
    {"isnan", 1, isNaN},
    {"llabs", 1, unary<math::AbsIOp>},
    {"llrint", 1, toInt<math::RoundEvenOp, arith::FPToSIOp>},
    {"llround", 1, toInt<math::RoundOp, arith::FPToSIOp>},
    {"log", 1, unary<math::LogOp>},
    {"log10", 1, unary<math::Log10Op>},
    {"log1p", 1, unary<math::Log1pOp>},
    {"log2", 1, unary<math::Log2Op>},
    {"mul24", 2, product24<arith::ShRSIOp>},
    {"mul64hi", 2, upperHalf<arith::MulSIExtendedOp>},
    {"mulhi", 2, upperHalf<arith::MulSIExtendedOp>},
    {"nearbyint", 1, unary<math::RoundEvenOp>},
    {"norm3d", 3, norm},
    {"norm4d", 4, norm},
    {"normcdf", 1, normcdf},
    {"popc", 1, countBits},
    {"pow", 2, binary<math::PowFOp>},
    {"powi", 2, intPower},
    {"pown", 2, intPower},
    {"rcbrt", 1, rcbrt},
    {"rhadd", 2, averageUp<arith::ShRSIOp>},
    {"rhypot", 2, reciprocalNorm},
    {"rint", 1, unary<math::RoundEvenOp>},
    {"rnorm3d", 3, reciprocalNorm},
    {"rnorm4d", 4, reciprocalNorm},
    {"round", 1, unary<math::RoundOp>},
    {"rsqrt", 1, unary<math::RsqrtOp>},
    {"sad", 3, sumOfDifferences<arith::MaxSIOp, arith::MinSIOp>},
    {"saturate", 1, saturate},
    {"signbit", 1, signBit},
    {"sin", 1, unary<math::SinOp>},
    {"sinh", 1, unary<math::SinhOp>},
    {"sqrt", 1, unary<math::SqrtOp>},
    {"tan", 1, unary<math::TanOp>},
    {"tanh", 1, unary<math::TanhOp>},
    {"trunc", 1, unary<math::TruncOp>},
    {"uhadd", 2, averageDown<arith::ShRUIOp>},
    {"umul24", 2, product24<arith::ShRUIOp>},
    {"umul64hi", 2, upperHalf<arith::MulUIExtendedOp>},
    {"umulhi", 2, upperHalf<arith::MulUIExtendedOp>},
    {"urhadd", 2, averageUp<arith::ShRUIOp>},
    {"usad", 3, sumOfDifferences<arith::MaxUIOp, arith::MinUIOp>},
    // Rounded to nearest, which is how the device rounds.
    {"dadd_rn", 2, binary<arith::AddFOp>},
    {"ddiv_rn", 2, binary<arith::DivFOp>},
    {"dmul_rn", 2, binary<arith::MulFOp>},
    {"drcp_rn", 1, preciseReciprocal},
    {"dsqrt_rn", 1, unary<math::SqrtOp>},
    {"dsub_rn", 2, binary<arith::SubFOp>},
    {"fadd_rn", 2, binary<arith::AddFOp>},
    {"fdiv_rn", 2, binary<tt::PreciseDivFOp>},
    {"fma_rn", 3, fma},
    {"fmaf_rn", 3, fma},
    {"fmul_rn", 2, binary<arith::MulFOp>},
    {"frcp_rn", 1, preciseReciprocal},
    {"frsqrt_rn", 1, unary<math::RsqrtOp>},
    {"fsqrt_rn", 1, unary<tt::PreciseSqrtOp>},
    {"fsub_rn", 2, binary<arith::SubFOp>},
    // Conversions.
    {"double2float_rn", 1, convertTo<arith::TruncFOp>},
    {"double_as_longlong", 1, bitcast},
    {"float_as_int", 1, bitcast},
    {"float_as_uint", 1, bitcast},
    {"int2double_rn", 1, convertTo<arith::SIToFPOp>},
    {"int2float_rn", 1, convertTo<arith::SIToFPOp>},
    {"int_as_float", 1, bitcast},
    {"ll2double_rn", 1, convertTo<arith::SIToFPOp>},
    {"ll2float_rn", 1, convertTo<arith::SIToFPOp>},
    {"longlong_as_double", 1, bitcast},
    {"uint2double_rn", 1, convertTo<arith::UIToFPOp>},
    {"uint2float_rn", 1, convertTo<arith::UIToFPOp>},
    {"uint_as_float", 1, bitcast},
    {"ull2double_rn", 1, convertTo<arith::UIToFPOp>},
    {"ull2float_rn", 1, convertTo<arith::UIToFPOp>},
};

/// Conversions of floats to integers: <float|double>2<integer>_<rounding>.
static const Entry kRoundings[] = {
    {"int_rd", 1, toInt<math::FloorOp, arith::FPToSIOp>},
    {"int_rn", 1, toInt<math::RoundEvenOp, arith::FPToSIOp>},
    {"int_ru", 1, toInt<math::CeilOp, arith::FPToSIOp>},
    {"int_rz", 1, convertTo<arith::FPToSIOp>},
    {"uint_rd", 1, toInt<math::FloorOp, arith::FPToUIOp>},
    {"uint_rn", 1, toInt<math::RoundEvenOp, arith::FPToUIOp>},
    {"uint_ru", 1, toInt<math::CeilOp, arith::FPToUIOp>},
    {"uint_rz", 1, convertTo<arith::FPToUIOp>},
    {"ll_rd", 1, toInt<math::FloorOp, arith::FPToSIOp>},
    {"ll_rn", 1, toInt<math::RoundEvenOp, arith::FPToSIOp>},
    {"ll_ru", 1, toInt<math::CeilOp, arith::FPToSIOp>},
    {"ll_rz", 1, convertTo<arith::FPToSIOp>},
    {"ull_rd", 1, toInt<math::FloorOp, arith::FPToUIOp>},
    {"ull_rn", 1, toInt<math::RoundEvenOp, arith::FPToUIOp>},
    {"ull_ru", 1, toInt<math::CeilOp, arith::FPToUIOp>},
    {"ull_rz", 1, convertTo<arith::FPToUIOp>},
};

/// Base name -> OpenCL's function.
static const std::pair<StringRef, StringRef> kOpenCLNames[] = {
    {"cospi", "cospi"},
    {"exp10", "exp10"},
    {"fast_cos", "native_cos"},
    {"fast_exp", "native_exp"},
    {"fast_exp10", "native_exp10"},
    {"fast_fdivide", "native_divide"},
    {"fast_log", "native_log"},
    {"fast_log10", "native_log10"},
    {"fast_log2", "native_log2"},
    {"fast_pow", "pow"},
    {"fast_sin", "native_sin"},
    {"fast_tan", "native_tan"},
    {"fdim", "fdim"},
    {"ilogb", "ilogb"},
    {"ldexp", "ldexp"},
    {"lgamma", "lgamma"},
    {"logb", "logb"},
    {"nextafter", "nextafter"},
    {"remainder", "remainder"},
    {"scalbn", "ldexp"},
    {"sinpi", "sinpi"},
    {"tgamma", "tgamma"},
};

static const Entry *findEntry(ArrayRef<Entry> table, StringRef name) {
  const Entry *it = llvm::find_if(
      table, [&](const Entry &entry) { return entry.name == name; });
  return it == table.end() ? nullptr : it;
}

/// The candidates for the base name of a symbol, most literal first: C's names
/// for f32 end in f, some for f64 in d, for 64-bit integers in ll.
static SmallVector<StringRef, 4> getBaseNames(StringRef symbol) {
  if (symbol.consume_front("__ocml_")) {
    bool stripped = llvm::any_of(
        ArrayRef<StringRef>{"_f16", "_f32", "_f64"},
        [&](StringRef suffix) { return symbol.consume_back(suffix); });
    return stripped ? SmallVector<StringRef, 4>{symbol}
                    : SmallVector<StringRef, 4>{};
  }
  if (!symbol.consume_front("__nv_") && !symbol.consume_front("__imf_"))
    return {};
  SmallVector<StringRef, 4> names{symbol};
  for (StringRef suffix : {"f", "d", "ll"})
    if (symbol.ends_with(suffix))
      names.push_back(symbol.drop_back(suffix.size()));
  return names;
}

static const Entry *findExpansion(StringRef name) {
  if (const Entry *entry = findEntry(kExpansions, name))
    return entry;
  if (name.consume_front("float2") || name.consume_front("double2"))
    return findEntry(kRoundings, name);
  return nullptr;
}

Value mlt::expandLibraryFunction(OpBuilder &builder, tt::ExternElementwiseOp op,
                                 std::string &reason) {
  StringRef symbol = op.getSymbol();
  Emitter emitter(builder, op);
  for (StringRef name : getBaseNames(symbol)) {
    if (const Entry *entry = findExpansion(name)) {
      if (entry->numArguments == op.getSrcs().size())
        return entry->expand(emitter);
      reason = ("expected " + Twine(entry->numArguments) + " arguments of '" +
                symbol + "', got " + Twine(op.getSrcs().size()))
                   .str();
      return {};
    }
    const auto *it = llvm::find_if(
        kOpenCLNames, [&](const auto &pair) { return pair.first == name; });
    if (it != std::end(kOpenCLNames))
      return emitter.callOpenCL(it->second, op.getSrcs());
  }
  reason = ("the function '" + symbol +
            "' of another device's library has no counterpart here; compute it "
            "from functions of triton.language")
               .str();
  return {};
}
