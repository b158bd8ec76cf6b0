"""Functions of style simd: on the CPU device and, as machine code, in the simulator.

A function is an intrinsic of the math unit, written out with those, or one of OpenCL's, which the
vector backend has on vectors of 16 elements. NumPy in float64 says what must come out, for random
numbers of a range and for the corners of it; docs/simd.md states the errors that are checked here.
A column of numbers is a result; all functions of a type are one kernel.

By default a few functions run in f32; with MLTC_SIMD=all every one, also in f64, f16 and bf16.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from randomness import rng

from execution.reference import decode, encode
from execution.test_isa import missing_tools
from execution.test_language_ops import Tile, pointers
from execution.test_simd import ALL, PIPELINE
from mltc.driver import BuildRequest, build
from mltc.runtime import load

Array = np.ndarray[Any, Any]
SIZE = 32  # elements of an operand: several vectors of what the backend takes at once


@dataclass(frozen=True)
class Function:
    """An operation, what NumPy has for it, the range of operands and the error.

    Attributes:
        operation: of math or arith, or the name in a device's library.
        exact: gives float64 from float64.
        low, high: of the first operand; the second is between the same with `both`, else small.
        relative, absolute: error in f32; functions in f64 have `wide` (relative).
        corners: operands to try beside random ones.
    """

    operation: str
    exact: Callable[..., Any]
    low: float = -8
    high: float = 8
    relative: float = 2.0**-20
    absolute: float = 0.0
    wide: float = 2.0**-48
    corners: tuple[float, ...] = ()
    operands: int = 1

    def inputs(self, random: np.random.Generator, element: str) -> list[Array]:
        """Operands as stored."""
        drawn = []
        for _ in range(self.operands):
            values = random.uniform(self.low, self.high, SIZE)
            values[: len(self.corners)] = self.corners
            drawn.append(encode(random.permutation(values), element))
        return drawn


def erfc(x: Array) -> Array:
    return np.vectorize(math.erfc)(x)


def half_away(x: Array) -> Array:
    return np.copysign(np.floor(np.abs(x) + 0.5), x)


INF, NAN = math.inf, math.nan
EDGES = (0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 8388609.0, -0.25, INF, -INF, NAN)
UNIT = 2.0**-20  # of the math unit
DIVIDED = (6e4, -6e4, 3.0, 0.25, 1.5, 2.0**-12, -0.0, 7.0, INF, NAN)
FUNCTIONS = [
    Function("math.exp", np.exp, -80, 80, relative=2.0**-16),
    Function("math.exp2", np.exp2, -100, 100, corners=(0.0, 1.0, -1.0, INF, -INF, NAN)),
    Function("math.log", np.log, 1e-3, 1e3, UNIT, 2.0**-20, corners=(1.0, INF, 0.0, NAN)),
    Function("math.log2", np.log2, 1e-3, 1e3, UNIT, 2.0**-20, corners=(1.0, INF, 0.0)),
    Function("math.log10", np.log10, 1e-3, 1e3, UNIT, 2.0**-20, corners=(1.0, INF, 0.0)),
    Function("math.sqrt", np.sqrt, 0, 1e6, corners=(0.0, INF, NAN)),
    Function("math.rsqrt", lambda x: 1 / np.sqrt(x), 1e-6, 1e6),
    Function("math.sin", np.sin, -100, 100, absolute=2.0**-18),
    Function("math.cos", np.cos, -100, 100, absolute=2.0**-18),
    Function("math.tan", np.tan, -1.5, 1.5),
    Function("math.tanh", np.tanh, -10, 10, absolute=2e-7, corners=(0.0, INF, -INF, 1e-4)),
    Function("math.erf", np.vectorize(math.erf), -5, 5, absolute=2e-7, corners=(INF, 0.0, 1e-4)),
    Function("math.erfc", erfc, -5, 5),
    Function("math.sinh", np.sinh),
    Function("math.cosh", np.cosh),
    Function("math.asin", np.arcsin, -1, 1, corners=(1.0, -1.0, 0.0)),
    Function("math.acos", np.arccos, -1, 1, absolute=2.0**-22, corners=(1.0, -1.0, 0.0)),
    Function("math.atan", np.arctan, -100, 100, corners=(INF, -INF, 0.0)),
    Function("math.asinh", np.arcsinh, -100, 100),
    Function("math.acosh", np.arccosh, 1, 100, absolute=2.0**-20),
    Function("math.atanh", np.arctanh, -0.99, 0.99),
    Function("math.cbrt", np.cbrt, -1e4, 1e4),
    Function("math.expm1", np.expm1, -5, 5, corners=(1e-6, -1e-6)),
    Function("math.log1p", np.log1p, -0.9, 100, corners=(1e-6, -1e-6)),
    Function("math.floor", np.floor, -99, 99, 0, wide=0, corners=EDGES),
    Function("math.ceil", np.ceil, -99, 99, 0, wide=0, corners=EDGES),
    Function("math.trunc", np.trunc, -99, 99, 0, wide=0, corners=EDGES),
    Function("math.roundeven", np.rint, -99, 99, 0, wide=0, corners=EDGES),
    Function("math.round", half_away, -99, 99, 0, wide=0, corners=EDGES),
    Function("math.powf", np.power, 0.1, 6, operands=2),
    Function("math.atan2", np.arctan2, -9, 9, operands=2),
    Function("arith.remf", np.fmod, -1e4, 1e4, 0, wide=0, corners=DIVIDED, operands=2),
    Function("arith.divf", np.divide, 0.5, 9, operands=2),
    Function("arith.maxnumf", np.fmax, -9, 9, 0, wide=0, corners=(NAN, INF), operands=2),
    Function("arith.maximumf", np.maximum, -9, 9, 0, wide=0, corners=(NAN, INF), operands=2),
    Function("exp10", lambda x: 10.0**x),
    Function("lgamma", np.vectorize(math.lgamma), 0.3, 30, absolute=2.0**-19),
    Function("tgamma", np.vectorize(math.gamma), 0.3, 9, relative=2.0**-18),
    Function("sinpi", lambda x: np.sin(np.pi * np.fmod(x, 2)), absolute=2.0**-20),
    Function("cospi", lambda x: np.cos(np.pi * np.fmod(x, 2)), absolute=2.0**-20),
    Function("logb", lambda x: np.floor(np.log2(x)), 1e-3, 1e3, 0, wide=0),
    Function("fdim", lambda x, y: np.maximum(x - y, 0), operands=2),
    Function("remainder", np.vectorize(math.remainder), 0.1, 99, 0, wide=0, operands=2),
]


def body(function: Function, row: int, element: str) -> str:
    """Loads the operands of a row, computes, stores the row."""
    tile, pointer = Tile(element, (SIZE,)).text, f"tensor<{SIZE}x!tt.ptr<{element}>>"
    text, operands = "", []
    for i in range(function.operands):
        text += f"""  %c{row}_{i} = arith.constant dense<{row * SIZE}> : tensor<{SIZE}xi32>
  %q{row}_{i} = tt.addptr %a{i}p, %c{row}_{i} : {pointer}, tensor<{SIZE}xi32>
  %x{row}_{i} = tt.load %q{row}_{i} : {pointer}
