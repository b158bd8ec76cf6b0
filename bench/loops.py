"""Prints what every innermost loop of a kernel consists of, beside what its dots need at least.

    python bench/loops.py [FILE.ttir ...] [--corpus DIR] [--num-warps N] [--prefetch-distance N]
                          [--pipeline NAME]

Without files, the corpus in $MLTC_CORPUS is measured.  One row per kernel, one per innermost
loop of its machine code below it.  See docs/bench.md.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from run import sources

from mltc.cli.output import table
from mltc.driver import BuildRequest, build
from mltc.errors import MltcError
from mltc.interpret.program import Operation, Region, read_program
from mltc.package import isa
from mltc.package.zebin import read_zebin
from mltc.target import load_target

# A matrix instruction multiplies 8 x k with k x 16; k by bits of an operand's element.
ROWS, COLUMNS, DEPTH = 8, 16, {8: 32, 16: 16, 32: 8}
TF32 = 0  # of tt.dot's inputPrecision


@dataclass(frozen=True)
class Measured:
    """One kernel: its code, what .ze_info says of it, and the dots of its loops.

    Attributes:
        minima: for every loop of the source that multiplies, the fewest matrix instructions
            a warp can execute in an iteration.
    """

    file: str
    warps: int
    registers: int
    spill_bytes: int
    stack_calls: bool
    slm_bytes: int
    code: isa.KernelCode
    minima: tuple[int, ...]
    seconds: float


def _instructions(dot: Operation, warps: int) -> int:
    """The fewest matrix instructions of one warp for a dot of the work-group."""
    a, b = dot.operand_types[:2]
    bits = max(a.format.bits, b.format.bits)
    if a.format.kind != "int":
        bits = max(bits, 16)  # smaller floats are widened
    rounds = bits != 32 or dot.attribute("inputPrecision") == TF32
    if (depth := DEPTH.get(bits)) is None or not rounds:
        return 0  # multiplied and added by the vector unit
    (*_, rows, k), columns = a.shape, b.shape[-1]
    pieces = -(-rows // ROWS) * -(-columns // COLUMNS) * -(-k // depth)
    return -(-pieces // warps)


def _minima(region: Region, warps: int) -> tuple[int, list[int]]:
    """Instructions of dots directly in a region, and those of each loop below it."""
    direct, loops = 0, []
    for block in region.blocks:
        for op in block.operations:
            if op.name == "tt.dot":
                direct += _instructions(op, warps)
            inside = [_minima(nested, warps) for nested in op.regions]
            loops += [count for _, counts in inside for count in counts]
            here = sum(count for count, _ in inside)
            if op.name in ("scf.for", "scf.while"):
                loops += [here] if here else []
            else:
                direct += here
    return direct, loops


def minima(source: Path, warps: int) -> tuple[int, ...]:
    """The fewest matrix instructions of a warp for an iteration of each loop with dots.

    Raises:
        MltcError: the file cannot be read.
    """
    functions = read_program(str(source)).values()
    return tuple(n for f in functions for n in sorted(set(_minima(f.body, warps)[1])))


def measure(
    source: Path, num_warps: int | None, distance: int | None, pipeline: str | None
) -> Measured:
    """Builds the only kernel of a file and takes its code apart.

    Raises:
        MltcError: it does not build, or a tool is missing.
    """
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mltc-loops-") as name:
        request = BuildRequest(
            input=str(source), output=str(Path(name) / "kernel.zebin"),
            num_warps=num_warps, prefetch_distance=distance, pipeline=pipeline,
        )  # fmt: skip
        result = build(request)
    seconds = time.monotonic() - begin
    assert result.manifest is not None
    zebin = read_zebin(result.data)
    ((kernel, info),) = zebin.kernels.items()
    platform = load_target(result.manifest.target).iga_platform
    warps = result.manifest.kernels[0].num_warps
    return Measured(
        file=f"{source.parent.name}/{source.stem}",
        warps=warps,
        registers=info.grf_count,
        spill_bytes=info.spill_size,
        stack_calls=info.has_stack_calls,
        slm_bytes=info.slm_size,
        code=isa.analyse(isa.disassemble(zebin.code(kernel), platform)),
        minima=minima(source, warps),
        seconds=seconds,
    )


COLUMN_NAMES = (
    "kernel", "warps", "GRF", "all", "dpas", "min", "2-D", "prefetch",
    "scattered", "SLM", "math", "spill", "calls", "seconds",
)  # fmt: skip


def _cells(counts: isa.Counts) -> list[str]:
    return [
        str(counts.messages_like("load_block2d") + counts.messages_like("store_block2d")),
        str(counts.messages_like("prefetch_block2d")),
        str(counts.scattered),
        str(sum(n for name, n in counts.messages.items() if ".slm" in name)),
        str(counts.opcodes["math"]),
    ]


def rows(measured: Measured) -> list[tuple[str, ...]]:
    """The lines of the table of one kernel; loops are named by their label."""
    counts = measured.code.counts
    calls = str(counts.calls) + (" stack" if measured.stack_calls else "")
    result = [
        (
            measured.file, str(measured.warps), str(measured.registers), str(counts.total),
            str(counts.opcodes["dpas"]), "", *_cells(counts), str(measured.spill_bytes), calls,
            f"{measured.seconds:.1f}",
        )
    ]  # fmt: skip
    for loop in measured.code.loops:
        dpas = loop.counts.opcodes["dpas"]
        least = "/".join(map(str, measured.minima)) if dpas else ""
        result.append(
            (
                f"  loop {loop.label}", "", "", str(loop.counts.total), str(dpas), least,
                *_cells(loop.counts), f"{loop.counts.scratch} sends", str(loop.counts.calls), "",
            )
        )  # fmt: skip
    return result


def main() -> int:
    """Returns 1 when a file could not be measured."""
    environment = os.environ.get("MLTC_CORPUS")
    parser = argparse.ArgumentParser(description="Innermost loops of machine code.")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE.ttir")
    parser.add_argument("--corpus", type=Path, default=Path(environment) if environment else None)
    parser.add_argument("--num-warps", type=int)
    parser.add_argument("--prefetch-distance", type=int)
    parser.add_argument("--pipeline", help="name or file of a pipeline")
    options = parser.parse_args()
    lines: list[tuple[str, ...]] = [COLUMN_NAMES]
    failed = False
    for source in sources(options.files, options.corpus):
        try:
            lines += rows(
                measure(source, options.num_warps, options.prefetch_distance, options.pipeline)
            )
        except MltcError as error:
            failed = True
            print(f"{source}: {error.message.splitlines()[0]}", file=sys.stderr)
    print(table(lines))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
