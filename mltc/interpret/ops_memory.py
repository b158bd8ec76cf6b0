"""Loads and stores: through pointers, block pointers and descriptors."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mltc.interpret.errors import OpError
from mltc.interpret.formats import Array, Format, Value, round_tf32
from mltc.interpret.machine import Frame, as_int
from mltc.interpret.ops_atomic import update
from mltc.interpret.program import Operation
from mltc.interpret.registry import handles
from mltc.interpret.types import Type

PAD_NAN = 2
_CHECK_ALL = None


@dataclass(frozen=True)
class Block:
    """A block pointer, or a descriptor (whose offsets come with each access).

    `base` is an address, `strides` and `offsets` count elements.
    """

    base: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offsets: tuple[int, ...]
    block: tuple[int, ...]
    padding: int | None = None
    round_tf32: bool = False

    def at(self, offsets: tuple[int, ...]) -> Block:
        """The same tensor, the block at other offsets."""
        return replace(self, offsets=offsets)

    def coordinates(self, rows: Array | None = None) -> list[Array]:
        """The coordinates of the block's elements in each dimension, broadcastable."""
        rank = len(self.block)
        result = []
        for dim, (offset, size) in enumerate(zip(self.offsets, self.block, strict=True)):
            along = offset + np.arange(size, dtype=np.int64)
            if dim == 0 and rows is not None:
                along = rows.astype(np.int64)
            result.append(along.reshape([-1 if d == dim else 1 for d in range(rank)]))
        return result

    def addresses(
        self, format: Format, checked: list[int] | None, rows: Array | None = None
    ) -> tuple[Array, Array]:
        """Addresses of the elements, and which are inside in the checked dimensions."""
        coordinates = self.coordinates(rows)
        address = np.asarray(self.base, np.int64)
        inside = np.asarray(True)
        for dim, along in enumerate(coordinates):
            address = address + along * (self.strides[dim] * format.storage.itemsize)
            if checked is None or dim in checked:
                inside = inside & (along >= 0) & (along < self.shape[dim])
        return address, np.broadcast_to(inside, address.shape)


def _pointee(type: Type) -> Type:
    assert type.pointee is not None
    return type.pointee


def _undefined(frame: Frame, format: Format, default: str) -> Array:
    """What elements hold that the IR leaves undefined."""
    if (frame.machine.undefined or default) == "poison":
        return format.poison(())
    return np.zeros((), format.dtype)


def _pad(format: Format, padding: int | None) -> Array:
    return format.poison(()) if padding == PAD_NAN else np.zeros((), format.dtype)


@handles(
    "tt.load",
    reads=(
        "operandSegmentSizes",
        "boundaryCheck",
        "padding",
    ),
)
def _load(frame: Frame, op: Operation, pointer: Value, *rest: Value) -> Array:
    pointee = _pointee(op.operand_types[0])
    format = pointee.format
    if isinstance(pointer, Block):
        address, inside = pointer.addresses(format, op.attribute("boundaryCheck", []))
        padding = op.attribute("padding")
        # Kernels rely on zeros here even where they do not ask for them.
        outside = _undefined(frame, format, "zero") if padding is None else _pad(format, padding)
        return frame.machine.memory.load(address, inside, format, outside)
    _, masks, others = op.segments()
    mask = rest[0] if masks else None
    other = rest[masks] if others else _undefined(frame, format, "poison")
    return frame.machine.memory.load(np.asarray(pointer), mask, format, other)


@handles("tt.store", reads=("boundaryCheck",))
def _store(
    frame: Frame, op: Operation, pointer: Value, value: Value, mask: Value | None = None
) -> None:
    format = _pointee(op.operand_types[0]).format
    address = pointer
    if isinstance(pointer, Block):
        address, mask = pointer.addresses(format, op.attribute("boundaryCheck", []))
    frame.machine.memory.store(np.asarray(address), mask, format, np.asarray(value))