"""
        operands.append(f"%x{row}_{i}")
    names, types = ", ".join(operands), ", ".join([tile] * len(operands))
    if "." in function.operation:
        text += f"  %y{row} = {function.operation} {names} : {tile}\n"
    else:
        symbol = f"__nv_{function.operation}{'f' if element == 'f32' else ''}"
        attributes = f'libname = "", libpath = "", pure = true, symbol = "{symbol}"'
        call = f"tt.extern_elementwise {names} {{{attributes}}} : ({types}) -> {tile}"
        text += f"  %y{row} = {call}\n"
    text += f"""  %d{row} = arith.constant dense<{row * SIZE}> : tensor<{SIZE}xi32>
  %p{row} = tt.addptr %op, %d{row} : {pointer}, tensor<{SIZE}xi32>
  tt.store %p{row}, %y{row} : {pointer}
"""
    return text


def kernel(functions: list[Function], element: str) -> str:
    """One row of results per function."""
    tile = Tile(element, (SIZE,))
    text = "".join(pointers(name, tile) for name in ("a0", "a1", "o"))
    text += "".join(body(function, row, element) for row, function in enumerate(functions))
    parameters = ", ".join(f"%{name}: !tt.ptr<{element}>" for name in ("a0", "a1", "o"))
    return f"tt.func public @k({parameters}) {{\n{text}  tt.return\n}}\n"


def clip(values: Array, element: str) -> Array:
    """Numbers that are too large for the type are infinite there."""
    largest = {"f16": 65520.0, "f32": 2.0**128, "bf16": 2.0**128}.get(element, np.inf)
    return np.where(np.abs(values) >= largest, np.copysign(np.inf, values), values)


def bound(function: Function, element: str, expected: Array) -> Array:
    """The largest error of a result: of the function, and of rounding to its type."""
    size = np.abs(expected)
    if element == "f64":
        return function.wide * size + (2.0**-50 if function.absolute else 0.0)
    rounding = {"f32": 0.0, "f16": 2.0**-11 * 1.01, "bf16": 2.0**-8 * 1.01}[element]
    smallest = {"f32": 2.0**-126, "f16": 2.0**-24, "bf16": 2.0**-126}[element]
    return (function.relative + rounding) * size + function.absolute + smallest


def group(element: str) -> int:
    """Functions of a kernel: ocloc takes seconds for one of f64, and minutes for ten."""
    return 1 if element == "f64" else 11


ELEMENTS = ["f32", "f64", "f16", "bf16"] if ALL else ["f32"]
FEW = ["exp", "log10", "sin", "erf", "floor", "round", "roundeven", "powf", "remf", "maximumf"]
CHOSEN = [f for f in FUNCTIONS if ALL or f.operation.split(".")[-1] in FEW]
GROUPS = [(e, first) for e in ELEMENTS for first in range(0, len(CHOSEN), group(e))]


def supports(function: Function, element: str) -> bool:
    """A device's library has functions of f32 and f64 only."""
    return "." in function.operation or element in ("f32", "f64")


