"""The language extension: built with an old and a new Triton, run on the CPU against NumPy."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import randomness
from stock import installed, release_of, with_folders
from test_frontend import mltc, run

from mltc.package import isa
from mltc.runtime import Module, load
from mltc.target import load_target

with_triton = with_folders([stock for stock in installed() if stock.release >= (3, 5)])

KERNELS = Path(__file__).parent / "inputs" / "language_kernels.py"
WARPS = 4


def build(
    triton: Path, folder: Path, name: str, signature: str, constants: str = "", *options: str
) -> Module:
    argv = [
        "build",
        f"{KERNELS}::{name}",
        "-o",
        "out.zebin",
        "--num-warps",
        str(WARPS),
        "--signature",
        signature,
        *options,
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
    x = randomness.rng().standard_normal((WARPS, n), dtype=np.float32)
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
    x = randomness.rng().standard_normal(n).astype(np.float16)
    out = np.full((WARPS, n), np.nan, dtype=np.float16)
    module.kernels["shared_row"].launch(1, x, out)
    want = np.arange(1, WARPS + 1, dtype=np.float16)[:, None] * x
    np.testing.assert_array_equal(out, want)
    assert module.manifest.kernels[0].slm_bytes == 2 * n


@with_triton
def test_own_combinations(triton: Path, tmp_path: Path) -> None:
    """Any jit function, one or several values at once, some warps or all, and a wider sum."""
    n = 32
    module = build(triton, tmp_path, "own_combinations", "*fp32, *fp32, *i32", f"N={n}")
    x = randomness.rng().standard_normal((WARPS, n), dtype=np.float32)
    out = np.full(8 * n + 2, np.nan, dtype=np.float32)
    counts = np.full(5 * n + 1, -7, dtype=np.int32)
    module.kernels["own_combinations"].launch(1, x, out, counts)
    rows, places = out[: 8 * n].reshape(2, WARPS, n), counts[: 4 * n].reshape(WARPS, n)
    np.testing.assert_allclose(rows[0], np.tile(x.astype(np.float64).prod(0), (WARPS, 1)), 1e-5)
    np.testing.assert_array_equal(rows[1], np.tile(x.max(0), (WARPS, 1)))
    np.testing.assert_array_equal(places, np.tile(x.argmax(0) * n + np.arange(n), (WARPS, 1)))
    assert (out[8 * n], counts[4 * n]) == (x.max(), x.argmax())
    np.testing.assert_allclose(out[8 * n + 1], x[3].astype(np.float64).prod(), 1e-5)
    wide = np.arange(WARPS * n).reshape(WARPS, n) % 3 * 50
    np.testing.assert_array_equal(counts[4 * n + 1 :], wide.sum(0))


@with_triton
def test_buffers_through_control_flow(triton: Path, tmp_path: Path) -> None:
    """What alloc() gave is exchanged in a loop; three axes."""
    n = 16
    module = build(triton, tmp_path, "two_buffers", "*fp32, *fp32, i32", f"N={n}")
    x = randomness.rng().standard_normal((2, 4, n), dtype=np.float32)
    for rounds in (0, 3):
        out = np.full((WARPS, 2, 4, n), np.nan, dtype=np.float32)
        module.kernels["two_buffers"].launch(1, x, out, rounds)
        want = x.astype(np.float64)
        for i in range(rounds):
            want = 2 * want + i % WARPS
        np.testing.assert_allclose(out, np.tile(want, (WARPS, 1, 1, 1)), rtol=1e-5, atol=1e-5)
    # Two buffers, which both versions of the kernel share.
    assert module.manifest.kernels[0].slm_bytes == 2 * x.nbytes


@with_triton
def test_drop_in(triton: Path, tmp_path: Path) -> None:
    """Every name and module of triton.language, however it is imported."""
    script = (
        "import importlib, sys\n"
        "import triton.language as stock\n"
        "from mltc import language as tl\n"
        "import mltc.language.extra.libdevice\n"
        "from mltc.language.math import exp\n"
        "assert mltc.language.extra.libdevice is stock.extra.libdevice and exp is stock.math.exp\n"
        "everything = {}\n"
        "exec('from mltc.language import *', everything)\n"
        "assert not set(stock.__all__) - set(everything)\n"
        "names = {name for name in dir(stock) if name[0] != '_'}\n"
        "assert not names - set(dir(tl))\n"
        "changed = sorted(n for n in names if getattr(tl, n) is not getattr(stock, n))\n"
        "print(*changed)\n"
    )
    done = run(triton, "-c", script, cwd=tmp_path)
    assert done.stdout.split() == ["dot", "load", "max", "min", "reduce", "store", "sum"], done


PRODUCT = "*fp16:16, *fp16:16, *fp32:16, i32, i32:16, i32:16"


def check_product(module: Module, name: str, shape: tuple[int, int, int]) -> None:
    m, n, k = shape
    rng = randomness.rng()
    a, b = (rng.standard_normal(s).astype(np.float16) for s in ((m, k), (k, n)))
    c = np.full((m, n), np.nan, dtype=np.float32)
    module.kernels[name].launch((-(-m // 64), -(-n // 64)), a, b, c, m, n, k)
    wide_a, wide_b = a.astype(np.float64), b.astype(np.float64)
    bound = k * np.finfo(np.float32).eps * (np.abs(wide_a) @ np.abs(wide_b))
    assert (np.abs(c - wide_a @ wide_b) <= bound).all()


def prefetches(module: Module) -> tuple[int, int]:
    """Prefetches of the kernel and of its innermost loops, per warp."""
    (kernel,) = module.manifest.kernels
    platform = load_target(module.manifest.target).iga_platform
    listing = isa.disassemble(module.package.zebin.code(kernel.name), platform)
    code = isa.analyse(listing)
    inner = sum(loop.counts.messages_like("prefetch_block2d") for loop in code.loops)
    return code.counts.messages_like("prefetch_block2d"), inner


@with_triton
@pytest.mark.parametrize("name", ["prefetched_product", "prefetched_pointers"])
def test_prefetch(triton: Path, name: str, tmp_path: Path) -> None:
    """A prefetch changes nothing but the messages: four warps share each block of 64 x 32."""
    if name == "prefetched_pointers" and release_of(triton) >= (3, 9):
        pytest.skip("Triton 3.9 has no block pointers")
    constants = "BM=64,BN=64,BK=32"
    # The distance is for the compiler's own prefetches, of which there are none.
    module = build(triton, tmp_path, name, PRODUCT, constants, "--prefetch-distance", "0")
    for shape in ((64, 64, 64), (100, 80, 96)):
        check_product(module, name, shape)
    before = 2 if name == "prefetched_product" else 0
    assert prefetches(module) == (2 + before, 2)


@with_triton
def test_prefetch_of_a_warp(triton: Path, tmp_path: Path) -> None:
    n, block = 32, 16
    constants = f"N={n},BLOCK={block},WARPS={WARPS}"
    signature = "*fp16:16, *fp32:16, i32"
    module = build(triton, tmp_path, "prefetched_rows", signature, constants)
    for rows in (1, 200):
        x = randomness.rng().standard_normal((rows, n)).astype(np.float16)
        out = np.full(n, np.nan, dtype=np.float32)
        module.kernels["prefetched_rows"].launch(1, x, out, rows)
        np.testing.assert_allclose(out, x.astype(np.float64).sum(0), rtol=1e-4, atol=1e-3)
    assert prefetches(module)[1] == 1  # 16 rows of 64 bytes are one message


@with_triton
def test_scans_of_a_warp(triton: Path, tmp_path: Path) -> None:
    """What goes through shared local memory inside a warp stays apart from other warps."""
    n = 64
    constants = f"N={n}"
    module = build(triton, tmp_path, "scan_rows", "*i32, *i32", constants, "--no-native")
    x = randomness.rng().integers(0, n, (WARPS, n), dtype=np.int32)
    out = np.full((WARPS, 3, n), -1, dtype=np.int32)
    module.kernels["scan_rows"].launch(1, x, out)
    np.testing.assert_array_equal(out[:, 0], np.cumsum(x, 1))
    np.testing.assert_array_equal(out[:, 1], x[:, ::-1])
    np.testing.assert_array_equal(out[:, 2], [np.bincount(row, minlength=n) for row in x])


@with_triton
def test_paged_attention(triton: Path, tmp_path: Path) -> None:
    """Figure 9 of the paper: every warp has its own block of the cache."""
    depth, block = 64, 32
    signature = "*fp16:16, *fp16:16, *fp16:16, *fp32:16"
    module = build(triton, tmp_path, "paged_attention", signature, f"D={depth},BLOCK={block}")
    rng = randomness.rng()
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


def line_in(kernel: str, text: str) -> int:
    """The first line of a kernel with a text, counted from its definition."""
    lines = KERNELS.read_text().splitlines()[line_of(f"def {kernel}(") :]
    return next(number for number, line in enumerate(lines, 1) if text in line)


def line_of(text: str) -> int:
    """The first line with a text that is no definition."""
    lines = enumerate(KERNELS.read_text().splitlines(), 1)
    return next(number for number, line in lines if text in line)


MISUSES = [
    ("no_warp_level", "tl.store(x + tl.warp_id(), 1)", "expected a warp-level kernel"),
    ("barrier_of_some", "        tl.barrier()", "expected every warp to reach this barrier"),
    ("dst_warp_store", "    tl.store(x + i, some)", "only dst_warps have"),
    ("dst_warp_range", "dst_warps=99", "different warps from 0 to 3"),
    ("dst_warp_alone", "    tl.store(x + i, tl.sum(tl.load(x + i), 0, dst_warps=0))",
     "dst_warps needs cross_warp=True"),
    ("cross_warp_of_workgroup", None, "expected a warp-level kernel"),
    ("reduce_of_some", None, "expected every warp to reach this reduction across warps"),
    ("debug_barrier_of_some", "        tl.debug_barrier()", "to reach this barrier"),
    ("scan_of_some", "        tl.store(x + i, tl.cumsum", "reach this exchange of elements"),
    ("wrong_warp_stores", "  # also warp 2", "and warp 2 is none of them"),
    ("reduced_again", "    all_warps = ", "and warp 1 is none of them"),
    ("last_one_waits", "    if tl.atomic_add(x, 1) == 3:", "to reach this barrier"),
    ("one_of_two_memories", "        if i % 2 == 0:", "one of global memory on some"),
    ("indices_of_all", "    tl.max(tl.load(x + tl.arange(0, N)), 0, return_indices=True",
     "cross_warp gives no indices"),
    ("prefetch_of_addresses", "    tl.prefetch(x + tl.arange(0, N))",
     "expected a block pointer or a tensor descriptor"),
    ("prefetch_without_place", "    tl.prefetch(block)", "expected 2 offsets"),
]  # fmt: skip
REFUSE = """
import json, sys
import mltc
from mltc.errors import MltcError
sys.path.insert(0, sys.argv[1])
import language_kernels as kernels
for name in sys.argv[2:]:
    kernel, said = getattr(kernels, name), "accepted"
    constants = {"N": 16} if "N" in kernel.arg_names else {}
    try:
        mltc.compile(kernel, "*i32", constants, num_warps=4)
    except MltcError as error:
        said = str(error)
    print(json.dumps(said))
"""


@pytest.fixture(scope="module")
def refusals(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], dict[str, str]]:
    """What each misuse gets to hear, by release of Triton."""

    @cache
    def get(triton: Path) -> dict[str, str]:
        names = [name for name, _, _ in MISUSES]
        folder = tmp_path_factory.mktemp("misuse")
        done = run(triton, "-c", REFUSE, KERNELS.parent, *names, cwd=folder)
        assert done.returncode == 0, done.stderr
        return dict(zip(names, map(json.loads, done.stdout.splitlines()), strict=True))

    return get


@with_triton
@pytest.mark.parametrize(("name", "place", "message"), MISUSES)
def test_misuse(
    triton: Path,
    name: str,
    place: str | None,
    message: str,
    refusals: Callable[[Path], dict[str, str]],
) -> None:
    said = refusals(triton)[name]
    assert message in said
    line = line_of(place) if place else line_of(f"def {name}(") + line_in(name, "cross_warp=True")
    assert f"{KERNELS}:{line}:" in said, said
