"""Binding the arguments of one launch: checked against the manifest, placed on the device."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from mltc.package.manifest import Argument, BaseAlignment, Kernel
from mltc.runtime import types
from mltc.runtime.backend import Backend, DeviceArray, DevicePointer, Dim3
from mltc.runtime.errors import ArgumentError
from mltc.runtime.memory import ALIGNMENT, Buffer, Span, make_spans, span_of
from mltc.runtime.preconditions import LaunchValues

MAX_GROUPS = 2**31 - 1


@dataclass(frozen=True)
class Bound:
    """Checked arguments: host arrays and device memory by index, packed scalars, integers."""

    arrays: dict[int, np.ndarray[Any, Any]]
    adopted: dict[int, DeviceArray]
    scalars: dict[int, Any]
    integers: dict[int, int]


def check_grid(grid: int | Sequence[int]) -> Dim3:
    """Completes a grid to three positive group counts, x first.

    Raises:
        ArgumentError: more than three axes, or a count outside 1 .. 2^31 - 1.
    """
    counts = [grid] if isinstance(grid, int | np.integer) else list(grid)
    if not 1 <= len(counts) <= 3:
        raise ArgumentError(f"expected a grid of 1 to 3 axes, got {len(counts)}")
    for axis, count in zip("xyz", counts, strict=False):
        if not isinstance(count, int | np.integer) or isinstance(count, bool):
            kind = type(count).__name__
            raise ArgumentError(f"grid axis {axis}: expected an integer, got {kind}")
        if not 1 <= count <= MAX_GROUPS:
            raise ArgumentError(f"grid axis {axis}: {count} is not in 1 .. {MAX_GROUPS}")
    x, y, z = [int(count) for count in counts] + [1] * (3 - len(counts))
    return x, y, z


def _bind_pointer(arg: Argument, value: Any, backend: Backend, bound: Bound) -> None:
    if isinstance(value, np.ndarray):
        types.check_array_dtype(arg, value.dtype)
        bound.arrays[arg.index] = value
        return
    try:
        adopted = backend.adopt(value)
    except ArgumentError as error:
        raise ArgumentError(f"{arg.label}: {error.message}", hint=error.hint) from None
    if adopted is None:
        raise ArgumentError(
            f"{arg.label}: expected a NumPy array or device memory for a pointer to {arg.type}, "
            f"got {type(value).__name__}"
        )
    if adopted.dtype is not None:
        types.check_array_dtype(arg, np.dtype(adopted.dtype))
    bound.adopted[arg.index] = adopted


def bind(kernel: Kernel, values: Sequence[Any], backend: Backend) -> Bound:
    """Checks number, kind, type and value of all arguments; touches no device memory.

    Raises:
        ArgumentError: the first argument that does not fit.
    """
    if len(values) != len(kernel.args):
        expected = ", ".join(f"{arg.name or arg.index}: {_shown(arg)}" for arg in kernel.args)
        raise ArgumentError(
            f"kernel '{kernel.name}' takes {len(kernel.args)} arguments, got {len(values)} "
            f"(expected {expected})"
        )
    bound = Bound({}, {}, {}, {})
    for arg, value in zip(kernel.args, values, strict=True):
        if arg.is_pointer:
            _bind_pointer(arg, value, backend, bound)
            continue
        bound.scalars[arg.index] = types.pack_scalar(arg, value)
        integer = types.integer_value(arg, value)
        if integer is not None:
            bound.integers[arg.index] = integer
    return bound


def _shown(arg: Argument) -> str:
    return f"*{arg.type}" if arg.is_pointer else arg.type


def _alignment(kernel: Kernel) -> int:
    needed = [arg.divisibility or 1 for arg in kernel.args if arg.is_pointer]
    needed += [rule.value for rule in kernel.preconditions if isinstance(rule, BaseAlignment)]
    return max([ALIGNMENT, *(size for size in needed if size & (size - 1) == 0 and size <= 65536)])


def _copy_back(spans: Sequence[Span], buffers: Sequence[Buffer], labels: dict[int, str]) -> None:
    for span, buffer in zip(spans, buffers, strict=True):
        view = span.view()
        if span.writable:
            span.read_from(buffer, view)
            continue
        after = np.empty_like(view)
        span.read_from(buffer, after)
        if not np.array_equal(view, after):
            names = ", ".join(labels[id(owner)] for owner in span.owners)
            raise ArgumentError(f"the kernel wrote to a read-only array: {names}")


@contextmanager
def placed(kernel: Kernel, bound: Bound, backend: Backend) -> Iterator[dict[int, DevicePointer]]:
    """Copies host arrays to the device, yields all pointers, and copies results back.

    Nothing is copied back when the body raises.

    Raises:
        ArgumentError: the kernel wrote to an array that is not writable.
    """
    spans = make_spans(list(bound.arrays.values()))
    labels = {id(array): kernel.args[index].label for index, array in bound.arrays.items()}
    buffers: list[Buffer] = []
    try:
        for span in spans:
            size = span.shift + span.high - span.low
            buffer = backend.allocate(max(size, ALIGNMENT), _alignment(kernel))
            buffers.append(buffer)
            span.write_to(buffer)
        pointers = {index: adopted.pointer for index, adopted in bound.adopted.items()}
        for index, array in bound.arrays.items():
            at, offset = span_of(spans, array)
            size = spans[at].high - spans[at].low - offset
            pointers[index] = DevicePointer(buffers[at].pointer + spans[at].shift + offset, size)
        yield pointers
        _copy_back(spans, buffers, labels)
    finally:
        for buffer in buffers:
            buffer.free()


def check_pointers(kernel: Kernel, pointers: dict[int, DevicePointer]) -> None:
    """Refuses addresses that break a promised divisibility.

    Raises:
        ArgumentError: naming argument, address and promise.
    """
    for arg in kernel.args:
        if not arg.is_pointer or not arg.divisibility:
            continue
        address = pointers[arg.index].address
        if address % arg.divisibility:
            raise ArgumentError(
                f"{arg.label}: address {address:#x} is not a multiple of {arg.divisibility} "
                "bytes, which the kernel was compiled to rely on"
            )


def launch_values(bound: Bound, pointers: dict[int, DevicePointer], grid: Dim3) -> LaunchValues:
    """What launch preconditions are evaluated with."""
    return LaunchValues(
        addresses={index: pointer.address for index, pointer in pointers.items()},
        available={index: pointer.nbytes for index, pointer in pointers.items()},
        integers=bound.integers,
        grid=grid,
    )
