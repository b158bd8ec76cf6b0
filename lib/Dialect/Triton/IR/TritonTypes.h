//===- TritonTypes.h - types of the tt dialect ----------------------------===//
#ifndef MLTC_DIALECT_TRITON_TRITONTYPES_H
#define MLTC_DIALECT_TRITON_TRITONTYPES_H

#include "mlir/IR/BuiltinTypes.h"

#define GET_TYPEDEF_CLASSES
#include "Dialect/Triton/IR/TritonTypes.h.inc"

namespace mlir::tt {

/// What a load through `type` gives: the pointee of a pointer, a tensor of the
/// pointees for a tensor of pointers (the encoding is kept). A type that is no
/// pointer is returned as it is.
Type getPointeeType(Type type);

/// The mask of an access through `type`: i1, or a tensor of i1 of the shape and
/// encoding of what is pointed to.
Type getMaskType(Type type);

/// `i1`, or a tensor of i1 of the shape and encoding of `type`.
Type getMaskTypeOfShape(Type type);

/// The pointer to an element of the block that `blockPointer` points to.
Type getElementPointerType(Type blockPointer);

/// `type`, or the tensor type like it, with `element` as its element type.
Type cloneWithElementType(Type type, Type element);

/// Whether `type` points to a block of a tensor.
bool isBlockPointer(Type type);

/// Width of a scalar or of an element of a tensor in bits; pointers have 64.
/// 0 when the width is not known.
unsigned getElementBitWidth(Type type);

} // namespace mlir::tt

#endif // MLTC_DIALECT_TRITON_TRITONTYPES_H
