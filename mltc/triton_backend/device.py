"""Which device kernels run on, and whether Triton should ask us at all.

Triton has one active driver for a process and takes it from whatever says that it is active.  We do
not compete: with a GPU of another back end in the machine we stay silent unless asked by name.
"""

from __future__ import annotations

import importlib
import os
from functools import cache
from typing import Any

from mltc.errors import UsageError

DEVICE = "MLTC_DEVICE"
ASK = "MLTC_TRITON"
#: Of Triton 3.9: the name of the back end to use.
TRITON_CHOICE = "TRITON_DEFAULT_BACKEND"
NAME = "mltc"
#: What kernels are built for.
TARGET = "pvc"
_chosen: list[str] = []


def current_device() -> str:
    """The device of the next launch: what :func:`set_device` or ``MLTC_DEVICE`` says.

    When neither does: a GPU of the target where there is one, else the CPU.
    """
    return _chosen[-1] if _chosen else os.environ.get(DEVICE) or _default_device()


@cache
def _default_device() -> str:
    from mltc.runtime.level_zero import find_gpu
    from mltc.runtime.module import DEFAULT_DEVICE
    from mltc.target import load_target

    return find_gpu(load_target(TARGET).product_config) or DEFAULT_DEVICE


def set_device(name: str | None) -> None:
    """Chooses the device of launches from now on; None returns to ``MLTC_DEVICE``.

    Raises:
        DeviceError: there is no such device.
    """
    if name is not None:
        open_device(name)
    _chosen[:] = [] if name is None else [name]


@cache
def open_device(name: str) -> Any:
    """The open device of that name, one for the whole process.

    Raises:
        DeviceError: there is no such device.
    """
    from mltc.runtime.module import make_backend

    return make_backend(name)


def wanted() -> bool | None:
    """Whether the user asked for us by name (or for another); None when nothing is said.

    Raises:
        UsageError: ``MLTC_TRITON`` is neither 0 nor 1.
    """
    asked = os.environ.get(ASK, "")
    if asked not in ("", "0", "1"):
        raise UsageError(f"{ASK}: expected 0 or 1, got '{asked}'")
    if asked:
        return asked == "1"
    choice = os.environ.get(TRITON_CHOICE)
    return choice == NAME if choice else None


def another_is_active() -> bool:
    """Whether some other back end of this Triton has a device."""
    found = importlib.import_module("triton.backends").backends
    return any(back.driver.is_active() for name, back in found.items() if name != NAME)


def activate() -> None:
    """Makes Triton launch through mltc from now on, whatever else is in the machine."""
    driver = importlib.import_module("mltc.triton_backend.driver")
    importlib.import_module("triton.runtime").driver.set_active(driver.MltcDriver())
