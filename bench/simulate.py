"""Measures how fast the simulator runs: instructions a second of processor time.

    MLTC_CORPUS=DIR python bench/simulate.py [--repeat N]

Kernels of the corpus are built and launched on one host thread: products, attention, and
reductions of rows with and without shared local memory. See docs/simulator.md.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from mltc.cli.output import table
from mltc.driver import BuildRequest, build
from mltc.package import read_package
from mltc.runtime import load
from mltc.runtime.simulator import SimulatorBackend
from mltc.simulator import SimulatorOptions

SEED = 1  # the numbers decide nothing, but every run shall do the same
Launch = tuple[tuple[int, int, int], list[object]]


def product() -> Launch:
    """M = N = K = 1024 in tiles of 256 by 256."""
    random, size = np.random.default_rng(SEED), 1024
    a, b = (random.standard_normal((size, size)).astype(np.float16) for _ in range(2))
    out = np.zeros((size, size), np.float32)
    return (size // 256 * (size // 256), 1, 1), [a, b, out, *[size] * 6]


def attention() -> Launch:
    """2 heads, 1024 rows of 64."""
    random, rows, depth = np.random.default_rng(SEED), 1024, 64
    q, k, v = (random.standard_normal((1, 2, rows, depth)).astype(np.float16) for _ in range(3))
    out = np.zeros_like(q)
    sizes = [2 * rows * depth, rows * depth, depth, 2, rows]
    return (rows // 128, 2, 1), [q, k, v, depth**-0.5, out, *sizes]


def softmax() -> Launch:
    """256 rows of 4096."""
    x = np.random.default_rng(SEED).standard_normal((256, 4096)).astype(np.float16)
    return (256, 1, 1), [x, np.zeros_like(x), 4096, 4096]


def split_product() -> Launch:
    """M = N = 512, K = 2048 in parts that are added by atomics."""
    random, m, n, k = np.random.default_rng(SEED), 512, 512, 2048
    a = random.standard_normal((m, k)).astype(np.float16)
    b = random.standard_normal((k, n)).astype(np.float16)
    out = np.zeros((m, n), np.float32)
    return (m // 128, n // 128, 4), [a, b, out, m, n, k, k, n, n]


KERNELS: dict[str, Callable[[], Launch]] = {
    "gemm_block": product, "flash_attention_d64": attention, "row_softmax": softmax,
    "split_k_gemm": split_product,
}  # fmt: skip


def measure(source: Path, launch: Launch, repeat: int) -> tuple[int, float]:
    """Executed instructions, and the processor seconds of the fastest of some launches."""
    grid, arguments = launch
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder, "kernel.zebin")
        build(BuildRequest(input=str(source), output=str(package)))
        module = load(read_package(package), SimulatorBackend(SimulatorOptions(workers=1)))
        (kernel,) = module.kernels.values()
        best, executed = float("inf"), 0
        for _ in range(repeat):
            profile = kernel.launch(grid, *arguments).profile
            assert profile is not None
            best, executed = min(best, profile.cpu_seconds), profile.executed
    return executed, best


def main() -> int:
    """Prints one line per kernel."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repeat", type=int, default=3, help="launches (default: 3)")
    repeat = parser.parse_args().repeat
    corpus = Path(os.environ.get("MLTC_CORPUS", ""))
    rows = [("kernel", "instructions", "seconds", "million/s")]
    for name, launch in KERNELS.items():
        found = sorted(corpus.glob(f"triton-*/{name}.ttir")) if corpus.name else []
        if not found:
            print(
                f"no {name}.ttir: set MLTC_CORPUS to the directory of the corpus", file=sys.stderr
            )
            return 1
        executed, seconds = measure(found[-1], launch(), repeat)
        rows.append((name, str(executed), f"{seconds:.3f}", f"{executed / seconds / 1e6:.1f}"))
    print(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
