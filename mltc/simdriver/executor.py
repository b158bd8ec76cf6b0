"""Runs recorded launches in the simulator, on memory of this process.

The simulator is another process and shares files with this one, so every live allocation has
a file beside it: its bytes are copied there before a launch and back after it.
"""

from __future__ import annotations

import ctypes
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mltc.errors import MltcError
from mltc.simdriver.recorder import Argument, Launch
from mltc.simulator import Allocation, DeviceMemory, LocalMemory, SimulatedKernel, Simulator


class MissingArgumentError(MltcError):
    """A kernel is launched before all of its arguments are set."""


class MirroredMemory(DeviceMemory):
    """Allocations of this process under their own addresses.

    Beside them lies what only the simulator has, such as a binary's constants.
    """

    def __init__(self) -> None:
        super().__init__()
        self._mirrored: dict[int, Allocation] = {}

    def mirror(self, ranges: Sequence[tuple[int, int]]) -> None:
        """Takes the bytes of ``ranges`` (address, size), and forgets what was freed."""
        wanted = dict(ranges)
        for address, allocation in list(self._mirrored.items()):
            if wanted.get(address) != allocation.nbytes:
                self._mirrored.pop(address).free()
        for address, nbytes in ranges:
            if address not in self._mirrored:
                self._mirrored[address] = self.place(address, nbytes)
        for allocation in self._mirrored.values():
            ctypes.memmove(allocation.data.ctypes.data, allocation.pointer, allocation.nbytes)

    def write_back(self) -> None:
        """Gives the bytes back to where they came from."""
        for allocation in self._mirrored.values():
            ctypes.memmove(allocation.pointer, allocation.data.ctypes.data, allocation.nbytes)


class SimulatingExecutor:
    """Executes launches; ``profile`` gets a line of JSON per launch when given."""

    def __init__(self, profile: Path | None = None) -> None:
        self._memory = MirroredMemory()
        self._simulators: dict[bytes, Simulator] = {}
        self._profile = profile

    def launch(self, launch: Launch) -> None:
        """See :meth:`mltc.simdriver.recorder.Executor.launch`."""
        if launch.binary not in self._simulators:
            self._simulators[launch.binary] = Simulator(launch.binary, memory=self._memory)
        kernel = self._simulators[launch.binary].kernel(launch.kernel)
        arguments = _arguments(kernel, launch.arguments)
        self._memory.mirror(launch.memory)
        profile = kernel.launch(launch.groups, launch.local, arguments)
        self._memory.write_back()
        if self._profile is not None:
            line = json.dumps({"groups": launch.groups, **profile.to_json()})
            with self._profile.open("a", encoding="utf-8") as file:
                file.write(line + "\n")


def _arguments(kernel: SimulatedKernel, given: dict[int, Argument]) -> list[Any]:
    """The arguments in order, as the simulator takes them.

    Raises:
        MissingArgumentError: one was not set; the driver does not check that.
    """
    local = {f.argument for f in kernel.layout.fields if f.mode == "slm"}
    found: list[Any] = []
    for index in range(kernel.layout.argument_count):
        if index not in given:
            raise MissingArgumentError(f"kernel '{kernel.name}': argument {index} was never set")
        size, value = given[index].size, given[index].value
        if index in local:
            found.append(LocalMemory(size))
        else:
            found.append(bytes(size) if value is None else value)
    return found
