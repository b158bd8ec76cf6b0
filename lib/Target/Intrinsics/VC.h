//===- VC.h - intrinsics of the vector backend ----------------------------===//
//
// IGC's vector compute backend takes flat vectors, one hardware thread per
// work-item, through `llvm.genx.*`. Operand orders and codes here hold for both
// compiler generations; they were established by disassembling what each makes
// of each intrinsic. The backend's own documentation has signed and unsigned
// bytes the wrong way round.
//
//===----------------------------------------------------------------------===//
#ifndef MLTC_TARGET_INTRINSICS_VC_H
#define MLTC_TARGET_INTRINSICS_VC_H

#include "mlir/Dialect/LLVMIR/XeVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"

namespace mlir::mlt {

inline constexpr StringLiteral kVCPrefix = "llvm.genx.";

/// Function attribute of kernels and functions for the vector backend.
inline constexpr StringLiteral kVCFunctionAttr = "VCFunction";

/// Operands of the three 2-D block messages, in order; a store has its data
/// after them.
enum VCBlock2DOperand : unsigned {
  kVCPredicate,
  kVCCacheL1,
  kVCCacheL3,
  kVCDataSize,
  kVCOrder,
  kVCBlocks,
  kVCWidth,
  kVCHeight,
  kVCVnni,
  kVCSurface,
  kVCBlock2DOperands = kVCSurface + 6,
};

/// Order of the elements of a block.
inline constexpr int64_t kVCOrderPlain = 1, kVCOrderTransposed = 2;

/// Cache codes of one level.
inline constexpr int64_t kVCCacheDefault = 0, kVCCacheCached = 2;

/// Code for elements of `bits` bits: 1 for 8 up to 4 for 64.
int64_t getVCDataSize(int64_t bits);

/// Operands of a dot: accumulator, B, A, then these.
enum VCDpasOperand : unsigned {
  kVCDpasAcc,
  kVCDpasB,
  kVCDpasA,
  kVCDpasPrecisionB,
  kVCDpasPrecisionA,
  kVCDpasDepth,
  kVCDpasRows,
  kVCDpasSignedResult,
  kVCDpasSignedAcc,
  kVCDpasOperands,
};

/// Precision code of operand type `type` for the dot intrinsic, and back.
std::optional<int32_t> getVCPrecisionCode(xevm::ElemType type);
std::optional<xevm::ElemType> getVCPrecision(int64_t code);

/// Bytes of a register, on whose multiples blocks start.
inline constexpr unsigned kVCRegisterBytes = 64;

/// True when `module` has a function for the vector backend.
bool usesVectorCompute(ModuleOp module);

} // namespace mlir::mlt

#endif // MLTC_TARGET_INTRINSICS_VC_H