def devices() -> list[str]:
    return ["opencl:cpu", *([] if missing_tools() else ["sim:pvc"])]


@pytest.mark.parametrize(("element", "first"), GROUPS)
def test_functions(element: str, first: int, tmp_path: Path) -> None:
    """All rows on the CPU device and in the simulator."""
    functions = [f for f in CHOSEN[first : first + group(element)] if supports(f, element)]
    if not functions:
        return
    source, package = tmp_path / "k.ttir", tmp_path / "k.zebin"
    source.write_text(kernel(functions, element))
    native = "sim:pvc" in devices()
    build(
        BuildRequest(
            input=str(source), output=str(package), pipeline=PIPELINE, num_warps=1, native=native
        )
    )
    random = rng()
    rows = [function.inputs(random, element) for function in functions]
    operands = [np.concatenate([row[min(i, len(row) - 1)] for row in rows]) for i in range(2)]
    wrong = []
    for device in devices():
        out = encode(np.full(SIZE * len(functions), np.nan), element)
        load(package, device).kernels["k"].launch((1, 1, 1), *operands, out)
        results = decode(out, element).reshape(len(functions), SIZE)
        for function, row, result in zip(functions, rows, results, strict=True):
            values = [decode(operand, element) for operand in row]
            with np.errstate(all="ignore"):
                expected = function.exact(*values).astype(np.float64)
                expected = clip(expected, element)
                close = np.abs(result - expected) <= bound(function, element, expected)
            same = (result == expected) | (np.isnan(result) & np.isnan(expected))
            if not (close | same).all():
                at = int(np.argmin(close | same))
                wrong.append(
                    f"{device} {function.operation}({', '.join(str(v[at]) for v in values)}) = "
                    f"{result[at]}, expected {expected[at]}"
                )
    assert not wrong, "\n".join(wrong)
