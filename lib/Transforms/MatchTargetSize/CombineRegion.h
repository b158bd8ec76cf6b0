//===- CombineRegion.h - regions of scalars applied to tensors ------------===//
#ifndef MLTC_TRANSFORMS_COMBINEREGION_H
#define MLTC_TRANSFORMS_COMBINEREGION_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Region.h"

namespace mlir::mlt {

/// True when the region can be applied to tensors: every operation also works
/// on them, and control flow only chooses between values (`scf.if`, branches
/// without loops).
bool isElementwiseRegion(Region &region);

/// Applies `region` to `arguments`, tensors of one shape in the place of its
/// scalars. Returns what its terminator names, as tensors. Both sides of a
/// branch are computed, and the condition selects.
SmallVector<Value> applyToTensors(OpBuilder &builder, Region &region,
                                  ValueRange arguments);

/// Applies the region `combine`, which takes accumulated and new scalars, to
/// two tuples of equally shaped tensors.
SmallVector<Value> combineTensors(OpBuilder &builder, Region &combine,
                                  ValueRange lhs, ValueRange rhs);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_COMBINEREGION_H
