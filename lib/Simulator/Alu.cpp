//===- Alu.cpp - Binding and executing register instructions --------------===//
//
// Decides with what host type an instruction is computed and puts together
// reader, computation and writer. Sources are read for all lanes before the
// destination is written, as they may overlap.
//
//===----------------------------------------------------------------------===//

#include "Simulator/Alu.h"

#include <algorithm>

using namespace mltc::sim;

namespace {

struct Sources {
  alignas(64) uint8_t buffer[3][8 * maxLanes];
  const void *at[3] = {};

  Sources(Thread &thread, const Instruction &inst) {
    for (int i = 0; i < inst.sources; ++i) {
      at[i] = inst.read[i](thread, inst.src[i], buffer[i]);
      if (inst.modify[i]) {
        bool logical = inst.op == Op::And || inst.op == Op::Or ||
                       inst.op == Op::Xor || inst.op == Op::Not;
        inst.modify[i](inst.src[i], at[i], buffer[i], logical);
        at[i] = buffer[i];
      }
    }
  }
};

} // namespace

void mltc::sim::writeFlags(Thread &thread, const Instruction &inst,
                           uint32_t bits, uint32_t mask) {
  int bit = inst.flag + inst.channel;
  uint8_t *at = thread.image + flagBase + bit / 8;
  uint64_t word = loadBytes<uint64_t>(at);
  uint64_t changed = uint64_t(mask) << (bit & 7);
  word = (word & ~changed) | (uint64_t(bits & mask) << (bit & 7));
  std::memcpy(at, &word, 8);
}

