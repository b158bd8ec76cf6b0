"""Measures both versions of kernels on the simulator: instructions, messages and bytes.

    MLTC_CORPUS=DIR python bench/versions.py [KERNEL ...]

Each kernel is built with two versions and launched with arrays whose rows are packed, which 2-D
block messages serve, and with rows that are a dword longer, which they do not: the other version
reads them row by row. Rows of 16-bit elements that are one element longer begin between two
dwords, and are read element by element. One launch does the same work in all. See docs/levels.md.
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
from mltc.package.zebin import read_zebin
from mltc.runtime import load
from mltc.runtime.simulator import SimulatorBackend
from mltc.simulator import SimulatorOptions

# Elements that rows are longer.
VERSIONS = (("blocks", 0), ("rows", 2), ("elements", 1))

# Group counts and arguments, with rows that are `pad` elements longer than packed ones.
Launch = tuple[tuple[int, int, int], list[object]]


def _matrix(rows: int, columns: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float16]]:
    return np.random.default_rng(0).standard_normal((rows, columns)).astype(np.float16)


def product(pad: int) -> Launch:
    """A tile of 256 x 256, K = 256."""
    n, k = 256, 256
    a, b = _matrix(n, k + pad), _matrix(k, n + pad)
    out = np.zeros((n, n + pad), np.float32)
    return (1, 1, 1), [a, b, out, n, n, k, k + pad, n + pad, n + pad]


def attention(pad: int, depth: int) -> Launch:
    """128 rows of one head, 256 keys."""
    rows, row = 256, depth + pad
    q, k, v = (_matrix(rows, row) for _ in range(3))
    out = np.zeros_like(q)
    return (1, 1, 1), [q, k, v, depth**-0.5, out, rows * row, rows * row, row, 1, rows]


def rows_of_matrix(pad: int) -> Launch:
    """64 rows of 128 elements and their largest."""
    x = np.random.default_rng(0).standard_normal((64, 128 + pad)).astype(np.float32)
    return (1, 1, 1), [x, np.zeros(64, np.float32), np.zeros(64, np.int32), 128 + pad, 128]


KERNELS: dict[str, tuple[str, Callable[[int], Launch]]] = {
    "gemm_block": ("gemm_block_u", product),
    "attention, head of 64": ("flash_attention_d64_u", lambda pad: attention(pad, 64)),
    "attention, head of 128": ("flash_attention_d128_u", lambda pad: attention(pad, 128)),
    "row_argmax": ("row_argmax_u", rows_of_matrix),
}


def measure(source: Path, launch: Callable[[int], Launch]) -> list[tuple[str, ...]]:
    """One line per version.

    Raises:
        MltcError: it does not build, or the simulator refuses it.
    """
    lines: list[tuple[str, ...]] = []
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder, "kernel.zebin")
        result = build(BuildRequest(input=str(source), output=str(package), versions="always"))
        ((_, info),) = read_zebin(result.data).kernels.items()
        module = load(read_package(package), SimulatorBackend(SimulatorOptions()))
        (kernel,) = module.kernels.values()
        for version, pad in VERSIONS:
            grid, arguments = launch(pad)
            profile = kernel.launch(grid, *arguments).profile
            assert profile is not None
            totals = profile.totals
            lines.append(
                (
                    version, str(totals.instructions), str(sum(totals.messages.values())),
                    str(sum(totals.bytes.values()) // 1024), str(info.spill_size),
                )
            )  # fmt: skip
    return lines


def main() -> int:
    """Prints two lines per kernel; returns 1 where one is missing."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", default=list(KERNELS))
    corpus = Path(os.environ.get("MLTC_CORPUS", ""))
    rows = [("kernel", "version", "instructions", "messages", "KiB", "spill")]
    for name in parser.parse_args().kernels:
        file, launch = KERNELS[name]
        found = sorted(corpus.glob(f"triton-*/{file}.ttir")) if corpus.name else []
        if not found:
            print(
                f"no {file}.ttir: set MLTC_CORPUS to the directory of the corpus", file=sys.stderr
            )
            return 1
        rows += [(name, *line) for line in measure(found[-1], launch)]
    print(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
