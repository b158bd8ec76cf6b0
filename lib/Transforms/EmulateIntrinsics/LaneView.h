//===- LaneView.h - how register images lie over values -------------------===//
//
// The registers that a device message fills or reads form one byte image. In
// SIMT style 16 lanes share it: element k (of T bytes) of lane l is bytes
// [(16 k + l) T, +T). In SIMD style a flat vector holds it whole: the same with
// one lane. The emitters of block messages and dots work on LaneIndex and
// LaneView only; a second style is a second LaneView.
//
//===----------------------------------------------------------------------===//
#ifndef MLTC_TRANSFORMS_EMULATEINTRINSICS_LANEVIEW_H
#define MLTC_TRANSFORMS_EMULATEINTRINSICS_LANEVIEW_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::mlt {

class Emitter;

class LaneView {
public:
  virtual ~LaneView() = default;

  /// Declares the functions that the other methods call. Fails, with an error,
  /// when `module` uses one of their names for something else; nothing fails
  /// after that.
  virtual LogicalResult declareFunctions(ModuleOp module) const = 0;

  /// Lanes that share an image.
  virtual unsigned getNumLanes() const = 0;
  /// Bytes on whose multiples the blocks of an image start when the data is of
  /// elements of `bytes` bytes.
  virtual unsigned getBlockAlignment(unsigned bytes) const = 0;
  /// i32 number of the executing lane; null when there is only one.
  virtual Value getLaneId(OpBuilder &builder, Location loc) const = 0;
  /// What lane `lane` holds in `value`, on all lanes.
  virtual Value broadcast(OpBuilder &builder, Location loc, Value value,
                          unsigned lane) const = 0;
};

/// SIMT: a sub-group of 16 work-items.
class SubgroupLaneView final : public LaneView {
public:
  LogicalResult declareFunctions(ModuleOp module) const override;
  unsigned getNumLanes() const override { return 16; }
  unsigned getBlockAlignment(unsigned bytes) const override {
    return 16 * bytes;
  }
  Value getLaneId(OpBuilder &builder, Location loc) const override;
  Value broadcast(OpBuilder &builder, Location loc, Value value,
                  unsigned lane) const override;
};

/// SIMD: the image is a flat vector of one work-item.
class FlatLaneView final : public LaneView {
public:
  LogicalResult declareFunctions(ModuleOp) const override { return success(); }
  unsigned getNumLanes() const override { return 1; }
  unsigned getBlockAlignment(unsigned) const override;
  Value getLaneId(OpBuilder &, Location) const override { return Value(); }
  Value broadcast(OpBuilder &, Location, Value value, unsigned) const override {
    return value;
  }
};

/// An index that depends on the lane: `base + scale * lane + rest`, where
/// `rest` is a run-time value. Divisions by powers of two stay symbolic where
/// they are exact, so that most indices of a block are constants. Equal indices
/// of one emitter have the same `rest`.
class LaneIndex {
public:
  LaneIndex(int64_t base, int64_t scale, unsigned numLanes, Value laneId)
      : base(base), scale(numLanes > 1 ? scale : 0),
        max(base + scale * (numLanes - 1)), laneId(laneId) {}

  /// Quotient and remainder of a division by 2^`log2`.
  std::pair<LaneIndex, LaneIndex> divide(Emitter &emitter, unsigned log2) const;
  /// `this * factor + other`.
  LaneIndex scaleAndAdd(Emitter &emitter, int64_t factor,
                        const LaneIndex &other) const;

  bool isConstant() const { return scale == 0 && !rest; }
  Value getRest() const { return rest; }
  int64_t getBase() const { return base; }
  int64_t getScale() const { return scale; }
  /// Largest value over the lanes.
  int64_t getMax() const { return max; }

  /// The index as an i32.
  Value materialize(Emitter &emitter) const;

private:
  LaneIndex(int64_t base, int64_t scale, Value rest, int64_t max, Value laneId)
      : base(base), scale(scale), rest(rest), max(max), laneId(laneId) {}

  int64_t base;
  int64_t scale;
  Value rest;
  int64_t max;
  Value laneId;
};

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_EMULATEINTRINSICS_LANEVIEW_H
