//===- PointerShape.h - tensors of indices and pointers ---------*- C++ -*-===//
#ifndef MLTC_ANALYSIS_POINTERSHAPE_POINTERSHAPE_H
#define MLTC_ANALYSIS_POINTERSHAPE_POINTERSHAPE_H

#include "Analysis/PointerShape/Scalars.h"

namespace mlir::mlt {

/// An index that is brought back below `bound` when it reaches it, by a
/// remainder, a select or a minimum. Below it is `start` plus the position in
/// its dimension; beyond it the elements are other ones of the same tensor.
struct WrappedIndex {
  Polynomial start;
  Polynomial bound;
  /// Whether the index or the bound is known to fit in 32 bits.
  bool narrow = false;
};

/// A tensor of integers: start + sum over d of strides[d] * position[d].
struct IndexShape {
  Polynomial start;
  SmallVector<Polynomial, 2> strides;
  SmallVector<std::optional<WrappedIndex>, 2> wraps;
  /// How many positions behind the start are what they are in 32 bits too, or
  /// negative there; zero when nothing is known of the start.
  int64_t room = 0;

  explicit IndexShape(unsigned rank = 0) : strides(rank), wraps(rank) {}
  bool isUniform() const;
  bool hasWraps() const;
  /// The only dimension along which the elements differ, if there is one.
  std::optional<unsigned> getOnlyDim() const;
};

/// A tensor of pointers: base plus an index in elements.
struct PointerShape {
  Value base;
  IndexShape index;
};

/// One comparison of a mask: position[dim] + start is below, or not below,
/// `bound`.
struct MaskCondition {
  unsigned dim;
  bool upper;
  Polynomial start;
  Polynomial bound;
  /// The room behind the start, whether the bound fits in 32 bits (or the start
  /// does), and whether the comparison is one of 32 bits.
  int64_t room;
  bool narrowBound;
  bool narrowType;
};

/// A part of a mask that is the same for all elements: a scalar, or
/// left < right.
struct UniformCondition {
  Value scalar;
  Polynomial left, right;
};

/// A mask as a conjunction. What is neither a bound nor uniform is left out
/// then, and the mask is not complete.
struct MaskShape {
  SmallVector<MaskCondition, 2> bounds;
  SmallVector<UniformCondition, 1> uniform;
  bool complete = true;
};

/// What tensors of indices, pointers and masks are made of, remembered by
/// value.
class PointerShapeAnalysis {
public:
  std::optional<IndexShape> getIndex(Value tensor);
  std::optional<PointerShape> getPointers(Value tensor);
  /// The conjunction that `mask`, which may be absent, is.
  MaskShape getMask(Value mask);

  Scalars scalars;

private:
  std::optional<IndexShape> computeIndex(Value tensor);
  std::optional<IndexShape> computeArithmetic(Operation *op);
  std::optional<IndexShape> computeCarried(scf::ForOp loop, Value argument);
  std::optional<IndexShape> computeWrapped(Operation *op);
  std::optional<IndexShape> wrap(Value index, Value bound, int64_t added = 0);
  std::optional<PointerShape> computePointers(Value tensor);
  std::optional<PointerShape> computeCarriedPointers(scf::ForOp loop,
                                                     Value argument);
  void addMask(Value mask, MaskShape &shape);
  bool addComparison(Operation *cmp, MaskShape &shape);

  llvm::DenseMap<Value, std::optional<IndexShape>> indices;
  llvm::DenseMap<Value, std::optional<PointerShape>> pointers;
  /// The carried values that are being looked at, which stand for themselves.
  llvm::SmallDenseSet<Value> open;
};

} // namespace mlir::mlt

#endif // MLTC_ANALYSIS_POINTERSHAPE_POINTERSHAPE_H
