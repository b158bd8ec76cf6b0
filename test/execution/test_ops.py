"""One operation of the language each (inputs/op_kernels.py), against NumPy in float64."""

from __future__ import annotations

from collections.abc import Callable
from math import erf, lgamma
from pathlib import Path

import numpy as np
import pytest

from execution.launches import Output, normal
from execution.reference import FLOAT8, Array, decode, encode, to_bf16
from mltc.driver import BuildRequest, build
from mltc.runtime import Module

INPUTS = Path(__file__).parent / "inputs"
Compile = Callable[..., Module]


def kernel_of(name: str, compile_kernel: Compile, **options: object):  # type: ignore[no-untyped-def]
    (kernel,) = compile_kernel(INPUTS / f"{name}.ttir", native=False, **options).kernels.values()
    return kernel


def test_library_functions_of_floats(compile_kernel: Compile) -> None:
    random = np.random.default_rng(1)
    x, exact = normal(random, (128,), "f32")
    y, exact_y = normal(random, (128,), "f32")
    y, exact_y = np.abs(y) + np.float32(0.25), np.abs(exact_y) + 0.25
    rows = [
        np.sin(exact),
        np.exp(exact),
        np.tanh(exact),
        np.vectorize(lgamma)(exact_y),
        exact_y**exact,
        np.exp(exact),
        np.hypot(exact, exact_y),
        np.fmod(exact, exact_y),
        np.nextafter(x, y).astype(np.float64),
        np.rint(exact),
        np.copysign(exact_y, exact),
        np.sqrt(2 * exact**2 + exact_y**2),
        0.5 * (1 + np.vectorize(erf)(exact / 2**0.5)),
        exact * 8,
        np.zeros(128),
        np.signbit(exact).astype(np.float64),
        exact_y ** (-1 / 3),
        exact / exact_y,
        10**exact,
        np.copysign(np.floor(np.abs(exact) + 0.5), exact),
    ]
    expected = np.stack(rows)
    bound = np.full((len(rows), 1), 2.0**-18)
    bound[5] = 2.0**-12  # fast_expf, which only promises speed
    out = Output("f32", expected, bound * np.abs(expected) + 1e-6)
    kernel_of("libdevice_floats", compile_kernel).launch((1, 1, 1), x, y, out.stored, 128)
    out.check()


def test_library_functions_of_integers(compile_kernel: Compile) -> None:
    random = np.random.default_rng(2)
    x = random.integers(-(2**31), 2**31, 128).astype(np.int32)
    y = random.integers(-(2**31), 2**31, 128).astype(np.int32)
    x[:4] = 0, -1, 1, -(2**31)
    wide_x, wide_y = x.astype(np.int64), y.astype(np.int64)
    bits = [f"{v & 0xFFFFFFFF:032b}" for v in x.tolist()]
    reversed_ = np.array([int(b[::-1], 2) for b in bits], np.uint32).view(np.int32)

    def low24(v: Array) -> Array:
        return (v << 8 & 0xFFFFFFFF).astype(np.uint32).view(np.int32).astype(np.int64) >> 8

    product = (low24(wide_x) * low24(wide_y)) & 0xFFFFFFFF
    expected = np.stack(
        [
            np.array([32 if v == 0 else b.index("1") for v, b in zip(x, bits, strict=True)]),
            np.array([b.count("1") for b in bits]),
            reversed_,
            np.array([b[::-1].find("1") + 1 for b in bits]),
            (wide_x * wide_y) >> 32,
            (wide_x + wide_y) >> 1,
            (wide_x + wide_y + 1) >> 1,
            product.astype(np.uint32).view(np.int32),
            np.floor(x.astype(np.float32) * np.float32(1e-6)),
            x.astype(np.float32).view(np.int32),
        ]
    ).astype(np.float64)
    out = Output("i32", expected, 0)
    kernel_of("libdevice_integers", compile_kernel).launch((1, 1, 1), x, y, out.stored, 128)
    out.check()


def test_map_elementwise(compile_kernel: Compile) -> None:
    random = np.random.default_rng(3)
    x = random.integers(-4, 5, 256).astype(np.int32)  # divides by it only where positive
    y = random.integers(0, 1000, 256).astype(np.int32)
    quotient = np.where(x > 0, y // np.maximum(x, 1), -x)
    out = Output("i32", np.stack([quotient, x + y]).astype(np.float64), 0)
    kernel_of("map_elementwise", compile_kernel).launch((1, 1, 1), x, y, out.stored, 256)
    out.check()

    expected = np.where(np.arange(256) % 2 == 0, np.maximum(x, y), x + y)
    out = Output("i32", expected.astype(np.float64), 0)
    kernel_of("map_packed", compile_kernel).launch((1, 1, 1), x, y, out.stored)
    out.check()


FLOAT4 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])


