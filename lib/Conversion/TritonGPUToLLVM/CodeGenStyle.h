//===- CodeGenStyle.h - what differs between SIMT and SIMD ----------------===//
//
// The lowering is one list of patterns. What depends on the style (a lane's
// share of a tile is a vector, or a whole tile is) and on the interface (which
// device functions are called) sits behind this class: where elements lie, ids,
// moves between lanes, and the messages and dots of the hardware.
//
//===----------------------------------------------------------------------===//
#ifndef MLTC_CONVERSION_TRITONGPUTOLLVM_CODEGENSTYLE_H
#define MLTC_CONVERSION_TRITONGPUTOLLVM_CODEGENSTYLE_H

#include "Conversion/TritonGPUToLLVM/LaneLayout.h"
#include "mlir/Dialect/LLVMIR/XeVMDialect.h"
#include "mlir/IR/Builders.h"
#include <memory>

namespace mlir::mlt {

enum class Interface { Builtin, GenISA, Portable, VC };

/// A 2-D block message. Sizes of the surface: width and pitch in bytes, height
/// in rows; x in elements of `bits`, y in rows; the tile in elements of `bits`.
struct BlockMessage {
  Value base, width, height, pitch, x, y;
  int64_t bits, tileWidth, tileHeight, blocks;
  bool transpose = false, vnni = false;
};

/// One dot instruction; element types by their XeVM names.
struct DotMessage {
  int64_t m, n, k;
  xevm::ElemType a, b, accumulator;
};

class CodeGenStyle {
public:
  virtual ~CodeGenStyle();

  /// The style called `style` with the interface called `interface`. Emits an
  /// error at `loc` and returns null when there is none.
  static std::unique_ptr<CodeGenStyle> create(Location loc, StringRef style,
                                              StringRef interface);

  StringRef getInterfaceName() const;

  virtual StringRef getName() const = 0;
  /// Work-items of a warp.
  virtual int64_t getNumLanes() const = 0;
  virtual FailureOr<LaneLayout> getLayout(RankedTensorType type,
                                          std::string *reason) const = 0;
  /// Layout of a tile of `shape` without an encoding.
  virtual LaneLayout getPlainLayout(ArrayRef<int64_t> shape) const = 0;
  virtual SmallVector<int32_t> getLocalSize(int64_t numWarps) const = 0;
  /// `slmBytes`: shared local memory that the kernel uses.
  virtual void setKernelAttributes(Operation *kernel,
                                   int64_t slmBytes) const = 0;

  // Ids, as i32.
  virtual Value getLaneId(OpBuilder &builder, Location loc) const = 0;
  virtual Value getWarpId(OpBuilder &builder, Location loc) const = 0;
  virtual Value getProgramId(OpBuilder &builder, Location loc,
                             int axis) const = 0;
  virtual Value getNumPrograms(OpBuilder &builder, Location loc,
                               int axis) const = 0;

  // Moves of one scalar per lane between lanes.
  virtual Value broadcast(OpBuilder &builder, Location loc, Value value,
                          int64_t lane) const = 0;
  virtual Value shuffleXor(OpBuilder &builder, Location loc, Value value,
                           int64_t mask) const = 0;
  virtual Value shuffle(OpBuilder &builder, Location loc, Value value,
                        Value lane) const = 0;

  // Messages. Data are integer vectors of the register's width.
  virtual Value loadBlock(OpBuilder &builder, Location loc,
                          const BlockMessage &message,
                          VectorType type) const = 0;
  virtual void storeBlock(OpBuilder &builder, Location loc,
                          const BlockMessage &message, Value data) const = 0;
  virtual void prefetchBlock(OpBuilder &builder, Location loc,
                             const BlockMessage &message) const = 0;
  virtual Value dot(OpBuilder &builder, Location loc, const DotMessage &message,
                    Value a, Value b, Value c) const = 0;

  // Conversions that only the device knows, on scalars and vectors.
  virtual Value roundToTF32(OpBuilder &builder, Location loc,
                            Value value) const = 0;
  /// f32 -> bf16 (as i16), round to nearest even.
  virtual Value truncateToBF16(OpBuilder &builder, Location loc,
                               Value value) const = 0;

  // Barriers of the workgroup that order accesses to shared local memory, the
  // first one also to global memory if `global`.
  virtual void barrier(OpBuilder &builder, Location loc, bool global) const = 0;
  virtual void barrierArrive(OpBuilder &builder, Location loc) const = 0;
  virtual void barrierWait(OpBuilder &builder, Location loc) const = 0;

  /// Moves between lanes emitted so far.
  int64_t getNumShuffles() const { return numShuffles; }

protected:
  explicit CodeGenStyle(Interface interface) : interface(interface) {}

  Interface interface;
  mutable int64_t numShuffles = 0;
};

/// One lane's share of a tile is a vector; 16 lanes of a sub-group are a warp.
std::unique_ptr<CodeGenStyle> createSimtStyle(Interface interface);

/// A whole tile is a vector; one work-item is a warp.
std::unique_ptr<CodeGenStyle> createSimdStyle(Interface interface);

} // namespace mlir::mlt

#endif // MLTC_CONVERSION_TRITONGPUTOLLVM_CODEGENSTYLE_H
