//===- ForwardingEdges.h - what control flow passes on
//----------------------===//
#ifndef MLTC_ANALYSIS_FORWARDINGEDGES_H
#define MLTC_ANALYSIS_FORWARDINGEDGES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::mlt {

/// All edges along which structured and unstructured control flow below an
/// operation forwards an operand to a block argument or a result.
class ForwardingEdges {
public:
  explicit ForwardingEdges(Operation *root);

  /// The values that `operand` may be forwarded to.
  ArrayRef<Value> getTargets(OpOperand &operand) const {
    auto it = targets.find(&operand);
    return it == targets.end() ? ArrayRef<Value>() : ArrayRef(it->second);
  }

  /// The operands that may be forwarded to `value`.
  ArrayRef<OpOperand *> getSources(Value value) const {
    auto it = sources.find(value);
    return it == sources.end() ? ArrayRef<OpOperand *>() : ArrayRef(it->second);
  }

  /// All of them, in the order of the program.
  const llvm::MapVector<OpOperand *, SmallVector<Value>> &getAll() const {
    return targets;
  }

private:
  llvm::MapVector<OpOperand *, SmallVector<Value>> targets;
  llvm::DenseMap<Value, SmallVector<OpOperand *>> sources;
};

} // namespace mlir::mlt

#endif // MLTC_ANALYSIS_FORWARDINGEDGES_H
