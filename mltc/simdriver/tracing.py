"""The tracing layer of the Level Zero loader, through ctypes.

A callback gets a pointer to an array of pointers, one to each parameter of the traced
function in its order, and the result.  :data:`FUNCTIONS` gives the parameters' types, so that
callbacks of this module get Python values.  Names and order are those of ``ze_api.h`` 1.x.
"""

from __future__ import annotations

import ctypes
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from ctypes import c_int32, c_size_t, c_uint32, c_void_p
from typing import Any, ClassVar, NoReturn

from mltc.errors import MltcError
from mltc.runtime.level_zero_api import LOADER, RESULTS
from mltc.simulator.memory import remove_folders

#: Handles and pointers are read as integers; None is a null pointer.
_P, _U32, _SIZE = c_void_p, c_uint32, c_size_t

_COPY_TAIL = [_P, _U32, _P]  # signalled event, number of awaited events, awaited events

#: Parameter types of every traced function, by its name without the prefix ``ze``.
FUNCTIONS: dict[str, Sequence[Any]] = {
    "ModuleCreate": [_P, _P, _P, _P, _P],
    "ModuleDestroy": [_P],
    "KernelCreate": [_P, _P, _P],
    "KernelDestroy": [_P],
    "KernelSetArgumentValue": [_P, _U32, _SIZE, _P],
    "KernelSetGroupSize": [_P, _U32, _U32, _U32],
    "MemAllocShared": [_P, _P, _P, _SIZE, _SIZE, _P, _P],
    "MemAllocDevice": [_P, _P, _SIZE, _SIZE, _P, _P],
    "MemAllocHost": [_P, _P, _SIZE, _SIZE, _P],
    "MemFree": [_P, _P],
    "MemFreeExt": [_P, _P, _P],
    "CommandListCreateImmediate": [_P, _P, _P, _P],
    "CommandListReset": [_P],
    "CommandListDestroy": [_P],
    "CommandQueueExecuteCommandLists": [_P, _U32, _P, _P],
    "CommandListAppendLaunchKernel": [_P, _P, _P, *_COPY_TAIL],
    "CommandListAppendLaunchCooperativeKernel": [_P, _P, _P, *_COPY_TAIL],
    "CommandListAppendMemoryCopy": [_P, _P, _P, _SIZE, *_COPY_TAIL],
    "CommandListAppendMemoryFill": [_P, _P, _P, _SIZE, _SIZE, *_COPY_TAIL],
}

#: Functions that submit work this package does not do: calling one ends the program.
UNSUPPORTED = (
    "CommandListAppendLaunchKernelIndirect",
    "CommandListAppendLaunchMultipleKernelsIndirect",
    "CommandListAppendLaunchKernelWithArguments",
    "CommandListAppendLaunchKernelWithParameters",
    "CommandListAppendMemoryCopyRegion",
    "CommandListAppendMemoryCopyFromContext",
    "CommandListAppendMemoryCopyWithParameters",
    "CommandListAppendMemoryFillWithParameters",
    "CommandListAppendHostFunction",
    "CommandListAppendImageCopy",
    "CommandListAppendImageCopyRegion",
    "CommandListAppendImageCopyToMemory",
    "CommandListAppendImageCopyFromMemory",
    "CommandListImmediateAppendCommandListsExp",
)

_EPILOGUE = 1
_TRACER_DESC = 0x1

_Callback = ctypes.CFUNCTYPE(None, ctypes.POINTER(c_void_p), c_int32, c_void_p, c_void_p)


class _TracerDesc(ctypes.Structure):
    """zel_tracer_desc_t."""

    _fields_: ClassVar[Any] = [
        ("stype", c_uint32),
        ("pNext", c_void_p),
        ("pUserData", c_void_p),
    ]


class TracingError(MltcError):
    """The loader offers no tracing, or no driver is there to trace."""


class Tracer:
    """Calls of this process to Level Zero, after they have succeeded.

    Raises:
        TracingError: no loader, no driver, or a loader without tracing.
    """

    def __init__(self) -> None:
        try:
            self.library = ctypes.CDLL(LOADER)
            # The layer needs an initialised driver.
            self._check("zeInit", c_uint32(0))
            desc = _TracerDesc(stype=_TRACER_DESC)
            self._handle = c_void_p()
            self._check("zelTracerCreate", ctypes.byref(desc), ctypes.byref(self._handle))
        except (OSError, AttributeError) as error:
            raise TracingError(f"Level Zero calls cannot be traced: {error}") from None
        self._callbacks: list[Any] = []  # the loader holds only their addresses

    def _check(self, function: str, *arguments: Any) -> None:
        code = int(getattr(self.library, function)(*arguments)) & 0xFFFFFFFF
        if code:
            name = RESULTS.get(code, hex(code))
            raise TracingError(f"Level Zero calls cannot be traced: {function} failed: {name}")

    def on(self, function: str, action: Callable[..., None]) -> None:
        """Runs ``action(*parameters)`` after each successful call of ``ze<function>``."""
        types = FUNCTIONS.get(function, ())

        def traced(parameters: Any, result: int, _user: Any, _instance: Any) -> None:
            if result:
                return
            values = [
                ctypes.cast(parameters[index], ctypes.POINTER(kind)).contents.value
                for index, kind in enumerate(types)
            ]
            try:
                action(*values)
            except BaseException as error:
                stop(f"ze{function}: ", error)

        callback = _Callback(traced)
        self._callbacks.append(callback)
        register = f"zelTracer{function}RegisterCallback"
        if hasattr(self.library, register):  # absent: the loader is older than the function
            self._check(register, self._handle, c_int32(_EPILOGUE), callback)

    def start(self) -> None:
        """Begins to call the actions."""
        self._check("zelTracerSetEnabled", self._handle, c_int32(1))

    def native_binary(self, module: int) -> bytes:
        """The device binary of a module, whatever it was made from."""
        size = c_size_t()
        handle = c_void_p(module)
        self._check("zeModuleGetNativeBinary", handle, ctypes.byref(size), None)
        buffer = ctypes.create_string_buffer(size.value)
        self._check("zeModuleGetNativeBinary", handle, ctypes.byref(size), buffer)
        return buffer.raw


def stop(where: str, error: BaseException) -> NoReturn:
    """Ends the process: a device that has failed would not give results either.

    An exception cannot leave a callback, and the traced function has already returned
    success, so there is no other way to keep the program from reading wrong data.  Nothing
    that Python would run at its end runs then, so files in memory are removed here.
    """
    remove_folders()
    sys.stdout.flush()
    if isinstance(error, MltcError):
        print(f"error: {where}{error}", file=sys.stderr)
    else:
        traceback.print_exception(error)
    sys.stderr.flush()
    os._exit(EXIT_CODE)


#: Exit code of a program whose work could not be simulated.
EXIT_CODE = 70


def handle_at(pointer: int) -> int:
    """The handle that a function stored through ``pointer``."""
    return int(c_void_p.from_address(pointer).value or 0)
