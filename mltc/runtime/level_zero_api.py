"""The part of the Level Zero API that the runtime uses, through ctypes.

PyPI has no binding of Level Zero, and dpctl cannot load native code, so the loader library
is called directly.  Names, structures and constants are those of ``ze_api.h`` 1.x.
"""

from __future__ import annotations

import ctypes
from ctypes import (
    POINTER,
    c_char,
    c_char_p,
    c_int32,
    c_size_t,
    c_uint8,
    c_uint32,
    c_uint64,
    c_void_p,
)
from typing import Any, ClassVar

from mltc.runtime.errors import DeviceError

LOADER = "libze_loader.so.1"

STRUCTURE_DEVICE_PROPERTIES = 0x3
STRUCTURE_DEVICE_COMPUTE_PROPERTIES = 0x4
STRUCTURE_CONTEXT_DESC = 0xD
STRUCTURE_COMMAND_QUEUE_DESC = 0xE
STRUCTURE_DEVICE_MEM_ALLOC_DESC = 0x15
STRUCTURE_HOST_MEM_ALLOC_DESC = 0x16
STRUCTURE_MODULE_DESC = 0x1B
STRUCTURE_KERNEL_DESC = 0x1D
STRUCTURE_KERNEL_PROPERTIES = 0x1E
STRUCTURE_DEVICE_IP_VERSION = 0x1000F

DEVICE_TYPE_GPU = 1
MODULE_FORMAT_NATIVE = 1
COMMAND_QUEUE_MODE_SYNCHRONOUS = 1
MAX_SUB_GROUP_SIZES = 8
INTEL_VENDOR_ID = 0x8086

RESULTS = {
    0x1: "ZE_RESULT_NOT_READY",
    0x70000001: "ZE_RESULT_ERROR_DEVICE_LOST",
    0x70000002: "ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY",
    0x70000003: "ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY",
    0x70000004: "ZE_RESULT_ERROR_MODULE_BUILD_FAILURE",
    0x70000005: "ZE_RESULT_ERROR_MODULE_LINK_FAILURE",
    0x70010000: "ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS",
    0x70020000: "ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE",
    0x78000001: "ZE_RESULT_ERROR_UNINITIALIZED",
    0x78000002: "ZE_RESULT_ERROR_UNSUPPORTED_VERSION",
    0x78000003: "ZE_RESULT_ERROR_UNSUPPORTED_FEATURE",
    0x78000004: "ZE_RESULT_ERROR_INVALID_ARGUMENT",
    0x78000005: "ZE_RESULT_ERROR_INVALID_NULL_HANDLE",
    0x78000007: "ZE_RESULT_ERROR_INVALID_NULL_POINTER",
    0x78000008: "ZE_RESULT_ERROR_INVALID_SIZE",
    0x78000009: "ZE_RESULT_ERROR_UNSUPPORTED_SIZE",
    0x7800000A: "ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT",
    0x7800000C: "ZE_RESULT_ERROR_INVALID_ENUMERATION",
    0x7800000F: "ZE_RESULT_ERROR_INVALID_NATIVE_BINARY",
    0x78000011: "ZE_RESULT_ERROR_INVALID_KERNEL_NAME",
    0x78000012: "ZE_RESULT_ERROR_INVALID_FUNCTION_NAME",
    0x78000013: "ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION",
    0x78000014: "ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION",
    0x78000015: "ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX",
    0x78000016: "ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE",
    0x78000018: "ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED",
    0x7FFFFFFE: "ZE_RESULT_ERROR_UNKNOWN",
}


class LevelZeroError(DeviceError):
    """A Level Zero function failed; ``code`` is its ze_result_t."""

    def __init__(self, function: str, code: int) -> None:
        name = RESULTS.get(code, "unknown result")
        super().__init__(f"{function} failed: {name} ({code:#x})")
        self.code = code


_HEAD: list[tuple[str, Any]] = [("stype", c_uint32), ("pNext", c_void_p)]


