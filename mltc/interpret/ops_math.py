"""Operations of ``math``, and the functions of device libraries by their names.

A function is evaluated in float64 and rounded once to the type of the result.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from mltc.interpret.errors import OpError
from mltc.interpret.formats import Array, Value, fused_multiply_add
from mltc.interpret.machine import Frame
from mltc.interpret.ops_arith import high_product, signed, unsigned
from mltc.interpret.program import Operation
from mltc.interpret.registry import handles

Function = Callable[..., Array]


def _each(function: Callable[[float], float]) -> Function:
    """A function of Python's math module on arrays; where it raises, NaN."""

    def apply(value: float) -> float:
        try:
            return function(value)
        except (ValueError, OverflowError):
            return math.nan

    return np.vectorize(apply, otypes=[np.float64])


def _round_half_away(x: Array) -> Array:
    return np.copysign(np.floor(np.abs(x) + 0.5), x)


def _clamp(x: Array, low: Array, high: Array) -> Array:
    return np.fmin(np.fmax(x, low), high)


FUNCTIONS: dict[str, Function] = {
    "exp": np.exp,
    "exp2": np.exp2,
    "exp10": lambda x: np.power(10.0, x),
    "expm1": np.expm1,
    "log": np.log,
    "log2": np.log2,
    "log10": np.log10,
    "log1p": np.log1p,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1.0 / np.sqrt(x),
    "cbrt": np.cbrt,
    "erf": _each(math.erf),
    "erfc": _each(math.erfc),
    "tgamma": _each(math.gamma),
    "lgamma": _each(math.lgamma),
    "absf": np.abs,
    "floor": np.floor,
    "ceil": np.ceil,
    "trunc": np.trunc,
    "roundeven": np.rint,
    "round": _round_half_away,
    "powf": np.power,
    "fpowi": np.power,
    "copysign": np.copysign,
    "clampf": _clamp,
    "hypot": np.hypot,
    "fmod": np.fmod,
    "remainder": lambda x, y: x - y * np.rint(x / y),
    "fdim": lambda x, y: np.fmax(x - y, 0.0),
    "fmax": np.fmax,
    "fmin": np.fmin,
    "ldexp": lambda x, n: np.ldexp(x, n.astype(np.int32)),
    "nextafter": np.nextafter,
    "saturate": lambda x: _clamp(x, 0.0, 1.0),
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "rcp": lambda x: 1.0 / x,
}


def evaluate(op: Operation, function: Function, values: tuple[Value, ...]) -> Array:
    """A function of floats in float64, rounded to the result's type."""
    wide = [np.asarray(value, np.float64) for value in values]
    return op.result_types[0].format.round(function(*wide))


def _math(name: str) -> None:
    @handles(f"math.{name}", elementwise=True)
    def run(frame: Frame, op: Operation, *values: Value) -> Array:
        return evaluate(op, FUNCTIONS[name], values)


for _name in FUNCTIONS:
    _math(_name)


@handles("math.fma", elementwise=True)
def _fma(frame: Frame, op: Operation, a: Value, b: Value, c: Value) -> Array:
    return fused_multiply_add(a, b, c, op.result_types[0].format)


@handles("math.sincos", elementwise=True)
def _sincos(frame: Frame, op: Operation, value: Value) -> tuple[Array, Array]:
    return evaluate(op, np.sin, (value,)), evaluate(op, np.cos, (value,))


@handles("math.isnan", "math.isinf", "math.isfinite", elementwise=True)
def _classify(frame: Frame, op: Operation, value: Value) -> Array:
    result: Array = getattr(np, op.name.removeprefix("math."))(value)
    return result


@handles("math.absi", elementwise=True)
def _absolute(frame: Frame, op: Operation, value: Value) -> Array:
    return op.result_types[0].format.wrap(np.abs(signed(value)))


@handles("math.ipowi", elementwise=True)
def _integer_power(frame: Frame, op: Operation, base: Value, exponent: Value) -> Array:
    positive = np.power(signed(base), np.maximum(signed(exponent), 0))
    # Beyond 0 only 1 and -1 have integer inverses.
    inverse = np.where(np.abs(base) == 1, np.where(signed(exponent) % 2 == 0, 1, base), 0)
    return op.result_types[0].format.wrap(np.where(signed(exponent) < 0, inverse, positive))


