//===- TypeConverter.cpp - tiles, pointers and block pointers to LLVM -----===//
//
// A tile becomes a vector of registers of one lane. A block pointer becomes as
// many values as it has parts, so that loops carry scalars, and parts that do
// not change in a loop are not carried at all.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/TypeConverter.h"
#include "Conversion/TritonGPUToLLVM/VectorUtils.h"
#include "Dialect/Triton/IR/Triton.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::mlt;

//===----------------------------------------------------------------------===//
// Tile
//===----------------------------------------------------------------------===//

Type Tile::getSlots() const { return getVectorType(slot, getNumSlots()); }

Value Tile::unpack(OpBuilder &builder, Location loc, Value carried) const {
  return bitcastTo(builder, loc, carried, getSlots());
}

Value Tile::pack(OpBuilder &builder, Location loc, Value slots) const {
  return bitcastTo(builder, loc, slots, carrier);
}

//===----------------------------------------------------------------------===//
// BlockPointerFields
//===----------------------------------------------------------------------===//

BlockPointerFields::BlockPointerFields(ValueRange parts) : base(parts.front()) {
  size_t rank = (parts.size() - 1) / 3;
  llvm::append_range(shape, parts.slice(1, rank));
  llvm::append_range(strides, parts.slice(1 + rank, rank));
  llvm::append_range(offsets, parts.slice(1 + 2 * rank, rank));
}

SmallVector<Value> BlockPointerFields::flatten() const {
  SmallVector<Value> parts{base};
  llvm::append_range(parts, shape);
  llvm::append_range(parts, strides);
  llvm::append_range(parts, offsets);
  return parts;
}

//===----------------------------------------------------------------------===//
// TileTypeConverter
//===----------------------------------------------------------------------===//

Type TileTypeConverter::convertScalar(Type type) {
  MLIRContext *context = type.getContext();
  if (auto pointer = dyn_cast<tt::PointerType>(type)) {
    if (tt::isBlockPointer(type))
      return Type();
    return LLVM::LLVMPointerType::get(context, pointer.getAddressSpace());
  }
  if (type.isBF16())
    return IntegerType::get(context, 16);
  if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8)
    return IntegerType::get(context, 8);
  if (type.isF16() || type.isF32() || type.isF64())
    return type;
  for (unsigned width : {1, 8, 16, 32, 64})
    if (type.isSignlessInteger(width))
      return type;
  return Type();
}

Type TileTypeConverter::convertElement(Type type) {
  Type scalar = convertScalar(type);
  if (isa_and_present<LLVM::LLVMPointerType>(scalar))
    return IntegerType::get(type.getContext(), 64);
  return scalar;
}

Type TileTypeConverter::getMemoryType(Type type) {
  if (type.isInteger(1))
    return IntegerType::get(type.getContext(), 8);
  return convertElement(type);
}

FailureOr<Tile> TileTypeConverter::getTile(Type type,
                                           std::string *reason) const {
  auto tensor = dyn_cast<RankedTensorType>(type);
  Type element = tensor ? tensor.getElementType() : type;
  Type slot = tensor ? convertElement(element) : convertScalar(element);
  if (!slot) {
    if (reason) {
      llvm::raw_string_ostream stream(*reason);
      stream << "type '" << type << "' has no form in LLVM";
    }
    return failure();
  }
  if (!tensor)
    return Tile{style.getPlainLayout({}), slot, slot};
  FailureOr<LaneLayout> layout = style.getLayout(tensor, reason);
  if (failed(layout))
    return failure();
  Type unit = slot;
  if (layout->getPack() > 1)
    unit = IntegerType::get(type.getContext(),
                            slot.getIntOrFloatBitWidth() * layout->getPack());
  return Tile{*layout, slot, getVectorType(unit, layout->getNumRegisters())};
}

/// Base, shape, strides and offsets of a block pointer.
static void getBlockPointerTypes(tt::PointerType type,
                                 SmallVectorImpl<Type> &types) {
  MLIRContext *context = type.getContext();
  int64_t rank = cast<RankedTensorType>(type.getPointeeType()).getRank();
  types.push_back(LLVM::LLVMPointerType::get(context, type.getAddressSpace()));
  types.append(2 * rank, IntegerType::get(context, 64));
  types.append(rank, IntegerType::get(context, 32));
}

TileTypeConverter::TileTypeConverter(MLIRContext *context,
                                     const CodeGenStyle &style)
    : style(style) {
  addConversion([](Type type) -> std::optional<Type> {
    // Anything else is not a type of this level.
    if (isa<RankedTensorType, tt::PointerType, tt::TensorDescType>(type))
      return Type();
    return type;
  });
  addConversion([](FloatType type) -> std::optional<Type> {
    return convertScalar(type);
  });
  addConversion(
      [](tt::PointerType type,
         SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
        if (tt::isBlockPointer(type))
          getBlockPointerTypes(type, types);
        else
          types.push_back(convertScalar(type));
        return success();
      });
  addConversion([this](RankedTensorType type) -> std::optional<Type> {
    FailureOr<Tile> tile = getTile(type);
    return succeeded(tile) ? tile->carrier : Type();
  });

  auto materialize = [](OpBuilder &builder, Type type, ValueRange inputs,
                        Location loc) -> Value {
    return UnrealizedConversionCastOp::create(builder, loc, type, inputs)
        .getResult(0);
  };
  addSourceMaterialization(materialize);
  addTargetMaterialization(materialize);
}
