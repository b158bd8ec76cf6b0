"""Kernels in the language extension that the tests build."""

import triton

from mltc import language as tl


@triton.jit
def warp_rows(x, out, N: tl.constexpr):
    """Every warp owns a row; maxima and sums across the warps, some only in warp 1."""
    tl.warp_level()
    warp = tl.warp_id()
    column = tl.arange(0, N)
    row = tl.load(x + warp * N + column)
    top = tl.max(row, cross_warp=True)
    share = tl.exp(row - top)
    total = tl.sum(share, cross_warp=True)
    tl.store(out + warp * N + column, share / total)
    peak = tl.max(row, axis=0, cross_warp=True)
    count = tl.sum(share, cross_warp=True, dst_warps=(1))
    if warp == 1:
        tl.store(out + 4 * N + column, count)
        tl.store(out + 5 * N + column, count * 0 + peak)


@triton.jit
def shared_row(x, out, N: tl.constexpr):
    """Warp 0 brings a row, all warps read it from shared local memory."""
    tl.warp_level()
    block = tl.alloc(shape=(1, N), dtype=tl.float16)
    column = tl.arange(0, N)[None, :]
    if tl.warp_id() == 0:
        tl.store(block, tl.load(x + column))
    tl.barrier()
    row = tl.load(block)
    tl.store(out + tl.warp_id() * N + column, row * (tl.warp_id() + 1).to(tl.float16))


@triton.jit
def paged_attention(q, k, v, out, D: tl.constexpr, BLOCK: tl.constexpr):
    """One query, one block of the cache per warp (the paper, figure 9)."""
    tl.warp_level()
    shared = tl.alloc(shape=(1, D), dtype=tl.float16)
    depth = tl.arange(0, D)
    token = tl.warp_id() * BLOCK + tl.arange(0, BLOCK)
    if tl.warp_id() == 0:
        tl.store(shared, tl.load(q + depth[None, :]))
    tl.barrier()
    query = tl.load(shared)
    keys = tl.load(k + token[None, :] * D + depth[:, None])
    scores = tl.dot(query, keys)
    top = tl.max(scores, axis=1)
    top = tl.max(top, cross_warp=True)
    p = tl.exp(scores - top[:, None])
    total = tl.sum(p, axis=1)
    total = tl.sum(total, cross_warp=True)
    p /= total[:, None]
    values = tl.load(v + token[:, None] * D + depth[None, :])
    o = tl.dot(p.to(tl.float16), values)
    o = tl.sum(o, cross_warp=True, dst_warps=(0))
    if tl.warp_id() == 0:
        tl.store(out + depth[None, :], o)


@triton.jit
def hinted_dot(a, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, TILING: tl.constexpr):
    m, n, k = tl.arange(0, M)[:, None], tl.arange(0, N)[None, :], tl.arange(0, K)
    acc = tl.zeros((M, N), dtype=tl.float32)
    x, y = tl.load(a + m * K + k[None, :]), tl.load(b + k[:, None] * N + n)
    acc = tl.dot(x, y, acc, tiling=TILING)
    tl.store(c + m * N + n, acc)


@triton.jit
def no_warp_level(x):
    tl.store(x + tl.warp_id(), 1)


@triton.jit
def barrier_of_some(x):
    tl.warp_level()
    if tl.warp_id() == 0:
        tl.barrier()
    tl.store(x + tl.warp_id(), 1)


@triton.jit
def dst_warp_store(x, N: tl.constexpr):
    tl.warp_level()
    i = tl.arange(0, N)
    some = tl.sum(tl.load(x + i), cross_warp=True, dst_warps=(0, 1))
    tl.store(x + i, some)


@triton.jit
def dst_warp_range(x, N: tl.constexpr):
    tl.warp_level()
    i = tl.arange(0, N)
    some = tl.sum(tl.load(x + i), cross_warp=True, dst_warps=99)
    if tl.warp_id() == 0:
        tl.store(x + i, some)