def test_calls_and_messages(
    compile_kernel: Compile, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """`noinline` is not honoured, messages are left out with a warning."""
    x, exact = normal(np.random.default_rng(6), (100,), "f32")
    scale = 1.0
    for _ in range(3):
        scale = scale * scale + 0.5 * 3
    source = INPUTS / "noinline_call.ttir"
    kernel = kernel_of("noinline_call", compile_kernel)
    padded = np.concatenate([x, np.zeros(28, np.float32)])
    out = Output("f32", (exact * scale)[:3], 1e-3)
    kernel.launch((1, 1, 1), padded, out.stored, 3)
    out.check()
    capfd.readouterr()
    build(BuildRequest(input=str(source), output=str(tmp_path / "k.zebin"), native=False))
    warnings = capfd.readouterr().err
    assert "'tt.print' is left out" in warnings
    assert "'tt.assert' is left out" in warnings


UPDATES = {
    "add": np.add,
    "max": np.maximum,
    "min": np.minimum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}
TYPES = {"i32": np.int32, "u32": np.uint32, "i64": np.int64, "f32": np.float32, "f16": np.float16}
ATOMICS = [
    *("add_i32", "add_i64", "add_f32", "add_f16", "add_bf16", "max_i32", "max_u32", "max_f32"),
    *("min_i64", "min_u32", "min_f32", "and_i32", "or_i32", "xor_i64", "xchg_f32", "xchg_i64"),
]


def check_atomic(name: str, num_warps: int, compile_kernel: Compile) -> None:
    """All updates of seven cells happen once: the cells, and the chain of old values."""
    operation, dtype = name.split("_")
    n, cells = 700, 7
    random = np.random.default_rng(num_warps)
    if dtype in ("i32", "i64"):
        x = random.integers(-100, 100, n).astype(TYPES[dtype])
    elif dtype == "u32":
        x = random.integers(0, 2**32, n).astype(np.uint32)
    else:
        # Sums of few small integers: exact in every type and order.
        x = random.integers(0, 3, n).astype(np.float64)
    if dtype == "bf16":
        stored: Array = to_bf16(x)
    else:
        stored = x.astype(TYPES[dtype])
    start = stored[:cells].copy()
    memory, old = start.copy(), np.zeros_like(stored)
    arguments = [v.view(np.int32) if dtype == "u32" else v for v in (memory, stored, old)]
    kernel = kernel_of(f"atomic_{name}", compile_kernel, num_warps=num_warps)
    kernel.launch((3, 1, 1), *arguments, n)
    for cell in range(cells):
        values, seen, first, last = (
            decode(v, dtype) if dtype == "bf16" else v
            for v in (stored[cell::cells], old[cell::cells], start[cell], memory[cell])
        )
        if operation == "xchg":
            # Every value but the last is seen once, and the first one.
            chain = np.sort(np.append(seen, last))
            assert (chain == np.sort(np.append(values, first))).all()
            continue
        total = UPDATES[operation].reduce(np.append(values, first))
        assert last == total, (cell, last, total)
        # Each old value is that of some moment: between start and end.
        if operation in ("max", "add") and dtype[0] in "fb":
            assert (seen >= first).all() and (seen <= last).all()


@pytest.mark.parametrize("name", ATOMICS)
def test_atomic_updates(name: str, compile_kernel: Compile) -> None:
    check_atomic(name, 4, compile_kernel)


@pytest.mark.parametrize("num_warps", [1, 2, 8, 16, 32, 64])
@pytest.mark.parametrize("name", ["add_i32", "add_f16", "xchg_i64"])
def test_atomic_updates_with_warps(name: str, num_warps: int, compile_kernel: Compile) -> None:
    check_atomic(name, num_warps, compile_kernel)


@pytest.mark.parametrize("num_warps", [1, 4, 16, 64])
def test_scalar_atomics(num_warps: int, compile_kernel: Compile) -> None:
    """Scalars: one update per program, and compare-and-swap passes a token on."""
    programs = 40
    cells, token = np.zeros(3, np.int32), np.zeros(1, np.int32)
    old = np.full(programs, -1, np.int32)
    kernel = kernel_of("atomic_scalar", compile_kernel, num_warps=num_warps)
    kernel.launch((programs, 1, 1), cells, token, old)
    assert token[0] == programs
    bits = np.bitwise_xor.reduce([1 << (i % 31) for i in range(programs)])
    assert cells.tolist() == [programs - 1, bits, 2 * programs]
    # The token orders the programs, so program i added after all before it.
    assert (np.sort(old) == 2 * np.arange(programs)).all()


@pytest.mark.parametrize("num_warps", [16])
def test_scan_rows(num_warps: int, compile_kernel: Compile) -> None:
    x = np.random.default_rng(7).integers(-9, 9, (8, 256)).astype(np.float32)
    out = Output("f32", x.cumsum(axis=1).astype(np.float64), 0)
    kernel_of("scan_rows", compile_kernel, num_warps=num_warps).launch((1, 1, 1), x, out.stored)
    out.check()


def test_results_of_a_row_per_warp(compile_kernel: Compile) -> None:
    """One lane of a warp stores; what all lanes add up behind the store is not lost."""
    x = np.random.default_rng(8).integers(-99, 99, (4, 16)).astype(np.int32)
    least, total = (Output("i32", e.astype(np.float64), 0) for e in (x.min(1), x.sum(1)))
    kernel = kernel_of("row_results", compile_kernel, num_warps=4)
    kernel.launch((1, 1, 1), x, least.stored, total.stored)
    least.check()
    total.check()


def test_decode_matches_encode() -> None:
    """The reference of 8-bit floats is its own inverse on its codes."""
    for dtype, values in FLOAT8.items():
        finite = np.isfinite(values) & (values != 0)
        assert (decode(encode(values[finite], dtype), dtype) == values[finite]).all()
