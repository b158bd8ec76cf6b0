"""The kernels of the ML-Triton paper, in the language extension: one source for Triton 3.5 to 3.9.

Every block is read through a tensor descriptor, which the compiler turns into 2-D block reads.
Softmax is in base 2: `scale` is the scale of attention times log2(e).
"""

import triton

from mltc import language as tl


@triton.jit
def gemm(
    a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, TILING: tl.constexpr
):
    """c[m, n] = a[m, k] b[k, n], row-major; one tile per program."""
    a_block = tl.make_tensor_descriptor(a, [m, k], [k, 1], [BM, BK])
    b_block = tl.make_tensor_descriptor(b, [k, n], [n, 1], [BK, BN])
    c_block = tl.make_tensor_descriptor(c, [m, n], [n, 1], [BM, BN])
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for depth in range(0, k, BK):
        x = a_block.load([row, depth])
        y = b_block.load([depth, column])
        acc = tl.dot(x, y, acc, tiling=TILING)
    c_block.store([row, column], acc)


@triton.jit
def flash_attention(
    q, k, v, out, scale, length,
    BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr,
    CAUSAL: tl.constexpr, TILING: tl.constexpr,
):  # fmt: skip
    """FlashAttention-2; tensors are [heads, length, D], one block of queries per program.

    The hint on the second product is all that says how the warps share the work.
    """
    head = tl.program_id(1).to(tl.int64) * length * D
    q_block = tl.make_tensor_descriptor(q + head, [length, D], [D, 1], [BM, D])
    k_block = tl.make_tensor_descriptor(k + head, [length, D], [D, 1], [BN, D])
    v_block = tl.make_tensor_descriptor(v + head, [length, D], [D, 1], [BN, D])
    o_block = tl.make_tensor_descriptor(out + head, [length, D], [D, 1], [BM, D])
    start = tl.program_id(0) * BM
    query = start + tl.arange(0, BM)
    top = tl.full((BM,), float("-inf"), tl.float32)
    total = tl.zeros((BM,), dtype=tl.float32)
    acc = tl.zeros((BM, D), dtype=tl.float32)
    x = q_block.load([start, 0])
    end = tl.minimum(start + BM, length) if CAUSAL else length
    for token in range(0, end, BN):
        scores = tl.dot(x, k_block.load([token, 0]).T) * scale
        key = token + tl.arange(0, BN)
        allowed = key[None, :] < length
        if CAUSAL:
            allowed = allowed & (query[:, None] >= key[None, :])
        scores = tl.where(allowed, scores, float("-inf"))
        new_top = tl.maximum(top, tl.max(scores, 1))
        p = tl.exp2(scores - new_top[:, None])
        shrink = tl.exp2(top - new_top)
        total = total * shrink + tl.sum(p, 1)
        y = v_block.load([token, 0])
        acc = tl.dot(p.to(tl.float16), y, acc * shrink[:, None], tiling=TILING)
        top = new_top
    o_block.store([start, 0], (acc / total[:, None]).to(tl.float16))


@triton.jit
def attend(x, keys, values, valid, scale, acc, top, total):
    """One step of online softmax: a block of the cache whose first `valid` tokens count."""
    token = tl.arange(0, keys.shape[0])
    scores = tl.dot(x, keys.T) * scale
    scores = tl.where(token[None, :] < valid, scores, float("-inf"))
    new_top = tl.maximum(top, tl.max(scores, 1))
    p = tl.exp2(scores - new_top[:, None])
    shrink = tl.exp2(top - new_top)
    total = total * shrink + tl.sum(p, 1)
    # What lies behind the end of the sequence may be anything, also NaN.
    values = tl.where(token[:, None] < valid, values, 0.0)
    acc = tl.dot(p.to(tl.float16), values, acc * shrink[:, None])
    return acc, new_top, total


