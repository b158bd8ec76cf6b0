"""Tiles lowered by --convert-tritongpu-to-llvm, run on the CPU device and compared with NumPy.

Every kernel loads a tile element by element, does one thing to it and stores it element by
element, so that a wrong place in the lane table shows as a wrong number. The tools are the
real ones; device intrinsics (dots, conversions) are emulated from the names that the native
path would call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from execution import intrinsic_kernels as k

Array = np.ndarray[Any, Any]
Shape = tuple[int, ...]

PASSES = ["--convert-tritongpu-to-llvm", "--convert-xevm-to-builtin", "--emulate-intrinsics"]
DTYPES: dict[str, type[np.generic]] = {
    "f64": np.float64,
    "f32": np.float32,
    "f16": np.float16,
    "bf16": np.uint16,
    "i64": np.int64,
    "i32": np.int32,
    "i16": np.int16,
    "i8": np.int8,
    "i1": np.int8,
}


def tensor(shape: Sequence[int], element: str, encoding: str = "") -> str:
    """A tensor type; the element type alone for no dimensions."""
    if not shape:
        return element
    return f"tensor<{'x'.join(map(str, shape))}x{element}{encoding}>"


class Body:
    """Operations of a kernel, written one after another."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def op(self, text: str, results: int = 1) -> str:
        """Appends an operation and returns its (first) result."""
        name = f"%v{len(self.lines)}"
        count = f":{results}" if results > 1 else ""
        self.lines.append(f"{name}{count} = {text}")
        return name

    def do(self, text: str) -> None:
        """Appends an operation without results."""
        self.lines.append(text)

    def index(self, shape: Shape) -> str:
        """The row-major numbers of the elements, as i32."""
        total, stride = "", 1
        for dim in reversed(range(len(shape))):
            extent = shape[dim]
            value = self.op(
                f"tt.make_range {{start = 0 : i32, end = {extent} : i32}} : "
                f"{tensor([extent], 'i32')}"
            )
            current = [extent]
            for other in reversed(range(len(shape))):
                if other == dim:
                    continue
                axis = 0 if other < dim else len(current)
                wider = [1, *current] if other < dim else [*current, 1]
                value = self.op(
                    f"tt.expand_dims {value} {{axis = {axis} : i32}} : "
                    f"{tensor(current, 'i32')} -> {tensor(wider, 'i32')}"
                )
                current = wider
            whole = tensor(shape, "i32")
            if tuple(current) != shape:
                value = self.op(f"tt.broadcast {value} : {tensor(current, 'i32')} -> {whole}")
            factor = self.op(f"arith.constant dense<{stride}> : {whole}")
            value = self.op(f"arith.muli {value}, {factor} : {whole}")
            total = self.op(f"arith.addi {total}, {value} : {whole}") if total else value
            stride *= extent
        return total

    def pointers(self, pointer: str, shape: Shape, element: str) -> str:
        """Pointers to the elements of a dense array."""
        kind = tensor(shape, f"!tt.ptr<{element}>")
        index = self.index(shape)
        base = self.op(f"tt.splat {pointer} : !tt.ptr<{element}> -> {kind}")
        return self.op(f"tt.addptr {base}, {index} : {kind}, {tensor(shape, 'i32')}")

    def load(self, pointer: str, shape: Shape, element: str) -> str:
        """A dense array as a tile."""
        kind = tensor(shape, f"!tt.ptr<{element}>")
        return self.op(f"tt.load {self.pointers(pointer, shape, element)} : {kind}")

    def store(self, pointer: str, shape: Shape, element: str, value: str) -> None:
        """A tile (or a scalar) to a dense array."""
        if not shape:
            self.do(f"tt.store {pointer}, {value} : !tt.ptr<{element}>")
            return
        kind = tensor(shape, f"!tt.ptr<{element}>")
        self.do(f"tt.store {self.pointers(pointer, shape, element)}, {value} : {kind}")

    def reduce(self, value: str, shape: Shape, element: str, axis: int, combine: str) -> str:
        """`tt.reduce` along `axis` with one operation of arith."""
        result = tensor(shape[:axis] + shape[axis + 1 :], element)
        return self.op(
            f'"tt.reduce"({value}) <{{axis = {axis} : i32}}> ({{\n'
            f"^bb0(%a: {element}, %b: {element}):\n"
            f"  %r = {combine} %a, %b : {element}\n"
            f"  tt.reduce.return %r : {element}\n"
            f"}}) : ({tensor(shape, element)}) -> {result}"
        )


