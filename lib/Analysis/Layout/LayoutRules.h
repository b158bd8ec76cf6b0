//===- LayoutRules.h - how one operation relates layouts
//--------------------===//
#ifndef MLTC_ANALYSIS_LAYOUT_LAYOUTRULES_H
#define MLTC_ANALYSIS_LAYOUT_LAYOUTRULES_H

#include "mlir/IR/Operation.h"
#include <optional>

namespace mlir::mlt {

/// The propagation rule that an operation follows.
enum class LayoutRule {
  /// No tensor among operands and results.
  None,
  /// All tensors share one encoding (loads, stores, arithmetic, broadcast,
  /// ...).
  Same,
  /// The tensors have nothing to do with each other (print, histogram).
  Free,
  /// Operands are forwarded along control-flow edges.
  ControlFlow,
  Dot,
  DotScaled,
  Reduce,
  ExpandDims,
  Trans,
  Reshape,
  Join,
  Split,
  Cat,
  Gather,
  /// No rule: the operation has no place at this level.
  Unsupported
};

LayoutRule getLayoutRule(Operation *op);

/// True for rules whose operands or results need only an equivalent encoding;
/// the others compare types.
bool isLooseRule(LayoutRule rule);

/// True when the layout of operand `index` may differ in spelling from the one
/// that the rule gives.
bool isLooseOperand(Operation *op, unsigned index);

/// True for operations that only compute, place by place, so that they can be
/// done again in another layout.
bool isRematerializable(Operation *op);

/// Every rule but Free and ControlFlow derives all encodings of an operation
/// from one, its anchor: that of the result for elementwise operations, dots
/// and expand_dims, that of the source for reductions and shape operations.
///
/// The functions below return null where the rule leaves the encoding open or
/// where no encoding does what is asked.
Attribute getAnchorFromResult(Operation *op, unsigned index,
                              Attribute encoding);
Attribute getAnchorFromOperand(Operation *op, unsigned index,
                               Attribute encoding);
Attribute getOperandEncoding(Operation *op, unsigned index, Attribute anchor);
Attribute getResultEncoding(Operation *op, unsigned index, Attribute anchor);

/// True when every tensor of `op` can carry what the rule gives for `anchor`.
bool acceptsAnchor(Operation *op, Attribute anchor);

/// Whether layouts should travel through this operation only after everything
/// else has settled: rank changes, which also have the weaker claim.
bool isWeakFromResult(Operation *op);
bool isWeakFromOperand(Operation *op);

/// The encoding of a tensor of `shape` that gets a dimension of `extent`
/// elements, whole in every warp, at `axis`: the parent where `encoding` is the
/// slice of it, else a new name. Null when there is none.
Attribute getUnslicedEncoding(Attribute encoding, unsigned axis,
                              ArrayRef<int64_t> unslicedShape);

} // namespace mlir::mlt

#endif // MLTC_ANALYSIS_LAYOUT_LAYOUTRULES_H