namespace {

void finish(Thread &thread, const Instruction &inst, void *result,
            uint32_t mask) {
  if (inst.compare) {
    static const uint64_t zero[maxLanes] = {};
    alignas(64) uint8_t narrowed[8 * maxLanes];
    if (inst.narrow)
      inst.narrow(thread, result, narrowed);
    writeFlags(thread, inst,
               inst.compare(inst.narrow ? narrowed : result, zero, inst.cond),
               mask);
  }
  if (inst.write)
    inst.write(thread, inst, result, mask);
  if (inst.changesControl)
    thread.applyControl();
}

void execute(Context &, Thread &thread, const Instruction &inst) {
  Sources from(thread, inst);
  alignas(64) uint8_t result[8 * maxLanes];
  uint32_t mask = executionMask(thread, inst);
  inst.compute(from.at[0], from.at[1], from.at[2], result, inst, mask);
  finish(thread, inst, result, mask);
}

void executeMove(Context &, Thread &thread, const Instruction &inst) {
  Sources from(thread, inst);
  uint32_t mask = executionMask(thread, inst);
  if (from.at[0] == from.buffer[0] && !inst.compare) {
    if (inst.write)
      inst.write(thread, inst, from.at[0], mask);
  } else { // where it lies may be overwritten
    alignas(64) uint8_t result[8 * maxLanes];
    std::memcpy(result, from.at[0], sizeof result);
    return finish(thread, inst, result, mask);
  }
  if (inst.changesControl)
    thread.applyControl();
}

/// The predicate chooses lanes here, it does not disable them.
void executeSelect(Context &, Thread &thread, const Instruction &inst) {
  Sources from(thread, inst);
  alignas(64) uint8_t result[8 * maxLanes];
  uint32_t mask = laneMask(inst.lanes);
  if (!inst.writeEnable)
    mask &= thread.active >> inst.channel;
  inst.compute(from.at[0], from.at[1], nullptr, result, inst,
               executionMask(thread, inst));
  if (inst.write)
    inst.write(thread, inst, result, mask);
}

void executeCompare(Context &, Thread &thread, const Instruction &inst) {
  Sources from(thread, inst);
  uint32_t mask = executionMask(thread, inst);
  uint32_t bits = inst.compare(from.at[0], from.at[1], inst.cond);
  writeFlags(thread, inst, bits, mask);
  if (!inst.write)
    return;
  int64_t all[maxLanes]; // a destination gets all ones where it holds
  for (int i = 0; i < maxLanes; ++i)
    all[i] = bits >> i & 1 ? -1 : 0;
  inst.write(thread, inst, all, mask);
}

/// Writes the low half of 64-bit lanes; the whole stays beside acc0.
void writeWide(Thread &thread, const Instruction &inst, int64_t *lanes,
               uint32_t mask) {
  for (int i = 0; i < inst.lanes; ++i)
    if (mask >> i & 1)
      thread.product[i] = lanes[i];
  if (inst.write)
    inst.write(thread, inst, lanes, mask);
}

/// mul to acc0: the first step of a 32-bit multiplication.
void executeWide(Context &, Thread &thread, const Instruction &inst) {
  Sources from(thread, inst);
  alignas(64) int64_t result[maxLanes];
  uint32_t mask = executionMask(thread, inst);
  inst.compute(from.at[0], from.at[1], from.at[2], result, inst, mask);
  writeWide(thread, inst, result, mask);
}

/// The second: acc0 holds the product with the low 16 bits of the second
/// source. macl gives the low, mach the high half of the whole, of which acc0
/// keeps the low one: compilers that want both read it there.
void executeLongMultiply(Context &, Thread &thread, const Instruction &inst) {
  Sources from(thread, inst);
  const int64_t *a = static_cast<const int64_t *>(from.at[0]),
                *b = static_cast<const int64_t *>(from.at[1]);
  alignas(64) int64_t result[maxLanes] = {};
  uint32_t mask = executionMask(thread, inst);
  for (int i = 0; i < inst.lanes; ++i) {
    uint64_t sum = uint64_t(thread.product[i]) +
                   uint64_t(a[i]) * uint64_t(b[i] >> 16) * 65536u;
    if (mask >> i & 1) {
      auto low = uint32_t(sum);
      std::memcpy(thread.image + accBase + 4 * i, &low, 4);
      thread.product[i] = int64_t(sum);
    }
    result[i] = int64_t(inst.op == Op::Mach ? sum >> 32 : sum & 0xFFFFFFFFu);
  }
  finish(thread, inst, result, mask);
}

/// addc and subb leave the carry of 32-bit lanes in acc0.
void executeCarry(Context &, Thread &thread, const Instruction &inst) {
  Sources from(thread, inst);
  const int64_t *a = static_cast<const int64_t *>(from.at[0]),
                *b = static_cast<const int64_t *>(from.at[1]);
  alignas(64) int64_t result[maxLanes] = {};
  uint32_t mask = executionMask(thread, inst);
  for (int i = 0; i < inst.lanes; ++i) {
    int64_t value = inst.op == Op::Addc ? a[i] + b[i] : a[i] - b[i];
    uint32_t carry = value >> 32 & 1;
    result[i] = value;
    if (mask >> i & 1) {
      std::memcpy(thread.image + accBase + 4 * i, &carry, 4);
      thread.product[i] = carry;
    }
  }
  finish(thread, inst, result, mask);
}

Type unsignedOf(Type type) {
  switch (type) {
  case Type::B:
    return Type::UB;
  case Type::W:
    return Type::UW;
  case Type::D:
    return Type::UD;
  case Type::Q:
    return Type::UQ;
  default:
    return type;
  }
}

bool anySource(const Instruction &inst, bool (*holds)(Type)) {
  for (int i = 0; i < inst.sources; ++i)
    if (holds(inst.src[i].type))
      return true;
  return false;
}

bool isFloat(Type type) { return info(type).isFloat; }
bool isSigned(Type type) { return info(type).isSigned; }
bool isLong(Type type) { return info(type).size == 8; }

bool haveSameBits(Type a, Type b) {
  return a == b || (!isFloat(a) && !isFloat(b) && info(a).size == info(b).size);
}

/// Every bit is kept, also of a NaN: nothing is converted or computed.
bool copiesBits(const Instruction &inst) {
  if ((inst.op != Op::Mov && inst.op != Op::Sel) || inst.saturate ||
      inst.cond != Cond::None || inst.dst.type == Type::None)
    return false;
  for (int i = 0; i < inst.sources; ++i) {
    const Operand &from = inst.src[i];
    if (!haveSameBits(from.type, inst.dst.type) || from.negate ||
        from.absolute || from.complement)
      return false;
  }
  return true;
}

Type rawType(Type type) {
  static const Type bySize[] = {Type::UB, Type::UW, Type::None, Type::UD};
  return info(type).size == 8 ? Type::UQ : bySize[info(type).size - 1];
}

Class classOfFloats(const Instruction &inst) {
  Type dst = inst.dst.type;
  bool twice = dst == Type::HF || dst == Type::BF; // rounding through float
  auto isDouble = [](Type type) { return type == Type::DF; };
  auto isWideInteger = [](Type type) {
    return !isFloat(type) && info(type).size >= 4;
  };
  if (dst == Type::DF || anySource(inst, isDouble) ||
      (twice && (inst.op == Op::Mad || anySource(inst, isWideInteger))))
    return Class::F64;
  return Class::F32;
}

Class classOfIntegers(const Instruction &inst) {
  bool first = isSigned(inst.src[0].type), ordered = false, mixed = false;
  bool sign = first, compared = false;
  if (inst.op == Op::Cmp || inst.op == Op::Sel || inst.op == Op::Csel) {
    ordered = true;
    mixed = inst.sources > 1 && first != isSigned(inst.src[1].type);
  } else if (inst.cond != Cond::None && inst.dst.type != Type::None) {
    sign = isSigned(inst.dst.type);
    compared = true;
  }
  bool wide = isLong(inst.dst.type) || anySource(inst, isLong) ||
              inst.saturate || inst.op == Op::Dp4a || inst.op == Op::Avg ||
              (ordered && mixed);
  if (inst.op == Op::Shr)
    sign = false;
  if (!wide)
    return sign ? Class::I32 : Class::U32;
  if (inst.op == Op::Shr || (compared && inst.dst.type == Type::UQ))
    return Class::U64;
  return sign || inst.src[0].type != Type::UQ ? Class::I64 : Class::U64;
}

Class classify(const Instruction &inst) {
  if (inst.wide || inst.op == Op::Mach || inst.op == Op::Macl ||
      inst.op == Op::Addc || inst.op == Op::Subb)
    return Class::I64;
  bool floats = anySource(inst, isFloat) ||
                (inst.op == Op::Mov && isFloat(inst.dst.type));
  return floats ? classOfFloats(inst) : classOfIntegers(inst);
}

void checkModes(const Instruction &inst, Class c) {
  bool floats = c == Class::F32 || c == Class::F64;
  if (inst.op == Op::Math && c == Class::F64)
    throw SimError("math functions of 64-bit floats are not known");
  if (inst.op == Op::Sel && inst.cond != Cond::None &&
      (inst.cond != Cond::Lt && inst.cond != Cond::Ge))
    throw SimError("expected sel with lt or ge");
  if (inst.op == Op::Cmp && inst.cond == Cond::None)
    throw SimError("expected a comparison with a condition");
  if (inst.cond == Cond::Unordered && !floats)
    throw SimError("expected floats to be compared as unordered");
  if (inst.cond == Cond::Special)
    throw SimError("expected eo as condition of an IEEE macro");
}

Exec chooseExec(const Instruction &inst) {
  switch (inst.op) {
  case Op::Mov:
    return executeMove;
  case Op::Sel:
    return executeSelect;
  case Op::Cmp:
    return executeCompare;
  case Op::Mach:
  case Op::Macl:
    return executeLongMultiply;
  case Op::Addc:
  case Op::Subb:
    return executeCarry;
  default:
    return inst.wide ? executeWide : execute;
  }
}

bool isFirstAccumulator(const Operand &operand) {
  return operand.kind == Operand::Register && operand.offset >= accBase &&
         operand.offset < accBase + grfBytes;
}

} // namespace

