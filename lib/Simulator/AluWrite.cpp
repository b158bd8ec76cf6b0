//===- AluWrite.cpp - Results, conditions and flags -----------------------===//
//
// Results are converted lane by lane and written where the mask says. A full
// mask on contiguous lanes, the common case, is one vector loop.
//
//===----------------------------------------------------------------------===//

#include "Simulator/Alu.h"

#include <algorithm>
#include <limits>

using namespace mltc::sim;

namespace {

template <typename D, typename C> C saturated(C value) {
  if constexpr (std::is_floating_point_v<C> && !std::is_integral_v<D>) {
    return value > 0 ? std::min(value, C(1)) : C(0); // NaN becomes 0
  } else if constexpr (std::is_floating_point_v<C>) {
    return value; // the conversion clamps
  } else if constexpr (sizeof(D) < 8 && std::is_integral_v<D>) {
    using Limits = std::numeric_limits<D>;
    if constexpr (std::is_unsigned_v<C>)
      return std::min<C>(value, C(Limits::max()));
    else
      return std::clamp<C>(value, C(Limits::min()), C(Limits::max()));
  } else {
    return value;
  }
}

template <typename D, typename C> D result(const Thread &thread, C value) {
  if constexpr (std::is_same_v<D, Half>)
    if (thread.flushHalf && std::fabs(value) < C(leastHalf))
      value = std::copysign(C(0), value);
  return encodeElement<D>(value);
}

template <typename C, typename D, int N>
void write(Thread &thread, const Instruction &inst, const void *values,
           uint32_t mask) {
  const C *in = static_cast<const C *>(values);
  C clamped[N];
  if (inst.saturate) {
    for (int i = 0; i < N; ++i)
      clamped[i] = saturated<D>(in[i]);
    in = clamped;
  }
  uint8_t *to = thread.image + inst.dst.offset;
  if (inst.dst.access == Access::Contiguous && mask == laneMask(inst.lanes)) {
    D out[N];
#ifdef __F16C__
    if constexpr (std::is_same_v<D, Half> && std::is_same_v<C, float> &&
                  N >= 16) {
      if (!thread.flushHalf) {
        for (int i = 0; i < N; i += 8) {
          __m128i half = _mm256_cvtps_ph(_mm256_loadu_ps(in + i),
                                         _MM_FROUND_CUR_DIRECTION);
          std::memcpy(out + i, &half, 16);
        }
        std::memcpy(to, out, inst.lanes * sizeof(D));
        return;
      }
    }
#endif
    for (int i = 0; i < N; ++i)
      out[i] = result<D>(thread, in[i]);
    if (inst.lanes == N)
      std::memcpy(to, out, N * sizeof(D));
    else
      std::memcpy(to, out, inst.lanes * sizeof(D));
    return;
  }
  if (inst.dst.access == Access::Indirect) {
    int at = inst.dst.offset + loadBytes<uint16_t>(thread.image + addressBase +
                                                   2 * inst.dst.addressWord);
    if (at < 0 || at + inst.dst.lane[inst.lanes - 1] + int(sizeof(D)) > accBase)
      throw SimError("indirect destination outside the registers");
    to = thread.image + at;
  }
  for (; mask; mask &= mask - 1) {
    int lane = __builtin_ctz(mask);
    if (lane >= N)
      break;
    D out = result<D>(thread, in[lane]);
    std::memcpy(to + inst.dst.lane[lane], &out, sizeof(D));
  }
}

template <typename C, typename D, int N>
void narrow(const Thread &thread, const void *values, void *to) {
  const C *in = static_cast<const C *>(values);
  C *out = static_cast<C *>(to);
  for (int i = 0; i < N; ++i)
    out[i] = decodeElement<C>(result<D>(thread, in[i]));
}

template <typename C, int N>
uint32_t compare(const void *left, const void *right, Cond cond) {
  const C *a = static_cast<const C *>(left), *b = static_cast<const C *>(right);
  uint32_t bits = 0;
  auto each = [&](auto holds) {
    for (int i = 0; i < N; ++i)
      bits |= uint32_t(holds(a[i], b[i])) << i;
  };
  switch (cond) {
  case Cond::Eq:
    each([](C x, C y) { return x == y; });
    break;
  case Cond::Ne:
    each([](C x, C y) { return x != y; });
    break;
  case Cond::Lt:
    each([](C x, C y) { return x < y; });
    break;
  case Cond::Le:
    each([](C x, C y) { return x <= y; });
    break;
  case Cond::Gt:
    each([](C x, C y) { return x > y; });
    break;
  case Cond::Ge:
    each([](C x, C y) { return x >= y; });
    break;
  case Cond::Unordered:
    each([](C x, C y) { return x != x || y != y; });
    break;
  case Cond::Special:
  case Cond::None:
    break;
  }
  return bits;
}

} // namespace

Writer mltc::sim::chooseWriter(const Instruction &inst, Class c) {
  if (inst.dst.kind == Operand::Null)
    return nullptr;
  return withClass(c, [&](auto host) {
    return withStorage(inst.dst.type, [&](auto stored) {
      return withLanes(inst.lanes, [&](auto n) -> Writer {
        return write<decltype(host), decltype(stored), decltype(n)::count>;
      });
    });
  });
}

Narrow mltc::sim::chooseNarrow(const Instruction &inst, Class c) {
  return withClass(c, [&](auto host) {
    return withStorage(inst.dst.type, [&](auto stored) {
      return withLanes(inst.lanes, [&](auto n) -> Narrow {
        using C = decltype(host);
        using D = decltype(stored);
        if constexpr (std::is_same_v<C, D>)
          return nullptr;
        else
          return narrow<C, D, decltype(n)::count>;
      });
    });
  });
}

Comparer mltc::sim::chooseComparer(Class c, int lanes) {
  return withClass(c, [&](auto host) {
    return withLanes(lanes, [&](auto n) -> Comparer {
      return compare<decltype(host), decltype(n)::count>;
    });
  });
}
