"""``mltc build``."""

from __future__ import annotations

from pathlib import Path

import click

from mltc.cli.output import print_note, print_verbose
from mltc.driver import BuildRequest
from mltc.driver import build as run_build
from mltc.driver.request import DEFAULT_TIMEOUT
from mltc.driver.session import silent
from mltc.pipeline.stages import ALL_STAGES


class AutoOrInt(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.2 on
    """An integer, or the word auto."""

    name = "auto|N"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | str:
        """Reads the word auto or a number."""
        if value == "auto" or isinstance(value, int):
            return value
        try:
            return int(str(value))
        except ValueError:
            self.fail(f"expected 'auto' or a number, got '{value}'", param, ctx)


_STAGES = ", ".join(ALL_STAGES)


@click.command()
@click.argument("input", metavar="INPUT")
@click.option("-o", "--output", required=True, metavar="FILE", help="Result; - is standard output.")
@click.option(
    "--num-warps",
    type=AutoOrInt(),
    default="auto",
    show_default=True,
    help="Warps per work-group, a power of two.",
)
@click.option(
    "--grf",
    type=AutoOrInt(),
    default="auto",
    show_default=True,
    help="Registers per thread: auto, 128 or 256.",
)
@click.option("--target", default="pvc", show_default=True, help="Device; see 'mltc targets'.")
@click.option(
    "--pipeline", metavar="NAME|FILE", help="Pass pipeline; the default is <target>-simt."
)
@click.option("--from", "from_stage", metavar="STAGE", help=f"Stage of INPUT: {_STAGES}.")
@click.option(
    "--to",
    "to_stage",
    metavar="STAGE",
    default="zebin",
    show_default=True,
    help="Stop after this stage and write its result.",
)
@click.option(
    "--portable/--no-portable",
    default=True,
    show_default=True,
    help="Put SPIR-V for other devices (the CPU) into the package.",
)
@click.option(
    "--max-spill",
    type=click.IntRange(min=0),
    metavar="BYTES",
    help="Refuse kernels that spill more than this.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=DEFAULT_TIMEOUT,
    show_default=True,
    metavar="SECONDS",
    help="Time each tool may take.",
)
@click.option(
    "--save-temps",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Keep all intermediate files there; each can be built from again.",
)
@click.option(
    "--bundle-dir",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Where the files of a failed build are kept (default: the temporary directory).",
)
@click.option("-f", "--force", is_flag=True, help="Write binary data to a terminal.")
@click.option("--remarks", is_flag=True, help="Say why the compiler decided as it did, one line each.")
@click.option("-v", "--verbose", is_flag=True, help="Show commands, times and decisions.")
def build(
    input: str, output: str, num_warps: int | str, grf: int | str, target: str,
    pipeline: str | None, from_stage: str | None, to_stage: str, portable: bool,
    max_spill: int | None, timeout: float,
    save_temps: Path | None, bundle_dir: Path | None, force: bool,
    remarks: bool, verbose: bool,
) -> None:  # fmt: skip
    """Compile a kernel from Triton IR to a package.

    INPUT is Triton IR as printed by Triton (.ttir), or what an earlier build wrote for any
    stage; - is standard input.

    \b
    Stages: ttir, ttgir, warp, intrinsic, llir, spv, portable, zebin.
    A build that fails leaves OUTPUT alone and keeps everything about it in one directory.
    """
    request = BuildRequest(
        input=input,
        output=output,
        num_warps=num_warps if isinstance(num_warps, int) else None,
        grf=grf,
        target=target,
        pipeline=pipeline,
        from_stage=from_stage,
        to_stage=to_stage,
        portable=portable,
        max_spill=max_spill,
        timeout=timeout,
        save_temps=save_temps,
        bundle_dir=bundle_dir,
        force=force,
        remarks=remarks,
    )
    result = run_build(request, print_verbose if verbose else silent)
    for note in result.notes:
        print_note(note)
