"""Atomic operations; one program runs at a time, so each is simply done in order of elements."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mltc.interpret.errors import OpError
from mltc.interpret.formats import Array, Format, Value
from mltc.interpret.machine import Frame
from mltc.interpret.ops_arith import signed, unsigned
from mltc.interpret.program import Operation
from mltc.interpret.registry import handles

Combine = Callable[[Format, Array, Array], Array]


def _integers(function: Callable[[Array, Array], Array], is_signed: bool = False) -> Combine:
    view = signed if is_signed else unsigned

    def combine(format: Format, old: Array, new: Array) -> Array:
        return format.wrap(function(view(old), view(new)))

    return combine


def _extreme(integer: Callable[..., Array], number: Callable[..., Array]) -> Combine:
    def combine(format: Format, old: Array, new: Array) -> Array:
        if format.kind == "float":
            return number(old, new)
        return format.wrap(integer(signed(old), signed(new)))

    return combine


def _add(format: Format, old: Array, new: Array) -> Array:
    if format.kind == "float":
        return format.round(np.add(old, new))
    return format.wrap(unsigned(old) + unsigned(new))


def _increment(old: Array, limit: Array) -> Array:
    return np.where(old >= limit, 0, old + old.dtype.type(1))


def _decrement(old: Array, limit: Array) -> Array:
    return np.where((old == 0) | (old > limit), limit, old - old.dtype.type(1))


COMBINE: dict[str, Combine] = {
    "and": _integers(np.bitwise_and),
    "or": _integers(np.bitwise_or),
    "xor": _integers(np.bitwise_xor),
    "add": _add,
    "max": _extreme(np.maximum, np.fmax),
    "min": _extreme(np.minimum, np.fmin),
    "umax": _integers(np.maximum),
    "umin": _integers(np.minimum),
    "inc": _integers(_increment),
    "dec": _integers(_decrement),
    "exch": lambda format, old, new: new,
}
_RMW = ["", "and", "or", "xor", "add", "add", "max", "min", "umax", "umin", "exch"]


def update(
    frame: Frame, address: Array, mask: Array | None, format: Format, value: Array, kind: str
) -> Array:
    """Combines elements with memory one after the other; returns what memory held."""

    def change(old: Array, new: Array) -> Array:
        return COMBINE[kind](format, old, new)

    return _exchange(frame, address, mask, format, (value,), change)


def _exchange(
    frame: Frame,
    address: Array,
    mask: Array | None,
    format: Format,
    values: tuple[Array, ...],
    change: Callable[..., Array],
) -> Array:
    memory = frame.machine.memory
    address = np.asarray(address)
    chosen = np.broadcast_to(True if mask is None else mask, address.shape)
    parts = [np.broadcast_to(value, address.shape) for value in values]
    rest = format.poison(())
    if len(np.unique(address[chosen])) == chosen.sum():
        # No element meets another: all at once.
        old = memory.load(address, chosen, format, rest)
        memory.store(address, chosen, format, change(old, *parts))
        return old
    old = np.broadcast_to(rest, address.shape).copy()
    for index in zip(*np.nonzero(chosen), strict=True):
        here = address[index]
        before = memory.load(np.asarray(here), None, format, rest)
        memory.store(np.asarray(here), None, format, change(before, *(p[index] for p in parts)))
        old[index] = before
    return old


def _format(op: Operation) -> Format:
    pointee = op.operand_types[0].pointee
    assert pointee is not None
    return pointee.format


@handles("tt.atomic_rmw", reads=("atomic_rmw_op",))
def _read_modify_write(
    frame: Frame, op: Operation, pointer: Value, value: Value, mask: Value | None = None
) -> Array:
    kind = _RMW[op.attribute("atomic_rmw_op")]
    return update(frame, pointer, mask, _format(op), value, kind)


@handles("tt.atomic_cas")
def _compare_and_swap(
    frame: Frame, op: Operation, pointer: Value, expected: Value, value: Value
) -> Array:
    form = _format(op)

    def change(old: Array, wanted: Array, new: Array) -> Array:
        # Bits are compared, not numbers.
        return np.where(form.to_memory(old) == form.to_memory(wanted), new, old)

    return _exchange(frame, pointer, None, form, (expected, value), change)


@handles("tt.atomic_load")
def _load(frame: Frame, op: Operation, pointer: Value, mask: Value | None = None) -> Array:
    form = _format(op)
    return frame.machine.memory.load(np.asarray(pointer), mask, form, form.poison(()))


@handles("tt.atomic_store")
def _store(
    frame: Frame, op: Operation, pointer: Value, value: Value, mask: Value | None = None
) -> None:
    frame.machine.memory.store(np.asarray(pointer), mask, _format(op), np.asarray(value))


@handles("tt.atomic_poll")
def _poll(frame: Frame, op: Operation, pointer: Value, expected: Value, *timeout: Value) -> Array:
    form = _format(op)
    seen = frame.machine.memory.load(np.asarray(pointer), None, form, form.poison(()))
    reached = np.asarray(seen == expected)
    if not timeout and not reached.all():
        raise OpError(
            "waits for a value that memory does not hold; programs run one after the other, so "
            "no later one will write it"
        )
    return reached
