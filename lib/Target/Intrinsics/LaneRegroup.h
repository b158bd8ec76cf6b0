//===- LaneRegroup.h - lanes of two registers in another order ------------===//
#ifndef MLTC_TARGET_INTRINSICS_LANEREGROUP_H
#define MLTC_TARGET_INTRINSICS_LANEREGROUP_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include <optional>

namespace mlir::mlt {

/// The lanes of two registers, one register after the other, in groups of
/// `width`: the even groups, or the odd ones.
struct LaneRegroup {
  /// Lanes of a register that holds one 32-bit value per lane.
  static constexpr int64_t kNumLanes = 16;

  int64_t width;
  bool odd;

  /// Place of what lane `lane` gets, counted over both registers.
  int64_t getSource(int64_t lane) const {
    return lane / width * 2 * width + (odd ? width : 0) + lane % width;
  }
};

/// True for values of a lane that `createRegroup` moves.
bool canRegroup(Type type);

/// One move that takes half of the lanes of `first` and of `second`.
Value createRegroup(OpBuilder &builder, Location loc, Value first, Value second,
                    LaneRegroup regroup);

/// What `op`, made by `createRegroup`, does; nothing for any other assembly.
std::optional<LaneRegroup> decodeRegroup(LLVM::InlineAsmOp op);

} // namespace mlir::mlt

#endif // MLTC_TARGET_INTRINSICS_LANEREGROUP_H
