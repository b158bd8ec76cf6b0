//===- TritonVerifyMemory.cpp - verifiers of memory operations ------------===//
//
// Block pointers and descriptors say how many dimensions an access has; masks
// belong to tensors of pointers, boundary checks to block pointers.
//
//===----------------------------------------------------------------------===//
#include "Dialect/Triton/IR/Triton.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::tt;

//===----------------------------------------------------------------------===//
// Block pointers
//===----------------------------------------------------------------------===//

static RankedTensorType getBlock(Value blockPointer) {
  return cast<RankedTensorType>(
      cast<PointerType>(blockPointer.getType()).getPointeeType());
}

LogicalResult MakeTensorPtrOp::verify() {
  size_t rank = getBlock(getResult()).getRank();
  // In the generic form the operands are one list of any length.
  if (getNumOperands() != 1 + 3 * rank)
    return emitOpError("expected ")
           << rank << " sizes, strides and offsets each for " << getType()
           << ", got " << getNumOperands() - 1 << " operands after the base";
  SmallVector<int64_t> order(getOrder());
  if (order.size() != rank || !isPermutationVector(order)) {
    InFlightDiagnostic diag =
        emitOpError("expected order to be a permutation of ")
        << rank << " dimensions, got [";
    llvm::interleaveComma(order, diag);
    return diag << "]";
  }
  return success();
}

