"""Both versions of a kernel, under launches that block messages serve and that they do not.

Random shapes, strides, offsets (in front of the tensor and behind it), misaligned bases and
types. Data are small integers, so every result is exact. The portable code is built with
``checked``: a block message that the hardware would not do fails the launch. A build without
versions says by its preconditions which version a launch takes. Without ``checked``, portable
code has one version, whose messages have no limits: it gives the same at every launch. ``MLTC_FUZZ=N`` multiplies the
launches and takes all kernels.
"""

# ruff: noqa: E501  (lines of Triton IR)

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from execution.portable import load_portable
from execution.reference import encode
from execution.test_isa import missing_tools
from mltc.driver import BuildRequest, build
from mltc.package import read_package
from mltc.runtime import Module, load
from mltc.runtime.errors import DeviceError, PreconditionError
from mltc.runtime.simulator import SimulatorBackend
from mltc.simulator import SimulatorOptions

FACTOR = int(os.environ.get("MLTC_FUZZ", "1"))
ROWS, COLUMNS = 16, 32
GRID = (2, 2)

_HEAD = """
module {{
 tt.func public @kernel({parameters}) {{
  %c1 = arith.constant 1 : i64
  %tilem = arith.constant {rows} : i32
  %tilen = arith.constant {columns} : i32
  %x = tt.get_program_id x : i32
  %y = tt.get_program_id y : i32
  %r = arith.muli %x, %tilem : i32
  %c = arith.muli %y, %tilen : i32
"""
_TAIL = "  tt.return\n }\n}\n"


def _tensor(name: str, element: str) -> str:
    """Parameters of a tensor: memory before it, base, shift of the base, sizes, stride, offsets."""
    pointer = f"!tt.ptr<{element}>"
    numbers = ("shift", "m", "n", "s", "r", "c")
    return ", ".join([f"%{name}0: {pointer}", f"%{name}p: {pointer}",
                      *(f"%{name}{number}: i32" for number in numbers)])  # fmt: skip


def _block(
    name: str, element: str, rows: str, columns: str, shape: str, turned: bool = False
) -> str:
    """The block pointer ``%q<name>`` at the tensor's offsets plus `rows` and `columns`.

    ``turned``: the block has the tensor's columns as its rows.
    """
    sizes, strides = [f"%m{name}", f"%n{name}"], [f"%s{name}", "%c1"]
    offsets, order = [f"%r{name}", f"%c{name}"], "1, 0"
    if turned:
        sizes, strides, offsets = sizes[::-1], strides[::-1], offsets[::-1]
        order = "0, 1"
    parts = ", ".join(f"[{', '.join(part)}]" for part in (sizes, strides, offsets))
    return f"""
  %b{name} = tt.addptr %{name}p, %{name}shift : !tt.ptr<{element}>, i32
  %m{name} = arith.extsi %{name}m : i32 to i64
  %n{name} = arith.extsi %{name}n : i32 to i64
  %s{name} = arith.extsi %{name}s : i32 to i64
  %r{name} = arith.addi %{name}r, {rows} : i32
  %c{name} = arith.addi %{name}c, {columns} : i32
  %q{name} = tt.make_tensor_ptr %b{name}, {parts} {{order = array<i32: {order}>}} : <tensor<{shape}x{element}>>
"""


