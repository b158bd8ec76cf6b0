"""Builds the kernels of the paper, runs them on the CPU against NumPy, shows their machine code.

    python examples/paper/run.py [--output build/paper] [KERNEL ...]

Needs Triton 3.5 to 3.9 (`pip install 'mltc[triton]'`).  The numbers are static: instructions of
the whole kernel and of its innermost loop with matrix instructions, as one warp executes them.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from mltc.errors import MltcError
from mltc.frontend import Variant, build_variants
from mltc.frontend.kernel import load_kernel
from mltc.package import Package, isa, read_package
from mltc.runtime import Module, load
from mltc.target import load_target

HERE = Path(__file__).resolve().parent
KERNELS = HERE / "kernels.py"
LOG2E = math.log2(math.e)
Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Example:
    """One kernel with its constants; `title` is its line in the table."""

    title: str
    kernel: str
    signature: str
    warps: int
    constants: dict[str, Any] = field(default_factory=dict)

    @property
    def file(self) -> str:
        """Name of the package."""
        return f"{self.title.replace(' ', '-').replace(',', '')}.zebin"


GEMM = "*fp16:16, *fp16:16, *fp32:16, i32, i32:16, i32:16"
FLASH = "*fp16:16, *fp16:16, *fp16:16, *fp16:16, fp32, i32"
PAGED = "*fp16:16, *fp16:16, *fp16:16, *i32, *i32, *fp16:16, fp32, i32, i32"
SPLIT = "*fp16:16, *fp16:16, *fp16:16, *i32, *fp32, *fp32, *fp32, fp32, i32:16"
DECODE = {"G": 1, "D": 128, "BLOCK": 32}

EXAMPLES = {
    example.title: example
    for example in (
        Example("gemm, compute-bound", "gemm", GEMM, 32,
                {"BM": 256, "BN": 256, "BK": 32, "TILING": None}),
        Example("gemm, memory-bound", "gemm", GEMM, 4,
                {"BM": 8, "BN": 128, "BK": 64, "TILING": None}),
        Example("flash attention", "flash_attention", FLASH, 8,
                {"BM": 128, "BN": 64, "D": 64, "CAUSAL": False, "TILING": "horizontal"}),
        Example("flash attention, causal", "flash_attention", FLASH, 8,
                {"BM": 128, "BN": 64, "D": 64, "CAUSAL": True, "TILING": "horizontal"}),
        Example("paged attention, work-group", "paged_attention", PAGED, 4, DECODE),
        Example("paged attention, warp", "paged_attention_warps", PAGED, 4, {**DECODE, "WARPS": 4}),
        Example("paged attention, warp, 8 queries", "paged_attention_warps", PAGED, 4,
                {"G": 8, "D": 64, "BLOCK": 16, "WARPS": 4}),
        Example("split-KV decoding", "split_kv", SPLIT, 4, {**DECODE, "WARPS": 4}),
        Example("split-KV decoding, combination", "combine_splits",
                "*fp32, *fp32, *fp32, *fp16, i32", 1, {"G": 1, "D": 128, "SPLITS": 8}),
    )
}  # fmt: skip


def halves(rng: np.random.Generator, *shape: int) -> Array:
    """Random numbers in half precision."""
    return rng.standard_normal(shape, dtype=np.float32).astype(np.float16)


def attention(q: Array, k: Array, v: Array, causal: bool = False) -> Array:
    """Softmax attention of [rows, D] in double precision."""
    scores = q.astype(np.float64) @ k.astype(np.float64).T / math.sqrt(q.shape[-1])
    if causal:
        scores[np.triu_indices(len(q), 1)] = -np.inf
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray((p / p.sum(axis=1, keepdims=True)) @ v.astype(np.float64))


def check_gemm(module: Module, constants: dict[str, Any], m: int, n: int, k: int) -> float:
    """Largest error of one product relative to its bound; the bound is for k additions."""
    rng = np.random.default_rng()
    a, b = halves(rng, m, k), halves(rng, k, n)
    c = np.full((m, n), np.nan, dtype=np.float32)
    grid = (-(-m // constants["BM"]), -(-n // constants["BN"]))
    module.kernels["gemm"].launch(grid, a, b, c, m, n, k)
    wide_a, wide_b = a.astype(np.float64), b.astype(np.float64)
    bound = k * np.finfo(np.float32).eps * (np.abs(wide_a) @ np.abs(wide_b))
    return float(np.max(np.abs(c - wide_a @ wide_b) / bound))


def relative(got: Array, want: Array) -> float:
    """Error relative to what half precision of weights and result allows."""
    bound = 4e-3 * np.maximum(1.0, np.abs(want))
    return float(np.max(np.abs(got.astype(np.float64) - want) / bound))


def check_flash(module: Module, constants: dict[str, Any], heads: int, length: int) -> float:
    """Error of all heads; lengths need not be multiples of a block."""
    rng, depth = np.random.default_rng(), constants["D"]
    q, k, v = (halves(rng, heads, length, depth) for _ in range(3))
    out = np.full_like(q, np.nan)
    grid = (-(-length // constants["BM"]), heads)
    scale = LOG2E / math.sqrt(depth)
    module.kernels["flash_attention"].launch(grid, q, k, v, out, scale, length)
    want = [attention(q[h], k[h], v[h], constants["CAUSAL"]) for h in range(heads)]
    return relative(out, np.stack(want))


def check_paged(module: Module, constants: dict[str, Any], heads: int, lengths: list[int]) -> float:
    """Error over sequences whose blocks lie anywhere in the cache; free slots hold NaN."""
    rng = np.random.default_rng()
    g, depth, block = constants["G"], constants["D"], constants["BLOCK"]
    counts = [-(-length // block) for length in lengths]
    blocks = sum(counts) + 3
    free = list(rng.permutation(blocks))
    table = np.full((len(lengths), max(counts)), -(2**20), dtype=np.int32)
    k, v = (np.full((blocks, heads, block, depth), np.nan, dtype=np.float16) for _ in range(2))
    q = halves(rng, len(lengths), heads, g, depth)
    want = np.empty(q.shape)
    for s, length in enumerate(lengths):
        keys, values = halves(rng, heads, length, depth), halves(rng, heads, length, depth)
        for h in range(heads):
            want[s, h] = attention(q[s, h], keys[h], values[h])
        for i in range(counts[s]):
            table[s, i] = free.pop()
            part = slice(i * block, min((i + 1) * block, length))
            k[table[s, i], :, : part.stop - part.start] = keys[:, part]
            v[table[s, i], :, : part.stop - part.start] = values[:, part]
    out = np.full_like(q, np.nan)
    (kernel,) = module.kernels.values()
    kernel.launch(
        (len(lengths), heads), q, k, v, table, np.array(lengths, dtype=np.int32), out,
        LOG2E / math.sqrt(depth), blocks, table.shape[1],
    )  # fmt: skip
    return relative(out, want)


def check_split(
    split: Module, combine: Module, constants: dict[str, Any], splits: int, lengths: list[int]
) -> float:
    """Error of both steps together; a split may have no token at all."""
    rng = np.random.default_rng()
    g, depth, block = constants["G"], constants["D"], constants["BLOCK"]
    rows, capacity = len(lengths), -(-max(lengths) // block) * block
    q = halves(rng, rows, g, depth)
    k, v = halves(rng, rows, capacity, depth), halves(rng, rows, capacity, depth)
    for row, length in enumerate(lengths):
        k[row, length:] = v[row, length:] = np.nan
    partial = np.full((rows, splits, g, depth), np.nan, dtype=np.float32)
    tops, totals = (np.full((rows, splits, g), np.nan, dtype=np.float32) for _ in range(2))
    out = np.full_like(q, np.nan)
    split.kernels["split_kv"].launch(
        (rows, splits), q, k, v, np.array(lengths, dtype=np.int32), partial, tops, totals,
        LOG2E / math.sqrt(depth), capacity,
    )  # fmt: skip
    combine.kernels["combine_splits"].launch((rows, g), partial, tops, totals, out, splits)
    want = [attention(q[r], k[r, :n], v[r, :n]) for r, n in enumerate(lengths)]
    return relative(out, np.stack(want))


CHECKS: dict[str, Callable[..., float]] = {
    "gemm": lambda m, e, _: max(
        check_gemm(m, e.constants, *shape) for shape in ((256, 256, 64), (100, 160, 96))
    ),
    "flash_attention": lambda m, e, _: max(
        check_flash(m, e.constants, *case) for case in ((2, 256), (1, 300), (3, 77))
    ),
    "paged_attention": lambda m, e, _: check_paged(m, e.constants, 2, [1, 77, 300]),
    "paged_attention_warps": lambda m, e, _: check_paged(m, e.constants, 2, [1, 77, 300]),
    "combine_splits": lambda m, e, others: max(
        check_split(others["split_kv"], m, e.constants | {"BLOCK": 32}, splits, [5, 500, 130])
        for splits in (1, 3, 8)
    ),
}  # fmt: skip


def row(package: Package) -> list[str]:
    """Counts of one kernel for the table."""
    (kernel,) = package.manifest.kernels
    platform = load_target(package.manifest.target).iga_platform
    code = isa.analyse(isa.disassemble(package.zebin.code(kernel.name), platform))
    loops = [loop.counts for loop in code.loops if loop.counts.opcodes["dpas"]]

    def both(count: Callable[[isa.Counts], int]) -> str:
        inner = str(count(loops[0])) if len(loops) == 1 else "-"
        return f"{count(code.counts)} / {inner}"

    return [
        str(kernel.num_warps),
        both(lambda c: c.opcodes["dpas"]),
        both(lambda c: c.messages_like("load_block2d")),
        both(lambda c: c.messages_like("prefetch_block2d")),
        both(lambda c: c.messages_like("load.slm") + c.messages_like("store.slm")),
        both(lambda c: c.total),
        str(kernel.slm_bytes),
        str(package.zebin.kernels[kernel.name].spill_size),
    ]


HEAD = (
    "kernel", "warps", "dpas", "block loads", "prefetches", "SLM accesses", "instructions",
    "SLM bytes", "spilled",
)  # fmt: skip


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--output", type=Path, default=HERE.parents[1] / "build" / "paper")
    parser.add_argument("kernels", nargs="*", help="kernels to build (default: all)")
    given = parser.parse_args()
    given.output.mkdir(parents=True, exist_ok=True)
    modules: dict[str, Module] = {}
    right = True
    print("| " + " | ".join(HEAD) + " | error / bound |")
    print("|---" * (len(HEAD) + 1) + "|")
    try:
        for example in EXAMPLES.values():
            if given.kernels and example.kernel not in given.kernels:
                continue
            path = given.output / example.file
            kernel = load_kernel(KERNELS, example.kernel)
            variant = Variant(example.constants, example.warps)
            # What is counted is the code that block messages feed.
            build_variants(kernel, example.signature, [variant], str(path), versions="raised")
            modules[example.kernel] = module = load(path)
            check = CHECKS.get(example.kernel)
            error = check(module, example, modules) if check else 0.0
            right &= error <= 1
            cells = [example.title, *row(read_package(path)), f"{error:.2f}" if check else "-"]
            print("| " + " | ".join(cells) + " |", flush=True)
    except MltcError as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 1
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
