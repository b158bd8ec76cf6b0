//===- UnitVectors.h - vectors of one element -----------------------------===//
#ifndef MLTC_TARGET_LLVMIR_UNITVECTORS_H
#define MLTC_TARGET_LLVMIR_UNITVECTORS_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class ModuleOp;
namespace mlt {

/// Turns every vector of one element in `module`, of the LLVM dialect, into a
/// scalar: SPIR-V has no such vectors. Fails with an error at an op that has
/// no scalar form.
LogicalResult scalarizeUnitVectors(ModuleOp module);

} // namespace mlt
} // namespace mlir

#endif // MLTC_TARGET_LLVMIR_UNITVECTORS_H
