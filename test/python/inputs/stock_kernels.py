"""Kernels that together use what Triton's language has, for the front end of stock Triton.

Each kernel is one ``Kernel``: the function, the types of its arguments, its constants, and the
releases of Triton whose language has what it uses.  The kernels compute nothing of interest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import triton
import triton.language as tl
from triton.language.extra import libdevice


@dataclass(frozen=True)
class Kernel:
    """A kernel and what is needed to compile it."""

    function: Any
    signature: dict[str, str]
    constants: dict[str, int]
    first: tuple[int, int]
    last: tuple[int, int]

    @property
    def name(self) -> str:
        """The name of the function."""
        return str(self.function.fn.__name__)


KERNELS: list[Kernel] = []


def kernel(
    first: tuple[int, int] = (3, 2), last: tuple[int, int] = (3, 99), B: int = 16, **types: str
) -> Callable[[Any], Any]:
    """Registers a kernel with arguments of these types and the constant B."""

    def register(function: Any) -> Any:
        jitted = triton.jit(function)
        KERNELS.append(Kernel(jitted, types, {"B": B}, first, last))
        return jitted

    return register


@triton.jit
def add(a, b):
    return a + b


@triton.jit
def larger(a, ai, b, bi):
    is_larger = a > b
    return tl.where(is_larger, a, b), tl.where(is_larger, ai, bi)


@triton.jit
def compare(a, b):
    if a < b:
        return -1
    elif a == b:
        return 0
    else:
        return 1


@triton.jit(noinline=True)
def twice(p, n):
    x = tl.load(p)
    tl.store(p, x + n)
    return x * 2


@triton.jit(noinline=True)
def pair(p, n):
    if n > 3:
        return 1.0, n
    return 2.0, n + 1


@kernel(p="*fp32", q="*fp32", n="i32")
def loads(p, q, n, B: tl.constexpr):
    o = tl.arange(0, B)
    m = o < n
    a = tl.load(p + o, mask=m, other=0.0, cache_modifier=".cg", eviction_policy="evict_last")
    b = tl.load(p + o, volatile=True)
    c = tl.load(p + o, mask=m, cache_modifier=".ca")
    d = tl.load(p + o, eviction_policy="evict_first")
    tl.store(q + o, a + b + c + d, mask=m, cache_modifier=".wt", eviction_policy="evict_first")
    tl.store(q + o, a, cache_modifier=".cs")


@kernel(last=(3, 7), p="*fp16", q="*fp16", M="i32", N="i32")
def block_pointers(p, q, M, N, B: tl.constexpr):
    x = tl.make_block_ptr(p, (M, N), (N, 1), (tl.program_id(0) * B, 0), (B, B), (1, 0))
    a = tl.load(x, boundary_check=(0, 1), padding_option="zero")
    b = tl.load(x, boundary_check=(1,), padding_option="nan")
    x = tl.advance(x, (0, B))
    y = tl.make_block_ptr(q, (N, M), (1, N), (0, 0), (B, B), (0, 1))
    tl.store(y, a + b + tl.load(x), boundary_check=(0, 1))


@kernel(p="*fp32", i="*i32", l="*i64", u="*u32", h="*fp16", n="i32")
def atomics(p, i, l, u, h, n, B: tl.constexpr):  # noqa: E741
    o = tl.arange(0, B)
    m = o < n
    v = o.to(tl.float32)
    a = tl.atomic_add(p + o, v, mask=m)
    tl.atomic_add(p, 1.0, sem="relaxed", scope="cta")
    tl.atomic_max(p + o, v)
    tl.atomic_min(p + o, v, mask=m)
    tl.atomic_max(i + o, o)
    tl.atomic_min(i + o, o, sem="release", scope="sys")
    tl.atomic_max(u + o, o.to(tl.uint32))
    tl.atomic_and(i + o, o)
    tl.atomic_or(i + o, o)
    tl.atomic_xor(i + o, o)
    tl.atomic_xchg(p + o, a)
    tl.atomic_xchg(l + o, o.to(tl.int64))
    tl.atomic_cas(i, 0, 1)
    tl.atomic_cas(i + o, o, o + 1, sem="acquire")
    tl.atomic_add(h + o, v.to(tl.float16), mask=m)


@kernel(first=(3, 9), p="*i32", q="*i32")
def ordered_accesses(p, q, B: tl.constexpr):
    o = tl.arange(0, B)
    tl.atomic_store(q + o, tl.atomic_load(p + o))
    tl.atomic_store(q, tl.atomic_load(p, sem="relaxed"), sem="relaxed")
    tl.atomic_poll(p, 1)


@kernel(p="*fp32", q="*i32")
def reductions(p, q, B: tl.constexpr):
    r = tl.arange(0, B)
    at = r[:, None] * B + r[None, :]
    x = tl.load(p + at)
    i = tl.broadcast_to(r[None, :], (B, B))
    v, vi = tl.max(x, 1, return_indices=True)
    a, ai = tl.reduce((x, i), 1, larger)
    s, si = tl.associative_scan((x, i), 1, larger)
    tl.store(p + r, tl.sum(x, 1) + tl.min(x, 0) + tl.reduce(x, 0, add) + tl.sum(x) + v + a)
    tl.store(q + r, tl.argmax(x, 1) + tl.argmin(x, 0) + tl.xor_sum(i, 1) + vi + ai)
    tl.store(p + at, s + tl.cumsum(x, 1) + tl.cumprod(x, 0))
    tl.store(q + at, si)
    tl.store(
        p + r[:, None], tl.sum(tl.associative_scan(x, 0, add, reverse=True), 1, keep_dims=True)
    )


@kernel(p="*fp32", q="*i32")
def shapes(p, q, B: tl.constexpr):
    r = tl.arange(0, B)
    x = tl.load(p + r)
    j = tl.join(x, x * 2)
    a, b = tl.split(j)
    t = tl.reshape(j, (2, B)) + tl.permute(j, (1, 0)) + tl.trans(j)
    tl.store(p + r, a + b)
    tl.store(p + tl.arange(0, 2 * B), tl.interleave(x, x + 1))
    tl.store(p + tl.arange(0, 2)[:, None] * B + r[None, :], t)
    e = tl.broadcast_to(tl.expand_dims(x, 0), (4, B))
    tl.store(p + tl.arange(0, 4)[:, None] * B + r[None, :], e)
    tl.store(p + r, tl.zeros((B,), tl.float16) + tl.full((B,), 7, tl.int64))
    y = tl.load(q + r)
    tl.store(q + tl.arange(0, 2 * B), tl.cat(y, y, can_reorder=True))
    tl.store(q + r, tl.ravel(tl.reshape(y, (B // 2, 2), can_reorder=True)))
    tl.store(q + r, tl.histogram(y, 16))


@kernel(first=(3, 5), p="*fp32", q="*i32")
def newer_shapes(p, q, B: tl.constexpr):
    r = tl.arange(0, B)
    y = tl.load(q + r)
    tl.store(q + r, tl.histogram(y, 16, mask=y > 3))
    tl.store(p + tl.arange(0, 8), tl.topk(tl.load(p + r), 8))
    tl.store(p, tl.load(p + tl.arange(0, 1)).item())
    tl.store(q + r, tl.map_elementwise(compare, y, y + 1))


@kernel(first=(3, 3), p="*fp32", q="*i32")
def gathers(p, q, B: tl.constexpr):
    r = tl.arange(0, B)
    at = r[:, None] * B + r[None, :]
    tl.store(p + r, tl.gather(tl.load(p + r), tl.load(q + r), 0))
    tl.store(p + at, tl.gather(tl.load(p + at), tl.load(q + at), 1))


@kernel(p="*fp32", h="*fp16", e="*fp8e5", f="*fp8e4nv", b="*bf16", i="*i8")
def casts(p, h, e, f, b, i, B: tl.constexpr):
    r = tl.arange(0, B)
    x = tl.load(p + r)
    tl.store(h + r, x.to(tl.float16, fp_downcast_rounding="rtz"))
    tl.store(b + r, x.to(tl.bfloat16))
    tl.store(e + r, x.to(tl.float8e5))
    tl.store(f + r, x.to(tl.float8e4nv, fp_downcast_rounding="rtne"))
    y = tl.load(e + r).to(tl.float32) + tl.load(f + r).to(tl.float16) + tl.load(b + r)
    z = x.to(tl.int32, bitcast=True)
    tl.store((p + r).to(tl.int64).to(tl.pointer_type(tl.float32)), y)
    tl.store(p.to(tl.pointer_type(tl.int8), bitcast=True) + r, z.to(tl.int8))
    tl.store((p + r).to(tl.pointer_type(tl.int1), bitcast=True), x > 0)


@kernel(p="*fp32", q="*u32", n="i64", s="fp32")
def mathematics(p, q, n, s, B: tl.constexpr):
    r = tl.arange(0, B)
    x = tl.load(p + r)
    y = tl.load(q + r)
    z = tl.clamp(x, 0.0, 1.0) + tl.clamp(x, x, x, propagate_nan=tl.PropagateNan.ALL)
    z += tl.minimum(x, s, propagate_nan=tl.PropagateNan.ALL) + tl.maximum(x, s)
    z += tl.div_rn(x, x) + tl.sqrt_rn(x) + tl.math.fdiv(x, x) + tl.fma(x, x, x) + tl.erf(x)
    z += tl.exp(x) + tl.exp2(x) + tl.log2(x) + tl.sin(x) + tl.rsqrt(x) + tl.floor(x) + tl.abs(x)
    z += tl.sigmoid(x) + tl.softmax(x) + tl.rand(n, r) + tl.randn(n, r)
    tl.store(p + tl.max_contiguous(tl.multiple_of(r, 16), 16), z)
    tl.store(q + r, tl.umulhi(y, y) + y // 3 + y % 5 + (y << 2) + tl.cdiv(y, 4))


@kernel(p="*fp32", n="i32")
def control_flow(p, n, B: tl.constexpr):
    x = tl.load(p + tl.arange(0, B))
    if n == 0:
        return
    i = 0
    while i < n:
        x += 1
        i += 1
    for _ in tl.range(0, n, num_stages=3, loop_unroll_factor=2):
        x *= 2.0
    for j in range(n):
        if j % 2 == 0:
            x += 1
        else:
            x -= 1
    tl.device_print("x", x, n)
    tl.device_print("hi", hex=True)
    tl.device_assert(x > 0, "negative")
    tl.assume(n > 0)
    a, b = pair(p, n)
    tl.store(p + tl.arange(0, B), x + twice(p, n) + a + b)


@kernel(first=(3, 5), p="*fp32", n="i32")
def loop_options(p, n, B: tl.constexpr):
    x = tl.load(p + tl.arange(0, B))
    for _ in tl.range(0, n, flatten=True, warp_specialize=True):
        x *= 2.0
    for _ in tl.range(0, n, disallow_acc_multi_buffer=True):
        x *= 2.0
    tl.store(p + tl.arange(0, B), x)


@kernel(p="*fp32", q="*i32")
def opaque(p, q, B: tl.constexpr):
    r = tl.arange(0, B)
    x = tl.load(p + r)
    y = tl.inline_asm_elementwise("mov", "=r,r", [x], dtype=tl.int32, is_pure=True, pack=1)
    a, b = tl.inline_asm_elementwise(
        "two", "=r,=r,r,r", [x, y], dtype=(tl.int32, tl.float32), is_pure=False, pack=2
    )
    tl.store(q + r, y + a)
    tl.store(p + r, libdevice.pow(x, x) + b)


@kernel(a="*fp16", c="*fp32", i="*i8", B=32)
def dots(a, c, i, B: tl.constexpr):
    r = tl.arange(0, B)
    at = r[:, None] * B + r[None, :]
    x = tl.load(a + at)
    z = tl.load(c + at)
    k = tl.load(i + at)
    acc = tl.dot(x, x) + tl.dot(x, x, acc=z) + tl.dot(z, z, input_precision="ieee")
    acc += tl.dot(z, z, input_precision="tf32x3") + tl.dot(x, x, out_dtype=tl.float16)
    acc += tl.dot(k, k).to(tl.float32)
    f = x.to(tl.float8e5)
    acc += tl.dot(f, f, acc, max_num_imprecise_acc=32)
    batch = tl.broadcast_to(x[None], (2, B, B))
    tl.store(c + at, acc + tl.sum(tl.dot(batch, batch), 0))


@kernel(a="*u8", c="*fp32", s="*u8", B=128)
def scaled_dot(a, c, s, B: tl.constexpr):
    r = tl.arange(0, B)
    at = r[:, None] * B + r[None, :]
    x = tl.load(a + at)
    scale = tl.load(s + r[:, None] * (B // 32) + tl.arange(0, B // 32)[None, :])
    tl.store(c + at, tl.dot_scaled(x, scale, "e4m3", x, None, "e5m2", tl.load(c + at)))


@kernel(first=(3, 5), a="*u8", c="*fp32", s="*u8", h="*bf16", B=128)
def scaled_dots(a, c, s, h, B: tl.constexpr):
    r = tl.arange(0, B)
    half = tl.arange(0, B // 2)
    at = r[:, None] * B + r[None, :]
    x = tl.load(a + at)
    scale = tl.load(s + r[:, None] * (B // 32) + tl.arange(0, B // 32)[None, :])
    wide = tl.load(a + r[:, None] * (B // 2) + half[None, :])
    tall = tl.load(a + half[:, None] * B + r[None, :])
    acc = tl.dot_scaled(x, scale, "e5m2", tl.load(h + at), None, "bf16", tl.load(c + at))
    acc = tl.dot_scaled(wide, scale, "e2m1", tall, scale, "e2m1", acc)
    acc = tl.dot_scaled(tall, scale, "e2m1", x, scale, "e4m3", acc, lhs_k_pack=False)
    tl.store(c + at, acc)


@kernel(first=(3, 5), p="*fp16", q="*i32", u="*u32", M="i32", N="i32", B=32)
def descriptors(p, q, u, M, N, B: tl.constexpr):
    d = tl.make_tensor_descriptor(
        p, shape=[M, M, N], strides=[M * N, N, 1], block_shape=[1, B, B], padding_option="nan"
    )
    d.store([0, B, 0], d.load([0, 0, B]))
    e = tl.make_tensor_descriptor(q, shape=[M, N], strides=[N, 1], block_shape=[1, B])
    e.scatter(e.gather(tl.arange(0, B), 0), tl.arange(0, B), 0)
    f = tl.make_tensor_descriptor(u, shape=[M, N], strides=[N, 1], block_shape=[B, B])
    y = f.load([0, 0])
    f.atomic_add([0, 0], y)
    f.atomic_max([0, 0], y)
    f.atomic_xor([0, 0], y)


@kernel(first=(3, 5), d="tensordesc<fp16[32, 64]>", e="tensordesc<i8[16, 64]>")
def descriptor_arguments(d, e, B: tl.constexpr):
    d.store([B, 0], d.load([0, B]))
    e.store([0, 0], e.load([16, 0]))


@kernel(first=(3, 3), last=(3, 3), p="*fp16", q="*i32", M="i32", N="i32")
def experimental_descriptors(p, q, M, N, B: tl.constexpr):
    d = tl._experimental_make_tensor_descriptor(p, shape=[M, N], strides=[N, 1], block_shape=[B, B])
    d.store([B, 0], d.load([0, B]))
    e = tl._experimental_make_tensor_descriptor(q, shape=[M, N], strides=[N, 1], block_shape=[1, B])
    e.scatter(e.gather(tl.arange(0, B), 0), tl.arange(0, B), 0)


@kernel(last=(3, 2), q="*i8")
def untyped_descriptors(q, B: tl.constexpr):
    x = tl._experimental_descriptor_load(q, [0, B], [B, B], tl.float16)
    tl._experimental_descriptor_store(q, x, [B, 0])


@kernel(p="*i1", q="*u8", r="*u16", s="*i16", u="*fp64", n="u32", b="i1", f="fp16", g="bf16")
def argument_types(p, q, r, s, u, n, b, f, g, B: tl.constexpr):
    o = tl.arange(0, B)
    if b:
        tl.store(q + o, tl.load(p + o))
    tl.store(u + o, tl.load(u + o) + f + g + n)
    tl.store(s + o, tl.load(r + o))
