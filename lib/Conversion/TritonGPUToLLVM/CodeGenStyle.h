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
#include "Dialect/Triton/IR/Triton.h"
#include "mlir/Dialect/LLVMIR/XeVMDialect.h"
#include "mlir/IR/Builders.h"
#include <memory>

namespace mlir::mlt {

enum class Interface { Builtin, GenISA, Portable, VC, VCRaw };

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

/// An atomic update, in the terms of Triton.
struct AtomicMessage {
  /// Compare-and-exchange when empty.
  std::optional<tt::RMWOp> kind;
  tt::MemSemantic semantic;
  tt::MemSyncScope scope;
};

/// Accesses to all elements of a tile at once, where a style has messages for
/// that. Addresses are i64, `mask` i1 or null; a tile of one element is a
/// scalar, any other a vector. Data are integers or floats as in memory.
class TileMemory {
public:
  virtual ~TileMemory();

  /// `otherwise` is what masked-off elements get; not null with a mask.
  virtual Value load(OpBuilder &builder, Location loc, Value addresses,
                     Value mask, Value otherwise, Type element,
                     unsigned addressSpace) const = 0;
  virtual void store(OpBuilder &builder, Location loc, Value addresses,
                     Value mask, Value data, unsigned addressSpace) const = 0;
  /// `count` consecutive elements of i32 or i64 at each of the addresses, of
  /// as many as a message takes: the first of all addresses, then the second
  /// of all.
  virtual Value loadVectors(OpBuilder &builder, Location loc, Value addresses,
                            Type element, int64_t count,
                            unsigned addressSpace) const = 0;
  /// Whether `atomic` can update elements of type `element`.
  virtual bool hasAtomic(const AtomicMessage &message, Type element) const = 0;
  /// Updates memory with one operand, or two (expected, new) for
  /// compare-and-exchange. Returns what memory held, 0 where masked off.
  virtual Value atomic(OpBuilder &builder, Location loc,
                       const AtomicMessage &message, Value addresses,
                       Value mask, ValueRange operands,
                       unsigned addressSpace) const = 0;
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

  /// Whether `regroup` takes values of type `type`, with one move per result.
  virtual bool canRegroup(Type type) const { return false; }
  /// The lanes of two values, one value after the other, in groups of `width`:
  /// the even groups, and the odd ones. Nothing for types it does not take.
  virtual std::optional<std::pair<Value, Value>>
  regroup(OpBuilder &builder, Location loc, Value first, Value second,
          int64_t width) const {
    return std::nullopt;
  }

  /// Elements `indices` of a vector, a scalar for one index.
  virtual Value select(OpBuilder &builder, Location loc, Value vector,
                       ArrayRef<int64_t> indices) const;

  /// The elements of vectors in turn, where they fill dwords together: first of
  /// all, then second of all. Null in styles where the lanes keep them.
  virtual Value interleave(OpBuilder &builder, Location loc,
                           ArrayRef<Value> vectors) const {
    return Value();
  }

  /// Null where lanes access memory one by one.
  virtual const TileMemory *getTileMemory() const { return nullptr; }

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

  // Consecutive elements of memory from `pointer` on, which is the same in all
  // lanes: element k of lane l is number k * lanes + l. Data are
  // integers or vectors of them, of any length that is a power of two.
  /// Whether there are messages for `count` elements of `bits` bits.
  virtual bool hasRow(int64_t count, int64_t bits) const = 0;
  virtual Value loadRow(OpBuilder &builder, Location loc, Value pointer,
                        Type share) const = 0;
  virtual void storeRow(OpBuilder &builder, Location loc, Value pointer,
                        Value data) const = 0;

  // Conversions that only the device knows, on scalars and vectors.
  virtual Value roundToTF32(OpBuilder &builder, Location loc,
                            Value value) const = 0;
  /// f32 -> bf16 (as i16), round to nearest even.
  virtual Value truncateToBF16(OpBuilder &builder, Location loc,
                               Value value) const = 0;

  /// f32 or f64 -> f16, toward zero.
  virtual Value truncateToF16(OpBuilder &builder, Location loc,
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

/// Messages with an address per element, of the vector backend.
std::unique_ptr<TileMemory> createSimdMemory();

} // namespace mlir::mlt

#endif // MLTC_CONVERSION_TRITONGPUTOLLVM_CODEGENSTYLE_H
