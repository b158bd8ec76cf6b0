//===- DpasEmitter.cpp - the dot instruction as fused multiply-adds -------===//
//
// Lane n owns column n of B and of the accumulator; the elements of A lie
// across the lanes and are broadcast one by one. With flat vectors a row of 16
// columns takes the place of the lanes. k ascends and every product is
// one fma in f32 (or a wrapping i32 multiply-add), rounded to the accumulator
// type once at the end; the order in which hardware accumulates is not
// specified.
//
//===----------------------------------------------------------------------===//
#include "Transforms/EmulateIntrinsics/Emitter.h"

using namespace mlir;
using namespace mlir::mlt;
using xevm::ElemType;

namespace {

constexpr int64_t kColumns = 16;
constexpr int64_t kDepth = 8;

/// SIMT: values are one lane's. Where an element lies is known to getA,
/// convertB and the rows in emit alone; with flat vectors these pick from the
/// whole image instead, and a row of the accumulator is a vector of 16.
class DpasEmitter {
public:
  DpasEmitter(Emitter &emitter, const DpasMessage &message)
      : e(emitter), message(message),
        isInteger(message.accumulator == ElemType::S32) {}

  Value emit(Value acc, Value a, Value b);

private:
  /// Element `index` (lowest first) of `bits` wide packed element in the
  /// integer `word`, as f32 or i32.
  Value unpack(Value word, ElemType type, unsigned index);
  Value loadAccumulator(Value value);
  Value storeAccumulator(Value value);
  void convertA(Value a);
  Value getA(unsigned row, unsigned k);
  Value getFlatA(unsigned row, unsigned k);
  /// Row `row` of B or of the accumulator, all columns.
  Value getRow(Value value, unsigned row);
  void convertB(Value b);

  Emitter &e;
  const DpasMessage &message;
  bool isInteger;
  /// Register i of A, converted to what is broadcast.
  SmallVector<Value> aRegisters;
  /// B[k] of this lane's column, as f32 or i32.
  SmallVector<Value> bColumn;
  /// Broadcast words of A, by register and lane.
  llvm::DenseMap<std::pair<unsigned, unsigned>, Value> aWords;
};

} // namespace

Value DpasEmitter::unpack(Value word, ElemType type, unsigned index) {
  switch (type) {
  case ElemType::F16: {
    Value bits = e.resize(e.lshr(word, 16 * index), 16);
    Value half = e.bitcast(bits, e.withShape(bits, e.builder.getF16Type()));
    return LLVM::FPExtOp::create(
        e.builder, e.loc, e.withShape(half, e.builder.getF32Type()), half);
  }
  case ElemType::BF16:
    return e.bf16ToFloat(e.resize(e.lshr(word, 16 * index), 16));
  case ElemType::S8:
    return e.signExtend(e.resize(e.lshr(word, 8 * index), 8), 32);
  case ElemType::U8:
    return e.resize(e.resize(e.lshr(word, 8 * index), 8), 32);
  default: {
    // tf32: the input has 13 bits that the hardware does not look at.
    Value bits = e.bitcast(word, e.withShape(word, e.intType(32)));
    return e.bitcast(e.bitAnd(bits, -0x2000),
                     e.withShape(word, e.builder.getF32Type()));
  }
  }
}

Value DpasEmitter::getRow(Value value, unsigned row) {
  return message.flat ? e.slice(value, row * kColumns, kColumns)
                      : e.extract(value, row);
}

void DpasEmitter::convertA(Value a) {
  if (message.flat) {
    // Register (row, part): element `part` of all dwords of a row.
    for (unsigned row = 0; row < message.rows; ++row)
      for (unsigned i = 0; i < message.getElementsPerDword(); ++i)
        aRegisters.push_back(
            unpack(e.slice(a, row * kDepth, kDepth), message.a, i));
    return;
  }
  auto vector = dyn_cast<VectorType>(a.getType());
  unsigned count = vector ? vector.getNumElements() : 1;
  for (unsigned i = 0; i < count; ++i) {
    Value word = e.extract(a, i);
    // A word of bytes is broadcast whole and taken apart afterwards.
    aRegisters.push_back(isInteger ? e.resize(word, 32)
                                   : unpack(word, message.a, 0));
  }
}

Value DpasEmitter::getFlatA(unsigned row, unsigned k) {
  unsigned parts = message.getElementsPerDword();
  Value dwords = aRegisters[row * parts + k % parts];
  return e.shuffle(dwords, SmallVector<int32_t>(kColumns, k / parts));
}

Value DpasEmitter::getA(unsigned row, unsigned k) {
  if (message.flat)
    return getFlatA(row, k);
  // 16-bit: row = register, k = lane. Bytes: two of a row per lane. tf32: two
  // rows of eight per register.
  unsigned reg = row, lane = k, part = 0;
  if (isInteger) {
    lane = k / 2;
    part = k % 2;
  } else if (message.a == ElemType::TF32) {
    reg = row / 2;
    lane = row % 2 * 8 + k;
  }
  Value &word = aWords[{reg, lane}];
  if (!word)
    word = e.broadcast(aRegisters[reg], lane);
  return isInteger ? unpack(word, message.a, part) : word;
}

void DpasEmitter::convertB(Value b) {
  unsigned parts = message.getElementsPerDword();
  for (unsigned k = 0; k < message.getK(); ++k)
    bColumn.push_back(unpack(getRow(b, k / parts), message.b, k % parts));
}

Value DpasEmitter::loadAccumulator(Value value) {
  switch (message.accumulator) {
  case ElemType::F16:
    return LLVM::FPExtOp::create(
        e.builder, e.loc, e.withShape(value, e.builder.getF32Type()), value);
  case ElemType::BF16:
    return e.bf16ToFloat(value);
  default:
    return value;
  }
}

Value DpasEmitter::storeAccumulator(Value value) {
  switch (message.accumulator) {
  case ElemType::F16:
    return LLVM::FPTruncOp::create(
        e.builder, e.loc, e.withShape(value, e.builder.getF16Type()), value);
  case ElemType::BF16:
    return e.floatToBF16(value);
  default:
    return value;
  }
}

Value DpasEmitter::emit(Value acc, Value a, Value b) {
  convertA(a);
  convertB(b);
  SmallVector<Value> rows;
  for (unsigned row = 0; row < message.rows; ++row) {
    Value sum = loadAccumulator(getRow(acc, row));
    for (unsigned k = 0; k < message.getK(); ++k) {
      Value left = getA(row, k), right = bColumn[k];
      if (isInteger)
        sum = e.add(sum, e.mul(left, right));
      else
        sum = LLVM::FMAOp::create(e.builder, e.loc, left, right, sum);
    }
    rows.push_back(storeAccumulator(sum));
  }
  return message.flat ? e.concatenate(rows) : e.pack(acc.getType(), rows);
}

Value mlt::emitDpas(Emitter &emitter, const DpasMessage &message, Value acc,
                    Value a, Value b) {
  return DpasEmitter(emitter, message).emit(acc, a, b);
}
