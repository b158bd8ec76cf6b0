"""The language extension: built with an old and a new Triton, run on the CPU against NumPy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from test_frontend import mltc, with_triton

from mltc.runtime import Module, load

KERNELS = Path(__file__).parent / "inputs" / "language_kernels.py"
WARPS = 4


def build(triton: Path, folder: Path, name: str, signature: str, constants: str = "") -> Module:
    argv = [
        "build",
        f"{KERNELS}::{name}",
        "-o",
        "out.zebin",
        "--num-warps",
        str(WARPS),
        "--signature",
        signature,
    ]
    if constants:
        argv += ["--constexpr", constants]
    done = mltc(triton, folder, *argv)
    assert done.returncode == 0, done.stderr
    return load(folder / "out.zebin")


@with_triton
def test_reductions_across_warps(triton: Path, tmp_path: Path) -> None:
    """Over all warps with and without an axis, and only for one warp."""
    n = 64
    module = build(triton, tmp_path, "warp_rows", "*fp32, *fp32", f"N={n}")
    x = np.random.default_rng().standard_normal((WARPS, n), dtype=np.float32)
    out = np.full((WARPS + 2, n), np.nan, dtype=np.float32)
    module.kernels["warp_rows"].launch(1, x, out)
    share = np.exp(x.astype(np.float64) - x.max(axis=0))
    np.testing.assert_allclose(out[:WARPS], share / share.sum(axis=0), rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(out[WARPS], share.sum(axis=0), rtol=1e-4)
    np.testing.assert_array_equal(out[WARPS + 1], np.full(n, x.max()))
    assert module.manifest.kernels[0].slm_bytes > 0


@with_triton
def test_shared_memory(triton: Path, tmp_path: Path) -> None:
    """A row stored by one warp under a condition is read by all of them."""
    n = 64
    module = build(triton, tmp_path, "shared_row", "*fp16, *fp16", f"N={n}")
    x = np.random.default_rng().standard_normal(n).astype(np.float16)
    out = np.full((WARPS, n), np.nan, dtype=np.float16)
    module.kernels["shared_row"].launch(1, x, out)
    want = np.arange(1, WARPS + 1, dtype=np.float16)[:, None] * x
    np.testing.assert_array_equal(out, want)
    assert module.manifest.kernels[0].slm_bytes == 2 * n


@with_triton
def test_paged_attention(triton: Path, tmp_path: Path) -> None:
    """Figure 9 of the paper: every warp has its own block of the cache."""
    depth, block = 64, 32
    signature = "*fp16:16, *fp16:16, *fp16:16, *fp32:16"
    module = build(triton, tmp_path, "paged_attention", signature, f"D={depth},BLOCK={block}")
    rng = np.random.default_rng()
    q = (rng.standard_normal(depth) / 4).astype(np.float16)
    k, v = (rng.standard_normal((WARPS * block, depth)).astype(np.float16) for _ in range(2))
    out = np.full(depth, np.nan, dtype=np.float32)
    module.kernels["paged_attention"].launch(1, q, k, v, out)
    scores = k.astype(np.float64) @ q
    p = np.exp(scores - scores.max())
    np.testing.assert_allclose(out, (p / p.sum()) @ v.astype(np.float64), rtol=5e-3, atol=2e-3)


@with_triton
def test_tiling_hint(triton: Path, tmp_path: Path) -> None:
    """The hint decides the layout of the dot, and one that cannot be met names its line."""
    signature = "*fp16:16, *fp16:16, *fp32:16"
    want = {"horizontal": "[4, 1]", "vertical": "[1, 4]", "square": "[2, 2]"}
    for hint, warps in want.items():
        done = mltc(
            triton, tmp_path, "build", f"{KERNELS}::hinted_dot", "-o", "dot.ttgir", "--to", "ttgir",
            "--signature", signature, "--num-warps", str(WARPS),
            "--constexpr", f"M=64,N=64,K=32,TILING={hint}",
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert f"warpsPerCTA = {warps}" in (tmp_path / "dot.ttgir").read_text()
    refusals = {
        "M=2,N=64,K=32,TILING=horizontal": "cannot be met: 2 rows cannot be split over 4 warps",
        "M=64,N=64,K=32,TILING=diagonal": "expected one of horizontal, vertical, square",
    }
    for constants, message in refusals.items():
        done = mltc(
            triton, tmp_path, "build", f"{KERNELS}::hinted_dot", "-o", "x.zebin",
            "--signature", signature, "--num-warps", str(WARPS), "--constexpr", constants,
        )  # fmt: skip
        assert done.returncode == 1 and message in done.stderr, done.stderr
        assert f"language_kernels.py:{line_of('tiling=TILING')}:" in done.stderr


def line_of(text: str) -> int:
    """The first line with a text that is no definition."""
    lines = enumerate(KERNELS.read_text().splitlines(), 1)
    return next(number for number, line in lines if text in line)


@with_triton
@pytest.mark.parametrize(
    ("name", "place", "message"),
    [
        ("no_warp_level", "tl.store(x + tl.warp_id(), 1)", "expected a warp-level kernel"),
        ("barrier_of_some", "        tl.barrier()", "expected every warp to reach this barrier"),
        ("dst_warp_store", "    tl.store(x + i, some)", "found one that only dst_warps have"),
        ("dst_warp_range", "dst_warps=99", "different warps from 0 to 3"),
    ],
)
def test_misuse(triton: Path, name: str, place: str, message: str, tmp_path: Path) -> None:
    constants = ["--constexpr", "N=16"] if name.startswith("dst") else []
    done = mltc(
        triton, tmp_path, "build", f"{KERNELS}::{name}", "-o", "x.zebin",
        "--signature", "*i32", "--num-warps", str(WARPS), *constants,
    )  # fmt: skip
    assert done.returncode == 1 and message in done.stderr, done.stderr
    assert f"language_kernels.py:{line_of(place)}:" in done.stderr
