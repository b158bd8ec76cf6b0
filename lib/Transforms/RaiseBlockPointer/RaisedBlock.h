//===- RaisedBlock.h - one access as a block of a tensor --------*- C++ -*-===//
#ifndef MLTC_TRANSFORMS_RAISEBLOCKPOINTER_RAISEDBLOCK_H
#define MLTC_TRANSFORMS_RAISEBLOCKPOINTER_RAISEDBLOCK_H

#include "Analysis/BlockIO/LaunchExpressions.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Transforms/RaiseBlockPointer/MaskedResults.h"

namespace mlir::mlt {

/// One dimension of the block: the tensor extends from zero to `extent`.
struct RaisedDimension {
  Polynomial stride;
  Polynomial offset;
  Polynomial extent;
  /// Every iteration of this loop adds `growth` to what the tensor extends to.
  scf::ForOp coveredBy;
  Polynomial growth;
  /// Whether elements outside have to be left out.
  bool checked = false;
  /// Whether the tensor begins where the block does, because nobody knows
  /// before the launch where it ends: `extent` is what is left of it from there
  /// on, if any.
  bool fromBlock = false;
};

/// A tensor in memory and a block of it.
struct RaisedBlock {
  Value base;
  Polynomial start; // of the tensor, in elements behind the base
  SmallVector<RaisedDimension, 2> dims;
  /// Where one of these does not hold, the block lies outside of the tensor
  /// along `guarded`.
  SmallVector<UniformCondition, 1> conditions;
  unsigned guarded = 0;
};

/// What all accesses of a function share.
struct FunctionShapes {
  explicit FunctionShapes(tt::FuncOp func) : edges(func), launch(func, edges) {}
  PointerShapeAnalysis shapes;
  ForwardingEdges edges;
  LaunchExpressions launch;
};

/// The block that a load or store through a tensor of pointers accesses, or
/// why there is none.
struct RaisedBlockResult {
  std::optional<RaisedBlock> form;
  StringRef reason;
};
RaisedBlockResult matchRaisedBlock(Operation *access, FunctionShapes &function);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_RAISEBLOCKPOINTER_RAISEDBLOCK_H
