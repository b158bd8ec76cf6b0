//===- ExchangeBits.h - transposes between lanes and registers ------------===//
#ifndef MLTC_CONVERSION_TRITONGPUTOLLVM_EXCHANGEBITS_H
#define MLTC_CONVERSION_TRITONGPUTOLLVM_EXCHANGEBITS_H

#include "Conversion/TritonGPUToLLVM/TypeConverter.h"

namespace mlir::mlt {

/// The slots of a result whose places find their elements where `placeOf` says
/// (in the lowest lane that has them), for a move that only exchanges bits of
/// the lane number with bits of the slot number. `slots` are those of one or
/// several sources like `from`. Nullopt for any other move; then nothing was
/// created.
std::optional<SmallVector<Value>>
exchangeBits(OpBuilder &builder, Location loc, const CodeGenStyle &style,
             ArrayRef<Value> slots, const Tile &from, int64_t numResults,
             function_ref<Place(Place)> placeOf);

} // namespace mlir::mlt

#endif // MLTC_CONVERSION_TRITONGPUTOLLVM_EXCHANGEBITS_H
