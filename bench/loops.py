"""Prints what every innermost loop of a kernel consists of, beside what its dots need at least.

    python bench/loops.py [FILE.ttir ...] [--corpus DIR] [--num-warps N] [--prefetch-distance N]
                          [--pipeline NAME] [--check]

Without files, the corpus in $MLTC_CORPUS is measured.  One row per kernel, one per innermost
loop of its machine code below it, and the processor time of all builds.  With --check, what a
kernel falls short of is listed.  See docs/bench.md.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
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

# A matrix instruction multiplies rows x k with k x columns.
DOT = load_target("pvc").dot
ROWS, COLUMNS = max(DOT.m), DOT.n
BITS = (8, 16, 32)  # of an operand's element
TF32 = 0  # of tt.dot's inputPrecision


@dataclass(frozen=True)
class Measured:
    """One kernel: its code, what .ze_info says of it, and the dots of its loops.

    Attributes:
        minima: for every loop of the source that multiplies, the fewest matrix instructions
            a warp can execute in an iteration.
        seconds: processor time of all tools that the build ran.
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
    if bits not in BITS or not rounds:
        return 0  # multiplied and added by the vector unit
    (*_, rows, k), columns = a.shape, b.shape[-1]
    pieces = -(-rows // ROWS) * -(-columns // COLUMNS) * -(-k // DOT.depth(bits))
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


def fed_by_blocks(counts: isa.Counts) -> bool:
    """Whether a loop multiplies what comes by block messages alone."""
    return bool(
        counts.opcodes["dpas"] and counts.messages_like("load_block2d") and not counts.scattered
    )


def misses(code: isa.KernelCode, least: tuple[int, ...], spill_bytes: int) -> list[str]:
    """What keeps a kernel from the code that its matrix products should have.

    A loop with matrix instructions holds as many as the arithmetic needs; for every such loop
    of the source one is fed by block messages alone, and without shared memory.  A kernel made
    in two versions has another one, for arguments that blocks cannot serve.
    """
    found = []
    if spill_bytes:
        found.append(f"spills {spill_bytes} bytes")
    if code.counts.calls:
        found.append(f"{code.counts.calls} calls")
    loops = [loop for loop in code.loops if loop.counts.opcodes["dpas"]]
    for loop in loops:
        if (dpas := loop.counts.opcodes["dpas"]) not in least:
            found.append(f"loop {loop.label}: {dpas} dpas, needed {'/'.join(map(str, least))}")
    fed = [loop for loop in loops if fed_by_blocks(loop.counts)]
    for loop in fed:
        if any(".slm" in name for name in loop.counts.messages):
            found.append(f"loop {loop.label}: shared local memory")
    if len(fed) < len(least):
        found.append(f"{len(fed)} loops are fed by blocks, the source has {len(least)}")
    return found


def _processor_seconds() -> float:
    """User and system time of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(
    source: Path, num_warps: int | None, distance: int | None, pipeline: str | None
) -> Measured:
    """Builds the only kernel of a file and takes its code apart.

    Raises:
        MltcError: it does not build, a tool is missing, or the file has several kernels.
    """
    begin = _processor_seconds()
    with tempfile.TemporaryDirectory(prefix="mltc-loops-") as name:
        request = BuildRequest(
            input=str(source), output=str(Path(name) / "kernel.zebin"),
            num_warps=num_warps, prefetch_distance=distance, pipeline=pipeline,
        )  # fmt: skip
        result = build(request)
    seconds = _processor_seconds() - begin
    assert result.manifest is not None
    if (count := len(result.manifest.kernels)) != 1:
        raise MltcError(f"expected a file with one kernel, found {count}")
    (record,) = result.manifest.kernels
    # The binary may have another entry, for functions whose address somebody takes.
    zebin = read_zebin(result.data)
    kernel, info, warps = record.name, zebin.kernels[record.name], record.num_warps
    platform = load_target(result.manifest.target).iga_platform
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
    """Returns 1 when a file could not be measured, or with --check misses something."""
    environment = os.environ.get("MLTC_CORPUS")
    parser = argparse.ArgumentParser(description="Innermost loops of machine code.")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE.ttir")
    parser.add_argument("--corpus", type=Path, default=Path(environment) if environment else None)
    parser.add_argument("--num-warps", type=int)
    parser.add_argument("--prefetch-distance", type=int)
    parser.add_argument("--pipeline", help="name or file of a pipeline")
    parser.add_argument("--check", action="store_true", help="list what kernels fall short of")
    options = parser.parse_args()
    lines: list[tuple[str, ...]] = [COLUMN_NAMES]
    problems: list[str] = []
    count, seconds = 0, 0.0
    for source in sources(options.files, options.corpus):
        try:
            measured = measure(
                source, options.num_warps, options.prefetch_distance, options.pipeline
            )
        except MltcError as error:
            problems.append(f"{source}: {error.message.splitlines()[0]}")
            continue
        lines += rows(measured)
        count, seconds = count + 1, seconds + measured.seconds
        if options.check:
            short = misses(measured.code, measured.minima, measured.spill_bytes)
            problems += [f"{source}: {miss}" for miss in short]
    print(table(lines))
    print(f"\n{count} kernels built in {seconds:.1f} seconds of processor time")
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
