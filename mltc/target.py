"""Target descriptions: what a device can do, as data with its sources.

One JSON file per device (``lib/Target/data``) is read by the C++ passes and by this module.
The driver takes device names and register modes from it, the runtime the limits of 2-D block
access; no device constant stands in code.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mltc import resources
from mltc.errors import MltcError, did_you_mean

T = TypeVar("T")


class TargetError(MltcError):
    """No such target, or its description is malformed."""


class UnknownTargetError(TargetError):
    """There is no target of that name."""


class _Record(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True)


class Sourced(_Record, Generic[T]):
    """A value with the place it was taken from."""

    value: T
    source: str


class GrfMode(_Record):
    """A register mode: registers per thread, and warps a work-group may then have."""

    registers: int = Field(gt=0)
    max_warps: int = Field(gt=0)


class Grf(_Record):
    """The register file."""

    register_bytes: int
    modes: tuple[GrfMode, ...] = Field(min_length=1)
    reserved_permille_simt: Sourced[int]
    reserved_permille_simd: Sourced[int]
    reserved_permille_early: Sourced[int]
    source: str


class Issue(_Record):
    """What a vector engine's ports take per cycle."""

    register_bytes_per_cycle: int = Field(ge=1)
    math_lanes: int = Field(ge=1)
    source: str


class Block1DLimits(_Record):
    """Where a 1-D block access may begin."""

    load_alignment_bytes: int = Field(ge=1)
    store_alignment_bytes: int = Field(ge=1)
    source: str


class Block2DLimits(_Record):
    """What a 2-D block access demands of the matrix it is told about."""

    base_alignment_bytes: int = Field(ge=1)
    min_width_bytes: int = Field(ge=1)
    width_multiple_bytes: int = Field(ge=1)
    min_pitch_bytes: int = Field(ge=1)
    pitch_multiple_bytes: int = Field(ge=1)
    max_extent_log2: int = Field(ge=1, le=63)
    source: str


class Dot(_Record):
    """Matrix instructions: m x k times k x n, k being so many 32-bit words of a row."""

    n: int = Field(ge=1)
    m: tuple[int, ...] = Field(min_length=1)
    depth_dwords: int = Field(ge=1)
    source: str

    def depth(self, bits: int) -> int:
        """k for operands with elements of so many bits."""
        return self.depth_dwords * 32 // bits


class Target(_Record):
    """One device; sizes in bytes."""

    name: str
    description: str = ""
    ocloc_device: str
    iga_platform: str
    product_config: str = Field(pattern=r"^\d+\.\d+\.\d+$")
    gfx_core: Sourced[int] | None = None
    sub_group_size: Sourced[int]
    slm_bytes: Sourced[int]
    max_work_group_size: Sourced[int]
    grf: Grf
    dot: Dot
    block_1d: Block1DLimits
    block_2d: Block2DLimits
    issue: Issue
    sources: dict[str, str] = Field(default_factory=dict)

    @property
    def product(self) -> tuple[int, int]:
        """(architecture, release) of the product configuration; the revision may differ."""
        architecture, release, _ = self.product_config.split(".")
        return int(architecture), int(release)

    def max_warps(self, registers: int) -> int:
        """Warps a work-group may have with this many registers per thread.

        Raises:
            TargetError: the device has no such mode.
        """
        for mode in self.grf.modes:
            if mode.registers == registers:
                return mode.max_warps
        modes = ", ".join(str(mode.registers) for mode in self.grf.modes)
        raise TargetError(f"target '{self.name}' has register modes {modes}, not {registers}")


def target_names() -> list[str]:
    """Names of all described targets, sorted."""
    return list(resources.data_files("targets", ".json"))


def target_data(name: str) -> dict[str, Any]:
    """The raw description of a target.

    Raises:
        TargetError: unknown name, or not a JSON object.
    """
    files = resources.data_files("targets", ".json")
    if name not in files:
        known = ", ".join(files) or "none"
        raise UnknownTargetError(
            f"unknown target '{name}'{did_you_mean(name, files)} (known: {known})"
        )
    try:
        data = json.loads(files[name].read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise TargetError(f"{files[name]}: {error}") from None
    if not isinstance(data, dict):
        raise TargetError(f"{files[name]}: expected an object, got {type(data).__name__}")
    return data


@cache
def load_target(name: str) -> Target:
    """Reads and validates the description of a target.

    Raises:
        TargetError: unknown name or malformed description.
    """
    try:
        return Target.model_validate(target_data(name))
    except ValidationError as error:
        problem = error.errors()[0]
        where = ".".join(str(part) for part in problem["loc"])
        raise TargetError(f"description of target '{name}': {where}: {problem['msg']}") from None
