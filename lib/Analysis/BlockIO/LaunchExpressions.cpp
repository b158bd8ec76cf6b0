//===- LaunchExpressions.cpp - scalars as functions of launch arguments
//-----===//
//
// A size of a surface is fixed once a kernel is launched, but rarely when it is
// compiled. This file turns the SSA chain of such a size into an expression
// that the runtime can evaluate, and answers questions of divisibility either
// from what was promised or with a condition that the runtime can check.
//
//===----------------------------------------------------------------------===//
#include "Analysis/BlockIO/LaunchExpressions.h"
#include "Analysis/BlockIO/LaunchOperations.h"
#include "Dialect/Triton/IR/Triton.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::mlt;

/// Limits of an expression; the runtime's parser has similar ones.
static constexpr unsigned kMaxDepth = 48;
static constexpr unsigned kMaxNodes = 512;
/// A divisor that stands for "divides by anything asked for", as zero does.
static constexpr int64_t kAnyDivisor = int64_t(1) << 30;

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

std::optional<unsigned> LaunchExpressions::getArgument(Value value) const {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || func.isExternal() ||
      argument.getOwner() != &func.getFunctionBody().front())
    return std::nullopt;
  return argument.getArgNumber();
}

int64_t LaunchExpressions::getPromise(unsigned argument) const {
  auto attr = func.getArgAttrOfType<IntegerAttr>(argument, "tt.divisibility");
  return attr && attr.getInt() > 0 ? attr.getInt() : 1;
}

std::optional<int64_t> LaunchExpressions::getConstant(Value value) {
  APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant)) ||
      constant.getSignificantBits() > 64)
    return std::nullopt;
  return constant.getSExtValue();
}

DictionaryAttr LaunchExpressions::leaf(StringRef key, IntegerAttr value) const {
  return builder.getDictionaryAttr(builder.getNamedAttr(key, value));
}

