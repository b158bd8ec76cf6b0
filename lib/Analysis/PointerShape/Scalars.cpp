//===- Scalars.cpp - index arithmetic on scalars --------------------------===//
//
// Loops count in different ways: a counter times a step, an induction variable
// that is the offset, an offset that is carried along. As polynomials in the
// number of completed iterations all of them are the same.
//
//===----------------------------------------------------------------------===//
#include "Analysis/PointerShape/Scalars.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/Triton/IR/Triton.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include <numeric>

using namespace mlir;
using namespace mlir::mlt;

static constexpr int64_t kMaxNarrow = std::numeric_limits<int32_t>::max();

static std::optional<int64_t> getConstant(Value value) {
  APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant)) ||
      constant.getSignificantBits() > 64)
    return std::nullopt;
  return constant.getSExtValue();
}

//===----------------------------------------------------------------------===//
// Values to polynomials
//===----------------------------------------------------------------------===//

Scalars::Unknown Scalars::number(const Entry &entry) {
  Unknown next = entries.size();
  Unknown found =
      entry.value ? valueNumbers.try_emplace(entry.value, next).first->second
                  : loopNumbers.try_emplace(entry.loop, next).first->second;
  if (found == next)
    entries.push_back(entry);
  return found;
}

Polynomial Scalars::getIterations(scf::ForOp loop) {
  return Polynomial::unknown(number({Value(), loop}));
}

bool Scalars::isIteration(Unknown unknown, scf::ForOp loop) const {
  const Entry &entry = entries[unknown];
  return !entry.value && (!loop || entry.loop == loop);
}

bool Scalars::isInvariant(const Polynomial &polynomial, scf::ForOp loop) const {
  return polynomial.isValid() && !polynomial.any([&](Unknown unknown) {
    const Entry &entry = entries[unknown];
    return entry.value ? !loop.isDefinedOutsideOfLoop(entry.value)
                       : loop->isAncestor(entry.loop);
  });
}

bool Scalars::all(const Polynomial &polynomial,
                  llvm::function_ref<bool(Value)> holds) const {
  return !polynomial.any(
      [&](Unknown unknown) { return !holds(entries[unknown].value); });
}

scf::ForOp Scalars::getCarrier(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop =
      argument
          ? dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp())
          : scf::ForOp();
  return loop && argument != loop.getInductionVar() ? loop : scf::ForOp();
}

Polynomial Scalars::carry(scf::ForOp loop, const Polynomial &init,
                          const Polynomial &step) {
  if (!isInvariant(step, loop))
    return Polynomial::invalid();
  return init + getIterations(loop) * step;
}

Polynomial Scalars::get(Value value) {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  // Met again while it is being expanded, a carried value stands for itself.
  if (!value.getType().isIntOrIndex())
    return getOpaque(value);
  if (!visiting.insert(value).second) {
    ++cycles;
    return getOpaque(value);
  }
  unsigned before = cycles;
  Polynomial result = expand(value);
  visiting.erase(value);
  if (!result.isValid())
    result = getOpaque(value);
  // What was found on the way around a cycle holds only there.
  if (visiting.empty() || before == cycles)
    known[value] = result;
  return result;
}

Polynomial Scalars::expand(Value value) {
  if (std::optional<int64_t> constant = getConstant(value))
    return Polynomial(*constant);
  if (auto argument = dyn_cast<BlockArgument>(value))
    return expandArgument(argument);
  Operation *op = value.getDefiningOp();
  if (isa<arith::AddIOp>(op))
    return get(op->getOperand(0)) + get(op->getOperand(1));
  if (isa<arith::SubIOp>(op))
    return get(op->getOperand(0)) - get(op->getOperand(1));
  if (isa<arith::MulIOp>(op))
    return get(op->getOperand(0)) * get(op->getOperand(1));
  if (isa<arith::ExtSIOp, arith::IndexCastOp>(op))
    return get(op->getOperand(0));
  if (isa<arith::ShLIOp>(op))
    if (std::optional<int64_t> bits = getConstant(op->getOperand(1));
        bits && *bits >= 0 && *bits < 62)
      return get(op->getOperand(0)) * Polynomial(int64_t(1) << *bits);
  return Polynomial::invalid();
}

Polynomial Scalars::expandArgument(BlockArgument argument) {
  if (scf::ForOp loop = getCarrier(argument)) {
    Polynomial self = getOpaque(argument);
    Polynomial step = get(loop.getTiedLoopYieldedValue(argument)->get()) - self;
    return carry(loop, get(loop.getTiedLoopInit(argument)->get()), step);
  }
  auto loop = dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || loop.getUnsignedCmp())
    return Polynomial::invalid();
  return carry(loop, get(loop.getLowerBound()), get(loop.getStep()));
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

