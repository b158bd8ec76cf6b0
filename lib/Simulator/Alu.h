//===- Alu.h - How register instructions are put together -------*- C++ -*-===//
//
// An instruction that only changes registers is a reader per source, a
// computation and a writer. All work on arrays of one host type, the class of
// the instruction, so that each is a loop the compiler turns into vectors.
//
//===----------------------------------------------------------------------===//

#ifndef MLTC_SIMULATOR_ALU_H
#define MLTC_SIMULATOR_ALU_H

#include "Simulator/Machine.h"

namespace mltc::sim {

/// What the host computes an instruction with.
enum class Class : uint8_t { I32, U32, I64, U64, F32, F64 };

/// Calls `use(C())` with the host type of a class.
template <typename Use> auto withClass(Class c, Use use) {
  switch (c) {
  case Class::I32:
    return use(int32_t());
  case Class::U32:
    return use(uint32_t());
  case Class::I64:
    return use(int64_t());
  case Class::U64:
    return use(uint64_t());
  case Class::F32:
    return use(float());
  case Class::F64:
    break;
  }
  return use(double());
}

template <int N> struct Lanes {
  static constexpr int count = N;
};
/// Calls `use(Lanes<N>())` with the length of the loops: what lies behind the
/// last lane is computed and thrown away.
template <typename Use> auto withLanes(int lanes, Use use) {
  if (lanes == 1)
    return use(Lanes<1>());
  if (lanes <= 16)
    return use(Lanes<16>());
  return use(Lanes<32>());
}

/// May read from wherever the operand says; also prepares immediates.
Reader chooseReader(Operand &operand, Class c, int lanes);
Modifier chooseModifier(const Operand &operand, Class c, int lanes);
Compute chooseCompute(const Instruction &inst, Class c);
Comparer chooseComparer(Class c, int lanes);
Writer chooseWriter(const Instruction &inst, Class c);
/// Null if the class already is the destination's type.
Narrow chooseNarrow(const Instruction &inst, Class c);

/// The form that does it all in one step; null if there is none. Wants sources
/// with readers.
Exec chooseQuick(Instruction &inst, Class c);

/// Sets the flags of an instruction's condition where the mask says.
void writeFlags(Thread &thread, const Instruction &inst, uint32_t bits,
                uint32_t mask);

/// The least normal number of a half.
constexpr float leastHalf = 6.103515625e-05f;

} // namespace mltc::sim

#endif // MLTC_SIMULATOR_ALU_H
