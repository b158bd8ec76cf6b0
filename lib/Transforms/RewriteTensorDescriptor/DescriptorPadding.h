//===- DescriptorPadding.h - padding of descriptor accesses
//-----------------===//
#ifndef MLTC_TRANSFORMS_REWRITETENSORDESCRIPTOR_DESCRIPTORPADDING_H
#define MLTC_TRANSFORMS_REWRITETENSORDESCRIPTOR_DESCRIPTORPADDING_H

#include "Dialect/Triton/IR/Triton.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::mlt {

/// The padding that each read through a descriptor gives outside of the tensor:
/// that of every descriptor which control flow can bring there.
class DescriptorPadding {
public:
  /// Emits an error at a read that descriptors of different padding reach.
  LogicalResult analyze(tt::FuncOp func);

  tt::PaddingOption lookup(Operation *access) const {
    auto it = paddings.find(access);
    return it == paddings.end() ? tt::PaddingOption::PAD_ZERO : it->second;
  }

private:
  llvm::DenseMap<Operation *, tt::PaddingOption> paddings;
};

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_REWRITETENSORDESCRIPTOR_DESCRIPTORPADDING_H
