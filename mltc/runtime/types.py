"""Manifest types against NumPy and ctypes: what is accepted, and how scalars are packed.

A driver takes any bytes of about the right size for any parameter, so a wrong scalar is a
wrong result and not an error.  Everything is therefore checked here, and packed to the
exact width.
"""

from __future__ import annotations

import ctypes
import math
import struct
from typing import Any

import numpy as np

from mltc.package.manifest import Argument
from mltc.runtime.errors import ArgumentError

_INTEGER_BITS = {"i1": 8, "i8": 8, "i16": 16, "i32": 32, "i64": 64}
_CTYPES: dict[int, Any] = {
    8: ctypes.c_uint8,
    16: ctypes.c_uint16,
    32: ctypes.c_uint32,
    64: ctypes.c_uint64,
}
_ARRAY_DTYPES: dict[str, tuple[str, ...]] = {
    "i1": ("bool", "uint8", "int8"),
    "i8": ("int8", "uint8"),
    "i16": ("int16", "uint16"),
    "i32": ("int32", "uint32"),
    "i64": ("int64", "uint64"),
    "f16": ("float16",),
    "bf16": ("bfloat16", "uint16"),
    "f32": ("float32",),
    "f64": ("float64",),
    "f8E4M3FN": ("float8_e4m3fn", "uint8"),
    "f8E5M2": ("float8_e5m2", "uint8"),
    "f8E4M3FNUZ": ("float8_e4m3fnuz", "uint8"),
    "f8E5M2FNUZ": ("float8_e5m2fnuz", "uint8"),
    "f8E4M3B11FNUZ": ("float8_e4m3b11fnuz", "uint8"),
    "ptr": ("uint64", "int64"),
}


def check_array_dtype(arg: Argument, dtype: np.dtype[Any]) -> None:
    """Refuses an array whose element type is not the one the kernel reads.

    bf16 has no NumPy type: ``ml_dtypes.bfloat16`` or raw bits in uint16 are accepted.

    Raises:
        ArgumentError: wrong or unsupported element type, or foreign byte order.
    """
    accepted = _ARRAY_DTYPES.get(arg.type)
    if accepted is None:
        raise ArgumentError(f"{arg.label}: arrays of element type {arg.type} are not supported")
    if dtype.name not in accepted or not dtype.isnative:
        order = "" if dtype.isnative else " in foreign byte order"
        raise ArgumentError(
            f"{arg.label}: expected an array of {' or '.join(accepted)} for {arg.type}, "
            f"got {dtype.name}{order}"
        )


def array_dtype(type_name: str) -> np.dtype[Any]:
    """The NumPy type in which arrays of a manifest type are created.

    Raises:
        ArgumentError: arrays of this type are not supported.
    """
    names = _ARRAY_DTYPES.get(type_name)
    if names is None:
        raise ArgumentError(f"arrays of element type {type_name} are not supported")
    return np.dtype(names[-1] if type_name not in ("i1", "i8", "i16", "i32", "i64") else names[0])


def _integer(arg: Argument, value: Any) -> int:
    if isinstance(value, bool | np.bool_):
        if arg.type != "i1":
            raise ArgumentError(f"{arg.label}: expected {arg.type}, got a bool")
        return int(value)
    if not isinstance(value, int | np.integer):
        raise ArgumentError(f"{arg.label}: expected {arg.type}, got {type(value).__name__}")
    number = int(value)
    bits = 1 if arg.type == "i1" else _INTEGER_BITS[arg.type]
    low, high = (0, 1) if arg.type == "i1" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    # The IR has no unsigned types; a NumPy unsigned scalar says that the bits are meant.
    if isinstance(value, np.unsignedinteger):
        high = 2**bits - 1
    if not low <= number <= high:
        raise ArgumentError(f"{arg.label}: {number} does not fit in {arg.type} ({low} to {high})")
    return number


def _float(arg: Argument, value: Any) -> float:
    is_number = isinstance(value, int | float | np.integer | np.floating)
    if isinstance(value, bool | np.bool_) or not is_number:
        raise ArgumentError(f"{arg.label}: expected {arg.type}, got {type(value).__name__}")
    try:
        return float(value)
    except OverflowError:
        raise ArgumentError(f"{arg.label}: {value} does not fit in {arg.type}") from None


def bfloat16_bits(value: float) -> int:
    """The bits of the bf16 nearest to a number, ties to even; NaN stays NaN."""
    bits: int = struct.unpack("<I", np.float32(value).tobytes())[0]
    if math.isnan(value):
        return (bits >> 16) | 0x40
    # Round from the double: float32 first would round twice for some values.
    narrow = float(np.float32(value))
    if narrow != value and math.isfinite(narrow) and bits & 0xFFFF == 0x8000:
        exact_is_larger = abs(value) > abs(narrow)
        return (bits >> 16) + (1 if exact_is_larger else 0)
    return (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16


_FLOAT_FORMATS = {"f16": "<f2", "f32": "<f4", "f64": "<f8"}


def _float_bits(type_name: str, value: float) -> tuple[int, bool]:
    """(bits, overflowed) of a float of this type."""
    with np.errstate(over="ignore"):
        if type_name == "bf16":
            bits = bfloat16_bits(value)
            infinite = bits & 0x7FFF == 0x7F80
        else:
            narrow = np.array(value, dtype=_FLOAT_FORMATS[type_name])
            bits = int.from_bytes(narrow.tobytes(), "little")
            infinite = bool(np.isinf(narrow))
    return bits, infinite and math.isfinite(value)


_FLOAT_BITS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}


def pack_scalar(arg: Argument, value: Any) -> Any:
    """Packs a Python or NumPy scalar into a ctypes object of exactly the parameter's size.

    Raises:
        ArgumentError: wrong type, out of range, or not a multiple of what was promised.
    """
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if arg.type in _INTEGER_BITS:
        number = _integer(arg, value)
        if arg.divisibility and number % arg.divisibility:
            raise ArgumentError(
                f"{arg.label}: {number} is not a multiple of {arg.divisibility}, "
                "which the kernel was compiled to rely on"
            )
        bits = _INTEGER_BITS[arg.type]
        return _CTYPES[bits](number & (2**bits - 1))
    bits, overflow = _float_bits(arg.type, _float(arg, value))
    if overflow:
        raise ArgumentError(f"{arg.label}: {value} does not fit in {arg.type}")
    return _CTYPES[_FLOAT_BITS[arg.type]](bits)


def integer_value(arg: Argument, value: Any) -> int | None:
    """The value of an integer argument as launch preconditions see it, else None."""
    return _integer(arg, value) if arg.type in _INTEGER_BITS else None