void mltc::sim::bindAlu(Instruction &inst) {
  if (inst.op == Op::Mac) { // the accumulator is the sum
    inst.src[2] = inst.src[1];
    inst.src[1] = inst.src[0];
    inst.src[0] = inst.dst;
    inst.src[0].kind = Operand::Register;
    inst.src[0].access = Access::Contiguous;
    inst.src[0].offset = accBase;
    inst.src[0].addressWord = -1;
    inst.sources = 3;
  }
  for (int i = 0; i < inst.sources; ++i)
    if (inst.src[i].kind == Operand::Null)
      throw SimError("expected a source, found null");
  if (copiesBits(inst)) {
    inst.dst.type = rawType(inst.dst.type);
    for (int i = 0; i < inst.sources; ++i)
      inst.src[i].type = inst.dst.type;
  }
  inst.wide = inst.op == Op::Mul && isFirstAccumulator(inst.dst) &&
              !isFloat(inst.dst.type);
  if (inst.op == Op::Shr || inst.op == Op::Cbit || inst.op == Op::Fbl ||
      inst.op == Op::Lzd)
    inst.src[0].type = unsignedOf(inst.src[0].type);
  Class c = classify(inst);
  for (int i = 0; i < inst.sources; ++i) {
    inst.read[i] = chooseReader(inst.src[i], c, inst.lanes);
    inst.modify[i] = chooseModifier(inst.src[i], c, inst.lanes);
  }
  // What a comparison writes are bits, whatever it compares.
  if (inst.op == Op::Cmp && inst.dst.kind == Operand::Register)
    inst.dst.type = rawType(inst.dst.type);
  inst.write = chooseWriter(inst, inst.op == Op::Cmp ? Class::I64 : c);
  if (inst.cond != Cond::None && inst.op != Op::Sel && inst.op != Op::Csel) {
    inst.compare = chooseComparer(c, inst.lanes);
    if (inst.op != Op::Cmp && inst.dst.type != Type::None)
      inst.narrow = chooseNarrow(inst, c);
  }
  checkModes(inst, c);
  inst.exec = chooseExec(inst);
  if (inst.exec == execute || inst.exec == executeSelect ||
      inst.exec == executeWide) {
    inst.compute = chooseCompute(inst, c);
    if (!inst.compute)
      throw SimError("these operand types of '" + inst.source->name +
                     "' are not known");
  }
  inst.changesControl = inst.dst.kind == Operand::Register &&
                        inst.dst.offset >= controlBase &&
                        inst.dst.offset < stateBase;
  if (Exec quick = chooseQuick(inst, c))
    inst.exec = quick;
}
