//===- AluCompute.cpp - What register instructions compute ----------------===//
//
// One expression per opcode; the loop around it is the same for all. Integers
// are computed in unsigned arithmetic, which wraps as the hardware does.
//
//===----------------------------------------------------------------------===//

#include "Simulator/Alu.h"

using namespace mltc::sim;

namespace {

/// Bits an integer instruction shifts or counts in.
template <typename C> constexpr int width = int(sizeof(C)) * 8;

template <typename U> U rotated(U value, unsigned amount, unsigned bits) {
  U keep = bits == sizeof(U) * 8 ? U(~U(0)) : U((U(1) << bits) - 1);
  amount %= bits;
  value &= keep;
  return amount ? U((value << amount | value >> (bits - amount)) & keep)
                : value;
}

template <typename U> U reversed(U value) {
  U out = 0;
  for (int i = 0; i < 32; ++i)
    out |= U(value >> i & 1) << (31 - i);
  return out;
}

/// Four products of bytes, signed as the operands are.
int64_t dot4(int64_t sum, uint64_t a, uint64_t b, const Instruction &inst) {
  auto byte = [](uint64_t word, int i, Type type) {
    uint8_t value = uint8_t(word >> 8 * i);
    return type == Type::D ? int64_t(int8_t(value)) : int64_t(value);
  };
  for (int i = 0; i < 4; ++i)
    sum += byte(a, i, inst.src[1].type) * byte(b, i, inst.src[2].type);
  return sum;
}

template <Op op, typename C> C integer(C a, C b, C c, const Instruction &inst) {
  using U = std::make_unsigned_t<C>;
  U x = U(a), y = U(b), z = U(c);
  unsigned amount = unsigned(y) & (width<C> - 1);
  if constexpr (op == Op::Not)
    return C(~x);
  else if constexpr (op == Op::And)
    return C(x & y);
  else if constexpr (op == Op::Or)
    return C(x | y);
  else if constexpr (op == Op::Xor)
    return C(x ^ y);
  else if constexpr (op == Op::Shl)
    return C(U(x << amount));
  else if constexpr (op == Op::Shr)
    return C(x >> amount);
  else if constexpr (op == Op::Asr)
    return C(a >> amount);
  else if constexpr (op == Op::Rol)
    return C(rotated(x, unsigned(y), 8u * info(inst.dst.type).size));
  else if constexpr (op == Op::Ror) {
    unsigned bits = 8u * info(inst.dst.type).size;
    return C(rotated(x, bits - unsigned(y) % bits, bits));
  } else if constexpr (op == Op::Add)
    return C(x + y);
  else if constexpr (op == Op::Add3)
    return C(x + y + z);
  else if constexpr (op == Op::Avg)
    return C((a + b + 1) >> 1);
  else if constexpr (op == Op::Mul)
    return C(x * y);
  else if constexpr (op == Op::Mad)
    return C(x + y * z);
  else if constexpr (op == Op::Dp4a)
    return C(dot4(int64_t(a), uint64_t(y), uint64_t(z), inst));
  else if constexpr (op == Op::Cbit)
    return C(__builtin_popcountll(x));
  else if constexpr (op == Op::Fbl)
    return x ? C(__builtin_ctzll(x)) : C(0xFFFFFFFF);
  else if constexpr (op == Op::Fbh) {
    uint32_t from = uint32_t(x);
    if (inst.src[0].type == Type::D && int32_t(from) < 0)
      from = ~from;
    return from ? C(__builtin_clz(from)) : C(0xFFFFFFFF);
  } else if constexpr (op == Op::Lzd)
    return uint32_t(x) ? C(__builtin_clz(uint32_t(x))) : C(32);
  else if constexpr (op == Op::Bfrev)
    return C(reversed(x));
  else if constexpr (op == Op::Bfe) {
    unsigned bits = unsigned(x) & 31, at = unsigned(y) & 31;
    if (!bits)
      return 0;
    // A field that reaches beyond bit 31 ends there.
    uint32_t data = uint32_t(z) << (at + bits < 32 ? 32 - bits - at : 0);
    unsigned down = at + bits < 32 ? 32 - bits : at;
    return inst.src[2].type == Type::D ? C(int32_t(data) >> down)
                                       : C(data >> down);
  } else if constexpr (op == Op::Bfi1) {
    unsigned bits = unsigned(x) & 31, at = unsigned(y) & 31;
    return C(U(((1u << bits) - 1) << at));
  } else if constexpr (op == Op::Bfi2) {
    uint32_t mask = uint32_t(x);
    unsigned at = mask ? unsigned(__builtin_ctz(mask)) : 0;
    return C(U((uint32_t(y) << at & mask) | (uint32_t(z) & ~mask)));
  }
}

template <Op op, typename C> C real(C a, C b, C c) {
  if constexpr (op == Op::Add)
    return a + b;
  else if constexpr (op == Op::Add3)
    return a + b + c;
  else if constexpr (op == Op::Mul)
    return a * b;
  else if constexpr (op == Op::Mad)
    return std::fma(b, c, a);
  else if constexpr (op == Op::Rndd)
    return std::floor(a);
  else if constexpr (op == Op::Rndu)
    return std::ceil(a);
  else if constexpr (op == Op::Rndz)
    return std::trunc(a);
  else if constexpr (op == Op::Rnde) {
    // Independent of the rounding mode.
    C low = std::floor(a), rest = a - low;
    bool up = rest > C(0.5) || (rest == C(0.5) && std::fmod(low, C(2)) != 0);
    return std::copysign(up ? low + 1 : low, a);
  } else if constexpr (op == Op::Frc)
    return a - std::floor(a);
}

template <Math function, typename C> C transcendental(C a) {
  if constexpr (function == Math::Inv)
    return 1 / a;
  else if constexpr (function == Math::Sqrt)
    return std::sqrt(a);
  else if constexpr (function == Math::Rsqt)
    return 1 / std::sqrt(a);
  else if constexpr (function == Math::Exp)
    return std::exp2(a);
  else if constexpr (function == Math::Log)
    return std::log2(a);
  else if constexpr (function == Math::Sin)
    return std::sin(a);
  else
    return std::cos(a);
}

template <Op op, typename C, int N>
void compute(const void *s0, const void *s1, const void *s2, void *to,
             const Instruction &inst, uint32_t) {
  const C *a = static_cast<const C *>(s0), *b = static_cast<const C *>(s1),
          *c = static_cast<const C *>(s2);
  C *out = static_cast<C *>(to);
  for (int i = 0; i < N; ++i) {
    C y = b ? b[i] : C(0), z = c ? c[i] : C(0);
    if constexpr (std::is_floating_point_v<C>)
      out[i] = real<op, C>(a[i], y, z);
    else
      out[i] = integer<op, C>(a[i], y, z, inst);
  }
}

template <Math function, typename C, int N>
void computeMath(const void *s0, const void *, const void *, void *to,
                 const Instruction &inst, uint32_t) {
  const C *a = static_cast<const C *>(s0);
  C *out = static_cast<C *>(to);
  for (int i = 0; i < inst.lanes; ++i)
    out[i] = transcendental<function, C>(a[i]);
}

template <typename C, int N>
void logicFunction(const void *s0, const void *s1, const void *s2, void *to,
                   const Instruction &inst, uint32_t) {
  const C *a = static_cast<const C *>(s0), *b = static_cast<const C *>(s1),
          *c = static_cast<const C *>(s2);
  C *out = static_cast<C *>(to);
  for (int i = 0; i < N; ++i) {
    C result = 0;
    for (int k = 0; k < 8; ++k)
      if (inst.table >> k & 1)
        result |= C(k & 1 ? a[i] : ~a[i]) & C(k & 2 ? b[i] : ~b[i]) &
                  C(k & 4 ? c[i] : ~c[i]);
    out[i] = result;
  }
}

template <typename C, int N>
void select(const void *s0, const void *s1, const void *, void *to,
            const Instruction &, uint32_t selected) {
  const C *a = static_cast<const C *>(s0), *b = static_cast<const C *>(s1);
  C *out = static_cast<C *>(to);
  for (int i = 0; i < N; ++i)
    out[i] = selected >> i & 1 ? a[i] : b[i];
}

/// sel with a condition: the smaller or larger, a number rather than a NaN.
template <typename C, int N>
void selectExtreme(const void *s0, const void *s1, const void *, void *to,
                   const Instruction &inst, uint32_t) {
  const C *a = static_cast<const C *>(s0), *b = static_cast<const C *>(s1);
  C *out = static_cast<C *>(to);
  if (inst.cond == Cond::Lt)
    for (int i = 0; i < N; ++i)
      out[i] = a[i] < b[i] || b[i] != b[i] ? a[i] : b[i];
  else
    for (int i = 0; i < N; ++i)
      out[i] = a[i] >= b[i] || b[i] != b[i] ? a[i] : b[i];
}

template <typename C, int N>
void conditionalSelect(const void *s0, const void *s1, const void *s2, void *to,
                       const Instruction &inst, uint32_t) {
  const C *a = static_cast<const C *>(s0), *b = static_cast<const C *>(s1);
  const C zero[N] = {};
  static const Class classes[] = {Class::I32, Class::U32, Class::I64,
                                  Class::U64, Class::F32, Class::F64};
  constexpr int at = std::is_same_v<C, int32_t>    ? 0
                     : std::is_same_v<C, uint32_t> ? 1
                     : std::is_same_v<C, int64_t>  ? 2
                     : std::is_same_v<C, uint64_t> ? 3
                     : std::is_same_v<C, float>    ? 4
                                                   : 5;
  uint32_t chosen = chooseComparer(classes[at], N)(s2, zero, inst.cond);
  C *out = static_cast<C *>(to);
  for (int i = 0; i < N; ++i)
    out[i] = chosen >> i & 1 ? a[i] : b[i];
}

template <typename C, int N> Compute chooseInteger(Op op) {
  switch (op) {
  case Op::Not:
    return compute<Op::Not, C, N>;
  case Op::And:
    return compute<Op::And, C, N>;
  case Op::Or:
    return compute<Op::Or, C, N>;
  case Op::Xor:
    return compute<Op::Xor, C, N>;
  case Op::Shl:
    return compute<Op::Shl, C, N>;
  case Op::Shr:
    return compute<Op::Shr, C, N>;
  case Op::Asr:
    return compute<Op::Asr, C, N>;
  case Op::Rol:
    return compute<Op::Rol, C, N>;
  case Op::Ror:
    return compute<Op::Ror, C, N>;
  case Op::Bfn:
    return logicFunction<C, N>;
  case Op::Add:
    return compute<Op::Add, C, N>;
  case Op::Add3:
    return compute<Op::Add3, C, N>;
  case Op::Avg:
    return compute<Op::Avg, C, N>;
  case Op::Mul:
    return compute<Op::Mul, C, N>;
  case Op::Mad:
    return compute<Op::Mad, C, N>;
  case Op::Dp4a:
    return compute<Op::Dp4a, C, N>;
  case Op::Cbit:
    return compute<Op::Cbit, C, N>;
  case Op::Fbl:
    return compute<Op::Fbl, C, N>;
  case Op::Fbh:
    return compute<Op::Fbh, C, N>;
  case Op::Lzd:
    return compute<Op::Lzd, C, N>;
  case Op::Bfrev:
    return compute<Op::Bfrev, C, N>;
  case Op::Bfe:
    return compute<Op::Bfe, C, N>;
  case Op::Bfi1:
    return compute<Op::Bfi1, C, N>;
  case Op::Bfi2:
    return compute<Op::Bfi2, C, N>;
  default:
    return nullptr;
  }
}

template <typename C, int N> Compute chooseMath(Math function) {
  switch (function) {
  case Math::Inv:
    return computeMath<Math::Inv, C, N>;
  case Math::Sqrt:
    return computeMath<Math::Sqrt, C, N>;
  case Math::Rsqt:
    return computeMath<Math::Rsqt, C, N>;
  case Math::Exp:
    return computeMath<Math::Exp, C, N>;
  case Math::Log:
    return computeMath<Math::Log, C, N>;
  case Math::Sin:
    return computeMath<Math::Sin, C, N>;
  case Math::Cos:
    return computeMath<Math::Cos, C, N>;
  case Math::Invm:
  case Math::Rsqtm:
    break;
  }
  return nullptr;
}

template <typename C, int N> Compute chooseReal(const Instruction &inst) {
  switch (inst.op) {
  case Op::Add:
    return compute<Op::Add, C, N>;
  case Op::Add3:
    return compute<Op::Add3, C, N>;
  case Op::Mul:
    return compute<Op::Mul, C, N>;
  case Op::Mad:
  case Op::Mac:
    return compute<Op::Mad, C, N>;
  case Op::Rndd:
    return compute<Op::Rndd, C, N>;
  case Op::Rndu:
    return compute<Op::Rndu, C, N>;
  case Op::Rndz:
    return compute<Op::Rndz, C, N>;
  case Op::Rnde:
    return compute<Op::Rnde, C, N>;
  case Op::Frc:
    return compute<Op::Frc, C, N>;
  case Op::Math:
    return chooseMath<C, N>(inst.math);
  default:
    return nullptr;
  }
}

} // namespace

Compute mltc::sim::chooseCompute(const Instruction &inst, Class c) {
  return withClass(c, [&](auto host) {
    return withLanes(inst.lanes, [&](auto n) -> Compute {
      using C = decltype(host);
      constexpr int N = decltype(n)::count;
      if (inst.op == Op::Sel)
        return inst.cond == Cond::None ? select<C, N> : selectExtreme<C, N>;
      if (inst.op == Op::Csel)
        return conditionalSelect<C, N>;
      if constexpr (std::is_integral_v<C>)
        return chooseInteger<C, N>(inst.op);
      else
        return chooseReal<C, N>(inst);
    });
  });
}
