//===- Predication.h - memory accesses of some lanes only -----------------===//
#ifndef MLTC_CONVERSION_TRITONGPUTOLLVM_PREDICATION_H
#define MLTC_CONVERSION_TRITONGPUTOLLVM_PREDICATION_H

#include "Conversion/TritonGPUToLLVM/TypeConverter.h"

namespace mlir::mlt {

/// The condition, per slot, under which a lane accesses memory for the slot.
class SlotPredicate {
public:
  /// `mask`: the operation's mask and `carried` what it was converted to, or
  /// both null. `onceOnly`: replicas of an element do not access memory.
  SlotPredicate(OpBuilder &builder, Location loc, const CodeGenStyle &style,
                const Tile &tile, Value mask, Value carried, bool onceOnly);

  /// The condition of all slots when they share one.
  bool isShared() const { return shared; }
  /// The condition of `slot`; null: always.
  Value get(int64_t slot) const {
    return conditions.empty() ? Value() : conditions[shared ? 0 : slot];
  }

private:
  SmallVector<Value> conditions;
  bool shared = true;
};

/// Runs `emit` where `condition` holds (always when null) and returns its
/// results; elsewhere `otherwise`, one per result.
SmallVector<Value>
emitPredicated(OpBuilder &builder, Location loc, Value condition,
               ValueRange otherwise,
               function_ref<SmallVector<Value>(OpBuilder &)> emit);

/// Loads an element, or `otherwise` where `condition` does not hold, with one
/// predicated message. `otherwise` is as in memory.
Value loadPredicated(OpBuilder &builder, Location loc, Value pointer,
                     Value condition, Value otherwise);

/// Stores `value`, as in memory, where `condition` holds, the same way.
void storePredicated(OpBuilder &builder, Location loc, Value pointer,
                     Value condition, Value value);

/// Copies the results of predicated accesses from the lanes that made them to
/// the lanes that hold replicas.
SmallVector<Value> copyToReplicas(OpBuilder &builder, Location loc,
                                  const CodeGenStyle &style, const Tile &tile,
                                  ArrayRef<Value> slots);

/// An LLVM pointer in `addressSpace` to a carried address (i64 or pointer).
Value getPointer(OpBuilder &builder, Location loc, Value address,
                 unsigned addressSpace);

/// The address of a pointer as i64; tiles of pointers are addresses already.
Value toAddress(OpBuilder &builder, Location loc, Value pointer);

} // namespace mlir::mlt

#endif // MLTC_CONVERSION_TRITONGPUTOLLVM_PREDICATION_H
