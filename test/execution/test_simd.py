"""Style simd: one work-item per warp, a piece of a tile as one flat vector.

The same kernels as in style simt, built with the pipeline ``pvc-simd`` and run on the CPU device
against NumPy in float64 on the same launches; and what the machine code of products consists of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from execution import test_corpus, test_gemm, test_kernels
from execution.conftest import CORPUS
from execution.launches import Launch
from execution.test_isa import (  # noqa: F401
    Native,
    check_nothing_leaves_the_registers,
    compiled,
    missing_tools,
)
from mltc.runtime import LoadedKernel, Module

PIPELINE = "pvc-simd"


def newest(name: str) -> Path:
    """The file of a kernel of the corpus from the newest Triton that has it."""
    found = sorted(CORPUS.glob(f"triton-*/{name}.ttir"))
    if not found:
        pytest.skip(f"no {name}.ttir in {CORPUS}")
    return found[-1]


@pytest.mark.parametrize("form", test_gemm.FORMS)
@pytest.mark.parametrize("name", test_gemm.KERNELS)
def test_product(name: str, form: str, compile_kernel: Callable[..., Module]) -> None:
    kernel = test_gemm.KERNELS[name]
    if form and not kernel.strides:
        pytest.skip("descriptors have no form without promises")
    (loaded,) = compile_kernel(newest(name + form), pipeline=PIPELINE).kernels.values()
    tile_m, tile_n = kernel.tile
    test_gemm.run(loaded, kernel, (2 * tile_m, 2 * tile_n, 128), seed=3)
    test_gemm.run(loaded, kernel, test_gemm.FORMS[form], seed=4)


CORPUS_KERNELS = ["vector_add", "row_softmax", "layer_norm", "row_argmax", "silu_and_mul",
                  "paged_attention", "flash_attention_d64",
                  "flash_attention_causal_d64"]  # fmt: skip


def check(kernel: LoadedKernel, launches: Iterator[Launch]) -> None:
    for grid, arguments, outputs in launches:
        kernel.launch(grid, *arguments)
        for output in outputs:
            output.check()


@pytest.mark.parametrize("name", CORPUS_KERNELS)
def test_corpus_kernel(name: str, compile_kernel: Callable[..., Module]) -> None:
    (kernel,) = compile_kernel(newest(name), pipeline=PIPELINE).kernels.values()
    check(kernel, test_corpus.KERNELS[name](np.random.default_rng(7), 16))


# Integer dots, the written-out functions, atomics with and without result, locks.
KERNELS = ["gemm_int8", "gelu", "rms_norm", "cumsum_rows", "histogram", "rope"]


@pytest.mark.parametrize("name", KERNELS)
def test_kernel(name: str, compile_kernel: Callable[..., Module]) -> None:
    source = test_kernels.INPUTS / f"{name}.ttir"
    (kernel,) = compile_kernel(source, pipeline=PIPELINE).kernels.values()
    check(kernel, test_kernels.KERNELS[name](np.random.default_rng(8)))


@pytest.mark.skipif(bool(missing_tools()), reason=f"no {missing_tools()}")
def test_the_loop_of_a_256_by_256_tile(compiled: Callable[..., Native]) -> None:  # noqa: F811
    """Pieces of loaded tiles are register regions: only payloads of messages are moved."""
    native = compiled(newest("gemm_block"), PIPELINE)
    manifest = native.manifest.kernels[0]
    assert (manifest.num_warps, manifest.local_size) == (32, (32, 1, 1))
    assert native.loop.opcodes["dpas"] == 32
    check_nothing_leaves_the_registers(native)
    native.expect("expected 3 block loads", native.loop.messages_like("load_block2d") == 3)
    prefetches = native.loop.messages_like("prefetch_block2d")
    native.expect("expected 2 prefetches", prefetches == 2)
    sends = sum(native.loop.messages.values())
    native.expect(f"expected no other message, got {native.loop.messages}", sends == 5)
    # 60 without the prefetches; the rest are payloads of messages.
    total = native.loop.total
    native.expect(f"expected at most 89 instructions, got {total}", total <= 89)