@triton.jit
def paged_attention(
    q, k, v, table, lengths, out, scale, blocks, table_stride,
    G: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Figure 8, at the level of the work-group: all warps share every block of the cache.

    q and out are [sequences, KV heads, G, D], the cache is [blocks, KV heads, BLOCK, D], and
    table[sequence] lists the blocks of a sequence.
    """
    sequence, head, heads = tl.program_id(0), tl.program_id(1), tl.num_programs(1)
    cache_rows = blocks * heads * BLOCK
    k_block = tl.make_tensor_descriptor(k, [cache_rows, D], [D, 1], [BLOCK, D])
    v_block = tl.make_tensor_descriptor(v, [cache_rows, D], [D, 1], [BLOCK, D])
    place = (sequence * heads + head) * G + tl.arange(0, G)
    depth = tl.arange(0, D)
    x = tl.load(q + place[:, None] * D + depth[None, :])
    length = tl.load(lengths + sequence)
    top = tl.full((G,), float("-inf"), tl.float32)
    total = tl.zeros((G,), dtype=tl.float32)
    acc = tl.zeros((G, D), dtype=tl.float32)
    for i in range(0, tl.cdiv(length, BLOCK)):
        row = (tl.load(table + sequence * table_stride + i) * heads + head) * BLOCK
        keys, values = k_block.load([row, 0]), v_block.load([row, 0])
        acc, top, total = attend(x, keys, values, length - i * BLOCK, scale, acc, top, total)
    tl.store(out + place[:, None] * D + depth[None, :], (acc / total[:, None]).to(tl.float16))


@triton.jit
def query_of_all(q, G: tl.constexpr, D: tl.constexpr):
    """A block of queries that warp 0 brings to shared local memory for all warps."""
    shared = tl.alloc(shape=(G, D), dtype=tl.float16)
    if tl.warp_id() == 0:
        tl.store(shared, tl.load(q + tl.arange(0, G)[:, None] * D + tl.arange(0, D)[None, :]))
    tl.barrier()
    return tl.load(shared)


@triton.jit
def paged_attention_warps(
    q, k, v, table, lengths, out, scale, blocks, table_stride,
    G: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr, WARPS: tl.constexpr,
):  # fmt: skip
    """Figure 9, at the level of the warp: every warp has blocks of its own.

    The warps meet twice: for the query, and at the end for the softmax and the output. WARPS is
    the number of warps.
    """
    tl.warp_level()
    sequence, head, heads = tl.program_id(0), tl.program_id(1), tl.num_programs(1)
    cache_rows = blocks * heads * BLOCK
    k_block = tl.make_tensor_descriptor(k, [cache_rows, D], [D, 1], [BLOCK, D])
    v_block = tl.make_tensor_descriptor(v, [cache_rows, D], [D, 1], [BLOCK, D])
    place = (sequence * heads + head) * G
    x = query_of_all(q + place * D, G, D)
    length = tl.load(lengths + sequence)
    top = tl.full((G,), float("-inf"), tl.float32)
    total = tl.zeros((G,), dtype=tl.float32)
    acc = tl.zeros((G, D), dtype=tl.float32)
    for i in range(tl.warp_id(), tl.cdiv(length, BLOCK), WARPS):
        row = (tl.load(table + sequence * table_stride + i) * heads + head) * BLOCK
        keys, values = k_block.load([row, 0]), v_block.load([row, 0])
        acc, top, total = attend(x, keys, values, length - i * BLOCK, scale, acc, top, total)
    share = tl.exp2(top - tl.max(top, cross_warp=True))
    share = share / tl.sum(total * share, cross_warp=True)
    acc = tl.sum(acc * share[:, None], cross_warp=True, dst_warps=0)
    if tl.warp_id() == 0:
        rows = place + tl.arange(0, G)
        tl.store(out + rows[:, None] * D + tl.arange(0, D)[None, :], acc.to(tl.float16))


@triton.jit
def split_kv(
    q, k, v, lengths, partial, tops, totals, scale, capacity,
    G: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr, WARPS: tl.constexpr,
):  # fmt: skip
    """Flash decoding, first step: every program has a part of the keys, split over its warps.

    q is [rows, G, D], k and v are [rows, capacity, D]; partial, tops and totals are
    [rows, splits, G, (D)] and not normalised.
    """
    tl.warp_level()
    row, split, splits = tl.program_id(0), tl.program_id(1), tl.num_programs(1)
    cache_rows = tl.num_programs(0) * capacity
    k_block = tl.make_tensor_descriptor(k, [cache_rows, D], [D, 1], [BLOCK, D])
    v_block = tl.make_tensor_descriptor(v, [cache_rows, D], [D, 1], [BLOCK, D])
    x = query_of_all(q + row * G * D, G, D)
    length = tl.load(lengths + row)
    count = tl.cdiv(tl.cdiv(length, BLOCK), splits)
    begin = split * count
    end = tl.minimum(begin + count, tl.cdiv(length, BLOCK))
    top = tl.full((G,), float("-inf"), tl.float32)
    total = tl.zeros((G,), dtype=tl.float32)
    acc = tl.zeros((G, D), dtype=tl.float32)
    for i in range(begin + tl.warp_id(), end, WARPS):
        at = row * capacity + i * BLOCK
        # The warp's next block; the compiler adds no prefetch of its own at this level.
        tl.prefetch(k_block, [at + WARPS * BLOCK, 0])
        tl.prefetch(v_block, [at + WARPS * BLOCK, 0])
        keys, values = k_block.load([at, 0]), v_block.load([at, 0])
        acc, top, total = attend(x, keys, values, length - i * BLOCK, scale, acc, top, total)
    all_top = tl.max(top, cross_warp=True)
    # A part without any token has no maximum.
    share = tl.where(top == float("-inf"), 0.0, tl.exp2(top - all_top))
    total = tl.sum(total * share, cross_warp=True, dst_warps=0)
    acc = tl.sum(acc * share[:, None], cross_warp=True, dst_warps=0)
    if tl.warp_id() == 0:
        place = (row * splits + split) * G + tl.arange(0, G)
        tl.store(partial + place[:, None] * D + tl.arange(0, D)[None, :], acc)
        tl.store(tops + place, all_top)
        tl.store(totals + place, total)


@triton.jit
def combine_splits(
    partial, tops, totals, out, splits, G: tl.constexpr, D: tl.constexpr, SPLITS: tl.constexpr
):
    """Flash decoding, second step: one query per program; SPLITS is a power of two."""
    row, g = tl.program_id(0), tl.program_id(1)
    split = tl.arange(0, SPLITS)
    valid = split < splits
    place = (row * splits + split) * G + g
    top = tl.load(tops + place, mask=valid, other=float("-inf"))
    total = tl.load(totals + place, mask=valid, other=0.0)
    share = tl.exp2(top - tl.max(top, 0))
    share = share / tl.sum(total * share, 0)
    depth = tl.arange(0, D)
    block = partial + place[:, None] * D + depth[None, :]
    parts = tl.load(block, mask=valid[:, None], other=0.0)
    result = tl.sum(parts * share[:, None], 0)
    tl.store(out + (row * G + g) * D + depth, result.to(tl.float16))
