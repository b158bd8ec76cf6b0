//===- PortableForm.h - what portable devices do not have -----------------===//
#ifndef MLTC_TRANSFORMS_EMULATEINTRINSICS_PORTABLEFORM_H
#define MLTC_TRANSFORMS_EMULATEINTRINSICS_PORTABLEFORM_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::mlt {

/// Makes kernels exchange values between lanes by instructions of SPIR-V
/// instead of functions of OpenCL. Helpers keep theirs: they call them outside
/// of branches that lanes take differently.
LogicalResult useGroupInstructions(ModuleOp module);

/// Writes moves that regroup the lanes of registers as shuffles. Fails with an
/// error at assembly that is anything else.
LogicalResult replaceRegroups(ModuleOp module);

/// Drops fast-math flags from everything that becomes a call on the device:
/// approximations differ between instruction sets there.
void dropFastMathOnCalls(ModuleOp module);

/// Writes negations in kernels with barriers as fused multiply-adds, which is
/// exact: the CPU runtime computes a negation that it moves behind a barrier
/// from another sub-group's operand.
void replaceNegations(ModuleOp module);

/// Splits conversions and element-wise functions on vectors of more than 16
/// elements into pieces of 16; arithmetic and memory accesses stay whole.
void splitWideVectors(ModuleOp module);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_EMULATEINTRINSICS_PORTABLEFORM_H