class DeviceProperties(ctypes.Structure):
    """ze_device_properties_t."""

    _fields_: ClassVar[Any] = [
        *_HEAD,
        ("type", c_uint32),
        ("vendorId", c_uint32),
        ("deviceId", c_uint32),
        ("flags", c_uint32),
        ("subdeviceId", c_uint32),
        ("coreClockRate", c_uint32),
        ("maxMemAllocSize", c_uint64),
        ("maxHardwareContexts", c_uint32),
        ("maxCommandQueuePriority", c_uint32),
        ("numThreadsPerEU", c_uint32),
        ("physicalEUSimdWidth", c_uint32),
        ("numEUsPerSubslice", c_uint32),
        ("numSubslicesPerSlice", c_uint32),
        ("numSlices", c_uint32),
        ("timerResolution", c_uint64),
        ("timestampValidBits", c_uint32),
        ("kernelTimestampValidBits", c_uint32),
        ("uuid", c_uint8 * 16),
        ("name", c_char * 256),
    ]


class DeviceIpVersion(ctypes.Structure):
    """ze_device_ip_version_ext_t, which extends the properties of a device."""

    _fields_: ClassVar[Any] = [*_HEAD, ("ipVersion", c_uint32)]


class DeviceComputeProperties(ctypes.Structure):
    """ze_device_compute_properties_t."""

    _fields_: ClassVar[Any] = [
        *_HEAD,
        ("maxTotalGroupSize", c_uint32),
        ("maxGroupSizeX", c_uint32),
        ("maxGroupSizeY", c_uint32),
        ("maxGroupSizeZ", c_uint32),
        ("maxGroupCountX", c_uint32),
        ("maxGroupCountY", c_uint32),
        ("maxGroupCountZ", c_uint32),
        ("maxSharedLocalMemory", c_uint32),
        ("numSubGroupSizes", c_uint32),
        ("subGroupSizes", c_uint32 * MAX_SUB_GROUP_SIZES),
    ]


class ContextDesc(ctypes.Structure):
    """ze_context_desc_t."""

    _fields_: ClassVar[Any] = [*_HEAD, ("flags", c_uint32)]


class CommandQueueDesc(ctypes.Structure):
    """ze_command_queue_desc_t."""

    _fields_: ClassVar[Any] = [
        *_HEAD,
        ("ordinal", c_uint32),
        ("index", c_uint32),
        ("flags", c_uint32),
        ("mode", c_uint32),
        ("priority", c_uint32),
    ]


class DeviceMemAllocDesc(ctypes.Structure):
    """ze_device_mem_alloc_desc_t."""

    _fields_: ClassVar[Any] = [*_HEAD, ("flags", c_uint32), ("ordinal", c_uint32)]


class HostMemAllocDesc(ctypes.Structure):
    """ze_host_mem_alloc_desc_t."""

    _fields_: ClassVar[Any] = [*_HEAD, ("flags", c_uint32)]


class ModuleDesc(ctypes.Structure):
    """ze_module_desc_t."""

    _fields_: ClassVar[Any] = [
        *_HEAD,
        ("format", c_uint32),
        ("inputSize", c_size_t),
        ("pInputModule", c_char_p),
        ("pBuildFlags", c_char_p),
        ("pConstants", c_void_p),
    ]


class KernelDesc(ctypes.Structure):
    """ze_kernel_desc_t."""

    _fields_: ClassVar[Any] = [*_HEAD, ("flags", c_uint32), ("pKernelName", c_char_p)]


class KernelProperties(ctypes.Structure):
    """ze_kernel_properties_t."""

    _fields_: ClassVar[Any] = [
        *_HEAD,
        ("numKernelArgs", c_uint32),
        ("requiredGroupSizeX", c_uint32),
        ("requiredGroupSizeY", c_uint32),
        ("requiredGroupSizeZ", c_uint32),
        ("requiredNumSubGroups", c_uint32),
        ("requiredSubgroupSize", c_uint32),
        ("maxSubgroupSize", c_uint32),
        ("maxNumSubgroups", c_uint32),
        ("localMemSize", c_uint32),
        ("privateMemSize", c_uint32),
        ("spillMemSize", c_uint32),
        ("uuid", c_uint8 * 32),
    ]


