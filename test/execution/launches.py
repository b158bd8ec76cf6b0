"""What execution tests share: poisoned outputs and random inputs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from execution.reference import Array, decode, encode
from mltc.interpret import InterpretedKernel
from mltc.runtime.module import LoadedKernel

F64 = NDArray[np.float64]


@dataclass
class Output:
    """A poisoned result: what it must hold, and how far off it may be."""

    dtype: str
    expected: F64
    tolerance: F64 | float

    def __post_init__(self) -> None:
        poison = np.full(self.expected.size + 64, np.nan if self.dtype[0] in "fb" else -7)
        self.stored: Array = encode(poison, self.dtype)
        self.poison = self.stored.copy()

    def check(self, stored: Array | None = None) -> None:
        """Compares the result, or another array in its place, bit for bit behind its end."""
        stored = self.stored if stored is None else stored
        size = self.expected.size
        assert stored[size:].tobytes() == self.poison[size:].tobytes(), "written past the end"
        actual = decode(stored[:size], self.dtype).reshape(self.expected.shape)
        error = np.abs(actual - self.expected)
        assert (error <= self.tolerance).all(), (
            f"largest error {np.nanmax(error)}, NaN {np.isnan(error).sum()} of {size}"
        )


# A kernel's launches: random numbers, and what its sizes are multiples of -> launches.
Launch = tuple[tuple[int, int, int], list[object], list[Output]]


def normal(random: np.random.Generator, shape: tuple[int, ...], dtype: str) -> tuple[Array, F64]:
    """Random values as stored and as numbers."""
    stored = encode(random.standard_normal(shape), dtype)
    return stored, decode(stored, dtype)


def check_three_ways(
    compiled: LoadedKernel, interpreted: InterpretedKernel | None, launch: Launch
) -> None:
    """Runs a launch on the device and in the interpreter; compares both with the reference.

    Without an interpreted kernel only the device runs.
    """
    grid, arguments, outputs = launch
    again = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
    compiled.launch(grid, *arguments)
    for output in outputs:
        output.check()
    if interpreted is None:
        return
    interpreted.launch(grid, *again)
    for output in outputs:
        at = next(i for i, argument in enumerate(arguments) if argument is output.stored)
        output.check(again[at])  # type: ignore[arg-type]
