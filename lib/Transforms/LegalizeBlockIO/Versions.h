//===- Versions.h - one version for each kind of launch ---------*- C++ -*-===//
#ifndef MLTC_TRANSFORMS_LEGALIZEBLOCKIO_VERSIONS_H
#define MLTC_TRANSFORMS_LEGALIZEBLOCKIO_VERSIONS_H

#include "Analysis/BlockIO/BlockIO.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::mlt {

/// Whether functions get a second version, where there would be preconditions.
enum class VersionPolicy { Always, Raised, Never };

/// Whether the function can get a second version: it returns nothing and has
/// one block.
bool canVersion(tt::FuncOp func);

/// Puts the body of `func` under a condition, the conjunction of launch
/// `preconditions`, which is the same for all threads. A copy of the body
/// stands on the other side. The way from operations to their copies is left in
/// `copies`.
scf::IfOp versionFunction(tt::FuncOp func, ArrayRef<Attribute> preconditions,
                          const Block2DLimits &limits, IRMapping &copies);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_LEGALIZEBLOCKIO_VERSIONS_H