DictionaryAttr LaunchExpressions::constant(int64_t value) const {
  return leaf("const", builder.getI64IntegerAttr(value));
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

DictionaryAttr LaunchExpressions::binary(StringRef name, DictionaryAttr lhs,
                                         DictionaryAttr rhs) const {
  if (!lhs || !rhs)
    return {};
  NamedAttribute entries[] = {
      builder.getNamedAttr("op", builder.getStringAttr(name)),
      builder.getNamedAttr("lhs", lhs), builder.getNamedAttr("rhs", rhs)};
  return builder.getDictionaryAttr(entries);
}

DictionaryAttr LaunchExpressions::condition(StringRef compare,
                                            DictionaryAttr lhs,
                                            DictionaryAttr rhs,
                                            StringRef reason) const {
  NamedAttribute entries[] = {
      builder.getNamedAttr("kind", builder.getStringAttr("expr")),
      builder.getNamedAttr("compare", builder.getStringAttr(compare)),
      builder.getNamedAttr("lhs", lhs), builder.getNamedAttr("rhs", rhs),
      builder.getNamedAttr("reason", builder.getStringAttr(reason))};
  return builder.getDictionaryAttr(entries);
}

DictionaryAttr LaunchExpressions::build(Value value) const {
  unsigned budget = kMaxNodes;
  return build(value, kMaxDepth, budget);
}

DictionaryAttr LaunchExpressions::build(Value value, unsigned depth,
                                        unsigned &budget) const {
  if (depth == 0 || budget == 0 || !isa<IntegerType>(value.getType()))
    return {};
  --budget;
  if (std::optional<int64_t> constant = getConstant(value))
    return this->constant(*constant);
  if (std::optional<unsigned> argument = getArgument(value))
    return leaf("arg", builder.getI32IntegerAttr(*argument));
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  if (auto programs = dyn_cast<tt::GetNumProgramsOp>(op))
    return leaf("num_programs",
                builder.getI32IntegerAttr(programs.getAxisAsInt()));
  // Sizes are far below the limits of any of these types: a value that was cut
  // would exceed what a surface may have, and is refused for that.
  if (isa<arith::ExtSIOp, arith::TruncIOp>(op))
    return build(op->getOperand(0), depth - 1, budget);
  if (isa<arith::ExtUIOp>(op)) {
    unsigned bits = op->getOperand(0).getType().getIntOrFloatBitWidth();
    return binary("and", build(op->getOperand(0), depth - 1, budget),
                  constant(llvm::maskTrailingOnes<uint64_t>(bits)));
  }
  const LaunchOperation *known = LaunchOperation::find(op);
  if (!known)
    return {};
  DictionaryAttr lhs = build(op->getOperand(0), depth - 1, budget);
  return lhs ? binary(known->name, lhs,
                      build(op->getOperand(1), depth - 1, budget))
             : DictionaryAttr();
}

//===----------------------------------------------------------------------===//
// Divisibility
//===----------------------------------------------------------------------===//

/// Values on the current path: a value carried around a loop may be assumed to
/// have the property that is being shown for it.
struct LaunchExpressions::Search {
  llvm::SmallDenseSet<Value> path;
  unsigned budget = 4096;
};

static int64_t powerOfTwoIn(int64_t n) {
  if (n == 0)
    return kAnyDivisor;
  return std::min<int64_t>(n & -n, kAnyDivisor);
}

/// Operations whose result is a multiple of whatever divides all `operands`.
static bool keepsDivisors(Operation *op, SmallVectorImpl<Value> &operands) {
  if (isa<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MinUIOp,
          arith::MaxSIOp, arith::MaxUIOp, arith::RemSIOp, arith::RemUIOp,
          arith::OrIOp, arith::XOrIOp, arith::ExtSIOp, arith::ExtUIOp,
          arith::TruncIOp, arith::IndexCastOp>(op)) {
    operands.append(op->operand_begin(), op->operand_end());
    return true;
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    operands.append({select.getTrueValue(), select.getFalseValue()});
    return true;
  }
  return false;
}

/// What a block argument or a result of control flow is made of: everything
/// forwarded to it, or start and step of an induction variable.
static SmallVector<Value> getOrigins(Value value,
                                     const ForwardingEdges &edges) {
  SmallVector<Value> origins;
  for (OpOperand *source : edges.getSources(value))
    origins.push_back(source->get());
  auto argument = dyn_cast<BlockArgument>(value);
  if (!origins.empty() || !argument)
    return origins;
  auto loop =
      dyn_cast_or_null<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
  if (!loop || loop.getSingleInductionVar() != value)
    return {};
  for (std::optional<OpFoldResult> bound :
       {loop.getSingleLowerBound(), loop.getSingleStep()}) {
    auto scalar = bound ? dyn_cast<Value>(*bound) : Value();
    if (!scalar)
      return {};
    origins.push_back(scalar);
  }
  return origins;
}

int64_t LaunchExpressions::getDivisor(Value value) const {
  Search search;
  return divisor(value, search);
}

int64_t LaunchExpressions::divisor(Value value, Search &search) const {
  if (search.budget == 0)
    return 1;
  --search.budget;
  if (std::optional<int64_t> constant = getConstant(value))
    return powerOfTwoIn(*constant);
  if (std::optional<unsigned> argument = getArgument(value))
    return powerOfTwoIn(getPromise(*argument));
  if (!search.path.insert(value).second)
    return kAnyDivisor;
  int64_t result = 1;
  SmallVector<Value> operands;
  Operation *op = value.getDefiningOp();
  if (!op || isa<RegionBranchOpInterface>(op))
    operands = getOrigins(value, edges);
  if (!operands.empty() || (op && keepsDivisors(op, operands))) {
    result = kAnyDivisor;
    for (Value operand : operands)
      result = std::min(result, divisor(operand, search));
  } else if (op && isa<arith::MulIOp>(op)) {
    result = std::min(kAnyDivisor, divisor(op->getOperand(0), search) *
                                       divisor(op->getOperand(1), search));
  } else if (op && isa<arith::ShLIOp>(op)) {
    std::optional<int64_t> amount = getConstant(op->getOperand(1));
    if (amount && *amount >= 0 && *amount < 30)
      result =
          std::min(kAnyDivisor, divisor(op->getOperand(0), search) << *amount);
  } else if (op && isa<arith::AndIOp>(op)) {
    result = std::max(divisor(op->getOperand(0), search),
                      divisor(op->getOperand(1), search));
  }
  search.path.erase(value);
  return result;
}

bool LaunchExpressions::requireMultiple(
    Value value, int64_t factor, StringRef reason,
    SmallVectorImpl<Attribute> &needed) const {
  Search search;
  SmallVector<Attribute> found;
  if (!require(value, factor, reason, search, found))
    return false;
  for (Attribute attr : found)
    if (!llvm::is_contained(needed, attr))
      needed.push_back(attr);
  return true;
}

bool LaunchExpressions::require(Value value, int64_t factor, StringRef reason,
                                Search &search,
                                SmallVectorImpl<Attribute> &needed) const {
  if (factor <= 1 || search.path.contains(value))
    return true;
  if (search.budget == 0)
    return false;
  --search.budget;
  if (getDivisor(value) % factor == 0)
    return true;
  if (std::optional<unsigned> argument = getArgument(value)) {
    needed.push_back(condition(
        "multiple_of", leaf("arg", builder.getI32IntegerAttr(*argument)),
        constant(factor), reason));
    return isa<IntegerType>(value.getType());
  }
  search.path.insert(value);
  SmallVector<Value> operands;
  Operation *op = value.getDefiningOp();
  if (!op || isa<RegionBranchOpInterface>(op))
    operands = getOrigins(value, edges);
  bool result = false;
  if (!operands.empty() || (op && keepsDivisors(op, operands))) {
    result = llvm::all_of(operands, [&](Value operand) {
      return require(operand, factor, reason, search, needed);
    });
  } else if (op && isa<arith::MulIOp>(op)) {
    // One factor has to bring what the other one does not.
    for (unsigned index : {0u, 1u}) {
      SmallVector<Attribute> attempt;
      int64_t missing =
          std::max<int64_t>(1, factor / getDivisor(op->getOperand(1 - index)));
      result = require(op->getOperand(index), missing, reason, search, attempt);
      if (!result)
        continue;
      needed.append(attempt);
      break;
    }
  }
  search.path.erase(value);
  return result;
}
