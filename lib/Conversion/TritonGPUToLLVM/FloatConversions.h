//===- FloatConversions.h - narrow floats that LLVM does not carry --------===//
#ifndef MLTC_CONVERSION_TRITONGPUTOLLVM_FLOATCONVERSIONS_H
#define MLTC_CONVERSION_TRITONGPUTOLLVM_FLOATCONVERSIONS_H

#include "Conversion/TritonGPUToLLVM/CodeGenStyle.h"

namespace mlir::mlt {

/// True for the floats that are carried as integers and computed with in f32:
/// bf16 and the 8-bit formats.
bool isCarriedAsInteger(Type element);

/// True for those of them that can be converted to and from f32.
bool isConvertibleFloat(Type element);

/// f32 (a scalar or vector) of the values of `element` carried in `value`.
Value widenToF32(OpBuilder &builder, Location loc, Value value, Type element);

enum class Rounding { NearestEven, TowardZero };

/// f32 of `value`, an f64 (a scalar or vector), rounded toward zero.
Value truncateToF32TowardZero(OpBuilder &builder, Location loc, Value value);

/// The inverse of `widenToF32`. Values beyond the largest finite number become
/// infinity, and the largest number in formats without infinity or where they
/// are rounded toward zero.
Value narrowFromF32(OpBuilder &builder, Location loc, const CodeGenStyle &style,
                    Value value, Type element,
                    Rounding rounding = Rounding::NearestEven);

} // namespace mlir::mlt

#endif // MLTC_CONVERSION_TRITONGPUTOLLVM_FLOATCONVERSIONS_H
