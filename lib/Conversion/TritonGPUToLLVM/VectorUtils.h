//===- VectorUtils.h - building and taking apart LLVM vectors -------------===//
//
// A tile with one register is a scalar, never a vector of one element; these
// helpers hide the difference.
//
//===----------------------------------------------------------------------===//
#ifndef MLTC_CONVERSION_TRITONGPUTOLLVM_VECTORUTILS_H
#define MLTC_CONVERSION_TRITONGPUTOLLVM_VECTORUTILS_H

#include "mlir/IR/Builders.h"

namespace mlir::mlt {

/// Longest vector handed to a conversion, a math function or a call: longer
/// ones have no counterpart in OpenCL.
inline constexpr int64_t kMaxCallVector = 16;

/// `element`, or a vector of `count` of them when there are several.
Type getVectorType(Type element, int64_t count);

/// Number of elements of a scalar (1) or vector type.
int64_t getVectorLength(Type type);

/// The type itself, or the element type of a vector.
Type getUnitType(Type type);

Value createConstant(OpBuilder &builder, Location loc, Type type,
                     int64_t value);

Value getElement(OpBuilder &builder, Location loc, Value vector, int64_t index);
SmallVector<Value> getElements(OpBuilder &builder, Location loc, Value vector);

/// The scalar itself when there is one, else a vector of all.
Value buildVector(OpBuilder &builder, Location loc, ArrayRef<Value> scalars);

/// A vector of `count` copies.
Value splatVector(OpBuilder &builder, Location loc, Value scalar,
                  int64_t count);

/// Elements `indices` of `vector`, a scalar for one index.
Value selectElements(OpBuilder &builder, Location loc, Value vector,
                     ArrayRef<int64_t> indices);

/// Pieces of at most `length` elements.
SmallVector<Value> splitVector(OpBuilder &builder, Location loc, Value vector,
                               int64_t length);
/// The inverse of `splitVector`; all pieces have one type.
Value concatVectors(OpBuilder &builder, Location loc, ArrayRef<Value> pieces);

/// Bitcast between scalars and vectors; nothing when the types agree.
Value bitcastTo(OpBuilder &builder, Location loc, Value value, Type type);

} // namespace mlir::mlt

#endif // MLTC_CONVERSION_TRITONGPUTOLLVM_VECTORUTILS_H
