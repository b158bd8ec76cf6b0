"""Operations of ``tt`` that make, reshape and convert tensors, and print or check them."""

from __future__ import annotations

import itertools

import numpy as np

from mltc.interpret.errors import OpError
from mltc.interpret.formats import Array, Value
from mltc.interpret.machine import Frame
from mltc.interpret.ops_arith import unsigned
from mltc.interpret.program import Operation
from mltc.interpret.registry import handles

MAX_PRINTED = 1000
"""Elements of a tensor that tt.print shows."""


@handles(
    "tt.make_range",
    reads=(
        "start",
        "end",
    ),
)
def _make_range(frame: Frame, op: Operation) -> Array:
    return np.arange(op.attribute("start"), op.attribute("end"), dtype=np.int32)


@handles("tt.splat")
def _splat(frame: Frame, op: Operation, value: Value) -> Array:
    return np.broadcast_to(value, op.result_types[0].shape)


@handles("tt.unsplat")
def _unsplat(frame: Frame, op: Operation, value: Value) -> Array:
    return np.asarray(value).reshape(())


@handles("tt.expand_dims", reads=("axis",))
def _expand_dims(frame: Frame, op: Operation, value: Value) -> Array:
    return np.expand_dims(value, op.attribute("axis"))


@handles("tt.broadcast")
def _broadcast(frame: Frame, op: Operation, value: Value) -> Array:
    return np.broadcast_to(value, op.result_types[0].shape)


@handles("tt.reshape")
def _reshape(frame: Frame, op: Operation, value: Value) -> Array:
    return np.reshape(value, op.result_types[0].shape)


@handles("tt.trans", reads=("order",))
def _transpose(frame: Frame, op: Operation, value: Value) -> Array:
    return np.transpose(value, op.attribute("order"))


@handles("tt.join")
def _join(frame: Frame, op: Operation, a: Value, b: Value) -> Array:
    return np.stack([a, b], axis=-1)


@handles("tt.split")
def _split(frame: Frame, op: Operation, value: Value) -> tuple[Array, Array]:
    return value[..., 0], value[..., 1]


@handles("tt.cat")
def _concatenate(frame: Frame, op: Operation, a: Value, b: Value) -> Array:
    # The order is unspecified; this is the one that Triton documents for can_reorder=False.
    return np.concatenate([a, b], axis=0)


@handles("tt.int_to_ptr", "tt.ptr_to_int", elementwise=True)
def _pointer_cast(frame: Frame, op: Operation, value: Value) -> Array:
    return np.asarray(value, np.int64)


@handles("tt.addptr", elementwise=True)
def _add_pointer(frame: Frame, op: Operation, pointer: Value, offset: Value) -> Array:
    pointee = op.result_types[0].pointee
    assert pointee is not None
    return pointer + np.asarray(offset).astype(np.int64) * pointee.format.storage.itemsize


@handles("tt.fp_to_fp", reads=("rounding",), elementwise=True)
def _convert_float(frame: Frame, op: Operation, value: Value) -> Array:
    rounding = op.attribute("rounding", 1)
    return op.result_types[0].format.round(value, "rtne" if rounding == 1 else "rtz")


@handles("tt.clampf", reads=("propagateNan",), elementwise=True)
def _clamp(frame: Frame, op: Operation, x: Value, low: Value, high: Value) -> Array:
    result = np.fmin(np.fmax(x, low), high)
    if op.attribute("propagateNan"):
        result = np.where(np.isnan(x), x, result)
    return result


@handles("tt.precise_sqrt", elementwise=True)
def _square_root(frame: Frame, op: Operation, value: Value) -> Array:
    return op.result_types[0].format.round(np.sqrt(value))


@handles("tt.precise_divf", "tt.approx_divf", elementwise=True)
def _divide(frame: Frame, op: Operation, a: Value, b: Value) -> Array:
    return op.result_types[0].format.round(np.divide(a, b))


@handles("tt.print", reads=("prefix", "isSigned", "hex"))
def _print(frame: Frame, op: Operation, *values: Value) -> None:
    machine = frame.machine
    prefix = f"pid ({', '.join(map(str, machine.program))}) {op.attribute('prefix')}"
    if not values:
        machine.printed(prefix)
    signs = op.attribute("isSigned", [])
    for value, type, sign in zip(values, op.operand_types, signs, strict=True):
        shown = np.asarray(value)
        if type.format.kind == "int" and not sign:
            shown = unsigned(shown)
        in_hex = bool(op.attribute("hex")) and type.format.kind != "float"
        for index in itertools.islice(np.ndindex(shown.shape), MAX_PRINTED):
            item = shown[index]
            text = hex(int(unsigned(item))) if in_hex else str(item)
            machine.printed(f"{prefix}{f' idx {index}' if index else ''}: {text}")


@handles("tt.assert", reads=("message",))
def _assert(frame: Frame, op: Operation, condition: Value) -> None:
    failed = np.argwhere(~np.asarray(condition, bool))
    if len(failed):
        place = f" at element {failed[0].tolist()}" if failed.shape[1] else ""
        raise OpError(f"assertion failed{place}: {op.attribute('message')}")
