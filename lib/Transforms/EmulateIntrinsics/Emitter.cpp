//===- Emitter.cpp - writing LLVM dialect code briefly --------------------===//
//
// Arithmetic shared by the emitters, and the number formats that the portable
// side has no types for: bf16 and tf32 are handled as bits.
//
//===----------------------------------------------------------------------===//
#include "Transforms/EmulateIntrinsics/Emitter.h"
#include <numeric>

using namespace mlir;
using namespace mlir::mlt;
using LLVM::ICmpPredicate;

/// Elements of the vector `value`.
static int64_t getSize(Value value) {
  return cast<VectorType>(value.getType()).getNumElements();
}

/// `low` followed by `high`, which is not longer than `low`.
static Value concatenateTwo(OpBuilder &builder, Location loc, Value low,
                            Value high) {
  int64_t lowSize = getSize(low), highSize = getSize(high);
  if (highSize < lowSize) {
    // Both inputs of a shuffle have the same length.
    SmallVector<int32_t> widen(lowSize, -1);
    std::iota(widen.begin(), widen.begin() + highSize, 0);
    high = LLVM::ShuffleVectorOp::create(builder, loc, high, high, widen);
  }
  SmallVector<int32_t> mask(lowSize + highSize);
  std::iota(mask.begin(), mask.end(), 0);
  return LLVM::ShuffleVectorOp::create(builder, loc, low, high, mask);
}

Value mlt::concatenateVectors(OpBuilder &builder, Location loc,
                              ArrayRef<Value> parts) {
  SmallVector<Value> pieces(parts);
  while (pieces.size() > 1) {
    SmallVector<Value> joined;
    for (size_t i = 0; i + 1 < pieces.size(); i += 2)
      joined.push_back(concatenateTwo(builder, loc, pieces[i], pieces[i + 1]));
    if (pieces.size() % 2)
      joined.push_back(pieces.back());
    pieces = std::move(joined);
  }
  return pieces.front();
}

Type Emitter::withShape(Value like, Type type) {
  if (auto vector = dyn_cast<VectorType>(like.getType()))
    return VectorType::get(vector.getShape(), type);
  return type;
}

Value Emitter::constant(Type type, int64_t value) {
  if (auto vector = dyn_cast<VectorType>(type)) {
    auto element = builder.getIntegerAttr(vector.getElementType(), value);
    return LLVM::ConstantOp::create(builder, loc,
                                    DenseElementsAttr::get(vector, element));
  }
  return createInt(builder, loc, type, value);
}

/// Bits of the integer elements of `value`.
static unsigned getBits(Value value) {
  return getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
}

Value Emitter::resize(Value a, unsigned bits) {
  Type type = withShape(a, intType(bits));
  if (getBits(a) == bits)
    return a;
  if (getBits(a) < bits)
    return LLVM::ZExtOp::create(builder, loc, type, a);
  return LLVM::TruncOp::create(builder, loc, type, a);
}

Value Emitter::signExtend(Value a, unsigned bits) {
  if (getBits(a) == bits)
    return a;
  return LLVM::SExtOp::create(builder, loc, withShape(a, intType(bits)), a);
}

Value Emitter::bitcast(Value a, Type type) {
  if (a.getType() == type)
    return a;
  return LLVM::BitcastOp::create(builder, loc, type, a);
}

Value Emitter::extract(Value vector, unsigned index) {
  if (!isa<VectorType>(vector.getType()))
    return vector;
  return LLVM::ExtractElementOp::create(builder, loc, vector,
                                        constant(intType(32), index));
}

Value Emitter::pack(Type type, ArrayRef<Value> values) {
  if (!isa<VectorType>(type))
    return values.front();
  Value result = LLVM::PoisonOp::create(builder, loc, type);
  for (auto [index, value] : llvm::enumerate(values))
    result = LLVM::InsertElementOp::create(builder, loc, result, value,
                                           constant(intType(32), index));
  return result;
}

std::pair<Value, Value> Emitter::divideOnce(const LaneIndex &index,
                                            unsigned log2) {
  std::pair<Value, Value> &result =
      divisions[{index.getBase(), index.getScale(),
                 index.getRest().getAsOpaquePointer(), log2}];
  if (!result.first) {
    Value value = index.materialize(*this);
    result = {lshr(value, log2), bitAnd(value, (int64_t(1) << log2) - 1)};
  }
  return result;
}

/// `bits` of f32 rounded to nearest even at bit `shift`; the low bits are
/// garbage. NaNs keep their sign and payload and are made quiet.
static Value roundBits(Emitter &e, Value bits, unsigned shift) {
  Value odd = e.bitAnd(e.lshr(bits, shift), 1);
  int64_t half = (int64_t(1) << (shift - 1)) - 1;
  Value rounded = e.add(e.add(bits, half), odd);
  Value isNaN =
      e.icmp(ICmpPredicate::ugt, e.bitAnd(bits, 0x7fffffff), 0x7f800000);
  return e.select(isNaN, e.bitOr(bits, 0x400000), rounded);
}

Value Emitter::roundToTF32(Value value) {
  Value bits = bitcast(value, withShape(value, intType(32)));
  // Drops the 13 bits that the format does not have.
  Value rounded = bitAnd(roundBits(*this, bits, 13), -0x2000);
  return bitcast(rounded, value.getType());
}

Value Emitter::floatToBF16(Value value) {
  Value bits = bitcast(value, withShape(value, intType(32)));
  return resize(lshr(roundBits(*this, bits, 16), 16), 16);
}

Value Emitter::bf16ToFloat(Value bits) {
  Value wide = shl(resize(bits, 32), 16);
  return bitcast(wide, withShape(bits, builder.getF32Type()));
}
