"""Single device intrinsics in native code on the simulator.

The same tests and models as for the portable code in ``test_intrinsics``, on what ocloc makes of
both interfaces: 2-D blocks over every edge, 1-D blocks, dots of every type.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from execution import intrinsic_kernels as k
from execution.test_intrinsics import (  # noqa: F401
    test_block_1d,
    test_block_read,
    test_block_write,
    test_dot,
)
from execution.test_native_isa import Compiled, compiled, current_ocloc  # noqa: F401
from mltc.package.zebin import Zebin
from mltc.simulator import Allocation, Simulator

pytestmark = pytest.mark.skipif(current_ocloc() is None, reason="no ocloc of this generation")


class SimulatedProgram:
    """What :class:`execution.intrinsic_kernels.CpuProgram` does, on the simulator."""

    def __init__(self, zebin: Zebin) -> None:
        self._simulator = Simulator(zebin)
        self._buffers: dict[int, Allocation] = {}

    def buffer(self, data: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Device memory with the bytes of ``data``; the array is the memory."""
        flat = np.ascontiguousarray(data).view(np.uint8).reshape(-1)
        allocation = self._simulator.memory.allocate(flat.nbytes)
        allocation.write(flat)
        self._buffers[id(allocation.data)] = allocation
        return allocation.data

    def run(self, name: str, *args: Any) -> None:
        """Runs kernel ``name`` with one sub-group."""
        values = [self._buffers[id(a)] if isinstance(a, np.ndarray) else a for a in args]
        self._simulator.kernel(name).launch((1, 1, 1), (k.LANES, 1, 1), values)

    def release(self) -> None:
        """Frees what a test allocated."""
        for allocation in self._buffers.values():
            allocation.free()
        self._buffers.clear()


@pytest.fixture(scope="module")
def simulated() -> dict[str, SimulatedProgram]:
    """By interface."""
    return {}


@pytest.fixture
def program(
    simulated: dict[str, SimulatedProgram],
    compiled: Compiled,  # noqa: F811
    interface: str,
) -> Any:
    """The kernels behind ``interface``."""
    if interface not in simulated:
        simulated[interface] = SimulatedProgram(compiled(interface))
    yield simulated[interface]
    simulated[interface].release()
