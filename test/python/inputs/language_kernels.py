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


@triton.jit
def prefetched_product(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """c[M, N] = a[M, K] b[K, N] through descriptors; each block is prefetched one step ahead."""
    a_block = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    b_block = tl.make_tensor_descriptor(b, [K, N], [N, 1], [BK, BN])
    c_block = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
    tl.prefetch(a_block, [row, 0])
    tl.prefetch(b_block, [0, column])
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        tl.prefetch(a_block, [row, k + BK])
        tl.prefetch(b_block, [k + BK, column])
        acc = tl.dot(a_block.load([row, k]), b_block.load([k, column]), acc)
    c_block.store([row, column], acc)


@triton.jit
def prefetched_pointers(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """The same through block pointers, which Triton has up to 3.7."""
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
    a_block = tl.make_block_ptr(a, (M, K), (K, 1), (row, 0), (BM, BK), (1, 0))
    b_block = tl.make_block_ptr(b, (K, N), (N, 1), (0, column), (BK, BN), (1, 0))
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for _ in range(0, K, BK):
        tl.prefetch(tl.advance(a_block, (0, BK)))
        tl.prefetch(tl.advance(b_block, (BK, 0)))
        x = tl.load(a_block, boundary_check=(0, 1))
        y = tl.load(b_block, boundary_check=(0, 1))
        acc = tl.dot(x, y, acc)
        a_block = tl.advance(a_block, (0, BK))
        b_block = tl.advance(b_block, (BK, 0))
    c_block = tl.make_block_ptr(c, (M, N), (N, 1), (row, column), (BM, BN), (1, 0))
    tl.store(c_block, acc, boundary_check=(0, 1))


@triton.jit
def prefetched_rows(x, out, rows, N: tl.constexpr, BLOCK: tl.constexpr, WARPS: tl.constexpr):
    """Every warp adds up blocks of rows of its own and prefetches its next one."""
    tl.warp_level()
    block = tl.make_tensor_descriptor(x, [rows, N], [N, 1], [BLOCK, N])
    total = tl.zeros((N,), dtype=tl.float32)
    for i in range(tl.warp_id() * BLOCK, rows, WARPS * BLOCK):
        tl.prefetch(block, [i + WARPS * BLOCK, 0])
        total += tl.sum(block.load([i, 0]).to(tl.float32), 0)
    total = tl.sum(total, cross_warp=True, dst_warps=0)
    if tl.warp_id() == 0:
        tl.store(out + tl.arange(0, N), total)


@triton.jit
def prefetch_of_addresses(x, N: tl.constexpr):
    tl.prefetch(x + tl.arange(0, N))


@triton.jit
def prefetch_without_place(x, N: tl.constexpr):
    block = tl.make_tensor_descriptor(x, [N, N], [N, 1], [N, N])
    tl.prefetch(block)


@triton.jit
def reduce_of_some(x, N: tl.constexpr):
    tl.warp_level()
    i = tl.arange(0, N)
    if tl.warp_id() < 2:
        tl.store(x + i, tl.max(tl.load(x + i), cross_warp=True))


@triton.jit
def debug_barrier_of_some(x):
    tl.warp_level()
    if tl.warp_id() == 0:
        tl.debug_barrier()
    tl.store(x + tl.warp_id(), 2)


@triton.jit
def scan_of_some(x, N: tl.constexpr):
    tl.warp_level()
    i = tl.arange(0, N)
    if tl.warp_id() == 0:
        tl.store(x + i, tl.cumsum(tl.load(x + i), 0))


@triton.jit
def dst_warp_alone(x, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(x + i, tl.sum(tl.load(x + i), 0, dst_warps=0))


@triton.jit
def cross_warp_of_workgroup(x, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(x + i, tl.max(tl.load(x + i), cross_warp=True))


@triton.jit
def scan_rows(x, out, N: tl.constexpr):
    """Every warp scans, looks up and counts values of its own."""
    tl.warp_level()
    i = tl.arange(0, N)
    row = tl.load(x + tl.warp_id() * N + i)
    place = out + tl.warp_id() * 3 * N + i
    tl.store(place, tl.cumsum(row, 0))
    tl.store(place + N, tl.gather(row, N - 1 - i, 0))
    tl.store(place + 2 * N, tl.histogram(row, N))


@triton.jit
def product(a, b):
    return a * b


@triton.jit
def larger(value, place, other_value, other_place):
    first = (value > other_value) | ((value == other_value) & (place < other_place))
    return tl.where(first, value, other_value), tl.where(first, place, other_place)


@triton.jit
def own_combinations(x, out, counts, N: tl.constexpr):
    """Combinations that are not Triton's, of one value and of two at once, and a wider sum."""
    tl.warp_level()
    warp = tl.warp_id()
    column = tl.arange(0, N)
    row = tl.load(x + warp * N + column)
    place = warp * N + column
    tl.store(out + place, tl.reduce(row, None, product, cross_warp=True))
    value, where = tl.reduce((row, place), None, larger, cross_warp=True)
    tl.store(out + 4 * N + place, value)
    tl.store(counts + place, where)
    value, where = tl.reduce((row, place), 0, larger, cross_warp=True, dst_warps=(0, 2))
    if warp == 2:
        tl.store(out + 8 * N, value)
        tl.store(counts + 4 * N, where)
    tl.store(out + 8 * N + 1, tl.reduce(row, 0, product), mask=warp == 3)
    small = tl.sum(((place % 3) * 50).to(tl.int8), cross_warp=True, dtype=tl.int32, dst_warps=1)
    tl.store(counts + 4 * N + 1 + column, small, mask=(column < N) & (warp == 1))


@triton.jit
def two_buffers(x, out, rounds, N: tl.constexpr):
    """A chain of warps: each round takes from one buffer and puts into the other one."""
    tl.warp_level()
    warp = tl.warp_id()
    plane = tl.arange(0, 2)[:, None, None]
    place = (plane * 4 + tl.arange(0, 4)[None, :, None]) * N + tl.arange(0, N)[None, None, :]
    source, target = tl.alloc((2, 4, N), tl.float32), tl.alloc((2, 4, N), tl.float32)
    if warp == 0:
        tl.store(source, tl.load(x + place))
    tl.barrier()
    for i in range(rounds):
        value = tl.load(source)
        if warp == i % 4:
            tl.store(target, 2 * value + warp)
        tl.barrier()
        source, target = target, source
    tl.store(out + warp * 8 * N + place, tl.load(source))


@triton.jit
def wrong_warp_stores(x, N: tl.constexpr):
    tl.warp_level()
    i = tl.arange(0, N)
    some = tl.sum(tl.load(x + i), cross_warp=True, dst_warps=(0, 1))
    if tl.warp_id() > 0:
        tl.store(x + i, some)  # also warp 2


@triton.jit
def reduced_again(x, N: tl.constexpr):
    tl.warp_level()
    i = tl.arange(0, N)
    some = tl.sum(tl.load(x + i), cross_warp=True, dst_warps=0)
    all_warps = tl.max(some, cross_warp=True)
    tl.store(x + i, all_warps)


@triton.jit
def last_one_waits(x):
    tl.warp_level()
    if tl.atomic_add(x, 1) == 3:
        tl.barrier()
    tl.store(x + tl.warp_id(), 2)


@triton.jit
def one_of_two_memories(x, N: tl.constexpr):
    tl.warp_level()
    shared = tl.alloc((1,), tl.int32)
    for i in range(N):
        if i % 2 == 0:
            shared = x + i
        tl.store(x + i, tl.load(shared))


@triton.jit
def indices_of_all(x, N: tl.constexpr):
    tl.warp_level()
    tl.max(tl.load(x + tl.arange(0, N)), 0, return_indices=True, cross_warp=True)