@handles("tt.make_tensor_ptr")
def _make_block_pointer(frame: Frame, op: Operation, base: Value, *numbers: Value) -> Block:
    block = _pointee(op.result_types[0]).shape
    rank = len(block)
    values = tuple(as_int(number) for number in numbers)
    return Block(as_int(base), values[:rank], values[rank : 2 * rank], values[2 * rank :], block)


@handles("tt.advance")
def _advance(frame: Frame, op: Operation, pointer: Block, *by: Value) -> Block:
    moved = zip(pointer.offsets, by, strict=True)
    # Offsets are i32.
    return pointer.at(tuple(int(np.int64(a + as_int(b)).astype(np.int32)) for a, b in moved))


@handles("tt.make_tensor_descriptor", reads=("padding",))
def _make_descriptor(frame: Frame, op: Operation, base: Value, *numbers: Value) -> Block:
    block = _pointee(op.result_types[0]).shape
    rank = len(block)
    values = tuple(as_int(number) for number in numbers)
    if values[-1] != 1:
        raise OpError(f"expected a last stride of 1, found {values[-1]}")
    padding = op.attribute("padding", 1)
    return Block(as_int(base), values[:rank], values[rank:], (0,) * rank, block, padding)


def _offsets(indices: tuple[Value, ...]) -> tuple[int, ...]:
    return tuple(as_int(index) for index in indices)


def _read_block(frame: Frame, op: Operation, desc: Block, rows: Array | None = None) -> Array:
    result = op.result_types[0]
    address, inside = desc.addresses(result.format, _CHECK_ALL, rows)
    padding = _pad(result.format, desc.padding)
    values = frame.machine.memory.load(address, inside, result.format, padding)
    if desc.round_tf32:
        values = round_tf32(values)
    return values.reshape(result.shape)


@handles("tt.descriptor_load", "tt.experimental_descriptor_load")
def _descriptor_load(frame: Frame, op: Operation, desc: Value, *indices: Value) -> Array:
    return _read_block(frame, op, _typed(desc).at(_offsets(indices)))


@handles("tt.descriptor_gather", "tt.experimental_descriptor_gather")
def _descriptor_gather(frame: Frame, op: Operation, desc: Value, rows: Value, y: Value) -> Array:
    return _read_block(frame, op, _typed(desc).at((0, as_int(y))), np.asarray(rows))


def _typed(desc: Value) -> Block:
    if not isinstance(desc, Block):
        raise OpError("a descriptor in memory is known to one vendor's hardware only")
    return desc


def _write_block(
    frame: Frame, format: Format, desc: Block, value: Value, rows: Array | None = None
) -> None:
    address, inside = desc.addresses(format, _CHECK_ALL, rows)
    frame.machine.memory.store(address, inside, format, np.reshape(value, address.shape))


@handles("tt.descriptor_store", "tt.experimental_descriptor_store")
def _descriptor_store(
    frame: Frame, op: Operation, desc: Value, value: Value, *indices: Value
) -> None:
    _write_block(frame, op.operand_types[1].format, _typed(desc).at(_offsets(indices)), value)


@handles("tt.descriptor_scatter", "tt.experimental_descriptor_scatter")
def _descriptor_scatter(
    frame: Frame, op: Operation, desc: Value, rows: Value, y: Value, value: Value
) -> None:
    target = _typed(desc).at((0, as_int(y)))
    _write_block(frame, op.operand_types[3].format, target, value, np.asarray(rows))


_REDUCE_KINDS = {1: "add", 2: "min", 3: "max", 4: "inc", 5: "dec", 6: "and", 7: "or", 8: "xor"}


@handles("tt.descriptor_reduce", reads=("kind",))
def _descriptor_reduce(
    frame: Frame, op: Operation, desc: Value, value: Value, *indices: Value
) -> None:
    format = op.operand_types[1].format
    address, inside = _typed(desc).at(_offsets(indices)).addresses(format, _CHECK_ALL)
    kind = _REDUCE_KINDS[op.attribute("kind")]
    update(frame, address, inside, format, np.reshape(value, address.shape), kind)
