//===- RegisterPressure.h - registers that a loop needs -------------------===//
#ifndef MLTC_TRANSFORMS_SCHEDULELOAD_REGISTERPRESSURE_H
#define MLTC_TRANSFORMS_SCHEDULELOAD_REGISTERPRESSURE_H

#include "Target/Description/TargetDescription.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::mlt {

/// An estimate on pieces: what a value needs follows from its type, and an
/// operation that works place by place writes over an operand that ends there.
class RegisterPressure {
public:
  explicit RegisterPressure(const TargetDescription &target) : target(target) {}

  /// The most registers of a thread that are live at one time while the body
  /// of `loop` runs, values from in front of the loop included.
  int64_t getPeak(Operation *loop) const;

  /// What a value of `type` occupies.
  int64_t getRegisters(Type type) const;

private:
  SetVector<Value> getLiveThrough(Operation *loop) const;
  int64_t getPeak(Block &block, const SetVector<Value> &liveThrough) const;

  const TargetDescription &target;
};

/// Registers of a thread in the largest mode with room for the warps of
/// `module`.
int64_t getMostRegisters(ModuleOp module, const TargetDescription &target);

/// Registers that a loop may use: `requested` if it is not 0, else as many as
/// there are, less a reserve.
/// Fails with an error if `requested` is negative.
FailureOr<int64_t> getRegisterBudget(ModuleOp module,
                                     const TargetDescription &target,
                                     int64_t requested);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_SCHEDULELOAD_REGISTERPRESSURE_H
