"""What a build was asked to do, checked for sense before anything runs."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from mltc.driver.session import file_name
from mltc.errors import UsageError, did_you_mean
from mltc.pipeline.model import Choices
from mltc.pipeline.stages import ALL_STAGES, IR_STAGES, stage_index
from mltc.target import Target

DEFAULT_TIMEOUT = 300.0
_SUFFIX_STAGES = {
    ".ttir": "ttir", ".ttgir": "ttgir", ".warp": "warp", ".intrinsic": "intrinsic", ".llir": "llir",
    ".portable": "portable", ".spv": "spv", ".zebin": "zebin",
}  # fmt: skip


def _split_stage(path: str) -> tuple[str, str | None]:
    """The name of a file without what says the stage of its contents, and that stage."""
    name = Path(path).name.removesuffix(".mlir")
    root, suffix = os.path.splitext(name)
    stage = _SUFFIX_STAGES.get(suffix)
    if stage is None:
        return name, "ttir" if path.endswith(".mlir") else None
    if stage == "spv" and root.endswith(".portable"):
        return root.removesuffix(".portable"), "portable"
    return root, stage


@dataclass(frozen=True)
class BuildRequest:
    """A build.

    Attributes:
        input: path of the input, ``-`` for standard input; only a name with ``source``.
        output: path of the result, ``-`` for standard output; None writes no file.
        num_warps: warps per work-group; None lets the compiler decide.
        prefetch_distance: iterations from the prefetch of a block to its load, 0 for no
            prefetch; None lets the compiler decide.
        versions: which kernels get a version for launches that block messages do not serve:
            ``always``, ``raised`` or ``never``; ``auto`` lets the compiler decide.
        checked: whether the portable code refuses block messages that the hardware would.
        grf: ``"auto"``, or registers per thread.
        target: name of the target.
        pipeline: name or file of the pipeline; None takes the target's SIMT pipeline.
        from_stage: stage of the input; None tells it from the file name.
        to_stage: stage to stop after.
        portable: whether the package gets portable SPIR-V.
        native: whether the package gets a binary for the target; without one no ocloc is needed.
        max_spill: bytes a kernel may spill; None accepts any amount.
        timeout: seconds each tool may take.
        save_temps: directory that keeps all intermediate files; None keeps them on failure.
        bundle_dir: directory in which the files of a failed build are kept.
        remarks: print the reasons of the compiler's decisions on standard error.
        force: write binary data to a terminal.
        source: the input itself, where it does not come from a file.
    """

    input: str
    output: str | None
    num_warps: int | None = None
    prefetch_distance: int | None = None
    versions: str = "auto"
    checked: bool = False
    grf: int | str = "auto"
    target: str = "pvc"
    pipeline: str | None = None
    from_stage: str | None = None
    to_stage: str = "zebin"
    portable: bool = True
    native: bool = True
    max_spill: int | None = None
    timeout: float = DEFAULT_TIMEOUT
    save_temps: Path | None = None
    bundle_dir: Path | None = None
    force: bool = False
    remarks: bool = False
    source: bytes | None = None

    @property
    def choices(self) -> Choices:
        """What the passes are told."""
        versions = None if self.versions == "auto" else self.versions
        return Choices(self.num_warps, self.prefetch_distance, versions, self.checked or None)

    @property
    def stem(self) -> str:
        """Base name for intermediate files: the input's name without stage suffixes."""
        name, _ = _split_stage("stdin" if self.input == "-" else self.input)
        return file_name(name) or "kernel"

    @property
    def pipeline_name(self) -> str:
        """Name or file of the pipeline to use."""
        return self.pipeline or f"{self.target}-simt"


def check_stage(name: str, option: str) -> str:
    """Refuses an unknown stage name.

    Raises:
        UsageError: with a suggestion.
    """
    if name not in ALL_STAGES:
        known = ", ".join(ALL_STAGES)
        raise UsageError(
            f"{option}: unknown stage '{name}'{did_you_mean(name, ALL_STAGES)} (stages: {known})"
        )
    return name


