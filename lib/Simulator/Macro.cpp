//===- Macro.cpp - Instructions of IEEE division and square root ----------===//
//
// math.invm and math.rsqtm begin, madm refines. Between them numbers have more
// bits than their type: a register mme0 .. mme7 holds the rest, lane by lane.
// The condition eo marks lanes whose operands need no refinement: there the
// first instruction gave the quotient or the root itself.
//
//===----------------------------------------------------------------------===//

#include "Simulator/Alu.h"

#include <limits>

using namespace mltc::sim;

namespace {

/// Numbers with at least twice the bits of C.
template <typename C> struct Wider {
  using type = double;
};
#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 Widest;
#else
using Widest = long double;
#endif
template <> struct Wider<double> {
  using type = Widest;
};

template <typename W> W multiplyAdd(W c, W a, W b) {
  if constexpr (std::is_same_v<W, double>)
    return std::fma(a, b, c);
  else
    return a * b + c;
}

/// Far enough from both ends of the exponents for all steps of the macro.
template <typename C> bool isOrdinary(C value) {
  using Limits = std::numeric_limits<C>;
  if (!std::isnormal(value))
    return false;
  int exponent = std::ilogb(value);
  return exponent > Limits::min_exponent + Limits::digits + 3 &&
         exponent < Limits::max_exponent - 4;
}

template <typename C> bool needsNoSteps(Math function, C a, C b) {
  if (function == Math::Rsqtm)
    return !isOrdinary(a) || a < 0;
  if (!isOrdinary(a) || !isOrdinary(b))
    return true;
  using Limits = std::numeric_limits<C>;
  int exponent = std::ilogb(a) - std::ilogb(b);
  return exponent < Limits::min_exponent + Limits::digits + 3 ||
         exponent > Limits::max_exponent - 4;
}

/// A source with the bits beside it.
template <typename C>
typename Wider<C>::type whole(const Thread &thread, const Operand &operand,
                              const C *from, int lane) {
  using W = typename Wider<C>::type;
  W value = from[lane];
  if (operand.extension >= 0)
    value += W(operand.negate ? -1 : 1) *
             W(C(thread.extension[operand.extension][lane]));
  return value;
}

template <typename C>
void place(Thread &thread, const Instruction &inst,
           typename Wider<C>::type wide, C *out, int lane) {
  using W = typename Wider<C>::type;
  out[lane] = C(wide);
  if (inst.dst.extension >= 0)
    thread.extension[inst.dst.extension][lane] = C(wide - W(out[lane]));
}

template <typename C>
void step(Context &, Thread &thread, const Instruction &inst) {
  alignas(64) uint8_t buffer[3][8 * maxLanes];
  const C *from[3] = {};
  for (int i = 0; i < inst.sources; ++i) {
    from[i] =
        static_cast<const C *>(inst.read[i](thread, inst.src[i], buffer[i]));
    if (inst.modify[i]) {
      inst.modify[i](inst.src[i], from[i], buffer[i], false);
      from[i] = reinterpret_cast<const C *>(buffer[i]);
    }
  }
  alignas(64) C out[maxLanes] = {};
  uint32_t mask = executionMask(thread, inst), special = 0;
  for (uint32_t left = mask; left; left &= left - 1) {
    int lane = __builtin_ctz(left);
    if (inst.op == Op::Madm) {
      place<C>(thread, inst,
               multiplyAdd(whole(thread, inst.src[0], from[0], lane),
                           whole(thread, inst.src[1], from[1], lane),
                           whole(thread, inst.src[2], from[2], lane)),
               out, lane);
      continue;
    }
    C a = from[0][lane], b = from[1] ? from[1][lane] : C(1);
    bool root = inst.math == Math::Rsqtm, done = needsNoSteps(inst.math, a, b);
    special |= uint32_t(done) << lane;
    C value = root   ? done ? std::sqrt(a) : 1 / std::sqrt(a)
              : done ? a / b
                     : 1 / b;
    place<C>(thread, inst, value, out, lane);
  }
  if (inst.cond == Cond::Special)
    writeFlags(thread, inst, special, mask);
  if (inst.write)
    inst.write(thread, inst, out, mask);
}

} // namespace

void mltc::sim::bindMacro(Instruction &inst) {
  Type type = inst.dst.type;
  if (type != Type::F && type != Type::DF)
    throw SimError("expected an IEEE macro of f or df");
  if (inst.cond != Cond::None &&
      (inst.cond != Cond::Special || inst.op != Op::Math))
    throw SimError("expected eo as condition of an IEEE macro");
  Class c = type == Type::F ? Class::F32 : Class::F64;
  for (int i = 0; i < inst.sources; ++i) {
    Operand &source = inst.src[i];
    if (source.kind != Operand::Register || source.type != type)
      throw SimError("expected registers of one type in an IEEE macro");
    if (source.absolute)
      throw SimError("an absolute value in an IEEE macro is not known");
    inst.read[i] = chooseReader(source, c, inst.lanes);
    inst.modify[i] = chooseModifier(source, c, inst.lanes);
  }
  inst.write = chooseWriter(inst, c);
  inst.exec = c == Class::F32 ? step<float> : step<double>;
}
