//===- TransposedPointers.h - block pointers in another order ---*- C++ -*-===//
#ifndef MLTC_TRANSFORMS_FOLDTRANSPOSITION_TRANSPOSEDPOINTERS_H
#define MLTC_TRANSFORMS_FOLDTRANSPOSITION_TRANSPOSEDPOINTERS_H

#include "Dialect/Triton/IR/Triton.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::mlt {

/// Twins of block pointers: they point to the same elements with the dimensions
/// in another order, and are made, advanced and carried beside the pointers.
class TransposedPointers {
public:
  /// Dimension i of a twin is dimension `order[i]` of its pointer.
  explicit TransposedPointers(ArrayRef<int32_t> order) : order(order) {}

  ArrayRef<int32_t> getOrder() const { return order; }

  /// Whether `pointer` can have a twin: it is made, advanced and carried by
  /// `scf.for` only, and each loop carries it to the same place.
  static bool canTranspose(Value pointer);

  /// The twin of the pointer of `load`, for which `canTranspose` holds. Loops
  /// that carry the pointer are replaced by ones that carry the twin too, so
  /// values of theirs that the caller holds are gone.
  Value get(tt::LoadOp load);

  /// `values`, one per dimension, in the order of the twins.
  template <typename Range> auto permute(Range &&values) const {
    return llvm::map_to_vector(order, [&](int32_t dim) { return values[dim]; });
  }

  /// The numbers that the dimensions `dims` have in the twins.
  SmallVector<int32_t> renumber(ArrayRef<int32_t> dims) const;

private:
  /// The twin of `pointer`. That of the pointer which it follows from outside
  /// of all loops around is known, or there is none.
  Value get(Value pointer);
  Value make(tt::MakeTensorPtrOp op);
  Value advance(tt::AdvanceOp op);
  /// Lets `loop` carry the twin of its value `index`.
  scf::ForOp carry(scf::ForOp loop, unsigned index);
  /// `loop` with one more carried value, first `init`, which it yields as it
  /// is.
  scf::ForOp addCarried(scf::ForOp loop, Value init);

  SmallVector<int32_t> order;
  llvm::DenseMap<Value, Value> twins;
};

/// Stops loops in `func` from advancing block pointers that nothing uses any
/// more, so that canonicalization removes them.
void releaseUnusedPointers(tt::FuncOp func);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_FOLDTRANSPOSITION_TRANSPOSEDPOINTERS_H
