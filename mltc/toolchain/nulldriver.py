"""Intel's real Level Zero driver on a machine that has no Intel GPU.

The driver has a mode in which it writes its command streams nowhere. It then
comes up as the product it is told to be: devices, queues, USM, module loading
and kernel launches go through the real front end with its real checks, while
nothing executes and data stays zero. That is how loading and argument checks
are tested anywhere.

The driver is the one in a toolchain prefix and needs that prefix's C library,
so Python itself must be started through the prefix's dynamic loader.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mltc.toolchain import prefix as layout
from mltc.toolchain.find import find_prefix_with

DRIVER = layout.LIB_DIR / "libze_intel_gpu.so.1"
_WHAT = "the Level Zero driver"


@dataclass(frozen=True)
class NullDevice:
    """A product the driver can pretend to be.

    Attributes:
        shape: slices x subslices x EUs per subslice, as the driver wants it.
        extra: debug keys that this product needs besides.
    """

    shape: str
    extra: dict[str, str] = field(default_factory=dict)


#: One tile of a Max 1550; a B580, whose special heap the mode cannot reserve.
NULL_DEVICES = {
    "pvc": NullDevice("8x8x8"),
    "bmg": NullDevice("5x4x8", {"UseExternalAllocatorForSshAndDsh": "0"}),
}


def env_in(prefix: Path, device: str) -> dict[str, str]:
    """As `null_driver_env`, for the driver of a given prefix."""
    if device not in NULL_DEVICES:
        known = ", ".join(sorted(NULL_DEVICES))
        raise ValueError(f"expected one of {known}, got '{device}'")
    settings = {
        "NEOReadDebugKeys": "1",
        "SetCommandStreamReceiver": "1",  # command streams to a file ...
        "UseAubStream": "0",  # ... that is never written
        "ProductFamilyOverride": device,
        "HardwareInfoOverride": NULL_DEVICES[device].shape,
        **NULL_DEVICES[device].extra,
        # The loader searches the system's directories only.
        "ZE_ENABLE_ALT_DRIVERS": str(prefix / DRIVER),
        # dpctl: nothing but this driver in the process, through the adapter
        # that asks for no residency calls, which the mode does not have.
        "ONEAPI_DEVICE_SELECTOR": "level_zero:gpu",
        "SYCL_UR_USE_LEVEL_ZERO_V2": "0",
    }
    return {**os.environ, **settings}


def argv_in(prefix: Path, python_args: Sequence[str], python: str | None = None) -> list[str]:
    """As `null_driver_argv`, for the driver of a given prefix."""
    interpreter = Path(python or sys.executable).absolute()
    env_lib = interpreter.parent.parent / "lib"
    return [*layout.loader_argv(prefix, [env_lib]), str(interpreter), *python_args]


def null_driver_env(device: str = "pvc") -> dict[str, str]:
    """The environment in which dpctl and Level Zero see `device` and no other.

    It is this process's environment with the driver's settings added, ready
    for `subprocess.run(null_driver_argv([...]), env=null_driver_env())`.

    Raises:
        ValueError: `device` is not one of `NULL_DEVICES`.
        ToolNotFoundError: no toolchain prefix holds the driver.
    """
    return env_in(find_prefix_with(DRIVER, _WHAT), device)


def null_driver_argv(python_args: Sequence[str], python: str | None = None) -> list[str]:
    """The command that runs Python with `python_args` under the driver.

    Args:
        python: the interpreter; the running one by default, whose environment's
            `lib/` (dpctl's SYCL runtime) is searched for libraries too.

    Raises:
        ToolNotFoundError: no toolchain prefix holds the driver.
    """
    return argv_in(find_prefix_with(DRIVER, _WHAT), python_args, python)
