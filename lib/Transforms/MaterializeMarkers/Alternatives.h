//===- Alternatives.h - buffers of which one is in use ----------*- C++ -*-===//
#ifndef MLTC_TRANSFORMS_MATERIALIZEMARKERS_ALTERNATIVES_H
#define MLTC_TRANSFORMS_MATERIALIZEMARKERS_ALTERNATIVES_H

#include "Transforms/MaterializeMarkers/WarpDivergence.h"

namespace mlir::mlt {

/// Whether a workgroup gets to one of two operations only: they are on both
/// sides of a branch that all warps take alike and that is in no loop, as the
/// two versions of a kernel are. What they use for themselves may share memory.
bool areAlternatives(Operation *a, Operation *b,
                     const WarpDivergence &divergence);

/// The shared local memory (bytes) that the buffers of `function` take which
/// may be in use when `op` is, if no two of them share memory.
int64_t getBytesBeside(Operation *op, Operation *function,
                       const WarpDivergence &divergence);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_MATERIALIZEMARKERS_ALTERNATIVES_H
