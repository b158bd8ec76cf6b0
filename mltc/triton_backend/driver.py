"""The driver half of the back end: the current device, loading of packages, and launches.

Triton passes a launcher the arguments as the caller wrote them, constants and tuples included.
Here they become the manifest's arguments: constants vanish, tuples and descriptors are flattened,
arrays become NumPy arrays or device memory.  Everything else (checking, copying, the launch itself)
is :mod:`mltc.runtime`.
"""

from __future__ import annotations

import ctypes
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from triton.backends.compiler import GPUTarget
from triton.backends.driver import DriverBase

from mltc.package import Argument
from mltc.runtime.errors import ArgumentError
from mltc.runtime.module import LoadedKernel, Module, load
from mltc.runtime.types import array_dtype
from mltc.target import load_target
from mltc.triton_backend.device import (
    NAME,
    TARGET,
    another_is_active,
    current_device,
    open_device,
    wanted,
)
from mltc.triton_backend.tensor import Tensor

_BENCHMARK_SECONDS = 0.1


def flatten(signature: Any, value: Any) -> Iterator[tuple[str, Any]]:
    """The (type, value) of every argument that reaches the kernel, in order."""
    if isinstance(signature, tuple):
        for part, inner in zip(signature, value, strict=True):
            yield from flatten(part, inner)
    elif signature == "constexpr":
        return
    elif isinstance(signature, str) and signature.startswith("tensordesc"):
        yield from _descriptor(value)
    else:
        yield str(signature), value


def _descriptor(value: Any) -> Iterator[tuple[str, Any]]:
    """The parts of a host descriptor: as it is flattened, then what Triton's front end adds."""
    extents = [("i64", int(number)) for number in (*value.shape, *value.strides)]
    yield "*", value.base
    yield from extents
    yield "u1", getattr(value, "padding", "zero") == "nan"
    yield "u1", bool(getattr(value, "round_f32_to_tf32", False))
    yield from extents


def _bytes_at(address: int, extents: Sequence[int], strides: Sequence[int], size: int) -> Any:
    """Raw memory of that many elements of ``size`` bytes, as a view with their strides."""
    if any(stride < 0 for stride in strides):
        raise ArgumentError("negative strides are not supported")
    reach = sum((extent - 1) * stride for extent, stride in zip(extents, strides, strict=True))
    count = 0 if 0 in extents else (reach + 1) * size
    raw = np.ctypeslib.as_array((ctypes.c_uint8 * count).from_address(address))
    flat = raw.view(f"V{size}")
    return np.lib.stride_tricks.as_strided(
        flat, tuple(extents), tuple(stride * size for stride in strides)
    )


def array_argument(arg: Argument, value: Any) -> Any:
    """The NumPy array or device memory behind what the caller passed for a pointer.

    Raises:
        ArgumentError: it is no array, or one on a device that we do not drive.
    """
    while not isinstance(value, Tensor) and hasattr(value, "base") and hasattr(value, "data_ptr"):
        value = value.base  # triton.reinterpret
    dtype = array_dtype(arg.type)
    if isinstance(value, Tensor):
        on_host = isinstance(value.storage, np.ndarray)
        return value.storage.view(dtype) if on_host else value.storage
    if not hasattr(value, "data_ptr"):
        raise ArgumentError(
            f"{arg.label}: expected an array, got {type(value).__name__}",
            hint="mltc.triton_backend.tensor wraps a NumPy array",
        )
    device = getattr(value, "device", "cpu")
    if getattr(device, "type", str(device)) != "cpu":
        raise ArgumentError(
            f"{arg.label}: the array is on device '{device}', whose memory mltc does not share",
            hint="pass one on the host, or device memory of dpctl",
        )
    elements = _bytes_at(value.data_ptr(), value.shape, value.stride(), int(value.element_size()))
    return elements.view(dtype)


def scalar_argument(type_: str, value: Any) -> Any:
    """A number, marked as unsigned where Triton passes it as such."""
    if type_ in ("u8", "u16", "u32", "u64"):
        return np.dtype(f"uint{type_[1:]}").type(value)
    if type_ in ("u1", "i1"):
        return bool(value)
    return value


