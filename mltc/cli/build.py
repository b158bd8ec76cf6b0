"""``mltc build``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mltc.cli.output import print_note, print_verbose
from mltc.driver import BuildRequest, BuildResult
from mltc.driver import build as run_build
from mltc.driver.request import DEFAULT_TIMEOUT
from mltc.driver.session import silent
from mltc.errors import UsageError
from mltc.frontend import Variant, build_variants, load_kernel, parse_constants, split_reference
from mltc.frontend.spec import SPEC_SUFFIXES, Spec, read_spec
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
    "--prefetch-distance",
    type=click.IntRange(min=0, max=32),
    metavar="N",
    help="Iterations of a loop from the prefetch of a block to its load; 0 is no prefetch.",
)
@click.option(
    "--versions",
    type=click.Choice(["auto", "always", "raised", "never"]),
    default="auto",
    show_default=True,
    help="Kernels with a second version for launches that 2-D block messages do not serve; "
    "without one such launches are refused. raised: those written with pointers; auto: always, "
    "and raised where the version would spill registers.",
)
@click.option(
    "--checked",
    is_flag=True,
    help="Portable code that refuses block messages that the hardware would not do.",
)
@click.option(
    "--grf",
    type=AutoOrInt(),
    default="auto",
    show_default=True,
    help="Registers per thread: auto, 128 or 256.",
)
@click.option(
    "--signature",
    metavar="TYPES",
    help="Of a kernel in Python: types of its arguments, '*fp16:16, i32, name=fp32'.",
)
@click.option(
    "--constexpr",
    multiple=True,
    metavar="NAME=VALUE,...",
    help="Of a kernel in Python: values of constants. Given again: one more variant.",
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
    "--native/--no-native",
    default=True,
    show_default=True,
    help="Put code for the target into the package; without it no ocloc runs.",
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
@click.option(
    "--remarks", is_flag=True, help="Say why the compiler decided as it did, one line each."
)
@click.option("-v", "--verbose", is_flag=True, help="Show commands, times and decisions.")
def build(
    input: str, output: str, num_warps: int | str, prefetch_distance: int | None,
    versions: str, checked: bool, grf: int | str,
    signature: str | None, constexpr: tuple[str, ...], target: str,
    pipeline: str | None, from_stage: str | None, to_stage: str, portable: bool,
    native: bool, max_spill: int | None, timeout: float,
    save_temps: Path | None, bundle_dir: Path | None, force: bool,
    remarks: bool, verbose: bool,
) -> None:  # fmt: skip
    """Compile a kernel from Triton IR, or from Python, to a package.

    INPUT is Triton IR as printed by Triton (.ttir), or what an earlier build wrote for any
    stage; - is standard input.

    \b
    INPUT may also be a kernel of a Python file, or a spec that 'mltc init' wrote:
      mltc build kernel.py::name -o kernel.zebin --num-warps 32 \\
        --signature "*fp16:16, *fp16:16, *fp32:16, i32:16" --constexpr BM=256,BN=256
      mltc build kernel.yaml -o 'kernel-{BM}x{BN}.zebin'
    The Python file is imported: its code runs. With several variants, -o names each by its
    constants. The stock triton package is needed: pip install 'mltc[triton]'.

    \b
    Stages: ttir, ttgir, warp, intrinsic, llir, spv, portable, zebin.
    A build that fails leaves OUTPUT alone and keeps everything about it in one directory.
    """
    warps = num_warps if isinstance(num_warps, int) else None
    options: dict[str, Any] = {
        "grf": grf, "target": target, "pipeline": pipeline, "to_stage": to_stage,
        "portable": portable, "native": native, "max_spill": max_spill, "timeout": timeout,
        "save_temps": save_temps, "bundle_dir": bundle_dir, "force": force,
        "remarks": remarks, "prefetch_distance": prefetch_distance, "versions": versions,
        "checked": checked,
    }  # fmt: skip
    report = print_verbose if verbose else silent
    spec = _spec(input, signature, constexpr, warps)
    results: list[BuildResult]
    if spec is None:
        request = BuildRequest(
            input=input, output=output, num_warps=warps, from_stage=from_stage, **options
        )
        results = [run_build(request, report)]
    else:
        if from_stage is not None:
            raise UsageError("--from: a kernel in Python is no stage of a build")
        kernel = load_kernel(spec.file, spec.name)
        results = build_variants(
            kernel, spec.signature, spec.variants, output, report=report, **options
        )
    for note in dict.fromkeys(note for result in results for note in result.notes):
        print_note(note)


def _spec(
    input: str, signature: str | None, constexpr: tuple[str, ...], warps: int | None
) -> Spec | None:
    """What to build from Python; None when INPUT is no kernel in Python."""
    reference = split_reference(input)
    if reference is not None:
        variants = [Variant(parse_constants(text), warps) for text in constexpr or ("",)]
        return Spec(*reference, signature or "", tuple(variants))
    for option, value in (("--signature", signature), ("--constexpr", constexpr)):
        if value:
            raise UsageError(
                f"{option} is for a kernel in Python, INPUT is '{input}'",
                hint="name a kernel: file.py::name",
            )
    if input.endswith(".py"):
        raise UsageError(f"'{input}' names no kernel", hint=f"write {input}::NAME")
    return read_spec(Path(input), warps) if input.endswith(SPEC_SUFFIXES) else None
