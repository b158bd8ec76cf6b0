//===- VCBlock2D.h - the two forms of a 2-D block message -----------------===//
//
// The vector backend takes a 2-D block message as an intrinsic with the parts
// of its address as operands, or as a raw send of a register that holds them
// and a descriptor that says what to do. The intrinsic writes the register anew
// for every message; of a raw send it is an ordinary value, which a loop can
// carry. The layouts of register and descriptor are those of the hardware.
//
//===----------------------------------------------------------------------===//
#ifndef MLTC_TARGET_INTRINSICS_VCBLOCK2D_H
#define MLTC_TARGET_INTRINSICS_VCBLOCK2D_H

#include "Target/Intrinsics/Intrinsics.h"
#include "mlir/IR/Builders.h"

namespace mlir::mlt {

/// A 2-D block message of the vector backend: what its intrinsic says.
struct VCBlock2D {
  /// BlockRead2D, BlockWrite2D or BlockPrefetch2D.
  IntrinsicKind kind;
  int64_t cacheL1 = kVCCacheDefault, cacheL3 = kVCCacheDefault;
  int64_t elementBits, blocks, columns, rows;
  BlockPacking packing = BlockPacking::Plain;
  /// An i64, and i32s: sizes in bytes or rows minus one, coordinates.
  Value base, width, height, pitch, x, y;
  /// Of a write.
  Value data;
  /// Of a read.
  VectorType type;

  /// What `call`, a decoded call of the intrinsic, says.
  static VCBlock2D get(LLVM::CallOp call, const IntrinsicInfo &info);

  /// The call of the intrinsic.
  FailureOr<LLVM::CallOp> createCall(OpBuilder &builder, Location loc) const;
};

/// True for calls of the intrinsics.
bool isVCBlock2D(LLVM::CallOp call);

/// Elements of the register that a raw send takes, all i32.
enum VCPayloadField : int64_t {
  kVCPayloadBase = 0, // and the high half
  kVCPayloadWidth = 2,
  kVCPayloadHeight,
  kVCPayloadPitch,
  kVCPayloadX,
  kVCPayloadY,
  kVCPayloadShape,
  kVCPayloadLength = 16,
};

/// Element kVCPayloadShape.
int32_t getPayloadShape(const VCBlock2D &block);

/// The raw send of `payload` that is `block`; fails after an error at `loc`
/// when the message has none.
FailureOr<LLVM::CallOp> createRawSend(OpBuilder &builder, Location loc,
                                      const VCBlock2D &block, Value payload);

/// True for calls of raw sends.
bool isRawSend(LLVM::CallOp call);

/// The message that `call`, a raw send, is; the parts of the address are taken
/// from its payload at `builder`. Fails after an error at the call when the
/// descriptor is none of those that `createRawSend` makes, or when the shape is
/// not one constant on all ways to the call.
FailureOr<VCBlock2D> readRawSend(OpBuilder &builder, LLVM::CallOp call);

} // namespace mlir::mlt

#endif // MLTC_TARGET_INTRINSICS_VCBLOCK2D_H
