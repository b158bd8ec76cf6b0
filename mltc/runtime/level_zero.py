"""Running the zebin itself on an Intel GPU through Level Zero.

The native format is loaded as it is.  The driver rebuilds a binary of another device from
embedded IR without saying so, except for a line in the build log: such a line is an error
here, because what was checked is then not what runs.  Two more things the driver accepts in
silence, argument sizes and missing arguments, are settled before by the manifest.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np

from mltc.package import Kernel, Package
from mltc.runtime import level_zero_api as ze
from mltc.runtime.backend import Backend, DeviceArray, DeviceInfo, DevicePointer, Dim3, Program
from mltc.runtime.errors import ArgumentError, DeviceError, ModuleBuildError

REBUILT = "recompiled"
MAX_LOG_BYTES = 1024 * 1024


def _gpu_devices(api: ze.LevelZero) -> list[tuple[ctypes.c_void_p, ctypes.c_void_p]]:
    """(driver, device) of every Intel GPU, in the order of the loader."""
    found = []
    for driver in api.list("zeDriverGet"):
        for device in api.list("zeDeviceGet", driver):
            properties = ze.DeviceProperties(stype=ze.STRUCTURE_DEVICE_PROPERTIES)
            api.call("zeDeviceGetProperties", device, ctypes.byref(properties))
            is_gpu = properties.type == ze.DEVICE_TYPE_GPU
            if is_gpu and properties.vendorId == ze.INTEL_VENDOR_ID:
                found.append((driver, device))
    return found


def _device_info(api: ze.LevelZero, device: ctypes.c_void_p) -> DeviceInfo:
    version = ze.DeviceIpVersion(stype=ze.STRUCTURE_DEVICE_IP_VERSION)
    properties = ze.DeviceProperties(
        stype=ze.STRUCTURE_DEVICE_PROPERTIES, pNext=ctypes.addressof(version)
    )
    api.call("zeDeviceGetProperties", device, ctypes.byref(properties))
    compute = ze.DeviceComputeProperties(stype=ze.STRUCTURE_DEVICE_COMPUTE_PROPERTIES)
    api.call("zeDeviceGetComputeProperties", device, ctypes.byref(compute))
    count = min(compute.numSubGroupSizes, ze.MAX_SUB_GROUP_SIZES)
    return DeviceInfo(
        name=properties.name.decode("utf-8", "replace"),
        driver=f"level_zero, device id {properties.deviceId:#06x}",
        max_work_group_size=compute.maxTotalGroupSize,
        slm_bytes=compute.maxSharedLocalMemory,
        sub_group_sizes=tuple(compute.subGroupSizes[:count]),
        compute_units=properties.numSlices * properties.numSubslicesPerSlice,
        product=_product(version.ipVersion),
    )


def _product(version: int) -> str:
    """``architecture.release.revision`` of an IP version."""
    return f"{version >> 22}.{version >> 14 & 0xFF}.{version & 0x3F}"


def find_gpu(product: str) -> str | None:
    """The name of the first GPU of a product, of whatever revision; None when there is none.

    Args:
        product: ``architecture.release.revision``.
    """
    try:
        api = ze.LevelZero()
        api.call("zeInit", 0)
        devices = _gpu_devices(api)
    except DeviceError:
        return None
    release = product.rpartition(".")[0]
    for number, (_, device) in enumerate(devices):
        if _device_info(api, device).product.rpartition(".")[0] == release:
            return f"level_zero:gpu:{number}"
    return None


class SharedBuffer:
    """Shared USM of a Level Zero context; the host sees it as bytes."""

    def __init__(self, backend: LevelZeroBackend, nbytes: int, alignment: int) -> None:
        self._backend = backend
        self.nbytes = nbytes
        device_desc = ze.DeviceMemAllocDesc(stype=ze.STRUCTURE_DEVICE_MEM_ALLOC_DESC)
        host_desc = ze.HostMemAllocDesc(stype=ze.STRUCTURE_HOST_MEM_ALLOC_DESC)
        self._handle = backend.api.create(
            "zeMemAllocShared", backend.context, ctypes.byref(device_desc), ctypes.byref(host_desc),
            nbytes, alignment, backend.device,
        )  # fmt: skip

    @property
    def pointer(self) -> int:
        """The device address, which is also the host address."""
        return int(self._handle.value or 0)

    @property
    def __array_interface__(self) -> dict[str, Any]:
        """The bytes as NumPy takes them."""
        data = (self.pointer, False)
        return {"data": data, "shape": (self.nbytes,), "typestr": "|u1", "version": 3}

    def _bytes(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        raw = (ctypes.c_uint8 * self.nbytes).from_address(self.pointer)
        return np.ctypeslib.as_array(raw)

    def write(self, source: np.ndarray[Any, np.dtype[np.uint8]]) -> None:
        """Copies host bytes to the start of the buffer."""
        self._bytes()[: source.size] = source

    def read(self, target: np.ndarray[Any, np.dtype[np.uint8]]) -> None:
        """Copies the start of the buffer to host bytes."""
        target[:] = self._bytes()[: target.size]

    def free(self) -> None:
        """Gives the memory back."""
        self._backend.api.call("zeMemFree", self._backend.context, self._handle)


def _destroy(api: ze.LevelZero, function: str, handle: ctypes.c_void_p, owner: object) -> None:
    """Gives a handle back; ``owner`` only has to live until then.

    The state of the driver at a process's end is its own business, so the result is not looked at.
    """
    api.status(function, handle)


class NativeModule:
    """A zebin loaded by the driver, with its kernels.

    All of it is destroyed by :meth:`close`, or with the object.
    """

    def __init__(self, backend: LevelZeroBackend, binary: bytes) -> None:
        self._backend = backend
        api = backend.api
        desc = ze.ModuleDesc(
            stype=ze.STRUCTURE_MODULE_DESC,
            format=ze.MODULE_FORMAT_NATIVE,
            inputSize=len(binary),
            pInputModule=binary,
        )
        self.handle, log_handle = ctypes.c_void_p(), ctypes.c_void_p()
        code = api.status(
            "zeModuleCreate", backend.context, backend.device, ctypes.byref(desc),
            ctypes.byref(self.handle), ctypes.byref(log_handle),
        )  # fmt: skip
        self.log = _take_log(api, log_handle)
        self.kernels: dict[str, ctypes.c_void_p] = {}
        self._finalizers: list[weakref.finalize[Any, Any]] = []
        if code:
            name = ze.RESULTS.get(code, hex(code))
            raise ModuleBuildError(
                f"{backend.info.name} does not load the binary: {name}", self.log
            )
        self._own("zeModuleDestroy", self.handle)
        if REBUILT in self.log:
            self.close()
            raise ModuleBuildError(
                f"the driver rebuilt the binary from IR instead of using it on {backend.info.name}",
                self.log,
                hint="build the package for this device",
            )

    def kernel(self, name: str) -> ctypes.c_void_p:
        """The handle of a kernel, created on first use.

        Raises:
            ModuleBuildError: no such kernel, or the module has unresolved symbols.
        """
        if name not in self.kernels:
            desc = ze.KernelDesc(stype=ze.STRUCTURE_KERNEL_DESC, pKernelName=name.encode())
            try:
                handle = self._backend.api.create("zeKernelCreate", self.handle, ctypes.byref(desc))
            except ze.LevelZeroError as error:
                raise ModuleBuildError(f"kernel '{name}': {error.message}", self.log) from None
            self._own("zeKernelDestroy", handle)
            self.kernels[name] = handle
        return self.kernels[name]

    def properties(self, name: str) -> ze.KernelProperties:
        """What the driver says about a kernel."""
        properties = ze.KernelProperties(stype=ze.STRUCTURE_KERNEL_PROPERTIES)
        self._backend.api.call("zeKernelGetProperties", self.kernel(name), ctypes.byref(properties))
        return properties

    def close(self) -> None:
        """Destroys kernels and module; the module must not be used afterwards."""
        while self._finalizers:
            self._finalizers.pop()()
        self.kernels.clear()

    def _own(self, function: str, handle: ctypes.c_void_p) -> None:
        """Destroys a handle with this object; the last one first, and all before the context."""
        end = weakref.finalize(self, _destroy, self._backend.api, function, handle, self._backend)
        self._finalizers.append(end)


def _take_log(api: ze.LevelZero, handle: ctypes.c_void_p) -> str:
    if not handle:
        return ""
    size = ctypes.c_size_t()
    api.call("zeModuleBuildLogGetString", handle, ctypes.byref(size), None)
    text = ""
    if 0 < size.value <= MAX_LOG_BYTES:
        buffer = ctypes.create_string_buffer(size.value)
        api.call("zeModuleBuildLogGetString", handle, ctypes.byref(size), buffer)
        text = buffer.value.decode("utf-8", "replace")
    api.call("zeModuleBuildLogDestroy", handle)
    return text


class LevelZeroProgram(Program):
    """Kernels of a native module on a synchronous immediate command list."""

    def __init__(self, backend: LevelZeroBackend, module: NativeModule) -> None:
        self._backend = backend
        self.module = module

    def launch(
        self, kernel: Kernel, groups: Dim3, arguments: Sequence[DevicePointer | Any]
    ) -> int | None:
        """See :meth:`Program.launch`; the time is not measured."""
        api, handle = self._backend.api, self.module.kernel(kernel.name)
        api.call("zeKernelSetGroupSize", handle, *kernel.local_size)
        for index, value in enumerate(arguments):
            packed: Any = value
            if isinstance(value, DevicePointer):
                packed = ctypes.c_uint64(value.address)
            size = ctypes.sizeof(packed)
            api.call("zeKernelSetArgumentValue", handle, index, size, ctypes.byref(packed))
        count = ze.GroupCount(*groups)
        api.call(
            "zeCommandListAppendLaunchKernel",
            self._backend.command_list, handle, ctypes.byref(count), None, 0, None,
        )  # fmt: skip
        return None


class LevelZeroBackend(Backend):
    """A GPU with a context of its own; memory of other contexts cannot be used with it."""

    def __init__(self, api: ze.LevelZero, driver: ctypes.c_void_p, device: ctypes.c_void_p) -> None:
        self.api = api
        self.device = device
        self.info = _device_info(api, device)
        context = ze.ContextDesc(stype=ze.STRUCTURE_CONTEXT_DESC)
        self.context = api.create("zeContextCreate", driver, ctypes.byref(context))
        weakref.finalize(self, _destroy, api, "zeContextDestroy", self.context, None)
        queue = ze.CommandQueueDesc(
            stype=ze.STRUCTURE_COMMAND_QUEUE_DESC, mode=ze.COMMAND_QUEUE_MODE_SYNCHRONOUS
        )
        self.command_list = api.create(
            "zeCommandListCreateImmediate", self.context, device, ctypes.byref(queue)
        )
        weakref.finalize(self, _destroy, api, "zeCommandListDestroy", self.command_list, None)

    @staticmethod
    def open(name: str) -> LevelZeroBackend:
        """Opens ``level_zero:gpu`` or ``level_zero:gpu:N``.

        Raises:
            DeviceError: wrong name, no driver, or fewer GPUs than N + 1.
        """
        parts = name.split(":")
        number = parts[2] if len(parts) == 3 else "0"
        if parts[:2] != ["level_zero", "gpu"] or len(parts) > 3 or not number.isdecimal():
            raise DeviceError(f"expected level_zero:gpu or level_zero:gpu:N, got '{name}'")
        api = ze.LevelZero()
        try:
            api.call("zeInit", 0)
            devices = _gpu_devices(api)
        except ze.LevelZeroError as error:
            raise DeviceError(f"no Intel GPU: {error.message}") from None
        if int(number) >= len(devices):
            raise DeviceError(f"no device '{name}': {len(devices)} Intel GPUs found")
        return LevelZeroBackend(api, *devices[int(number)])

    def build(self, package: Package) -> Program:
        """See :meth:`Backend.build`; loads the zebin."""
        if not package.native:
            raise ModuleBuildError(
                "the package has no native code, so it runs on OpenCL devices only",
                hint="rebuild it without --no-native",
            )
        module = NativeModule(self, package.data)
        for kernel in package.manifest.kernels:
            _check_kernel(kernel, module.properties(kernel.name))
        return LevelZeroProgram(self, module)

    def allocate(self, nbytes: int, alignment: int) -> SharedBuffer:
        """See :meth:`Backend.allocate`."""
        return SharedBuffer(self, nbytes, alignment)

    def adopt(self, value: Any) -> DeviceArray | None:
        """See :meth:`Backend.adopt`; takes buffers of :meth:`allocate` only."""
        if isinstance(value, SharedBuffer) and value._backend is self:
            return DeviceArray(DevicePointer(value.pointer, value.nbytes), None)
        if isinstance(value, SharedBuffer) or hasattr(value, "__sycl_usm_array_interface__"):
            raise ArgumentError(
                "device memory of another context than the one that holds the native module",
                hint="allocate it with module.backend.allocate, or pass a NumPy array",
            )
        return None


def _check_kernel(kernel: Kernel, seen: ze.KernelProperties) -> None:
    """Compares the driver's view of a kernel with the manifest.

    Raises:
        ModuleBuildError: they differ, so the manifest belongs to another binary.
        DeviceError: the kernel needs more threads per group than the device gives it.
    """
    if seen.numKernelArgs != len(kernel.args):
        raise ModuleBuildError(
            f"kernel '{kernel.name}': the binary takes {seen.numKernelArgs} arguments, "
            f"the manifest has {len(kernel.args)}"
        )
    required = (seen.requiredGroupSizeX, seen.requiredGroupSizeY, seen.requiredGroupSizeZ)
    if any(required) and required != kernel.local_size:
        raise ModuleBuildError(
            f"kernel '{kernel.name}': the binary requires groups of {required}, "
            f"the manifest has {kernel.local_size}"
        )
    if seen.maxNumSubgroups and kernel.num_warps > seen.maxNumSubgroups:
        raise DeviceError(
            f"kernel '{kernel.name}' needs {kernel.num_warps} threads per group, the device has "
            f"{seen.maxNumSubgroups} in this register mode"
        )
