"""What instructions of Xe-HPC mean, one lane at a time, in exact arithmetic.

Written from the documents and without a look at the simulator, so that the two can be compared:
integers are Python's, floats are fractions that are rounded once, bit by bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Value = int | float | Fraction


@dataclass(frozen=True)
class Type:
    """Of an element; floats have a precision and a least exponent."""

    name: str
    size: int
    signed: bool = False
    precision: int = 0
    least: int = 0

    @property
    def real(self) -> bool:
        return self.precision > 0


TYPES = {
    t.name: t
    for t in (
        Type("ub", 1), Type("b", 1, True), Type("uw", 2), Type("w", 2, True), Type("ud", 4),
        Type("d", 4, True), Type("uq", 8), Type("q", 8, True), Type("hf", 2, True, 11, -14),
        Type("bf", 2, True, 8, -126), Type("tf32", 4, True, 11, -126), Type("f", 4, True, 24, -126),
        Type("df", 8, True, 53, -1022),
    )
}  # fmt: skip


@dataclass(frozen=True)
class Mode:
    """Of a thread's control register; ``cr0`` is its value."""

    rounding: str = "nearest"
    keep_denormals: bool = True

    @property
    def cr0(self) -> int:
        order = ("nearest", "up", "down", "zero")
        return order.index(self.rounding) << 4 | (0x4C0 if self.keep_denormals else 0)


def decode(kind: Type, raw: int, mode: Mode) -> Value:
    """The number that bits stand for; a denormal may count as zero."""
    if not kind.real:
        bits = 8 * kind.size
        return raw - (1 << bits) if kind.signed and raw >> (bits - 1) else raw
    if kind.name == "tf32":
        raw >>= 13
    fraction_bits = kind.precision - 1
    exponent_bits = {-14: 5, -126: 8, -1022: 11}[kind.least]
    sign = -1.0 if raw >> (fraction_bits + exponent_bits) & 1 else 1.0
    exponent = raw >> fraction_bits & ((1 << exponent_bits) - 1)
    fraction = raw & ((1 << fraction_bits) - 1)
    if exponent == (1 << exponent_bits) - 1:
        return math.nan if fraction else sign * math.inf
    if exponent == 0 and not mode.keep_denormals:
        fraction = 0
    units = fraction | (1 << fraction_bits if exponent else 0)
    return sign * math.ldexp(units, kind.least + max(exponent, 1) - 1 - fraction_bits)


def negative(value: Value) -> bool:
    """The sign, also of zero."""
    return math.copysign(1.0, value) < 0 if isinstance(value, float) else value < 0


def _round(units: Fraction, rounding: str, minus: bool) -> int:
    floor = units.numerator // units.denominator
    rest = units - floor
    if rounding == "nearest":
        up = rest > Fraction(1, 2) or (rest == Fraction(1, 2) and floor % 2 == 1)
    else:
        up = rest > 0 and rounding == ("down" if minus else "up")
    return floor + up


def _exponent(magnitude: Fraction) -> int:
    guess = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    return guess if magnitude >= Fraction(2) ** guess else guess - 1


def encode_real(kind: Type, value: Value, mode: Mode) -> int:
    """The bits of the nearest float in the rounding mode."""
    exponent_bits = {-14: 5, -126: 8, -1022: 11}[kind.least]
    top = kind.precision - 1
    shift = 13 if kind.name == "tf32" else 0
    sign = int(negative(value)) << (top + exponent_bits)
    infinite = ((1 << exponent_bits) - 1) << top
    if isinstance(value, float) and math.isnan(value):
        return (infinite | 1 << (top - 1)) << shift
    if isinstance(value, float) and math.isinf(value):
        return (sign | infinite) << shift
    magnitude = abs(Fraction(value))
    if magnitude == 0:
        return sign << shift
    # bf and tf32 always round to nearest.
    rounding = "nearest" if kind.name in ("bf", "tf32") else mode.rounding
    exponent = _exponent(magnitude)
    if not mode.keep_denormals:
        free = _round(magnitude / Fraction(2) ** (exponent - top), rounding, bool(sign))
        if free * Fraction(2) ** (exponent - top) < Fraction(2) ** kind.least:
            return sign << shift
    exponent = max(exponent, kind.least)
    units = _round(magnitude / Fraction(2) ** (exponent - top), rounding, bool(sign))
    bits = ((exponent - kind.least) << top) + units
    if bits >= infinite:
        away = rounding == "nearest" or rounding == ("down" if sign else "up")
        bits = infinite if away else infinite - 1
    return (sign | bits) << shift


