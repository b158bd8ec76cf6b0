//===- TritonTraits.cpp - traits shared by operations of the tt dialect ---===//
//
// Checks that hold for every operation: the size of tensors, and that
// elementwise operations do not mix encodings. Both look at types only.
//
//===----------------------------------------------------------------------===//
#include "Dialect/Triton/IR/TritonTraits.h"
#include "Dialect/Triton/IR/TritonTypes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt;

/// The largest tensor Triton allows.
static constexpr uint64_t kMaxTensorElements = 1u << 20;

static LogicalResult verifyTensorType(Operation *op, Type type) {
  if (auto pointer = dyn_cast<PointerType>(type))
    type = pointer.getPointeeType();
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return success();
  if (!tensor.hasStaticShape())
    return op->emitOpError("expected tensors of static shape, got ") << tensor;
  uint64_t elements = 1;
  for (int64_t size : tensor.getShape()) {
    if (!llvm::isPowerOf2_64(size))
      return op->emitOpError("expected sizes that are powers of two, got ")
             << tensor;
    bool overflow = false;
    elements = llvm::SaturatingMultiply<uint64_t>(elements, size, &overflow);
    if (overflow || elements > kMaxTensorElements)
      return op->emitOpError("expected at most ")
             << kMaxTensorElements << " elements, got " << tensor;
  }
  return success();
}

LogicalResult traits::impl::verifyTensorSize(Operation *op) {
  for (Type type : op->getOperandTypes())
    if (failed(verifyTensorType(op, type)))
      return failure();
  for (Type type : op->getResultTypes())
    if (failed(verifyTensorType(op, type)))
      return failure();
  return success();
}

LogicalResult traits::impl::verifySameEncoding(Operation *op,
                                               bool includeResults) {
  std::optional<RankedTensorType> first;
  auto check = [&](Type type) -> LogicalResult {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return success();
    if (!first) {
      first = tensor;
      return success();
    }
    if (first->getEncoding() == tensor.getEncoding())
      return success();
    return op->emitOpError("expected tensors of the same encoding, got ")
           << *first << " and " << tensor;
  };
  for (Type type : op->getOperandTypes())
    if (failed(check(type)))
      return failure();
  if (includeResults)
    for (Type type : op->getResultTypes())
      if (failed(check(type)))
        return failure();
  return success();
}
