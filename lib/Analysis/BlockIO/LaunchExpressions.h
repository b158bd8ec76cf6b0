//===- LaunchExpressions.h - scalars as functions of launch arguments
//-------===//
#ifndef MLTC_ANALYSIS_BLOCKIO_LAUNCHEXPRESSIONS_H
#define MLTC_ANALYSIS_BLOCKIO_LAUNCHEXPRESSIONS_H

#include "Analysis/ForwardingEdges/ForwardingEdges.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <optional>

namespace mlir::mlt {

/// What is known about integer scalars of a kernel before it is launched, and
/// what a launch would have to promise.
class LaunchExpressions {
public:
  LaunchExpressions(FunctionOpInterface func, const ForwardingEdges &edges)
      : func(func), edges(edges), builder(func.getContext()) {}

  /// The value as nested dictionaries over kernel arguments:
  /// {arg = 0 : i32}, {const = 5 : i64}, {num_programs = 1 : i32} or
  /// {op = "mul", lhs = .., rhs = ..}. Null when it depends on anything that is
  /// not known at launch.
  DictionaryAttr build(Value value) const;

  static std::optional<int64_t> getConstant(Value value);

  /// The largest power of two that is known to divide the value, from constants
  /// and promised divisibility.
  int64_t getDivisor(Value value) const;

  /// True when the value is a multiple of `factor` (a power of two), given the
  /// preconditions appended to `needed`.
  bool requireMultiple(Value value, int64_t factor, StringRef reason,
                       SmallVectorImpl<Attribute> &needed) const;

  /// The expressions `value` and `lhs name rhs`; null where an operand is.
  DictionaryAttr constant(int64_t value) const;
  DictionaryAttr binary(StringRef name, DictionaryAttr lhs,
                        DictionaryAttr rhs) const;

  /// The precondition that `lhs compare rhs` holds.
  DictionaryAttr condition(StringRef compare, DictionaryAttr lhs,
                           DictionaryAttr rhs, StringRef reason) const;

  /// Index of the kernel argument that `value` is, if it is one.
  std::optional<unsigned> getArgument(Value value) const;

  /// Promised divisibility of an argument: bytes for pointers, else units.
  int64_t getPromise(unsigned argument) const;

private:
  struct Search;
  DictionaryAttr build(Value value, unsigned depth, unsigned &budget) const;
  int64_t divisor(Value value, Search &search) const;
  bool require(Value value, int64_t factor, StringRef reason, Search &search,
               SmallVectorImpl<Attribute> &needed) const;
  DictionaryAttr leaf(StringRef key, IntegerAttr value) const;

  mutable FunctionOpInterface func;
  const ForwardingEdges &edges;
  mutable Builder builder;
};

} // namespace mlir::mlt

#endif // MLTC_ANALYSIS_BLOCKIO_LAUNCHEXPRESSIONS_H
