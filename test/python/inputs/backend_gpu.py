"""Launches of stock Triton on an Intel GPU that nobody named; run under ``mltc sim-driver``.

Prints ``right`` when the kernels of the language extension ran on it, with arrays of the host and
with memory of the device.
"""

import os

import numpy as np
import triton

from mltc import language as tl
from mltc.triton_backend import current_device, tensor
from mltc.triton_backend.device import open_device


@triton.jit
def shares(x, out, N: tl.constexpr):
    """Every warp has a row; its share of the sum over all rows."""
    tl.warp_level()
    place = tl.warp_id() * N + tl.arange(0, N)
    row = tl.load(x + place)
    tl.store(out + place, row / tl.sum(row, cross_warp=True))


@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    a = tl.make_tensor_descriptor(a_ptr, [M, K], [K, 1], [BM, BK])
    b = tl.make_tensor_descriptor(b_ptr, [K, N], [N, 1], [BK, BN])
    c = tl.make_tensor_descriptor(c_ptr, [M, N], [N, 1], [BM, BN])
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(a.load([row, k]), b.load([k, column]), acc, tiling="horizontal")
    c.store([row, column], acc)


def main() -> None:
    rng = np.random.default_rng(int(os.environ["MLTC_SEED"]))
    assert current_device() == "level_zero:gpu:0", current_device()
    gpu = open_device(current_device())
    properties = triton.runtime.driver.active.utils.get_device_properties(current_device())
    assert properties["multiprocessor_count"] == 64, properties
    assert properties["max_shared_mem"] == 128 * 1024, properties

    x = rng.random((4, 32), np.float32) + 1
    memory = gpu.allocate(x.nbytes, 64)
    kernel = shares[(1,)](tensor(x), tensor(memory, "fp32", x.shape), N=32, num_warps=4)
    got = tensor(memory, "fp32", x.shape).numpy()
    np.testing.assert_allclose(got, x / x.astype(np.float64).sum(0), rtol=1e-5)
    assert kernel.metadata.shared > 0 and kernel.asm["zebin"][:4] == b"\x7fELF"

    a = rng.standard_normal((40, 64)).astype(np.float16)
    b = rng.standard_normal((64, 48)).astype(np.float16)
    c = np.full((40, 48), np.nan, np.float32)
    matmul[(2, 2)](tensor(a), tensor(b), tensor(c), 40, 48, 64, BM=32, BN=32, BK=32, num_warps=4)
    bound = 64 * np.finfo(np.float32).eps * (np.abs(a).astype(np.float64) @ np.abs(b))
    assert (np.abs(c - a.astype(np.float64) @ b) <= bound).all()
    print("right")


if __name__ == "__main__":
    main()
