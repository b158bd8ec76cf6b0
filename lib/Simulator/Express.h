//===- Express.h - What an instruction computes in one lane -----*- C++ -*-===//
//
// One expression per opcode, for any host type of its kind. The loops around
// them are elsewhere, one general and one quick. Integers are computed in
// unsigned arithmetic, which wraps as the hardware does.
//
//===----------------------------------------------------------------------===//

#ifndef MLTC_SIMULATOR_EXPRESS_H
#define MLTC_SIMULATOR_EXPRESS_H

#include "Simulator/Instruction.h"

namespace mltc::sim {

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
inline int64_t dot4(int64_t sum, uint64_t a, uint64_t b,
                    const Instruction &inst) {
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

/// 2 to the power of a float, within a unit in the last place, in operations
/// the compiler makes vectors of. The power of the whole part is applied in two
/// steps, as it can lie outside the exponents there are.
inline float exponential(float x) {
  x = x > 200.0f ? 200.0f : x;
  x = x < -200.0f ? -200.0f : x; // a NaN stays what it is
  float whole = std::floor(x + 0.5f), rest = x - whole;
  // (2^rest - 1) / rest for |rest| <= 1/2, relative error of the whole 7e-8.
  float sum = 1.51658123e-5f;
  for (float term : {1.54669178e-4f, 1.33340794e-3f, 9.61803738e-3f,
                     5.55041023e-2f, 2.40226507e-1f, 6.93147182e-1f, 1.0f})
    sum = std::fma(sum, rest, term);
  int power = whole == whole ? int(whole) : 0, half = power >> 1;
  auto scale = [](int exponent) {
    return bitsToFloat(uint32_t(exponent + 127) << 23);
  };
  return sum * scale(half) * scale(power - half);
}

template <Math function, typename C> C transcendental(C a) {
  if constexpr (function == Math::Inv)
    return 1 / a;
  else if constexpr (function == Math::Sqrt)
    return std::sqrt(a);
  else if constexpr (function == Math::Rsqt)
    return 1 / std::sqrt(a);
  else if constexpr (function == Math::Exp && std::is_same_v<C, float>)
    return exponential(a);
  else if constexpr (function == Math::Exp)
    return std::exp2(a);
  else if constexpr (function == Math::Log)
    return std::log2(a);
  else if constexpr (function == Math::Sin)
    return std::sin(a);
  else
    return std::cos(a);
}

} // namespace mltc::sim

#endif // MLTC_SIMULATOR_EXPRESS_H