LogicalResult AdvanceOp::verify() {
  size_t rank = getBlock(getPtr()).getRank();
  if (getOffsets().size() != rank)
    return emitOpError("expected ")
           << rank << " offsets, got " << getOffsets().size();
  return success();
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

static LogicalResult verifyBoundaryCheck(Operation *op, Type ptr,
                                         ArrayRef<int32_t> boundaryCheck) {
  if (!isBlockPointer(ptr)) {
    if (boundaryCheck.empty())
      return success();
    return op->emitOpError(
               "expected boundaryCheck only with a block pointer, got ")
           << ptr;
  }
  int64_t rank = cast<RankedTensorType>(getPointeeType(ptr)).getRank();
  llvm::SmallDenseSet<int32_t> seen;
  for (int32_t dim : boundaryCheck) {
    if (dim < 0 || dim >= rank)
      return op->emitOpError("expected dimensions below ")
             << rank << " in boundaryCheck, got " << dim;
    if (!seen.insert(dim).second)
      return op->emitOpError(
                 "expected each dimension once in boundaryCheck, got ")
             << dim << " twice";
  }
  return success();
}

LogicalResult LoadOp::verify() {
  Type ptr = getPtr().getType();
  if (getOther() && !getMask())
    return emitOpError("expected a mask with the other value");
  if (isBlockPointer(ptr)) {
    if (getMask())
      return emitOpError("expected no mask with a block pointer");
  } else if (getPadding()) {
    return emitOpError("expected padding only with a block pointer, got ")
           << ptr;
  }
  return verifyBoundaryCheck(*this, ptr, getBoundaryCheck());
}

LogicalResult StoreOp::verify() {
  Type ptr = getPtr().getType();
  if (isBlockPointer(ptr) && getMask())
    return emitOpError("expected no mask with a block pointer");
  return verifyBoundaryCheck(*this, ptr, getBoundaryCheck());
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

/// Checks that `type` is what `ptr` points to.
static LogicalResult verifyPointee(Operation *op, Value ptr, Type type,
                                   StringRef what) {
  Type pointee = getPointeeType(ptr.getType());
  if (pointee == type)
    return success();
  return op->emitOpError("expected ")
         << what << " of type " << pointee << ", got " << type;
}

static LogicalResult verifyMask(Operation *op, Value ptr, Value mask) {
  if (!mask || mask.getType() == getMaskType(ptr.getType()))
    return success();
  return op->emitOpError("expected a mask of type ")
         << getMaskType(ptr.getType()) << ", got " << mask.getType();
}

LogicalResult AtomicRMWOp::verify() {
  Value ptr = getPtr();
  if (failed(verifyPointee(*this, ptr, getVal().getType(), "a value")) ||
      failed(verifyPointee(*this, ptr, getType(), "a result")) ||
      failed(verifyMask(*this, ptr, getMask())))
    return failure();
  Type element = getElementTypeOrSelf(getType());
  RMWOp kind = getAtomicRmwOp();
  if (kind == RMWOp::XCHG)
    return success();
  bool wantsFloat = kind == RMWOp::FADD;
  if (wantsFloat ? isa<FloatType>(element) : isa<IntegerType>(element))
    return success();
  return emitOpError("expected ")
         << (wantsFloat ? "a floating-point" : "an integer") << " element for "
         << stringifyRMWOp(kind) << ", got " << element;
}

LogicalResult AtomicCASOp::verify() {
  Value ptr = getPtr();
  return success(
      succeeded(verifyPointee(*this, ptr, getCmp().getType(), "cmp")) &&
      succeeded(verifyPointee(*this, ptr, getVal().getType(), "a value")) &&
      succeeded(verifyPointee(*this, ptr, getType(), "a result")));
}

/// Checks that `ptr` points to elements that can be moved in one piece.
static LogicalResult verifyAtomicWidth(Operation *op, Value ptr,
                                       unsigned minBits) {
  Type element = getElementTypeOrSelf(getPointeeType(ptr.getType()));
  if (isa<PointerType>(element) || element.getIntOrFloatBitWidth() >= minBits)
    return success();
  return op->emitOpError("expected elements of at least ")
         << minBits << " bits, got " << element;
}

LogicalResult AtomicLoadOp::verify() {
  if (getSem() == MemSemantic::RELEASE ||
      getSem() == MemSemantic::ACQUIRE_RELEASE)
    return emitOpError("expected relaxed or acquire ordering, got ")
           << stringifyMemSemantic(getSem());
  return success(
      succeeded(verifyPointee(*this, getPtr(), getType(), "a result")) &&
      succeeded(verifyMask(*this, getPtr(), getMask())) &&
      succeeded(verifyAtomicWidth(*this, getPtr(), /*minBits=*/8)));
}

LogicalResult AtomicStoreOp::verify() {
  if (getSem() == MemSemantic::ACQUIRE ||
      getSem() == MemSemantic::ACQUIRE_RELEASE)
    return emitOpError("expected relaxed or release ordering, got ")
           << stringifyMemSemantic(getSem());
  return verifyAtomicWidth(*this, getPtr(), /*minBits=*/8);
}

LogicalResult AtomicPollOp::verify() {
  if (getSem() == MemSemantic::RELEASE ||
      getSem() == MemSemantic::ACQUIRE_RELEASE)
    return emitOpError("expected relaxed or acquire ordering, got ")
           << stringifyMemSemantic(getSem());
  return success(
      succeeded(verifyPointee(*this, getPtr(), getExpected().getType(),
                              "an expected value")) &&
      succeeded(verifyAtomicWidth(*this, getPtr(), /*minBits=*/16)));
}

LogicalResult PrintOp::verify() {
  if (getIsSigned().size() != getArgs().size())
    return emitOpError("expected isSigned to have an entry for each of the ")
           << getArgs().size() << " operands, got " << getIsSigned().size();
  return success();
}

//===----------------------------------------------------------------------===//
// Tensor descriptors
//===----------------------------------------------------------------------===//

LogicalResult MakeTensorDescOp::verify() {
  TensorDescType desc = getType();
  if (getNumOperands() != 1 + 2 * desc.getRank())
    return emitOpError("expected ")
           << desc.getRank() << " sizes and strides each for " << desc
           << ", got " << getNumOperands() - 1 << " operands after the base";
  Type element = desc.getSignlessBlockType().getElementType();
  Type pointee = cast<PointerType>(getBase().getType()).getPointeeType();
  if (pointee != element)
    return emitOpError("expected a base that points to ")
           << element << ", got " << getBase().getType();
  return success();
}

/// Checks a block against the descriptor that it is loaded or stored through.
/// Leading dimensions of size 1 may be missing from the block.
static LogicalResult verifyBlock(Operation *op, TensorDescType desc,
                                 RankedTensorType tensor, size_t numIndices) {
  if (numIndices != desc.getRank())
    return op->emitOpError("expected ")
           << desc.getRank() << " indices, got " << numIndices;
  RankedTensorType block = desc.getSignlessBlockType();
  ArrayRef<int64_t> shape = block.getShape();
  while (shape.size() > static_cast<size_t>(tensor.getRank()) &&
         shape.front() == 1)
    shape = shape.drop_front();
  if (shape == tensor.getShape() &&
      block.getElementType() == tensor.getElementType())
    return success();
  return op->emitOpError("expected a tensor like the block ")
         << RankedTensorType::get(block.getShape(), block.getElementType())
         << ", got " << tensor;
}

LogicalResult DescriptorLoadOp::verify() {
  return verifyBlock(*this, getDesc().getType(), getType(),
                     getIndices().size());
}

LogicalResult DescriptorStoreOp::verify() {
  return verifyBlock(*this, getDesc().getType(), getSrc().getType(),
                     getIndices().size());
}

LogicalResult DescriptorReduceOp::verify() {
  return verifyBlock(*this, getDesc().getType(), getSrc().getType(),
                     getIndices().size());
}

/// Rows that are gathered or scattered: the block is one row, the tensor one
/// row per offset.
static LogicalResult verifyRows(Operation *op, TensorDescType desc,
                                RankedTensorType offsets,
                                RankedTensorType rows) {
  RankedTensorType block = desc.getSignlessBlockType();
  if (block.getRank() != 2 || block.getDimSize(0) != 1)
    return op->emitOpError("expected a descriptor of blocks of one row, got ")
           << desc;
  if (offsets.getRank() != 1)
    return op->emitOpError("expected a tensor of offsets of rank 1, got ")
           << offsets;
  auto expected = RankedTensorType::get(
      {offsets.getDimSize(0), block.getDimSize(1)}, block.getElementType());
  if (rows.getShape() != expected.getShape() ||
      rows.getElementType() != expected.getElementType())
    return op->emitOpError("expected rows of type ")
           << expected << ", got " << rows;
  // Triton's limits, which come from the hardware it was made for.
  constexpr int64_t minRows = 8, minRowBits = 32 * 8, maxElementBits = 32;
  if (rows.getDimSize(0) < minRows)
    return op->emitOpError("expected at least ")
           << minRows << " rows, got " << rows.getDimSize(0);
  if (getElementBitWidth(rows) > maxElementBits)
    return op->emitOpError("expected elements of at most ")
           << maxElementBits << " bits, got " << rows.getElementType();
  int64_t minColumns = minRowBits / getElementBitWidth(rows);
  if (rows.getDimSize(1) < minColumns)
    return op->emitOpError("expected at least ")
           << minColumns << " columns of " << rows.getElementType() << ", got "
           << rows.getDimSize(1);
  return success();
}

LogicalResult DescriptorGatherOp::verify() {
  return verifyRows(*this, getDesc().getType(), getXOffsets().getType(),
                    getType());
}

LogicalResult DescriptorScatterOp::verify() {
  return verifyRows(*this, getDesc().getType(), getXOffsets().getType(),
                    getSrc().getType());
}

LogicalResult ExperimentalDescriptorGatherOp::verify() {
  return verifyRows(*this, getDesc().getType(), getXOffsets().getType(),
                    getType());
}

LogicalResult ExperimentalDescriptorScatterOp::verify() {
  return verifyRows(*this, getDesc().getType(), getXOffsets().getType(),
                    getSrc().getType());
}

/// A typed descriptor is checked like the newer operations do; an untyped one
/// says nothing about the block but its rank.
static LogicalResult verifyOldBlock(Operation *op, Type desc,
                                    RankedTensorType tensor,
                                    size_t numIndices) {
  if (auto typed = dyn_cast<TensorDescType>(desc))
    return verifyBlock(op, typed, tensor, numIndices);
  if (numIndices != static_cast<size_t>(tensor.getRank()))
    return op->emitOpError("expected ")
           << tensor.getRank() << " indices, got " << numIndices;
  return success();
}

LogicalResult ExperimentalDescriptorLoadOp::verify() {
  return verifyOldBlock(*this, getDescPtr().getType(), getType(),
                        getIndices().size());
}

LogicalResult ExperimentalDescriptorStoreOp::verify() {
  return verifyOldBlock(*this, getDescPtr().getType(), getSrc().getType(),
                        getIndices().size());
}

LogicalResult ExperimentalTensormapCreateOp::verify() {
  size_t rank = getBoxDim().size();
  if (getGlobalDim().size() != rank || getElementStride().size() != rank ||
      getGlobalStride().size() + 1 != rank)
    return emitOpError("expected ")
           << rank << " global sizes and element strides, and one global "
           << "stride less, got " << getGlobalDim().size() << ", "
           << getElementStride().size() << " and " << getGlobalStride().size();
  return success();
}
