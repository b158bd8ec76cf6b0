"""Loading a package and launching its kernels."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

from mltc.errors import did_you_mean
from mltc.package import Kernel, Manifest, Package, read_package
from mltc.runtime import arguments, checks, preconditions
from mltc.runtime.backend import Backend, DevicePointer, Program
from mltc.runtime.errors import DeviceError, RuntimeFailure
from mltc.runtime.sycl import SyclBackend, make_queue
from mltc.simulator.profile import Profile
from mltc.target import load_target

DEFAULT_DEVICE = "opencl:cpu"
_NATIVE = ("level_zero", "sim")


@dataclass(frozen=True)
class LaunchResult:
    """What is known after a launch.

    Attributes:
        device_ns: the kernel's time in nanoseconds, where the device measures it.
        profile: what was executed, where the device counts it (the simulator).
    """

    device_ns: int | None
    profile: Profile | None = None


class LoadedKernel:
    """A kernel that can be launched; ``record`` is its manifest entry."""

    def __init__(self, module: Module, record: Kernel) -> None:
        self._module = module
        self.record = record

    @property
    def module(self) -> Module:
        """The package on its device."""
        return self._module

    @property
    def name(self) -> str:
        """The kernel's name."""
        return self.record.name

    def launch(self, grid: int | Sequence[int], *values: Any) -> LaunchResult:
        """Launches the kernel and waits for it.

        Args:
            grid: group counts along program id axes 0, 1, 2.
            values: one per manifest argument.  Pointers take NumPy arrays (copied to the
                device and back) or device memory (used as it is); scalars take Python or
                NumPy numbers.

        Raises:
            ArgumentError: an argument does not fit the manifest.
            PreconditionError: the values break a launch precondition.
            DeviceError: the driver failed, or a checked kernel (``mltc build --checked``) sent a
                block message that the hardware would not do.
        """
        return self._module._launch(self.record, grid, values)

    def __repr__(self) -> str:
        shown = ", ".join(f"{arg.name or '_'}: {arg.kind} {arg.type}" for arg in self.record.args)
        return f"<kernel {self.name}({shown})>"


class Kernels(Mapping[str, LoadedKernel]):
    """The kernels of a module by name, in the order of the manifest."""

    def __init__(self, kernels: dict[str, LoadedKernel]) -> None:
        self._kernels = kernels

    def __getitem__(self, name: str) -> LoadedKernel:
        if name not in self._kernels:
            raise KeyError(f"no kernel '{name}'{did_you_mean(name, self._kernels)}")
        return self._kernels[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._kernels)

    def __len__(self) -> int:
        return len(self._kernels)


class Module:
    """A package on a device."""

    def __init__(self, package: Package, backend: Backend) -> None:
        self.package = package
        self.backend = backend
        self._limits = load_target(package.manifest.target).block_2d
        for kernel in package.manifest.kernels:
            _check_device(kernel, package.manifest, backend)
        self._program: Program = backend.build(package)
        self.kernels = Kernels({k.name: LoadedKernel(self, k) for k in package.manifest.kernels})

    @property
    def manifest(self) -> Manifest:
        """The package's manifest."""
        return self.package.manifest

    @property
    def queue(self) -> Any:
        """The dpctl queue launches go to; None on a native backend."""
        return getattr(self.backend, "queue", None)

    def _launch(
        self, kernel: Kernel, grid: int | Sequence[int], values: Sequence[Any]
    ) -> LaunchResult:
        groups = arguments.check_grid(grid)
        bound = arguments.bind(kernel, values, self.backend)
        with arguments.placed(kernel, bound, self.backend) as pointers:
            arguments.check_pointers(kernel, pointers)
            launch = arguments.launch_values(bound, pointers, groups)
            preconditions.check(kernel, launch, self._limits)
            ordered = [
                pointers[arg.index] if arg.is_pointer else bound.scalars[arg.index]
                for arg in kernel.args
            ]
            with self._watched(kernel) as more:
                time = self._program.launch(kernel, groups, [*ordered, *more])
            return LaunchResult(time, self._program.profile)

    def _watched(self, kernel: Kernel) -> AbstractContextManager[list[DevicePointer]]:
        """Only the portable code checks its block messages."""
        if isinstance(self.backend, SyclBackend):
            return checks.watched(kernel, self.backend)
        return nullcontext([])


def _check_device(kernel: Kernel, manifest: Manifest, backend: Backend) -> None:
    info = backend.info
    x, y, z = kernel.local_size
    if x * y * z > info.max_work_group_size:
        raise DeviceError(
            f"kernel '{kernel.name}' needs {x * y * z} work-items per group, "
            f"{info.name} has {info.max_work_group_size}"
        )
    if kernel.slm_bytes > info.slm_bytes:
        raise DeviceError(
            f"kernel '{kernel.name}' needs {kernel.slm_bytes} bytes of shared local memory, "
            f"{info.name} has {info.slm_bytes}"
        )
    if manifest.style == "simt" and kernel.sub_group_size not in info.sub_group_sizes:
        sizes = ", ".join(map(str, info.sub_group_sizes))
        raise DeviceError(
            f"kernel '{kernel.name}' needs sub-groups of {kernel.sub_group_size}, "
            f"{info.name} has {sizes}"
        )


def runs_native(device: str) -> bool:
    """Whether a device runs the zebin itself, and not the portable SPIR-V."""
    return device.split(":")[0] in _NATIVE


def make_backend(device: Any) -> Backend:
    """Opens a device.

    Args:
        device: ``"opencl:cpu"`` or another dpctl filter string (portable SPIR-V);
            ``"level_zero:gpu"``, optionally ``":N"`` (the zebin itself); ``"sim:pvc"`` (the
            zebin on the simulator); a
            ``dpctl.SyclQueue`` (portable SPIR-V on that queue); or a :class:`Backend`.

    Raises:
        DeviceError: there is no such device.
    """
    if isinstance(device, Backend):
        return device
    if not isinstance(device, str):
        if hasattr(device, "sycl_device") and hasattr(device, "submit"):
            return SyclBackend(device)
        kind = type(device).__name__
        raise DeviceError(f"expected a device name or a dpctl.SyclQueue, got {kind}")
    if device.split(":")[0] == "level_zero":
        from mltc.runtime.level_zero import LevelZeroBackend

        return LevelZeroBackend.open(device)
    if device.split(":")[0] == "sim":
        from mltc.runtime.simulator import SimulatorBackend

        return SimulatorBackend.open(device)
    return SyclBackend(make_queue(device))


def load(source: str | os.PathLike[str] | bytes | Package, device: Any = DEFAULT_DEVICE) -> Module:
    """Loads a package on a device.

    Args:
        source: path, bytes, or a package that was read before.
        device: see :func:`make_backend`.

    Raises:
        PackageError, ManifestError: not a valid package.
        DeviceError: no such device, or it cannot hold a kernel of the package.
        ModuleBuildError: the device's compiler or loader refused it; carries the log.
    """
    package = source if isinstance(source, Package) else read_package(source)
    return Module(package, make_backend(device))


__all__ = ["LaunchResult", "LoadedKernel", "Module", "RuntimeFailure", "load", "make_backend"]
