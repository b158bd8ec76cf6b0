//===- Polynomial.h - sums of products of scalars ---------------*- C++ -*-===//
//
// Index arithmetic is compared and taken apart as polynomials: two ways to
// compute an offset are equal when their polynomials are.
//
//===----------------------------------------------------------------------===//
#ifndef MLTC_ANALYSIS_POINTERSHAPE_POLYNOMIAL_H
#define MLTC_ANALYSIS_POINTERSHAPE_POLYNOMIAL_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace mlir::mlt {

/// A polynomial with integer coefficients over numbered unknowns. Arithmetic
/// that leaves 64 bits, or grows out of hand, gives an invalid polynomial,
/// which equals nothing.
class Polynomial {
public:
  using Unknown = unsigned;
  struct Term {
    /// In ascending order, repeated for powers.
    SmallVector<Unknown, 2> factors;
    int64_t coefficient;
  };

  Polynomial() = default;
  explicit Polynomial(int64_t constant);
  static Polynomial unknown(Unknown unknown);
  static Polynomial invalid();

  bool isValid() const { return valid; }
  bool isZero() const { return valid && terms.empty(); }
  std::optional<int64_t> getConstant() const;
  /// Sorted by their factors, without zero coefficients.
  ArrayRef<Term> getTerms() const { return terms; }

  Polynomial operator+(const Polynomial &other) const;
  Polynomial operator-(const Polynomial &other) const;
  Polynomial operator*(const Polynomial &other) const;
  bool operator==(const Polynomial &other) const;
  bool operator!=(const Polynomial &other) const { return !(*this == other); }

  /// The terms for which `keep` holds.
  Polynomial filter(llvm::function_ref<bool(const Term &)> keep) const;
  bool contains(Unknown unknown) const;
  bool any(llvm::function_ref<bool(Unknown)> holds) const;

  /// The factor of `unknown` in the terms that contain it; invalid when one
  /// contains a power of it.
  Polynomial getFactorOf(Unknown unknown) const;

private:
  void add(ArrayRef<Unknown> factors, int64_t coefficient);

  SmallVector<Term, 2> terms;
  bool valid = true;
};

} // namespace mlir::mlt

#endif // MLTC_ANALYSIS_POINTERSHAPE_POLYNOMIAL_H
