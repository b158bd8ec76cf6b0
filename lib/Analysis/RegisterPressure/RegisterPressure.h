//===- RegisterPressure.h - registers that a block needs ------------------===//
#ifndef MLTC_ANALYSIS_REGISTERPRESSURE_H
#define MLTC_ANALYSIS_REGISTERPRESSURE_H

#include "Target/Description/TargetDescription.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::mlt {

/// What a thread is in the registers of the device: 16 lanes with a share of
/// each tile, or one that holds whole tiles.
enum class ThreadStyle { Simt, Simd };

/// The style named by the option `style` of a pass; fails after an error at
/// `module`.
FailureOr<ThreadStyle> parseThreadStyle(ModuleOp module, StringRef name);

/// An estimate on pieces: what a value needs follows from its type, and an
/// operation that works place by place writes over an operand that ends there.
class RegisterPressure {
public:
  RegisterPressure(const TargetDescription &target, ThreadStyle style)
      : target(target), style(style) {}

  /// The most registers of a thread that are live at one time while the body
  /// of `loop` runs, values from in front of the loop included.
  int64_t getPeak(Operation *loop) const;

  /// What a value of `type` occupies.
  int64_t getRegisters(Type type) const;

  /// Registers that are live while each operation of `block` runs, in order.
  SmallVector<int64_t> getProfile(Block &block) const;

private:
  bool isView(Operation *op) const;
  void forEachStorage(Value value, llvm::function_ref<void(Value)> fn) const;
  SetVector<Value> getLiveThrough(Operation *loop) const;
  SmallVector<int64_t> getProfile(Block &block,
                                  const SetVector<Value> &liveThrough) const;
  int64_t getTemporaries(Operation &op) const;

  const TargetDescription &target;
  ThreadStyle style;
};

/// The mode with the most registers that has room for the warps of `module`;
/// null if none has.
const GRFMode *getLargestMode(ModuleOp module, const TargetDescription &target);

/// Registers of a thread in that mode.
int64_t getMostRegisters(ModuleOp module, const TargetDescription &target);

/// Registers that a pass may use: `requested`, its option `registers`, if that
/// is not 0, else as many as there are, less `reservedPermille` of them.
/// Fails with an error if `requested` is negative.
FailureOr<int64_t> getRegisterBudget(ModuleOp module,
                                     const TargetDescription &target,
                                     int64_t reservedPermille,
                                     int64_t requested);

/// The same, less what the compiler behind us needs of a thread of `style`.
FailureOr<int64_t> getRegisterBudget(ModuleOp module,
                                     const TargetDescription &target,
                                     ThreadStyle style, int64_t requested);

} // namespace mlir::mlt

#endif // MLTC_ANALYSIS_REGISTERPRESSURE_H
