//===- Scalars.h - index arithmetic on scalars ------------------*- C++ -*-===//
#ifndef MLTC_ANALYSIS_POINTERSHAPE_SCALARS_H
#define MLTC_ANALYSIS_POINTERSHAPE_SCALARS_H

#include "Analysis/PointerShape/Polynomial.h"
#include "Dialect/Triton/IR/Triton.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::mlt {

/// Integer scalars of a function as polynomials, and back. Unknowns are values
/// that are no sums or products, and the number of iterations that a loop has
/// completed.
///
/// Polynomials are over whole numbers: index arithmetic is taken not to
/// overflow its type, which Triton treats as a fault of the kernel.
class Scalars {
public:
  using Unknown = Polynomial::Unknown;

  Polynomial get(Value value);
  /// The value as an unknown, whatever computes it.
  Polynomial getOpaque(Value value) {
    return Polynomial::unknown(number({value, nullptr}));
  }
  Polynomial getIterations(scf::ForOp loop);

  /// What a value carried by `loop` is at the start of an iteration when it
  /// starts as `init` and grows by `step`; invalid when `step` may change.
  Polynomial carry(scf::ForOp loop, const Polynomial &init,
                   const Polynomial &step);

  /// The loop that owns `argument` as a carried value, if any.
  static scf::ForOp getCarrier(Value argument);

  /// Whether the unknown counts the iterations of `loop`, or of any loop.
  bool isIteration(Unknown unknown, scf::ForOp loop = nullptr) const;

  /// Whether the value of `polynomial` is the same in all iterations.
  bool isInvariant(const Polynomial &polynomial, scf::ForOp loop) const;

  /// Says that the arguments in `bound` are sizes, which are not negative.
  void assumeSizes(const Polynomial &bound);
  bool isNonNegative(const Polynomial &polynomial);

  /// How many positions behind the value are the same in 32 bits, or negative
  /// there and so in front of every tensor; zero when nothing is known.
  int64_t getRoom(Value value);
  /// The room behind a value that fits in 32 bits, which ends where the next
  /// position that is not negative begins.
  static constexpr int64_t kNarrowRoom = int64_t(1) << 31;
  /// Whether iterations * step fits in 32 bits at every start of one.
  bool isNarrow(scf::ForOp loop, const Polynomial &step);

  /// What `polynomial` grows by in an iteration of `loop`.
  Polynomial getGrowth(const Polynomial &polynomial, scf::ForOp loop) {
    return polynomial.getFactorOf(number({Value(), loop}));
  }

  /// Whether `holds` for all values in `polynomial`; a null value stands for a
  /// number of iterations.
  bool all(const Polynomial &polynomial,
           llvm::function_ref<bool(Value)> holds) const;

  /// Whether the step of the loop is a positive constant.
  static bool hasTripCount(scf::ForOp loop);
  /// The id of a program that the term is a positive multiple of, if it is.
  tt::GetProgramIdOp getProgramId(const Polynomial::Term &term) const;
  /// (upper - lower + step - 1) / step in 64 bits: how often such a loop runs
  /// at most in any program, if it does.
  Value buildTripCount(OpBuilder &builder, Location loc, scf::ForOp loop);

  /// The value as an integer of `type`.
  Value build(OpBuilder &builder, Location loc, const Polynomial &polynomial,
              Type type);

private:
  struct Entry {
    Value value; // or
    scf::ForOp loop;
  };
  Unknown number(const Entry &entry);
  Polynomial expand(Value value);
  Polynomial expandArgument(BlockArgument argument);
  bool isNonNegativeUnknown(Unknown unknown);
  bool isNonNegativeValue(Value value);
  Value buildUnknown(OpBuilder &builder, Location loc, Unknown unknown,
                     Type type);

  SmallVector<Entry> entries;
  llvm::DenseMap<Value, Unknown> valueNumbers;
  llvm::DenseMap<Operation *, Unknown> loopNumbers;
  llvm::DenseMap<Value, Polynomial> known;
  llvm::SmallDenseSet<Value> visiting;
  unsigned cycles = 0;
  llvm::SmallDenseSet<Unknown> sizes;
};

} // namespace mlir::mlt

#endif // MLTC_ANALYSIS_POINTERSHAPE_SCALARS_H
