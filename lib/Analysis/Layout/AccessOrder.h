//===- AccessOrder.h - which dimension is contiguous in memory
//--------------===//
#ifndef MLTC_ANALYSIS_LAYOUT_ACCESSORDER_H
#define MLTC_ANALYSIS_LAYOUT_ACCESSORDER_H

#include "Analysis/Layout/LayoutAnalysis.h"

namespace mlir::mlt {

/// The dimensions of the tensor that `access` (a load, store or atomic) moves,
/// the one that is contiguous in memory first; row-major where nothing is
/// known. A preference only: it decides how work is cut, never what is legal.
SmallVector<int64_t> getAccessOrder(Operation *access,
                                    const LayoutAnalysis &analysis);

} // namespace mlir::mlt

#endif // MLTC_ANALYSIS_LAYOUT_ACCESSORDER_H