def _pointers(name: str, element: str) -> str:
    """The tensor of pointers ``%q<name>`` and its mask ``%k<name>``."""
    shape, column = f"{ROWS}x{COLUMNS}", f"{ROWS}x1"
    row = f"1x{COLUMNS}"
    text = f"  %b{name} = tt.addptr %{name}p, %{name}shift : !tt.ptr<{element}>, i32\n"
    for d, size, wide, other in (("r", ROWS, column, "m"), ("c", COLUMNS, row, "n")):
        axis = 1 if d == "r" else 0
        text += f"""
  %{name}{d}0 = arith.addi %{name}{d}, %{d} : i32
  %{name}{d}1 = tt.make_range {{start = 0 : i32, end = {size} : i32}} : tensor<{size}xi32>
  %{name}{d}2 = tt.splat %{name}{d}0 : i32 -> tensor<{size}xi32>
  %{name}{d}3 = arith.addi %{name}{d}2, %{name}{d}1 : tensor<{size}xi32>
  %{name}{d}4 = tt.expand_dims %{name}{d}3 {{axis = {axis} : i32}} : tensor<{size}xi32> -> tensor<{wide}xi32>
  %{name}{d}5 = tt.splat %{name}{other} : i32 -> tensor<{wide}xi32>
  %{name}{d}6 = arith.cmpi slt, %{name}{d}4, %{name}{d}5 : tensor<{wide}xi32>
  %{name}{d}z = arith.constant dense<0> : tensor<{wide}xi32>
  %{name}{d}7 = arith.cmpi sge, %{name}{d}4, %{name}{d}z : tensor<{wide}xi32>
  %{name}{d}8 = arith.andi %{name}{d}6, %{name}{d}7 : tensor<{wide}xi1>
  %{name}{d}9 = tt.broadcast %{name}{d}8 : tensor<{wide}xi1> -> tensor<{shape}xi1>
"""
    return (
        text
        + f"""
  %{name}st = tt.splat %{name}s : i32 -> tensor<{column}xi32>
  %{name}ro = arith.muli %{name}r4, %{name}st : tensor<{column}xi32>
  %{name}rb = tt.broadcast %{name}ro : tensor<{column}xi32> -> tensor<{shape}xi32>
  %{name}cb = tt.broadcast %{name}c4 : tensor<{row}xi32> -> tensor<{shape}xi32>
  %{name}of = arith.addi %{name}rb, %{name}cb : tensor<{shape}xi32>
  %{name}bs = tt.splat %b{name} : !tt.ptr<{element}> -> tensor<{shape}x!tt.ptr<{element}>>
  %q{name} = tt.addptr %{name}bs, %{name}of : tensor<{shape}x!tt.ptr<{element}>>, tensor<{shape}xi32>
  %k{name} = arith.andi %{name}r9, %{name}c9 : tensor<{shape}xi1>
"""
    )


def move_blocks(element: str) -> str:
    """From one tensor to another through block pointers."""
    shape = f"{ROWS}x{COLUMNS}"
    return (
        _HEAD.format(parameters=f"{_tensor('a', element)}, {_tensor('o', element)}",
                     rows=ROWS, columns=COLUMNS)
        + _block("a", element, "%r", "%c", shape) + _block("o", element, "%r", "%c", shape)
        + f"""
  %v = tt.load %qa {{boundaryCheck = array<i32: 0, 1>, padding = 1 : i32}} : !tt.ptr<tensor<{shape}x{element}>>
  tt.store %qo, %v {{boundaryCheck = array<i32: 0, 1>}} : !tt.ptr<tensor<{shape}x{element}>>
""" + _TAIL
    )  # fmt: skip


def move_pointers(element: str) -> str:
    """The same through tensors of pointers and masks."""
    shape = f"{ROWS}x{COLUMNS}"
    zero = "0" if element.startswith("i") else "0.0"
    return (
        _HEAD.format(parameters=f"{_tensor('a', element)}, {_tensor('o', element)}",
                     rows=ROWS, columns=COLUMNS)
        + _pointers("a", element) + _pointers("o", element)
        + f"""
  %zero = arith.constant dense<{zero}> : tensor<{shape}x{element}>
  %v = tt.load %qa, %ka, %zero : tensor<{shape}x!tt.ptr<{element}>>
  tt.store %qo, %v, %ko : tensor<{shape}x!tt.ptr<{element}>>
""" + _TAIL
    )  # fmt: skip


