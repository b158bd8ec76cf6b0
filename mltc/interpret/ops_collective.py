"""Operations of ``tt`` in which elements meet: dots, reductions, scans, gathers, histograms.

The region of a reduction or scan runs on whole tensors where everything in it is
element-wise, else once for every pair of elements.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mltc.interpret.errors import OpError
from mltc.interpret.formats import Array, Value
from mltc.interpret.machine import Frame, runs_on_tensors
from mltc.interpret.program import Operation, Region
from mltc.interpret.registry import handles

Arrays = tuple[Array, ...]


def _combine(frame: Frame, region: Region, earlier: Arrays, later: Arrays) -> Arrays:
    """What a region makes of two sets of elements."""
    if runs_on_tensors(region):
        shape = earlier[0].shape
        return tuple(
            np.broadcast_to(value, shape) for value in frame.run(region, (*earlier, *later))
        )
    results = tuple(np.empty(value.shape, value.dtype) for value in earlier)
    for index in np.ndindex(earlier[0].shape):
        pair = [np.asarray(value[index]) for value in (*earlier, *later)]
        for result, value in zip(results, frame.run(region, pair), strict=True):
            result[index] = value
    return results


def _take(values: Arrays, part: slice) -> Arrays:
    return tuple(value[part] for value in values)


@handles("tt.reduce", reads=("axis",))
def _reduce(frame: Frame, op: Operation, *sources: Value) -> Arrays:
    values: Arrays = tuple(np.moveaxis(source, op.attribute("axis"), 0) for source in sources)
    # Neighbours first: the order of the elements stays, as a region may expect.
    while len(values[0]) > 1:
        odd = _take(values, slice(len(values[0]) & ~1, None))
        even = slice(0, len(values[0]) & ~1)
        pairs = _take(values, even)
        merged = _combine(
            frame, op.regions[0], _take(pairs, slice(0, None, 2)), _take(pairs, slice(1, None, 2))
        )
        values = tuple(np.concatenate([m, o]) for m, o in zip(merged, odd, strict=True))
    return tuple(value[0] for value in values)


@handles(
    "tt.scan",
    reads=(
        "axis",
        "reverse",
    ),
)
def _scan(frame: Frame, op: Operation, *sources: Value) -> Arrays:
    axis, reverse = op.attribute("axis"), bool(op.attribute("reverse", False))
    values: Arrays = tuple(np.moveaxis(np.asarray(source), axis, 0) for source in sources)
    if reverse:
        values = _take(values, slice(None, None, -1))
    distance, length = 1, len(values[0])
    while distance < length:
        merged = _combine(
            frame,
            op.regions[0],
            _take(values, slice(None, length - distance)),
            _take(values, slice(distance, None)),
        )
        head = _take(values, slice(None, distance))
        values = tuple(np.concatenate([h, m]) for h, m in zip(head, merged, strict=True))
        distance *= 2
    if reverse:
        values = _take(values, slice(None, None, -1))
    return tuple(np.moveaxis(value, 0, axis) for value in values)


@handles("tt.map_elementwise", reads=("pack",))
def _map_elementwise(frame: Frame, op: Operation, *sources: Value) -> Arrays:
    pack, region = op.attribute("pack"), op.regions[0]
    types = op.result_types
    flat = [np.reshape(source, -1) for source in sources]
    if pack == 1 and runs_on_tensors(region):
        shape = np.shape(sources[0])
        return tuple(
            np.broadcast_to(value, flat[0].shape).reshape(shape)
            for value in frame.run(region, flat)
        )
    results = [np.empty(type.shape, type.format.dtype) for type in types]
    for start in range(0, len(flat[0]), pack):
        scalars = [np.asarray(x) for source in flat for x in source[start : start + pack]]
        returned = frame.run(region, scalars)
        for number, result in enumerate(results):
            result.flat[start : start + pack] = returned[number * pack : (number + 1) * pack]
    return tuple(results)


def _places(values: Value) -> Array:
    """Integers that number places: those of fewer than 32 bits have no sign."""
    narrow = {1: np.uint8, 2: np.uint16}.get(np.asarray(values).dtype.itemsize)
    return np.asarray(values).astype(narrow or np.int64).astype(np.int64)


@handles("tt.histogram")
def _histogram(frame: Frame, op: Operation, source: Value, mask: Value | None = None) -> Array:
    bins = op.result_types[0].shape[0]
    places = _places(source)
    counted = (places >= 0) & (places < bins)
    if mask is not None:
        counted &= mask
    counts = np.bincount(places[counted], minlength=bins)
    return op.result_types[0].format.wrap(counts)


@handles("tt.gather", reads=("axis",))
def _gather(frame: Frame, op: Operation, source: Value, indices: Value) -> Array:
    axis = op.attribute("axis")
    size = source.shape[axis]
    indices = _places(indices)
    wrong = np.argwhere((indices < 0) | (indices >= size))
    if len(wrong):
        at: Sequence[int] = wrong[0].tolist()
        raise OpError(
            f"expected indices from 0 to {size - 1}, found {indices[tuple(at)]} at element {at}"
        )
    # In the other dimensions an index takes from its own place, of which there may be fewer.
    others = tuple(
        slice(None) if dim == axis else slice(indices.shape[dim]) for dim in range(indices.ndim)
    )
    return np.take_along_axis(np.asarray(source)[others], indices, axis)
