//===- KernelInfo.h - what the manifest says of a kernel ------------------===//
#ifndef MLTC_CONVERSION_TRITONGPUTOLLVM_KERNELINFO_H
#define MLTC_CONVERSION_TRITONGPUTOLLVM_KERNELINFO_H

#include "Conversion/TritonGPUToLLVM/CodeGenStyle.h"
#include "Dialect/Triton/IR/Triton.h"

namespace mlir::mlt {

/// Set on mlt.alloc while the conversion runs: the kernel's SLM global.
inline constexpr llvm::StringLiteral kSlmGlobalAttr = "mlt.slm_global";

/// Gives every mlt.alloc in `kernel` without an offset one, the same to buffers
/// that are in use one after the other with a barrier between them, and if
/// `asGlobal` creates the global that holds them. Returns the bytes of SLM
/// used, or fails with a diagnostic when they are more than `available`.
FailureOr<int64_t> planSharedMemory(tt::FuncOp kernel, int64_t available,
                                    bool asGlobal);

/// The dictionary `mlt.kernel` of the lowered `kernel`.
DictionaryAttr getKernelInfo(tt::FuncOp kernel, const CodeGenStyle &style,
                             int64_t numWarps, int64_t slmBytes);

} // namespace mlir::mlt

#endif // MLTC_CONVERSION_TRITONGPUTOLLVM_KERNELINFO_H
