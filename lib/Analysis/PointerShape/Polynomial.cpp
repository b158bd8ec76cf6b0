//===- Polynomial.cpp - sums of products of scalars -----------------------===//
//
// A sorted list of terms. Expressions of index arithmetic have a handful; more
// than `kMaxTerms` is nothing that anybody wrote as an address.
//
//===----------------------------------------------------------------------===//
#include "Analysis/PointerShape/Polynomial.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::mlt;

static constexpr size_t kMaxTerms = 64;
static constexpr size_t kMaxFactors = 8;

Polynomial::Polynomial(int64_t constant) {
  if (constant != 0)
    terms.push_back({{}, constant});
}

Polynomial Polynomial::unknown(Unknown unknown) {
  Polynomial result;
  result.terms.push_back({{unknown}, 1});
  return result;
}

Polynomial Polynomial::invalid() {
  Polynomial result;
  result.valid = false;
  return result;
}

std::optional<int64_t> Polynomial::getConstant() const {
  if (isZero())
    return 0;
  if (!valid || terms.size() != 1 || !terms.front().factors.empty())
    return std::nullopt;
  return terms.front().coefficient;
}

static bool precedes(ArrayRef<unsigned> a, ArrayRef<unsigned> b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

void Polynomial::add(ArrayRef<Unknown> factors, int64_t coefficient) {
  auto *it = llvm::lower_bound(terms, factors, [](const Term &term, auto key) {
    return precedes(term.factors, key);
  });
  if (it == terms.end() || ArrayRef(it->factors) != factors) {
    valid &= terms.size() < kMaxTerms && factors.size() <= kMaxFactors;
    if (valid && coefficient != 0)
      terms.insert(it, Term{SmallVector<Unknown, 2>(factors), coefficient});
    return;
  }
  valid &= !llvm::AddOverflow(it->coefficient, coefficient, it->coefficient);
  if (it->coefficient == 0)
    terms.erase(it);
}

Polynomial Polynomial::operator+(const Polynomial &other) const {
  Polynomial result = *this;
  result.valid &= other.valid;
  for (const Term &term : other.terms)
    result.add(term.factors, term.coefficient);
  return result;
}

Polynomial Polynomial::operator-(const Polynomial &other) const {
  return *this + other * Polynomial(-1);
}

Polynomial Polynomial::operator*(const Polynomial &other) const {
  Polynomial result;
  result.valid = valid && other.valid;
  for (const Term &a : terms)
    for (const Term &b : other.terms) {
      SmallVector<Unknown, 4> factors(a.factors.begin(), a.factors.end());
      llvm::append_range(factors, b.factors);
      llvm::sort(factors);
      int64_t coefficient;
      result.valid &=
          !llvm::MulOverflow(a.coefficient, b.coefficient, coefficient);
      result.add(factors, coefficient);
    }
  return result;
}

bool Polynomial::operator==(const Polynomial &other) const {
  return valid && other.valid &&
         llvm::equal(terms, other.terms, [](const Term &a, const Term &b) {
           return a.factors == b.factors && a.coefficient == b.coefficient;
         });
}

Polynomial
Polynomial::filter(llvm::function_ref<bool(const Term &)> keep) const {
  Polynomial result;
  result.valid = valid;
  llvm::copy_if(terms, std::back_inserter(result.terms), keep);
  return result;
}

bool Polynomial::contains(Unknown unknown) const {
  return any([&](Unknown other) { return other == unknown; });
}

bool Polynomial::any(llvm::function_ref<bool(Unknown)> holds) const {
  return llvm::any_of(terms, [&](const Term &term) {
    return llvm::any_of(term.factors, holds);
  });
}

Polynomial Polynomial::getFactorOf(Unknown unknown) const {
  Polynomial result;
  result.valid = valid;
  for (const Term &term : terms) {
    auto *it = llvm::find(term.factors, unknown);
    if (it == term.factors.end())
      continue;
    SmallVector<Unknown, 2> rest(term.factors);
    rest.erase(rest.begin() + (it - term.factors.begin()));
    result.valid &= !llvm::is_contained(rest, unknown);
    result.add(rest, term.coefficient);
  }
  return result;
}
