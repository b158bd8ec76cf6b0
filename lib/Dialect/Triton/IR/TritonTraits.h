//===- TritonTraits.h - traits shared by operations of the tt dialect -----===//
#ifndef MLTC_DIALECT_TRITON_TRITONTRAITS_H
#define MLTC_DIALECT_TRITON_TRITONTRAITS_H

#include "mlir/IR/OpDefinition.h"

namespace mlir::tt::traits {

namespace impl {
LogicalResult verifyTensorSize(Operation *op);
LogicalResult verifySameEncoding(Operation *op, bool includeResults);
} // namespace impl

/// Tensors among operands and results have static shapes whose number of
/// elements is a power of two and within the limit of Triton.
template <typename ConcreteType>
class TensorSize : public OpTrait::TraitBase<ConcreteType, TensorSize> {
public:
  static LogicalResult verifyTrait(Operation *op) {
    return impl::verifyTensorSize(op);
  }
};

/// All tensors among operands and results carry the same encoding, or none.
template <typename ConcreteType>
class SameEncoding : public OpTrait::TraitBase<ConcreteType, SameEncoding> {
public:
  static LogicalResult verifyTrait(Operation *op) {
    return impl::verifySameEncoding(op, /*includeResults=*/true);
  }
};

/// All tensors among operands carry the same encoding, or none.
template <typename ConcreteType>
class SameOperandsEncoding
    : public OpTrait::TraitBase<ConcreteType, SameOperandsEncoding> {
public:
  static LogicalResult verifyTrait(Operation *op) {
    return impl::verifySameEncoding(op, /*includeResults=*/false);
  }
};

} // namespace mlir::tt::traits

#endif // MLTC_DIALECT_TRITON_TRITONTRAITS_H
