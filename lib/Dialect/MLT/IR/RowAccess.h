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

/// Beside it: how many rows of the tile are packed into one row of memory (see
/// `mlt.load_rows`), an i32.
inline constexpr llvm::StringLiteral kRowPackAttrName = "mlt.row_pack";

/// Beside it: memory holds blocks of so many columns (i32) one behind the
/// other, each with its rows without a gap. The pointer's stride along the
/// contiguous dimension says how far blocks are apart, per column. Offsets and
/// sizes of an access are multiples of the columns.
inline constexpr llvm::StringLiteral kRowBlockAttrName = "mlt.row_block";

} // namespace mlir::mlt

#endif // MLTC_DIALECT_MLT_IR_ROWACCESS_H
