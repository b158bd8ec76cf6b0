"""Running the portable SPIR-V through dpctl: any OpenCL device, the CPU above all.

dpctl owns queue, memory and device selection, so its memory objects and arrays are used as
they are.  Its pitfalls are handled here and nowhere else: SYCL ranges are slowest-first, a
missing kernel name does not raise, a failed build has no log, and a device list is fixed by
the first query, before which the OpenCL CPU runtime must be announced.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from mltc.package import Kernel, Package
from mltc.runtime.backend import Backend, DeviceArray, DeviceInfo, DevicePointer, Dim3, Program
from mltc.runtime.errors import ArgumentError, DeviceError, ModuleBuildError
from mltc.runtime.opencl_log import cpu_build_log

CPU_RUNTIME = "libintelocl.so"


def announce_cpu_runtime() -> None:
    """Tells the OpenCL loader about the CPU runtime of this environment's wheels.

    Has an effect only before the first device query of the process; an
    ``OCL_ICD_FILENAMES`` that is already set is respected.
    """
    library = Path(sys.prefix) / "lib" / CPU_RUNTIME
    if "OCL_ICD_FILENAMES" not in os.environ and library.is_file():
        os.environ["OCL_ICD_FILENAMES"] = str(library)


def import_dpctl() -> ModuleType:
    """Imports dpctl with the CPU runtime announced.

    Raises:
        DeviceError: dpctl is not installed or does not load.
    """
    announce_cpu_runtime()
    try:
        dpctl = importlib.import_module("dpctl")
        importlib.import_module("dpctl.memory")
        importlib.import_module("dpctl.program")
    except ImportError as error:
        raise DeviceError(
            f"dpctl cannot be imported: {error}", hint="pip install 'mltc[runtime]'"
        ) from None
    return dpctl


def _device_help(dpctl: ModuleType) -> str:
    found = ", ".join(device.filter_string for device in dpctl.get_devices()) or "none"
    selector = os.environ.get("ONEAPI_DEVICE_SELECTOR")
    extra = f"; ONEAPI_DEVICE_SELECTOR={selector} hides others" if selector else ""
    return f"devices found: {found}{extra}; the CPU device comes with the wheel intel-opencl-rt"


def make_queue(device: str) -> Any:
    """An in-order queue with profiling on the device a filter string names.

    Raises:
        DeviceError: no such device.
    """
    dpctl = import_dpctl()
    try:
        return dpctl.SyclQueue(device, property=("in_order", "enable_profiling"))
    except Exception as error:  # dpctl's own types derive from Exception itself
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise DeviceError(f"no device '{device}': {first}", hint=_device_help(dpctl)) from None


class _UsmView:
    """Presents an address inside a USM allocation to dpctl."""

    def __init__(self, pointer: DevicePointer, queue: Any) -> None:
        self.__sycl_usm_array_interface__ = {
            "data": (pointer.address, False),
            "shape": (pointer.nbytes,),
            "strides": None,
            "typestr": "|u1",
            "offset": 0,
            "version": 1,
            "syclobj": queue,
        }


class UsmBuffer:
    """Shared USM; the host sees it as bytes."""

    def __init__(self, dpctl: ModuleType, queue: Any, nbytes: int, alignment: int) -> None:
        try:
            self._memory = dpctl.memory.MemoryUSMShared(nbytes, alignment=alignment, queue=queue)
        except Exception as error:  # dpctl's own types derive from Exception itself
            raise DeviceError(f"cannot allocate {nbytes} bytes: {error}") from None

    @property
    def pointer(self) -> int:
        """The device address, which is also the host address."""
        return int(self._memory._pointer)

    def _bytes(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        return np.frombuffer(self._memory, dtype=np.uint8)

    def write(self, source: np.ndarray[Any, np.dtype[np.uint8]]) -> None:
        """Copies host bytes to the start of the buffer."""
        self._bytes()[: source.size] = source

    def read(self, target: np.ndarray[Any, np.dtype[np.uint8]]) -> None:
        """Copies the start of the buffer to host bytes."""
        target[:] = self._bytes()[: target.size]

    def free(self) -> None:
        """Drops the memory; dpctl frees it with its last reference."""
        self._memory = None


class SyclProgram(Program):
    """Kernels of a SPIR-V module on a dpctl queue."""

    def __init__(self, dpctl: ModuleType, queue: Any, kernels: dict[str, Any]) -> None:
        self._dpctl = dpctl
        self._queue = queue
        self._kernels = kernels

    def launch(
        self, kernel: Kernel, groups: Dim3, arguments: Sequence[DevicePointer | Any]
    ) -> int | None:
        """See :meth:`Program.launch`."""
        as_memory = self._dpctl.memory.as_usm_memory
        packed = [
            as_memory(_UsmView(a, self._queue)) if isinstance(a, DevicePointer) else a
            for a in arguments
        ]
        local = kernel.local_size
        total = [g * size for g, size in zip(groups, local, strict=True)]
        try:
            event = self._queue.submit_async(
                self._kernels[kernel.name], packed, total[::-1], list(local)[::-1]
            )
            event.wait()
        except Exception as error:  # dpctl's own types derive from Exception itself
            raise DeviceError(f"kernel '{kernel.name}': launch failed: {error}") from None
        try:
            return int(event.profiling_info_end - event.profiling_info_start) or None
        except RuntimeError:  # the caller's queue has no profiling
            return None


class SyclBackend(Backend):
    """A dpctl queue."""

    def __init__(self, queue: Any) -> None:
        self._dpctl = import_dpctl()
        self.queue = queue
        device = queue.sycl_device
        self.info = DeviceInfo(
            name=str(device.name),
            driver=str(device.driver_version),
            max_work_group_size=int(device.max_work_group_size),
            slm_bytes=int(device.local_mem_size),
            sub_group_sizes=tuple(int(size) for size in device.sub_group_sizes),
            compute_units=int(device.max_compute_units),
        )

    def build(self, package: Package) -> Program:
        """See :meth:`Backend.build`; uses the portable SPIR-V."""
        if package.spirv is None:
            raise ModuleBuildError(
                "the package has no portable SPIR-V, so it runs on Intel GPUs only",
                hint="rebuild it without --no-portable",
            )
        program = self._dpctl.program
        create = getattr(program, "create_kernel_bundle_from_spirv", None)
        if create is None:  # the name up to dpctl 0.22
            create = program.create_program_from_spirv
        try:
            bundle = create(self.queue, package.spirv)
        except Exception as error:  # the exception type was renamed between releases
            log = cpu_build_log(package.spirv) if self.queue.sycl_device.is_cpu else ""
            first = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise ModuleBuildError(f"{self.info.name}: build failed: {first}", log) from None
        return SyclProgram(self._dpctl, self.queue, self._kernels(bundle, package))

    def _kernels(self, bundle: Any, package: Package) -> dict[str, Any]:
        kernels = {}
        for kernel in package.manifest.kernels:
            if not bundle.has_sycl_kernel(kernel.name):
                raise ModuleBuildError(f"the portable module has no kernel '{kernel.name}'")
            kernels[kernel.name] = bundle.get_sycl_kernel(kernel.name)
        return kernels

    def allocate(self, nbytes: int, alignment: int) -> UsmBuffer:
        """See :meth:`Backend.allocate`."""
        return UsmBuffer(self._dpctl, self.queue, nbytes, alignment)

    def adopt(self, value: Any) -> DeviceArray | None:
        """See :meth:`Backend.adopt`; takes dpctl memory and arrays with its interface."""
        interface = getattr(value, "__sycl_usm_array_interface__", None)
        if not isinstance(interface, dict):
            return None
        memory = self._dpctl.memory
        raw = (memory.MemoryUSMShared, memory.MemoryUSMDevice, memory.MemoryUSMHost)
        try:
            view = memory.as_usm_memory(value)
        except Exception as error:  # dpctl's own types derive from Exception itself
            raise ArgumentError(f"unusable device memory: {error}") from None
        if view.sycl_context != self.queue.sycl_context:
            raise ArgumentError(
                f"device memory of another context than the one of {self.info.name}",
                hint="allocate it with queue=module.queue",
            )
        dtype = np.dtype(interface["typestr"])
        offset = int(interface.get("offset") or 0) * dtype.itemsize
        address = int(interface["data"][0]) + offset
        nbytes = int(view._pointer) + int(view.nbytes) - address
        return DeviceArray(
            DevicePointer(address, nbytes), None if isinstance(value, raw) else dtype.name
        )
