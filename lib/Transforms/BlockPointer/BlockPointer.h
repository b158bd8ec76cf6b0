//===- BlockPointer.h - block pointers as scalars
//---------------------------===//
//
// A block pointer is a base, a shape, strides and offsets. Passes that take it
// apart meet here: one way to build addresses and bounds from the parts.
//
//===----------------------------------------------------------------------===//
#ifndef MLTC_TRANSFORMS_BLOCKPOINTER_H
#define MLTC_TRANSFORMS_BLOCKPOINTER_H

#include "Dialect/Triton/IR/Triton.h"
#include "mlir/IR/Builders.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::mlt {

/// The parts of a block pointer, or of an access through a tensor descriptor.
struct BlockPointerParts {
  Value base;
  SmallVector<Value> shape;   // i64, elements
  SmallVector<Value> strides; // i64, elements
  SmallVector<Value> offsets; // i32, elements

  unsigned getRank() const { return shape.size(); }
};

/// The pointer to the first element of the block.
Value buildStart(OpBuilder &builder, Location loc,
                 const BlockPointerParts &parts);

/// A tensor of pointers to the elements of a block of `blockShape`. Address
/// arithmetic is in i64; what does not depend on the offsets is kept apart, so
/// that it can leave loops.
Value buildPointers(OpBuilder &builder, Location loc,
                    const BlockPointerParts &parts,
                    ArrayRef<int64_t> blockShape);

/// A tensor of i1 that is true inside the tensor in memory, considering the
/// dimensions `checked`; null when there are none.
Value buildBoundsMask(OpBuilder &builder, Location loc,
                      const BlockPointerParts &parts,
                      ArrayRef<int64_t> blockShape, ArrayRef<int32_t> checked);

/// What a masked load of `type` gives outside of the tensor: zero or NaN.
Value buildPadding(OpBuilder &builder, Location loc, RankedTensorType type,
                   tt::PaddingOption padding);

/// `vector`, of rank 1, laid along dimension `dim` of a tensor of `shape`.
Value spreadVector(OpBuilder &builder, Location loc, Value vector, unsigned dim,
                   ArrayRef<int64_t> shape);

/// The two dimensions of a tile of `shape` that make matrices of it: the last
/// ones with more than one element, where there are two.
std::pair<unsigned, unsigned> getMatrixDims(ArrayRef<int64_t> shape);

/// `value` as i64.
Value extendToI64(OpBuilder &builder, Location loc, Value value);

/// Adds the patterns that carry a type converted 1:N through structured and
/// unstructured control flow and selects, and makes them legal once converted.
void populateStructuralPatterns(const TypeConverter &converter,
                                RewritePatternSet &patterns,
                                ConversionTarget &target);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_BLOCKPOINTER_H
