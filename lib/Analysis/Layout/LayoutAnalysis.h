//===- LayoutAnalysis.h - layouts of all values of a function
//---------------===//
#ifndef MLTC_ANALYSIS_LAYOUT_LAYOUTANALYSIS_H
#define MLTC_ANALYSIS_LAYOUT_LAYOUTANALYSIS_H

#include "Analysis/ForwardingEdges/ForwardingEdges.h"
#include "Analysis/Layout/LayoutRules.h"
#include "mlir/IR/Value.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include <deque>

namespace mlir::mlt {

/// A dataflow analysis over all tensors and block pointers of a function. The
/// lattice of a value is "open" below one encoding; it moves once, so the state
/// is the same whatever order an implementation visits uses in, up to which of
/// two roots reaches a value first. Roots are given by the caller, strongest
/// first; every `assignRoot` runs to the fixed point.
///
/// Values that cost nothing to make (constants, ranges, splats and arithmetic
/// on those only) take no part: each use gets them in the layout it wants.
class LayoutAnalysis {
public:
  explicit LayoutAnalysis(FunctionOpInterface func, int64_t numWarps);

  /// Gives `op` the anchor encoding and propagates. Returns false when the
  /// operation already has an anchor or cannot carry this one.
  bool assignRoot(Operation *op, Attribute anchor);

  /// Settles what no root reached: remaining operations and values get an even
  /// split. After this every operation with a rule has an anchor and every
  /// value that is not cheap an encoding.
  void finish();

  /// The layout in which `value` is defined, null when open or cheap.
  Attribute lookup(Value value) const { return encodings.lookup(value); }

  /// The anchor of an operation (see LayoutRules.h), null when open.
  Attribute lookupAnchor(Operation *op) const { return anchors.lookup(op); }

  /// The layout in which an operand is wanted, null when any will do.
  Attribute getRequired(OpOperand &operand) const;

  /// True for values that are made anew for each layout.
  bool isCheap(Value value) const { return cheap.contains(value); }

  /// What control flow of the function passes on.
  const ForwardingEdges &getEdges() const { return edges; }

  /// An even split of a tensor of `shape` in row-major order.
  Attribute getDefaultEncoding(ArrayRef<int64_t> shape) const;

  /// Operations with tensors, in program order; cheap ones left out.
  ArrayRef<Operation *> getOperations() const { return operations; }

  int64_t getNumWarps() const { return numWarps; }

private:
  void joinForwarded();
  void collectOperations();
  bool computeCheap(Value value);
  void joinGroups(Value a, Value b);

  void assign(Value value, Attribute encoding);
  void visit(Value value);
  void tryAnchor(Operation *op, Attribute anchor, bool weak);
  void setAnchor(Operation *op, Attribute anchor);
  void propagate();
  Attribute chooseAnchor(Operation *op) const;
  void followPointers(Operation *op);

  FunctionOpInterface func;
  MLIRContext *context;
  int64_t numWarps;
  ForwardingEdges edges;
  SmallVector<Operation *> operations;
  llvm::DenseMap<Value, bool> cheapCache;
  llvm::DenseSet<Value> cheap;

  /// Values that can only have one layout together (carried by one loop
  /// position, or a block pointer and what it was advanced from).
  llvm::DenseMap<Value, unsigned> groupOf;
  std::vector<SmallVector<Value>> groups;

  llvm::DenseMap<Value, Attribute> encodings;
  llvm::DenseMap<Operation *, Attribute> anchors;
  std::deque<Value> worklist;
  std::deque<std::pair<Operation *, Attribute>> weakAnchors;
};

/// The tensor type that the anchor of `op` describes.
RankedTensorType getAnchorType(Operation *op);

} // namespace mlir::mlt

#endif // MLTC_ANALYSIS_LAYOUT_LAYOUTANALYSIS_H
