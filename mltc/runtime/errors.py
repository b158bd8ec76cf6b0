"""Errors of loading and launching."""

from __future__ import annotations

from mltc.errors import MltcError


class RuntimeFailure(MltcError):
    """Base of everything the runtime raises."""


class DeviceError(RuntimeFailure):
    """No device of the wanted kind, or the driver failed."""


class ModuleBuildError(RuntimeFailure):
    """The device's compiler or loader refused the module; ``log`` is what it said."""

    def __init__(self, message: str, log: str = "", *, hint: str | None = None) -> None:
        full = message if not log.strip() else f"{message}\n--- build log ---\n{log.strip()}"
        super().__init__(full, hint=hint)
        self.log = log


class ArgumentError(RuntimeFailure):
    """Wrong number, kind, type or value of launch arguments, or a wrong grid."""


class PreconditionError(RuntimeFailure):
    """The arguments break something the kernel was compiled to rely on."""