@dataclass(frozen=True)
class Case:
    """A kernel of input and output arrays; `expected` has None where nothing is compared."""

    name: str
    elements: Sequence[str]
    arrays: Sequence[Array]
    expected: Sequence[Array | None]
    body: Body
    tolerance: float = 0.0

    def text(self) -> str:
        """The kernel as MLIR."""
        args = ", ".join(f"%a{i}: !tt.ptr<{e}>" for i, e in enumerate(self.elements))
        lines = "\n".join(self.body.lines)
        return f"tt.func public @{self.name}({args}) {{\n{lines}\ntt.return\n}}"


def from_bf16(bits: Array) -> Array:
    """The f32 values of bf16 numbers."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


def to_bf16(values: Array) -> Array:
    """bf16 bits, rounded to nearest even."""
    bits = np.ascontiguousarray(values, dtype=np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def numbers(element: str, array: Array) -> Array:
    """What `array` means, as float64."""
    return (from_bf16(array) if element == "bf16" else array).astype(np.float64)


@dataclass
class Cases:
    """Collects cases with fresh random data."""

    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(7))
    all: list[Case] = field(default_factory=list)

    def data(self, shape: Shape, element: str) -> Array:
        """Random numbers of a type; at least one."""
        shape = shape or (1,)
        if element == "bf16":
            return to_bf16(self.rng.standard_normal(shape))
        if element == "i1":
            return self.rng.integers(0, 2, shape).astype(np.int8)
        if element.startswith("f"):
            return self.rng.standard_normal(shape).astype(DTYPES[element])
        return self.rng.integers(-100, 100, shape).astype(DTYPES[element])

    def add(self, name: str, *rest: Any, **more: Any) -> None:
        """A case under a name that is unique."""
        self.all.append(Case(f"{name}_{len(self.all)}", *rest, **more))

    def unary(
        self,
        name: str,
        source: tuple[Shape, str],
        result: tuple[Shape, str],
        emit: Callable[[Body, str], str],
        reference: Callable[[Array], Array],
        tolerance: float = 0.0,
    ) -> None:
        """result = emit(source)."""
        body = Body()
        value = emit(body, body.load("%a0", *source))
        body.store("%a1", *result, value)
        array = self.data(*source)
        empty = np.full(result[0] or (1,), 77, DTYPES[result[1]])
        expected = reference(array).reshape(empty.shape).astype(empty.dtype)
        elements = [source[1], result[1]]
        self.add(name, elements, [array, empty], [None, expected], body, tolerance)


def add_moves(cases: Cases) -> None:
    """Copies, transpositions, reshapes, pieces."""
    for shape in [(4, 8), (1, 1), (8, 1), (64,), (4,), (2, 2, 8)]:
        cases.unary("copy", (shape, "f32"), (shape, "f32"), lambda b, v: v, lambda a: a)
    for element in ["f16", "i8", "i64", "f64", "bf16", "i1"]:
        kind = ((8, 32), element)
        cases.unary("copy", kind, kind, lambda b, v: v, lambda a: a)

    def view(name: str, source: Shape, result: Shape, op: str, reference: Any) -> None:
        def emit(body: Body, value: str) -> str:
            return body.op(op.format(value, tensor(source, "i32"), tensor(result, "i32")))

        cases.unary(name, (source, "i32"), (result, "i32"), emit, reference)

    for rows, columns in [(16, 16), (8, 32), (4, 4), (16, 1)]:
        op = "tt.trans {0} {{order = array<i32: 1, 0>}} : {1} -> {2}"
        view("trans", (rows, columns), (columns, rows), op, np.transpose)
    for source, result in [((8, 16), (128,)), ((128,), (8, 16)), ((4, 32), (2, 2, 32))]:
        view("reshape", source, result, "tt.reshape {0} : {1} -> {2}", lambda a: a)
    view(
        "extract", (32, 32), (8, 16), "mlt.extract {0}[8, 16] : {1} to {2}", lambda a: a[8:16, 16:]
    )
    view("extract", (8, 16), (4, 8), "mlt.extract {0}[4, 8] : {1} to {2}", lambda a: a[4:, 8:])
    view(
        "glue",
        (16, 16),
        (32, 32),
        "mlt.glue {0}, {0}, {0}, {0} : ({1}, {1}, {1}, {1}) -> {2}",
        lambda a: np.block([[a, a], [a, a]]),
    )
    view(
        "join", (8, 16), (8, 16, 2), "tt.join {0}, {0} : {1} -> {2}", lambda a: np.stack([a, a], -1)
    )


def add_reductions(cases: Cases) -> None:
    """All forms: within a lane, across lanes, to a scalar."""
    shapes: list[Shape] = [(32, 16), (4, 32), (8, 4), (16, 8), (2, 8, 16)]

    def add_sum(shape: Shape, axis: int) -> None:
        def emit(body: Body, value: str) -> str:
            return body.reduce(value, shape, "f32", axis, "arith.addf")

        def reference(array: Array) -> Array:
            return np.asarray(array.astype(np.float64).sum(axis))

        result = shape[:axis] + shape[axis + 1 :]
        cases.unary("sum", (shape, "f32"), (result, "f32"), emit, reference, 1e-5)

    for shape in shapes:
        for axis in range(len(shape)):
            add_sum(shape, axis)
    cases.unary(
        "max",
        ((128,), "bf16"),
        ((), "bf16"),
        lambda b, v: b.reduce(v, (128,), "bf16", 0, "arith.maximumf"),
        lambda a: to_bf16(from_bf16(a).max()),
    )
    cases.unary(
        "parity",
        ((16, 16), "i1"),
        ((16,), "i1"),
        lambda b, v: b.reduce(v, (16, 16), "i1", 1, "arith.xori"),
        lambda a: a.sum(1) & 1,
    )


def add_conversions(cases: Cases) -> None:
    """Conversions between element types, on more elements than a call takes."""
    shape = (8, 64)
    table: list[tuple[str, str, str, Any]] = [
        ("arith.truncf", "f32", "bf16", to_bf16),
        ("arith.extf", "bf16", "f32", from_bf16),
        ("arith.truncf", "f32", "f16", lambda a: a),
        ("arith.sitofp", "i32", "bf16", lambda a: to_bf16(a.astype(np.float32))),
        ("arith.fptosi", "f32", "i32", np.trunc),
    ]

    def add(op: str, source: str, result: str, reference: Callable[[Array], Array]) -> None:
        def emit(body: Body, value: str) -> str:
            return body.op(f"{op} {value} : {tensor(shape, source)} to {tensor(shape, result)}")

        cases.unary("convert", (shape, source), (shape, result), emit, reference)

    for row in table:
        add(*row)

    def divide(body: Body, value: str) -> str:
        kind = tensor(shape, "f32")
        absolute = body.op(f"math.absf {value} : {kind}")
        root = body.op(f"tt.precise_sqrt {absolute} : {kind}")
        return body.op(f"tt.precise_divf {value}, {root} : {kind}")

    cases.unary("precise", (shape, "f32"), (shape, "f32"), divide, lambda a: a / np.sqrt(np.abs(a)))


def add_atomics(cases: Cases) -> None:
    """Updates, with what was there before, of full tiles and of replicated ones."""
    for element, kind in [("f32", "fadd"), ("f16", "fadd"), ("bf16", "fadd"), ("i16", "max")]:
        for shape in [(4,), (4, 16)]:
            body = Body()
            value = body.load("%a0", shape, element)
            pointers = body.pointers("%a1", shape, element)
            types = f"({tensor(shape, f'!tt.ptr<{element}>')}, {tensor(shape, element)})"
            old = body.op(
                f"tt.atomic_rmw {kind}, relaxed, gpu, {pointers}, {value} : "
                f"{types} -> {tensor(shape, element)}"
            )
            body.store("%a2", shape, element, old)
            a, b = cases.data(shape, element), cases.data(shape, element)
            if kind == "max":
                new = np.maximum(a, b)
            elif element == "bf16":
                new = to_bf16(from_bf16(a) + from_bf16(b))
            else:
                new = a + b
            arrays = [a, b, np.zeros_like(b)]
            cases.add("atomic", [element] * 3, arrays, [None, new, b], body, 1e-3)


def add_dots(cases: Cases) -> None:
    """Operands converted in registers, all types and row counts."""
    plain_images = {"a": ("f16", "bf16"), "b": ("f32",)}
    tolerances = {"f32": 1e-5, "f16": 2e-2, "bf16": 1e-1, "i32": 0.0}
    for element, acc, depth in [
        ("f16", "f32", 16),
        ("f16", "f16", 16),
        ("bf16", "bf16", 16),
        ("i8", "i32", 32),
        ("f32", "f32", 8),
    ]:
        for rows in (1, 8):
            body = Body()
            shapes = [(rows, depth), (depth, 16), (rows, 16)]
            values = [
                body.load(f"%a{i}", shape, acc if i == 2 else element)
                for i, shape in enumerate(shapes)
            ]
            types = [tensor(shape, acc if i == 2 else element) for i, shape in enumerate(shapes)]
            for i, name in enumerate("ab"):
                if element == "f32":
                    values[i] = body.op(f"mlt.round_tf32 {values[i]} : {types[i]}")
                if element in plain_images[name]:
                    continue
                image = tensor(shapes[i], element, f", #mlt.operand<{name}>")
                values[i] = body.op(f"mlt.convert_operand {values[i]} : {types[i]} to {image}")
                types[i] = image
            result = body.op(
                f"tt.dot {values[0]}, {values[1]}, {values[2]}, inputPrecision = tf32 : "
                f"{types[0]} * {types[1]} -> {types[2]}"
            )
            body.store("%a3", shapes[2], acc, result)
            arrays = [cases.data(s, acc if i == 2 else element) for i, s in enumerate(shapes)]
            a, b, c = (numbers(acc if i == 2 else element, x) for i, x in enumerate(arrays))
            reference = a @ b + c
            expected = to_bf16(reference) if acc == "bf16" else reference.astype(DTYPES[acc])
            tolerance = 5e-3 if element == "f32" else tolerances[acc]
            cases.add(
                f"dot_{element}_{acc}",
                [element, element, acc, acc],
                [*arrays, np.zeros(shapes[2], DTYPES[acc])],
                [None, None, None, expected],
                body,
                tolerance,
            )


def make_cases() -> list[Case]:
    """All cases."""
    cases = Cases()
    add_moves(cases)
    add_reductions(cases)
    add_conversions(cases)
    add_atomics(cases)
    add_dots(cases)
    return cases.all


CASES = make_cases()


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> k.CpuProgram:
    """All kernels in one module."""
    text = "\n".join(case.text() for case in CASES)
    source = f'module attributes {{"ttg.num-warps" = 1 : i32, mlt.target = "pvc"}} {{\n{text}\n}}'
    scratch: Path = tmp_path_factory.mktemp("lanes")
    return k.CpuProgram(k.compile_spirv(source, PASSES, "opencl-cpu", scratch))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_tile(program: k.CpuProgram, case: Case) -> None:
    """The kernel gives what NumPy gives."""
    buffers = [program.buffer(array) for array in case.arrays]
    program.run(case.name, *buffers)
    for element, array, buffer, expected in zip(
        case.elements, case.arrays, buffers, case.expected, strict=True
    ):
        if expected is None:
            continue
        raw = np.frombuffer(buffer, dtype=np.uint8)[: array.nbytes]
        got = raw.view(array.dtype).reshape(array.shape)
        assert prod(got.shape) == prod(expected.shape)
        if case.tolerance == 0:
            np.testing.assert_array_equal(got, expected)
            continue
        want = numbers(element, expected)
        error = np.abs(numbers(element, got) - want)
        assert error.max() <= case.tolerance * max(1.0, np.abs(want).max())
