"""Host arrays and the device memory that stands for them during a launch.

The kernel gets one pointer per array and does its own addressing with the strides it is
passed, so an array is copied as the byte range it spans, not element by element.  Arrays
that overlap share one allocation: what the kernel writes through one argument is seen
through the other, as it would be on a device that shares memory with the host.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

ALIGNMENT = 64
_KEPT_ALIGNMENT = 16  # what Triton promises of addresses


class Buffer(Protocol):
    """Device memory of a backend; ``pointer`` is the address a kernel sees."""

    @property
    def pointer(self) -> int:
        """The device address."""
        ...

    def write(self, source: np.ndarray[Any, np.dtype[np.uint8]]) -> None:
        """Copies host bytes to the start of the buffer."""
        ...

    def read(self, target: np.ndarray[Any, np.dtype[np.uint8]]) -> None:
        """Copies the start of the buffer to host bytes."""
        ...

    def free(self) -> None:
        """Gives the memory back; may be called once."""
        ...


@dataclass
class Span:
    """A contiguous range of host bytes that one or more arrays lie in."""

    low: int
    high: int
    writable: bool
    owners: list[np.ndarray[Any, Any]]

    @property
    def shift(self) -> int:
        """Bytes before the range in its device memory.

        Arrays that begin at different places of one range keep the small alignments they have to
        each other on the host; a single one gets the alignment of the device memory.
        """
        starts = {owner.ctypes.data for owner in self.owners}
        return self.low % _KEPT_ALIGNMENT if len(starts) > 1 else 0

    def write_to(self, buffer: Buffer) -> None:
        """Copies the range to device memory, behind the shift."""
        head = np.zeros(self.shift, np.uint8)
        buffer.write(np.concatenate([head, self.view()]) if self.shift else self.view())

    def read_from(self, buffer: Buffer, target: np.ndarray[Any, np.dtype[np.uint8]]) -> None:
        """Copies device memory of this range to ``target``."""
        if not self.shift:
            buffer.read(target)
            return
        whole = np.empty(self.shift + target.size, np.uint8)
        buffer.read(whole)
        target[:] = whole[self.shift :]

    def view(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """The bytes themselves, writable if an array in them is."""
        raw = (ctypes.c_uint8 * (self.high - self.low)).from_address(self.low)
        return np.ctypeslib.as_array(raw)


def _bounds(array: np.ndarray[Any, Any]) -> tuple[int, int]:
    low = high = array.ctypes.data
    if array.size == 0:
        return low, low
    for extent, stride in zip(array.shape, array.strides, strict=True):
        reach = (extent - 1) * stride
        low, high = (low + reach, high) if reach < 0 else (low, high + reach)
    return low, high + array.itemsize


def make_spans(arrays: Sequence[np.ndarray[Any, Any]]) -> list[Span]:
    """Merges the byte ranges of arrays that overlap; sorted by address."""
    spans: list[Span] = []
    for array in sorted(arrays, key=lambda a: _bounds(a)[0]):
        low, high = _bounds(array)
        if spans and low < spans[-1].high:
            last = spans[-1]
            last.high = max(last.high, high)
            last.writable |= array.flags.writeable
            last.owners.append(array)
        else:
            spans.append(Span(low, high, array.flags.writeable, [array]))
    return spans


def span_of(spans: Sequence[Span], array: np.ndarray[Any, Any]) -> tuple[int, int]:
    """(index of the span an array lies in, byte offset of its first element)."""
    for index, span in enumerate(spans):
        if any(owner is array for owner in span.owners):
            return index, array.ctypes.data - span.low
    raise KeyError("array has no span")
