"""Operations of ``arith`` and ``ub`` on scalars and tensors of any shape.

Integers are signless and i1 counts from -1 to 0 where it is signed. What the IR leaves
undefined (division by zero, a shift by the width or more, a float beyond the integers)
gives some number and no error, as on a device.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mltc.interpret.formats import Array, Value
from mltc.interpret.machine import Frame
from mltc.interpret.program import Operation
from mltc.interpret.registry import handles

Binary = Callable[[Array, Array], Array]


def signed(value: Value) -> Array:
    """An integer with its sign: i1 is 0 or -1."""
    value = np.asarray(value)
    return -value.astype(np.int8) if value.dtype == bool else value


def unsigned(value: Value) -> Array:
    """The bits of an integer as an unsigned number."""
    value = np.asarray(value)
    return value.astype(np.uint8) if value.dtype == bool else value.view(f"u{value.itemsize}")


def _nonzero(value: Array) -> Array:
    return np.where(value == 0, value.dtype.type(1), value)


def _divide(a: Array, b: Array) -> Array:
    quotient = a // _nonzero(b)
    return quotient + ((quotient < 0) & (quotient * b != a)).astype(a.dtype)


def _floor_divide(a: Array, b: Array) -> Array:
    return a // _nonzero(b)


def _ceil_divide(a: Array, b: Array) -> Array:
    b = _nonzero(b)
    return a // b + (a % b != 0).astype(a.dtype)


def _shift(left: bool) -> Binary:
    def shift(a: Array, b: Array) -> Array:
        width = 8 * a.itemsize
        amount = np.minimum(b.astype(np.uint64), np.uint64(width - 1)).astype(a.dtype)
        return a << amount if left else a >> amount

    return shift


_ANY_SIGN: dict[str, Binary] = {
    "addi": np.add,
    "subi": np.subtract,
    "muli": np.multiply,
    "andi": np.bitwise_and,
    "ori": np.bitwise_or,
    "xori": np.bitwise_xor,
}
_SIGNED: dict[str, Binary] = {
    "divsi": _divide,
    "remsi": lambda a, b: np.fmod(a, _nonzero(b)),
    "floordivsi": _floor_divide,
    "ceildivsi": _ceil_divide,
    "maxsi": np.maximum,
    "minsi": np.minimum,
    "shrsi": _shift(left=False),
}
_UNSIGNED: dict[str, Binary] = {
    "divui": _floor_divide,
    "remui": lambda a, b: np.fmod(a, _nonzero(b)),
    "ceildivui": _ceil_divide,
    "maxui": np.maximum,
    "minui": np.minimum,
    "shrui": _shift(left=False),
    "shli": _shift(left=True),
}
_FLOAT: dict[str, Binary] = {
    "addf": np.add,
    "subf": np.subtract,
    "mulf": np.multiply,
    "divf": np.divide,
    "remf": np.fmod,
    "maximumf": np.maximum,
    "minimumf": np.minimum,
    "maxnumf": np.fmax,
    "minnumf": np.fmin,
}


def _integer(name: str, function: Binary, view: Callable[[Value], Array]) -> None:
    @handles(f"arith.{name}", elementwise=True)
    def run(frame: Frame, op: Operation, a: Value, b: Value) -> Array:
        return op.result_types[0].format.wrap(function(view(a), view(b)))


for _name, _function in _ANY_SIGN.items():
    _integer(_name, _function, unsigned)
for _name, _function in _SIGNED.items():
    _integer(_name, _function, signed)
for _name, _function in _UNSIGNED.items():
    _integer(_name, _function, unsigned)


def _float(name: str, function: Binary) -> None:
    @handles(f"arith.{name}", elementwise=True)
    def run(frame: Frame, op: Operation, a: Value, b: Value) -> Array:
        return op.result_types[0].format.round(function(a, b))


for _name, _function in _FLOAT.items():
    _float(_name, _function)


@handles("arith.negf", elementwise=True)
def _negate(frame: Frame, op: Operation, value: Value) -> Array:
    return np.negative(value)


@handles("arith.constant", reads=("value",), elementwise=True)
def _constant(frame: Frame, op: Operation) -> Array:
    value = op.attribute("value")
    format = op.result_types[0].format
    if not isinstance(value, np.ndarray):
        value = np.asarray(value)
        value = format.round(value) if format.kind == "float" else format.wrap(value)
    return value


@handles("ub.poison", elementwise=True)
def _poison(frame: Frame, op: Operation) -> Array:
    return op.result_types[0].format.poison(op.result_types[0].shape)


@handles("arith.select", elementwise=True)
def _select(frame: Frame, op: Operation, condition: Value, a: Value, b: Value) -> Value:
    if op.result_types[0].is_block or np.ndim(condition) == 0:
        return a if condition else b
    return np.where(condition, a, b)


_COMPARE: list[Binary] = [
    np.equal,
    np.not_equal,
    np.less,
    np.less_equal,
    np.greater,
    np.greater_equal,
]


@handles("arith.cmpi", reads=("predicate",), elementwise=True)
def _compare_integers(frame: Frame, op: Operation, a: Value, b: Value) -> Array:
    predicate = op.attribute("predicate")
    # eq, ne, then four signed ones, then the same four unsigned.
    view = unsigned if predicate >= 6 else signed
    return _COMPARE[predicate - 4 if predicate >= 6 else predicate](view(a), view(b))


def _ordered(a: Array, b: Array) -> Array:
    return ~(np.isnan(a) | np.isnan(b))


_FLOAT_COMPARE: list[Binary] = [
    np.equal,
    np.greater,
    np.greater_equal,
    np.less,
    np.less_equal,
    np.not_equal,
]


@handles("arith.cmpf", reads=("predicate",), elementwise=True)
def _compare_floats(frame: Frame, op: Operation, a: Value, b: Value) -> Array:
    # false, six ordered ones, ord, six unordered ones, uno, true.
    predicate = op.attribute("predicate")
    ordered = _ordered(a, b)
    if predicate in (0, 15):
        return np.full(np.shape(ordered), predicate == 15)
    if predicate in (7, 14):
        return ordered if predicate == 7 else ~ordered
    if predicate < 7:
        return ordered & _FLOAT_COMPARE[predicate - 1](a, b)
    return ~ordered | _FLOAT_COMPARE[predicate - 8](a, b)


@handles("arith.extsi", elementwise=True)
def _extend_signed(frame: Frame, op: Operation, value: Value) -> Array:
    return op.result_types[0].format.wrap(signed(value))


@handles("arith.extui", "arith.trunci", elementwise=True)
def _extend_unsigned(frame: Frame, op: Operation, value: Value) -> Array:
    return op.result_types[0].format.wrap(unsigned(value))


@handles("arith.index_cast", elementwise=True)
def _index_cast(frame: Frame, op: Operation, value: Value) -> Array:
    return op.result_types[0].format.wrap(signed(value))


@handles("arith.index_castui", elementwise=True)
def _index_cast_unsigned(frame: Frame, op: Operation, value: Value) -> Array:
    return op.result_types[0].format.wrap(unsigned(value))


@handles("arith.extf", "arith.scaling_extf", elementwise=True)
def _extend_float(frame: Frame, op: Operation, value: Value, scale: Value = 1.0) -> Array:
    return op.result_types[0].format.round(np.multiply(value, scale) if scale != 1.0 else value)


@handles("arith.truncf", reads=("roundingmode",), elementwise=True)
def _truncate_float(frame: Frame, op: Operation, value: Value) -> Array:
    mode = str(op.attribute("roundingmode", "to_nearest_even"))
    return op.result_types[0].format.round(value, "rtz" if "toward_zero" in mode else "rtne")


def _to_float(view: Callable[[Value], Array]) -> Callable[..., Array]:
    def run(frame: Frame, op: Operation, value: Value) -> Array:
        number = view(value)
        form = op.result_types[0].format
        # Integers beyond 2^53 are rounded once: straight to the wider formats.
        wide = number.astype(form.dtype if form.bits >= 32 else np.float64)
        return form.round(wide)

    return run


handles("arith.sitofp", elementwise=True)(_to_float(signed))
handles("arith.uitofp", elementwise=True)(_to_float(unsigned))


def _to_integer(is_signed: bool) -> Callable[..., Array]:
    def run(frame: Frame, op: Operation, value: Value) -> Array:
        form = op.result_types[0].format
        whole = np.trunc(np.nan_to_num(np.asarray(value, np.float64), nan=0.0))
        low = -(2.0 ** (form.bits - 1)) if is_signed else 0.0
        high = 2.0 ** (form.bits - is_signed)
        kind = np.int64 if is_signed else np.uint64
        largest = kind(2 ** (form.bits - is_signed) - 1)
        inside = np.clip(whole, low, np.nextafter(high, 0))
        result = np.where(whole >= high, largest, inside.astype(kind))
        return form.wrap(result)

    return run


handles("arith.fptosi", elementwise=True)(_to_integer(is_signed=True))
handles("arith.fptoui", elementwise=True)(_to_integer(is_signed=False))


@handles("arith.bitcast", "tt.bitcast", elementwise=True)
def bitcast(frame: Frame, op: Operation, value: Value) -> Array:
    """The same bits as another type of the same width."""
    source, target = op.operand_types[0].format, op.result_types[0].format
    if source.kind == target.kind == "pointer" or source == target:
        return np.asarray(value)
    stored = np.ascontiguousarray(source.to_memory(value)).reshape(np.shape(value))
    return target.from_memory(stored.view(target.storage))


def _extended(view: Callable[[Value], Array]) -> Callable[..., tuple[Array, Array]]:
    def run(frame: Frame, op: Operation, a: Value, b: Value) -> tuple[Array, Array]:
        form = op.result_types[0].format
        low = form.wrap(unsigned(a) * unsigned(b))
        return low, form.wrap(high_product(view(a), view(b)))

    return run


def high_product(a: Array, b: Array) -> Array:
    """The upper half of the product of integers, signed or unsigned by their type."""
    if a.itemsize < 8:
        wide: Any = np.int64 if a.dtype.kind == "i" else np.uint64
        return (a.astype(wide) * b.astype(wide)) >> wide(8 * a.itemsize)
    half = a.dtype.type(32)
    low = a.dtype.type(0xFFFFFFFF)
    a_low, a_high, b_low, b_high = a & low, a >> half, b & low, b >> half
    # The product of the low halves is unsigned whatever the sign.
    carry = (a_low.view(np.uint64) * b_low.view(np.uint64) >> np.uint64(32)).view(a.dtype)
    middle = a_high * b_low + carry
    other = a_low * b_high + (middle & low)
    return a_high * b_high + (middle >> half) + (other >> half)


handles("arith.mulsi_extended", elementwise=True)(_extended(signed))
handles("arith.mului_extended", elementwise=True)(_extended(unsigned))


@handles("arith.addui_extended", elementwise=True)
def _add_with_carry(frame: Frame, op: Operation, a: Value, b: Value) -> tuple[Array, Array]:
    total = np.asarray(unsigned(a) + unsigned(b))
    if np.asarray(a).dtype == bool:
        return (total & 1).astype(bool), total > 1
    return total.astype(np.asarray(a).dtype), total < unsigned(a)


@handles("tt.mulhiui", elementwise=True)
def _multiply_high(frame: Frame, op: Operation, a: Value, b: Value) -> Array:
    return op.result_types[0].format.wrap(high_product(unsigned(a), unsigned(b)))
