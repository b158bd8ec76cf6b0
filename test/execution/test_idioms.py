"""Selections and bits put together that compilers know by another name, in machine code.

LLVM makes functions of them (magnitudes, saturating differences, byte swaps); of vectors, Intel's
compiler computes the first element of some and crashes on others. The code runs on the simulator.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from randomness import rng

from execution.test_isa import missing_tools
from mltc.driver import BuildRequest, build
from mltc.package import read_package
from mltc.runtime import load
from mltc.runtime.simulator import SimulatorBackend
from mltc.simulator import SimulatorOptions

pytestmark = pytest.mark.skipif(bool(missing_tools()), reason=f"no {missing_tools()}")

N = 256
Array = NDArray[Any]

_KERNEL = """
module {{
 tt.func public @kernel(%p: !tt.ptr<{element}>, %q: !tt.ptr<{element}>, %o: !tt.ptr<{element}>) {{
  %i = tt.make_range {{start = 0 : i32, end = {n} : i32}} : tensor<{n}xi32>
{loads}
  %zero = arith.constant dense<{zero}> : tensor<{n}x{element}>
{body}
  %os = tt.splat %o : !tt.ptr<{element}> -> tensor<{n}x!tt.ptr<{element}>>
  %op = tt.addptr %os, %i : tensor<{n}x!tt.ptr<{element}>>, tensor<{n}xi32>
  tt.store %op, %r : tensor<{n}x!tt.ptr<{element}>>
  tt.return
 }}
}}
"""
_LOAD = """
  %{v}s = tt.splat %{p} : !tt.ptr<{element}> -> tensor<{n}x!tt.ptr<{element}>>
  %{v}p = tt.addptr %{v}s, %i : tensor<{n}x!tt.ptr<{element}>>, tensor<{n}xi32>
  %{v} = tt.load %{v}p : tensor<{n}x!tt.ptr<{element}>>
"""


def magnitude(name: str, predicate: str, sub: str, swapped: bool) -> str:
    """``x predicate 0 ? x : 0 - x``, or the other way round."""
    first, second = ("%m", "%x") if swapped else ("%x", "%m")
    return f"""
  %m = arith.{sub} %zero, %x : T
  %c = arith.{name} {predicate}, %x, %zero : T
  %r = arith.select %c, {first}, {second} : C, T
"""


def shifted(line: str, op: str, bits: int, mask: int) -> str:
    return f"""
  %b{line} = arith.constant dense<{bits}> : T
  %n{line} = arith.constant dense<{mask}> : T
  %s{line} = arith.{op} %x, %b{line} : T
  %a{line} = arith.andi %s{line}, %n{line} : T
"""


_SWAP = (
    shifted("0", "shli", 24, -16777216)
    + shifted("1", "shli", 8, 16711680)
    + shifted("2", "shrui", 8, 65280)
    + shifted("3", "shrui", 24, 255)
    + """
  %u = arith.ori %a0, %a1 : T
  %v = arith.ori %u, %a2 : T
  %r = arith.ori %v, %a3 : T
"""
)
_DIFFERENCE = """
  %d = arith.subi %x, %y : T
  %c = arith.cmpi ugt, %x, %y : T
  %r = arith.select %c, %d, %zero : C, T
"""


def saturating(x: Array, y: Array) -> Array:
    a, b = x.view(np.uint32), y.view(np.uint32)
    return np.where(a > b, a - b, 0).astype(np.uint32).view(np.int32)


CASES: dict[str, tuple[str, str, Callable[[Array, Array], Array]]] = {
    "larger": ("f32", magnitude("cmpf", "ogt", "subf", False), lambda x, _: np.abs(x)),
    "not_larger": ("f32", magnitude("cmpf", "ole", "subf", True), lambda x, _: np.abs(x)),
    "negative": ("i32", magnitude("cmpi", "slt", "subi", True), lambda x, _: np.abs(x)),
    "positive": ("i32", magnitude("cmpi", "sgt", "subi", False), lambda x, _: np.abs(x)),
    "difference": ("i32", _DIFFERENCE, saturating),
    "byte_swap": ("i32", _SWAP, lambda x, _: x.byteswap()),
}


@pytest.mark.parametrize("pipeline", ["pvc-simt", "pvc-simd"])
@pytest.mark.parametrize("name", CASES)
def test_idiom(name: str, pipeline: str, tmp_path: Path) -> None:
    element, body, reference = CASES[name]
    body = body.replace(" T", f" tensor<{N}x{element}>").replace(" C,", f" tensor<{N}xi1>,")
    loads = "".join(_LOAD.format(v=v, p=p, element=element, n=N) for v, p in ("xp", "yq"))
    zero = "0.0" if element == "f32" else "0"
    path, package = tmp_path / "kernel.ttir", tmp_path / "kernel.zebin"
    path.write_text(_KERNEL.format(element=element, n=N, loads=loads, zero=zero, body=body))
    build(BuildRequest(input=str(path), output=str(package), num_warps=1, pipeline=pipeline))
    module = load(read_package(package), SimulatorBackend(SimulatorOptions()))
    random = rng()
    if element == "f32":
        x, y = (random.standard_normal(N).astype(np.float32) for _ in range(2))
    else:
        x = random.integers(-(2**31) + 1, 2**31, N).astype(np.int32)
        # In style simd, the difference takes a subtrahend from 2^31 on for a negative number.
        y = random.integers(0 if pipeline == "pvc-simd" else -(2**31), 2**31, N).astype(np.int32)
    out = np.full_like(x, 77)
    module.kernels["kernel"].launch((1, 1, 1), x, y, out)
    np.testing.assert_array_equal(out, reference(x, y))
