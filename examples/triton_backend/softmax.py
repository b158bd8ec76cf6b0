"""A softmax in Triton, launched from NumPy through mltc; no GPU and no torch are needed.

    python examples/triton_backend/softmax.py [rows columns]

The exit code is 1 when the result is not what NumPy computes in double precision.
"""

from __future__ import annotations

import sys
import time

import numpy as np
import triton
import triton.language as tl

from mltc.triton_backend import current_device, tensor


@triton.jit
def softmax(source, out, columns, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(source + row * stride + at, mask=at < columns, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(out + row * stride + at, e / tl.sum(e, axis=0), mask=at < columns)


def main() -> int:
    """Launches twice, the second time without building, and compares."""
    rows, columns = map(int, sys.argv[1:3] or (64, 1000))
    x = np.random.default_rng().standard_normal((rows, columns), dtype=np.float32)
    out = np.full_like(x, np.nan)
    print(f"triton {triton.__version__}, device {current_device()}")
    for what in ("build and launch", "launch"):
        start = time.perf_counter()
        softmax[(rows,)](tensor(x), tensor(out), columns, columns,
                         BLOCK=triton.next_power_of_2(columns), num_warps=4)  # fmt: skip
        print(f"  {what}: {(time.perf_counter() - start) * 1e3:.1f} ms")
    e = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    error = np.abs(out - e / e.sum(axis=1, keepdims=True)).max()
    right = bool(error < 1e-6)
    print(f"  largest error {error:.1e}: {'ok' if right else 'WRONG'}")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
