"""Matrix products: operands as the IR's precision takes them, sums in float64.

Rounding of the sum happens once per operation, to the type of the accumulator, so the result
is at least as exact as any order of additions in that type.
"""

from __future__ import annotations

import numpy as np

from mltc.interpret.formats import (
    BF16,
    E2M1,
    E2M3,
    E3M2,
    E4M3FN,
    E5M2,
    Array,
    Format,
    SmallFloat,
    Value,
    round_tf32,
)
from mltc.interpret.machine import Frame
from mltc.interpret.program import Operation
from mltc.interpret.registry import handles

_TF32, _TF32X3, _IEEE, _BF16X3, _BF16X6 = range(5)
# Products of parts that the multi-pass precisions add up; 0 is the largest part.
_PRODUCTS = {
    _TF32X3: [(0, 0), (0, 1), (1, 0)],
    _BF16X3: [(0, 0), (0, 1), (1, 0)],
    _BF16X6: [(0, 0), (0, 1), (1, 0), (1, 1), (0, 2), (2, 0)],
}


def _parts(value: Array, precision: int) -> list[Array]:
    """A float32 operand as a sum of parts that one pass takes."""
    count = 1 + max(first for first, _ in _PRODUCTS[precision])
    rest = np.asarray(value, np.float32)
    parts = []
    for _ in range(count):
        part = round_tf32(rest) if precision == _TF32X3 else BF16.round(rest)
        parts.append(part)
        rest = rest - part
    return parts


def _product(a: Array, b: Array) -> Array:
    return np.matmul(np.asarray(a, np.float64), np.asarray(b, np.float64))


@handles("tt.dot", reads=("inputPrecision",))
def _dot(frame: Frame, op: Operation, a: Value, b: Value, c: Value) -> Array:
    source, result = op.operand_types[0].format, op.result_types[0].format
    if result.kind == "int":
        # Products of 8 bits are exact in float64 up to depths no tile has.
        exact = source.bits <= 8
        total = _product(a, b).astype(np.int64) if exact else np.matmul(a, b, dtype=np.int64)
        return result.wrap(total + np.asarray(c, np.int64))
    precision = op.attribute("inputPrecision", _IEEE)
    if source.name == "f32" and precision in _PRODUCTS:
        left, right = _parts(a, precision), _parts(b, precision)
        total = sum(_product(left[i], right[j]) for i, j in _PRODUCTS[precision])
    elif source.name == "f32" and precision == _TF32:
        total = _product(round_tf32(a), round_tf32(b))
    else:
        total = _product(a, b)
    return result.round(total + np.asarray(c, np.float64))


_ELEMENTS: dict[int, SmallFloat] = {0: E4M3FN, 1: E5M2, 2: E2M3, 3: E3M2, 4: E2M1}


def _operand(value: Array, format: Format, kind: int, k_axis: int, k_pack: bool) -> Array:
    """The numbers that an operand of a scaled dot holds."""
    if format.kind == "float":
        return np.asarray(value, np.float64)
    codes = np.asarray(value).view(np.uint8)
    if kind == 4:
        # Two elements per byte, the first in the low bits, along k or the other axis.
        axis = k_axis if k_pack else -3 - k_axis
        pair = np.stack([codes & 15, codes >> 4], axis=-1)
        pair = np.moveaxis(pair, -1, axis % codes.ndim + 1)
        shape = list(codes.shape)
        shape[axis] *= 2
        codes = pair.reshape(shape)
    return _ELEMENTS[kind].decode(codes).astype(np.float64)


def _scale(scale: Array, format: Format) -> Array:
    """Factors: powers of two by their biased exponent, or 8-bit floats."""
    if format.kind == "float":
        return np.asarray(scale, np.float64)
    code = np.asarray(scale).view(np.uint8)
    return np.where(code == 255, np.nan, np.ldexp(1.0, code.astype(np.int32) - 127))


@handles(
    "tt.dot_scaled",
    reads=(
        "operandSegmentSizes",
        "a_elem_type",
        "lhs_k_pack",
        "b_elem_type",
        "rhs_k_pack",
    ),
)
def _dot_scaled(frame: Frame, op: Operation, a: Value, b: Value, c: Value, *rest: Value) -> Array:
    types = op.operand_types
    left = _operand(
        a, types[0].format, op.attribute("a_elem_type"), -1, op.attribute("lhs_k_pack", True)
    )
    right = _operand(
        b, types[1].format, op.attribute("b_elem_type"), -2, op.attribute("rhs_k_pack", True)
    )
    has_a, has_b = op.segments()[3:]
    if has_a:
        factors = _scale(rest[0], types[3].format)
        left = left * np.repeat(factors, left.shape[-1] // factors.shape[-1], axis=-1)
    if has_b:
        # One row of scales per column of b.
        factors = np.swapaxes(_scale(rest[has_a], types[3 + has_a].format), -1, -2)
        right = right * np.repeat(factors, right.shape[-2] // factors.shape[-2], axis=-2)
    return op.result_types[0].format.round(_product(left, right) + np.asarray(c, np.float64))