void Scalars::assumeSizes(const Polynomial &bound) {
  for (const Polynomial::Term &term : bound.getTerms())
    if (term.coefficient > 0 && term.factors.size() == 1)
      if (auto argument = dyn_cast_if_present<BlockArgument>(
              entries[term.factors.front()].value);
          argument && !getCarrier(argument))
        sizes.insert(term.factors.front());
}

bool Scalars::isNonNegative(const Polynomial &polynomial) {
  return polynomial.isValid() &&
         llvm::all_of(polynomial.getTerms(), [&](const auto &term) {
           return term.coefficient > 0 &&
                  llvm::all_of(term.factors, [&](Unknown unknown) {
                    return isNonNegativeUnknown(unknown);
                  });
         });
}

bool Scalars::isNonNegativeUnknown(Unknown unknown) {
  if (isIteration(unknown) || sizes.contains(unknown))
    return true;
  Value value = entries[unknown].value;
  return isNonNegativeValue(value);
}

bool Scalars::isNonNegativeValue(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (isa<tt::GetProgramIdOp, tt::GetNumProgramsOp, WarpIdOp, arith::ExtUIOp>(
          op))
    return true;
  auto holds = [&](unsigned index) {
    return isNonNegative(get(op->getOperand(index)));
  };
  // What an index is divided by is a count.
  if (isa<arith::RemSIOp, arith::RemUIOp, arith::DivSIOp, arith::DivUIOp,
          arith::CeilDivSIOp, arith::FloorDivSIOp>(op))
    return holds(0);
  if (isa<arith::MinSIOp>(op))
    return holds(0) && holds(1);
  if (isa<arith::MaxSIOp, arith::AndIOp>(op))
    return holds(0) || holds(1);
  if (isa<arith::ShRSIOp, arith::ShRUIOp, arith::TruncIOp>(op))
    return holds(0);
  if (isa<arith::SelectOp>(op))
    return holds(1) && holds(2);
  return false;
}

/// An upper limit of how often a loop over an induction variable of 32 bits
/// starts an iteration, minus one.
static std::optional<int64_t> getLastIteration(scf::ForOp loop) {
  std::optional<int64_t> lower = getConstant(loop.getLowerBound());
  std::optional<int64_t> step = getConstant(loop.getStep());
  if (!loop.getInductionVar().getType().isInteger(32) ||
      loop.getUnsignedCmp() || !lower || *lower < 0 || !step || *step <= 0)
    return std::nullopt;
  int64_t upper = kMaxNarrow;
  if (std::optional<int64_t> constant = getConstant(loop.getUpperBound()))
    upper = *constant;
  else if (auto div = loop.getUpperBound().getDefiningOp<arith::DivSIOp>())
    if (std::optional<int64_t> divisor = getConstant(div.getRhs());
        divisor && *divisor > 0)
      upper = kMaxNarrow / *divisor;
  return std::max<int64_t>(0, (upper - 1 - *lower) / *step);
}

bool Scalars::isNarrow(scf::ForOp loop, const Polynomial &step) {
  std::optional<int64_t> last = getLastIteration(loop);
  std::optional<int64_t> constant = step.getConstant();
  return last && constant && *constant >= 0 &&
         (*constant == 0 || *last <= kMaxNarrow / *constant);
}

/// The largest value of 32 bits that `start` may have, when it is a multiple of
/// what all of its terms are multiples of.
static int64_t getLargestStart(const Polynomial &start) {
  if (std::optional<int64_t> constant = start.getConstant())
    return *constant;
  int64_t divisor = 0;
  for (const Polynomial::Term &term : start.getTerms())
    divisor = std::gcd(divisor, term.coefficient);
  return kMaxNarrow / divisor * divisor;
}

