//===- MaskedResults.h - loaded elements that nobody keeps ------*- C++ -*-===//
#ifndef MLTC_TRANSFORMS_RAISEBLOCKPOINTER_MASKEDRESULTS_H
#define MLTC_TRANSFORMS_RAISEBLOCKPOINTER_MASKEDRESULTS_H

#include "Analysis/ForwardingEdges/ForwardingEdges.h"
#include "Analysis/PointerShape/PointerShape.h"

namespace mlir::mlt {

/// Whether the elements of `loaded` at and behind `index.bound` along `dim`
/// reach nothing but elements that stores leave out. Such elements may be
/// loaded as anything.
bool isMaskedAtStores(Value loaded, unsigned dim, const WrappedIndex &index,
                      PointerShapeAnalysis &shapes,
                      const ForwardingEdges &edges);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_RAISEBLOCKPOINTER_MASKEDRESULTS_H
