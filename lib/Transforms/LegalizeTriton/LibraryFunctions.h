//===- LibraryFunctions.h - what functions of device libraries compute ----===//
#ifndef MLTC_TRANSFORMS_LIBRARYFUNCTIONS_H
#define MLTC_TRANSFORMS_LIBRARYFUNCTIONS_H

#include "Dialect/Triton/IR/Triton.h"

namespace mlir::mlt {

/// Writes the call of a function of another device's math library with
/// operations that the target has. Understands the names that all releases of
/// Triton use: `__nv_*` with the suffixes of C, `__ocml_*_f32`, and `__imf_*`.
/// Returns a null value and the reason when there is no counterpart.
Value expandLibraryFunction(OpBuilder &builder, tt::ExternElementwiseOp op,
                            std::string &reason);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_LIBRARYFUNCTIONS_H