def product(element: str, turned: bool = False) -> str:
    """A product of two tensors, in f32, or i32 for integers, over steps of 32.

    ``turned``: with the second one transposed.
    """
    out = "i32" if element == "i8" else "f32"
    zero = "0" if out == "i32" else "0.0"
    a, b, o = f"{ROWS}x32", f"32x{COLUMNS}", f"{ROWS}x{COLUMNS}"
    pa, pb = f"!tt.ptr<tensor<{a}x{element}>>", f"!tt.ptr<tensor<{b}x{element}>>"
    load = "{boundaryCheck = array<i32: 0, 1>, padding = 1 : i32}"
    precision = ", inputPrecision = tf32" if element == "f32" else ""
    place = ("%c", "%z") if turned else ("%z", "%c")
    return (
        _HEAD.format(parameters=f"{_tensor('a', element)}, {_tensor('b', element)}, "
                     f"{_tensor('o', out)}", rows=ROWS, columns=COLUMNS)
        + "  %z = arith.constant 0 : i32\n  %step = arith.constant 32 : i32\n"
        + _block("a", element, "%r", "%z", a) + _block("b", element, *place, b, turned)
        + _block("o", out, "%r", "%c", o)
        + f"""
  %zero = arith.constant dense<{zero}> : tensor<{o}x{out}>
  %l:3 = scf.for %i = %z to %an step %step iter_args(%acc = %zero, %p = %qa, %q = %qb) -> (tensor<{o}x{out}>, {pa}, {pb}) : i32 {{
    %u = tt.load %p {load} : {pa}
    %v = tt.load %q {load} : {pb}
    %d = tt.dot %u, %v, %acc{precision} : tensor<{a}x{element}> * tensor<{b}x{element}> -> tensor<{o}x{out}>
    %p1 = tt.advance %p, [%z, %step] : <tensor<{a}x{element}>>
    %q1 = tt.advance %q, [%step, %z] : <tensor<{b}x{element}>>
    scf.yield %d, %p1, %q1 : tensor<{o}x{out}>, {pa}, {pb}
  }}
  tt.store %qo, %l#0 {{boundaryCheck = array<i32: 0, 1>}} : !tt.ptr<tensor<{o}x{out}>>
""" + _TAIL
    )  # fmt: skip


def product_turned(element: str) -> str:
    """The product with a second operand that is stored by columns."""
    return product(element, turned=True)


def _without_shifts(text: str) -> str:
    """The kernel whose tensors start where an argument points to."""
    return re.sub(r"  %b(\w) = tt\.addptr .*\n", "", re.sub(r"%b([abo])\b(?! =)", r"%\1p", text))


Source = Callable[[str], str]
PRODUCTS = (product, product_turned)
# With the number of warps, which share the loads of a product, and the pipeline.
KERNELS: list[tuple[Source, str, int, str]] = [
    (move_pointers, "bf16", 2, "pvc-simt"), (product, "f16", 2, "pvc-simt"),
    (product_turned, "f16", 2, "pvc-simd"), (move_blocks, "f16", 2, "pvc-simt"),
    (move_pointers, "f32", 2, "pvc-simt"), (move_blocks, "i8", 2, "pvc-simt"),
    (product, "i8", 2, "pvc-simt"), (product, "bf16", 4, "pvc-simt"),
    (product, "f16", 2, "pvc-simd"), (product, "i8", 4, "pvc-simd"),
    (product, "f32", 2, "pvc-simt"), (product, "f32", 2, "pvc-simd"),
    (product_turned, "bf16", 2, "pvc-simt"), (product_turned, "i8", 2, "pvc-simt"),
    (product_turned, "f32", 2, "pvc-simd"), (product_turned, "f32", 4, "pvc-simt"),
    (move_blocks, "f32", 2, "pvc-simt"), (move_pointers, "f16", 2, "pvc-simd"),
]  # fmt: skip
SHOWN = KERNELS if FACTOR > 1 else KERNELS[:3]


@dataclass(frozen=True)
class Geometry:
    """A tensor in a buffer, and where the first block begins in it; counts of elements."""

    rows: int
    columns: int
    pad: int
    row: int = 0
    column: int = 0
    shift: int = 0
    lead: int = 64

    @property
    def stride(self) -> int:
        return self.columns + self.pad


