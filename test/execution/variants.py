"""The table of test_variants.py: kernels in other tiles, types, warps and tails than usual.

A line of the table is one build: element type, tile, warps, tail. The tail says what the
kernel may rely on and what it gets:

| tail   | promised of sizes and strides | sizes of the arrays                  |
|--------|-------------------------------|--------------------------------------|
| whole  | multiples of 16               | multiples of the tile                |
| ragged | multiples of 16               | multiples of 16, not of the tile     |
| odd    | nothing                       | as odd as block reads can take them  |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from execution.launches import F64, Launch, Output, normal
from execution.reference import EPSILON, decode, encode, gemm_bound, round_tf32

TRITON_NAMES = {
    "f16": "fp16", "bf16": "bf16", "f32": "fp32", "i8": "i8", "i32": "i32",
    "f8E5M2": "fp8e5", "f8E4M3FN": "fp8e4nv",
}  # fmt: skip


@dataclass(frozen=True)
class Variant:
    """One build, and what its arguments look like."""

    kernel: str
    dtype: str
    tile: tuple[int, ...]
    warps: int
    tail: str

    def __str__(self) -> str:
        tile = "x".join(map(str, self.tile))
        return f"{self.kernel}-{self.dtype}-{tile}-w{self.warps}-{self.tail}"

    @property
    def triton(self) -> str:
        """Triton's name of the element type."""
        return TRITON_NAMES[self.dtype]

    def size(self, tile: int, tiles: int = 2, unit: int = 8) -> int:
        """A size along a dimension that is cut into tiles of `tile` elements."""
        whole = tile * tiles
        if self.tail == "whole":
            return whole
        return max(whole - tile // 2, 0) // 16 * 16 + (16 if self.tail == "ragged" else unit)


@dataclass(frozen=True)
class Family:
    """How variants of a kernel are built and run.

    `arrays` are pointer arguments with their element types (`*` is the variant's, `>` the
    type of results), `scalars` the sizes and strides, `counts` what is no size, `ones` unit
    strides, `constants` the names that the tile gives values to.
    """

    arrays: dict[str, str]
    scalars: tuple[str, ...]
    constants: tuple[str, ...]
    launches: Callable[[Variant, np.random.Generator], Iterator[Launch]]
    ones: tuple[str, ...] = ()
    floats: tuple[str, ...] = ()
    counts: tuple[str, ...] = ()

    def signature(self, variant: Variant, order: list[str]) -> dict[str, str]:
        """Types of the parameters, in the order the kernel has them."""
        promise = "" if variant.tail == "odd" else ":16"
        types: dict[str, str] = {}
        for name, kind in self.arrays.items():
            element = {"*": variant.dtype, ">": result_type(variant.dtype)}.get(kind, kind)
            types[name] = f"*{TRITON_NAMES[element]}:16"
        types |= {name: f"i32{promise}" for name in self.scalars}
        types |= {name: "i32" for name in self.counts}
        types |= {name: "fp32" for name in self.floats}
        types |= {name: "i32:1" for name in self.ones}
        return {name: types[name] for name in order if name in types}


def result_type(dtype: str) -> str:
    """The type in which a dot of two operands of a type is kept."""
    return {"i8": "i32"}.get(dtype, "f32")


def exact(stored: np.ndarray[Any, Any], dtype: str) -> F64:
    """An operand of a dot as the instruction takes it."""
    if dtype == "f32":
        return round_tf32(stored).astype(np.float64)
    return decode(stored, dtype)


def operand(
    random: np.random.Generator, shape: tuple[int, ...], dtype: str
) -> tuple[np.ndarray[Any, Any], F64]:
    """A random matrix and its values in a dot."""
    if dtype == "i8":
        stored = random.integers(-128, 128, shape).astype(np.int8)
        return stored, stored.astype(np.float64)
    stored = encode(random.standard_normal(shape), dtype)
    return stored, exact(stored, dtype)


def product(a: F64, b: F64, dtype: str) -> Output:
    """What a @ b must be when it is stored as `dtype`."""
    result = a @ b
    if dtype == "i32":
        return Output(dtype, result, 0)
    return Output(dtype, result, gemm_bound(a, b, result, dtype))


# --- element-wise and along rows ------------------------------------------------------------


def vector_add(v: Variant, random: np.random.Generator) -> Iterator[Launch]:
    (block,) = v.tile
    n = v.size(block, 3, unit=5)
    if v.dtype == "i32":
        x, y = (random.integers(-(2**30), 2**30, n).astype(np.int32) for _ in range(2))
        out = Output("i32", (x + y).astype(np.float64), 0)
    else:
        x, exact_x = normal(random, (n,), v.dtype)
        y, exact_y = normal(random, (n,), v.dtype)
        expected = exact_x + exact_y
        out = Output(v.dtype, expected, EPSILON[v.dtype] * np.abs(expected) * 1.01 + 1e-7)
    yield (-(-n // block), 1, 1), [x, y, out.stored, n], [out]


def row_softmax(v: Variant, random: np.random.Generator) -> Iterator[Launch]:
    (block,) = v.tile
    columns = v.size(block, 1, unit=3)
    x, exact_x = normal(random, (3, columns), v.dtype)
    e = np.exp(exact_x - exact_x.max(axis=1, keepdims=True))
    expected = e / e.sum(axis=1, keepdims=True)
    out = Output(v.dtype, expected, EPSILON[v.dtype] * expected * 1.1 + 2e-6 * expected + 3e-8)
    yield (3, 1, 1), [x, out.stored, columns, columns], [out]


def layer_norm(v: Variant, random: np.random.Generator) -> Iterator[Launch]:
    (block,) = v.tile
    columns = v.size(block, 2, unit=7)
    x, exact_x = normal(random, (2, columns), v.dtype)
    w, exact_w = normal(random, (columns,), v.dtype)
    b, exact_b = normal(random, (columns,), v.dtype)
    mean = exact_x.mean(axis=1, keepdims=True)
    scaled = (exact_x - mean) / np.sqrt(exact_x.var(axis=1, keepdims=True) + 1e-5)
    expected = scaled * exact_w + exact_b
    out = Output(v.dtype, expected, 1.01 * EPSILON[v.dtype] * np.abs(expected) + 1e-4)
    yield (2, 1, 1), [x, w, b, out.stored, columns, columns, 1e-5], [out]


def silu_and_mul(v: Variant, random: np.random.Generator) -> Iterator[Launch]:
    (block,) = v.tile
    columns = v.size(block, 2, unit=9)
    x, exact_x = normal(random, (3, 2 * columns), v.dtype)
    gate, up = exact_x[:, :columns], exact_x[:, columns:]
    expected = gate / (1 + np.exp(-gate)) * up
    out = Output(v.dtype, expected, (1.01 * EPSILON[v.dtype] + 1e-6) * np.abs(expected) + 1e-7)
    yield (3, -(-columns // block), 1), [x, out.stored, columns], [out]


def row_argmax(v: Variant, random: np.random.Generator) -> Iterator[Launch]:
    rows, block = v.tile
    columns = v.size(block, 1, unit=3)
    numbers = random.integers(-20, 20, (2 * rows, columns)).astype(np.float64)  # with ties
    value = Output(v.dtype, numbers.max(axis=1), 0)
    index = Output("i32", numbers.argmax(axis=1).astype(np.float64), 0)
    x = encode(numbers, v.dtype)
    yield (2, 1, 1), [x, value.stored, index.stored, columns, columns], [value, index]


# --- matrix products ------------------------------------------------------------------------


def gemm(
    *, transposed: bool = False, strides: bool = True, grid: str = "mn", out: str = ">",
    whole: bool = False, bias: bool = False,
) -> Callable[[Variant, np.random.Generator], Iterator[Launch]]:  # fmt: skip
    """A product from block pointers, descriptors or pointers.

    `grid` is `mn`, `linear` or `mnk` (split along k, results added); `whole` kernels do not
    check rows and columns of what they read.
    """

    def launches(v: Variant, random: np.random.Generator) -> Iterator[Launch]:
        bm, bn, bk = v.tile[:3]
        unit = 16 if v.dtype in ("i8", "f8E5M2", "f8E4M3FN") else 8
        m = bm * 2 if whole else v.size(bm, 2, unit)
        n = bn * 2 if whole else v.size(bn, 2, unit)
        k = v.size(bk, 3, unit) + (64 if bk < 64 else 0)
        a, exact_a = operand(random, (m, k), v.dtype)
        b, exact_b = operand(random, (k, n), v.dtype)
        kind = v.dtype if out == "*" else result_type(v.dtype)
        result = product(exact_a, exact_b, kind)
        stored_b = np.ascontiguousarray(b.T) if transposed else b
        extra = []
        if bias:
            stored_bias, exact_bias = normal(random, (n,), v.dtype)
            result.expected = np.maximum(result.expected + exact_bias[None, :], 0)
            result.tolerance = result.tolerance + 2 * EPSILON[kind] * np.abs(result.expected)
            extra = [stored_bias]
        tiles_m, tiles_n = -(-m // bm), -(-n // bn)
        split = v.tile[3] if grid == "mnk" else 1
        if grid == "mnk":
            result.stored[: m * n] = 0
        groups = (tiles_m * tiles_n, 1, 1) if grid == "linear" else (tiles_m, tiles_n, split)
        args = [a, stored_b, *extra, result.stored, m, n, k]
        if strides:
            args += [k, stored_b.shape[1], n]
        yield groups, args, [result]

    return launches


# --- attention ------------------------------------------------------------------------------


def attention(q: F64, k: F64, v: F64, scale: float, causal: bool) -> F64:
    """Softmax attention over the last two dimensions."""
    score = q @ k.swapaxes(-1, -2) * scale
    if causal:
        rows, columns = score.shape[-2:]
        score = np.where(np.arange(rows)[:, None] >= np.arange(columns), score, -np.inf)
    p = np.exp(score - score.max(axis=-1, keepdims=True))
    return p @ v / p.sum(axis=-1, keepdims=True)


def flash_attention(v: Variant, random: np.random.Generator) -> Iterator[Launch]:
    bm, bn, depth, causal = v.tile
    z, h, n = 1, 2, max(2 * bm, 2 * bn)
    (q, exact_q), (k, exact_k), (w, exact_w) = (
        normal(random, (z, h, n, depth), v.dtype) for _ in range(3)
    )
    expected = attention(exact_q, exact_k, exact_w, depth**-0.5, bool(causal))
    # Probabilities are rounded to the type of the values before the second dot.
    out = Output(v.dtype, expected, 6 * EPSILON[v.dtype] * np.abs(exact_w).max())
    sizes = [h * n * depth, n * depth, depth, h, n]
    yield (n // bm, z * h, 1), [q, k, w, depth**-0.5, out.stored, *sizes], [out]


def flash_attention_desc(v: Variant, random: np.random.Generator) -> Iterator[Launch]:
    bm, bn, depth = v.tile
    heads, n = 2, max(2 * bm, 2 * bn)
    (q, exact_q), (k, exact_k), (w, exact_w) = (
        normal(random, (heads, n, depth), v.dtype) for _ in range(3)
    )
    expected = attention(exact_q, exact_k, exact_w, depth**-0.5, False)
    out = Output(v.dtype, expected, 6 * EPSILON[v.dtype] * np.abs(exact_w).max())
    yield (n // bm, heads, 1), [q, k, w, depth**-0.5, out.stored, n], [out]


def paged_attention(v: Variant, random: np.random.Generator) -> Iterator[Launch]:
    block, depth = v.tile
    blocks, used, lengths = 16, 5, np.array([5 * block, 2 * block + 1, 1], np.int32)
    q, exact_q = normal(random, (3, depth), v.dtype)
    k, exact_k = normal(random, (blocks, block, depth), v.dtype)
    w, exact_w = normal(random, (blocks, block, depth), v.dtype)
    table = np.full((3, 16), -1, np.int32)
    table[:, :used] = random.permutation(blocks)[: 3 * used].reshape(3, used)
    expected = np.zeros((3, depth))
    for s, length in enumerate(lengths):
        keys = exact_k[table[s, :used]].reshape(-1, depth)[:length]
        values = exact_w[table[s, :used]].reshape(-1, depth)[:length]
        expected[s] = attention(exact_q[s : s + 1], keys, values, 0.125, False)[0]
    out = Output(v.dtype, expected, 1.1 * EPSILON[v.dtype] * np.abs(expected) + 1e-5)
    args = [q, k, w, table, lengths, out.stored, 0.125, 16, block * depth, depth, depth]
    yield (3, 1, 1), args, [out]


_GEMM_SIZES = ("M", "N", "K", "sam", "sbk", "scm")
_GEMM = {"a_ptr": "*", "b_ptr": "*", "c_ptr": ">"}
_SAME = {"a_ptr": "*", "b_ptr": "*", "c_ptr": "*"}
_UNIT = ("sak", "sbn", "scn")
_QKV = {"Q": "*", "K": "*", "V": "*", "Out": "*"}

FAMILIES: dict[str, Family] = {
    "vector_add": Family(
        {"x_ptr": "*", "y_ptr": "*", "out_ptr": "*"}, ("n",), ("BLOCK",), vector_add
    ),
    "row_softmax": Family(
        {"x_ptr": "*", "out_ptr": "*"}, ("stride", "n_cols"), ("BLOCK",), row_softmax
    ),
    "layer_norm": Family(
        {"x_ptr": "*", "w_ptr": "*", "b_ptr": "*", "out_ptr": "*"}, ("stride", "n_cols"),
        ("BLOCK",), layer_norm, floats=("eps",),
    ),
    "silu_and_mul": Family({"x_ptr": "*", "out_ptr": "*"}, ("n_cols",), ("BLOCK",), silu_and_mul),
    "row_argmax": Family(
        {"x_ptr": "*", "val_ptr": "*", "idx_ptr": "i32"}, ("stride", "n_cols"), ("BM", "BN"),
        row_argmax,
    ),
    "gemm_ptr": Family(_GEMM, _GEMM_SIZES, ("BM", "BN", "BK"), gemm(whole=True), _UNIT),
    "gemm_block": Family(
        _GEMM, _GEMM_SIZES, ("BM", "BN", "BK", "GM"), gemm(grid="linear"), _UNIT
    ),
    "gemm_bias_relu": Family(
        {**_SAME, "bias_ptr": "*"}, _GEMM_SIZES, ("BM", "BN", "BK"), gemm(out="*", bias=True),
        _UNIT,
    ),
    "gemm_nt": Family(
        _SAME, ("M", "N", "K", "sam", "sbn", "scm"), ("BM", "BN", "BK"),
        gemm(transposed=True, out="*"), ("sak", "sbk", "scn"),
    ),
    "gemm_desc": Family(_GEMM, ("M", "N", "K"), ("BM", "BN", "BK"), gemm(strides=False)),
    "gemm_nt_desc": Family(
        _SAME, ("M", "N", "K"), ("BM", "BN", "BK"),
        gemm(transposed=True, strides=False, out="*"),
    ),
    "split_k_gemm": Family(
        _GEMM, _GEMM_SIZES, ("BM", "BN", "BK", "SPLIT"), gemm(grid="mnk"), _UNIT
    ),
    "flash_attention": Family(
        _QKV, ("stride_z", "stride_h", "stride_m", "N_CTX"), ("BM", "BN", "D", "CAUSAL"),
        flash_attention, ("stride_d",), ("sm_scale",), ("H",),
    ),
    "flash_attention_desc": Family(
        _QKV, ("N_CTX",), ("BM", "BN", "D"), flash_attention_desc, floats=("sm_scale",)
    ),
    "paged_attention": Family(
        {"q_ptr": "*", "k_ptr": "*", "v_ptr": "*", "table_ptr": "i32", "len_ptr": "i32",
         "out_ptr": "*"},
        ("stride_table", "stride_blk", "stride_tok", "stride_q"), ("BLK", "D"), paged_attention,
        floats=("sm_scale",),
    ),
}  # fmt: skip

_TABLE = """
vector_add
  f32 64 1 odd      f32 128 4 whole    f32 2048 16 odd    f32 4096 32 ragged
  f16 256 2 ragged  f16 1024 8 odd     f16 8192 64 whole  bf16 512 4 odd
  bf16 64 8 whole   i32 256 16 odd     i32 16 1 odd       f32 1024 64 ragged
row_softmax
  f16 128 1 odd     f16 512 2 ragged   f16 1024 4 whole   f16 8192 32 odd
  bf16 256 4 odd    bf16 2048 8 ragged bf16 64 16 odd     f32 128 4 whole
  f32 1024 16 odd   f32 4096 8 ragged  f32 32 1 odd
layer_norm
  f16 256 1 odd     f16 512 4 whole    f16 4096 32 ragged bf16 128 2 odd
  bf16 1024 8 whole bf16 2048 16 odd   f32 64 1 ragged    f32 256 8 odd
  f32 2048 32 odd   f16 1024 64 odd
silu_and_mul
  bf16 128 1 odd    bf16 512 4 ragged  bf16 4096 16 whole f16 256 2 odd
  f16 1024 8 whole  f16 2048 32 odd    f32 64 1 odd       f32 512 8 ragged
  f32 1024 4 odd    bf16 256 64 odd
row_argmax
  f32 16 64 1 odd   f32 8 128 4 whole  f32 64 32 8 odd    f32 4 512 16 ragged
  f16 32 64 2 odd   f16 16 256 8 whole bf16 16 128 4 odd  bf16 64 64 32 odd
  f32 1 256 4 odd   f32 128 16 16 whole
gemm_ptr
  f16 64 64 32 4 whole    f16 32 128 32 8 ragged  f16 128 64 16 8 whole   bf16 64 64 64 16 odd
  bf16 128 128 32 32 whole  f32 64 64 16 4 whole  i8 64 64 64 8 whole     f16 16 64 32 1 odd
  f16 8 32 16 1 whole     bf16 32 32 32 2 ragged
gemm_block
  f16 64 64 32 1 4 odd  f16 128 128 32 4 8 ragged
  f16 32 64 64 2 2 whole  f16 256 128 32 4 32 odd
  f16 16 128 32 1 4 odd  f16 8 64 32 1 1 ragged
  bf16 64 128 32 4 16 odd  bf16 128 64 64 2 8 whole
  bf16 256 256 16 4 32 whole  f32 64 64 16 2 4 odd
  f32 128 64 32 4 16 ragged  i8 64 64 64 2 4 whole
  i8 128 128 32 4 16 odd  f8E5M2 64 64 32 2 8 whole
  f8E4M3FN 64 64 64 2 4 odd  f16 64 64 128 2 64 whole
gemm_bias_relu
  bf16 64 64 32 4 odd     bf16 128 128 32 16 ragged  bf16 32 64 64 2 whole  bf16 16 64 32 1 odd
  f16 64 128 32 8 odd     f16 128 256 32 32 whole    f16 64 32 16 4 ragged  f32 64 64 16 4 odd
  f32 32 128 32 8 whole   f16 8 128 64 4 odd
gemm_nt
  f16 64 64 32 4 odd      f16 128 64 32 8 ragged     f16 32 128 64 4 whole  f16 16 32 32 1 odd
  bf16 64 64 64 8 odd     bf16 128 128 32 16 whole   bf16 8 64 32 2 ragged  f32 64 64 16 4 whole
  f32 32 64 32 8 odd      f16 256 64 32 32 odd
gemm_desc
  f16 64 64 32 4 odd      f16 128 128 64 16 ragged   f16 32 64 32 2 whole   f16 8 128 32 4 odd
  bf16 64 128 32 8 odd    bf16 256 128 32 32 whole   bf16 16 64 64 1 ragged f32 64 64 32 8 odd
  i8 64 64 64 4 whole     f8E5M2 64 64 64 8 whole
gemm_nt_desc
  bf16 64 64 32 4 odd     bf16 128 64 64 8 ragged    bf16 32 128 32 4 whole bf16 16 64 32 1 odd
  f16 64 64 64 8 odd      f16 128 128 32 32 whole    f16 8 64 32 2 ragged   f32 64 64 16 4 whole
  f32 32 32 32 2 odd      f16 64 256 32 16 odd
split_k_gemm
  f16 64 64 32 2 4 odd    f16 128 64 32 4 8 ragged   f16 32 64 64 2 2 whole bf16 64 64 32 4 16 odd
  bf16 128 128 16 2 16 whole  f32 64 64 16 2 4 odd   f16 16 128 32 4 4 odd  i8 64 64 64 2 8 whole
  bf16 8 64 32 2 1 ragged f16 256 64 32 2 32 whole
flash_attention
  f16 64 32 64 0 4 whole  f16 128 32 64 1 8 whole
  f16 128 64 32 0 8 whole  f16 64 64 128 1 4 whole
  f16 128 32 128 0 16 whole  f16 32 16 64 1 2 whole
  bf16 64 32 64 1 4 whole  bf16 128 64 128 0 16 whole
  bf16 64 16 32 0 8 whole   f16 16 32 64 0 1 whole   f16 64 32 256 0 4 whole
flash_attention_desc
  f16 64 32 64 4 whole      f16 128 32 128 8 whole   f16 64 64 32 4 odd       f16 128 16 64 16 odd
  bf16 64 32 64 8 whole  bf16 128 64 64 8 odd
  f16 32 32 64 2 odd  f16 64 32 256 8 whole
  bf16 16 16 32 1 odd       f16 128 128 64 8 whole
paged_attention
  f16 16 64 1 whole    f16 32 64 4 odd     f16 64 128 8 whole   f16 16 256 4 odd
  bf16 32 128 4 whole  bf16 16 64 2 odd    bf16 64 64 16 odd    f32 16 128 4 whole
  f32 32 32 1 odd      f16 128 64 32 odd
"""


def _parse(table: str) -> list[Variant]:
    variants, kernel, words = [], "", []
    for word in table.split():
        if word in FAMILIES:
            kernel = word
        elif word in ("whole", "ragged", "odd"):
            dtype, *tile, warps = words
            variants.append(Variant(kernel, dtype, tuple(map(int, tile)), int(warps), word))
            words = []
        else:
            words.append(word)
    return variants


VARIANTS = _parse(_TABLE)

ATTENTION = [
    Variant("flash_attention", "f16", (16 * warps, 32, depth, causal), warps, "whole")
    for depth in (32, 64, 128, 256)
    for warps in (4, 8, 16)
    for causal in (0, 1)
]
"""Attention with 16 rows per warp: every head size with every number of warps, causal or not."""
