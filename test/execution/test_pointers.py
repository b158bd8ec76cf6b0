"""Kernels whose addresses and masks are those of libraries, from the source to the result.

Stock Triton (`make triton`), an old and a new one, translates inputs/pointers.py. What a kernel
loads and stores as tiles must come out as block pointers, and what it computes must be what NumPy
computes in float64. The tile dimensions are not those of the arrays anywhere. By default two
kernels run; MLTC_VARIANTS=all runs all of them, and with the version that gathers (``checked``)
as well, under arguments that no block message serves.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from corpus import ROOT

from execution.launches import F64, Launch, Output, normal
from execution.portable import load_portable
from execution.reference import EPSILON, gemm_bound
from mltc.runtime import Module
from mltc.toolchain import find_tool, run_tool

RELEASES = ("3.5.1", "3.9.0")
SOURCE = Path(__file__).parent / "inputs" / "pointers.py"
EVERYTHING = os.environ.get("MLTC_VARIANTS") == "all"
_TIMEOUT = 120.0

Launcher = Callable[[np.random.Generator, bool], Launch]


@dataclass(frozen=True)
class Kernel:
    """A kernel of the table: pointers by element type, other arguments, constants.

    `launch` makes random arguments, of which block messages serve all or (``odd``) not.
    """

    launch: Launcher
    pointers: dict[str, str]
    constants: dict[str, int]
    floats: tuple[str, ...] = ()


def _matrix(
    random: np.random.Generator, shape: tuple[int, ...], pad: int
) -> tuple[np.ndarray[Any, Any], F64]:
    """A matrix (or a batch of them) whose rows are `pad` elements apart, which are poison."""
    stored, _ = normal(random, (*shape[:-1], shape[-1] + pad), "f16")
    stored[..., shape[-1] :] = np.nan
    return stored, stored[..., : shape[-1]].astype(np.float64)


def _padded(expected: F64, pad: int, tolerance: F64 | float, dtype: str = "f16") -> Output:
    """A result whose rows are `pad` elements apart, which keep their poison."""
    wide = np.zeros((*expected.shape[:-1], expected.shape[-1] + pad))
    bound = np.zeros(wide.shape)
    bound[..., : expected.shape[-1]] = tolerance
    wide[..., : expected.shape[-1]] = expected
    output = Output(dtype, wide, bound)
    rows = output.stored[: wide.size].reshape(wide.shape)
    rows[..., expected.shape[-1] :] = 0
    return output


def product(*, valid: int | None = None, atomic: bool = False) -> Launcher:
    def launch(random: np.random.Generator, odd: bool) -> Launch:
        m, n, k, pad = (75, 99, 71, 3) if odd else (72, 96, 80, 16)
        a, exact_a = _matrix(random, (m, k), pad)
        b, exact_b = _matrix(random, (k, n), pad)
        if valid is not None:  # of the steps along k, every other one
            exact_a = np.where(np.arange(k) // 32 % 2 == 0, exact_a, 0)
        dtype = "f32" if atomic else "f16"
        expected = exact_a @ exact_b
        bound = gemm_bound(exact_a, exact_b, expected, dtype) + (1e-4 if atomic else 0)
        if valid is not None:
            expected[valid * 32 :] = bound[valid * 32 :] = 0
        out = _padded(expected, pad, bound, dtype)
        if atomic or valid is not None:
            out.stored[: m * (n + pad)] = 0
        tiles_m, tiles_n = -(-m // 32), -(-n // 64)
        grid = (tiles_m * tiles_n, 1, 2) if atomic else (tiles_m, tiles_n, 1)
        extra = [] if valid is None else [valid]
        args = [a, b, out.stored, m, n, k, k + pad, n + pad, n + pad, *extra]
        return grid, args, [out]

    return launch


def batch(*, descriptors: bool) -> Launcher:
    def launch(random: np.random.Generator, odd: bool) -> Launch:
        m, n, k, pad = (41, 71, 71, 3) if odd else (40, 80, 48, 16)
        if descriptors:
            pad = 0
        count = 3
        a, exact_a = _matrix(random, (count, m, k), pad)
        b, exact_b = _matrix(random, (count, k, n), pad)
        expected = exact_a @ exact_b
        bound = np.stack([gemm_bound(*t, "f16") for t in zip(exact_a, exact_b, expected,
                                                              strict=True)])  # fmt: skip
        out = _padded(expected, pad, bound)
        sizes: list[object] = [count, m, n, k]
        if not descriptors:
            for rows, columns in ((m, k), (k, n), (m, n)):
                sizes += [rows * (columns + pad), columns + pad]
        tiles = 4 if descriptors else 2  # one of them behind the batch
        return (-(-m // 32), -(-n // 64), tiles), [a, b, out.stored, *sizes], [out]

    return launch


def _softmax(scores: F64, values: F64, seen: np.ndarray[Any, Any]) -> F64:
    scores = np.where(seen, scores, -np.inf)
    p: F64 = np.exp(scores - scores.max(-1)[:, None])
    result: F64 = p @ values / p.sum(-1)[:, None]
    return result


def varlen(random: np.random.Generator, odd: bool) -> Launch:
    depth, heads, group, window = 64, 4, 2, 40
    lengths = np.array([70, 1, 33, 100])
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    total, pad = int(starts[-1]), 1 if odd else 0
    (q, exact_q), (k, exact_k), (v, exact_v) = (
        _matrix(random, (total, count, depth), pad)
        for count in (heads, heads // group, heads // group)
    )
    expected = np.zeros((total, heads, depth))
    for begin, end in pairwise(starts):
        at = np.arange(end - begin)
        seen = (at[:, None] >= at) & (at[:, None] - at <= window)
        for head in range(heads):
            scores = exact_q[begin:end, head] @ exact_k[begin:end, head // group].T / 8
            expected[begin:end, head] = _softmax(scores, exact_v[begin:end, head // group], seen)
    out = _padded(expected, pad, 6 * EPSILON["f16"] * float(np.abs(exact_v).max()))
    row = depth + pad
    args = [q, k, v, starts, starts, 0.125, out.stored, row, heads * row,
            row, heads // group * row, group, window]  # fmt: skip
    return (-(-int(lengths.max()) // 32), heads, len(lengths)), args, [out]


def paged(random: np.random.Generator, odd: bool) -> Launch:
    depth, groups, page, pages = 64, 2, 32, 12
    lengths = np.array([3 * page, page + 1, 5], np.int32)
    pad = 1 if odd else 0
    q, exact_q = normal(random, (len(lengths), groups * 16, depth), "f16")
    (k, exact_k), (v, exact_v) = (
        _matrix(random, (pages, page, groups, depth), pad) for _ in range(2)
    )
    table = np.full((len(lengths), 4), -1, np.int32)
    table[:, :3] = random.permutation(pages)[:9].reshape(3, 3)
    expected = np.zeros(exact_q.shape)
    for s, length in enumerate(lengths):
        for g in range(groups):
            keys, values = (x[table[s, :3], :, g].reshape(-1, depth)[:length] for x in
                            (exact_k, exact_v))  # fmt: skip
            rows = slice(16 * g, 16 * g + 16)
            scores = exact_q[s, rows] @ keys.T / 8
            expected[s, rows] = _softmax(scores, values, np.ones(scores.shape, bool))
    out = Output("f16", expected, 6 * EPSILON["f16"] * float(np.abs(exact_v).max()))
    row = depth + pad
    args = [q, k, v, table, lengths, out.stored, 0.125, 4, groups * 16 * depth,
            page * groups * row, groups * row, row]  # fmt: skip
    return (len(lengths), groups, 1), args, [out]


_ABC = {"a_ptr": "fp16", "b_ptr": "fp16", "c_ptr": "fp16"}
_QKV = {"Q": "fp16", "K": "fp16", "V": "fp16", "Out": "fp16"}
_TILE = {"BM": 32, "BN": 64, "BK": 32}
KERNELS: dict[str, Kernel] = {
    "batched": Kernel(batch(descriptors=False), _ABC, {"BB": 2, **_TILE}),
    "switched_off": Kernel(product(valid=2), _ABC, _TILE),
    "paged_attention": Kernel(paged, {**_QKV, "table": "i32", "lengths": "i32"},
                              {"BM": 16, "BLK": 32, "D": 64}, ("sm_scale",)),
    "wide_offsets": Kernel(product(), _ABC, _TILE),
    "batched_desc": Kernel(batch(descriptors=True), _ABC, _TILE),
    "split_k": Kernel(product(atomic=True), {**_ABC, "c_ptr": "fp32"}, {**_TILE, "SPLIT": 2}),
    "varlen_attention": Kernel(varlen, {**_QKV, "q_starts": "i32", "k_starts": "i32"},
                               {"BM": 32, "BN": 32, "D": 64}, ("sm_scale",)),
}  # fmt: skip
SHOWN = list(KERNELS) if EVERYTHING else list(KERNELS)[:2]


@pytest.fixture(scope="module", params=RELEASES)
def ttir(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    """The TTIR of all kernels by one release, by name; nothing is promised of the arguments."""
    triton = ROOT / ".triton" / request.param
    if not (triton / ".complete").exists():
        pytest.skip(f"no Triton {request.param}; `make triton`")
    folder = tmp_path_factory.mktemp("ttir")
    parameters = {
        node.name: [argument.arg for argument in node.args.args]
        for node in ast.parse(SOURCE.read_text()).body
        if isinstance(node, ast.FunctionDef)
    }
    files = {name: folder / f"{name}.ttir" for name in KERNELS}

    def kind(kernel: Kernel, name: str) -> str:
        if name in kernel.pointers:
            return f"*{kernel.pointers[name]}"
        return "fp32" if name in kernel.floats else "i32"

    jobs = [
        {
            "file": str(files[name]), "source": str(SOURCE), "kernel": name,
            "constants": kernel.constants,
            "signature": {
                p: kind(kernel, p) for p in parameters[name] if p not in kernel.constants
            },
        }
        for name, kernel in KERNELS.items()
    ]  # fmt: skip
    (folder / "jobs.json").write_text(json.dumps(jobs))
    done = subprocess.run(
        [sys.executable, str(Path(__file__).parent / "emit_ttir.py"), str(folder / "jobs.json")],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(triton), str(ROOT)]),
            "TRITON_CACHE_DIR": str(folder / "cache"),
        },
        capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return files


def check(module: Module, launch: Launch) -> None:
    (kernel,) = module.kernels.values()
    grid, arguments, outputs = launch
    kernel.launch(grid, *arguments)
    for output in outputs:
        output.check()


@pytest.mark.parametrize("name", list(KERNELS))
def test_every_tile_is_a_block(name: str, ttir: dict[str, Path]) -> None:
    """No load or store of a tile is left with a pointer per element, and no remark says why."""
    done = run_tool(
        find_tool("mlt-opt"),
        [ttir[name], "--legalize-triton", "--rewrite-tensor-descriptor", "--raise-block-pointer",
         "--remarks-filter=block-io"],
        timeout=_TIMEOUT, keep_output=False,
    )  # fmt: skip
    assert "remark" not in done.stderr.decode()
    text = done.stdout.decode()
    accesses = [s for s in text.splitlines() if "tt.load" in s or "tt.store" in s]
    assert "tt.make_tensor_ptr" in text and accesses
    assert not [s for s in accesses if "x!tt.ptr<" in s]


@pytest.mark.parametrize("name", SHOWN)
def test_any_launch(name: str, ttir: dict[str, Path], tmp_path: Path) -> None:
    """The portable code does every launch, whatever block messages would want."""
    module = load_portable(ttir[name], tmp_path, num_warps=4, versions="always")
    for odd in (False, True):
        check(module, KERNELS[name].launch(np.random.default_rng(odd), odd))


@pytest.mark.skipif(not EVERYTHING, reason="MLTC_VARIANTS=all runs it")
@pytest.mark.parametrize("name", list(KERNELS))
def test_both_versions(name: str, ttir: dict[str, Path], tmp_path: Path) -> None:
    """Both versions under the rules of the hardware; nothing is a condition of the launch."""
    options = {"num_warps": 4, "versions": "always", "checked": True}
    module = load_portable(ttir[name], tmp_path, **options)
    assert not module.manifest.kernels[0].preconditions
    for odd in (False, True):
        check(module, KERNELS[name].launch(np.random.default_rng(odd), odd))
