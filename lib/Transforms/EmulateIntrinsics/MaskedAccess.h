//===- MaskedAccess.h - loads and stores of some lanes as calls -----------===//
#ifndef MLTC_TRANSFORMS_EMULATEINTRINSICS_MASKEDACCESS_H
#define MLTC_TRANSFORMS_EMULATEINTRINSICS_MASKEDACCESS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::mlt {

/// Gives the device's functions for loads and stores under a condition a body.
/// Fails, with an error, on types that they do not have.
LogicalResult defineMaskedAccesses(ModuleOp module);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_EMULATEINTRINSICS_MASKEDACCESS_H
