//===- ShareLoads.h - one load for the warps that hold a tile ---*- C++ -*-===//
#ifndef MLTC_TRANSFORMS_LEGALIZEBLOCKIO_SHARELOADS_H
#define MLTC_TRANSFORMS_LEGALIZEBLOCKIO_SHARELOADS_H

#include "Analysis/BlockIO/BlockIO.h"
#include "Analysis/OperandRole/OperandRole.h"
#include "Transforms/MaterializeMarkers/WarpDivergence.h"

namespace mlir::mlt {

/// Lets the warps that hold the same tile load a part of it each, and exchange
/// the parts through shared local memory.
class LoadSharing {
public:
  LoadSharing(tt::FuncOp func, const TargetDescription &target);

  /// Plans to share `load`, which no 2-D block message does. False where it
  /// cannot be shared: one warp holds the tile, some warps do not get there, or
  /// there is no memory left for it.
  bool add(tt::LoadOp load, const BlockIOVerdict &verdict);

  /// Rewrites the planned loads. What is left of their pointers are operands
  /// of `mlt.sub_block`, so that they have to be taken apart. Returns the
  /// pointers to parts that are loaded element by element.
  SmallVector<Value> rewrite();

private:
  /// How a tile lies in shared memory. It has rows along dimension `fast`.
  struct Exchange {
    tt::LoadOp load;
    /// The warps that hold the tile load so many parts of it.
    int64_t numParts;
    unsigned fast;
    /// Rows of the tile in a row of memory (see mlt.load_rows).
    int64_t packed = 1;
    /// Columns of a block, if blocks of columns lie one behind the other, so
    /// that a message takes several rows; 0.
    int64_t block = 0;
    bool byRows = false;
    int64_t rowAlignment;
    /// Shape of the tile that the workgroup holds.
    SmallVector<int64_t, 2> shape;
    /// Where the part of the tile and the tile begin in it (i32).
    Value partStart;
    SmallVector<Value, 2> start;
    Value buffer;

    unsigned getSlow() const { return 1 - fast; }
    RankedTensorType getTile() const {
      return cast<RankedTensorType>(tt::LoadOp(load).getType());
    }
    SmallVector<int64_t> getPartShape() const;
  };
  /// Loads whose parts go to shared memory together, between two barriers.
  struct Group {
    SmallVector<Exchange *> members;
    /// The place of the barriers: in front of the first load or the last.
    bool atFirst = true, atLast = true;
  };

  std::optional<Exchange> plan(tt::LoadOp load,
                               const BlockIOVerdict &verdict) const;
  SmallVector<Group> findGroups(Block *block);
  bool tryJoin(Group &group, Exchange &exchange) const;
  void locate(OpBuilder &builder, Exchange &exchange) const;
  void emit(const Group &group);
  void emitPart(OpBuilder &builder, const Exchange &exchange);
  Value emitPartLoad(OpBuilder &builder, const Exchange &exchange,
                     ArrayRef<int64_t> shape, int64_t column);
  void emitPartStore(OpBuilder &builder, const Exchange &exchange, Value part,
                     int64_t column) const;
  void emitLoad(OpBuilder &builder, Exchange &exchange) const;
  Value makePointer(OpBuilder &builder, const Exchange &exchange,
                    ArrayRef<int64_t> shape, Value slow, Value fast,
                    bool inTileOrder) const;
  void mark(Operation *access, const Exchange &exchange, unsigned rowDim) const;

  tt::FuncOp func;
  const TargetDescription &target;
  WarpDivergence divergence;
  OperandRoles roles;
  int64_t numWarps, bytesLeft;
  std::vector<Exchange> exchanges;
  SmallVector<Value> byElements;
};

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_LEGALIZEBLOCKIO_SHARELOADS_H
