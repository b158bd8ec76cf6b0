//===- LayoutVerifier.h - checks that layouts are complete and agree
//--------===//
#ifndef MLTC_ANALYSIS_LAYOUT_LAYOUTVERIFIER_H
#define MLTC_ANALYSIS_LAYOUT_LAYOUTVERIFIER_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::mlt {

/// Checks that every tensor and block pointer of `func` carries an encoding
/// that gives each of its elements an owner among `numWarps` warps, and that
/// operands and results of every operation follow its layout rule. Emits an
/// error at the first operation that does not.
LogicalResult verifyLayouts(FunctionOpInterface func, int64_t numWarps);

} // namespace mlir::mlt

#endif // MLTC_ANALYSIS_LAYOUT_LAYOUTVERIFIER_H
