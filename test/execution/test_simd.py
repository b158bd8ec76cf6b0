"""Style simd: one work-item per warp, a piece of a tile as one flat vector.

The same kernels as in style simt, built with the pipeline ``pvc-simd`` and run on the CPU device
against NumPy in float64 on the same launches; machine code of the same pipeline in the simulator;
and what that machine code consists of.

By default a few kernels of each kind run. MLTC_SIMD=all runs every kernel of the tables of
test_gemm, test_corpus and test_kernels, and builds every file of the corpus to machine code.
MLTC_OCLOC_22_43 names a directory with Debian 12's ocloc as bin/ocloc: style simd is what both
generations of Intel's compiler take.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from corpus import CORPUS

from execution import test_corpus, test_gemm, test_kernels
from execution.launches import Launch
from execution.test_isa import (  # noqa: F401
    Native,
    check_nothing_leaves_the_registers,
    compiled,
    missing_tools,
)
from mltc.driver import BuildRequest, build
from mltc.package import isa, read_package
from mltc.package.zebin import read_zebin
from mltc.runtime import LoadedKernel, Module, load
from mltc.target import load_target

PIPELINE = "pvc-simd"
ALL = os.environ.get("MLTC_SIMD") == "all"

needs_ocloc = pytest.mark.skipif(bool(missing_tools()), reason=f"no {missing_tools()}")


def newest(name: str) -> Path:
    """The file of a kernel of the corpus from the newest Triton that has it."""
    found = sorted(CORPUS.glob(f"triton-*/{name}.ttir"))
    if not found:
        pytest.skip(f"no {name}.ttir in {CORPUS}")
    return found[-1]


def run(kernel: LoadedKernel, launches: Iterator[Launch]) -> None:
    for grid, arguments, outputs in launches:
        kernel.launch(grid, *arguments)
        for output in outputs:
            output.check()


def portable(compile_kernel: Callable[..., Module], source: Path) -> LoadedKernel:
    """The kernel on the CPU device; its machine code is another test's."""
    (kernel,) = compile_kernel(source, pipeline=PIPELINE, native=False).kernels.values()
    return kernel


@pytest.mark.parametrize("form", test_gemm.FORMS)
@pytest.mark.parametrize("name", test_gemm.KERNELS)
def test_product(name: str, form: str, compile_kernel: Callable[..., Module]) -> None:
    kernel = test_gemm.KERNELS[name]
    if form and not kernel.strides:
        pytest.skip("descriptors have no form without promises")
    loaded = portable(compile_kernel, newest(name + form))
    tile_m, tile_n = kernel.tile
    test_gemm.run(loaded, kernel, (2 * tile_m, 2 * tile_n, 128), seed=3)
    test_gemm.run(loaded, kernel, test_gemm.FORMS[form], seed=4)


CORPUS_KERNELS = list(test_corpus.KERNELS) if ALL else [
    "vector_add", "row_softmax", "layer_norm", "row_argmax", "silu_and_mul", "paged_attention",
    "split_k_gemm", "gemm_ptr", "flash_attention_causal_d64",
]  # fmt: skip


@pytest.mark.parametrize("form", ["", "_u"] if ALL else [""])
@pytest.mark.parametrize("name", CORPUS_KERNELS)
def test_corpus_kernel(name: str, form: str, compile_kernel: Callable[..., Module]) -> None:
    kernel = portable(compile_kernel, newest(name + form))
    run(kernel, test_corpus.KERNELS[name](np.random.default_rng(7), 1 if form else 16))


# Integer dots, dots without an instruction, written-out functions, atomics with and without
# result, locks.
KERNELS = list(test_kernels.KERNELS) if ALL else [
    "gemm_int8", "gemm_ieee_n8", "gelu", "rms_norm", "cumsum_rows", "histogram", "rope",
]  # fmt: skip


@pytest.mark.parametrize("name", KERNELS)
def test_kernel(name: str, compile_kernel: Callable[..., Module]) -> None:
    kernel = portable(compile_kernel, test_kernels.INPUTS / f"{name}.ttir")
    run(kernel, test_kernels.KERNELS[name](np.random.default_rng(8)))


def corpus_files() -> list[Path]:
    """Every file of the oldest Triton with all kernels and of the newest."""
    folders = [CORPUS / "triton-3.5.1", CORPUS / "triton-3.9.0"]
    return [file for folder in folders for file in sorted(folder.glob("*.ttir"))] if ALL else []


