"""What a device must be able to do for the runtime, whatever drives it.

Three implementations exist: :mod:`.sycl` runs the portable SPIR-V through dpctl (any OpenCL
device, the CPU first), :mod:`.level_zero` loads the zebin itself on an Intel GPU, and
:mod:`.simulator` runs the zebin without one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mltc.package import Kernel, Package
from mltc.runtime.memory import Buffer
from mltc.simulator.profile import Profile

Dim3 = tuple[int, int, int]


@dataclass(frozen=True)
class DeviceInfo:
    """Limits of a device: work-items per group, SLM bytes, sub-group sizes, cores."""

    name: str
    driver: str
    max_work_group_size: int
    slm_bytes: int
    sub_group_sizes: tuple[int, ...]
    compute_units: int = 1
    product: str = ""


@dataclass(frozen=True)
class DevicePointer:
    """A device address, and the bytes that lie behind it."""

    address: int
    nbytes: int


@dataclass(frozen=True)
class DeviceArray:
    """Memory of the caller that is already on the device.

    ``dtype`` is a NumPy type name, or None for untyped memory.
    """

    pointer: DevicePointer
    dtype: str | None


class Program(ABC):
    """The kernels of one package, built for one device."""

    @property
    def profile(self) -> Profile | None:
        """What the last launch executed, on devices that count it."""
        return None

    @abstractmethod
    def launch(
        self, kernel: Kernel, groups: Dim3, arguments: Sequence[DevicePointer | Any]
    ) -> int | None:
        """Runs a kernel and waits; arguments are pointers or ctypes scalars.

        Returns:
            Device time in nanoseconds, or None when it was not measured.

        Raises:
            DeviceError: the driver refused or failed.
        """


class Backend(ABC):
    """A device and its memory."""

    info: DeviceInfo
    #: Whether launches have a :attr:`Program.profile`.
    counts = False

    @abstractmethod
    def build(self, package: Package) -> Program:
        """Builds all kernels of a package.

        Raises:
            ModuleBuildError: with the build log.
        """

    @abstractmethod
    def allocate(self, nbytes: int, alignment: int) -> Buffer:
        """Allocates device memory that the host can fill and read."""

    @abstractmethod
    def adopt(self, value: Any) -> DeviceArray | None:
        """Recognises device memory of the caller; None if ``value`` is something else.

        Raises:
            ArgumentError: it is device memory, but of another device or context.
        """
