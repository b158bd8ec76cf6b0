"""SIMD (VectorCompute) packages on the simulator, against NumPy on fresh inputs.

With MLTC_SIMULATED=DIR every kernel of a directory of the corpus runs in both styles.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from corpus import CORPUS
from randomness import rng

from execution import test_corpus, test_gemm, test_ops
from execution.test_native_isa import current_ocloc
from execution.test_simd import PIPELINE, newest, run
from mltc.driver import BuildRequest, build
from mltc.runtime import Module, load

pytestmark = pytest.mark.skipif(
    current_ocloc() is None or not CORPUS.is_dir(), reason="no ocloc of this generation, no corpus"
)

#: A loop of 2-D blocks; reductions of rows, of several passes and of indices; attention.
KERNELS = ["row_softmax", "layer_norm", "row_argmax", "flash_attention_d64"]


@pytest.mark.parametrize("name", KERNELS)
def test_kernel(name: str, compile_kernel: Callable[..., Module]) -> None:
    package = compile_kernel(newest(name), pipeline=PIPELINE).package
    (kernel,) = load(package, "sim:pvc").kernels.values()
    run(kernel, test_corpus.KERNELS[name](rng(), 16))


@pytest.mark.parametrize("name", ["gemm_block", "gemm_block_m8"])
def test_product(name: str, compile_kernel: Callable[..., Module]) -> None:
    kernel = test_gemm.KERNELS[name]
    package = compile_kernel(newest(name), pipeline=PIPELINE).package
    (loaded,) = load(package, "sim:pvc").kernels.values()
    m, n = (-(-(size + 8) // 16) * 16 for size in kernel.tile)  # a tile and a bit of the next
    seed = int(rng().integers(2**31))
    test_gemm.run(loaded, kernel, (m, n, 96), seed=seed)


# What memory does, and what takes a loop around compare-and-exchange.
@pytest.mark.parametrize("name", ["xchg_i64", "add_f16", "add_bf16"])
def test_atomic_updates(name: str, compile_kernel: Callable[..., Module]) -> None:
    def simulated(source: Path, native: bool, **options: object) -> Module:
        return load(compile_kernel(source, pipeline=PIPELINE, **options).package, "sim:pvc")

    test_ops.check_atomic(name, 4, simulated)


DIRECTORY = Path(os.environ.get("MLTC_SIMULATED", "/nonexistent"))
STYLES = {"simt": "pvc-simt", "simd": PIPELINE}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("source", sorted(DIRECTORY.glob("*.ttir")), ids=lambda path: path.stem)
def test_all(source: Path, style: str, tmp_path: Path) -> None:
    """Against NumPy; test_corpus and test_gemm hold the CPU device against the same."""
    name = source.stem.removesuffix("_u").removesuffix("_rewritten")
    output = tmp_path / "k.zebin"
    build(BuildRequest(input=str(source), output=str(output), pipeline=STYLES[style]))
    (kernel,) = load(output, "sim:pvc").kernels.values()
    unit = 1 if source.stem.endswith("_u") else 16
    if name in test_gemm.KERNELS:
        product = test_gemm.KERNELS[name]
        step = max(unit, 8)
        m, n = (-(-size // step) * step + step for size in product.tile)  # a tile and a bit
        test_gemm.run(kernel, product, (m, n, 96 if unit == 16 else 104), seed=3)
    else:
        run(kernel, test_corpus.KERNELS[name](np.random.default_rng(3), unit))
