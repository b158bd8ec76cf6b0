//===- DestinationWarps.h - who uses results that some warps have ---------===//
#ifndef MLTC_TRANSFORMS_MATERIALIZEMARKERS_DESTINATIONWARPS_H
#define MLTC_TRANSFORMS_MATERIALIZEMARKERS_DESTINATIONWARPS_H

#include "Transforms/MaterializeMarkers/WarpDivergence.h"

namespace mlir::mlt {

/// Refuses a reduction across warps with `dst_warps` whose result another warp
/// stores or reduces again, where that is certain.
LogicalResult checkDestinationWarps(Operation *function, int64_t numWarps,
                                    const WarpDivergence &divergence);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_MATERIALIZEMARKERS_DESTINATIONWARPS_H
