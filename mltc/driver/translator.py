"""Options of ``llvm-spirv`` per consumer of the SPIR-V, read from a data file."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mltc import resources, yamlsafe
from mltc.errors import MltcError

FILE = "spirv_extensions.yaml"


class ConsumerOptions(BaseModel):
    """What one consumer accepts."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    max_version: str = Field(pattern=r"^1\.[0-9]$")
    allow_unknown_intrinsics: str | None = None
    extensions: tuple[str, ...]

    def arguments(self) -> list[str]:
        """Command line options of llvm-spirv."""
        options = [f"--spirv-max-version={self.max_version}"]
        options.append("--spirv-ext=" + ",".join(f"+{name}" for name in self.extensions))
        if self.allow_unknown_intrinsics:
            options.append(f"--spirv-allow-unknown-intrinsics={self.allow_unknown_intrinsics}")
        return options


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    version: Literal[1]
    consumers: dict[str, ConsumerOptions]


@lru_cache(maxsize=1)
def _read() -> _File:
    path = resources.data_directory(FILE)
    try:
        return _File.model_validate(yamlsafe.parse(path.read_bytes(), str(path)).data)
    except (OSError, ValidationError) as error:
        raise MltcError(f"{path}: {error}") from None


def translator_arguments(consumer: str) -> list[str]:
    """Options of llvm-spirv for ``ocloc-22.43``, ``ocloc-current`` or ``opencl-cpu``."""
    return _read().consumers[consumer].arguments()
