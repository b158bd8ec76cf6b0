//===- ReloadInvariants.h - operands loaded again in a loop ---------------===//
#ifndef MLTC_TRANSFORMS_SCHEDULELOAD_RELOADINVARIANTS_H
#define MLTC_TRANSFORMS_SCHEDULELOAD_RELOADINVARIANTS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::mlt {

/// Moves block loads that feed nothing but dots of `loop` into its body, where
/// no store can come between. Returns how many moved.
int64_t reloadInvariants(scf::ForOp loop);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_SCHEDULELOAD_RELOADINVARIANTS_H
