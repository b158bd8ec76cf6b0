//===- RowAccess.h - accesses that are done row by row ----------*- C++ -*-===//
#ifndef MLTC_DIALECT_MLT_IR_ROWACCESS_H
#define MLTC_DIALECT_MLT_IR_ROWACCESS_H

#include "llvm/ADT/StringRef.h"

namespace mlir::mlt {

/// Marks a load or store through a block pointer that is done row by row, with
/// messages that ask nothing of the tensor around the block; an i32, the
/// dimension that is contiguous in memory.
inline constexpr llvm::StringLiteral kRowDimAttrName = "mlt.row_dim";

/// Beside it: what every row is known to begin at a multiple of, an i32, bytes.
inline constexpr llvm::StringLiteral kRowAlignmentAttrName =
    "mlt.row_alignment";

} // namespace mlir::mlt

#endif // MLTC_DIALECT_MLT_IR_ROWACCESS_H
