"""What a program has told the driver, and the work that follows from it.

The state is small: which binary a module is, which kernel and arguments a kernel handle
stands for, which memory is allocated, which lists are immediate.  Work appended to an
immediate list is done at once; work of a regular list when the list is executed.  Both are in
the order of the calls, which satisfies every dependency a program can express between its
own commands.  A list that waits for an event the *host* signals later is not such a
dependency; it would run too early.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from mltc.errors import MltcError
from mltc.runtime import level_zero_api as ze
from mltc.simdriver.tracing import UNSUPPORTED, Tracer, handle_at

Dim3 = tuple[int, int, int]
Work = Callable[[], None]


class UnsupportedWorkError(MltcError):
    """The program submits work that cannot be simulated."""


@dataclass(frozen=True)
class Argument:
    """What a kernel argument was set to: a size in bytes, and the bytes if any were given."""

    size: int
    value: bytes | None


@dataclass(frozen=True)
class Launch:
    """One launch as the driver saw it.

    Attributes:
        binary: the zebin.
        kernel: its kernel's name.
        groups: number of work-groups along x, y, z.
        local: work-items of a group along x, y, z.
        arguments: by argument index.
        memory: (address, bytes) of every live allocation.
    """

    binary: bytes
    kernel: str
    groups: Dim3
    local: Dim3
    arguments: dict[int, Argument]
    memory: list[tuple[int, int]]


class Executor(Protocol):
    """Runs launches; the memory they name belongs to this process."""

    def launch(self, launch: Launch) -> None:
        """Runs one launch to its end.

        Raises:
            MltcError: the kernel did something that hardware would not do.
        """


@dataclass
class _Kernel:
    module: int
    name: str
    local: Dim3 = (1, 1, 1)
    arguments: dict[int, Argument] = field(default_factory=dict)


class Recorder:
    """Follows the calls of one process and gives its work to an executor."""

    def __init__(self, tracer: Tracer, executor: Executor) -> None:
        self._tracer = tracer
        self._executor = executor
        self._modules: dict[int, bytes] = {}
        self._kernels: dict[int, _Kernel] = {}
        self._memory: dict[int, int] = {}
        self._immediate: set[int] = set()
        self._lists: dict[int, list[Work]] = {}
        # Every method named after a function of Level Zero is its callback.
        for name in dir(self):
            if name.startswith("ze"):
                tracer.on(name.removeprefix("ze"), getattr(self, name))
        for name in UNSUPPORTED:
            tracer.on(name, lambda name=name: self._refuse(name))

    def zeModuleCreate(
        self, _context: int, _device: int, _desc: int, module: int, _log: int
    ) -> None:
        """Forgets what an earlier module at this handle was; the binary is read on demand."""
        self._modules.pop(handle_at(module), None)

    def zeModuleDestroy(self, module: int) -> None:
        """Forgets the binary."""
        self._modules.pop(module, None)

    def zeKernelCreate(self, module: int, desc: int, kernel: int) -> None:
        """Learns the name of a kernel."""
        name = ze.KernelDesc.from_address(desc).pKernelName.decode("utf-8", "replace")
        self._kernels[handle_at(kernel)] = _Kernel(module, name)

    def zeKernelDestroy(self, kernel: int) -> None:
        """Forgets a kernel; handles are used again."""
        self._kernels.pop(kernel, None)

    def zeKernelSetArgumentValue(
        self, kernel: int, index: int, size: int, value: int | None
    ) -> None:
        """Keeps size and bytes; no bytes are a null pointer, or SLM of that size."""
        raw = None if value is None else ctypes.string_at(value, size)
        self._kernels[kernel].arguments[index] = Argument(size, raw)

    def zeKernelSetGroupSize(self, kernel: int, x: int, y: int, z: int) -> None:
        """Keeps the size of the groups."""
        self._kernels[kernel].local = (x, y, z)

    def zeMemAllocShared(self, *parameters: Any) -> None:
        """Learns of memory: context, two descriptions, size, alignment, device, result."""
        self._memory[handle_at(parameters[6])] = parameters[3]

    def zeMemAllocDevice(self, *parameters: Any) -> None:
        """Learns of memory: context, description, size, alignment, device, result."""
        self._memory[handle_at(parameters[5])] = parameters[2]

    def zeMemAllocHost(self, *parameters: Any) -> None:
        """Learns of memory: context, description, size, alignment, result."""
        self._memory[handle_at(parameters[4])] = parameters[2]

    def zeMemFree(self, _context: int, pointer: int) -> None:
        """Forgets memory."""
        self._memory.pop(pointer, None)

    def zeMemFreeExt(self, _context: int, _desc: int, pointer: int) -> None:
        """Forgets memory."""
        self._memory.pop(pointer, None)

    def zeCommandListCreateImmediate(
        self, _context: int, _device: int, _desc: int, result: int
    ) -> None:
        """Learns that a list runs what is appended at once."""
        self._immediate.add(handle_at(result))

    def zeCommandListReset(self, command_list: int) -> None:
        """Empties a list."""
        self._lists.pop(command_list, None)

    def zeCommandListDestroy(self, command_list: int) -> None:
        """Forgets a list."""
        self._lists.pop(command_list, None)
        self._immediate.discard(command_list)

    def zeCommandQueueExecuteCommandLists(
        self, _queue: int, count: int, lists: int, _fence: int
    ) -> None:
        """Does the work of regular lists."""
        for handle in (ctypes.c_void_p * count).from_address(lists):
            for work in self._lists.get(handle or 0, ()):
                work()

    def zeCommandListAppendLaunchKernel(
        self, command_list: int, kernel: int, groups: int, *_events: Any
    ) -> None:
        """Takes a launch with the arguments of this moment."""
        state = self._kernels[kernel]
        count = ze.GroupCount.from_address(groups)
        binary = self._binary(state.module)
        counts, arguments = (count.x, count.y, count.z), dict(state.arguments)
        name, local = state.name, state.local

        def work() -> None:
            memory = sorted(self._memory.items())
            self._executor.launch(Launch(binary, name, counts, local, arguments, memory))

        self._append(command_list, work)

    zeCommandListAppendLaunchCooperativeKernel = zeCommandListAppendLaunchKernel

    def zeCommandListAppendMemoryCopy(
        self, command_list: int, target: int, source: int, size: int, *_events: Any
    ) -> None:
        """Takes a copy of ``size`` bytes."""
        self._append(command_list, lambda: _move(target, source, size))

    def zeCommandListAppendMemoryFill(
        self,
        command_list: int,
        target: int,
        pattern: int,
        pattern_size: int,
        size: int,
        *_events: Any,
    ) -> None:
        """Takes a fill of ``size`` bytes with a pattern that is read now."""
        raw = ctypes.string_at(pattern, pattern_size) * -(-size // pattern_size)
        self._append(command_list, lambda: _store(target, raw[:size]))

    def _append(self, command_list: int, work: Work) -> None:
        if command_list in self._immediate:
            work()
        else:
            self._lists.setdefault(command_list, []).append(work)

    def _binary(self, module: int) -> bytes:
        if module not in self._modules:
            self._modules[module] = self._tracer.native_binary(module)
        return self._modules[module]

    def _refuse(self, function: str) -> None:
        raise UnsupportedWorkError(
            f"the program calls ze{function}, whose work is not simulated",
            hint="only kernel launches, copies and fills of plain memory are",
        )


def _move(target: int, source: int, size: int) -> None:
    ctypes.memmove(target, source, size)


def _store(target: int, raw: bytes) -> None:
    ctypes.memmove(target, raw, len(raw))
