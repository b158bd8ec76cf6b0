"""Running packages: :func:`load` a package, then ``module.kernels[name].launch(grid, ...)``."""

from mltc.runtime.errors import (
    ArgumentError,
    DeviceError,
    ModuleBuildError,
    PreconditionError,
    RuntimeFailure,
)
from mltc.runtime.module import LaunchResult, LoadedKernel, Module, load

__all__ = [
    "ArgumentError",
    "DeviceError",
    "LaunchResult",
    "LoadedKernel",
    "Module",
    "ModuleBuildError",
    "PreconditionError",
    "RuntimeFailure",
    "load",
]
