//===- MoveElements.h - moves elements between lanes and registers --------===//
#ifndef MLTC_CONVERSION_TRITONGPUTOLLVM_MOVEELEMENTS_H
#define MLTC_CONVERSION_TRITONGPUTOLLVM_MOVEELEMENTS_H

#include "Conversion/TritonGPUToLLVM/TypeConverter.h"

namespace mlir::mlt {

/// An element of one of several tiles, by its row-major number.
struct ElementSource {
  int64_t tile;
  int64_t element;
};

/// The value of tile `to` whose element e is element `sourceOf(e)` of
/// `sources`, all carried as `from`. Picks the cheapest way: registers as they
/// are, broadcasts of a lane, shuffles, and selections by lane where lanes take
/// from different registers.
Value moveElements(OpBuilder &builder, Location loc, const CodeGenStyle &style,
                   ArrayRef<Value> sources, const Tile &from, const Tile &to,
                   function_ref<ElementSource(int64_t)> sourceOf);

/// True in the lanes whose bit is set in `lanes`; null when that is all lanes.
Value getLaneMask(OpBuilder &builder, Location loc, const CodeGenStyle &style,
                  uint64_t lanes);

/// True in lanes 0 .. count-1; null when that is all lanes.
Value getLowLanes(OpBuilder &builder, Location loc, const CodeGenStyle &style,
                  int64_t count);

/// An integer per lane, `values[lane]`.
Value getLaneTable(OpBuilder &builder, Location loc, const CodeGenStyle &style,
                   ArrayRef<int64_t> values, Type type);

} // namespace mlir::mlt

#endif // MLTC_CONVERSION_TRITONGPUTOLLVM_MOVEELEMENTS_H