@needs_ocloc
@pytest.mark.parametrize("source", corpus_files(), ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_the_corpus_builds(source: Path, compiled: Callable[..., Native]) -> None:  # noqa: F811
    assert not compiled(source, PIPELINE).stack_calls


@dataclass(frozen=True)
class Loop:
    """What the innermost loop with dots has: dots, instructions at most."""

    dots: int
    total: int


LOOPS = {
    "gemm_block": Loop(32, 48),
    "flash_attention_d64": Loop(64, 465),
    "flash_attention_d128": Loop(128, 720),
    "gemm_block_tf32": Loop(64, 200),
    **({"gemm_nt": Loop(64, 130)} if ALL else {}),
}  # fmt: skip


@needs_ocloc
@pytest.mark.parametrize("name", LOOPS)
def test_the_loop(name: str, compiled: Callable[..., Native]) -> None:  # noqa: F811
    """Pieces of tiles are register regions, addresses stay in registers, nothing spills."""
    native = compiled(newest(name), PIPELINE)
    expected = LOOPS[name]
    assert native.loop.opcodes["dpas"] == expected.dots
    check_nothing_leaves_the_registers(native)
    total = native.loop.total - native.loop.dummy_moves
    native.expect(f"expected at most {expected.total}, got {total}", total <= expected.total)


@needs_ocloc
def test_the_loop_without_prefetch(compiled: Callable[..., Native]) -> None:  # noqa: F811
    """32 dots, three loads and what moves their addresses: nothing else is left to save."""
    native = compiled(newest("gemm_block"), PIPELINE, 0)
    check_nothing_leaves_the_registers(native)
    total = native.loop.total
    native.expect(f"expected at most 44 instructions, got {total}", total <= 44)


@needs_ocloc
@pytest.mark.parametrize("pipeline", [PIPELINE, "pvc-simt"])
def test_the_loop_with_prefetch(pipeline: str, compiled: Callable[..., Native]) -> None:  # noqa: F811
    """Half of the warps prefetch each operand: a warp sends one message more, not two."""
    native = compiled(newest("gemm_block"), pipeline)
    loop = native.loop
    assert loop.messages_like("prefetch_block2d") == 1
    native.expect(f"expected at most 50 instructions, got {loop.total}", loop.total <= 50)


SIMULATED = [
    "gemm_block",
    "row_softmax",
    "paged_attention",
    *(["flash_attention_d64"] if ALL else []),
]


@needs_ocloc
@pytest.mark.parametrize("name", SIMULATED)
def test_machine_code(name: str, compiled: Callable[..., Native]) -> None:  # noqa: F811
    native = compiled(newest(name), PIPELINE)
    (kernel,) = load(native.path, "sim:pvc").kernels.values()
    if name in test_gemm.KERNELS:
        test_gemm.run(kernel, test_gemm.KERNELS[name], (272, 240, 96), seed=5)
    else:
        run(kernel, test_corpus.KERNELS[name](np.random.default_rng(9), 16))


@needs_ocloc
@pytest.mark.parametrize("depth", [32, 48, 80])
def test_machine_code_of_a_loop_that_counts_with_a_coordinate(
    depth: int,
    compiled: Callable[..., Native],  # noqa: F811
) -> None:
    """As many iterations as there are steps of 32, the last one of them begun."""
    native = compiled(newest("gemm_block"), PIPELINE)
    (kernel,) = load(native.path, "sim:pvc").kernels.values()
    test_gemm.run(kernel, test_gemm.KERNELS["gemm_block"], (16, 32, depth), seed=depth)


OLD_OCLOC = os.environ.get("MLTC_OCLOC_22_43")


@needs_ocloc
@pytest.mark.skipif(not OLD_OCLOC, reason="MLTC_OCLOC_22_43 names no directory with bin/ocloc")
@pytest.mark.parametrize("name, dots", [
    ("gemm_block", 32), ("flash_attention_d64", 64), ("row_softmax", 0),
])  # fmt: skip
def test_the_older_compiler(
    name: str, dots: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same instructions in the loop, nothing left as a call; and the result is right."""
    assert OLD_OCLOC is not None
    monkeypatch.setenv("MLTC_TOOLCHAIN", OLD_OCLOC)
    output = tmp_path / "kernel.zebin"
    build(BuildRequest(input=str(newest(name)), output=str(output), pipeline=PIPELINE))
    manifest = read_package(output).manifest
    assert manifest.build is not None and manifest.build.tools["ocloc"].startswith("22.43")
    zebin = read_zebin(output.read_bytes())
    ((kernel, info),) = zebin.kernels.items()
    assert info.spill_size == 0 and not info.has_stack_calls
    code = isa.analyse(isa.disassemble(zebin.code(kernel), load_target("pvc").iga_platform))
    assert code.counts.calls == 0 and code.counts.scratch == 0
    assert max((loop.counts.opcodes["dpas"] for loop in code.loops), default=0) == dots
    (loaded,) = load(output, "sim:pvc").kernels.values()
    if name in test_gemm.KERNELS:
        test_gemm.run(loaded, test_gemm.KERNELS[name], (272, 240, 96), seed=5)
    else:
        run(loaded, test_corpus.KERNELS[name](np.random.default_rng(9), 16))
