//===- WarpTiles.h - tiles that several warps hold --------------*- C++ -*-===//
#ifndef MLTC_DIALECT_MLT_IR_WARPTILES_H
#define MLTC_DIALECT_MLT_IR_WARPTILES_H

#include "llvm/ADT/StringRef.h"

namespace mlir::mlt {

/// On a load through a block pointer of a tile that several warps hold, behind
/// `distribute-to-warps`: two i64 per dimension, the number of tiles along it
/// and how many warps lie between neighbours. Warp w has number
/// (w / stride) % tiles along a dimension.
inline constexpr llvm::StringLiteral kWarpTilesAttrName = "mlt.warp_tiles";

} // namespace mlir::mlt

#endif // MLTC_DIALECT_MLT_IR_WARPTILES_H
