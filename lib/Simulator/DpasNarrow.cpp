//===- DpasNarrow.cpp - dpas of the narrow types --------------------------===//
//
// Integers of 4 and 2 bits, also against those of 8, and floats of 8 bits. Of
// two types the wider one says how many products a column makes at each of the
// eight steps; the elements of the narrower lie closer together. Rare, so one
// loop over bits does for all of them.
//
//===----------------------------------------------------------------------===//

#include "Simulator/Machine.h"

#include <algorithm>

using namespace mltc::sim;

namespace {

constexpr int depth = 8, columns = 16;

int bitsOf(Type type) {
  switch (type) {
  case Type::S4:
  case Type::U4:
    return 4;
  case Type::S2:
  case Type::U2:
    return 2;
  default:
    return 8 * info(type).size;
  }
}

/// Products of a column at each step.
int products(const Instruction &inst) {
  int wider = std::max(bitsOf(inst.src[1].type), bitsOf(inst.src[2].type));
  return std::min(32 / wider, 8);
}

/// An element of packed bits as a number.
int32_t integerAt(const uint8_t *from, int index, Type type) {
  int bits = bitsOf(type), at = index * bits;
  int value = from[at / 8] >> at % 8 & ((1 << bits) - 1);
  return info(type).isSigned && value >> (bits - 1) ? value - (1 << bits)
                                                    : value;
}

/// A bf8 is the upper half of a half.
float floatAt(const uint8_t *from, int index) {
  return halfToFloat(uint16_t(from[index] << 8));
}

int32_t added(int32_t sum, int32_t a, int32_t b) {
  return int32_t(uint32_t(sum) + uint32_t(a) * uint32_t(b));
}
float added(float sum, float a, float b) { return std::fma(a, b, sum); }

/// `element(source, index)` reads B (1) or A (2).
template <typename C, typename Element>
void multiply(const Instruction &inst, Element element, C (*sum)[columns]) {
  int step = products(inst), inner = depth * step;
  for (int r = 0; r < inst.repeat; ++r)
    for (int n = 0; n < columns; ++n)
      for (int k = 0; k < inner; ++k) {
        int right = (k / step * columns + n) * step + k % step;
        sum[r][n] =
            added(sum[r][n], element(2, r * inner + k), element(1, right));
      }
}

/// Reads the third source, or writes the result.
template <typename C>
void loadSums(const Thread &thread, const Operand &from, int count, C *sum) {
  if (from.kind == Operand::Register)
    withStorage(from.type, [&](auto stored) {
      using S = decltype(stored);
      for (int i = 0; i < count; ++i)
        sum[i] = decodeElement<C>(
            loadBytes<S>(thread.image + from.offset + i * int(sizeof(S))));
    });
}

template <typename C>
void storeSums(Thread &thread, const Instruction &inst, const C *sum) {
  uint32_t mask = executionMask(thread, inst);
  withStorage(inst.dst.type, [&](auto stored) {
    using S = decltype(stored);
    for (int i = 0; i < inst.repeat * columns; ++i) {
      S value = encodeElement<S>(sum[i]);
      if (mask >> i % columns & 1)
        std::memcpy(thread.image + inst.dst.offset + i * int(sizeof(S)), &value,
                    sizeof value);
    }
  });
}

template <typename C, typename Element>
void executeWith(Thread &thread, const Instruction &inst, Element element) {
  C sum[8][columns] = {};
  loadSums(thread, inst.src[0], inst.repeat * columns, sum[0]);
  multiply(inst, element, sum);
  storeSums(thread, inst, sum[0]);
}

void executeIntegers(Context &, Thread &thread, const Instruction &inst) {
  executeWith<int32_t>(thread, inst, [&](int source, int index) {
    return integerAt(thread.image + inst.src[source].offset, index,
                     inst.src[source].type);
  });
}

void executeFloats(Context &, Thread &thread, const Instruction &inst) {
  executeWith<float>(thread, inst, [&](int source, int index) {
    return floatAt(thread.image + inst.src[source].offset, index);
  });
}

} // namespace

int mltc::sim::bytesOfDpas(const Instruction &inst, int source) {
  int elements =
      (source == 1 ? columns : int(inst.repeat)) * depth * products(inst);
  return elements * bitsOf(inst.src[source].type) / 8;
}

void mltc::sim::bindNarrowDpas(Instruction &inst) {
  // What a sub-register counts in is not known where elements share a byte.
  for (int source : {1, 2})
    if (bitsOf(inst.src[source].type) < 8 && inst.src[source].offset % grfBytes)
      throw SimError("expected operands of 4 and 2 bits to begin a register");
  inst.exec = info(inst.src[1].type).isFloat ? executeFloats : executeIntegers;
}
