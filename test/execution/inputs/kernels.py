"""Kernels whose TTIR, printed by stock Triton, lies beside this file."""

import triton
import triton.language as tl


@triton.jit
def rms_norm(x_ptr, w_ptr, out_ptr, stride, n_cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    m = cols < n_cols
    x = tl.load(x_ptr + row * stride + cols, mask=m, other=0.0).to(tl.float32)
    r = tl.rsqrt(tl.sum(x * x, axis=0) / n_cols + eps)
    w = tl.load(w_ptr + cols, mask=m, other=0.0).to(tl.float32)
    tl.store(out_ptr + row * stride + cols, (x * r * w).to(tl.bfloat16), mask=m)


@triton.jit
def cross_entropy(logits_ptr, label_ptr, loss_ptr, stride, V, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    label = tl.load(label_ptr + row)
    m_i = -float("inf")
    d = 0.0
    for off in range(0, V, BLOCK):
        cols = off + tl.arange(0, BLOCK)
        x = tl.load(logits_ptr + row * stride + cols, mask=cols < V, other=-float("inf")).to(
            tl.float32
        )
        m_new = tl.maximum(m_i, tl.max(x, axis=0))
        d = d * tl.exp(m_i - m_new) + tl.sum(tl.exp(x - m_new), axis=0)
        m_i = m_new
    xl = tl.load(logits_ptr + row * stride + label).to(tl.float32)
    tl.store(loss_ptr + row, tl.log(d) + m_i - xl)


@triton.jit
def rope(x_ptr, cos_ptr, sin_ptr, out_ptr, stride, L, HALF: tl.constexpr):
    pid = tl.program_id(0)
    pos = pid % L
    i = tl.arange(0, HALF)
    c = tl.load(cos_ptr + pos * HALF + i).to(tl.float32)
    s = tl.load(sin_ptr + pos * HALF + i).to(tl.float32)
    a = tl.load(x_ptr + pid * stride + i).to(tl.float32)
    b = tl.load(x_ptr + pid * stride + HALF + i).to(tl.float32)
    tl.store(out_ptr + pid * stride + i, (a * c - b * s).to(tl.float16))
    tl.store(out_ptr + pid * stride + HALF + i, (b * c + a * s).to(tl.float16))


@triton.jit
def rope_interleaved(x_ptr, cos_ptr, sin_ptr, out_ptr, stride, L, HALF: tl.constexpr):
    pid = tl.program_id(0)
    pos = pid % L
    i = tl.arange(0, HALF)
    j = tl.arange(0, 2 * HALF)
    c = tl.load(cos_ptr + pos * HALF + i).to(tl.float32)
    s = tl.load(sin_ptr + pos * HALF + i).to(tl.float32)
    x = tl.load(x_ptr + pid * stride + j).to(tl.float32)
    a, b = tl.split(tl.reshape(x, (HALF, 2)))
    y = tl.join(a * c - b * s, b * c + a * s)
    tl.store(out_ptr + pid * stride + j, tl.reshape(y, (2 * HALF,)).to(tl.float16))


@triton.jit
def cumsum_rows(x_ptr, out_ptr, stride, n_cols, BM: tl.constexpr, BN: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.arange(0, BN)
    m = rn[None, :] < n_cols
    x = tl.load(x_ptr + rm[:, None] * stride + rn[None, :], mask=m, other=0.0)
    tl.store(out_ptr + rm[:, None] * stride + rn[None, :], tl.cumsum(x, axis=1), mask=m)


@triton.jit
def dropout(x_ptr, out_ptr, n, p, seed, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = offs < n
    x = tl.load(x_ptr + offs, mask=m)
    r = tl.rand(seed, offs)
    tl.store(out_ptr + offs, tl.where(r > p, x / (1 - p), 0.0), mask=m)


@triton.jit
def transpose(x_ptr, out_ptr, M, N, sxm, som, BM: tl.constexpr, BN: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    x = tl.load(x_ptr + rm[:, None] * sxm + rn[None, :], mask=(rm[:, None] < M) & (rn[None, :] < N))
    tl.store(
        out_ptr + rn[:, None] * som + rm[None, :],
        tl.trans(x),
        mask=(rn[:, None] < N) & (rm[None, :] < M),
    )


@triton.jit
def batched_gemm(
    a_ptr,
    b_ptr,
    c_ptr,
    M,
    N,
    K,
    sal,
    sam,
    sbl,
    sbk,
    scl,
    scm,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
):
    batch = tl.program_id(2)
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    a_ptrs = a_ptr + batch * sal + rm[:, None] * sam + rk[None, :]
    b_ptrs = b_ptr + batch * sbl + rk[:, None] * sbk + rn[None, :]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        a = tl.load(a_ptrs, mask=(rm[:, None] < M) & (k + rk[None, :] < K), other=0.0)
        b = tl.load(b_ptrs, mask=(k + rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc += tl.dot(a, b)
        a_ptrs += BK
        b_ptrs += BK * sbk
    tl.store(
        c_ptr + batch * scl + rm[:, None] * scm + rn[None, :],
        acc.to(tl.float16),
        mask=(rm[:, None] < M) & (rn[None, :] < N),
    )


@triton.jit
def gemm_wrap(
    a_ptr,
    b_ptr,
    c_ptr,
    M,
    N,
    K,
    sam,
    sbk,
    scm,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
    GM: tl.constexpr,
):
    pid = tl.program_id(0)
    num_m = tl.cdiv(M, BM)
    num_n = tl.cdiv(N, BN)
    in_group = GM * num_n
    gid = pid // in_group
    first_m = gid * GM
    gsz = min(num_m - first_m, GM)
    pid_m = first_m + ((pid % in_group) % gsz)
    pid_n = (pid % in_group) // gsz
    ram = (pid_m * BM + tl.arange(0, BM)) % M
    rbn = (pid_n * BN + tl.arange(0, BN)) % N
    rk = tl.arange(0, BK)
    a_ptrs = a_ptr + ram[:, None] * sam + rk[None, :]
    b_ptrs = b_ptr + rk[:, None] * sbk + rbn[None, :]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        a = tl.load(a_ptrs, mask=rk[None, :] < K - k * BK, other=0.0)
        b = tl.load(b_ptrs, mask=rk[:, None] < K - k * BK, other=0.0)
        acc = tl.dot(a, b, acc)
        a_ptrs += BK
        b_ptrs += BK * sbk
    acc = tl.where(acc >= 0, acc, 0.01 * acc)
    rm = pid_m * BM + tl.arange(0, BM)
    rn = pid_n * BN + tl.arange(0, BN)
    tl.store(
        c_ptr + rm[:, None] * scm + rn[None, :],
        acc.to(tl.float16),
        mask=(rm[:, None] < M) & (rn[None, :] < N),
    )


@triton.jit
def gemm_int8(
    a_ptr,
    b_ptr,
    c_ptr,
    M,
    N,
    K,
    sam,
    sbk,
    scm,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
):
    pm = tl.program_id(0)
    pn = tl.program_id(1)
    a = tl.make_block_ptr(a_ptr, (M, K), (sam, 1), (pm * BM, 0), (BM, BK), (1, 0))
    b = tl.make_block_ptr(b_ptr, (K, N), (sbk, 1), (0, pn * BN), (BK, BN), (1, 0))
    acc = tl.zeros((BM, BN), dtype=tl.int32)
    for _ in range(0, K, BK):
        acc = tl.dot(
            tl.load(a, boundary_check=(0, 1)),
            tl.load(b, boundary_check=(0, 1)),
            acc,
            out_dtype=tl.int32,
        )
        a = tl.advance(a, (0, BK))
        b = tl.advance(b, (BK, 0))
    c = tl.make_block_ptr(c_ptr, (M, N), (scm, 1), (pm * BM, pn * BN), (BM, BN), (1, 0))
    tl.store(c, acc, boundary_check=(0, 1))


@triton.jit
def gemm_w8a16(
    a_ptr,
    b_ptr,
    s_ptr,
    c_ptr,
    M,
    N,
    K,
    sam,
    sbk,
    scm,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
):
    pm = tl.program_id(0)
    pn = tl.program_id(1)
    a = tl.make_block_ptr(a_ptr, (M, K), (sam, 1), (pm * BM, 0), (BM, BK), (1, 0))
    b = tl.make_block_ptr(b_ptr, (K, N), (sbk, 1), (0, pn * BN), (BK, BN), (1, 0))
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for _ in range(0, K, BK):
        acc = tl.dot(
            tl.load(a, boundary_check=(0, 1)), tl.load(b, boundary_check=(0, 1)).to(tl.float16), acc
        )
        a = tl.advance(a, (0, BK))
        b = tl.advance(b, (BK, 0))
    rn = pn * BN + tl.arange(0, BN)
    s = tl.load(s_ptr + rn, mask=rn < N, other=0.0).to(tl.float32)
    acc = acc * s[None, :]
    c = tl.make_block_ptr(c_ptr, (M, N), (scm, 1), (pm * BM, pn * BN), (BM, BN), (1, 0))
    tl.store(c, acc.to(tl.float16), boundary_check=(0, 1))


@triton.jit
def gemm_fp8(
    a_ptr,
    b_ptr,
    c_ptr,
    M,
    N,
    K,
    sam,
    sbk,
    scm,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
):
    pm = tl.program_id(0)
    pn = tl.program_id(1)
    a = tl.make_block_ptr(a_ptr, (M, K), (sam, 1), (pm * BM, 0), (BM, BK), (1, 0))
    b = tl.make_block_ptr(b_ptr, (K, N), (sbk, 1), (0, pn * BN), (BK, BN), (1, 0))
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for _ in range(0, K, BK):
        acc = tl.dot(tl.load(a, boundary_check=(0, 1)), tl.load(b, boundary_check=(0, 1)), acc)
        a = tl.advance(a, (0, BK))
        b = tl.advance(b, (BK, 0))
    c = tl.make_block_ptr(c_ptr, (M, N), (scm, 1), (pm * BM, pn * BN), (BM, BN), (1, 0))
    tl.store(c, acc, boundary_check=(0, 1))


@triton.jit
def swiglu_gemm(
    a_ptr,
    g_ptr,
    u_ptr,
    c_ptr,
    M,
    N,
    K,
    sam,
    sbk,
    scm,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
):
    pm = tl.program_id(0)
    pn = tl.program_id(1)
    a = tl.make_block_ptr(a_ptr, (M, K), (sam, 1), (pm * BM, 0), (BM, BK), (1, 0))
    g = tl.make_block_ptr(g_ptr, (K, N), (sbk, 1), (0, pn * BN), (BK, BN), (1, 0))
    u = tl.make_block_ptr(u_ptr, (K, N), (sbk, 1), (0, pn * BN), (BK, BN), (1, 0))
    ag = tl.zeros((BM, BN), dtype=tl.float32)
    au = tl.zeros((BM, BN), dtype=tl.float32)
    for _ in range(0, K, BK):
        x = tl.load(a, boundary_check=(0, 1))
        ag = tl.dot(x, tl.load(g, boundary_check=(0, 1)), ag)
        au = tl.dot(x, tl.load(u, boundary_check=(0, 1)), au)
        a = tl.advance(a, (0, BK))
        g = tl.advance(g, (BK, 0))
        u = tl.advance(u, (BK, 0))
    y = ag / (1.0 + tl.exp(-ag)) * au
    c = tl.make_block_ptr(c_ptr, (M, N), (scm, 1), (pm * BM, pn * BN), (BM, BN), (1, 0))
    tl.store(c, y.to(tl.bfloat16), boundary_check=(0, 1))


@triton.jit
def persistent_gemm(
    a_ptr,
    b_ptr,
    c_ptr,
    M,
    N,
    K,
    sam,
    sbk,
    scm,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
):
    num_m = tl.cdiv(M, BM)
    num_n = tl.cdiv(N, BN)
    for tile in range(tl.program_id(0), num_m * num_n, tl.num_programs(0)):
        pm = tile // num_n
        pn = tile % num_n
        a = tl.make_block_ptr(a_ptr, (M, K), (sam, 1), (pm * BM, 0), (BM, BK), (1, 0))
        b = tl.make_block_ptr(b_ptr, (K, N), (sbk, 1), (0, pn * BN), (BK, BN), (1, 0))
        acc = tl.zeros((BM, BN), dtype=tl.float32)
        for _ in range(0, K, BK):
            acc = tl.dot(tl.load(a, boundary_check=(0, 1)), tl.load(b, boundary_check=(0, 1)), acc)
            a = tl.advance(a, (0, BK))
            b = tl.advance(b, (BK, 0))
        c = tl.make_block_ptr(c_ptr, (M, N), (scm, 1), (pm * BM, pn * BN), (BM, BN), (1, 0))
        tl.store(c, acc, boundary_check=(0, 1))


@triton.jit
def flash_decode(
    Q,
    K,
    V,
    Out,
    Lse,
    sm_scale,
    stride_qh,
    stride_kh,
    stride_kn,
    N_KV,
    SPLIT,
    G: tl.constexpr,
    BN: tl.constexpr,
    D: tl.constexpr,
):
    h = tl.program_id(0)
    sp = tl.program_id(1)
    chunk = tl.cdiv(N_KV, SPLIT)
    lo = sp * chunk
    hi = min(lo + chunk, N_KV)
    rg = tl.arange(0, G)
    rd = tl.arange(0, D)
    q = tl.load(Q + h * stride_qh + rg[:, None] * D + rd[None, :])
    m_i = tl.zeros([G], dtype=tl.float32) - float("inf")
    l_i = tl.zeros([G], dtype=tl.float32)
    acc = tl.zeros([G, D], dtype=tl.float32)
    for n in range(lo, hi, BN):
        rn = n + tl.arange(0, BN)
        ok = rn < hi
        k = tl.load(
            K + h * stride_kh + rn[None, :] * stride_kn + rd[:, None], mask=ok[None, :], other=0.0
        )
        s = tl.dot(q, k) * sm_scale
        s = tl.where(ok[None, :], s, -float("inf"))
        m_new = tl.maximum(m_i, tl.max(s, 1))
        p = tl.exp(s - m_new[:, None])
        alpha = tl.exp(m_i - m_new)
        l_i = l_i * alpha + tl.sum(p, 1)
        v = tl.load(
            V + h * stride_kh + rn[:, None] * stride_kn + rd[None, :], mask=ok[:, None], other=0.0
        )
        acc = acc * alpha[:, None] + tl.dot(p.to(tl.float16), v)
        m_i = m_new
    o = Out + (h * SPLIT + sp) * G * D + rg[:, None] * D + rd[None, :]
    tl.store(o, acc / l_i[:, None])
    tl.store(Lse + (h * SPLIT + sp) * G + rg, m_i + tl.log(l_i))


@triton.jit
def histogram(x_ptr, out_ptr, n, BLOCK: tl.constexpr, BINS: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs)
    h = tl.histogram(x, BINS)
    tl.atomic_add(out_ptr + tl.arange(0, BINS), h)


@triton.jit
def ticket(cnt_ptr, out_ptr, BLOCK: tl.constexpr):
    t = tl.atomic_add(cnt_ptr, 1)
    tl.store(out_ptr + t * BLOCK + tl.arange(0, BLOCK), tl.arange(0, BLOCK) + t)


@triton.jit
def tensor_atomic(cnt_ptr, out_ptr, n, BINS, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = offs < n
    old = tl.atomic_add(cnt_ptr + offs % BINS, 1, mask=m)
    tl.store(out_ptr + offs, old, mask=m)


@triton.jit
def group_norm(x_ptr, w_ptr, b_ptr, out_ptr, n_cols, eps, C: tl.constexpr, BLOCK: tl.constexpr):
    g = tl.program_id(0)
    rc = tl.arange(0, C)
    rn = tl.arange(0, BLOCK)
    m = rn[None, :] < n_cols
    p = g * C * n_cols + rc[:, None] * n_cols + rn[None, :]
    x = tl.load(x_ptr + p, mask=m, other=0.0).to(tl.float32)
    mean = tl.sum(x) / (C * n_cols)
    xc = tl.where(m, x - mean, 0.0)
    var = tl.sum(xc * xc) / (C * n_cols)
    w = tl.load(w_ptr + g * C + rc)
    b = tl.load(b_ptr + g * C + rc)
    y = xc * (1.0 / tl.sqrt(var + eps)) * w[:, None] + b[:, None]
    tl.store(out_ptr + p, y, mask=m)


@triton.jit
def welford_combine(ma, sa, wa, mb, sb, wb):
    d = mb - ma
    w = wa + wb
    r = tl.where(w == 0.0, 0.0, wb / w)
    return ma + d * r, sa + sb + d * d * wa * r, w


@triton.jit
def welford(x_ptr, mean_ptr, var_ptr, stride, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    m = cols < n_cols
    x = tl.load(x_ptr + row * stride + cols, mask=m, other=0.0)
    mean, s, w = tl.reduce((x, tl.zeros_like(x), m.to(tl.float32)), 0, welford_combine)
    tl.store(mean_ptr + row, mean)
    tl.store(var_ptr + row, s / w)


@triton.jit
def gelu(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = offs < n
    x = tl.load(x_ptr + offs, mask=m).to(tl.float32)
    y = 0.5 * x * (1.0 + tl.erf(x * 0.70710678))
    tl.store(out_ptr + offs, y.to(tl.float16), mask=m)


@triton.jit
def embedding(idx_ptr, table_ptr, out_ptr, stride, D: tl.constexpr, BM: tl.constexpr, n):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rd = tl.arange(0, D)
    ok = rm < n
    i = tl.load(idx_ptr + rm, mask=ok, other=0)
    x = tl.load(table_ptr + i[:, None].to(tl.int64) * stride + rd[None, :], mask=ok[:, None])
    tl.store(out_ptr + rm[:, None] * D + rd[None, :], x, mask=ok[:, None])


@triton.jit
def sort_rows(x_ptr, out_ptr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * BLOCK + cols)
    tl.store(out_ptr + row * BLOCK + cols, tl.sort(x))


@triton.jit
def gather_op(x_ptr, i_ptr, out_ptr, N: tl.constexpr, M: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, N))
    i = tl.load(i_ptr + tl.arange(0, M))
    tl.store(out_ptr + tl.arange(0, M), tl.gather(x, i, 0))


@triton.jit
def gemm_ieee(
    a_ptr,
    b_ptr,
    c_ptr,
    M,
    N,
    K,
    sam,
    sbk,
    scm,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
    PREC: tl.constexpr,
):
    pm = tl.program_id(0)
    pn = tl.program_id(1)
    a = tl.make_block_ptr(a_ptr, (M, K), (sam, 1), (pm * BM, 0), (BM, BK), (1, 0))
    b = tl.make_block_ptr(b_ptr, (K, N), (sbk, 1), (0, pn * BN), (BK, BN), (1, 0))
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for _ in range(0, K, BK):
        acc = tl.dot(
            tl.load(a, boundary_check=(0, 1)),
            tl.load(b, boundary_check=(0, 1)),
            acc,
            input_precision=PREC,
        )
        a = tl.advance(a, (0, BK))
        b = tl.advance(b, (BK, 0))
    c = tl.make_block_ptr(c_ptr, (M, N), (scm, 1), (pm * BM, pn * BN), (BM, BN), (1, 0))
    tl.store(c, acc, boundary_check=(0, 1))


@triton.jit
def ln_bwd_lock(x_ptr, dw_ptr, lock_ptr, stride, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    m = cols < n_cols
    x = tl.load(x_ptr + row * stride + cols, mask=m, other=0.0)
    while tl.atomic_cas(lock_ptr, 0, 1) == 1:
        pass
    c = tl.load(dw_ptr + cols, mask=m)
    tl.store(dw_ptr + cols, c + x, mask=m)
    tl.debug_barrier()
    tl.atomic_xchg(lock_ptr, 0)


@triton.jit
def moe_gemm(
    a_ptr,
    b_ptr,
    c_ptr,
    tok_ptr,
    exp_ptr,
    M,
    N,
    K,
    sam,
    sbe,
    sbk,
    scm,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
):
    pm = tl.program_id(0)
    pn = tl.program_id(1)
    e = tl.load(exp_ptr + pm).to(tl.int64)
    tok = tl.load(tok_ptr + pm * BM + tl.arange(0, BM))
    ok = tok < M
    rk = tl.arange(0, BK)
    rn = pn * BN + tl.arange(0, BN)
    a_ptrs = a_ptr + tok[:, None] * sam + rk[None, :]
    b_ptrs = b_ptr + e * sbe + rk[:, None] * sbk + rn[None, :]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        a = tl.load(a_ptrs, mask=ok[:, None] & (rk[None, :] < K - k), other=0.0)
        b = tl.load(b_ptrs, mask=(rk[:, None] < K - k) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc)
        a_ptrs += BK
        b_ptrs += BK * sbk
    tl.store(
        c_ptr + tok[:, None] * scm + rn[None, :],
        acc.to(tl.float16),
        mask=ok[:, None] & (rn[None, :] < N),
    )


@triton.jit
def latent_attention(
    q_ptr, kv_ptr, o_ptr, scale, N, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr
):
    """The keys are the values too: one block, used in both orders."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + rows[:, None] * D + d[None, :], mask=rows[:, None] < N, other=0.0)
    acc = tl.zeros((BM, D), tl.float32)
    m_i = tl.full((BM,), float("-inf"), tl.float32)
    l_i = tl.zeros((BM,), tl.float32)
    for start in range(0, N, BN):
        keys = start + tl.arange(0, BN)
        kv = tl.load(kv_ptr + keys[:, None] * D + d[None, :], mask=keys[:, None] < N, other=0.0)
        s = tl.where(keys[None, :] < N, tl.dot(q, tl.trans(kv)) * scale, float("-inf"))
        m_new = tl.maximum(m_i, tl.max(s, 1))
        p = tl.exp2(s - m_new[:, None])
        alpha = tl.exp2(m_i - m_new)
        l_i = l_i * alpha + tl.sum(p, 1)
        acc = tl.dot(p.to(tl.float16), kv, acc * alpha[:, None])
        m_i = m_new
    out = (acc / l_i[:, None]).to(tl.float16)
    tl.store(o_ptr + rows[:, None] * D + d[None, :], out, mask=rows[:, None] < N)
