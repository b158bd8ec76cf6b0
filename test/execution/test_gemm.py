"""Matrix products from real TTIR, run on the CPU device and compared with NumPy in float64.

Every file runs on shapes that are multiples of its tile and on shapes that are not, with
fresh random inputs. Outputs lie in a larger buffer full of NaN: whatever a kernel writes
outside the matrix, or leaves out inside, shows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from corpus import CORPUS, ROOT

from execution.reference import decode, encode, gemm_bound, round_tf32
from mltc.interpret import InterpretedKernel, interpret
from mltc.runtime import Module
from mltc.runtime.module import LoadedKernel


@dataclass(frozen=True)
class Kernel:
    """How a kernel of the corpus is called: tile, types, order of B, kind of arguments."""

    tile: tuple[int, int]
    dtype: str = "f16"
    out: str = "f32"
    transposed: bool = False
    bias: bool = False
    strides: bool = True
    linear_grid: bool = False


KERNELS = {
    "gemm_block": Kernel((256, 256), linear_grid=True),
    "gemm_block_m8": Kernel((8, 128), linear_grid=True),
    "gemm_block_tf32": Kernel((128, 128), dtype="f32", linear_grid=True),
    "gemm_nt": Kernel((128, 128), out="f16", transposed=True),
    "gemm_bias_relu": Kernel((128, 256), dtype="bf16", out="bf16", bias=True),
    "gemm_desc": Kernel((256, 256), strides=False),
    "gemm_nt_desc": Kernel((128, 128), dtype="bf16", out="bf16", transposed=True, strides=False),
}
FORMS = {"": (1008, 496, 336), "_u": (1000, 504, 328)}
"""Ragged M, N, K by form: files without suffix promise divisibility by 16."""


def corpus_cases() -> list[tuple[Path, str, str]]:
    cases = []
    for name in KERNELS:
        for form in FORMS:
            for folder in sorted(CORPUS.glob("triton-*")):
                source = folder / f"{name}{form}.ttir"
                if source.exists():
                    cases.append((source, name, form))
    return cases


def run(
    loaded: LoadedKernel | InterpretedKernel, kernel: Kernel, shape: tuple[int, int, int], seed: int
) -> None:
    """Runs one product and compares all of the output buffer."""
    m, n, k = shape
    random = np.random.default_rng(seed)
    a = encode(random.standard_normal((m, k)), kernel.dtype)
    b = encode(random.standard_normal((k, n)), kernel.dtype)
    # Room behind each row, unless the kernel takes the row length for the pitch.
    pitch = n + 16 if kernel.strides else n
    out = encode(np.full((m + 3, pitch), np.nan), kernel.out)
    poison = out.copy()

    stored_b = np.ascontiguousarray(b.T) if kernel.transposed else b
    bias = encode(random.standard_normal(n), kernel.dtype)
    args: list[object] = [a, stored_b, *([bias] if kernel.bias else []), out, m, n, k]
    if kernel.strides:
        args += [k, stored_b.shape[1], pitch]
    rows, columns = -(-m // kernel.tile[0]), -(-n // kernel.tile[1])
    grid = (rows * columns, 1, 1) if kernel.linear_grid else (rows, columns, 1)
    loaded.launch(grid, *args)

    exact_a, exact_b = decode(a, kernel.dtype), decode(b, kernel.dtype)
    if kernel.dtype == "f32":
        exact_a, exact_b = round_tf32(a).astype(np.float64), round_tf32(b).astype(np.float64)
    expected = exact_a @ exact_b
    bound = gemm_bound(exact_a, exact_b, expected, kernel.out)
    if kernel.bias:
        expected = np.maximum(expected + decode(bias, kernel.dtype)[None, :], 0)
        bound = bound + 2.0**-7 * np.abs(expected)
    error = np.abs(decode(out, kernel.out)[:m, :n] - expected)
    assert (error <= bound).all(), f"largest error {np.nanmax(error)}, NaN {np.isnan(error).sum()}"
    untouched = np.ones(out.shape, bool)
    untouched[:m, :n] = False
    raw = out.view(np.uint16 if out.itemsize == 2 else np.uint32)
    before = poison.view(raw.dtype)
    assert (raw[untouched] == before[untouched]).all(), "written outside the matrix"


def cases() -> list[object]:
    found = corpus_cases()
    if not found:
        return [pytest.param(None, "", "", marks=pytest.mark.skip(reason=f"no corpus in {CORPUS}"))]
    return [
        pytest.param(source, name, form, id=f"{source.parent.name}-{source.stem}")
        for source, name, form in found
    ]


@pytest.mark.parametrize(("source", "name", "form"), cases())
def test_corpus(source: Path, name: str, form: str, compile_kernel: Callable[..., Module]) -> None:
    kernel = KERNELS[name]
    # The second version that nothing promised asks for takes ocloc long.
    (loaded,) = compile_kernel(source, native=form == "").kernels.values()
    tile_m, tile_n = kernel.tile
    run(loaded, kernel, (2 * tile_m, 2 * tile_n, 128), seed=1)
    run(loaded, kernel, FORMS[form], seed=2)
    # A tail in every dimension; the same check says whether the reference is right.
    unit = 16 if form == "" else 8
    run(
        interpret(source).kernel(),
        kernel,
        (max(tile_m, 16) + unit, tile_n - unit, 64 + unit),
        seed=3,
    )


@pytest.mark.parametrize("num_warps", [1, 2, 4, 8, 16, 32, 64])
def test_number_of_warps(num_warps: int, compile_kernel: Callable[..., Module]) -> None:
    """One source, every number of warps: the tile of a warp changes, the result does not."""
    (loaded,) = compile_kernel(
        ROOT / "test" / "execution" / "inputs" / "matmul_64x64.ttir", num_warps=num_warps
    ).kernels.values()
    kernel = Kernel((64, 64), linear_grid=False)
    run(loaded, kernel, (128, 192, 96), seed=num_warps)
    run(loaded, kernel, (104, 168, 72), seed=num_warps + 100)


def test_one_build_is_deterministic(tmp_path: Path, compile_kernel: Callable[..., Module]) -> None:
    """The same input gives the same bits twice."""
    from mltc.driver import BuildRequest, build

    source = ROOT / "test" / "execution" / "inputs" / "matmul_64x64.ttir"
    outputs = [tmp_path / "one.zebin", tmp_path / "two.zebin"]
    for output in outputs:
        build(BuildRequest(input=str(source), output=str(output), num_warps=4))
    assert outputs[0].read_bytes() == outputs[1].read_bytes()
