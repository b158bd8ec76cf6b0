"""Kernels that the tests of the Python front door build."""

import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def scaled_add(x, y, out, n, scale, BLOCK: tl.constexpr, NEGATE: tl.constexpr = False):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    value = tl.load(x + i, mask) * scale + tl.load(y + i, mask)
    tl.store(out + i, -value if NEGATE else value, mask)


@triton.jit
def strided_copy(x, out, n, step, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i * step, i < n), i < n)


@triton.jit
def small_dot(a, b, c, M: tl.constexpr, N: tl.constexpr):
    row, i = tl.arange(0, M)[:, None], tl.arange(0, N)
    at = i[:, None] * N + i[None, :]
    product = tl.dot(tl.load(a + row * N + i[None, :]), tl.load(b + at))
    tl.store(c + row * N + i[None, :], libdevice.tanh(product))


@triton.jit
def wrong(x, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(x + i, tl.arange(0, 2 * BLOCK)[:, None])
    tl.static_assert(BLOCK == 3)


@triton.jit
def square(x):
    return tl.dot(x, x)


@triton.jit
def wrong_in_helper(x, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(x + i, square(tl.load(x + i)))
