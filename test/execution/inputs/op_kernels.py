"""Kernels that use one operation of the language each; their TTIR lies beside this file."""

import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def libdevice_floats(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs)
    y = tl.load(y_ptr + offs)
    o = out_ptr + offs
    tl.store(o + 0 * n, libdevice.sin(x))
    tl.store(o + 1 * n, libdevice.exp(x))
    tl.store(o + 2 * n, libdevice.tanh(x))
    tl.store(o + 3 * n, libdevice.lgamma(y))
    tl.store(o + 4 * n, libdevice.pow(y, x))
    tl.store(o + 5 * n, libdevice.fast_expf(x))
    tl.store(o + 6 * n, libdevice.hypot(x, y))
    tl.store(o + 7 * n, libdevice.fmod(x, y))
    tl.store(o + 8 * n, libdevice.nextafter(x, y))
    tl.store(o + 9 * n, libdevice.rint(x))
    tl.store(o + 10 * n, libdevice.copysign(y, x))
    tl.store(o + 11 * n, libdevice.norm3d(x, y, x))
    tl.store(o + 12 * n, libdevice.normcdf(x))
    tl.store(o + 13 * n, libdevice.ldexp(x, 3))
    tl.store(o + 14 * n, libdevice.isnan(x / (x - x)).to(tl.float32))
    tl.store(o + 15 * n, libdevice.signbit(x).to(tl.float32))
    tl.store(o + 16 * n, libdevice.rcbrt(y))
    tl.store(o + 17 * n, libdevice.div_rn(x, y))
    tl.store(o + 18 * n, libdevice.exp10(x))
    tl.store(o + 19 * n, libdevice.round(x))


@triton.jit
def libdevice_integers(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs)
    y = tl.load(y_ptr + offs)
    o = out_ptr + offs
    tl.store(o + 0 * n, libdevice.clz(x))
    tl.store(o + 1 * n, libdevice.popc(x))
    tl.store(o + 2 * n, libdevice.brev(x))
    tl.store(o + 3 * n, libdevice.ffs(x))
    tl.store(o + 4 * n, libdevice.mulhi(x, y))
    tl.store(o + 5 * n, libdevice.hadd(x, y))
    tl.store(o + 6 * n, libdevice.rhadd(x, y))
    tl.store(o + 7 * n, libdevice.mul24(x, y))
    tl.store(o + 8 * n, libdevice.float2int_rd(x.to(tl.float32) * 1e-6))
    tl.store(o + 9 * n, libdevice.float_as_int(x.to(tl.float32)))


@triton.jit
def classify(x, y):
    if x > 0:  # noqa: SIM108 - the branch is what is tested
        r = y // x
    else:
        r = -x
    return r, x + y


@triton.jit
def map_elementwise(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs)
    y = tl.load(y_ptr + offs)
    a, b = tl.map_elementwise(classify, x, y)
    tl.store(out_ptr + offs, a)
    tl.store(out_ptr + n + offs, b)


@triton.jit
def packed(x0, x1, y0, y1):
    if x0 < y0:
        return y0, x1 + y1
    return x0, x1 + y1


@triton.jit
def map_packed(x_ptr, y_ptr, out_ptr, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs)
    y = tl.load(y_ptr + offs)
    tl.store(out_ptr + offs, tl.map_elementwise(packed, x, y, pack=2)[0])


@triton.jit(noinline=True)
def square_plus(x, y):
    return x * x + y


@triton.jit
def noinline_call(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n, other=0.0)
    tl.device_assert(x == x, "nan")
    scale = 1.0
    for _i in range(3):
        scale = square_plus(scale, 0.5 * n)
    x = x * scale
    tl.device_print("x", x)
    tl.store(out_ptr + offs, x, mask=offs < n)


@triton.jit
def atomic_updates(p_ptr, x_ptr, old_ptr, n, OP: tl.constexpr, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = offs < n
    x = tl.load(x_ptr + offs, mask=m, other=0)
    p = p_ptr + offs % 7
    if OP == "add":
        old = tl.atomic_add(p, x, mask=m)
    elif OP == "max":
        old = tl.atomic_max(p, x, mask=m)
    elif OP == "min":
        old = tl.atomic_min(p, x, mask=m)
    elif OP == "and":
        old = tl.atomic_and(p, x, mask=m)
    elif OP == "or":
        old = tl.atomic_or(p, x, mask=m)
    elif OP == "xor":
        old = tl.atomic_xor(p, x, mask=m)
    else:
        old = tl.atomic_xchg(p, x, mask=m)
    tl.store(old_ptr + offs, old, mask=m)


@triton.jit
def atomic_scalar(p_ptr, cas_ptr, old_ptr):
    i = tl.program_id(0)
    tl.atomic_max(p_ptr, i)
    tl.atomic_xor(p_ptr + 1, 1 << (i % 31))
    seen = tl.atomic_cas(cas_ptr, i, i + 1)
    while seen != i:
        seen = tl.atomic_cas(cas_ptr, i, i + 1)
    tl.store(old_ptr + i, tl.atomic_add(p_ptr + 2, 2))


@triton.jit
def scan_rows(x_ptr, out_ptr, R: tl.constexpr, C: tl.constexpr):
    at = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    x = tl.load(x_ptr + at)
    tl.store(out_ptr + at, tl.cumsum(x, axis=1))


@triton.jit
def row_results(x_ptr, min_ptr, sum_ptr, R: tl.constexpr, C: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :])
    tl.store(min_ptr + tl.arange(0, R), tl.min(x, axis=1))
    tl.store(sum_ptr + tl.arange(0, R), tl.sum(x, axis=1))
