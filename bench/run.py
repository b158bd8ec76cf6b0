"""Measures what the compiler makes of kernels: instruction counts and compile times.

    python bench/run.py [FILE.ttir ...] [--corpus DIR] [--against DIR] [--json]

Without files, the examples and test inputs of this repository are measured, and the corpus
in $MLTC_CORPUS where that is set.  See docs/bench.md.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from mltc.cli.output import table
from mltc.driver import BuildRequest, BuildResult, build
from mltc.errors import MltcError
from mltc.package import isa
from mltc.package.container import read_bytes
from mltc.package.zebin import read_zebin
from mltc.pipeline.stages import IR_STAGES
from mltc.target import Target, load_target

ROOT = Path(__file__).resolve().parent.parent
TOOLS = {"mlt-translate": "translate", "llvm-spirv": "spirv", "ocloc": "ocloc"}
STEPS = (*IR_STAGES, *TOOLS.values(), "total")


@dataclass(frozen=True)
class Code:
    """Counts of a kernel's machine code; ``loop_*`` are of the innermost loop that computes."""

    loop_instructions: int
    loop_dpas: int
    loop_sends: int
    instructions: int
    sends: int
    scattered: int
    spill_bytes: int
    registers: int


@dataclass(frozen=True)
class Row:
    """One kernel: its file, the code, seconds per step, and the code compared with."""

    file: str
    kernel: str
    num_warps: int
    code: Code
    seconds: dict[str, float]
    against: Code | None = None

    @property
    def ratios(self) -> dict[str, float]:
        """Counts of ours over counts of the other, where the other is not zero."""
        if self.against is None:
            return {}
        ours, others = asdict(self.code), asdict(self.against)
        return {key: ours[key] / value for key, value in others.items() if value}


@dataclass
class Report:
    """All rows, and the files that could not be measured with the reason."""

    rows: list[Row] = field(default_factory=list)
    failures: dict[str, str] = field(default_factory=dict)


def _sends(counts: isa.Counts) -> int:
    return sum(count for name, count in counts.opcodes.items() if name.startswith("send"))


def count_code(data: bytes, target: Target) -> dict[str, Code]:
    """Counts of each kernel of a zebin.

    The loop is the innermost one with the most matrix instructions, then the most
    instructions; zeros where there is no loop.

    Raises:
        MltcError: not a zebin, or iga64 is missing or refuses it.
    """
    zebin = read_zebin(data)
    found = {}
    for name, info in zebin.kernels.items():
        code = isa.analyse(isa.disassemble(zebin.code(name), target.iga_platform))
        candidates = [loop.counts for loop in code.loops]
        loop = max(candidates, key=lambda c: (c.opcodes["dpas"], c.total), default=isa.Counts())
        found[name] = Code(
            loop_instructions=loop.total,
            loop_dpas=loop.opcodes["dpas"],
            loop_sends=_sends(loop),
            instructions=code.counts.total,
            sends=_sends(code.counts),
            scattered=code.counts.scattered,
            spill_bytes=info.spill_size,
            registers=info.grf_count,
        )
    return found


def time_stages(source: Path, folder: Path, pipeline: str | None) -> dict[str, float]:
    """Seconds of ``mlt-opt`` for each stage, one process per stage.

    Raises:
        MltcError: a stage failed.
    """
    seconds = {}
    before, last = source, "ttir"
    for stage in IR_STAGES:
        output = folder / f"kernel.{stage}"
        request = BuildRequest(
            input=str(before), output=str(output), pipeline=pipeline,
            from_stage=last, to_stage=stage, bundle_dir=folder,
        )  # fmt: skip
        seconds[stage] = sum(used for _, used in build(request).timings)
        before, last = output, stage
    return seconds


def _tool_seconds(result: BuildResult) -> dict[str, float]:
    seconds: dict[str, float] = defaultdict(float)
    for tool, used in result.timings:
        seconds["total"] += used
        if tool in TOOLS:
            seconds[TOOLS[tool]] += used
    return seconds


