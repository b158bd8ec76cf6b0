"""Kernels of many kinds (inputs/kernels.py), against NumPy in float64 and the interpreter.

They need what the corpus does not: scans, gathers, histograms, joins and splits, full
reductions, used results of atomics, locks, dots without an instruction, 8-bit floats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import erf
from pathlib import Path

import numpy as np
import pytest

from execution.launches import F64, Launch, Output, check_three_ways, normal
from execution.portable import load_portable
from execution.reference import Array
from mltc.interpret import interpret
from mltc.runtime import Module

INPUTS = Path(__file__).parent / "inputs"
Launches = Callable[[np.random.Generator], Iterator[Launch]]


def rms_norm(random: np.random.Generator) -> Iterator[Launch]:
    x, exact = normal(random, (3, 1904), "bf16")
    w, exact_w = normal(random, (1904,), "bf16")
    expected = exact / np.sqrt((exact**2).mean(axis=1, keepdims=True) + 1e-5) * exact_w
    out = Output("bf16", expected, 2.0**-8 * np.abs(expected) * 1.01 + 1e-6)
    yield (3, 1, 1), [x, w, out.stored, 1904, 1904, 1e-5], [out]


def cross_entropy(random: np.random.Generator) -> Iterator[Launch]:
    x, exact = normal(random, (4, 5008), "bf16")
    label = random.integers(0, 5008, 4).astype(np.int32)
    expected = np.log(np.exp(exact).sum(axis=1)) - exact[np.arange(4), label]
    out = Output("f32", expected, 1e-4)
    yield (4, 1, 1), [x, label, out.stored, 5008, 5008], [out]


def rotate(interleaved: bool) -> Launches:
    def launches(random: np.random.Generator) -> Iterator[Launch]:
        x, exact = normal(random, (32, 128), "f16")
        cos, exact_cos = normal(random, (16, 64), "f16")
        sin, exact_sin = normal(random, (16, 64), "f16")
        c, s = np.tile(exact_cos, (2, 1)), np.tile(exact_sin, (2, 1))
        first = slice(0, None, 2) if interleaved else slice(0, 64)
        second = slice(1, None, 2) if interleaved else slice(64, 128)
        expected = np.empty_like(exact)
        expected[:, first] = exact[:, first] * c - exact[:, second] * s
        expected[:, second] = exact[:, second] * c + exact[:, first] * s
        out = Output("f16", expected, 2.0**-10 * np.abs(expected) + 1e-5)
        yield (32, 1, 1), [x, cos, sin, out.stored, 128, 16], [out]

    return launches


def cumsum_rows(random: np.random.Generator) -> Iterator[Launch]:
    for columns in (256, 208):
        x = random.integers(-9, 9, (16, columns)).astype(np.float32)
        out = Output("f32", x.cumsum(axis=1).astype(np.float64), 0)
        yield (2, 1, 1), [x, out.stored, columns, columns], [out]


def philox(counter: Array, seed: int) -> Array:
    """The first word of Philox 4x32-10, as Triton's tl.rand uses it."""
    mask = np.uint64(0xFFFFFFFF)
    c = [counter.astype(np.uint64)] + [np.zeros(counter.shape, np.uint64) for _ in range(3)]
    k = [np.uint64(seed & 0xFFFFFFFF), np.uint64(seed >> 32)]
    a, b = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
    for _ in range(10):
        p, q = b * c[2], a * c[0]
        shift = np.uint64(32)
        c = [(p >> shift) ^ c[1] ^ k[0], p & mask, (q >> shift) ^ c[3] ^ k[1], q & mask]
        k = [(k[0] + np.uint64(0x9E3779B9)) & mask, (k[1] + np.uint64(0xBB67AE85)) & mask]
    return c[0].astype(np.uint32).view(np.int32)


def dropout(random: np.random.Generator) -> Iterator[Launch]:
    n, p = 3000, 0.5
    x, exact = normal(random, (n,), "f32")
    word = philox(np.arange(n, dtype=np.uint32), 1232).astype(np.int64)
    uniform = np.where(word < 0, -word - 1, word).astype(np.float32) * np.float32(4.6566127342e-10)
    out = Output("f32", np.where(uniform > p, exact / (1 - p), 0.0), 1e-5)
    yield (3, 1, 1), [x, out.stored, n, p, 1232], [out]


def transpose(random: np.random.Generator) -> Iterator[Launch]:
    x, exact = normal(random, (112, 208), "f16")
    out = Output("f16", exact.T, 0)
    yield (2, 4, 1), [x, out.stored, 112, 208, 208, 112], [out]


