"""The kernels of the corpus that are no plain matrix product, against NumPy in float64.

Fresh random inputs, tails that fill no tile, outputs poisoned with NaN and guarded by
elements behind the end that must stay as they were.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from corpus import ALL, CORPUS

from execution.launches import F64, Launch, Output, check_three_ways, normal
from mltc.interpret import interpret
from mltc.runtime import Module


def vector_add(random: np.random.Generator, unit: int) -> Iterator[Launch]:
    for n in (4096, 313 * unit):
        x, exact_x = normal(random, (n,), "f32")
        y, exact_y = normal(random, (n,), "f32")
        out = Output("f32", exact_x + exact_y, 1e-6)
        yield (-(-n // 1024), 1, 1), [x, y, out.stored, n], [out]


def row_softmax(random: np.random.Generator, unit: int) -> Iterator[Launch]:
    for rows, columns in ((3, 4096), (5, 63 * unit + 512)):
        x, exact = normal(random, (rows, columns), "f16")
        e = np.exp(exact - exact.max(axis=1, keepdims=True))
        out = Output("f16", e / e.sum(axis=1, keepdims=True), 2e-4)
        yield (rows, 1, 1), [x, out.stored, columns, columns], [out]


def layer_norm(random: np.random.Generator, unit: int) -> Iterator[Launch]:
    for rows, columns in ((2, 2048), (3, 71 * unit + 512)):
        x, exact = normal(random, (rows, columns), "f16")
        w, exact_w = normal(random, (columns,), "f16")
        b, exact_b = normal(random, (columns,), "f16")
        mean = exact.mean(axis=1, keepdims=True)
        scaled = (exact - mean) / np.sqrt(exact.var(axis=1, keepdims=True) + 1e-5)
        out = Output("f16", scaled * exact_w + exact_b, 1.5e-2)
        yield (rows, 1, 1), [x, w, b, out.stored, columns, columns, 1e-5], [out]


def silu_and_mul(random: np.random.Generator, unit: int) -> Iterator[Launch]:
    for rows, columns in ((2, 4096), (3, 151 * unit + 512)):
        x, exact = normal(random, (rows, 2 * columns), "bf16")
        gate, up = exact[:, :columns], exact[:, columns:]
        expected = gate / (1 + np.exp(-gate)) * up
        out = Output("bf16", expected, 2.0**-8 * np.abs(expected) * 1.01 + 1e-6)
        yield (rows, -(-columns // 2048), 1), [x, out.stored, columns], [out]


def row_argmax(random: np.random.Generator, unit: int) -> Iterator[Launch]:
    for rows, columns in ((64, 256), (32, 9 * unit + 64)):
        x = random.integers(-50, 50, (rows, columns)).astype(np.float32)  # with ties
        value = Output("f32", x.max(axis=1).astype(np.float64), 0)
        index = Output("i32", x.argmax(axis=1).astype(np.float64), 0)
        yield (rows // 32, 1, 1), [x, value.stored, index.stored, columns, columns], [value, index]


def paged_attention(random: np.random.Generator, unit: int) -> Iterator[Launch]:
    block, depth, sequences, blocks = 32, 128, 3, 16
    q, exact_q = normal(random, (sequences, depth), "f16")
    k, exact_k = normal(random, (blocks, block, depth), "f16")
    v, exact_v = normal(random, (blocks, block, depth), "f16")
    pitch = -(-5 // unit) * unit
    table = np.full((sequences, pitch), -1, np.int32)
    table[:, :5] = random.permutation(blocks)[: sequences * 5].reshape(sequences, 5)
    lengths = np.array([160, 77, 1], np.int32)
    expected = np.zeros((sequences, depth))
    for s, length in enumerate(lengths):
        keys = exact_k[table[s, :5]].reshape(-1, depth)[:length]
        values = exact_v[table[s, :5]].reshape(-1, depth)[:length]
        score = keys @ exact_q[s] * 0.125
        p = np.exp(score - score.max())
        expected[s] = p @ values / p.sum()
    out = Output("f16", expected, 2e-3)
    args = [q, k, v, table, lengths, out.stored, 0.125, pitch, block * depth, depth, depth]
    yield (sequences, 1, 1), args, [out]


def split_k_gemm(random: np.random.Generator, unit: int) -> Iterator[Launch]:
    for m, n, k in ((256, 256, 256), (208, 240, 176)):
        a, exact_a = normal(random, (m, k), "f16")
        b, exact_b = normal(random, (k, n), "f16")
        expected = exact_a @ exact_b
        out = Output("f32", expected, 1e-5 * (np.abs(exact_a) @ np.abs(exact_b)))
        out.stored[: m * n] = 0  # the kernel adds
        yield (-(-m // 128), -(-n // 128), 4), [a, b, out.stored, m, n, k, k, n, n], [out]


def gemm_ptr(random: np.random.Generator, unit: int) -> Iterator[Launch]:
    # Rows and columns beyond the matrices are read unmasked: whole tiles only.
    for m, n, k in ((256, 128, 128), (128, 256, 80)):
        a, exact_a = normal(random, (m, k), "f16")
        b, exact_b = normal(random, (k, n), "f16")
        expected = exact_a @ exact_b
        out = Output("f32", expected, 1e-5 * (np.abs(exact_a) @ np.abs(exact_b)))
        yield (m // 128, n // 128, 1), [a, b, out.stored, m, n, k, k, n, n], [out]


def attention(exact_q: F64, exact_k: F64, exact_v: F64, scale: float, causal: bool) -> F64:
    """Softmax attention over the last two dimensions."""
    score = exact_q @ exact_k.swapaxes(-1, -2) * scale
    if causal:
        rows, columns = score.shape[-2:]
        score = np.where(np.arange(rows)[:, None] >= np.arange(columns), score, -np.inf)
    p = np.exp(score - score.max(axis=-1, keepdims=True))
    return p @ exact_v / p.sum(axis=-1, keepdims=True)


def flash_attention(
    depth: int, causal: bool
) -> Callable[[np.random.Generator, int], Iterator[Launch]]:
    def launches(random: np.random.Generator, unit: int) -> Iterator[Launch]:
        for z, h, n in ((1, 2, 256), (2, 1, 384)):
            shape = (z, h, n, depth)
            q, exact_q = normal(random, shape, "f16")
            k, exact_k = normal(random, shape, "f16")
            v, exact_v = normal(random, shape, "f16")
            scale = depth**-0.5
            out = Output("f16", attention(exact_q, exact_k, exact_v, scale, causal), 3e-3)
            args = [q, k, v, scale, out.stored, h * n * depth, n * depth, depth, h, n]
            yield (n // 128, z * h, 1), args, [out]

    return launches


def flash_attention_desc(depth: int) -> Callable[[np.random.Generator, int], Iterator[Launch]]:
    def launches(random: np.random.Generator, unit: int) -> Iterator[Launch]:
        for heads, n in ((2, 256), (1, 384)):
            q, exact_q = normal(random, (heads, n, depth), "f16")
            k, exact_k = normal(random, (heads, n, depth), "f16")
            v, exact_v = normal(random, (heads, n, depth), "f16")
            scale = depth**-0.5
            out = Output("f16", attention(exact_q, exact_k, exact_v, scale, False), 3e-3)
            yield (n // 128, heads, 1), [q, k, v, scale, out.stored, n], [out]

    return launches


KERNELS: dict[str, Callable[[np.random.Generator, int], Iterator[Launch]]] = {
    "vector_add": vector_add,
    "row_softmax": row_softmax,
    "layer_norm": layer_norm,
    "silu_and_mul": silu_and_mul,
    "row_argmax": row_argmax,
    "paged_attention": paged_attention,
    "split_k_gemm": split_k_gemm,
    "gemm_ptr": gemm_ptr,
    "flash_attention_d64": flash_attention(64, causal=False),
    "flash_attention_d128": flash_attention(128, causal=False),
    "flash_attention_causal_d64": flash_attention(64, causal=True),
    "flash_attention_desc_d64": flash_attention_desc(64),
    "flash_attention_desc_d128": flash_attention_desc(128),
}


def sources(name: str, form: str) -> list[Path]:
    """The files of one kernel: the newest Triton's, or with MLTC_CORPUS_ALL=1 every one's."""
    found = sorted(CORPUS.glob(f"triton-*/{name}{form}.ttir"))
    return found if ALL else found[-1:]


def cases() -> list[object]:
    # Block pointers rewritten to pointer arithmetic take a minute each to compile.
    forms = ("", "_u", "_rewritten") if ALL else ("", "_u")
    found = [
        pytest.param(source, name, id=f"{source.parent.name}-{source.stem}")
        for name in KERNELS
        for form in forms
        for source in sources(name, form)
    ]
    skip = pytest.mark.skip(reason=f"no corpus in {CORPUS}")
    return list(found) or [pytest.param(None, "", marks=skip)]


@pytest.mark.parametrize(("source", "name"), cases())
def test_corpus(source: Path, name: str, compile_kernel: Callable[..., Module]) -> None:
    (kernel,) = compile_kernel(source).kernels.values()
    # What the file promises of sizes and strides: multiples of 16, or nothing.
    unit = 1 if source.stem.endswith("_u") else 16
    interpreted = interpret(source).kernel()
    for launch in KERNELS[name](np.random.default_rng(len(name)), unit):
        check_three_ways(kernel, interpreted, launch)
        interpreted = None  # the first launch is enough of the slow way