def encode(kind: Type, value: Value, mode: Mode, saturate: bool = False) -> int:
    """The bits of a result: rounded or wrapped, or clamped to what the type holds."""
    if kind.real:
        if saturate and not (isinstance(value, float) and math.isnan(value)):
            value = min(max(value, 0.0), 1.0) if value > 0 else 0.0
        elif saturate:
            value = 0.0
        return encode_real(kind, value, mode)
    bits = 8 * kind.size
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if kind.signed else (0, (1 << bits) - 1)
    if isinstance(value, float):
        if math.isnan(value):
            return 0
        value = (high if value > 0 else low) if math.isinf(value) else math.trunc(value)
        value = min(max(value, low), high)
    whole = math.trunc(value)
    if saturate:
        whole = min(max(whole, low), high)
    return whole & ((1 << bits) - 1)


def same(kind: Type, left: int, right: int) -> bool:
    """Equal bits, or both some NaN."""
    if left == right or not kind.real:
        return left == right
    mode = Mode()
    return all(math.isnan(decode(kind, raw, mode)) for raw in (left, right))


# Exact results of float operations.


def _zero(mode: Mode, signs: Sequence[bool]) -> float:
    if all(signs) or (any(signs) and mode.rounding == "down"):
        return -0.0
    return 0.0


def add(mode: Mode, *terms: Value) -> Value:
    """A sum, rounded by the caller."""
    if not any(isinstance(t, float) for t in terms):
        return sum(terms)
    if all(math.isfinite(t) for t in terms):
        exact = sum((Fraction(t) for t in terms), Fraction(0))
        return exact or _zero(mode, [negative(t) for t in terms])
    return float(sum(float(t) for t in terms))


def mul(_: Mode, a: Value, b: Value) -> Value:
    """A product."""
    if not isinstance(a, float):
        return a * b
    if math.isfinite(a) and math.isfinite(b):
        exact = Fraction(a) * Fraction(b)
        return exact or (-0.0 if negative(a) != negative(b) else 0.0)
    if math.isnan(a) or math.isnan(b) or a == 0 or b == 0:
        return math.nan
    return -math.inf if negative(a) != negative(b) else math.inf


def mad(mode: Mode, c: Value, a: Value, b: Value) -> Value:
    """c + a * b, rounded once."""
    product = mul(mode, a, b)
    if isinstance(product, Fraction) and isinstance(c, float):
        return product if c == 0 else c if not math.isfinite(c) else Fraction(c) + product or (
            _zero(mode, [False, True]))  # fmt: skip
    return add(mode, c, product)


COMPARISONS: dict[str, Callable[[Value, Value], bool]] = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
    "un": lambda a, b: a != a or b != b,
}  # fmt: skip


def extreme(condition: str, a: Value, b: Value) -> Value:
    """sel with a condition: a number wins over a NaN."""
    if isinstance(a, float) and math.isnan(a):
        return b
    return a if (b != b) or COMPARISONS[condition](a, b) else b


# Bits.


def _u32(value: Value) -> int:
    return int(value) & 0xFFFFFFFF


def leading_sign_bits(value: Value, signed: bool) -> int:
    """fbh: zeros above the first one, of a negative number ones above the first zero."""
    word = _u32(value)
    if signed and word >> 31:
        word ^= 0xFFFFFFFF
    return 32 - word.bit_length() if word else -1


def first_bit(value: Value) -> int:
    """fbl."""
    word = _u32(value)
    return (word & -word).bit_length() - 1 if word else -1


def bit_field(width: Value, offset: Value, data: Value, signed: bool) -> int:
    """bfe."""
    width, offset = int(width) & 31, int(offset) & 31
    if not width:
        return 0
    word = int(data) if signed else _u32(data)
    if width + offset >= 32:
        return word >> offset
    field = word >> offset & ((1 << width) - 1)
    return field - (1 << width) if signed and field >> (width - 1) else field