@st.composite
def geometries(draw: st.DrawFn, easy: bool) -> Geometry:
    """Any geometry, or one that block messages of every type serve."""
    rows = draw(st.integers(1, 48))
    row = draw(st.one_of(st.just(0), st.integers(-40, 40)))
    if easy:
        return Geometry(rows, draw(st.sampled_from([64, 96, 128])),
                        draw(st.sampled_from([0, 16, 32, 64])), row,
                        draw(st.sampled_from([0, 4, -4, 32, -32, 80])))  # fmt: skip
    return Geometry(
        rows, draw(st.one_of(st.sampled_from([32, 64, 96]), st.integers(1, 96))),
        draw(st.sampled_from([0, 0, 16, 32, 64, 1, 2, 8, 13])), row,
        draw(st.one_of(st.sampled_from([0, -32, 32, 8, -8]), st.integers(-40, 40))),
        draw(st.sampled_from([0, 0, 0, 32, 4, 2, 1, 9])),
        draw(st.sampled_from([64, 64, 64, 8, 2, 1])),
    )  # fmt: skip


class Placed:
    """A tensor in a buffer whose other elements are poison, and its arguments."""

    def __init__(self, geometry: Geometry, element: str, random: np.random.Generator) -> None:
        g = self.geometry = geometry
        self.begin = g.lead + g.shift
        self.flat = encode(random.integers(-9, -4, self.begin + g.rows * g.stride + 64), element)
        self.values = random.integers(-4, 5, (g.rows, g.columns))
        self.window()[...] = encode(self.values, element)

    def window(self) -> np.ndarray[Any, Any]:
        g = self.geometry
        body = self.flat[self.begin : self.begin + g.rows * g.stride]
        return body.reshape(g.rows, g.stride)[:, : g.columns]

    @property
    def arguments(self) -> list[object]:
        return self.arguments_of()

    def arguments_of(self, shifted: bool = False) -> list[object]:
        """The kernel's arguments; ``shifted``: the shift is part of the base."""
        g = self.geometry
        base, shift = (self.begin, 0) if shifted else (g.lead, g.shift)
        return [self.flat, self.flat[base:], shift, g.rows, g.columns, g.stride,
                g.row, g.column]  # fmt: skip

    def region(self, rows: int, columns: int) -> np.ndarray[Any, Any]:
        """What a checked load at the offsets gives."""
        g = self.geometry
        r, c = np.arange(rows)[:, None] + g.row, np.arange(columns)[None, :] + g.column
        inside = (r >= 0) & (r < g.rows) & (c >= 0) & (c < g.columns)
        return np.where(inside, self.values[r.clip(0, g.rows - 1), c.clip(0, g.columns - 1)], 0)

    def write(self, region: np.ndarray[Any, Any], element: str) -> None:
        """Does a checked store of the region at the offsets."""
        g = self.geometry
        r, c = (np.arange(size) + first for size, first in
                zip(region.shape, (g.row, g.column), strict=True))  # fmt: skip
        rows, columns = (r >= 0) & (r < g.rows), (c >= 0) & (c < g.columns)
        inside = encode(region[np.ix_(rows, columns)], element)
        self.window()[np.ix_(r[rows], c[columns])] = inside