int64_t Scalars::getRoom(Value value) {
  auto fits = [](Type type) {
    return !type.isIndex() && type.getIntOrFloatBitWidth() <= 32;
  };
  if (fits(value.getType()))
    return kNarrowRoom;
  if (auto extend = value.getDefiningOp<arith::ExtSIOp>())
    return fits(extend.getIn().getType()) ? kNarrowRoom : 0;
  Polynomial polynomial = get(value);
  if (std::optional<int64_t> constant = polynomial.getConstant())
    return llvm::isInt<32>(*constant) ? kNarrowRoom : 0;
  // Carried by a loop from a value of 32 bits in constant steps.
  scf::ForOp loop = getCarrier(value);
  if (!loop)
    return 0;
  Polynomial step = getGrowth(polynomial, loop);
  Polynomial start = polynomial - getIterations(loop) * step;
  std::optional<int64_t> delta = step.getConstant();
  std::optional<int64_t> last = getLastIteration(loop);
  Value init = loop.getTiedLoopInit(cast<BlockArgument>(value))->get();
  if (!delta || !last || *delta < 0 || !isNonNegative(start) ||
      getRoom(init) != kNarrowRoom)
    return 0;
  int64_t grown;
  if (llvm::MulOverflow(*last, *delta, grown))
    return 0;
  int64_t largest = getLargestStart(start) + grown;
  return std::max<int64_t>(0, (int64_t(1) << 32) - largest);
}

//===----------------------------------------------------------------------===//
// Polynomials to values
//===----------------------------------------------------------------------===//

static Value castTo(OpBuilder &builder, Location loc, Value value, Type type) {
  Type from = value.getType();
  if (from == type)
    return value;
  if (from.isIndex() || type.isIndex())
    return arith::IndexCastOp::create(builder, loc, type, value);
  if (from.getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
    return arith::ExtSIOp::create(builder, loc, type, value);
  if (auto extend = value.getDefiningOp<arith::ExtSIOp>();
      extend && extend.getIn().getType() == type)
    return extend.getIn();
  return arith::TruncIOp::create(builder, loc, type, value);
}

Value Scalars::buildUnknown(OpBuilder &builder, Location loc, Unknown unknown,
                            Type type) {
  Entry entry = entries[unknown];
  if (entry.value)
    return castTo(builder, loc, entry.value, type);
  // (induction variable - lower) / step.
  Value count = entry.loop.getInductionVar();
  if (getConstant(entry.loop.getLowerBound()) != 0)
    count =
        arith::SubIOp::create(builder, loc, count, entry.loop.getLowerBound());
  if (getConstant(entry.loop.getStep()) != 1)
    count = arith::DivSIOp::create(builder, loc, count, entry.loop.getStep());
  return castTo(builder, loc, count, type);
}

Value Scalars::build(OpBuilder &builder, Location loc,
                     const Polynomial &polynomial, Type type) {
  auto constant = [&](int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, value));
  };
  Value sum;
  for (const Polynomial::Term &term : llvm::reverse(polynomial.getTerms())) {
    Value product;
    for (Unknown unknown : term.factors) {
      Value factor = buildUnknown(builder, loc, unknown, type);
      product =
          product
              ? arith::MulIOp::create(builder, loc, product, factor).getResult()
              : factor;
    }
    if (!product)
      product = constant(term.coefficient);
    else if (term.coefficient != 1)
      product = arith::MulIOp::create(builder, loc, product,
                                      constant(term.coefficient));
    sum = sum ? arith::AddIOp::create(builder, loc, sum, product).getResult()
              : product;
  }
  return sum ? sum : constant(0);
}

bool Scalars::hasTripCount(scf::ForOp loop) {
  std::optional<int64_t> step = getConstant(loop.getStep());
  return !loop.getUnsignedCmp() && step && *step > 0;
}

tt::GetProgramIdOp Scalars::getProgramId(const Polynomial::Term &term) const {
  if (term.coefficient <= 0 || term.factors.size() != 1)
    return {};
  Value value = entries[term.factors.front()].value;
  return value ? value.getDefiningOp<tt::GetProgramIdOp>()
               : tt::GetProgramIdOp();
}

Value Scalars::buildTripCount(OpBuilder &builder, Location loc,
                              scf::ForOp loop) {
  int64_t step = *getConstant(loop.getStep());
  Type i64 = builder.getI64Type();
  Polynomial most = get(loop.getUpperBound()) - get(loop.getLowerBound());
  for (const Polynomial::Term &term : SmallVector<Polynomial::Term>(
           most.getTerms().begin(), most.getTerms().end()))
    if (tt::GetProgramIdOp id = getProgramId(term)) {
      Value programs = tt::GetNumProgramsOp::create(
          builder, loc, builder.getI32Type(), id.getAxis());
      Polynomial last = getOpaque(programs) - Polynomial(1);
      most = most + Polynomial(term.coefficient) *
                        (last - Polynomial::unknown(term.factors.front()));
    }
  Value range = build(builder, loc, most + Polynomial(step - 1), i64);
  if (step == 1)
    return range;
  return arith::DivSIOp::create(
      builder, loc, range,
      arith::ConstantIntOp::create(builder, loc, i64, step));
}