def insert_field(mask: Value, field: Value, rest: Value) -> int:
    """bfi2."""
    shift = max(first_bit(mask), 0)
    return (_u32(field) << shift & _u32(mask)) | (_u32(rest) & ~_u32(mask))


def rotate(value: Value, amount: Value, bits: int) -> int:
    """rol."""
    word, amount = int(value) & ((1 << bits) - 1), int(amount) % bits
    return (word << amount | word >> (bits - amount)) & ((1 << bits) - 1)


def dot_of_bytes(total: Value, a: Value, b: Value, signed: tuple[bool, bool]) -> int:
    """dp4a."""
    result = int(total)
    for i in range(4):
        x, y = _u32(a) >> 8 * i & 255, _u32(b) >> 8 * i & 255
        x -= 256 if signed[0] and x > 127 else 0
        y -= 256 if signed[1] and y > 127 else 0
        result += x * y
    return result


def truth_table(table: int, a: Value, b: Value, c: Value, bits: int) -> int:
    """bfn."""
    result = 0
    for i in range(bits):
        index = int(a) >> i & 1 | (int(b) >> i & 1) << 1 | (int(c) >> i & 1) << 2
        result |= (table >> index & 1) << i
    return result


# Operands.


def element(data: bytes, base: int, kind: Type, index: int) -> int:
    """Bits of an element of an array that begins at ``base``."""
    at = base + index * kind.size
    return int.from_bytes(data[at : at + kind.size], "little")


def elements(random: np.random.Generator, kind: Type, count: int) -> list[int]:
    """Bits of elements: small, large and special ones."""
    bits = 8 * kind.size
    if not kind.real:
        high = (1 << bits) - 1
        special = [0, 1, high, high >> 1, (high >> 1) + 2, 31, 32, 33]
        drawn = [int.from_bytes(random.bytes(kind.size), "little") for _ in range(count)]
        drawn = [d >> int(random.integers(0, bits)) for d in drawn]
    else:
        special = [
            encode_real(kind, value, Mode())
            for value in (0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 0.5, 2.5, -2.5, 65504.0,
                          2.0**31, 2.0**-14, 2.0**kind.least, 2.0 ** (kind.least - 3),
                          -(2.0 ** (kind.least - 5)))
        ]  # fmt: skip
        scale = 2.0 ** random.integers(-6, 7, count)
        values = random.standard_normal(count) * scale
        drawn = [encode_real(kind, float(v), Mode()) for v in values]
    return [special[random.integers(len(special))] if random.random() < 0.15 else d for d in drawn]


#: Types NumPy knows.
_VIEWS = {
    "ub": np.uint8, "b": np.int8, "uw": np.uint16, "w": np.int16, "ud": np.uint32, "d": np.int32,
    "uq": np.uint64, "q": np.int64, "hf": np.float16, "f": np.float32, "df": np.float64,
}  # fmt: skip


def random_floats(random: np.random.Generator, kind: str, count: int) -> bytes:
    """Ordinary numbers of a type; random bits of an integer type."""
    if not TYPES[kind].real:
        return random.bytes(count * TYPES[kind].size)
    values = random.standard_normal(count) * 2.0 ** random.integers(-3, 4, count)
    if kind in _VIEWS:
        return values.astype(_VIEWS[kind]).tobytes()
    bits = values.astype(np.float32).view(np.uint32)  # the rest of a bf or tf32 is cut off
    return (bits >> 16).astype(np.uint16).tobytes() if kind == "bf" else bits.tobytes()


def numbers(kind: str, data: bytes, count: int) -> np.ndarray:
    """Stored elements as numbers, as NumPy or a float's upper bits have them."""
    t = TYPES[kind]
    raw = data[: count * t.size]
    if kind in _VIEWS:
        return np.frombuffer(raw, _VIEWS[kind]).astype(np.float64 if t.real else np.int64)
    if kind == "bf":
        bits = np.frombuffer(raw, np.uint16).astype(np.uint32) << 16
    else:
        bits = np.frombuffer(raw, np.uint32) & np.uint32(0xFFFFE000)
    return bits.view(np.float32).astype(np.float64)
