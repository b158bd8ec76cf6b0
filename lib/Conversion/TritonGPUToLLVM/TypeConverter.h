//===- TypeConverter.h - tiles, pointers and block pointers to LLVM -------===//
#ifndef MLTC_CONVERSION_TRITONGPUTOLLVM_TYPECONVERTER_H
#define MLTC_CONVERSION_TRITONGPUTOLLVM_TYPECONVERTER_H

#include "Conversion/TritonGPUToLLVM/CodeGenStyle.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::mlt {

/// How a value (a tile, or a scalar as a tile without dimensions) is carried.
struct Tile {
  LaneLayout layout;
  /// LLVM type of one element.
  Type slot;
  /// LLVM type of the whole value: a vector of registers, or a scalar.
  Type carrier;

  int64_t getNumSlots() const { return layout.getNumSlots(); }
  /// `slot`, or a vector of as many as there are slots.
  Type getSlots() const;

  /// Bitcasts between the carrier and the vector of all slots.
  Value unpack(OpBuilder &builder, Location loc, Value carried) const;
  Value pack(OpBuilder &builder, Location loc, Value slots) const;
};

/// The parts of a block pointer, in the order of its converted values.
struct BlockPointerFields {
  explicit BlockPointerFields(ValueRange parts);
  int64_t getRank() const { return offsets.size(); }

  Value base;
  /// i64 elements.
  SmallVector<Value> shape, strides;
  /// i32 elements.
  SmallVector<Value> offsets;

  SmallVector<Value> flatten() const;
};

class TileTypeConverter : public TypeConverter {
public:
  TileTypeConverter(MLIRContext *context, const CodeGenStyle &style);

  const CodeGenStyle &getStyle() const { return style; }

  /// The LLVM type of a scalar: bf16 as i16, 8-bit floats as i8, pointers as
  /// pointers; null when there is none.
  static Type convertScalar(Type type);

  /// The same for an element of a tile, where pointers are carried as i64:
  /// SPIR-V has no vectors of pointers.
  static Type convertElement(Type type);

  /// The LLVM type of an element in memory: as above, but i8 for i1.
  static Type getMemoryType(Type type);

  /// How `type` is carried. On failure `reason` says why it cannot be.
  FailureOr<Tile> getTile(Type type, std::string *reason = nullptr) const;

private:
  const CodeGenStyle &style;
};

} // namespace mlir::mlt

#endif // MLTC_CONVERSION_TRITONGPUTOLLVM_TYPECONVERTER_H
