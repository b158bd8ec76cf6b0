"""Triton kernels that address memory in the ways that libraries do: see test_pointers.py."""

import triton
import triton.language as tl


@triton.jit
def wide_offsets(
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
    """Program ids in 64 bits, so that offsets may need them."""
    rm = tl.program_id(0).to(tl.int64) * BM + tl.arange(0, BM).to(tl.int64)
    rn = tl.program_id(1).to(tl.int64) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        rk = k + tl.arange(0, BK)
        a = tl.load(
            a_ptr + rm[:, None] * sam + rk[None, :],
            mask=(rm[:, None] < M) & (rk[None, :] < K),
            other=0.0,
        )
        b = tl.load(
            b_ptr + rk[:, None].to(tl.int64) * sbk + rn[None, :],
            mask=(rk[:, None] < K) & (rn[None, :] < N),
            other=0.0,
        )
        acc += tl.dot(a, b)
    tl.store(
        c_ptr + rm[:, None] * scm + rn[None, :],
        acc.to(c_ptr.dtype.element_ty),
        mask=(rm[:, None] < M) & (rn[None, :] < N),
    )


@triton.jit
def switched_off(
    a_ptr,
    b_ptr,
    c_ptr,
    M,
    N,
    K,
    sam,
    sbk,
    scm,
    valid,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
):
    """A part of the mask is a scalar: the rows of some programs are not there at all."""
    pid_m = tl.program_id(0)
    rm = pid_m * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    on = pid_m < valid
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        rk = k + tl.arange(0, BK)
        even = (k // BK) % 2 == 0
        a = tl.load(
            a_ptr + rm[:, None] * sam + rk[None, :],
            mask=(rm[:, None] < M) & (rk[None, :] < K) & on & even,
            other=0.0,
        )
        b = tl.load(
            b_ptr + rk[:, None] * sbk + rn[None, :],
            mask=(rk[:, None] < K) & (rn[None, :] < N),
            other=0.0,
        )
        acc += tl.dot(a, b)
    # Bit pattern of what was there before stays where the program is off.
    tl.store(
        c_ptr + rm[:, None] * scm + rn[None, :],
        acc.to(c_ptr.dtype.element_ty),
        mask=(rm[:, None] < M) & (rn[None, :] < N) & on,
    )


@triton.jit
def batched(
    a_ptr,
    b_ptr,
    c_ptr,
    B,
    M,
    N,
    K,
    sab,
    sam,
    sbb,
    sbk,
    scb,
    scm,
    BB: tl.constexpr,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
):
    """Tiles of three dimensions, and a batched dot."""
    rb = tl.program_id(2) * BB + tl.arange(0, BB)
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    a_ptrs = a_ptr + rb[:, None, None] * sab + rm[None, :, None] * sam + rk[None, None, :]
    b_ptrs = b_ptr + rb[:, None, None] * sbb + rk[None, :, None] * sbk + rn[None, None, :]
    inside = rb[:, None, None] < B
    acc = tl.zeros((BB, BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        left = rk < K - k * BK
        a = tl.load(a_ptrs, other=0.0, mask=inside & (rm[None, :, None] < M) & left[None, None, :])
        b = tl.load(b_ptrs, other=0.0, mask=inside & left[None, :, None] & (rn[None, None, :] < N))
        acc = tl.dot(a, b, acc)
        a_ptrs += BK
        b_ptrs += BK * sbk
    c_ptrs = c_ptr + rb[:, None, None] * scb + rm[None, :, None] * scm + rn[None, None, :]
    tl.store(
        c_ptrs,
        acc.to(c_ptr.dtype.element_ty),
        mask=inside & (rm[None, :, None] < M) & (rn[None, None, :] < N),
    )


@triton.jit
def batched_desc(
    a_ptr, b_ptr, c_ptr, B, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr
):
    """Descriptors of three dimensions whose blocks hold one matrix."""
    pid_m, pid_n, pid_b = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    a = tl.make_tensor_descriptor(
        a_ptr, shape=[B, M, K], strides=[M * K, K, 1], block_shape=[1, BM, BK]
    )
    b = tl.make_tensor_descriptor(
        b_ptr, shape=[B, K, N], strides=[K * N, N, 1], block_shape=[1, BK, BN]
    )
    c = tl.make_tensor_descriptor(
        c_ptr, shape=[B, M, N], strides=[M * N, N, 1], block_shape=[1, BM, BN]
    )
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        x = a.load([pid_b, pid_m * BM, k]).reshape(BM, BK)
        y = b.load([pid_b, k, pid_n * BN]).reshape(BK, BN)
        acc = tl.dot(x, y, acc)
    out = acc.to(c_ptr.dtype.element_ty).reshape(1, BM, BN)
    # The last programs lie behind the batch: nothing is loaded or stored.
    c.store([pid_b, pid_m * BM, pid_n * BN], out)


@triton.jit
def split_k(
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
    SPLIT: tl.constexpr,
):
    """Rows and columns wrap around, and atomic additions mask the rest."""
    pid, pid_z = tl.program_id(0), tl.program_id(2)
    tiles_n = tl.cdiv(N, BN)
    rm = pid // tiles_n * BM + tl.arange(0, BM)
    rn = pid % tiles_n * BN + tl.arange(0, BN)
    rk = pid_z * BK + tl.arange(0, BK)
    a_ptrs = a_ptr + ((rm % M)[:, None] * sam + rk[None, :])
    b_ptrs = b_ptr + (rk[:, None] * sbk + (rn % N)[None, :])
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK * SPLIT)):
        left = K - k * (BK * SPLIT)
        a = tl.load(a_ptrs, mask=rk[None, :] < left, other=0.0)
        b = tl.load(b_ptrs, mask=rk[:, None] < left, other=0.0)
        acc += tl.dot(a, b)
        a_ptrs += BK * SPLIT
        b_ptrs += BK * SPLIT * sbk
    tl.atomic_add(
        c_ptr + (rm[:, None] * scm + rn[None, :]), acc, mask=(rm < M)[:, None] & (rn < N)[None, :]
    )


@triton.jit
def varlen_attention(
    Q,
    K,
    V,
    q_starts,
    k_starts,
    sm_scale,
    Out,
    sqh,
    sqm,
    skh,
    skn,
    GROUP,
    WINDOW,
    BM: tl.constexpr,
    BN: tl.constexpr,
    D: tl.constexpr,
):
    """Sequences of loaded lengths, packed; grouped heads; a causal window."""
    start_m, head, seq = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    q0 = tl.load(q_starts + seq)
    len_q = tl.load(q_starts + seq + 1) - q0
    k0 = tl.load(k_starts + seq)
    len_k = tl.load(k_starts + seq + 1) - k0
    if start_m * BM >= len_q:
        return
    offs_m = start_m * BM + tl.arange(0, BM)
    offs_n = tl.arange(0, BN)
    offs_d = tl.arange(0, D)
    q = tl.load(
        Q + (q0 + offs_m[:, None]) * sqm + head * sqh + offs_d[None, :],
        mask=offs_m[:, None] < len_q,
        other=0.0,
    )
    first = tl.maximum(0, start_m * BM - WINDOW) // BN * BN
    k_ptrs = K + (k0 + first + offs_n[None, :]) * skn + head // GROUP * skh + offs_d[:, None]
    v_ptrs = V + (k0 + first + offs_n[:, None]) * skn + head // GROUP * skh + offs_d[None, :]
    m_i = tl.zeros([BM], dtype=tl.float32) - 1e30
    l_i = tl.zeros([BM], dtype=tl.float32)
    acc = tl.zeros([BM, D], dtype=tl.float32)
    for n in range(first, tl.minimum((start_m + 1) * BM, len_k), BN):
        column = n + offs_n
        k = tl.load(k_ptrs, mask=column[None, :] < len_k, other=0.0)
        seen = (offs_m[:, None] >= column[None, :]) & (column[None, :] < len_k)
        seen = seen & (offs_m[:, None] - column[None, :] <= WINDOW)
        s = tl.where(seen, tl.dot(q, k) * sm_scale, -1e30)
        m_new = tl.maximum(m_i, tl.max(s, 1))
        p = tl.where(seen, tl.exp(s - m_new[:, None]), 0.0)
        alpha = tl.exp(m_i - m_new)
        l_i = l_i * alpha + tl.sum(p, 1)
        v = tl.load(v_ptrs, mask=column[:, None] < len_k, other=0.0)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v)
        m_i = m_new
        k_ptrs += BN * skn
        v_ptrs += BN * skn
    tl.store(
        Out + (q0 + offs_m[:, None]) * sqm + head * sqh + offs_d[None, :],
        (acc / l_i[:, None]).to(Out.dtype.element_ty),
        mask=offs_m[:, None] < len_q,
    )


@triton.jit
def paged_attention(
    Q,
    K,
    V,
    table,
    lengths,
    Out,
    sm_scale,
    st,
    sqb,
    skb,
    skt,
    skh,
    BM: tl.constexpr,
    BLK: tl.constexpr,
    D: tl.constexpr,
):
    """The heads of a group over pages whose addresses are loaded."""
    seq, group = tl.program_id(0), tl.program_id(1)
    length = tl.load(lengths + seq)
    offs_m = group * BM + tl.arange(0, BM)
    offs_n = tl.arange(0, BLK)
    offs_d = tl.arange(0, D)
    q = tl.load(Q + seq * sqb + offs_m[:, None] * D + offs_d[None, :])
    m_i = tl.zeros([BM], dtype=tl.float32) - 1e30
    l_i = tl.zeros([BM], dtype=tl.float32)
    acc = tl.zeros([BM, D], dtype=tl.float32)
    for page in range(0, tl.cdiv(length, BLK)):
        start = tl.load(table + seq * st + page).to(tl.int64) * skb + group * skh
        seen = page * BLK + offs_n < length
        k = tl.load(
            K + start + offs_d[:, None] + offs_n[None, :] * skt, mask=seen[None, :], other=0.0
        )
        s = tl.where(seen[None, :], tl.dot(q, k) * sm_scale, -1e30)
        m_new = tl.maximum(m_i, tl.max(s, 1))
        p = tl.exp(s - m_new[:, None])
        alpha = tl.exp(m_i - m_new)
        l_i = l_i * alpha + tl.sum(p, 1)
        v = tl.load(
            V + start + offs_n[:, None] * skt + offs_d[None, :], mask=seen[:, None], other=0.0
        )
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v)
        m_i = m_new
    tl.store(
        Out + seq * sqb + offs_m[:, None] * D + offs_d[None, :],
        (acc / l_i[:, None]).to(Out.dtype.element_ty),
    )
