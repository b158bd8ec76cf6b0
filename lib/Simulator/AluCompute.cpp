//===- AluCompute.cpp - What register instructions compute ----------------===//
//
// The loop around the expression of an opcode is the same for all.
//
//===----------------------------------------------------------------------===//

#include "Simulator/Alu.h"
#include "Simulator/Express.h"

using namespace mltc::sim;

namespace {

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
