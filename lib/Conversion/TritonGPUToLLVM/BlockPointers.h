//===- BlockPointers.h - where block pointers come from -------------------===//
#ifndef MLTC_CONVERSION_TRITONGPUTOLLVM_BLOCKPOINTERS_H
#define MLTC_CONVERSION_TRITONGPUTOLLVM_BLOCKPOINTERS_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::mlt {

/// What is known of the tensor behind a block pointer.
struct BlockOrigin {
  /// Dimensions by memory stride, contiguous one first.
  SmallVector<int32_t> order;
  /// Every pointer that can reach here starts at a kernel argument as it was
  /// passed; its alignment is a launch precondition.
  bool baseIsArgument;
};

/// Origins of the pointers of all block accesses under an operation.
class BlockPointerAnalysis {
public:
  /// Emits an error and fails when an access can be reached by pointers of
  /// different orders, or by one of unknown origin.
  static FailureOr<BlockPointerAnalysis> run(Operation *root);

  /// The origin of the pointer that `access` (tt.load, tt.store, mlt.prefetch)
  /// goes through. It must have been there when the analysis ran.
  const BlockOrigin &getOrigin(Operation *access) const {
    return origins.find(access)->second;
  }

private:
  llvm::DenseMap<Operation *, BlockOrigin> origins;
};

} // namespace mlir::mlt

#endif // MLTC_CONVERSION_TRITONGPUTOLLVM_BLOCKPOINTERS_H
