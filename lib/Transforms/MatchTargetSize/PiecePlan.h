//===- PiecePlan.h - the piece shape of every tile ------------------------===//
#ifndef MLTC_TRANSFORMS_PIECEPLAN_H
#define MLTC_TRANSFORMS_PIECEPLAN_H

#include "Analysis/OperandRole/OperandRole.h"
#include "Analysis/RegisterPressure/RegisterPressure.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Target/Description/TargetDescription.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::mlt {

/// Largest sizes the user allows, in elements; empty: the target's.
struct SizeLimits {
  SmallVector<int64_t> load;  // rows, columns
  SmallVector<int64_t> store; // rows, columns
  SmallVector<int64_t> dot;   // m, n, k
};

/// Rows, columns and depth of one dot instruction.
struct DotShape {
  int64_t m, n, k;
};

/// Decides, before anything is rewritten, into which pieces each value of a
/// function is split. Block pointers get the size of the message that uses
/// them, operands of dots and accumulators that of the dot instruction,
/// everything else a register-sized default that depends on the shape only.
class PiecePlan {
public:
  PiecePlan(const TargetDescription &target, const SizeLimits &limits,
            ThreadStyle style)
      : target(target), limits(limits), style(style) {}

  /// Fills the plan for everything in `module`. Emits an error at the first
  /// operation that no instruction of the target can do.
  LogicalResult compute(ModuleOp module);

  /// Shape of the pieces of `value`: empty for what is not a tile.
  SmallVector<int64_t> getPiece(Value value) const;

  /// True when `value` consists of more than one piece.
  bool isSplit(Value value) const;

  /// The size of the instruction for `dot`, or nullopt after an error.
  std::optional<DotShape> getDotShape(tt::DotOp dot) const;

private:
  LogicalResult planDots(Operation *func);
  void limitRows(SmallVectorImpl<int64_t> &piece,
                 const BlockLoadForm &form) const;
  LogicalResult planPointers(ModuleOp module);
  void planDepths(ModuleOp module);
  void planRoles(Operation *func);
  void planRest(Operation *func);
  std::optional<SmallVector<int64_t>> getMessageShape(Operation *op,
                                                      Value pointer) const;
  SmallVector<int64_t> getDefaultPiece(ArrayRef<int64_t> shape) const;

  const TargetDescription &target;
  const SizeLimits &limits;
  ThreadStyle style;
  std::optional<OperandRoles> roles;
  llvm::DenseMap<Value, SmallVector<int64_t>> pieces;
  int64_t tileRows = 0;
};

/// The tile behind a tensor or block pointer type, or null.
RankedTensorType getTileType(Type type);

/// `type` with another tile shape: tensor or block pointer.
Type withTileShape(Type type, ArrayRef<int64_t> shape);

/// True when memory runs along dimension 0 of the block that `pointer` names.
/// Nullopt when the pointer cannot be followed to its make_tensor_ptr.
std::optional<bool> isTransposedBlock(Value pointer);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_PIECEPLAN_H