def input_stage(request: BuildRequest) -> str:
    """The stage the input is a dump of.

    Raises:
        UsageError: the name does not tell and ``--from`` was not given, or ``--to`` is an
            earlier stage.
    """
    if request.from_stage is not None:
        stage = check_stage(request.from_stage, "--from")
    elif request.input == "-":
        stage = "ttir"
    else:
        _, found = _split_stage(request.input)
        if found is None:
            known = ", ".join(_SUFFIX_STAGES)
            raise UsageError(
                f"cannot tell the stage of '{request.input}' from its name (known: {known}, .mlir)",
                hint="use --from STAGE",
            )
        stage = found
    to_stage = check_stage(request.to_stage, "--to")
    if stage_index(to_stage) < stage_index(stage):
        raise UsageError(f"--to {to_stage} is before the input's stage {stage}")
    if (stage, to_stage) == ("spv", "portable"):
        raise UsageError(
            "--to portable: native SPIR-V has left the way to portable code",
            hint="begin at stage llir or before",
        )
    return stage


def check_options(request: BuildRequest, stage: str) -> None:
    """Refuses options that decide nothing any more at the input's stage.

    Raises:
        UsageError: with the stage at which they would.
    """
    passes = {
        "--num-warps": request.num_warps is not None,
        "--prefetch-distance": request.prefetch_distance is not None,
        "--versions": request.versions != "auto",
        "--checked": request.checked,
        "--remarks": request.remarks,
    }
    packaging = {
        "--grf": request.grf != "auto",
        "--pipeline": request.pipeline is not None,
        "--no-portable": not request.portable,
    }
    late = {} if stage in IR_STAGES else passes
    late |= packaging if stage == "zebin" else {}
    given = [name for name, is_given in late.items() if is_given]
    if given:
        raise UsageError(
            f"{', '.join(given)}: an input of stage {stage} is past that decision",
            hint="begin at an earlier stage",
        )


def check_contents(request: BuildRequest, stage: str) -> None:
    """Refuses a package without any code, and native input for one without native code.

    Raises:
        UsageError: with what to leave out.
    """
    if request.native:
        return
    if not request.portable:
        raise UsageError("--no-native with --no-portable leaves a package without code")
    if stage in ("spv", "zebin"):
        raise UsageError(
            f"--no-native: an input of stage {stage} has no portable code",
            hint="begin at an earlier stage, or at portable",
        )


def check_warps_and_grf(request: BuildRequest, target: Target) -> None:
    """Refuses warp counts and register modes the target does not have.

    Raises:
        UsageError: with the arithmetic.
    """
    warps, modes = request.num_warps, target.grf.modes
    most = max(mode.max_warps for mode in modes)
    if warps is not None and (not 1 <= warps <= most or warps & (warps - 1)):
        raise UsageError(f"--num-warps: expected a power of two from 1 to {most}, got {warps}")
    if isinstance(request.grf, int):
        names = ", ".join(str(mode.registers) for mode in modes)
        if all(mode.registers != request.grf for mode in modes):
            raise UsageError(
                f"--grf: target {target.name} has register modes {names}, not {request.grf}"
            )
        check_grf_for_warps(request.grf, warps, target)


def _fitting_mode(warps: int, target: Target) -> str:
    modes = [mode.registers for mode in target.grf.modes if mode.max_warps >= warps]
    return f"--grf {max(modes)} or " if modes else ""


def check_grf_for_warps(registers: int, warps: int | None, target: Target) -> None:
    """Refuses a register mode in which a work-group cannot have that many warps.

    Raises:
        UsageError: with the arithmetic.
    """
    limit = target.max_warps(registers)
    if warps is not None and warps > limit:
        raise UsageError(
            f"{warps} warps per work-group do not fit with {registers} registers per thread: "
            f"target {target.name} then has {limit} threads per core",
            hint=_fitting_mode(warps, target) + f"at most {limit} warps",
        )
