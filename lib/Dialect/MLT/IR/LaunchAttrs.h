//===- LaunchAttrs.h - what a launch has to know of a kernel --------------===//
//
// Set by the passes that find it out, passed on to the manifest when the kernel
// is lowered.
//
//===----------------------------------------------------------------------===//
#ifndef MLTC_DIALECT_MLT_IR_LAUNCHATTRS_H
#define MLTC_DIALECT_MLT_IR_LAUNCHATTRS_H

#include "llvm/ADT/StringRef.h"

namespace mlir::mlt {

/// On a tt.func: array of launch preconditions.
inline constexpr llvm::StringLiteral kPreconditionsAttr = "mlt.preconditions";
/// On an argument: which part of a descriptor it is.
inline constexpr llvm::StringLiteral kArgKindAttr = "mlt.arg_kind";

} // namespace mlir::mlt

#endif // MLTC_DIALECT_MLT_IR_LAUNCHATTRS_H
