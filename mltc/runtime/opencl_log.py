"""The build log of a SPIR-V module, asked from OpenCL directly.

dpctl reports a failed build without the log, and the log is all a user needs.  So after a
failure, and only then, the module is built once more through the OpenCL API of the CPU
runtime.
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Any

CL_DEVICE_TYPE_CPU = 2
CL_PROGRAM_BUILD_LOG = 0x1183
MAX_LOG_BYTES = 1024 * 1024


class _OpenCL:
    """The eight functions that are needed, with their types."""

    def __init__(self, path: Path) -> None:
        self.lib = ctypes.CDLL(str(path))
        pointer, uint, size = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_size_t
        self._declare("clGetPlatformIDs", ctypes.c_int, uint, pointer, pointer)
        self._declare(
            "clGetDeviceIDs", ctypes.c_int, pointer, ctypes.c_uint64, uint, pointer, pointer
        )
        self._declare("clCreateContext", pointer, pointer, uint, pointer, pointer, pointer, pointer)
        self._declare("clCreateProgramWithIL", pointer, pointer, pointer, size, pointer)
        self._declare(
            "clBuildProgram", ctypes.c_int, pointer, uint, pointer, pointer, pointer, pointer
        )
        self._declare(
            "clGetProgramBuildInfo", ctypes.c_int, pointer, pointer, uint, size, pointer, pointer
        )
        self._declare("clReleaseProgram", ctypes.c_int, pointer)
        self._declare("clReleaseContext", ctypes.c_int, pointer)

    def _declare(self, name: str, result: type, *arguments: type) -> None:
        function = getattr(self.lib, name)
        function.restype, function.argtypes = result, list(arguments)
        setattr(self, name.removeprefix("cl"), function)

    def __getattr__(self, name: str) -> Any:  # the functions set by _declare
        raise AttributeError(name)


def _cpu_device(cl: _OpenCL) -> ctypes.c_void_p | None:
    platform, device = ctypes.c_void_p(), ctypes.c_void_p()
    if cl.GetPlatformIDs(1, ctypes.byref(platform), None):
        return None
    if cl.GetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, ctypes.byref(device), None):
        return None
    return device


def _read_log(cl: _OpenCL, program: int, device: ctypes.c_void_p) -> str:
    needed = ctypes.c_size_t()
    query = (program, device, CL_PROGRAM_BUILD_LOG)
    if cl.GetProgramBuildInfo(*query, 0, None, ctypes.byref(needed)):
        return ""
    if not 0 < needed.value <= MAX_LOG_BYTES:
        return ""
    text = ctypes.create_string_buffer(needed.value)
    if cl.GetProgramBuildInfo(*query, needed.value, text, None):
        return ""
    return text.value.decode("utf-8", "replace")


def cpu_build_log(spirv: bytes) -> str:
    """Builds a module on the CPU device and returns the log; empty when there is none."""
    names = os.environ.get("OCL_ICD_FILENAMES", "").split(os.pathsep)
    library = next((Path(name) for name in names if "intelocl" in name), None)
    if library is None or not library.is_file():
        return ""
    try:
        cl = _OpenCL(library)
    except (OSError, AttributeError):
        return ""
    device = _cpu_device(cl)
    if device is None:
        return ""
    error = ctypes.c_int()
    context = cl.CreateContext(None, 1, ctypes.byref(device), None, None, ctypes.byref(error))
    if not context:
        return ""
    try:
        program = cl.CreateProgramWithIL(context, spirv, len(spirv), ctypes.byref(error))
        if not program:
            return f"clCreateProgramWithIL failed with {error.value}"
        cl.BuildProgram(program, 1, ctypes.byref(device), b"", None, None)
        log = _read_log(cl, program, device)
        cl.ReleaseProgram(program)
        return log
    finally:
        cl.ReleaseContext(context)
