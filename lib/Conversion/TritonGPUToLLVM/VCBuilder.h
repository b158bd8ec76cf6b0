//===- VCBuilder.h - calls of the vector backend's intrinsics -------------===//
//
// What the parts of style simd share: forming overloaded names, constants of
// the widths that the intrinsics want, and messages with an address per
// element.
//
//===----------------------------------------------------------------------===//
#ifndef MLTC_CONVERSION_TRITONGPUTOLLVM_VCBUILDER_H
#define MLTC_CONVERSION_TRITONGPUTOLLVM_VCBUILDER_H

#include "Target/Intrinsics/DeviceCalls.h"
#include "Target/Intrinsics/VC.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::mlt {

/// Creates calls at the insertion point of an OpBuilder.
class VCBuilder {
public:
  VCBuilder(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  /// Calls the intrinsic `stem`, overloaded for `overloads`; null when it
  /// returns nothing.
  Value call(StringRef stem, TypeRange overloads, Type result, ValueRange args,
             DeviceEffects effects) const;
  /// Calls a function of one vector whose result has type `result`.
  Value callPure(StringRef stem, Type result, Value argument) const {
    return call(stem, TypeRange{result, argument.getType()}, result, argument,
                DeviceEffects::None);
  }

  Value constant(unsigned bits, int64_t value) const;
  /// A predicate that is true for all of `count` elements.
  Value getTrue(int64_t count = 1) const;

  void fence(VCPort port, VCFenceOp op, VCScope scope) const;

  /// A load, store or atomic update of `addresses.size()` elements of memory;
  /// addresses are i64, or i32 in shared local memory. `predicate` may be null.
  /// Data are vectors of i32 (narrower elements in the low bits) or i64.
  /// A load of several elements per address gives the first of all addresses,
  /// then the second of all.
  Value load(VCPort port, unsigned elementBits, Value addresses,
             Value predicate, Type data, int64_t perAddress = 1) const;
  void store(VCPort port, unsigned elementBits, Value addresses,
             Value predicate, Value data) const;
  /// `operands`: none, one or two vectors of the data's type.
  Value atomic(VCPort port, VCAtomicOp op, unsigned elementBits,
               Value addresses, Value predicate, ValueRange operands,
               Type data) const;

  /// Dwords from one address (i64, or i32 in shared local memory) on.
  Value loadConsecutive(VCPort port, Value address, int64_t dwords) const;
  void storeConsecutive(VCPort port, Value address, Value data) const;

  /// Elements `indices` of a vector: a region of registers where one
  /// describes them.
  Value select(Value vector, ArrayRef<int64_t> indices) const;

private:
  SmallVector<Value> getAddressedArgs(int64_t op, unsigned elementBits,
                                      Value addresses, Value predicate,
                                      int64_t perAddress = 1,
                                      int64_t order = kVCOrderPlain) const;
  Value toUnitVector(Value scalar) const;

  OpBuilder &builder;
  Location loc;
};

} // namespace mlir::mlt

#endif // MLTC_CONVERSION_TRITONGPUTOLLVM_VCBUILDER_H
