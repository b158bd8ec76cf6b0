//===- SharedMemory.h - shared local memory of a work-group -----*- C++ -*-===//
#ifndef MLTC_DIALECT_MLT_IR_SHAREDMEMORY_H
#define MLTC_DIALECT_MLT_IR_SHAREDMEMORY_H

#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/Triton/IR/Triton.h"

namespace mlir::mlt {

/// Address space of pointers into shared local memory (OpenCL's local).
inline constexpr int kLocalSpace = 3;

/// Every buffer of shared local memory starts at a multiple of this (bytes).
inline constexpr int64_t kSlmAlignment = 64;

/// Whether `type` is a pointer into shared local memory, a block pointer, or a
/// tensor of such pointers.
inline bool isLocalPointer(Type type) {
  auto pointer = dyn_cast<tt::PointerType>(getElementTypeOrSelf(type));
  return pointer && pointer.getAddressSpace() == kLocalSpace;
}

inline int64_t getSizeInBytes(AllocOp op) {
  auto pointer = cast<tt::PointerType>(op.getResult().getType());
  int64_t bits = pointer.getPointeeType().getIntOrFloatBitWidth();
  int64_t size = std::max<int64_t>(1, bits / 8);
  for (int64_t extent : op.getShape())
    size *= extent;
  return size;
}

} // namespace mlir::mlt

#endif // MLTC_DIALECT_MLT_IR_SHAREDMEMORY_H
