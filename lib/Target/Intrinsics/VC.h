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

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/XeVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"

namespace mlir::mlt {

inline constexpr StringLiteral kVCPrefix = "llvm.genx.";

/// Function attribute of kernels and functions for the vector backend.
inline constexpr StringLiteral kVCFunctionAttr = "VCFunction";
/// Its companion with the bytes of shared local memory.
inline constexpr StringLiteral kVCSharedAttr = "VCSLMSize";

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

/// Operands of a message with an address per element, in order. Behind them: a
/// load has the surface, a store data and surface, an atomic two operands, the
/// surface and what lanes without predicate get.
enum VCAddressedOperand : unsigned {
  kVCAccessPredicate,
  kVCAccessOp,
  kVCAccessL1,
  kVCAccessL3,
  kVCAccessScale,
  kVCAccessOffset,
  kVCAccessSize,
  kVCAccessVector,
  kVCAccessOrder,
  kVCAccessMask,
  kVCAccessAddresses,
  kVCAccessOperands,
};

/// Operation codes of loads and stores. The older compiler stops at a store
/// with code 0.
inline constexpr int64_t kVCOpLoad = 0, kVCOpStore = 4;

/// Atomic operations. Codes both compilers agree on.
enum class VCAtomicOp {
  Exchange = 11,
  Add = 12,
  Min = 14,
  Max = 15,
  UMin = 16,
  UMax = 17,
  CompareExchange = 18,
  FAdd = 19,
  FMin = 21,
  FMax = 22,
  And = 24,
  Or = 25,
  Xor = 26,
};

/// Code for elements of `bits` bits in memory that are dwords or qwords in
/// registers, and back; nullopt where there is none.
int64_t getVCElementSize(int64_t bits);
std::optional<unsigned> getVCElementBits(int64_t code);

/// Code for `count` elements per address, and back; nullopt where there is
/// none.
std::optional<int64_t> getVCVectorSize(int64_t count);
std::optional<unsigned> getVCVectorLength(int64_t code);

/// Elements that a message accesses at most from its only address on, and from
/// each of its addresses on, of which it then has so many.
inline constexpr int64_t kVCMaxConsecutive = 64;
inline constexpr int64_t kVCMaxPerAddress = 4, kVCVectorAddresses = 16;

/// Memory that a message goes to.
enum class VCPort { Global = 0, Shared = 3 };
enum class VCFenceOp { None = 0, Evict = 1 };
enum class VCScope { Workgroup = 0, Device = 3, System = 5 };

/// Operands of a region: vector, row stride, width, stride, byte offset, parent
/// width.
inline constexpr unsigned kVCRegionOperands = 6;

/// Precision code of operand type `type` for the dot intrinsic, and back.
std::optional<int32_t> getVCPrecisionCode(xevm::ElemType type);
std::optional<xevm::ElemType> getVCPrecision(int64_t code);

/// Bytes of a register, on whose multiples blocks start.
inline constexpr unsigned kVCRegisterBytes = 64;

/// Bytes of shared local memory that `kernel` says it uses.
int64_t getSharedBytes(LLVM::LLVMFuncOp kernel);

/// True when `module` has a function for the vector backend.
bool usesVectorCompute(ModuleOp module);

} // namespace mlir::mlt

#endif // MLTC_TARGET_INTRINSICS_VC_H
