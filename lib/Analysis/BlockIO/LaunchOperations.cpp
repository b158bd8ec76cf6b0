//===- LaunchOperations.cpp - the operations of launch expressions --------===//
//
// Expressions over launch arguments are written by the compiler and read by the
// runtime, and also by the compiler itself when it puts a condition into the
// kernel. Both directions use this table. The runtime's side of it is
// mltc/package/expression.py.
//
//===----------------------------------------------------------------------===//
#include "Analysis/BlockIO/LaunchOperations.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::mlt;

template <typename OpTy>
static constexpr LaunchOperation entry(llvm::StringLiteral name,
                                       bool divides = false) {
  return {name, divides, [](Operation *op) { return isa<OpTy>(op); },
          [](OpBuilder &builder, Location loc, Value lhs, Value rhs) -> Value {
            return OpTy::create(builder, loc, lhs, rhs);
          }};
}

static constexpr LaunchOperation kOperations[] = {
    entry<arith::AddIOp>("add"),
    entry<arith::SubIOp>("sub"),
    entry<arith::MulIOp>("mul"),
    entry<arith::DivSIOp>("div_s", /*divides=*/true),
    entry<arith::DivUIOp>("div_u", /*divides=*/true),
    entry<arith::CeilDivSIOp>("ceildiv_s", /*divides=*/true),
    entry<arith::CeilDivUIOp>("ceildiv_u", /*divides=*/true),
    entry<arith::FloorDivSIOp>("floordiv_s", /*divides=*/true),
    entry<arith::RemSIOp>("rem_s", /*divides=*/true),
    entry<arith::RemUIOp>("rem_u", /*divides=*/true),
    entry<arith::MinSIOp>("min_s"),
    entry<arith::MaxSIOp>("max_s"),
    entry<arith::MinUIOp>("min_u"),
    entry<arith::MaxUIOp>("max_u"),
    entry<arith::AndIOp>("and"),
    entry<arith::OrIOp>("or"),
    entry<arith::XOrIOp>("xor"),
    entry<arith::ShLIOp>("shl"),
    entry<arith::ShRSIOp>("shr_s"),
    entry<arith::ShRUIOp>("shr_u"),
};

template <typename Predicate>
static const LaunchOperation *findIf(Predicate predicate) {
  const auto *found = llvm::find_if(kOperations, predicate);
  return found == std::end(kOperations) ? nullptr : found;
}

const LaunchOperation *LaunchOperation::find(Operation *op) {
  return findIf(
      [&](const LaunchOperation &known) { return known.matches(op); });
}

const LaunchOperation *LaunchOperation::find(StringRef name) {
  return findIf(
      [&](const LaunchOperation &known) { return known.name == name; });
}
