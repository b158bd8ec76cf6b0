//===- BlockForms.h - the block message or dot that a tile fits -----------===//
#ifndef MLTC_CONVERSION_TRITONGPUTOLLVM_BLOCKFORMS_H
#define MLTC_CONVERSION_TRITONGPUTOLLVM_BLOCKFORMS_H

#include "Conversion/TritonGPUToLLVM/BlockPointers.h"
#include "Conversion/TritonGPUToLLVM/CodeGenStyle.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Target/Description/TargetDescription.h"

namespace mlir::mlt {

/// The geometry (not the surface) of the one message that loads, stores or
/// prefetches a tile of `type` from a tensor with the origin's order. Fails and
/// says why in `reason` when the target has no such message.
FailureOr<BlockMessage> getLoadForm(const TargetDescription &target,
                                    RankedTensorType type,
                                    const BlockOrigin &origin,
                                    std::string *reason = nullptr);
FailureOr<BlockMessage> getStoreForm(const TargetDescription &target,
                                     RankedTensorType type,
                                     const BlockOrigin &origin,
                                     std::string *reason = nullptr);
FailureOr<BlockMessage> getPrefetchForm(const TargetDescription &target,
                                        RankedTensorType type,
                                        const BlockOrigin &origin,
                                        std::string *reason = nullptr);

/// The one dot instruction that `op` is; fails likewise.
FailureOr<DotMessage> getDotForm(const TargetDescription &target, tt::DotOp op,
                                 std::string *reason = nullptr);

} // namespace mlir::mlt

#endif // MLTC_CONVERSION_TRITONGPUTOLLVM_BLOCKFORMS_H