def launch(
    module: Module, source: Source, element: str, seed: int, tensors: list[Geometry],
    shifted: bool = False,
) -> None:  # fmt: skip
    """Launches a kernel with random data and looks at every byte of the result's buffer."""
    height, width = ROWS * GRID[0], COLUMNS * GRID[1]
    out_type = {"i8": "i32"}.get(element, "f32") if source in PRODUCTS else element
    random = np.random.default_rng(seed)
    *inputs, out = [
        Placed(g, element if i + 1 < len(tensors) else out_type, random)
        for i, g in enumerate(tensors)
    ]
    arguments = [a for tensor in (*inputs, out) for a in tensor.arguments_of(shifted)]
    expected = Placed(out.geometry, out_type, np.random.default_rng(0))
    expected.flat[...] = out.flat
    if source in PRODUCTS:
        a, b = inputs
        depth = -(-a.geometry.columns // 32) * 32
        other = b.region(depth, width) if source is product else b.region(width, depth).T
        result = a.region(height, depth) @ other
    else:
        result = inputs[0].region(height, width)
    expected.write(result, out_type)
    (kernel,) = module.kernels.values()
    kernel.launch((*GRID, 1), *arguments)
    assert out.flat.tobytes() == expected.flat.tobytes()


@pytest.mark.parametrize(
    ("source", "element", "num_warps", "pipeline"), SHOWN, ids=lambda v: getattr(v, "__name__", v)
)
def test_any_launch(
    source: Source, element: str, num_warps: int, pipeline: str, tmp_path: Path
) -> None:
    path = tmp_path / "kernel.ttir"
    path.write_text(source(element))
    options = {"num_warps": num_warps, "pipeline": pipeline, "checked": True}
    both = load_portable(path, tmp_path / "both", versions="always", **options)
    fast = load_portable(path, tmp_path / "fast", versions="never", **options)
    plain = path.with_name("plain.ttir")
    plain.write_text(_without_shifts(source(element)))
    one = load_portable(
        plain, tmp_path / "one", versions="always", num_warps=num_warps, pipeline=pipeline
    )
    assert all(rule.kind == "array" for rule in both.manifest.kernels[0].preconditions)
    assert fast.manifest.kernels[0].preconditions
    taken: Counter[str] = Counter()

    def check(seed: int, tensors: list[Geometry]) -> None:
        launch(both, source, element, seed, tensors)
        launch(one, source, element, seed, tensors, shifted=True)
        try:
            launch(fast, source, element, seed, tensors)
            taken["fast"] += 1
        except PreconditionError:
            taken["safe"] += 1

    profile = settings(
        max_examples=25 * FACTOR, deadline=None, database=None, derandomize=FACTOR == 1,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    count = 3 if source in PRODUCTS else 2
    # In front of the rows, of a base that no message has.
    check(0, [Geometry(8, 64, 64, 0, -4, 4)] * count)
    cases = st.one_of(
        *(st.lists(geometries(easy), min_size=count, max_size=count) for easy in (True, False))
    )
    profile(given(st.integers(0, 2**32 - 1), cases)(check))()
    assert min(taken["fast"], taken["safe"]) >= 3, taken


# Served by block messages; rows a dword longer; an element longer; between two dwords.
PLACES = [
    Geometry(40, 64, 0),
    Geometry(33, 70, 2),
    Geometry(33, 71, 0, row=-3),
    Geometry(40, 64, 16, column=5, shift=1),
]


@pytest.mark.skipif(bool(missing_tools()), reason=f"no {missing_tools()}")
@pytest.mark.parametrize("pipeline", ["pvc-simt", "pvc-simd"])
@pytest.mark.parametrize(
    ("source", "element", "num_warps"),
    [
        (product, "f16", 4), (product, "f16", 2), (product_turned, "f16", 4), (product, "i8", 4),
        (product_turned, "f32", 4),
    ],
    ids=lambda v: getattr(v, "__name__", v),
)  # fmt: skip
def test_machine_code(
    source: Source, element: str, num_warps: int, pipeline: str, tmp_path: Path
) -> None:
    """The same launches, of the device's code on the simulator."""
    path = tmp_path / "kernel.ttir"
    path.write_text(source(element))
    package = tmp_path / "kernel.zebin"
    build(
        BuildRequest(
            input=str(path),
            output=str(package),
            versions="always",
            num_warps=num_warps,
            pipeline=pipeline,
        )
    )
    module = load(read_package(package), SimulatorBackend(SimulatorOptions()))
    for seed, place in enumerate(PLACES):
        launch(module, source, element, seed, [place] * 3)


def test_checks_refuse_what_hardware_would_not_do(tmp_path: Path) -> None:
    """Without versions and with the preconditions out of the way, the message itself is refused."""
    path = tmp_path / "kernel.ttir"
    path.write_text(move_blocks("f16"))
    module = load_portable(path, tmp_path / "fast", versions="never", checked=True, num_warps=2)
    (record,) = module.manifest.kernels
    assert record.checks is not None and record.checks.arg == len(record.args)
    random = np.random.default_rng(0)
    tensors = [Placed(Geometry(32, 64, 3), "f16", random) for _ in range(2)]
    arguments = [a for tensor in tensors for a in tensor.arguments]
    with pytest.raises(PreconditionError):
        module.kernels["kernel"].launch((*GRID, 1), *arguments)
    believed = record.model_copy(update={"preconditions": ()})
    with pytest.raises(DeviceError, match="breaks a rule of the hardware: pitch is a multiple"):
        module._launch(believed, (*GRID, 1), arguments)
