"""Kernels that test_variants.py builds in many sizes and types, from stock Triton."""

import triton
import triton.language as tl


@triton.jit
def vector_add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask)
    y = tl.load(y_ptr + offs, mask=mask)
    tl.store(out_ptr + offs, x + y, mask=mask)


@triton.jit
def row_softmax(x_ptr, out_ptr, stride, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    x = tl.load(x_ptr + row * stride + cols, mask=mask, other=-float("inf")).to(tl.float32)
    x = x - tl.max(x, axis=0)
    num = tl.exp(x)
    den = tl.sum(num, axis=0)
    tl.store(out_ptr + row * stride + cols, (num / den).to(out_ptr.dtype.element_ty), mask=mask)


@triton.jit
def layer_norm(x_ptr, w_ptr, b_ptr, out_ptr, stride, n_cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    acc = tl.zeros([BLOCK], dtype=tl.float32)
    sq = tl.zeros([BLOCK], dtype=tl.float32)
    for off in range(0, n_cols, BLOCK):
        cols = off + tl.arange(0, BLOCK)
        v = tl.load(x_ptr + row * stride + cols, mask=cols < n_cols, other=0.0).to(tl.float32)
        acc += v
        sq += v * v
    mean = tl.sum(acc, axis=0) / n_cols
    var = tl.sum(sq, axis=0) / n_cols - mean * mean
    rstd = 1.0 / tl.sqrt(var + eps)
    for off in range(0, n_cols, BLOCK):
        cols = off + tl.arange(0, BLOCK)
        m = cols < n_cols
        v = tl.load(x_ptr + row * stride + cols, mask=m, other=0.0).to(tl.float32)
        w = tl.load(w_ptr + cols, mask=m).to(tl.float32)
        b = tl.load(b_ptr + cols, mask=m).to(tl.float32)
        tl.store(
            out_ptr + row * stride + cols,
            ((v - mean) * rstd * w + b).to(out_ptr.dtype.element_ty),
            mask=m,
        )


@triton.jit
def gemm_ptr(
    a_ptr,
    b_ptr,
    c_ptr,
    M,
    N,
    K,
    sam,
    sak,
    sbk,
    sbn,
    scm,
    scn,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
):
    pid_m = tl.program_id(0)
    pid_n = tl.program_id(1)
    rm = pid_m * BM + tl.arange(0, BM)
    rn = pid_n * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    a_ptrs = a_ptr + rm[:, None] * sam + rk[None, :] * sak
    b_ptrs = b_ptr + rk[:, None] * sbk + rn[None, :] * sbn
    kind: tl.constexpr = tl.int32 if a_ptr.dtype.element_ty == tl.int8 else tl.float32
    acc = tl.zeros((BM, BN), dtype=kind)
    for k in range(0, tl.cdiv(K, BK)):
        a = tl.load(a_ptrs, mask=rk[None, :] < K - k * BK, other=0.0)
        b = tl.load(b_ptrs, mask=rk[:, None] < K - k * BK, other=0.0)
        acc = tl.dot(a, b, acc, out_dtype=kind)
        a_ptrs += BK * sak
        b_ptrs += BK * sbk
    c_ptrs = c_ptr + rm[:, None] * scm + rn[None, :] * scn
    tl.store(c_ptrs, acc, mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def gemm_block(
    a_ptr,
    b_ptr,
    c_ptr,
    M,
    N,
    K,
    sam,
    sak,
    sbk,
    sbn,
    scm,
    scn,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
    GM: tl.constexpr,
):
    pid = tl.program_id(0)
    num_m = tl.cdiv(M, BM)
    num_n = tl.cdiv(N, BN)
    in_group = GM * num_n
    first_m = (pid // in_group) * GM
    group_m = min(num_m - first_m, GM)
    pid_m = first_m + (pid % group_m)
    pid_n = (pid % in_group) // group_m
    a = tl.make_block_ptr(a_ptr, (M, K), (sam, sak), (pid_m * BM, 0), (BM, BK), (1, 0))
    b = tl.make_block_ptr(b_ptr, (K, N), (sbk, sbn), (0, pid_n * BN), (BK, BN), (1, 0))
    kind: tl.constexpr = tl.int32 if a_ptr.dtype.element_ty == tl.int8 else tl.float32
    acc = tl.zeros((BM, BN), dtype=kind)
    for _ in range(0, K, BK):
        acc = tl.dot(
            tl.load(a, boundary_check=(0, 1)),
            tl.load(b, boundary_check=(0, 1)),
            acc,
            out_dtype=kind,
        )
        a = tl.advance(a, (0, BK))
        b = tl.advance(b, (BK, 0))
    c = tl.make_block_ptr(c_ptr, (M, N), (scm, scn), (pid_m * BM, pid_n * BN), (BM, BN), (1, 0))
    tl.store(c, acc, boundary_check=(0, 1))


@triton.jit
def gemm_bias_relu(
    a_ptr,
    b_ptr,
    bias_ptr,
    c_ptr,
    M,
    N,
    K,
    sam,
    sak,
    sbk,
    sbn,
    scm,
    scn,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
):
    pid_m = tl.program_id(0)
    pid_n = tl.program_id(1)
    a = tl.make_block_ptr(a_ptr, (M, K), (sam, sak), (pid_m * BM, 0), (BM, BK), (1, 0))
    b = tl.make_block_ptr(b_ptr, (K, N), (sbk, sbn), (0, pid_n * BN), (BK, BN), (1, 0))
    kind: tl.constexpr = tl.int32 if a_ptr.dtype.element_ty == tl.int8 else tl.float32
    acc = tl.zeros((BM, BN), dtype=kind)
    for _ in range(0, K, BK):
        acc += tl.dot(tl.load(a, boundary_check=(0, 1)), tl.load(b, boundary_check=(0, 1)))
        a = tl.advance(a, (0, BK))
        b = tl.advance(b, (BK, 0))
    rn = pid_n * BN + tl.arange(0, BN)
    bias = tl.load(bias_ptr + rn, mask=rn < N, other=0.0).to(tl.float32)
    acc = tl.maximum(acc + bias[None, :], 0.0)
    c = tl.make_block_ptr(c_ptr, (M, N), (scm, scn), (pid_m * BM, pid_n * BN), (BM, BN), (1, 0))
    tl.store(c, acc.to(c_ptr.dtype.element_ty), boundary_check=(0, 1))


@triton.jit
def gemm_nt(
    a_ptr,
    b_ptr,
    c_ptr,
    M,
    N,
    K,
    sam,
    sak,
    sbn,
    sbk,
    scm,
    scn,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
):
    # B is stored as N x K: the block pointer walks its transpose, order (0, 1)
    pid_m = tl.program_id(0)
    pid_n = tl.program_id(1)
    a = tl.make_block_ptr(a_ptr, (M, K), (sam, sak), (pid_m * BM, 0), (BM, BK), (1, 0))
    b = tl.make_block_ptr(b_ptr, (K, N), (sbk, sbn), (0, pid_n * BN), (BK, BN), (0, 1))
    kind: tl.constexpr = tl.int32 if a_ptr.dtype.element_ty == tl.int8 else tl.float32
    acc = tl.zeros((BM, BN), dtype=kind)
    for _ in range(0, K, BK):
        acc = tl.dot(
            tl.load(a, boundary_check=(0, 1)),
            tl.load(b, boundary_check=(0, 1)),
            acc,
            out_dtype=kind,
        )
        a = tl.advance(a, (0, BK))
        b = tl.advance(b, (BK, 0))
    c = tl.make_block_ptr(c_ptr, (M, N), (scm, scn), (pid_m * BM, pid_n * BN), (BM, BN), (1, 0))
    tl.store(c, acc.to(c_ptr.dtype.element_ty), boundary_check=(0, 1))


@triton.jit
def gemm_desc(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pid_m = tl.program_id(0)
    pid_n = tl.program_id(1)
    a = tl.make_tensor_descriptor(a_ptr, shape=[M, K], strides=[K, 1], block_shape=[BM, BK])
    b = tl.make_tensor_descriptor(b_ptr, shape=[K, N], strides=[N, 1], block_shape=[BK, BN])
    c = tl.make_tensor_descriptor(c_ptr, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    kind: tl.constexpr = tl.int32 if a_ptr.dtype.element_ty == tl.int8 else tl.float32
    acc = tl.zeros((BM, BN), dtype=kind)
    for k in range(0, K, BK):
        acc = tl.dot(a.load([pid_m * BM, k]), b.load([k, pid_n * BN]), acc, out_dtype=kind)
    c.store([pid_m * BM, pid_n * BN], acc.to(c_ptr.dtype.element_ty))


@triton.jit
def flash_attention(
    Q,
    K,
    V,
    sm_scale,
    Out,
    stride_z,
    stride_h,
    stride_m,
    stride_d,
    H,
    N_CTX,
    BM: tl.constexpr,
    BN: tl.constexpr,
    D: tl.constexpr,
    CAUSAL: tl.constexpr,
):
    start_m = tl.program_id(0)
    off_zh = tl.program_id(1)
    base = (off_zh // H).to(tl.int64) * stride_z + (off_zh % H).to(tl.int64) * stride_h
    q_bp = tl.make_block_ptr(
        Q + base, (N_CTX, D), (stride_m, stride_d), (start_m * BM, 0), (BM, D), (1, 0)
    )
    k_bp = tl.make_block_ptr(K + base, (D, N_CTX), (stride_d, stride_m), (0, 0), (D, BN), (0, 1))
    v_bp = tl.make_block_ptr(V + base, (N_CTX, D), (stride_m, stride_d), (0, 0), (BN, D), (1, 0))
    o_bp = tl.make_block_ptr(
        Out + base, (N_CTX, D), (stride_m, stride_d), (start_m * BM, 0), (BM, D), (1, 0)
    )
    offs_m = start_m * BM + tl.arange(0, BM)
    offs_n = tl.arange(0, BN)
    m_i = tl.zeros([BM], dtype=tl.float32) - float("inf")
    l_i = tl.zeros([BM], dtype=tl.float32) + 1.0
    acc = tl.zeros([BM, D], dtype=tl.float32)
    scale = sm_scale * 1.44269504
    q = tl.load(q_bp)
    hi = N_CTX
    if CAUSAL:
        hi = (start_m + 1) * BM
    for start_n in range(0, hi, BN):
        k = tl.load(k_bp)
        qk = tl.dot(q, k) * scale
        if CAUSAL:
            qk = tl.where(offs_m[:, None] >= start_n + offs_n[None, :], qk, -1.0e6)
        m_new = tl.maximum(m_i, tl.max(qk, 1))
        p = tl.math.exp2(qk - m_new[:, None])
        alpha = tl.math.exp2(m_i - m_new)
        l_i = l_i * alpha + tl.sum(p, 1)
        acc = acc * alpha[:, None]
        v = tl.load(v_bp)
        acc += tl.dot(p.to(v.dtype), v)
        m_i = m_new
        k_bp = tl.advance(k_bp, (0, BN))
        v_bp = tl.advance(v_bp, (BN, 0))
    acc = acc / l_i[:, None]
    tl.store(o_bp, acc.to(Out.dtype.element_ty))


@triton.jit
def paged_attention(
    q_ptr,
    k_ptr,
    v_ptr,
    table_ptr,
    len_ptr,
    out_ptr,
    sm_scale,
    stride_table,
    stride_blk,
    stride_tok,
    stride_q,
    BLK: tl.constexpr,
    D: tl.constexpr,
):
    # One query token per program; the cache of blocks [BLK, D] is addressed through a table.
    seq = tl.program_id(0)
    n = tl.load(len_ptr + seq)
    offs_d = tl.arange(0, D)
    offs_t = tl.arange(0, BLK)
    q = tl.load(q_ptr + seq * stride_q + offs_d).to(tl.float32)
    m_i = -float("inf")
    l_i = 0.0
    acc = tl.zeros([D], dtype=tl.float32)
    for start in range(0, n, BLK):
        blk = tl.load(table_ptr + seq * stride_table + start // BLK).to(tl.int64)
        base = blk * stride_blk
        kv = offs_t[:, None] * stride_tok + offs_d[None, :]
        ok = (start + offs_t) < n
        k = tl.load(k_ptr + base + kv, mask=ok[:, None], other=0.0).to(tl.float32)
        s = tl.sum(k * q[None, :], axis=1) * sm_scale
        s = tl.where(ok, s, -float("inf"))
        m_new = tl.maximum(m_i, tl.max(s, axis=0))
        p = tl.exp(s - m_new)
        alpha = tl.exp(m_i - m_new)
        l_i = l_i * alpha + tl.sum(p, axis=0)
        v = tl.load(v_ptr + base + kv, mask=ok[:, None], other=0.0).to(tl.float32)
        acc = acc * alpha + tl.sum(v * p[:, None], axis=0)
        m_i = m_new
    tl.store(out_ptr + seq * stride_q + offs_d, (acc / l_i).to(out_ptr.dtype.element_ty))


@triton.jit
def split_k_gemm(
    a_ptr,
    b_ptr,
    c_ptr,
    M,
    N,
    K,
    sam,
    sak,
    sbk,
    sbn,
    scm,
    scn,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
    SPLIT: tl.constexpr,
):
    pid_m = tl.program_id(0)
    pid_n = tl.program_id(1)
    pid_k = tl.program_id(2)
    a = tl.make_block_ptr(a_ptr, (M, K), (sam, sak), (pid_m * BM, pid_k * BK), (BM, BK), (1, 0))
    b = tl.make_block_ptr(b_ptr, (K, N), (sbk, sbn), (pid_k * BK, pid_n * BN), (BK, BN), (1, 0))
    kind: tl.constexpr = tl.int32 if a_ptr.dtype.element_ty == tl.int8 else tl.float32
    acc = tl.zeros((BM, BN), dtype=kind)
    for _ in range(0, K, BK * SPLIT):
        acc = tl.dot(
            tl.load(a, boundary_check=(0, 1)),
            tl.load(b, boundary_check=(0, 1)),
            acc,
            out_dtype=kind,
        )
        a = tl.advance(a, (0, BK * SPLIT))
        b = tl.advance(b, (BK * SPLIT, 0))
    rm = pid_m * BM + tl.arange(0, BM)
    rn = pid_n * BN + tl.arange(0, BN)
    mask = (rm[:, None] < M) & (rn[None, :] < N)
    tl.atomic_add(c_ptr + rm[:, None] * scm + rn[None, :] * scn, acc, mask=mask)


@triton.jit
def silu_and_mul(x_ptr, out_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    cols = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    m = cols < n_cols
    gate = tl.load(x_ptr + row * 2 * n_cols + cols, mask=m).to(tl.float32)
    up = tl.load(x_ptr + row * 2 * n_cols + n_cols + cols, mask=m).to(tl.float32)
    y = gate / (1.0 + tl.exp(-gate)) * up
    tl.store(out_ptr + row * n_cols + cols, y.to(out_ptr.dtype.element_ty), mask=m)


@triton.jit
def row_argmax(x_ptr, val_ptr, idx_ptr, stride, n_cols, BM: tl.constexpr, BN: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.arange(0, BN)
    x = tl.load(
        x_ptr + rm[:, None] * stride + rn[None, :], mask=rn[None, :] < n_cols, other=-float("inf")
    )
    tl.store(idx_ptr + rm, tl.argmax(x, axis=1))
    tl.store(val_ptr + rm, tl.max(x, axis=1))


@triton.jit
def gemm_nt_desc(
    a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr
):
    # B is stored as N x K and transposed after the load
    pid_m = tl.program_id(0)
    pid_n = tl.program_id(1)
    a = tl.make_tensor_descriptor(a_ptr, shape=[M, K], strides=[K, 1], block_shape=[BM, BK])
    b = tl.make_tensor_descriptor(b_ptr, shape=[N, K], strides=[K, 1], block_shape=[BN, BK])
    c = tl.make_tensor_descriptor(c_ptr, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    kind: tl.constexpr = tl.int32 if a_ptr.dtype.element_ty == tl.int8 else tl.float32
    acc = tl.zeros((BM, BN), dtype=kind)
    for k in range(0, K, BK):
        acc = tl.dot(a.load([pid_m * BM, k]), b.load([pid_n * BN, k]).T, acc, out_dtype=kind)
    c.store([pid_m * BM, pid_n * BN], acc.to(c_ptr.dtype.element_ty))


@triton.jit
def flash_attention_desc(
    Q, K, V, sm_scale, Out, N_CTX, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr
):
    # all heads stacked along the rows of one 2-D tensor
    start_m = tl.program_id(0)
    row0 = tl.program_id(1) * N_CTX
    rows = tl.num_programs(1) * N_CTX
    qd = tl.make_tensor_descriptor(Q, shape=[rows, D], strides=[D, 1], block_shape=[BM, D])
    kd = tl.make_tensor_descriptor(K, shape=[rows, D], strides=[D, 1], block_shape=[BN, D])
    vd = tl.make_tensor_descriptor(V, shape=[rows, D], strides=[D, 1], block_shape=[BN, D])
    od = tl.make_tensor_descriptor(Out, shape=[rows, D], strides=[D, 1], block_shape=[BM, D])
    m_i = tl.zeros([BM], dtype=tl.float32) - float("inf")
    l_i = tl.zeros([BM], dtype=tl.float32) + 1.0
    acc = tl.zeros([BM, D], dtype=tl.float32)
    scale = sm_scale * 1.44269504
    q = qd.load([row0 + start_m * BM, 0])
    for n in range(0, N_CTX, BN):
        k = kd.load([row0 + n, 0])
        qk = tl.dot(q, k.T) * scale
        m_new = tl.maximum(m_i, tl.max(qk, 1))
        p = tl.math.exp2(qk - m_new[:, None])
        alpha = tl.math.exp2(m_i - m_new)
        l_i = l_i * alpha + tl.sum(p, 1)
        v = vd.load([row0 + n, 0])
        acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None])
        m_i = m_new
    od.store([row0 + start_m * BM, 0], (acc / l_i[:, None]).to(Out.dtype.element_ty))
