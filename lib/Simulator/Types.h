//===- Types.h - Element types and errors of the simulator ------*- C++ -*-===//
//
// The data types an Xe-HPC operand can have, and how one element of each is
// converted from and to what the host computes with. The narrow floats use the
// host's instructions where it has them, since every half passes here.
//
//===----------------------------------------------------------------------===//

#ifndef MLTC_SIMULATOR_TYPES_H
#define MLTC_SIMULATOR_TYPES_H

#include <cmath>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#ifdef __F16C__
#include <immintrin.h>
#endif

namespace mltc::sim {

/// Something the simulator does not know, or a program that breaks a rule.
struct SimError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Type : uint8_t {
  UB,
  B,
  UW,
  W,
  UD,
  D,
  UQ,
  Q,
  HF,
  BF,
  F,
  TF32,
  DF,
  // Of dpas alone: a float of 8 bits, integers of 4 and 2.
  BF8,
  S4,
  U4,
  S2,
  U2,
  None
};

struct TypeInfo {
  const char *name;
  uint8_t size; // bytes
  bool isFloat;
  bool isSigned;
};

const TypeInfo &info(Type type);
/// The type of an assembly suffix such as "ud"; None if there is none.
Type parseType(const std::string &name);

/// Storage of the types the host has no name for.
struct Half {
  uint16_t bits;
};
struct Bfloat {
  uint16_t bits;
};
struct Tf32 {
  uint32_t bits;
};

/// Rounds in the host's current mode, as all conversions here.
uint16_t doubleToHalf(double value);
double halfToDouble(uint16_t bits);

template <typename T> T loadBytes(const uint8_t *bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

inline float bitsToFloat(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}
inline uint32_t floatToBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}

inline float halfToFloat(uint16_t bits) {
#ifdef __F16C__
  return _cvtsh_ss(bits);
#else
  return float(halfToDouble(bits));
#endif
}
inline uint16_t floatToHalf(float value) {
#ifdef __F16C__
  return uint16_t(_cvtss_sh(value, _MM_FROUND_CUR_DIRECTION));
#else
  return doubleToHalf(value);
#endif
}

/// To nearest even, whatever the rounding mode.
inline uint16_t floatToBfloat(float value) {
  uint32_t bits = floatToBits(value);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u)
    return uint16_t(bits >> 16 | 0x40);
  return uint16_t((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}
inline uint32_t floatToTf32(float value) {
  uint32_t bits = floatToBits(value);
  if ((bits & 0x7F800000u) == 0x7F800000u)
    return bits & 0xFFFFE000u;
  return (bits + 0xFFF + (bits >> 13 & 1)) & 0xFFFFE000u;
}

/// A stored element as a number the host computes with.
template <typename C, typename S> C decodeElement(S stored) {
  if constexpr (std::is_same_v<S, Half>)
    return C(halfToFloat(stored.bits));
  else if constexpr (std::is_same_v<S, Bfloat>)
    return C(bitsToFloat(uint32_t(stored.bits) << 16));
  else if constexpr (std::is_same_v<S, Tf32>)
    return C(bitsToFloat(stored.bits & 0xFFFFE000u));
  else
    return C(stored);
}

/// Float to integer: truncated, clamped to the type, NaN becomes 0.
template <typename D, typename C> D truncated(C value) {
  constexpr int bits = int(sizeof(D)) * 8 - std::is_signed_v<D>;
  const C limit =
      C(bits == 64 ? 18446744073709551616.0
                   : double(uint64_t(1) << (bits == 64 ? 0 : bits)));
  if (!(value == value))
    return 0;
  if (value >= limit)
    return std::is_signed_v<D> ? D(~(std::make_unsigned_t<D>(1) << bits))
                               : D(~std::make_unsigned_t<D>(0));
  if constexpr (std::is_signed_v<D>)
    return value <= -limit ? D(std::make_unsigned_t<D>(1) << bits)
                           : D(int64_t(value));
  else
    return value <= 0 ? D(0) : D(uint64_t(value));
}

/// A computed number as it is stored; integers wrap.
template <typename D, typename C> D encodeElement(C value) {
  if constexpr (std::is_same_v<D, Half>) {
    if constexpr (std::is_same_v<C, double>)
      return {doubleToHalf(value)};
    else
      return {floatToHalf(float(value))};
  } else if constexpr (std::is_same_v<D, Bfloat>) {
    return {floatToBfloat(float(value))};
  } else if constexpr (std::is_same_v<D, Tf32>) {
    return {floatToTf32(float(value))};
  } else if constexpr (std::is_floating_point_v<C> && std::is_integral_v<D>) {
    return truncated<D>(value);
  } else {
    return D(value);
  }
}

/// Calls `use(S())` with the storage type of a Type.
template <typename Use> auto withStorage(Type type, Use use) {
  switch (type) {
  case Type::UB:
    return use(uint8_t());
  case Type::B:
    return use(int8_t());
  case Type::UW:
    return use(uint16_t());
  case Type::W:
    return use(int16_t());
  case Type::UD:
    return use(uint32_t());
  case Type::D:
    return use(int32_t());
  case Type::UQ:
    return use(uint64_t());
  case Type::Q:
    return use(int64_t());
  case Type::HF:
    return use(Half());
  case Type::BF:
    return use(Bfloat());
  case Type::F:
    return use(float());
  case Type::TF32:
    return use(Tf32());
  case Type::DF:
    return use(double());
  case Type::BF8:
  case Type::S4:
  case Type::U4:
  case Type::S2:
  case Type::U2:
    throw SimError("this operand type is known of dpas only");
  case Type::None:
    break;
  }
  throw SimError("an operand without a type");
}

} // namespace mltc::sim

#endif // MLTC_SIMULATOR_TYPES_H