class GroupCount(ctypes.Structure):
    """ze_group_count_t."""

    _fields_: ClassVar[Any] = [("x", c_uint32), ("y", c_uint32), ("z", c_uint32)]


_HANDLE = POINTER(c_void_p)
_FUNCTIONS: dict[str, list[Any]] = {
    "zeInit": [c_uint32],
    "zeDriverGet": [POINTER(c_uint32), _HANDLE],
    "zeDeviceGet": [c_void_p, POINTER(c_uint32), _HANDLE],
    "zeDeviceGetProperties": [c_void_p, POINTER(DeviceProperties)],
    "zeDeviceGetComputeProperties": [c_void_p, POINTER(DeviceComputeProperties)],
    "zeContextCreate": [c_void_p, POINTER(ContextDesc), _HANDLE],
    "zeContextDestroy": [c_void_p],
    "zeModuleCreate": [c_void_p, c_void_p, POINTER(ModuleDesc), _HANDLE, _HANDLE],
    "zeModuleDestroy": [c_void_p],
    "zeModuleBuildLogGetString": [c_void_p, POINTER(c_size_t), c_char_p],
    "zeModuleBuildLogDestroy": [c_void_p],
    "zeKernelCreate": [c_void_p, POINTER(KernelDesc), _HANDLE],
    "zeKernelDestroy": [c_void_p],
    "zeKernelGetProperties": [c_void_p, POINTER(KernelProperties)],
    "zeKernelSetGroupSize": [c_void_p, c_uint32, c_uint32, c_uint32],
    "zeKernelSetArgumentValue": [c_void_p, c_uint32, c_size_t, c_void_p],
    "zeMemAllocShared": [
        c_void_p,
        POINTER(DeviceMemAllocDesc),
        POINTER(HostMemAllocDesc),
        c_size_t,
        c_size_t,
        c_void_p,
        _HANDLE,
    ],
    "zeMemFree": [c_void_p, c_void_p],
    "zeCommandListCreateImmediate": [c_void_p, c_void_p, POINTER(CommandQueueDesc), _HANDLE],
    "zeCommandListDestroy": [c_void_p],
    "zeCommandListAppendLaunchKernel": [
        c_void_p,
        c_void_p,
        POINTER(GroupCount),
        c_void_p,
        c_uint32,
        _HANDLE,
    ],
}


class LevelZero:
    """The loader library with typed functions that raise on failure."""

    def __init__(self) -> None:
        try:
            library = ctypes.CDLL(LOADER)
            self._functions = {name: getattr(library, name) for name in _FUNCTIONS}
        except (OSError, AttributeError) as error:
            raise DeviceError(
                f"Level Zero cannot be used: {error}",
                hint="native code needs Intel's GPU driver (libze1, libze-intel-gpu1)",
            ) from None
        for name, types in _FUNCTIONS.items():
            self._functions[name].argtypes = types
            self._functions[name].restype = c_int32

    def status(self, function: str, *arguments: Any) -> int:
        """Calls a function and returns its ze_result_t."""
        return int(self._functions[function](*arguments)) & 0xFFFFFFFF

    def call(self, function: str, *arguments: Any) -> None:
        """Calls a function.

        Raises:
            LevelZeroError: it did not return ZE_RESULT_SUCCESS.
        """
        code = self.status(function, *arguments)
        if code:
            raise LevelZeroError(function, code)

    def create(self, function: str, *arguments: Any) -> c_void_p:
        """Calls a function whose last parameter receives a handle, and returns the handle."""
        handle = c_void_p()
        self.call(function, *arguments, ctypes.byref(handle))
        return handle

    def list(self, function: str, *owner: Any) -> list[c_void_p]:
        """Calls a two-step enumeration (count, then handles)."""
        count = c_uint32()
        self.call(function, *owner, ctypes.byref(count), None)
        handles = (c_void_p * count.value)()
        self.call(function, *owner, ctypes.byref(count), ctypes.cast(handles, _HANDLE))
        return [c_void_p(handle) for handle in handles]
