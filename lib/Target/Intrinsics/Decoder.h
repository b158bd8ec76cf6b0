//===- Decoder.h - one call being decoded ---------------------------------===//
//
// Shared by the families of names: gives access to the call, reports errors at
// it, and checks a finished description against the hardware.
//
//===----------------------------------------------------------------------===//
#ifndef MLTC_TARGET_INTRINSICS_DECODER_H
#define MLTC_TARGET_INTRINSICS_DECODER_H

#include "Target/Intrinsics/Intrinsics.h"
#include "Target/Intrinsics/Mangling.h"

namespace mlir::mlt {

class Decoder {
public:
  Decoder(LLVM::CallOp call, std::optional<GenISAGeneration> generation)
      : call(call), generation(generation) {}

  FailureOr<IntrinsicInfo> decode();

private:
  // Families of names.
  FailureOr<IntrinsicInfo> decodeName();
  FailureOr<IntrinsicInfo> decodeMangled();
  FailureOr<IntrinsicInfo> decodeGenISA();
  FailureOr<IntrinsicInfo> decodeVC();
  FailureOr<IntrinsicInfo> decodeInternal();

  // Mangled names.
  FailureOr<IntrinsicInfo> decodeBlock2D(const MangledName &name);
  FailureOr<IntrinsicInfo> decodeBlock1D(const MangledName &name);
  FailureOr<IntrinsicInfo> decodeMatrixMad(const MangledName &name);
  FailureOr<IntrinsicInfo> decodeConversion(const MangledName &name,
                                            IntrinsicKind kind, StringRef from,
                                            Type to);

  // GenISA.
  FailureOr<IntrinsicInfo> decodeGenISABlock2D(IntrinsicKind kind);
  FailureOr<IntrinsicInfo> decodeGenISADpas();

  // Vector backend.
  FailureOr<IntrinsicInfo> decodeVCBlock2D(IntrinsicKind kind);
  FailureOr<IntrinsicInfo> decodeVCDpas();
  FailureOr<IntrinsicInfo> checkVCId(const IntrinsicInfo &info);
  FailureOr<IntrinsicInfo> checkVCConversion(const IntrinsicInfo &info);
  LogicalResult checkVCSurface();
  FailureOr<IntrinsicInfo> decodeVCAddressed(IntrinsicKind kind);
  LogicalResult checkVCAddressed(const IntrinsicInfo &info);
  LogicalResult decodeVCVector(IntrinsicInfo &info);
  FailureOr<IntrinsicInfo> decodeVCRegion();
  FailureOr<IntrinsicInfo> checkVCMath(const IntrinsicInfo &info);

  // Checks against the hardware and the call.
  LogicalResult checkSignature(const MangledName &name);
  LogicalResult checkBlock2D(const IntrinsicInfo &info);
  LogicalResult checkDpas(const DpasMessage &message);
  LogicalResult expectOperands(unsigned count);
  /// The accumulator's type from that of the result; nullopt after an error.
  std::optional<xevm::ElemType> getResultAccumulator();
  FailureOr<int64_t> getConstant(unsigned operand, StringRef meaning);

  StringRef getName() { return *call.getCallee(); }
  Type getResultType();
  Type getOperandType(unsigned operand) {
    return call.getArgOperands()[operand].getType();
  }
  InFlightDiagnostic error();

  LLVM::CallOp call;
  std::optional<GenISAGeneration> generation;
};

/// Elements of the vector `type`, or 1 for a scalar.
unsigned getLaneElements(Type type);
/// Element type of the vector `type`, or `type` itself.
Type getScalarType(Type type);

} // namespace mlir::mlt

#endif // MLTC_TARGET_INTRINSICS_DECODER_H
