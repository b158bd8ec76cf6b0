//===- Types.cpp - Element types of the simulator -------------------------===//
//
// The table of types, and halves in software: for hosts without an instruction,
// and from double, which no instruction rounds to a half at once.
//
//===----------------------------------------------------------------------===//

#include "Simulator/Types.h"

#include <cfenv>

using namespace mltc::sim;

static const TypeInfo infos[] = {
    {"ub", 1, false, false}, {"b", 1, false, true},   {"uw", 2, false, false},
    {"w", 2, false, true},   {"ud", 4, false, false}, {"d", 4, false, true},
    {"uq", 8, false, false}, {"q", 8, false, true},   {"hf", 2, true, true},
    {"bf", 2, true, true},   {"f", 4, true, true},    {"tf32", 4, true, true},
    {"df", 8, true, true},   {"bf8", 1, true, true},  {"s4", 1, false, true},
    {"u4", 1, false, false}, {"s2", 1, false, true},  {"u2", 1, false, false},
    {"", 0, false, false}};

const TypeInfo &mltc::sim::info(Type type) { return infos[int(type)]; }

Type mltc::sim::parseType(const std::string &name) {
  for (int i = 0; i < int(Type::None); ++i)
    if (name == infos[i].name)
      return Type(i);
  return Type::None;
}

double mltc::sim::halfToDouble(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double value = exponent == 31 ? (fraction ? NAN : INFINITY)
                 : exponent     ? std::ldexp(1024 + fraction, exponent - 25)
                                : std::ldexp(fraction, -24);
  return bits & 0x8000 ? -value : value;
}

uint16_t mltc::sim::doubleToHalf(double value) {
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  double magnitude = std::fabs(value);
  if (std::isnan(value))
    return sign | 0x7E00;
  if (std::isinf(value))
    return sign | 0x7C00;
  if (magnitude == 0)
    return sign;
  int exponent;
  std::frexp(magnitude, &exponent); // magnitude is below 2^exponent
  int scale = exponent < -13 ? -24 : exponent - 11;
  // nearbyint follows the rounding mode; its sign matters to directed modes.
  double units = std::fabs(std::nearbyint(std::ldexp(value, -scale)));
  double rounded = std::ldexp(units, scale);
  if (rounded > 65504) {
    int mode = std::fegetround();
    bool away =
        mode == FE_TONEAREST || mode == (sign ? FE_DOWNWARD : FE_UPWARD);
    return sign | (away ? 0x7C00 : 0x7BFF);
  }
  if (rounded < std::ldexp(1, -14))
    return sign | uint16_t(std::ldexp(rounded, 24));
  std::frexp(rounded, &exponent);
  int fraction = int(std::ldexp(rounded, 11 - exponent)) - 1024;
  return sign | uint16_t((exponent + 14) << 10 | fraction);
}