def measure(source: Path, pipeline: str | None, against: Path | None) -> Iterator[Row]:
    """Builds a file and counts its kernels.

    Raises:
        MltcError: it does not build, or a tool is missing.
    """
    with tempfile.TemporaryDirectory(prefix="mltc-bench-") as name:
        folder = Path(name)
        output = folder / "kernel.zebin"
        result = build(
            BuildRequest(
                input=str(source), output=str(output), pipeline=pipeline, bundle_dir=folder
            )
        )
        seconds = {**time_stages(source, folder, pipeline), **_tool_seconds(result)}
    assert result.manifest is not None
    target = load_target(result.manifest.target)
    ours, others = count_code(result.data, target), {}
    if against is not None and (against / f"{source.stem}.zebin").is_file():
        others = count_code(read_bytes(str(against / f"{source.stem}.zebin")), target)
    for kernel in result.manifest.kernels:
        # A binary of one kernel is compared whatever its name is.
        only = next(iter(others.values())) if len(others) == len(ours) == 1 else None
        other = others.get(kernel.name, only)
        code = ours[kernel.name]
        yield Row(
            f"{source.parent.name}/{source.stem}",
            kernel.name,
            kernel.num_warps,
            code,
            seconds,
            other,
        )


def sources(files: list[Path], corpus: Path | None) -> list[Path]:
    """The files to measure; those of a corpus only from its direct and sub-directories."""
    if files:
        return files
    found = sorted((ROOT / "examples").rglob("*.ttir"))
    found += sorted((ROOT / "test" / "execution" / "inputs").glob("*.ttir"))
    return found + (sorted(corpus.rglob("*.ttir")) if corpus else [])


def print_text(report: Report) -> None:
    """Tables of counts, of times, and of ratios where there was something to compare with."""
    counts = [
        ("kernel", "warps", "loop", "dpas", "sends", "all", "sends", "scattered", "spill", "GRF")
    ]
    times = [("seconds", *STEPS)]
    ratios = [("ours / other", "loop", "dpas", "sends", "all", "spill")]
    for row in report.rows:
        counts.append((row.file, str(row.num_warps), *map(str, asdict(row.code).values())))  # type: ignore[arg-type]
        times.append((row.file, *(f"{row.seconds.get(step, 0.0):.2f}" for step in STEPS)))
        if row.against is not None:
            keys = ("loop_instructions", "loop_dpas", "loop_sends", "instructions", "spill_bytes")
            shown = (f"{row.ratios[k]:.2f}" if k in row.ratios else "-" for k in keys)
            ratios.append((row.file, *shown))  # type: ignore[arg-type]
    for rows in (counts, times, ratios):
        if len(rows) > 1:
            print(table(rows), end="\n\n")
    for file, reason in report.failures.items():
        print(f"{file}: {reason}", file=sys.stderr)


def print_json(report: Report) -> None:
    """The same as one JSON object."""
    rows = [{**asdict(row), "ratios": row.ratios} for row in report.rows]
    print(json.dumps({"rows": rows, "failures": report.failures}, indent=2))


def main() -> int:
    """Returns 1 when a file could not be measured."""
    environment = os.environ.get("MLTC_CORPUS")
    parser = argparse.ArgumentParser(description="Instruction counts and compile times.")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE.ttir")
    parser.add_argument("--corpus", type=Path, default=Path(environment) if environment else None)
    parser.add_argument("--pipeline", help="name or file of a pipeline")
    parser.add_argument("--against", type=Path, metavar="DIR", help="zebins to compare with")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    report = Report()
    for source in sources(options.files, options.corpus):
        try:
            report.rows += measure(source, options.pipeline, options.against)
        except MltcError as error:
            report.failures[str(source)] = error.message.splitlines()[0]
    (print_json if options.json else print_text)(report)
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
