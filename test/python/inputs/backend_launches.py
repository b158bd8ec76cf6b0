"""Launches of stock Triton through mltc's back end; prints one JSON line per scenario.

Run by test_triton_backend.py with one Triton release on the path.  Outputs start as NaN, inputs are
random, and everything is compared with NumPy in double precision.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

from mltc import language as mtl
from mltc.runtime.errors import PreconditionError
from mltc.toolchain import Tool
from mltc.triton_backend import compiler, empty, set_device, tensor, zeros

RNG = np.random.default_rng(int(os.environ["MLTC_SEED"]))
RELEASE = tuple(int(part) for part in triton.__version__.split(".")[:2])
SCENARIOS: list[Callable[[], None]] = []


def scenario(function: Callable[[], None]) -> Callable[[], None]:
    SCENARIOS.append(function)
    return function


def normal(*shape: int, dtype: Any = np.float32) -> np.ndarray[Any, Any]:
    return RNG.standard_normal(shape, dtype=np.float32).astype(dtype)


def nans(*shape: int, dtype: Any = np.float32) -> np.ndarray[Any, Any]:
    return np.full(shape, np.nan, dtype)


# Pointers, scalars, constants, tuples.


@triton.jit
def scaled_add(x, y, out, n, scale, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    result = scale * tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside)
    tl.store(out + at, result, mask=inside)


def check_scaled_add(x: Any, y: Any, n: int, block: int = 256, **options: Any) -> Any:
    out = nans(n + 64)
    grid = lambda meta: (triton.cdiv(n, meta["BLOCK"]),)  # noqa: E731
    kernel = scaled_add[grid](
        tensor(x), tensor(y), tensor(out), n, 1.5, BLOCK=block, num_warps=4, **options
    )
    np.testing.assert_allclose(
        out[:n], 1.5 * x[:n].astype(np.float64) + y[:n], rtol=1e-5, atol=1e-6
    )
    assert np.isnan(out[n:]).all()
    return kernel


@scenario
def specialization() -> None:
    """Lengths and addresses that are and are not multiples of 16, and a length of 1."""
    x, y = normal(1040), normal(1040)
    for n in (1024, 1000, 999, 1):
        check_scaled_add(x, y, n)
    check_scaled_add(x[1:], y[3:], 999)
    check_scaled_add(x[1:], x[4:], 999)  # one memory, two alignments
    variants = list(next(iter(scaled_add.device_caches.values()))[0].values())
    assert len({kernel.hash for kernel in variants}) == len(variants) >= 4


@scenario
def cache() -> None:
    """What was built is found again, also behind a kernel that forgot it."""
    x, y = normal(512), normal(512)
    first = check_scaled_add(x, y, 512, 64)
    scaled_add.device_caches.clear()
    listener: list[bool] = []
    triton.knobs.compilation.listener = lambda **event: listener.append(event["cache_hit"])
    try:
        second = check_scaled_add(x, y, 512, 64)
        check_scaled_add(x, y, 512, 64, grf=256)
    finally:
        triton.knobs.compilation.listener = None
    assert listener == [True, False] and first.hash == second.hash
    assert first.asm["zebin"][:4] == b"\x7fELF" and "tt.func" in first.asm["ttir"]


@triton.jit
def pick(arrays, numbers, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    value = tl.load(arrays[0] + at) * numbers[0] + tl.load(arrays[1][0] + at) * numbers[1]
    tl.store(out + at, value)


@scenario
def tuples() -> None:
    x, y, out = normal(64), normal(64), nans(64)
    for numbers in ((2, 3.0), (1, 0.5), (16, -1.0)):
        pick[(1,)]((tensor(x), (tensor(y),)), numbers, tensor(out), BLOCK=64)
        np.testing.assert_allclose(out, x * numbers[0] + y * numbers[1], rtol=1e-5, atol=1e-6)


@triton.jit
def convert(source, out, big, flag, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    value = tl.load(source + at).to(tl.float32)
    tl.store(out + at, tl.where(flag, value, -value) + (big >> 62).to(tl.float32))


@scenario
def element_types() -> None:
    """bf16 as bits, unsigned integers, a bool, a number beyond 63 bits."""
    out = nans(64)
    for dtype in ("int8", "uint8", "int16", "uint16", "int32", "float16", "float64"):
        x = RNG.integers(0, 100, 64).astype(dtype)
        convert[(1,)](tensor(x), tensor(out), 2**63 + 1, True, BLOCK=64)
        np.testing.assert_array_equal(out, x.astype(np.float32) + 2)
    x = normal(64)
    bits = (x.view(np.uint32) >> 16).astype(np.uint16)
    convert[(1,)](tensor(bits, "bf16"), tensor(out), 2**63 + 1, False, BLOCK=64)
    np.testing.assert_array_equal(out, -(bits.astype(np.uint32) << 16).view(np.float32) + 2)


@scenario
def views_and_memory() -> None:
    """Strided views, triton.reinterpret, memory of dpctl, and something like a torch tensor."""
    x, y = normal(512), normal(512)
    check_scaled_add(x, y, 512)
    out = zeros(512)
    scaled_add[(2,)](triton.reinterpret(tensor(x.view(np.int32)), tl.float32), tensor(y), out, 512, 0.0,
                     BLOCK=256)  # fmt: skip
    np.testing.assert_array_equal(out.numpy(), y)

    class HostTensor:
        """Only what torch's tensors share with the protocol."""

        def __init__(self, array: Any) -> None:
            self._array = array
            self.dtype, self.shape, self.device = "torch.float32", array.shape, "cpu"

        def data_ptr(self) -> int:
            return int(self._array.ctypes.data)

        def stride(self) -> tuple[int, ...]:
            return tuple(stride // 4 for stride in self._array.strides)

        def element_size(self) -> int:
            return 4

    result = nans(512)
    scaled_add[(2,)](HostTensor(x), tensor(y), HostTensor(result), 512, 1.0, BLOCK=256)
    np.testing.assert_allclose(result, x + y, rtol=1e-6)

    import dpctl
    import dpctl.memory

    queue = dpctl.SyclQueue("opencl:cpu")
    memory = dpctl.memory.MemoryUSMShared(2048, queue=queue)
    scaled_add[(2,)](tensor(x), tensor(y), tensor(memory, "fp32"), 512, 1.0, BLOCK=256)
    np.testing.assert_allclose(tensor(memory, "fp32").numpy(), x + y, rtol=1e-6)


@scenario
def warmup() -> None:
    kernel = scaled_add.warmup(
        tensor(normal(32)), tensor(normal(32)), empty(32), 32, 2.0, BLOCK=32, grid=(1,)
    )
    assert kernel.metadata.num_warps == 4 and kernel.metadata.name == "scaled_add"


# Kernels people write.


@triton.jit
def softmax_rows(source, out, rows, columns, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(source + row * stride + at, mask=at < columns, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(out + row * stride + at, e / tl.sum(e, axis=0), mask=at < columns)


@scenario
def softmax() -> None:
    for rows, columns in ((7, 512), (5, 391)):
        x, out = normal(rows, columns), nans(rows, columns)
        block = triton.next_power_of_2(columns)
        softmax_rows[(rows,)](tensor(x), tensor(out), rows, columns, x.shape[1], BLOCK=block)
        e = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
        np.testing.assert_allclose(out, e / e.sum(1, keepdims=True), rtol=1e-5, atol=1e-7)


@triton.autotune(
    configs=[
        triton.Config({"BM": 32, "BN": 32, "BK": 16}, num_warps=4),
        triton.Config({"BM": 16, "BN": 32, "BK": 16}, num_warps=4),
        triton.Config({"BM": 32, "BN": 32, "BK": 16}, num_warps=1024),  # no device has them
    ],
    key=["M", "N", "K"],
    reset_to_zero=["c"],
)
@triton.jit
def matmul_pointers(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        depth = k + tl.arange(0, BK)
        x = tl.load(a + rows[:, None] * K + depth[None, :],
                    mask=(rows[:, None] < M) & (depth[None, :] < K), other=0.0)  # fmt: skip
        y = tl.load(b + depth[:, None] * N + columns[None, :],
                    mask=(depth[:, None] < K) & (columns[None, :] < N), other=0.0)  # fmt: skip
        acc = tl.dot(x, y, acc)
    inside = (rows[:, None] < M) & (columns[None, :] < N)
    tl.store(c + rows[:, None] * N + columns[None, :], acc, mask=inside)


def check_product(a: Any, b: Any, c: Any) -> None:
    wide = a.astype(np.float64) @ b.astype(np.float64)
    bound = a.shape[1] * np.finfo(np.float32).eps * (np.abs(a).astype(np.float64) @ np.abs(b))
    assert (np.abs(c - wide) <= bound).all()


@scenario
def gemm_autotuned() -> None:
    for m, n, k in ((64, 64, 32), (50, 40, 24)):
        a, b, c = normal(m, k, dtype=np.float16), normal(k, n, dtype=np.float16), nans(m, n)
        grid = lambda meta, m=m, n=n: (triton.cdiv(m, meta["BM"]), triton.cdiv(n, meta["BN"]))  # noqa: E731
        matmul_pointers[grid](tensor(a), tensor(b), tensor(c), m, n, k)
        check_product(a, b, c)
    assert matmul_pointers.best_config.num_warps == 4


@triton.jit
def matmul_host(a, b, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    i, j = tl.program_id(0), tl.program_id(1)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(a.load([i * BM, k]), b.load([k, j * BN]), acc)
    c.store([i * BM, j * BN], acc)


@triton.jit
def matmul_device(
    a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr
):
    a = tl.make_tensor_descriptor(a_ptr, [M, K], [K, 1], [BM, BK])
    b = tl.make_tensor_descriptor(b_ptr, [K, N], [N, 1], [BK, BN])
    c = tl.make_tensor_descriptor(c_ptr, [M, N], [N, 1], [BM, BN])
    i, j = tl.program_id(0), tl.program_id(1)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(a.load([i * BM, k]), b.load([k, j * BN]), acc)
    c.store([i * BM, j * BN], acc)


@scenario
def gemm_descriptors() -> None:
    """Descriptors made on the host and in the kernel, tiles that do and do not fit."""
    for m, n, k in ((128, 128, 64), (136, 80, 96)):
        a, b = normal(m, k, dtype=np.float16), normal(k, n, dtype=np.float16)
        grid = (triton.cdiv(m, 64), triton.cdiv(n, 64))
        blocks = {"BM": 64, "BN": 64, "BK": 32, "num_warps": 4}
        c = nans(m, n)
        views = [TensorDescriptor.from_tensor(tensor(array), block)
                 for array, block in ((a, [64, 32]), (b, [32, 64]), (c, [64, 64]))]  # fmt: skip
        matmul_host[grid](*views, k, **blocks)
        check_product(a, b, c)
        c[...] = np.nan
        matmul_device[grid](tensor(a), tensor(b), tensor(c), m, n, k, **blocks)
        check_product(a, b, c)


@scenario
def conditions() -> None:
    """Launches that block messages cannot do: rows of 66 bytes, a base between cache lines."""
    blocks = {"BM": 32, "BN": 32, "BK": 32, "num_warps": 4}
    for m, n, k, shift in ((40, 33, 33, 0), (32, 64, 64, 1), (64, 64, 32, 0)):
        a = normal(m * k + shift, dtype=np.float16)[shift:].reshape(m, k)
        b, c = normal(k, n, dtype=np.float16), nans(m, n)
        grid = (triton.cdiv(m, 32), triton.cdiv(n, 32))
        matmul_device[grid](tensor(a), tensor(b), tensor(c), m, n, k, **blocks)
        check_product(a, b, c)
    small = tensor(a[:16].copy())
    text = message_of(
        lambda: matmul_device[grid](small, tensor(b), tensor(c), m, n, k, **blocks),
        PreconditionError,
    )
    assert "too few" in text, text


@triton.jit
def attention(q_ptr, k_ptr, v_ptr, o_ptr, scale, length, CAUSAL: tl.constexpr, D: tl.constexpr,
              BM: tl.constexpr, BN: tl.constexpr):  # fmt: skip
    start = tl.program_id(0) * BM
    base = tl.program_id(1) * length * D
    q_desc = tl.make_tensor_descriptor(q_ptr + base, [length, D], [D, 1], [BM, D])
    k_desc = tl.make_tensor_descriptor(k_ptr + base, [length, D], [D, 1], [BN, D])
    v_desc = tl.make_tensor_descriptor(v_ptr + base, [length, D], [D, 1], [BN, D])
    o_desc = tl.make_tensor_descriptor(o_ptr + base, [length, D], [D, 1], [BM, D])
    q = q_desc.load([start, 0])
    rows = start + tl.arange(0, BM)
    top = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    end = tl.minimum(start + BM, length) if CAUSAL else length
    for n in range(0, end, BN):
        columns = n + tl.arange(0, BN)
        s = tl.dot(q, tl.trans(k_desc.load([n, 0]))) * scale
        keep = columns[None, :] < length
        if CAUSAL:
            keep = keep & (columns[None, :] <= rows[:, None])
        s = tl.where(keep, s, -1.0e6)
        higher = tl.maximum(top, tl.max(s, 1))
        p = tl.exp(s - higher[:, None])
        shrink = tl.exp(top - higher)
        total = total * shrink + tl.sum(p, 1)
        acc = tl.dot(p.to(tl.float16), v_desc.load([n, 0]), acc * shrink[:, None])
        top = higher
    o_desc.store([start, 0], (acc / total[:, None]).to(tl.float16))


@scenario
def flash_attention_2() -> None:
    heads, depth = 2, 64
    for length, causal in ((128, False), (128, True), (88, True)):
        q, k, v = (normal(heads, length, depth, dtype=np.float16) for _ in range(3))
        out = nans(heads, length, depth, dtype=np.float16)
        attention[(triton.cdiv(length, 64), heads)](
            tensor(q), tensor(k), tensor(v), tensor(out), depth**-0.5, length,
            CAUSAL=causal, D=depth, BM=64, BN=32, num_warps=4,
        )  # fmt: skip
        s = q.astype(np.float64) @ k.astype(np.float64).swapaxes(1, 2) * depth**-0.5
        if causal:
            s = np.where(np.tril(np.ones((length, length), bool)), s, -np.inf)
        p = np.exp(s - s.max(2, keepdims=True))
        want = p / p.sum(2, keepdims=True) @ v.astype(np.float64)
        np.testing.assert_allclose(out, want, rtol=5e-3, atol=5e-3)


@triton.jit
def first_of_warps(x, out, N: mtl.constexpr):
    mtl.warp_level()
    place = mtl.warp_id() * N + mtl.arange(0, N)
    top = mtl.max(mtl.load(x + place), cross_warp=True)
    if mtl.warp_id() == 0:
        mtl.store(out + mtl.arange(0, N), top)


@scenario
def language_extension() -> None:
    """Kernels in mltc.language, also with another number of warps than before."""
    for warps in (4, 8):
        x, out = normal(warps, 32), nans(32)
        kernel = first_of_warps[(1,)](tensor(x), tensor(out), N=32, num_warps=warps)
        np.testing.assert_array_equal(out, x.max(0))
        assert kernel.metadata.shared > 0


# Native code, errors, and who is asked.


@scenario
def native_code() -> None:
    """The option builds the zebin too; the launch on the CPU is the same."""
    kernel = check_scaled_add(normal(64), normal(64), 64, 64, native=True)
    assert kernel.n_regs in (128, 256) and kernel.n_spills == 0
    assert b".ze_info" in kernel.asm["zebin"]


@scenario
def cache_keys() -> None:
    """They follow everything that a package depends on."""
    with tempfile.TemporaryDirectory() as folder:
        pipeline, program = Path(folder, "mine.yaml"), Path(folder, "program")
        pipeline.write_text("one")
        program.write_text("one")
        options = compiler.LaunchOptions(pipeline=str(pipeline))
        first = options.hash()
        assert first == options.hash()
        pipeline.write_text("two")
        assert first != options.hash()

        def find(name: str) -> Tool:
            tool = Tool(name, ["/bin/cat", str(program)], "test")
            object.__setattr__(tool, "version", lambda: version)
            return tool

        real, compiler.find_tool = compiler.find_tool, find
        try:
            version = "1"
            keys = [compiler.toolchain_key.__wrapped__()]
            assert keys == [compiler.toolchain_key.__wrapped__()]
            version = "2"
            keys.append(compiler.toolchain_key.__wrapped__())
            program.write_text("three")
            keys.append(compiler.toolchain_key.__wrapped__())
            assert len(set(keys)) == 3
        finally:
            compiler.find_tool = real


@scenario
def simulator() -> None:
    """The same launches on the simulated target, whose packages have native code."""
    set_device("sim:pvc")
    try:
        kernel = check_scaled_add(normal(300), normal(300), 300, 64)
        assert b".ze_info" in kernel.asm["zebin"] and kernel.n_spills == 0
        a, b, c = normal(40, 64, dtype=np.float16), normal(64, 48, dtype=np.float16), nans(40, 48)
        matmul_device[(2, 2)](tensor(a), tensor(b), tensor(c), 40, 48, 64,
                              BM=32, BN=32, BK=32, num_warps=4)  # fmt: skip
        check_product(a, b, c)
    finally:
        set_device(None)
    portable = check_scaled_add(normal(300), normal(300), 300, 64)
    assert b".ze_info" not in portable.asm["zebin"]


@triton.jit
def wrong_line(out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    one = tl.inline_asm_elementwise("mov $0, 1;", "=r", [], tl.int32, True, 1)  # HERE
    tl.store(out + at, one + at)


def message_of(action: Callable[[], Any], *kinds: type[BaseException]) -> str:
    try:
        action()
    except kinds as error:
        return str(error)
    raise AssertionError("nothing was refused")


@scenario
def errors() -> None:
    from mltc.errors import MltcError
    from mltc.runtime import ArgumentError

    with open(__file__) as file:
        line = next(i for i, text in enumerate(file, 1) if text.rstrip().endswith("# HERE"))
    out = zeros(64, "i32")
    text = message_of(lambda: wrong_line[(1,)](out, BLOCK=64), MltcError)
    assert f"backend_launches.py:{line}:" in text, text
    x = tensor(normal(64))
    run = scaled_add[(1,)]
    text = message_of(lambda: run(x.numpy(), x, x, 64, 1.0, BLOCK=64), TypeError)
    assert "ndarray" in text, text
    text = message_of(lambda: run(x, x, x, 64, 1.0, BLOCK=64, num_warp=4), KeyError)
    assert "num_warp" in text, text
    short = nans(64)
    short.flags.writeable = False
    text = message_of(lambda: run(x, x, tensor(short), 64, 1.0, BLOCK=64), ArgumentError)
    assert "read-only" in text, text
    text = message_of(lambda: set_device("level_zero:gpu:99"), MltcError)
    assert "level_zero" in text or "GPU" in text, text
    check_scaled_add(normal(64), normal(64), 64, 64)  # the device is still the same


@scenario
def selection() -> None:
    """We are the one back end here; another one with a device goes before us."""
    from triton.backends import backends

    from mltc.triton_backend.driver import MltcDriver

    assert type(triton.runtime.driver.active) is MltcDriver
    real = backends["nvidia"].driver.is_active
    backends["nvidia"].driver.is_active = staticmethod(lambda: True)
    try:
        assert not MltcDriver.is_active()
        os.environ["MLTC_TRITON"] = "1"
        assert MltcDriver.is_active()
        os.environ["MLTC_TRITON"] = "0"
        assert not MltcDriver.is_active()
    finally:
        del os.environ["MLTC_TRITON"]
        backends["nvidia"].driver.is_active = real


def main() -> None:
    for function in SCENARIOS:
        start = time.perf_counter()
        try:
            function()
            problem = None
        except BaseException:
            problem = traceback.format_exc()
        seconds = round(time.perf_counter() - start, 1)
        record = {"name": function.__name__, "problem": problem, "seconds": seconds}
        print(json.dumps(record), flush=True)


if __name__ == "__main__":
    sys.exit(main())
