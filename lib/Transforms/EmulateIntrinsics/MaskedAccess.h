//===- MaskedAccess.h - loads and stores of some lanes as calls -----------===//
#ifndef MLTC_TRANSFORMS_EMULATEINTRINSICS_MASKEDACCESS_H
#define MLTC_TRANSFORMS_EMULATEINTRINSICS_MASKEDACCESS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::mlt {

/// Replaces branches around single loads and stores by calls of helpers that
/// contain the branch, and joins the blocks that are then no more apart.
void outlineMaskedAccesses(ModuleOp module);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_EMULATEINTRINSICS_MASKEDACCESS_H
