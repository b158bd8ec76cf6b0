"""Style simd beside style simt: the same launches on the CPU device, results compared directly.

Both multiply the same numbers and round in the same places. What differs is the order of sums in
f32 and the last bits of functions, a few units of f32's 2^-24 of the largest number that goes in;
a result that is rounded to fewer bits may then land on the neighbour. Integers agree exactly.

By default a few kernels of each kind run; with MLTC_SIMD=all every file of the corpus from the
oldest Triton with all kernels and from the newest, and every kernel of test_kernels.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from corpus import CORPUS
from randomness import rng

from execution import test_corpus, test_gemm, test_kernels
from execution.reference import Array, decode
from execution.test_simd import ALL, PIPELINE, corpus_files, newest, run
from mltc.runtime import LoadedKernel, Module

#: Distance of neighbours relative to the number, by type of the stored result. bf16 and 8-bit
#: floats are stored as integers of their size.
STEP = {"f64": 0.0, "f32": 0.0, "f16": 2.0**-10, "bf16": 2.0**-7}
#: Differences of sums and functions in f32, relative to the largest number.
SLACK = 2.0**-16
#: The same where scores are rounded to f16 on the way to a result in f32: one of them may land on
#: its neighbour.
ROUNDED_SCORES = {"flash_decode": STEP["f16"]}


def format_of(stored: Array) -> str | None:
    """The floating-point format of an array, None for integers."""
    name = stored.dtype.name
    return "bf16" if name == "uint16" else {"float16": "f16", "float32": "f32"}.get(name)


def check_agreement(simd: Array, simt: Array, slack: float = SLACK) -> None:
    """Compares what the two styles left in an array."""
    if simd.tobytes() == simt.tobytes():
        return
    name = format_of(simd)
    assert name is not None, "integers differ"
    a, b = decode(simd, name), decode(simt, name)
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    largest = np.abs(np.concatenate([a[np.isfinite(a)], b[np.isfinite(b)]])).max(initial=0.0)
    bound = STEP[name] * np.maximum(np.abs(a), np.abs(b)) + slack * largest
    with np.errstate(invalid="ignore"):
        wrong = ~(same | (np.abs(a - b) <= bound))
    assert not wrong.any(), (
        f"{wrong.sum()} of {wrong.size} differ, the first by {a[wrong][0]} and {b[wrong][0]}"
    )


@dataclass
class Pair:
    """A kernel in both styles; a launch leaves the results of style simd."""

    simd: LoadedKernel
    simt: LoadedKernel
    slack: float = SLACK

    def launch(self, grid: tuple[int, int, int], *arguments: object) -> None:
        copies = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
        self.simd.launch(grid, *arguments)
        self.simt.launch(grid, *copies)
        for mine, other in zip(arguments, copies, strict=True):
            if isinstance(mine, np.ndarray):
                check_agreement(mine, other, self.slack)


def pair(compile_kernel: Callable[..., Module], source: Path, slack: float = SLACK) -> LoadedKernel:
    styles = [
        next(iter(compile_kernel(source, pipeline=name, native=False).kernels.values()))
        for name in (PIPELINE, "pvc-simt")
    ]
    return Pair(*styles, slack)  # type: ignore[return-value]


def launch_all(kernel: LoadedKernel, source: Path, seed: int) -> None:
    """All launches of the tables for a file of the corpus, against NumPy."""
    name = source.stem.removesuffix("_u").removesuffix("_rewritten")
    unit = 1 if source.stem.endswith("_u") else 16
    if name in test_gemm.KERNELS:
        product = test_gemm.KERNELS[name]
        step = max(unit, 8)
        m, n = (-(-size // step) * step + step for size in product.tile)  # a tile and a bit
        test_gemm.run(kernel, product, (m, n, 96 if unit == 16 else 104), seed=seed)
    else:
        run(kernel, test_corpus.KERNELS[name](np.random.default_rng(seed), unit))


FEW = ["gemm_block_m8", "row_softmax", "layer_norm", "row_argmax"]
FILES = corpus_files() if ALL else [newest(name) for name in FEW] if CORPUS.is_dir() else []


@pytest.mark.parametrize("source", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_corpus(source: Path, compile_kernel: Callable[..., Module]) -> None:
    launch_all(pair(compile_kernel, source), source, seed=int(rng().integers(99)))


# Orders of atomic updates differ between any two runs.
UNORDERED = {"ln_bwd_lock", "moe_gemm"}
KERNELS = [k for k in test_kernels.KERNELS if k not in UNORDERED] if ALL else [
    "gelu", "cumsum_rows", "rms_norm",
]  # fmt: skip


@pytest.mark.parametrize("name", KERNELS)
def test_kernel(name: str, compile_kernel: Callable[..., Module]) -> None:
    source = test_kernels.INPUTS / f"{name}.ttir"
    kernel = pair(compile_kernel, source, ROUNDED_SCORES.get(name, SLACK))
    run(kernel, test_kernels.KERNELS[name](rng()))
