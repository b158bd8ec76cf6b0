"""Element types: how a value is held in NumPy, rounded, and laid out in memory.

| IR              | value                | memory            |
|-----------------|----------------------|-------------------|
| i1              | bool                 | a byte, 0 or 1    |
| i8 .. i64       | int8 .. int64        | the same          |
| index, pointers | int64                | int64             |
| f16, f32, f64   | float16 .. float64   | the same          |
| bf16, f8*       | float32, exact value | uint16, uint8     |

Integers are signless in the IR: operations that care reinterpret them. The formats that
NumPy lacks are carried as the float32 of equal value, so an operation computes in float32
and rounds once more. For one operation of +, -, *, / and sqrt that is the correctly rounded
result, because float32 has more than twice the bits of each of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np

Array = Any
"""A NumPy array. Its element type is known at run time only, so there is nothing to check."""
Value = Any
"""What an SSA value is: an array (0-d for a scalar), a block pointer or a descriptor."""

Rounding = Literal["rtne", "rtz"]
Overflow = Literal["inf", "nan", "saturate"]


@dataclass(frozen=True)
class SmallFloat:
    """A binary format that NumPy lacks, by its numbers.

    `top` is the largest finite value. `has_infinity` tells formats with IEEE's special
    exponent from those that use it for numbers; `unsigned_zero` those whose only NaN is
    the code of minus zero.
    """

    exponent_bits: int
    mantissa_bits: int
    bias: int
    has_infinity: bool
    unsigned_zero: bool
    top: float
    overflow: Overflow

    @property
    def bits(self) -> int:
        """Width in bits."""
        return 1 + self.exponent_bits + self.mantissa_bits

    @property
    def nan_code(self) -> int:
        """The NaN that conversions produce."""
        if self.unsigned_zero:
            return 1 << (self.bits - 1)
        if not self.has_infinity:
            return (1 << (self.bits - 1)) - 1
        special = ((1 << self.exponent_bits) - 1) << self.mantissa_bits
        return special | 1 << (self.mantissa_bits - 1)

    def round(self, values: Array, rounding: Rounding = "rtne") -> Array:
        """The nearest values of the format (ties to even), or the next ones towards zero."""
        wide = np.asarray(values, np.float64)
        finite = np.where(np.isfinite(wide), wide, 0.0)
        _, exponent = np.frexp(finite)
        unit = np.maximum(exponent - 1, 1 - self.bias) - self.mantissa_bits
        whole = np.ldexp(finite, -unit)
        rounded = np.ldexp(np.rint(whole) if rounding == "rtne" else np.trunc(whole), unit)
        result = np.where(np.isfinite(wide), rounded, wide)
        limit = {"inf": np.inf, "nan": np.nan, "saturate": self.top}[self.overflow]
        if rounding == "rtz":
            limit = self.top
        too_large = np.abs(rounded) > self.top
        result = np.where(too_large, np.copysign(limit, wide), result)
        if not self.has_infinity:
            beyond = np.nan if self.overflow == "nan" else self.top
            result = np.where(np.isinf(wide), np.copysign(beyond, wide), result)
        if self.unsigned_zero:
            result = np.where(result == 0, 0.0, result)
        return result.astype(np.float32)

    def decode(self, codes: Array) -> Array:
        """The values of bit patterns."""
        if self.bits == 16:  # bf16: the upper half of a float32
            bits = np.asarray(codes).astype(np.uint16).astype(np.uint32) << np.uint32(16)
            return bits.view(np.float32)
        return _table(self)[np.asarray(codes).astype(np.uint8)]

    def encode(self, values: Array) -> Array:
        """The bit patterns of values that the format has."""
        values = np.asarray(values, np.float32)
        if self.bits == 16:
            return (values.view(np.uint32) >> np.uint32(16)).astype(np.uint16)
        positive = _table(self)[: 1 << (self.bits - 1)]
        known = positive[~np.isnan(positive)]
        code = np.searchsorted(known, np.abs(values)).astype(np.uint8)
        sign = np.signbit(values).astype(np.uint8) << np.uint8(self.bits - 1)
        code = code | sign
        return np.where(np.isnan(values), np.uint8(self.nan_code), code).astype(np.uint8)


@cache
def _table(form: SmallFloat) -> Array:
    """The values of all codes of a format of up to 8 bits."""
    code = np.arange(1 << form.bits)
    exponent = code >> form.mantissa_bits & ((1 << form.exponent_bits) - 1)
    mantissa = code & ((1 << form.mantissa_bits) - 1)
    fraction = mantissa / (1 << form.mantissa_bits) + (exponent > 0)
    value = np.ldexp(fraction, np.maximum(exponent, 1) - form.bias)
    special = exponent == (1 << form.exponent_bits) - 1
    if form.has_infinity:
        value = np.where(special, np.where(mantissa == 0, np.inf, np.nan), value)
    elif form.top < value.max() and not form.unsigned_zero:
        value = np.where(value > form.top, np.nan, value)
    value = np.where(code >> (form.bits - 1) == 1, -value, value)
    if form.unsigned_zero:
        value[form.nan_code] = np.nan
    return value.astype(np.float32)


BF16 = SmallFloat(8, 7, 127, True, False, 3.3895313892515355e38, "inf")
E5M2 = SmallFloat(5, 2, 15, True, False, 57344.0, "inf")
E4M3FN = SmallFloat(4, 3, 7, False, False, 448.0, "saturate")
SMALL_FLOATS = {
    "bf16": BF16,
    "f8E5M2": E5M2,
    "f8E4M3FN": E4M3FN,
    "f8E5M2FNUZ": SmallFloat(5, 2, 16, False, True, 57344.0, "nan"),
    "f8E4M3FNUZ": SmallFloat(4, 3, 8, False, True, 240.0, "nan"),
    "f8E4M3B11FNUZ": SmallFloat(4, 3, 11, False, True, 30.0, "nan"),
}
"""Overflow as mltc compiles it: e4m3 keeps its largest value, e5m2 has infinities."""

# Elements of scaled dots that have no type of their own in the IR.
E2M1 = SmallFloat(2, 1, 1, False, False, 6.0, "saturate")
E2M3 = SmallFloat(2, 3, 1, False, False, 7.5, "saturate")
E3M2 = SmallFloat(3, 2, 3, False, False, 28.0, "saturate")


@dataclass(frozen=True)
class Format:
    """An element type."""

    name: str
    kind: Literal["int", "float", "pointer"]
    bits: int
    dtype: np.dtype[Any]
    storage: np.dtype[Any]
    small: SmallFloat | None = None

    @property
    def is_bool(self) -> bool:
        """Whether it is i1."""
        return self.bits == 1

    def round(self, values: Value, rounding: Rounding = "rtne") -> Array:
        """Real numbers as values of this float format."""
        values = np.asarray(values)
        if self.small:
            return self.small.round(values, rounding)
        result = values.astype(self.dtype)
        if rounding == "rtz":
            away = np.abs(result.astype(values.dtype)) > np.abs(values)
            result = np.where(away, np.nextafter(result, self.dtype.type(0)), result)
        return result

    def wrap(self, values: Value) -> Array:
        """Integers modulo the width of this format."""
        values = np.asarray(values)
        if self.is_bool:
            return values if values.dtype == bool else (values & 1).astype(bool)
        return values.astype(self.dtype)

    def to_memory(self, values: Value) -> Array:
        """Values as they lie in memory."""
        values = np.asarray(values)
        if self.small:
            return self.small.encode(values)
        return values.astype(self.storage)

    def from_memory(self, stored: Array) -> Array:
        """Values of what lies in memory."""
        if self.small:
            return self.small.decode(stored)
        if self.is_bool:
            return (stored & 1).astype(bool)
        return stored.astype(self.dtype)

    def poison(self, shape: tuple[int, ...]) -> Array:
        """What an undefined value is here: NaN, or a number nobody expects."""
        if self.kind == "float":
            return np.full(shape, np.nan, self.dtype)
        if self.is_bool:
            return np.ones(shape, bool)
        pattern = np.frombuffer(b"\xa5" * self.dtype.itemsize, self.dtype)[0]
        return np.full(shape, pattern, self.dtype)


def _format(name: str, kind: Literal["int", "float", "pointer"], bits: int, dtype: str) -> Format:
    storage = "u1" if bits == 1 else dtype
    return Format(name, kind, bits, np.dtype(dtype), np.dtype(storage))


FORMATS: dict[str, Format] = {
    "i1": _format("i1", "int", 1, "?"),
    "index": _format("index", "int", 64, "i8"),
    "f16": _format("f16", "float", 16, "f2"),
    "f32": _format("f32", "float", 32, "f4"),
    "f64": _format("f64", "float", 64, "f8"),
    **{f"i{bits}": _format(f"i{bits}", "int", bits, f"i{bits // 8}") for bits in (8, 16, 32, 64)},
    **{
        name: Format(name, "float", s.bits, np.dtype("f4"), np.dtype(f"u{s.bits // 8}"), s)
        for name, s in SMALL_FLOATS.items()
    },
}
POINTER = _format("ptr", "pointer", 64, "i8")


def round_tf32(values: Array) -> Array:
    """float32 rounded to the 10 mantissa bits of tf32, ties to even."""
    values = np.asarray(values, np.float32)
    bits = values.view(np.uint32)
    rounded = (bits + np.uint32(0xFFF) + (bits >> np.uint32(13) & np.uint32(1))) & np.uint32(
        0xFFFFE000
    )
    return np.where(np.isnan(values), values, rounded.view(np.float32))


def fused_multiply_add(a: Array, b: Array, c: Array, form: Format) -> Array:
    """a * b + c with one rounding.

    The product of two numbers of 24 bits is exact in float64. Where the sum is not, its last
    bit is made odd if something was cut off, and rounding it to the format is then right.
    """
    if form.bits == 64:
        # Two-term product and sum; the last rounding differs only in rare halfway cases.
        product = a * b
        split = np.float64(134217729.0)
        ah = a * split - (a * split - a)
        bh = b * split - (b * split - b)
        al, bl = a - ah, b - bh
        error = ((ah * bh - product) + ah * bl + al * bh) + al * bl
        total = product + c
        z = total - product
        low = (product - (total - z)) + (c - z) + error
        exact = np.isfinite(product) & np.isfinite(error)
        return np.where(exact, total + low, a * b + c)
    product = np.asarray(a, np.float64) * np.asarray(b, np.float64)
    wide = np.asarray(c, np.float64)
    total = np.asarray(product + wide)
    z = total - product
    error = (product - (total - z)) + (wide - z)
    bits = total.view(np.int64)
    away = np.sign(error) * np.sign(total)
    odd = np.where((bits & 1) == 0, np.where(away >= 0, bits + 1, bits - 1), bits)
    inexact = np.isfinite(total) & (error != 0)
    return form.round(np.where(inexact, odd, bits).view(np.float64))
