//===- Quick.cpp - The common instructions in one step --------------------===//
//
// The general way reads every source into a buffer, computes, converts and
// writes, each through a function of its own. Most instructions of real kernels
// need none of that: operands of one type, lanes one after the other or one for
// all. Those run here in one function that works where the registers are.
//
//===----------------------------------------------------------------------===//

#include "Simulator/Alu.h"
#include "Simulator/Express.h"

#include <algorithm>

using namespace mltc::sim;

namespace {

template <typename C>
using Bits = std::make_unsigned_t<
    std::conditional_t<std::is_same_v<C, float>, int32_t, C>>;

/// A source: all its lanes, or the first for all of them.
template <typename C, bool One> class Lanes {
public:
  Lanes(const Thread &thread, const Instruction &inst, int i)
      : at(inst.constants >> i & 1
               ? reinterpret_cast<const uint8_t *>(inst.from[i])
               : thread.image + inst.from[i]),
        minus(inst.negated >> i & 1) {
    if constexpr (One)
      first = load(0);
  }
  C operator[](int lane) const {
    if constexpr (One)
      return first;
    else
      return load(lane);
  }

private:
  C load(int lane) const {
    auto bits = loadBytes<Bits<C>>(at + size_t(lane) * sizeof(C));
    if constexpr (std::is_same_v<C, float>)
      return bitsToFloat(bits ^ uint32_t(minus) << 31);
    else
      return C((bits ^ (0 - Bits<C>(minus))) + minus);
  }

  const uint8_t *at;
  bool minus;
  C first = 0;
};

/// Writes the lanes of a mask; what lies between them stays.
template <typename C, int N>
void writeLanes(uint8_t *to, const C *lanes, uint32_t mask) {
  if (N == 1) {
    if (mask & 1)
      std::memcpy(to, lanes, sizeof(C));
    return;
  }
  if (mask == laneMask(N)) {
    std::memcpy(to, lanes, N * sizeof(C));
    return;
  }
  C merged[N];
  std::memcpy(merged, to, sizeof merged);
  for (int i = 0; i < N; ++i)
    merged[i] = mask >> i & 1 ? lanes[i] : merged[i];
  std::memcpy(to, merged, sizeof merged);
}

// Expressions, with a name and the number of sources.

template <Op op, int Count> struct Basic {
  static constexpr int sources = Count;
  template <typename C> static C apply(C a, C b, C c, const Instruction &inst) {
    if constexpr (std::is_floating_point_v<C>)
      return real<op, C>(a, b, c);
    else
      return integer<op, C>(a, b, c, inst);
  }
};
struct Move {
  static constexpr int sources = 1;
  template <typename C> static C apply(C a, C, C, const Instruction &) {
    return a;
  }
};
template <Math function> struct Transcendental {
  static constexpr int sources = 1;
  template <typename C> static C apply(C a, C, C, const Instruction &) {
    return transcendental<function, C>(a);
  }
};
/// The smaller or larger, a number rather than a NaN.
struct Least {
  static constexpr int sources = 2;
  template <typename C> static C apply(C a, C b, C, const Instruction &) {
    return (a < b) | (b != b) ? a : b;
  }
};
struct Greatest {
  static constexpr int sources = 2;
  template <typename C> static C apply(C a, C b, C, const Instruction &) {
    return (a >= b) | (b != b) ? a : b;
  }
};

/// `Ones`: a bit for each source that is the same for all lanes.
template <typename E, typename C, int N, int Ones>
void run(Context &, Thread &thread, const Instruction &inst) {
  constexpr int count = E::sources;
  Lanes<C, (Ones & 1) != 0> a(thread, inst, 0);
  Lanes<C, (Ones & 2) != 0> b(thread, inst, count > 1 ? 1 : 0);
  Lanes<C, (Ones & 4) != 0> c(thread, inst, count > 2 ? 2 : 0);
  alignas(32) C out[N];
  for (int i = 0; i < N; ++i)
    out[i] = E::template apply<C>(a[i], count > 1 ? b[i] : C(0),
                                  count > 2 ? c[i] : C(0), inst);
  writeLanes<C, N>(thread.image + inst.to, out, executionMask(thread, inst));
}

/// sel by a predicate, which disables no lane.
template <typename C, int N, int Ones>
void choose(Context &, Thread &thread, const Instruction &inst) {
  Lanes<C, (Ones & 1) != 0> a(thread, inst, 0);
  Lanes<C, (Ones & 2) != 0> b(thread, inst, 1);
  uint32_t first = executionMask(thread, inst), mask = laneMask(inst.lanes);
  if (!inst.writeEnable)
    mask &= thread.active >> inst.channel;
  alignas(32) C out[N];
  for (int i = 0; i < N; ++i)
    out[i] = first >> i & 1 ? a[i] : b[i];
  writeLanes<C, N>(thread.image + inst.to, out, mask);
}

template <Cond cond, typename C> bool holds(C a, C b) {
  switch (cond) {
  case Cond::Eq:
    return a == b;
  case Cond::Ne:
    return a != b;
  case Cond::Lt:
    return a < b;
  case Cond::Le:
    return a <= b;
  case Cond::Gt:
    return a > b;
  default:
    return a >= b;
  }
}

/// One bit for each lane that is not 0; all bits of a lane are equal.
template <int N> uint32_t gathered(const int32_t *lanes) {
  uint32_t bits = 0;
#ifdef __AVX2__
  if constexpr (N >= 8) {
    for (int i = 0; i < N; i += 8)
      bits |= uint32_t(_mm256_movemask_ps(
                  _mm256_loadu_ps(reinterpret_cast<const float *>(lanes + i))))
              << i;
    return bits;
  }
#endif
  for (int i = 0; i < N; ++i)
    bits |= uint32_t(lanes[i] & 1) << i;
  return bits;
}

/// cmp that writes flags and nothing else.
template <Cond cond, typename C, int N, int Ones>
void compare(Context &, Thread &thread, const Instruction &inst) {
  Lanes<C, (Ones & 1) != 0> a(thread, inst, 0);
  Lanes<C, (Ones & 2) != 0> b(thread, inst, 1);
  alignas(32) int32_t lanes[N];
  for (int i = 0; i < N; ++i)
    lanes[i] = holds<cond, C>(a[i], b[i]) ? -1 : 0;
  writeFlags(thread, inst, gathered<N>(lanes), executionMask(thread, inst));
}

/// Copies of elements of one size, also with gaps between them.
template <typename S, int N, bool Gaps>
void spread(Context &, Thread &thread, const Instruction &inst) {
  const uint8_t *from = thread.image + inst.from[0];
  S out[N];
  for (int i = 0; i < N; ++i)
    out[i] = loadBytes<S>(from + inst.src[0].lane[i]);
  uint8_t *to = thread.image + inst.to;
  uint32_t mask = executionMask(thread, inst);
  if constexpr (!Gaps)
    return writeLanes<S, N>(to, out, mask);
  for (int i = 0; i < N; ++i)
    if (mask >> i & 1)
      std::memcpy(to + inst.dst.lane[i], &out[i], sizeof(S));
}

void nothing(Context &, Thread &, const Instruction &) {}

// The choice of a form.

template <typename E, typename C, int N> Exec withOnes(int ones) {
  constexpr int second = E::sources > 1 ? 2 : 0, third = E::sources > 2 ? 4 : 0;
  static constexpr Exec forms[8] = {run<E, C, N, 0>,
                                    run<E, C, N, 1>,
                                    run<E, C, N, second>,
                                    run<E, C, N, second + 1>,
                                    run<E, C, N, third>,
                                    run<E, C, N, third + 1>,
                                    run<E, C, N, third + second>,
                                    run<E, C, N, third + second + 1>};
  return forms[ones];
}

template <typename E, typename C> Exec withForm(int lanes, int ones) {
  if (lanes == 1) // both kinds of sources are one then
    return run<E, C, 1, 0>;
  return lanes <= 16 ? withOnes<E, C, 16>(ones) : withOnes<E, C, 32>(ones);
}

template <Cond cond, typename C> Exec comparison(int lanes, int ones) {
  if (lanes == 1)
    return compare<cond, C, 1, 0>;
  if (ones & 1) // compilers have what varies first
    return nullptr;
  if (lanes <= 16)
    return ones ? compare<cond, C, 16, 2> : compare<cond, C, 16, 0>;
  return ones ? compare<cond, C, 32, 2> : compare<cond, C, 32, 0>;
}

template <typename C> Exec comparisonOf(Cond cond, int lanes, int ones) {
  switch (cond) {
  case Cond::Eq:
    return comparison<Cond::Eq, C>(lanes, ones);
  case Cond::Ne:
    return comparison<Cond::Ne, C>(lanes, ones);
  case Cond::Lt:
    return comparison<Cond::Lt, C>(lanes, ones);
  case Cond::Le:
    return comparison<Cond::Le, C>(lanes, ones);
  case Cond::Gt:
    return comparison<Cond::Gt, C>(lanes, ones);
  case Cond::Ge:
    return comparison<Cond::Ge, C>(lanes, ones);
  default:
    return nullptr;
  }
}

template <typename C> Exec choice(int lanes, int ones) {
  static constexpr Exec sixteen[] = {choose<C, 16, 0>, choose<C, 16, 1>,
                                     choose<C, 16, 2>, choose<C, 16, 3>};
  static constexpr Exec more[] = {choose<C, 32, 0>, choose<C, 32, 1>,
                                  choose<C, 32, 2>, choose<C, 32, 3>};
  return lanes == 1    ? choose<C, 1, 0>
         : lanes <= 16 ? sixteen[ones]
                       : more[ones];
}

Exec realForm(const Instruction &inst, int ones) {
  int lanes = inst.lanes;
  switch (inst.op) {
  case Op::Mov:
    return withForm<Move, float>(lanes, ones);
  case Op::Add:
    return withForm<Basic<Op::Add, 2>, float>(lanes, ones);
  case Op::Mul:
    return withForm<Basic<Op::Mul, 2>, float>(lanes, ones);
  case Op::Mad:
    return withForm<Basic<Op::Mad, 3>, float>(lanes, ones);
  case Op::Math:
    // Whole registers: a function of what lies behind the lanes is not free.
    if (inst.math == Math::Exp && lanes % 16 == 0)
      return withForm<Transcendental<Math::Exp>, float>(lanes, ones);
    if (inst.math == Math::Inv && lanes % 16 == 0)
      return withForm<Transcendental<Math::Inv>, float>(lanes, ones);
    return nullptr;
  default:
    return nullptr;
  }
}

Exec longForm(const Instruction &inst, int ones) {
  switch (inst.op) {
  case Op::Mov:
    return withForm<Move, int64_t>(inst.lanes, ones);
  case Op::Add:
    return withForm<Basic<Op::Add, 2>, int64_t>(inst.lanes, ones);
  default:
    return nullptr;
  }
}

/// `C` is signed: only a shift to the right asks what the class is.
template <typename C>
Exec integerForm(const Instruction &inst, int ones, bool isSigned) {
  int lanes = inst.lanes;
  switch (inst.op) {
  case Op::Mov:
    return withForm<Move, C>(lanes, ones);
  case Op::Add:
    return withForm<Basic<Op::Add, 2>, C>(lanes, ones);
  case Op::Mul:
    return withForm<Basic<Op::Mul, 2>, C>(lanes, ones);
  case Op::And:
    return withForm<Basic<Op::And, 2>, C>(lanes, ones);
  case Op::Or:
    return withForm<Basic<Op::Or, 2>, C>(lanes, ones);
  case Op::Xor:
    return withForm<Basic<Op::Xor, 2>, C>(lanes, ones);
  case Op::Shl:
    return withForm<Basic<Op::Shl, 2>, C>(lanes, ones);
  case Op::Shr:
  case Op::Asr:
    return inst.op == Op::Asr && isSigned
               ? withForm<Basic<Op::Asr, 2>, C>(lanes, ones)
               : withForm<Basic<Op::Shr, 2>, Bits<C>>(lanes, ones);
  case Op::Add3:
    return withForm<Basic<Op::Add3, 3>, C>(lanes, ones);
  case Op::Mad:
    return withForm<Basic<Op::Mad, 3>, C>(lanes, ones);
  default:
    return nullptr;
  }
}

template <typename C> Exec extremeForm(const Instruction &inst, int ones) {
  return inst.cond == Cond::Lt ? withForm<Least, C>(inst.lanes, ones)
                               : withForm<Greatest, C>(inst.lanes, ones);
}

template <typename C> Exec formOf(const Instruction &inst, int ones) {
  if (inst.op == Op::Cmp)
    return inst.dst.kind == Operand::Null
               ? comparisonOf<C>(inst.cond, inst.lanes, ones)
               : nullptr;
  if (inst.dst.kind == Operand::Null)
    return nullptr;
  if (inst.op == Op::Sel)
    return inst.cond == Cond::None ? choice<C>(inst.lanes, ones)
                                   : extremeForm<C>(inst, ones);
  if (inst.cond != Cond::None)
    return nullptr;
  if constexpr (std::is_same_v<C, float>)
    return realForm(inst, ones);
  else if constexpr (std::is_same_v<C, int64_t>)
    return longForm(inst, ones);
  else
    return integerForm<int32_t>(inst, ones, std::is_signed_v<C>);
}

/// Whether the bytes of an operand are those of the class.
bool isPlain(const Operand &operand, Class c) {
  const TypeInfo &type = info(operand.type);
  if (c == Class::F32 ? operand.type != Type::F
                      : type.isFloat || type.size != (c == Class::I64 ? 8 : 4))
    return false;
  return operand.access == Access::Contiguous ||
         operand.access == Access::Scalar;
}

bool isLogical(Op op) {
  return op == Op::And || op == Op::Or || op == Op::Xor || op == Op::Not;
}

/// Places the sources in the first line of the instruction; false if one of
/// them is of another kind.
bool place(Instruction &inst, Class c, int &ones) {
  for (int i = 0; i < inst.sources; ++i) {
    const Operand &from = inst.src[i];
    // Absolute values count in the operand's type; a sign in logic inverts.
    if (from.absolute || from.complement || (from.negate && isLogical(inst.op)))
      return false;
    if (from.access == Access::Immediate) {
      if (!from.ready)
        return false;
      inst.from[i] = int64_t(reinterpret_cast<uintptr_t>(from.ready));
      inst.constants |= uint8_t(1 << i);
    } else if (isPlain(from, c)) {
      inst.from[i] = from.offset;
      ones |= int(from.access == Access::Scalar) << i;
    } else {
      return false;
    }
    inst.negated |= uint8_t(int(from.negate) << i);
  }
  if (inst.dst.kind == Operand::Register) {
    inst.to = inst.dst.offset;
    return isPlain(inst.dst, c) && inst.dst.access == Access::Contiguous;
  }
  return true;
}

template <typename S> Exec copyForm(const Instruction &inst) {
  bool gaps = inst.dst.access != Access::Contiguous;
  if (inst.lanes == 1)
    return spread<S, 1, false>;
  if (inst.lanes <= 16)
    return gaps ? spread<S, 16, true> : spread<S, 16, false>;
  return gaps ? spread<S, 32, true> : spread<S, 32, false>;
}

/// A move whose source and destination have the same bits.
Exec copy(Instruction &inst) {
  const Operand &from = inst.src[0];
  if (inst.op != Op::Mov || from.kind != Operand::Register ||
      inst.dst.kind != Operand::Register || from.type != inst.dst.type ||
      info(from.type).isFloat || from.access == Access::Indirect ||
      inst.dst.access == Access::Indirect || from.negate || from.absolute ||
      from.complement)
    return nullptr;
  inst.from[0] = from.offset;
  inst.to = inst.dst.offset;
  switch (info(from.type).size) {
  case 1:
    return copyForm<uint8_t>(inst);
  case 2:
    return copyForm<uint16_t>(inst);
  case 4:
    return copyForm<uint32_t>(inst);
  default:
    return copyForm<uint64_t>(inst);
  }
}

} // namespace

Exec mltc::sim::chooseQuick(Instruction &inst, Class c) {
  if (inst.saturate || inst.wide || inst.changesControl)
    return nullptr;
  bool setsFlags = inst.cond != Cond::None && inst.op != Op::Sel;
  if (inst.op == Op::Mov && inst.dst.kind == Operand::Null && !setsFlags)
    return nothing;
  int ones = 0;
  Exec found = nullptr;
  switch (c) {
  case Class::F32:
    found = place(inst, c, ones) ? formOf<float>(inst, ones) : nullptr;
    break;
  case Class::I32:
    found = place(inst, c, ones) ? formOf<int32_t>(inst, ones) : nullptr;
    break;
  case Class::U32:
    found = place(inst, c, ones) ? formOf<uint32_t>(inst, ones) : nullptr;
    break;
  case Class::I64:
    found = place(inst, c, ones) ? formOf<int64_t>(inst, ones) : nullptr;
    break;
  default:
    break;
  }
  return found || setsFlags ? found : copy(inst);
}
