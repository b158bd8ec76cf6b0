//===- AluRead.cpp - Reading the sources of an instruction ----------------===//
//
// Regions: contiguous lanes, one element for all, or a table of offsets made
// when the kernel was bound. Where the host's type is the operand's, contiguous
// lanes are used in place.
//
//===----------------------------------------------------------------------===//

#include "Simulator/Alu.h"

#include <array>
#include <limits>
#include <map>
#include <mutex>

using namespace mltc::sim;

namespace {

template <typename C, typename S> C element(const uint8_t *bytes) {
  return decodeElement<C>(loadBytes<S>(bytes));
}

template <typename C, typename S, int N> void flush(Thread &thread, C *out) {
  if constexpr (std::is_same_v<S, Half>)
    if (thread.flushHalf)
      for (int i = 0; i < N; ++i)
        if (std::fabs(out[i]) < C(leastHalf))
          out[i] = std::copysign(C(0), out[i]);
}

template <typename C, typename S, int N>
const void *readContiguous(Thread &thread, const Operand &operand,
                           void *buffer) {
  const uint8_t *from = thread.image + operand.offset;
  if constexpr (std::is_same_v<C, S> ||
                (std::is_integral_v<S> && std::is_integral_v<C> &&
                 sizeof(C) == sizeof(S))) {
    return from;
  } else {
    C *out = static_cast<C *>(buffer);
#ifdef __F16C__
    if constexpr (std::is_same_v<S, Half> && std::is_same_v<C, float> &&
                  N >= 16) {
      for (int i = 0; i < N; i += 8) {
        __m128i half;
        std::memcpy(&half, from + 2 * i, 16);
        _mm256_storeu_ps(out + i, _mm256_cvtph_ps(half));
      }
      flush<C, S, N>(thread, out);
      return buffer;
    }
#endif
    for (int i = 0; i < N; ++i)
      out[i] = element<C, S>(from + i * sizeof(S));
    flush<C, S, N>(thread, out);
    return buffer;
  }
}

template <typename C, typename S, int N>
const void *readScalar(Thread &thread, const Operand &operand, void *buffer) {
  C *out = static_cast<C *>(buffer);
  C value = element<C, S>(thread.image + operand.offset);
  for (int i = 0; i < N; ++i)
    out[i] = value;
  flush<C, S, N>(thread, out);
  return buffer;
}

template <typename C, typename S, int N>
const void *readTable(Thread &thread, const Operand &operand, void *buffer) {
  C *out = static_cast<C *>(buffer);
  const uint8_t *from = thread.image + operand.offset;
  for (int i = 0; i < N; ++i)
    out[i] = element<C, S>(from + operand.lane[i]);
  flush<C, S, N>(thread, out);
  return buffer;
}

template <typename C, typename S, int N>
const void *readIndirect(Thread &thread, const Operand &operand, void *buffer) {
  C *out = static_cast<C *>(buffer);
  for (int i = 0; i < N; ++i) {
    int word =
        operand.addressWord + (operand.perLaneAddress ? i / operand.width : 0);
    int behind = operand.perLaneAddress
                     ? i % operand.width * operand.step * int(sizeof(S))
                     : operand.lane[i];
    int at = operand.offset + behind +
             loadBytes<uint16_t>(thread.image + addressBase + 2 * (word & 15));
    if (at < 0 || at + int(sizeof(S)) > accBase)
      at = imageEnd; // lanes behind the last may have no address
    out[i] = element<C, S>(thread.image + at);
  }
  flush<C, S, N>(thread, out);
  return buffer;
}

/// An integer's modifiers apply before it becomes a float: there is no -0, and
/// directed rounding is that of the result.
template <typename C, typename S, int N>
const void *readModified(Thread &thread, const Operand &operand, void *buffer) {
  C *out = static_cast<C *>(buffer);
  for (int i = 0; i < N; ++i) {
    S stored = loadBytes<S>(thread.image + operand.offset + operand.lane[i]);
    bool minus = operand.negate;
    if (operand.absolute && std::is_signed_v<S> && stored < 0)
      minus = !minus;
    out[i] = minus ? C(0 - int64_t(stored)) : C(stored);
  }
  return buffer;
}

const void *readImmediate(Thread &, const Operand &operand, void *) {
  return operand.ready;
}

using Constant = std::array<uint64_t, maxLanes>;

/// One copy of each constant for the life of the process: kernels use few, and
/// so they stay in the host's cache.
const void *interned(const Constant &constant) {
  struct Aligned {
    alignas(64) Constant values;
  };
  static std::mutex lock;
  static std::map<Constant, std::unique_ptr<Aligned>> constants;
  std::lock_guard<std::mutex> guard(lock);
  std::unique_ptr<Aligned> &found = constants[constant];
  if (!found)
    found = std::make_unique<Aligned>(Aligned{constant});
  return found->values.data();
}

template <typename C, typename S> void prepareImmediate(Operand &operand) {
  const std::vector<uint64_t> &written = *operand.constant;
  Constant ready = {};
  C *out = reinterpret_cast<C *>(ready.data());
  for (int i = 0; i < maxLanes; ++i)
    out[i] = element<C, S>(reinterpret_cast<const uint8_t *>(
        &written[size_t(i) % written.size()]));
  operand.ready = interned(ready);
}

/// Whether an integer needs no rounding to become a float.
template <typename C, typename S> bool isExact(uint64_t written) {
  S value = S(written);
  uint64_t magnitude =
      std::is_signed_v<S> && value < 0 ? 0 - uint64_t(value) : uint64_t(value);
  return !magnitude || !(magnitude >> __builtin_ctzll(magnitude) >>
                         std::numeric_limits<C>::digits);
}

/// An integer that is rounded to a float in the mode of the moment.
template <typename C, typename S, int N>
const void *readRounded(Thread &, const Operand &operand, void *buffer) {
  C *out = static_cast<C *>(buffer);
  const std::vector<uint64_t> &written = *operand.constant;
  for (int i = 0; i < N; ++i)
    out[i] = C(S(written[size_t(i) % written.size()]));
  return buffer;
}

bool hasModifier(const Operand &operand) {
  return operand.negate || operand.absolute || operand.complement;
}

template <typename C, typename S, int N> Reader reader(Operand &operand) {
  if constexpr (std::is_floating_point_v<C> && std::is_integral_v<S>)
    if (hasModifier(operand)) {
      if (operand.access == Access::Indirect)
        throw SimError("a modifier of an indirect integer source of a float");
      return readModified<C, S, N>;
    }
  switch (operand.access) {
  case Access::Contiguous:
    return readContiguous<C, S, N>;
  case Access::Scalar:
    return readScalar<C, S, N>;
  case Access::Table:
    return readTable<C, S, N>;
  case Access::Indirect:
    return readIndirect<C, S, N>;
  case Access::Immediate:
    break;
  }
  if constexpr (std::is_floating_point_v<C> && std::is_integral_v<S>)
    for (uint64_t written : *operand.constant)
      if (!isExact<C, S>(written))
        return readRounded<C, S, N>;
  prepareImmediate<C, S>(operand);
  return readImmediate;
}

template <typename C, int N>
void modify(const Operand &operand, const void *from, void *to, bool logical) {
  const C *in = static_cast<const C *>(from);
  C *out = static_cast<C *>(to);
  if constexpr (std::is_floating_point_v<C>) {
    if (operand.absolute && operand.negate)
      for (int i = 0; i < N; ++i)
        out[i] = -std::fabs(in[i]);
    else if (operand.absolute)
      for (int i = 0; i < N; ++i)
        out[i] = std::fabs(in[i]);
    else
      for (int i = 0; i < N; ++i)
        out[i] = -in[i];
  } else {
    using U = std::make_unsigned_t<C>;
    bool complement = operand.complement || (operand.negate && logical);
    // The operand's sign counts, also when the class has none.
    bool absolute = operand.absolute && info(operand.type).isSigned;
    for (int i = 0; i < N; ++i) {
      C value = in[i];
      if (absolute && std::make_signed_t<C>(value) < 0)
        value = C(U(0) - U(value));
      if (complement)
        value = C(~value);
      else if (operand.negate)
        value = C(U(0) - U(value));
      out[i] = value;
    }
  }
}

} // namespace

Reader mltc::sim::chooseReader(Operand &operand, Class c, int lanes) {
  return withClass(c, [&](auto host) {
    return withStorage(operand.type, [&](auto stored) -> Reader {
      using C = decltype(host);
      using S = decltype(stored);
      constexpr bool integer = std::is_integral_v<S>;
      if constexpr (std::is_integral_v<C> && !integer) {
        throw SimError("a float source of an integer operation");
      } else if constexpr (sizeof(C) == 4 && sizeof(S) == 8 &&
                           (std::is_integral_v<C> || !integer)) {
        throw SimError("a 64-bit source of a 32-bit operation");
      } else {
        return withLanes(lanes, [&](auto n) {
          return reader<C, S, decltype(n)::count>(operand);
        });
      }
    });
  });
}

Modifier mltc::sim::chooseModifier(const Operand &operand, Class c, int lanes) {
  bool real = c == Class::F32 || c == Class::F64;
  if (!hasModifier(operand) || (real && !info(operand.type).isFloat))
    return nullptr; // nothing to do, or done when it is read
  return withClass(c, [&](auto host) {
    return withLanes(lanes, [&](auto n) -> Modifier {
      return modify<decltype(host), decltype(n)::count>;
    });
  });
}
