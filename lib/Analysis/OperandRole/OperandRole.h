//===- OperandRole.h - which values are dot operands ----------------------===//
#ifndef MLTC_ANALYSIS_OPERANDROLE_H
#define MLTC_ANALYSIS_OPERANDROLE_H

#include "Dialect/Triton/IR/Triton.h"
#include "Target/Description/TargetDescription.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::mlt {

/// Calls `fn` for every value that control flow makes the same tile as `value`:
/// loop inits, block arguments, yielded values and results that belong
/// together.
void forEachConnected(Value value, llvm::function_ref<void(Value)> fn);

/// All block pointers that are `pointer` up to control flow and advances.
SetVector<Value> getPointerFamily(Value pointer);

/// Whether `value` is operand A or B of a product, itself or as what `follow`
/// adds to the values for one of their uses.
bool reachesDot(
    Value value,
    llvm::function_ref<void(OpOperand &use, SmallVectorImpl<Value> &values)>
        follow);

/// True for dots that are done by multiplications and additions instead of the
/// dot instruction: of f32 with `ieee`, f64, and i32.
bool isMultiplyAddDot(tt::DotOp dot);

/// The dot instruction for the types of `dot`, or null. `names`, if given,
/// receives how the target data calls the types of A, B and C.
const DotForm *findDotForm(const TargetDescription &target, tt::DotOp dot,
                           std::array<std::string, 3> *names = nullptr);

/// The message that loads blocks of elements of `bits` which are used as
/// `role`, from memory in the order of their rows or, `transposed`, of their
/// columns; null if there is none. Where no message transposes into the plain
/// image, it is the one of operand B: lanes hold the same elements then, packed
/// into registers, and take them apart without an exchange.
const BlockLoadForm *findLoadForm(const TargetDescription &target,
                                  unsigned bits, BlockRole role,
                                  bool transposed);

/// True for operations that produce each element of their result from the
/// elements at the same place of their operands, or that only select pieces:
/// a register image passes through them unchanged.
bool keepsRegisterImage(Operation *op);

/// Which tensors under `root` reach dots as operand A or B and nothing else.
/// Works on warp tiles and on pieces.
class OperandRoles {
public:
  explicit OperandRoles(Operation *root);

  BlockRole get(Value value) const {
    auto it = roles.find(value);
    return it == roles.end() ? BlockRole::Plain : it->second;
  }

private:
  void seed(Operation *root);
  void prune();

  llvm::DenseMap<Value, BlockRole> roles;
};

} // namespace mlir::mlt

#endif // MLTC_ANALYSIS_OPERANDROLE_H
