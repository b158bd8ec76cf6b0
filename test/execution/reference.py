"""Number formats that NumPy lacks, and the comparison that the execution tests use."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.generic]

STORAGE = {
    "f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": np.uint16,
    "i8": np.int8, "i32": np.int32,
}  # fmt: skip
"""How a value of each type lies in memory; bf16 is carried as its bits."""


def _float8(exponent_bits: int, bias: int, has_infinity: bool) -> NDArray[np.float64]:
    """The values of all 256 codes of an 8-bit float."""
    code = np.arange(256)
    mantissa_bits = 7 - exponent_bits
    exponent = code >> mantissa_bits & (1 << exponent_bits) - 1
    mantissa = code & (1 << mantissa_bits) - 1
    fraction = mantissa / (1 << mantissa_bits) + (exponent > 0)
    value = fraction * 2.0 ** (np.maximum(exponent, 1) - bias)
    special = exponent == (1 << exponent_bits) - 1
    if has_infinity:
        value[special] = np.where(mantissa[special] == 0, np.inf, np.nan)
    else:
        value[special & (mantissa == (1 << mantissa_bits) - 1)] = np.nan
    return np.where(code & 0x80, -value, value)


FLOAT8 = {"f8E5M2": _float8(5, 15, True), "f8E4M3FN": _float8(4, 7, False)}
"""The values of the codes of each 8-bit float; carried as bytes."""


def to_bf16(values: NDArray[np.floating]) -> NDArray[np.uint16]:
    """Rounds to bfloat16, ties to even; returns the bits. NaN stays NaN."""
    bits = values.astype(np.float32).view(np.uint32)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
    return np.where(np.isnan(values), 0x7FC0, rounded).astype(np.uint16)


def from_bf16(bits: NDArray[np.uint16]) -> NDArray[np.float64]:
    """The values of bfloat16 bits."""
    return (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)


def round_tf32(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rounds to the 10 mantissa bits of tf32, ties to even."""
    bits = values.view(np.uint32)
    rounded = (bits + 0xFFF + ((bits >> 13) & 1)) & np.uint32(0xFFFFE000)
    return rounded.astype(np.uint32).view(np.float32)


def encode(values: NDArray[np.floating], dtype: str) -> Array:
    """`values` as they lie in memory in `dtype`."""
    if dtype in FLOAT8:
        table = np.where(np.isfinite(FLOAT8[dtype]), FLOAT8[dtype], np.nan)
        order = np.argsort(table)[: np.isfinite(table).sum()]
        middle = (table[order][1:] + table[order][:-1]) / 2
        return order[np.searchsorted(middle, values)].astype(np.uint8)
    return to_bf16(values) if dtype == "bf16" else values.astype(STORAGE[dtype])


def decode(stored: Array, dtype: str) -> NDArray[np.float64]:
    """What is in memory, in double precision."""
    if dtype in FLOAT8:
        return FLOAT8[dtype][stored]
    return from_bf16(stored) if dtype == "bf16" else stored.astype(np.float64)  # type: ignore[arg-type]


EPSILON = {"f32": 2.0**-24, "f16": 2.0**-11, "bf16": 2.0**-8}
"""Half a unit in the last place, relative: what rounding the result may cost."""


def gemm_bound(
    a: NDArray[np.float64], b: NDArray[np.float64], result: NDArray[np.float64], dtype: str
) -> NDArray[np.float64]:
    """The error that a dot product accumulated in f32 and stored in `dtype` may have.

    Accumulating k products in f32 in any order costs at most k units of 2^-24 of the sum
    of the magnitudes; the store rounds once more. f16 results below its normal range lose
    up to 2^-25 absolutely.
    """
    k = a.shape[1]
    accumulated = k * 2.0**-24 * (np.abs(a) @ np.abs(b))
    return accumulated + 2 * EPSILON[dtype] * np.abs(result) + 2.0**-24
