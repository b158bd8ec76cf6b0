//===- LocalAddress.h - addresses of shared local memory --------*- C++ -*-===//
#ifndef MLTC_TRANSFORMS_MATERIALIZEMARKERS_LOCALADDRESS_H
#define MLTC_TRANSFORMS_MATERIALIZEMARKERS_LOCALADDRESS_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

namespace mlir::mlt {

/// Gives every address below `function` that is computed from `allocs` their
/// address space, also across loops, branches and choices. Fails with an error
/// where one goes somewhere it cannot be followed, or where it may be one of
/// global memory as well.
LogicalResult retypeLocalAddresses(Operation *function, ArrayRef<Value> allocs);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_MATERIALIZEMARKERS_LOCALADDRESS_H
