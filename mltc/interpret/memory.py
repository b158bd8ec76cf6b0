"""Global memory: the arrays of a launch at addresses far from each other.

Every array has an address range of its own, so an access that leaves it never meets
another array by chance and is an error that says by how much.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mltc.interpret.errors import OpError
from mltc.interpret.formats import Array, Format
from mltc.runtime.memory import make_spans, span_of

_SHIFT = 40
"""Addresses of array n start at (n + 1) << 40."""


@dataclass
class _Area:
    label: str
    data: np.ndarray[Any, np.dtype[np.uint8]]
    writable: bool

    def view(self, dtype: np.dtype[Any]) -> Array:
        """The memory as whole elements."""
        return self.data[: len(self.data) // dtype.itemsize * dtype.itemsize].view(dtype)


class Memory:
    """The memory of one launch; accesses write to the host arrays themselves."""

    def __init__(self, arrays: Sequence[tuple[str, np.ndarray[Any, Any]]]) -> None:
        spans = make_spans([array for _, array in arrays])
        labels: dict[int, str] = {}
        self.addresses: list[int] = []
        for label, array in arrays:
            at, offset = span_of(spans, array)
            labels.setdefault(at, label)
            self.addresses.append((at + 1 << _SHIFT) + offset)
        self._areas = [
            _Area(labels[i], span.view() if span.high > span.low else np.empty(0, np.uint8),
                  span.writable)
            for i, span in enumerate(spans)
        ]  # fmt: skip

    def load(self, addresses: Array, mask: Array | None, format: Format, rest: Array) -> Array:
        """Elements where the mask is set, and those of `rest` elsewhere."""
        result = np.broadcast_to(rest, addresses.shape).copy()
        for chosen, view, index in self._parts(addresses, mask, format, "reads"):
            result[chosen] = format.from_memory(view[index])
        return result

    def store(self, addresses: Array, mask: Array | None, format: Format, values: Array) -> None:
        """Writes elements where the mask is set."""
        stored = format.to_memory(np.broadcast_to(values, addresses.shape))
        for chosen, view, index in self._parts(addresses, mask, format, "writes"):
            view[index] = stored[chosen]

    def _parts(
        self, addresses: Array, mask: Array | None, format: Format, verb: str
    ) -> list[tuple[Any, Array, Array]]:
        """(which elements, memory as elements, indices into it) for each array touched."""
        if mask is None:
            chosen: Any = ... if addresses.ndim else ()
            wanted = addresses
        else:
            chosen = np.broadcast_to(mask, addresses.shape)
            wanted = addresses[chosen]
        if not wanted.size:
            return []
        areas = (wanted >> _SHIFT) - 1
        first = areas.flat[0]
        if (areas == first).all():
            view, index = self._locate(int(first), wanted, format, verb, addresses)
            return [(chosen, view, index)]
        parts = []
        for area in np.unique(areas):
            where = np.broadcast_to(True if mask is None else mask, addresses.shape) & (
                (addresses >> _SHIFT) - 1 == area
            )
            view, index = self._locate(int(area), addresses[where], format, verb, addresses)
            parts.append((where, view, index))
        return parts

    def _locate(
        self, number: int, wanted: Array, format: Format, verb: str, all: Array
    ) -> tuple[Array, Array]:
        size = format.storage.itemsize
        offsets = wanted - (number + 1 << _SHIFT)
        known = 0 <= number < len(self._areas)
        length = len(self._areas[number].data) if known else -1
        outside = (offsets < 0) | (offsets + size > length)
        if outside.any():
            self._refuse(int(wanted[outside].flat[0] if wanted.ndim else wanted), size, verb, all)
        if (offsets % size != 0).any():
            raise OpError(
                f"expected addresses that are multiples of {size} bytes for {format.name}, "
                f"{verb} '{self._areas[number].label}' at byte {int(offsets.flat[0])}"
            )
        area = self._areas[number]
        if verb == "writes" and not area.writable:
            raise OpError(f"writes to '{area.label}', which is read-only")
        return area.view(format.storage), offsets // size

    def _refuse(self, address: int, size: int, verb: str, all: Array) -> None:
        element = np.argwhere(all == address)[0].tolist()
        place = f"element {element} " if element else ""
        nearest = (address + (1 << _SHIFT - 1) >> _SHIFT) - 1
        if not 0 <= nearest < len(self._areas):
            raise OpError(f"{place}{verb} {size} bytes at address {address:#x}, in no array")
        area = self._areas[nearest]
        offset = address - (nearest + 1 << _SHIFT)
        raise OpError(
            f"{place}{verb} {size} bytes at byte {offset} of '{area.label}', "
            f"which has {len(area.data)} bytes"
        )
