"""Builds a GEMM for Ponte Vecchio from Triton IR, runs the package on the CPU, checks it.

    python examples/gemm/demo.py [--output build/matmul.zebin]

What is printed: how the package was built, what the native code consists of, and the error
of several products against NumPy in double precision.  The exit code is 1 when one is wrong.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

from mltc.driver import BuildFailure, BuildRequest, build
from mltc.errors import MltcError
from mltc.package import Package, isa, read_package
from mltc.runtime import Module, load
from mltc.target import load_target

HERE = Path(__file__).resolve().parent
TILE = 256
# Multiples of the tile, and sizes that leave partial tiles on every side.
SHAPES = ((1024, 1024, 1024), (1000, 504, 328))


def describe(package: Package) -> None:
    """Prints what was built."""
    manifest, (kernel,) = package.manifest, package.manifest.kernels
    build_record, info = manifest.build, package.zebin.kernels[kernel.name]
    if build_record is not None:
        tools = ", ".join(f"{name} {version}" for name, version in build_record.tools.items())
        print(f"  tools: {tools}")
        if build_record.grf is not None:
            print(f"  registers: {build_record.grf.registers} ({build_record.grf.reason})")
    print(f"  kernel {kernel.name}: {kernel.num_warps} warps, {info.spill_size} bytes spilled")
    platform = load_target(manifest.target).iga_platform
    code = isa.analyse(isa.disassemble(package.zebin.code(kernel.name), platform))
    for label, counts in [
        ("all", code.counts),
        *((f"loop {x.label}", x.counts) for x in code.loops),
    ]:
        print(
            f"  {label}: {counts.total} instructions, {counts.opcodes['dpas']} dpas, "
            f"{counts.messages_like('load_block2d')} block loads, "
            f"{counts.messages_like('store_block2d')} block stores, {counts.calls} calls"
        )


def check(module: Module, m: int, n: int, k: int) -> bool:
    """Multiplies random matrices and compares with NumPy; the output starts as NaN."""
    rng = np.random.default_rng()
    a = rng.standard_normal((m, k), dtype=np.float32).astype(np.float16)
    b = rng.standard_normal((k, n), dtype=np.float32).astype(np.float16)
    c = np.full((m, n), np.nan, dtype=np.float32)
    grid = (-(-m // TILE), -(-n // TILE))
    start = time.perf_counter()
    module.kernels["matmul"].launch(grid, a, b, c, m, n, k, k, n, n)
    seconds = time.perf_counter() - start
    wide_a, wide_b = a.astype(np.float64), b.astype(np.float64)
    # Products of halves are exact in single precision; only the k additions round.
    bound = k * np.finfo(np.float32).eps * (np.abs(wide_a) @ np.abs(wide_b))
    error = np.abs(c - wide_a @ wide_b)
    right = bool(np.all(error <= bound))
    verdict = "ok" if right else "WRONG"
    print(
        f"  {m} x {n} x {k}: largest error {np.max(error):.2e}, {seconds * 1e3:.0f} ms: {verdict}"
    )
    return right


def run(output: Path) -> bool:
    """Builds, describes, loads and checks."""
    output.parent.mkdir(parents=True, exist_ok=True)
    start = time.perf_counter()
    result = build(BuildRequest(str(HERE / "matmul.ttir"), str(output), num_warps=32))
    print(f"built {output} in {time.perf_counter() - start:.1f} s: {len(result.data)} bytes")
    for note in result.notes:
        print(f"  note: {note}")
    package = read_package(output)
    describe(package)
    start = time.perf_counter()
    module = load(package)
    print(f"loaded on {module.backend.info.name} in {time.perf_counter() - start:.1f} s")
    return all([check(module, *shape) for shape in SHAPES])


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    default = HERE.parents[1] / "build" / "matmul.zebin"
    parser.add_argument("--output", type=Path, default=default)
    try:
        return 0 if run(parser.parse_args().output) else 1
    except BuildFailure as failure:
        print(f"{failure}\nreproduce: {failure.command}", file=sys.stderr)
    except MltcError as error:
        print(f"error: {error}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
