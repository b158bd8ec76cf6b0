//===- Versions.h - kernels with a version for each kind of launch --------===//
#ifndef MLTC_DIALECT_MLT_IR_VERSIONS_H
#define MLTC_DIALECT_MLT_IR_VERSIONS_H

#include "mlir/Support/LLVM.h"

namespace mlir::mlt {

/// On the branch between two versions of a kernel: only limits of block
/// messages stand against taking the first one always, so that a device without
/// them needs no other version.
inline constexpr llvm::StringLiteral kVersionsAttrName = "mlt.versions";

} // namespace mlir::mlt

#endif // MLTC_DIALECT_MLT_IR_VERSIONS_H