def product(a: F64, b: F64, dtype: str) -> Output:
    """A matrix product whose only error is that of f32 sums and of the result's type."""
    expected = a @ b
    ulp = {"f32": 0.0, "f16": 2.0**-11, "bf16": 2.0**-8, "i32": 0.0}[dtype]
    bound = a.shape[-1] * 2.0**-24 * (np.abs(a) @ np.abs(b))
    return Output(dtype, expected, bound + ulp * np.abs(expected) * 1.01 + 1e-6)


def batched_gemm(random: np.random.Generator) -> Iterator[Launch]:
    m, n, k, batch = 112, 208, 80, 3
    a, exact_a = normal(random, (batch, m, k), "f16")
    b, exact_b = normal(random, (batch, k, n), "f16")
    out = product(exact_a, exact_b, "f16")
    sizes = [m, n, k, m * k, k, k * n, n, m * n, n]
    yield (4, 7, batch), [a, b, out.stored, *sizes], [out]


def gemm_wrap(random: np.random.Generator) -> Iterator[Launch]:
    for m, n, k in ((256, 384, 96), (208, 336, 80)):
        a, exact_a = normal(random, (m, k), "f16")
        b, exact_b = normal(random, (k, n), "f16")
        out = product(exact_a, exact_b, "f16")
        out.expected = np.where(out.expected >= 0, out.expected, 0.01 * out.expected)
        blocks = -(-m // 32) * -(-n // 32)
        yield (blocks, 1, 1), [a, b, out.stored, m, n, k, k, n, n], [out]


def matmul(
    a_type: str, b_type: str, c_type: str, tile: tuple[int, int], error: float = 0.0
) -> Launches:
    """A GEMM from block pointers; `error` is relative to the sum of the products' sizes."""

    def launches(random: np.random.Generator) -> Iterator[Launch]:
        for m, n, k in ((128, 128, 128), (112, 144, 80)):
            a, exact_a = values(random, (m, k), a_type)
            b, exact_b = values(random, (k, n), b_type)
            out = product(exact_a, exact_b, c_type)
            out.tolerance = out.tolerance + error * (np.abs(exact_a) @ np.abs(exact_b))
            grid = (-(-m // tile[0]), -(-n // tile[1]), 1)
            yield grid, [a, b, out.stored, m, n, k, k, n, n], [out]

    return launches


def values(random: np.random.Generator, shape: tuple[int, ...], dtype: str) -> tuple[Array, F64]:
    if dtype != "i8":
        return normal(random, shape, dtype)
    stored = random.integers(-128, 128, shape).astype(np.int8)
    return stored, stored.astype(np.float64)


def gemm_w8a16(random: np.random.Generator) -> Iterator[Launch]:
    m, n, k = 112, 144, 80
    a, exact_a = normal(random, (m, k), "f16")
    b = random.integers(-128, 128, (k, n)).astype(np.int8)
    s, exact_s = normal(random, (n,), "f16")
    out = product(exact_a, b.astype(np.float64), "f16")
    out.expected *= exact_s
    out.tolerance = out.tolerance * np.abs(exact_s) + 2.0**-10 * np.abs(out.expected)
    yield (2, 2, 1), [a, b, s, out.stored, m, n, k, k, n, n], [out]


def swiglu_gemm(random: np.random.Generator) -> Iterator[Launch]:
    m, n, k = 112, 144, 80
    a, exact_a = normal(random, (m, k), "bf16")
    g, exact_g = normal(random, (k, n), "bf16")
    u, exact_u = normal(random, (k, n), "bf16")
    gate, up = exact_a @ exact_g, exact_a @ exact_u
    expected = gate / (1 + np.exp(-gate)) * up
    out = Output("bf16", expected, 2.0**-8 * np.abs(expected) * 1.01 + 1e-3)
    yield (2, 2, 1), [a, g, u, out.stored, m, n, k, k, n, n], [out]


def persistent_gemm(random: np.random.Generator) -> Iterator[Launch]:
    m, n, k = 304, 272, 112
    a, exact_a = normal(random, (m, k), "f16")
    b, exact_b = normal(random, (k, n), "f16")
    out = product(exact_a, exact_b, "f32")
    yield (2, 1, 1), [a, b, out.stored, m, n, k, k, n, n], [out]


def flash_decode(random: np.random.Generator) -> Iterator[Launch]:
    heads, group, depth, length, split = 2, 16, 64, 208, 2
    q, exact_q = normal(random, (heads, group, depth), "f16")
    k, exact_k = normal(random, (heads, length, depth), "f16")
    v, exact_v = normal(random, (heads, length, depth), "f16")
    part = length // split
    score = np.einsum("hgd,hnd->hgn", exact_q, exact_k) * 0.088
    score = score.reshape(heads, group, split, part).transpose(0, 2, 1, 3)
    top = score.max(axis=-1, keepdims=True)
    p = np.exp(score - top)
    total = p.sum(axis=-1, keepdims=True)
    expected = (p / total) @ exact_v.reshape(heads, split, part, depth)
    out = Output("f32", expected, 3e-3)
    lse = Output("f32", (top + np.log(total))[..., 0], 2e-3)
    sizes = [group * depth, length * depth, depth, length, split]
    yield (heads, split, 1), [q, k, v, out.stored, lse.stored, 0.088, *sizes], [out, lse]


def histogram(random: np.random.Generator) -> Iterator[Launch]:
    x = random.integers(0, 64, 3072).astype(np.int32)
    out = Output("i32", np.bincount(x, minlength=64).astype(np.float64), 0)
    out.stored[:64] = 0
    yield (3, 1, 1), [x, out.stored, 3072], [out]


def group_norm(random: np.random.Generator) -> Iterator[Launch]:
    channels, columns = 8, 208
    x, exact = normal(random, (3, channels, columns), "f32")
    w, exact_w = normal(random, (3, channels, 1), "f32")
    b, exact_b = normal(random, (3, channels, 1), "f32")
    mean = exact.mean(axis=(1, 2), keepdims=True)
    var = exact.var(axis=(1, 2), keepdims=True)
    out = Output("f32", (exact - mean) / np.sqrt(var + 1e-5) * exact_w + exact_b, 1e-4)
    yield (3, 1, 1), [x, w, b, out.stored, columns, 1e-5], [out]


def welford(random: np.random.Generator) -> Iterator[Launch]:
    x, exact = normal(random, (3, 912), "f32")
    mean = Output("f32", exact.mean(axis=1), 1e-5)
    var = Output("f32", exact.var(axis=1), 1e-4)
    yield (3, 1, 1), [x, mean.stored, var.stored, 912, 912], [mean, var]


def gelu(random: np.random.Generator) -> Iterator[Launch]:
    x, exact = normal(random, (3000,), "f16")
    expected = 0.5 * exact * (1 + np.vectorize(erf)(exact * 0.70710678))
    out = Output("f16", expected, 2.0**-11 * np.abs(expected) * 1.01 + 1e-6)
    yield (3, 1, 1), [x, out.stored, 3000], [out]


def embedding(random: np.random.Generator) -> Iterator[Launch]:
    table, exact = normal(random, (50, 128), "f16")
    index = random.integers(0, 50, 75).astype(np.int32)
    out = Output("f16", exact[index], 0)
    yield (3, 1, 1), [index, table, out.stored, 128, 75], [out]


def sort_rows(random: np.random.Generator) -> Iterator[Launch]:
    x, exact = normal(random, (3, 128), "f32")
    out = Output("f32", np.sort(exact, axis=1), 0)
    yield (3, 1, 1), [x, out.stored], [out]


def gather_op(random: np.random.Generator) -> Iterator[Launch]:
    x, exact = normal(random, (128,), "f32")
    index = random.integers(0, 128, 64).astype(np.int32)
    out = Output("f32", exact[index], 0)
    yield (1, 1, 1), [x, index, out.stored], [out]


def ln_bwd_lock(random: np.random.Generator) -> Iterator[Launch]:
    x = random.integers(-9, 9, (40, 400)).astype(np.float32)
    lock = np.zeros(1, np.int32)
    out = Output("f32", x.sum(axis=0).astype(np.float64), 0)
    out.stored[:400] = 0
    yield (40, 1, 1), [x, out.stored, lock, 400, 400], [out]


def moe_gemm(random: np.random.Generator) -> Iterator[Launch]:
    tokens, n, k, experts = 112, 112, 80, 3
    a, exact_a = normal(random, (tokens, k), "f16")
    b, exact_b = normal(random, (experts, k, n), "f16")
    chosen = np.array([2, 0, 1, 1, 0, 2], np.int32)
    order = np.full((6, 32), tokens, np.int32)
    for block, part in enumerate(np.array_split(random.permutation(tokens), 6)):
        order[block, : len(part)] = part
    expected = np.zeros((tokens, n))
    for block in range(6):
        rows = order[block][order[block] < tokens]
        expected[rows] = exact_a[rows] @ exact_b[chosen[block]]
    out = Output("f16", expected, 2.0**-10 * np.abs(expected) + 1e-3)
    yield (6, 4, 1), [a, b, out.stored, order, chosen, tokens, n, k, k, k * n, n, n], [out]


def latent_attention(random: np.random.Generator) -> Iterator[Launch]:
    for n in (128, 87):
        q, exact_q = normal(random, (n, 64), "f16")
        kv, exact = normal(random, (n, 64), "f16")
        s = exact_q @ exact.T / 8
        p = np.exp2(s - s.max(axis=1, keepdims=True))
        out = Output("f16", p @ exact / p.sum(axis=1, keepdims=True), 4e-3)
        yield (-(-n // 64), 1, 1), [q, kv, out.stored, 0.125, n], [out]


KERNELS: dict[str, Launches] = {
    "rms_norm": rms_norm,
    "cross_entropy": cross_entropy,
    "rope": rotate(interleaved=False),
    "rope_interleaved": rotate(interleaved=True),
    "cumsum_rows": cumsum_rows,
    "dropout": dropout,
    "transpose": transpose,
    "batched_gemm": batched_gemm,
    "gemm_wrap": gemm_wrap,
    "latent_attention": latent_attention,
    "gemm_int8": matmul("i8", "i8", "i32", (128, 128)),
    "gemm_w8a16": gemm_w8a16,
    "gemm_fp8": matmul("f8E5M2", "f8E5M2", "f32", (64, 128)),
    "gemm_fp8_e4": matmul("f8E4M3FN", "f8E4M3FN", "f32", (64, 128)),
    "swiglu_gemm": swiglu_gemm,
    "persistent_gemm": persistent_gemm,
    "flash_decode": flash_decode,
    "histogram": histogram,
    "group_norm": group_norm,
    "welford": welford,
    "gelu": gelu,
    "embedding": embedding,
    "sort_rows": sort_rows,
    "gather_op": gather_op,
    "gemm_ieee": matmul("f32", "f32", "f32", (64, 64)),
    # The products of the low parts are left out: 2^-22 of each product.
    "gemm_ieee_x3": matmul("f32", "f32", "f32", (64, 64), error=2.0**-21),
    "gemm_ieee_n8": matmul("f16", "f16", "f32", (64, 8)),
    "ln_bwd_lock": ln_bwd_lock,
    "moe_gemm": moe_gemm,
}


@pytest.mark.parametrize("name", KERNELS)
def test_kernel(name: str, compile_kernel: Callable[..., Module]) -> None:
    (kernel,) = compile_kernel(INPUTS / f"{name}.ttir").kernels.values()
    interpreted = interpret(INPUTS / f"{name}.ttir").kernel()
    for launch in KERNELS[name](np.random.default_rng(len(name))):
        check_three_ways(kernel, interpreted, launch)


EXCHANGES = ["cumsum_rows", "gather_op", "histogram", "rope_interleaved", "group_norm", "welford"]


@pytest.mark.parametrize("num_warps", [8, 32])
@pytest.mark.parametrize("name", [*EXCHANGES, "sort_rows", "ln_bwd_lock", "gemm_ieee_n8"])
def test_kernel_with_warps(
    name: str, num_warps: int, compile_kernel: Callable[..., Module]
) -> None:
    """What crosses warps does so for any number of them, also for more than elements."""
    (kernel,) = compile_kernel(INPUTS / f"{name}.ttir", num_warps=num_warps).kernels.values()
    for grid, arguments, outputs in KERNELS[name](np.random.default_rng(num_warps)):
        kernel.launch(grid, *arguments)
        for output in outputs:
            output.check()


@pytest.mark.parametrize("num_warps", [1, 2, 4, 8, 16, 32, 64])
def test_atomics_count_exactly(num_warps: int, tmp_path: Path) -> None:
    """One update per program or element, and every old value goes to one of them.

    The tiles have 128 and 256 elements: from 16 warps on there are more lanes than elements.
    """
    module = load_portable(INPUTS / "ticket.ttir", tmp_path, num_warps=num_warps)
    (kernel,) = module.kernels.values()
    count, out = np.zeros(1, np.int32), np.full((50, 128), -1, np.int32)
    kernel.launch((50, 1, 1), count, out)
    assert count[0] == 50
    assert (out == np.arange(128) + np.arange(50)[:, None]).all()

    module = load_portable(INPUTS / "tensor_atomic.ttir", tmp_path, num_warps=num_warps)
    (kernel,) = module.kernels.values()
    n, bins = 1000, 16
    counts, old = np.zeros(bins, np.int32), np.full(n, -1, np.int32)
    kernel.launch((4, 1, 1), counts, old, n, bins)
    expected = np.bincount(np.arange(n) % bins, minlength=bins)
    assert (counts == expected).all()
    for bin_number in range(bins):
        assert (np.sort(old[bin_number::bins]) == np.arange(expected[bin_number])).all()