class Launcher:
    """Launches of one compiled kernel, in Triton's calling convention."""

    def __init__(self, src: Any, metadata: Any) -> None:
        self._signature = tuple(src.signature.values())

    def arguments(self, kernel: LoadedKernel, values: Sequence[Any]) -> list[Any]:
        """The arguments of the manifest.

        Raises:
            ArgumentError: their number is not the kernel's, or one is of the wrong kind.
        """
        parts = list(flatten(self._signature, tuple(values)))
        records = kernel.record.args
        if len(parts) != len(records):
            raise ArgumentError(
                f"kernel '{kernel.name}' takes {len(records)} arguments, got {len(parts)}"
            )
        return [
            array_argument(arg, value) if arg.is_pointer else scalar_argument(type_, value)
            for arg, (type_, value) in zip(records, parts, strict=True)
        ]

    def __call__(
        self, x: int, y: int, z: int, stream: Any, kernel: LoadedKernel, packed: Any,
        launch_metadata: Any, enter: Any, leave: Any, *values: Any,
    ) -> None:  # fmt: skip
        """Runs the kernel and waits; a grid without groups runs nothing."""
        if 0 in (x, y, z):
            return
        arguments = self.arguments(kernel, values)
        if enter is not None and launch_metadata is not None:
            enter(launch_metadata)
        kernel.launch((x, y, z), *arguments)
        if leave is not None and launch_metadata is not None:
            leave(launch_metadata)


class Utilities:
    """What Triton asks about a device and its modules."""

    @staticmethod
    def get_device_properties(device: str) -> dict[str, Any]:
        """Limits of a device; memory in bytes."""
        info = open_device(device).info
        return {
            "max_shared_mem": info.slm_bytes,
            "multiprocessor_count": info.compute_units,
            "max_work_group_size": info.max_work_group_size,
            "sub_group_sizes": info.sub_group_sizes,
            "warpSize": load_target(TARGET).sub_group_size.value,
            "name": info.name,
        }

    @staticmethod
    def load_binary(
        name: str, binary: bytes, shared: int, device: str
    ) -> tuple[Module, LoadedKernel, int, int, int]:
        """Module, kernel, registers per thread, bytes spilled, work-items a group may have."""
        module = load(binary, open_device(device))
        record = module.manifest.build
        registers = record.grf.registers if record is not None and record.grf is not None else 0
        spills = record.spill_bytes.get(name, 0) if record is not None else 0
        most = module.backend.info.max_work_group_size
        return module, module.kernels[name], registers, spills, most

    @staticmethod
    def unload_module(module: Module) -> None:
        """Nothing: a module goes with its last reference."""


def benchmark(
    call: Callable[[], Any], *, quantiles: Sequence[float] | None = None, **_: Any
) -> Any:
    """Milliseconds a launch takes, by the clock on the wall: launches wait for their end."""
    call()
    times: list[float] = []
    end = time.perf_counter() + _BENCHMARK_SECONDS
    while len(times) < 3 or time.perf_counter() < end:
        start = time.perf_counter()
        call()
        times.append((time.perf_counter() - start) * 1e3)
    if quantiles is None:
        return statistics.fmean(times)
    return [float(value) for value in np.quantile(times, quantiles)]


class MltcDriver(DriverBase):  # type: ignore[misc]  # Triton has no types
    """The driver of one process."""

    def __init__(self) -> None:
        super().__init__()
        self.utils = Utilities()
        self.launcher_cls = Launcher

    @classmethod
    def is_active(cls) -> bool:
        """Whether Triton should launch through us: when asked, or when nothing else could."""
        choice = wanted()
        return not another_is_active() if choice is None else choice

    def get_current_device(self) -> str:
        """The device of the next launch; Triton keeps compiled kernels by it."""
        return current_device()

    def set_current_device(self, device: str) -> None:
        """Chooses the device of the next launch."""
        from mltc.triton_backend.device import set_device

        set_device(device)

    def get_current_stream(self, device: str) -> int:
        """One stream per device: launches wait."""
        return 0

    def get_current_target(self) -> GPUTarget:
        """The target that kernels are compiled for."""
        return GPUTarget(NAME, TARGET, load_target(TARGET).sub_group_size.value)

    def get_active_torch_device(self) -> Any:
        """Where torch has to put tensors: the host."""
        import torch  # type: ignore[import-not-found,unused-ignore]

        return torch.device("cpu")

    def map_python_to_cpp_type(self, ty: str) -> str:
        """C++ types of arguments, for tools that generate launchers."""
        if ty.startswith("*") or ty.startswith("tensordesc"):
            return "void *"
        names = {"fp16": "double", "bf16": "double", "fp32": "double", "fp64": "double"}
        return names.get(ty) or f"{'u' if ty[0] == 'u' else ''}int{max(8, int(ty[1:]))}_t"

    def get_benchmarker(self) -> Callable[..., Any]:
        """How ``triton.autotune`` measures."""
        return benchmark