def _leading_zeros(value: Array) -> Array:
    bits = unsigned(value)
    count = np.zeros(bits.shape, np.int64)
    for shift in range(8 * bits.itemsize - 1, -1, -1):
        # Counts the positions from the top until the first one.
        count += (bits >> bits.dtype.type(shift)) == 0
    return count


def _trailing_zeros(value: Array) -> Array:
    bits = unsigned(value)
    lowest = bits & (~bits + bits.dtype.type(1))
    return np.where(bits == 0, 8 * bits.itemsize, 8 * bits.itemsize - 1 - _leading_zeros(lowest))


def _population(value: Array) -> Array:
    return np.bitwise_count(unsigned(value))


_BITS: dict[str, Callable[[Array], Array]] = {
    "ctlz": _leading_zeros,
    "cttz": _trailing_zeros,
    "ctpop": _population,
}


@handles(*(f"math.{name}" for name in _BITS), elementwise=True)
def _count_bits(frame: Frame, op: Operation, value: Value) -> Array:
    return op.result_types[0].format.wrap(_BITS[op.name.removeprefix("math.")](np.asarray(value)))


# Names that device libraries use for what has another name above.
_ALIASES = {
    "fabs": "absf",
    "abs": "absf",
    "rint": "roundeven",
    "nearbyint": "roundeven",
    "pow": "powf",
    "powi": "fpowi",
    "pown": "fpowi",
    "fast_exp": "exp",
    "fast_exp10": "exp10",
    "fast_log": "log",
    "fast_log2": "log2",
    "fast_log10": "log10",
    "fast_sin": "sin",
    "fast_cos": "cos",
    "fast_tan": "tan",
    "fast_tanh": "tanh",
    "fast_pow": "powf",
    "fast_divide": "div",
    "fast_fdivide": "div",
    "native_exp": "exp",
    "native_log": "log",
    "native_sin": "sin",
    "native_cos": "cos",
    "native_sqrt": "sqrt",
    "frsqrt_rn": "rsqrt",
    "fsqrt_rn": "sqrt",
    "dsqrt_rn": "sqrt",
    "fadd_rn": "add",
    "dadd_rn": "add",
    "fsub_rn": "sub",
    "dsub_rn": "sub",
    "fmul_rn": "mul",
    "dmul_rn": "mul",
    "fdiv_rn": "div",
    "ddiv_rn": "div",
    "frcp_rn": "rcp",
    "drcp_rn": "rcp",
}
_INTEGER: dict[str, Callable[..., Any]] = {
    "clz": _leading_zeros,
    "clzll": _leading_zeros,
    "popc": _population,
    "popcll": _population,
    "ffs": lambda x: np.where(x == 0, 0, _trailing_zeros(x) + 1),
    "mulhi": high_product,
    "umulhi": lambda a, b: high_product(unsigned(a), unsigned(b)),
    "iabs": np.abs,
    "max": np.maximum,
    "min": np.minimum,
    "isnan": np.isnan,
    "isinf": np.isinf,
    "finite": np.isfinite,
    "isfinited": np.isfinite,
    "signbit": np.signbit,
}


def library_names(symbol: str) -> list[str]:
    """What a symbol of a device library may be called in the tables, most likely first."""
    name = symbol
    for prefix in ("__nv_", "__imf_", "__ocml_", "__spirv_ocl_"):
        name = name.removeprefix(prefix)
    for suffix in ("_f16", "_f32", "_f64"):
        name = name.removesuffix(suffix)
    return [name, *([name[:-1]] if name[-1:] in ("f", "d") else [])]


@handles("tt.extern_elementwise", reads=("symbol",), elementwise=True)
def _extern(frame: Frame, op: Operation, *values: Value) -> Array:
    symbol = op.attribute("symbol")
    names = library_names(symbol)
    result = op.result_types[0].format
    for name in names:
        if name == "fma":
            return fused_multiply_add(values[0], values[1], values[2], result)
        name = _ALIASES.get(name, name)
        if name in FUNCTIONS and result.kind == "float":
            return evaluate(op, FUNCTIONS[name], values)
        if name in _INTEGER:
            return result.wrap(_INTEGER[name](*map(np.asarray, values)))
    raise OpError(f"expected a known function of a device library, found '{symbol}'")
