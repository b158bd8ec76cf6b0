//===- CombineRegion.h - reduction regions applied to tensors -------------===//
#ifndef MLTC_TRANSFORMS_COMBINEREGION_H
#define MLTC_TRANSFORMS_COMBINEREGION_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Region.h"

namespace mlir::mlt {

/// True when every operation of the region also works on tensors.
bool isElementwiseRegion(Region &combine);

/// Applies the region `combine`, which takes accumulated and new scalars, to
/// two tuples of equally shaped tensors. Returns what it yields, as tensors.
SmallVector<Value> combineTensors(OpBuilder &builder, Region &combine,
                                  ValueRange lhs, ValueRange rhs);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_COMBINEREGION_H
