"""Operations that are rewritten early: device libraries, scalar code, scaled and batched dots.

Each kernel loads its operands as vectors, gives them their shapes, applies the operation and
stores the result as a vector. The interpreter and NumPy say what must come out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from randomness import rng

from execution.portable import load_portable
from execution.reference import encode
from mltc.interpret import interpret

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Tile:
    """An operand or result: element type and shape."""

    element: str
    shape: tuple[int, ...]

    @property
    def text(self) -> str:
        """The type in Triton IR."""
        return f"tensor<{'x'.join(map(str, self.shape))}x{self.element}>"

    @property
    def size(self) -> int:
        """How many elements it has."""
        return math.prod(self.shape)


def pointers(name: str, tile: Tile) -> str:
    n, ptr = tile.size, f"!tt.ptr<{tile.element}>"
    return (
        f"  %{name}r = tt.make_range {{start = 0 : i32, end = {n} : i32}} : tensor<{n}xi32>\n"
        f"  %{name}s = tt.splat %{name} : {ptr} -> tensor<{n}x{ptr}>\n"
        f"  %{name}p = tt.addptr %{name}s, %{name}r : tensor<{n}x{ptr}>, tensor<{n}xi32>\n"
    )


def kernel(operands: list[Tile], body: str, result: Tile) -> str:
    """The text of a kernel; `body` makes %y of %x0, %x1, ..."""
    text, parameters = "", []
    for i, tile in enumerate(operands):
        flat = Tile(tile.element, (tile.size,)).text
        text += pointers(f"a{i}", tile)
        text += f"  %v{i} = tt.load %a{i}p : tensor<{tile.size}x!tt.ptr<{tile.element}>>\n"
        text += f"  %x{i} = tt.reshape %v{i} : {flat} -> {tile.text}\n"
        parameters.append(f"%a{i}: !tt.ptr<{tile.element}> {{tt.divisibility = 16 : i32}}")
    parameters.append(f"%o: !tt.ptr<{result.element}> {{tt.divisibility = 16 : i32}}")
    flat = Tile(result.element, (result.size,)).text
    text += body + "\n" + pointers("o", result)
    text += f"  %z = tt.reshape %y : {result.text} -> {flat}\n"
    text += f"  tt.store %op, %z : tensor<{result.size}x!tt.ptr<{result.element}>>\n"
    return f"tt.func public @k({', '.join(parameters)}) {{\n{text}  tt.return\n}}\n"


def run(
    text: str, inputs: list[Array], result: Tile, warps: int, directory: Path
) -> tuple[Array, Array]:
    """What the compiled and the interpreted kernel give."""
    source = directory / "k.ttir"
    source.write_text(text)
    dtype = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "i32": np.int32}[
        result.element
    ]
    compiled, interpreted = (np.full(result.size, -77, dtype) for _ in range(2))
    interpret(source).kernel().launch(1, *inputs, interpreted)
    module = load_portable(source, directory / "build", num_warps=warps)
    module.kernels["k"].launch(1, *inputs, compiled)
    return compiled.reshape(result.shape), interpreted.reshape(result.shape)


FUNCTIONS = {
    "__nv_expf": np.exp,
    "__imf_rsqrtf": lambda x: 1 / np.sqrt(x),
    "__ocml_log1p_f32": np.log1p,
    "__nv_fast_sinf": np.sin,
    "__nv_tgammaf": np.vectorize(math.gamma),
    "__nv_exp10f": lambda x: 10.0**x,
    "__nv_frcp_rn": lambda x: 1 / x,
}


def test_functions_of_device_libraries(tmp_path: Path) -> None:
    tile = Tile("f32", (256,))
    rows = Tile("f32", (len(FUNCTIONS), 256))
    size = 256
    # One kernel for all: the results are stored one behind the other.
    x = (np.random.default_rng(0).random(size) + 0.5).astype(np.float32)
    text = pointers("a0", tile) + f"  %x0 = tt.load %a0p : tensor<{size}x!tt.ptr<f32>>\n"
    text += pointers("o", tile)
    for i, symbol in enumerate(FUNCTIONS):
        attributes = f'libname = "", libpath = "", pure = true, symbol = "{symbol}"'
        text += (
            f"  %y{i} = tt.extern_elementwise %x0 {{{attributes}}} : ({tile.text}) -> {tile.text}\n"
            f"  %c{i} = arith.constant dense<{i * size}> : tensor<{size}xi32>\n"
            f"  %q{i} = tt.addptr %op, %c{i} : tensor<{size}x!tt.ptr<f32>>, tensor<{size}xi32>\n"
            f"  tt.store %q{i}, %y{i} : tensor<{size}x!tt.ptr<f32>>\n"
        )
    source = f"tt.func public @k(%a0: !tt.ptr<f32>, %o: !tt.ptr<f32>) {{\n{text}  tt.return\n}}\n"
    compiled, interpreted = run(source, [x], rows, 4, tmp_path)
    for i, (symbol, function) in enumerate(FUNCTIONS.items()):
        expected = function(x.astype(np.float64))
        np.testing.assert_allclose(interpreted[i], expected, rtol=1e-6, err_msg=symbol)
        # The fast functions promise speed only.
        bound = 2.0**-11 if "_fast_" in symbol else 2e-6
        np.testing.assert_allclose(compiled[i], expected, rtol=bound, err_msg=symbol)


@pytest.mark.parametrize("element", ["f16", "f32"])
def test_negation_behind_a_barrier(element: str, tmp_path: Path) -> None:
    """The CPU runtime sinks it behind the barrier of the reduction, to another warp's operand."""
    tile = Tile(element, (64,))
    body = f"""
  %n = arith.negf %x0 : {tile.text}
  %e = math.exp %n : {tile.text}
  %top = "tt.reduce"(%x0) <{{axis = 0 : i32}}> ({{
  ^bb0(%a: {element}, %b: {element}):
    %m = arith.maxnumf %a, %b : {element}
    tt.reduce.return %m : {element}
  }}) : ({tile.text}) -> {element}
  %s = tt.splat %top : {element} -> {tile.text}
  %y = arith.addf %e, %s : {tile.text}"""
    x = rng().standard_normal(64).astype(np.dtype(f"float{element[1:]}"))
    compiled, _ = run(kernel([tile], body, tile), [x], tile, 4, tmp_path)
    want = np.exp(-x.astype(np.float64)) + x.max()
    np.testing.assert_allclose(compiled, want, rtol=2e-3 if element == "f16" else 1e-5)


def test_norm_of_infinities(tmp_path: Path) -> None:
    tile = Tile("f32", (64,))
    attributes = 'libname = "", libpath = "", pure = true, symbol = "__nv_hypotf"'
    body = (
        f"  %y = tt.extern_elementwise %x0, %x1 {{{attributes}}} : "
        f"({tile.text}, {tile.text}) -> {tile.text}"
    )
    random = np.random.default_rng(6)
    a, b = (random.standard_normal(64).astype(np.float32) for _ in range(2))
    a[:5], b[:5] = [np.inf, 1, -np.inf, 0, 3e38], [1, np.inf, np.inf, 0, 1e38]
    compiled, _ = run(kernel([tile, tile], body, tile), [a, b], tile, 1, tmp_path)
    expected = np.hypot(a.astype(np.float64), b)
    np.testing.assert_allclose(compiled, expected, rtol=1e-6)


BRANCHES = """  %y = "tt.map_elementwise"(%x0) <{pack = 2 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %zero = arith.constant 0 : i32
    %c = arith.cmpi slt, %a, %zero : i32
    cf.cond_br %c, ^negative, ^other(%a, %b : i32, i32)
  ^negative:
    %m = arith.subi %zero, %a : i32
    %d = arith.cmpi sgt, %m, %b : i32
    cf.cond_br %d, ^other(%b, %m : i32, i32), ^last
  ^last:
    tt.map_elementwise.return %m, %zero : i32, i32
  ^other(%r: i32, %s: i32):
    %t = arith.addi %r, %s : i32
    tt.map_elementwise.return %t, %s : i32, i32
  }) : (tensor<16x32xi32>) -> tensor<16x32xi32>"""


def test_scalar_code_with_branches(tmp_path: Path) -> None:
    tile = Tile("i32", (16, 32))
    x = np.random.default_rng(1).integers(-100, 100, tile.size).astype(np.int32)
    compiled, interpreted = run(kernel([tile], BRANCHES, tile), [x], tile, 4, tmp_path)

    def expected(a: int, b: int) -> tuple[int, int]:
        if a >= 0:
            return a + b, b
        return (b - a, -a) if -a > b else (-a, 0)

    pairs = [expected(int(a), int(b)) for a, b in x.reshape(-1, 2)]
    np.testing.assert_array_equal(interpreted.reshape(-1, 2), pairs)
    np.testing.assert_array_equal(compiled, interpreted)


@pytest.mark.parametrize(("element", "warps"), [("f16", 1), ("f16", 8), ("bf16", 4)])
def test_batched_dot(element: str, warps: int, tmp_path: Path) -> None:
    a, b, c = Tile(element, (4, 16, 32)), Tile(element, (4, 32, 16)), Tile("f32", (4, 16, 16))
    body = f"""  %acc = arith.constant dense<1.0> : {c.text}
  %y = tt.dot %x0, %x1, %acc : {a.text} * {b.text} -> {c.text}"""
    random = np.random.default_rng(2)
    inputs = [encode(random.standard_normal(t.size), element) for t in (a, b)]
    compiled, interpreted = run(kernel([a, b], body, c), inputs, c, warps, tmp_path)
    np.testing.assert_allclose(compiled, interpreted, atol=1e-4)


HALVES = """  %p = tt.reshape %x0 : tensor<32x64xf32> -> tensor<32x2x32xf32>
  %q = tt.trans %p {order = array<i32: 0, 2, 1>} : tensor<32x2x32xf32> -> tensor<32x32x2xf32>
  %left, %right = tt.split %q : tensor<32x32x2xf32> -> tensor<32x32xf32>
  %j = tt.join %right, %left : tensor<32x32xf32> -> tensor<32x32x2xf32>
  %s = tt.trans %j {order = array<i32: 0, 2, 1>} : tensor<32x32x2xf32> -> tensor<32x2x32xf32>
  %t = tt.reshape %s : tensor<32x2x32xf32> -> tensor<32x64xf32>
  %u = tt.reshape %t : tensor<32x64xf32> -> tensor<2x16x64xf32>
  %v = tt.trans %u {order = array<i32: 1, 2, 0>} : tensor<2x16x64xf32> -> tensor<16x64x2xf32>
  %upper, %lower = tt.split %v : tensor<16x64x2xf32> -> tensor<16x64xf32>
  %y = arith.subf %upper, %lower : tensor<16x64xf32>"""


@pytest.mark.parametrize("warps", [1, 4])
def test_halves_of_a_tile(warps: int, tmp_path: Path) -> None:
    tile, half = Tile("f32", (32, 64)), Tile("f32", (16, 64))
    x = np.random.default_rng(4).standard_normal(tile.shape).astype(np.float32)
    compiled, interpreted = run(kernel([tile], HALVES, half), [x], half, warps, tmp_path)
    swapped = np.concatenate([x[:, 32:], x[:, :32]], axis=1)
    np.testing.assert_array_equal(interpreted, swapped[:16] - swapped[16:])
    np.testing.assert_array_equal(compiled, interpreted)


@pytest.mark.parametrize(
    ("left", "right", "scaled"),
    [("e2m1", "e2m1", "ab"), ("e4m3", "e5m2", "ab"), ("e2m1", "bf16", "a"), ("fp16", "e4m3", "b")],
)
def test_scaled_dot(left: str, right: str, scaled: str, tmp_path: Path) -> None:
    m, n, k = 32, 32, 64
    random = np.random.default_rng(len(left + right))
    elements = {"bf16": "bf16", "fp16": "f16"}

    def operand(kind: str, shape: tuple[int, int], k_axis: int) -> tuple[Tile, Array]:
        if kind in elements:
            tile = Tile(elements[kind], shape)
            return tile, encode(random.standard_normal(tile.size), tile.element)
        packed = list(shape)
        packed[k_axis] //= 2 if kind == "e2m1" else 1
        tile = Tile("i8", (packed[0], packed[1]))
        top = {"e2m1": 256, "e4m3": 0x60, "e5m2": 0x50}[kind]  # neither NaN nor too large
        return tile, random.integers(0, top, tile.size).astype(np.uint8)

    (a, a_stored), (b, b_stored) = operand(left, (m, k), 1), operand(right, (k, n), 0)
    tiles, inputs = [a, b], [a_stored, b_stored]
    scales = {}
    for side, rows in (("a", m), ("b", n)):
        if side in scaled:
            scales[side] = f"%x{len(tiles)}"
            tiles.append(Tile("i8", (rows, k // 32)))
            inputs.append(random.integers(122, 131, rows * k // 32).astype(np.uint8))
    result = Tile("f32", (m, n))
    a_text = "%x0" + (f" scale {scales['a']}" if "a" in scales else "")
    b_text = "%x1" + (f" scale {scales['b']}" if "b" in scales else "")
    scale_type = Tile("i8", (m, k // 32)).text
    a_type = a.text + (f", {scale_type}" if "a" in scales else "")
    b_type = b.text + (f", {scale_type}" if "b" in scales else "")
    types = f"{a_type} * {b_type} -> {result.text}"
    body = (
        f"  %acc = arith.constant dense<1.0> : {result.text}\n"
        f"  %y = tt.dot_scaled {a_text}, {b_text}, %acc lhs = {left} rhs = {right} "
        f"{{fastMath = false}} : {types}"
    )
    compiled, interpreted = run(kernel(tiles, body, result), inputs, result, 4, tmp_path)
    assert np.isfinite(interpreted).all()
    largest = np.abs(interpreted).max()
    np.testing.assert_allclose(compiled, interpreted, rtol=1e-5, atol=1e-5 * largest)


def test_messages_are_dropped_with_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tile = Tile("i32", (64,))
    body = """  tt.print "x" {hex = false, isSigned = array<i32: 1>} : %x0 : tensor<64xi32>
  %y = arith.addi %x0, %x0 : tensor<64xi32>"""
    x = np.arange(64, dtype=np.int32)
    compiled, interpreted = run(kernel([tile], body, tile), [x], tile, 1, tmp_path)
    np.testing.assert_array_equal(compiled, 2 * x)
    np.testing.assert_array_equal(interpreted, 2 * x)
    printed = capsys.readouterr()
    assert "idx (63,): 63" in printed.out and "'tt.print' is left out" in printed.err


VECTOR = "tensor<256xf32>"
OTHERS = {
    "clampf": f"""  %low = arith.constant dense<-0.5> : {VECTOR}
  %high = arith.constant dense<0.5> : {VECTOR}
  %y0 = tt.clampf %x0, %low, %high, propagateNan = none : {VECTOR}""",
    "sqrt": f"""  %abs = math.absf %x0 : {VECTOR}
  %y1 = tt.precise_sqrt %abs : {VECTOR}""",
    "division": f"  %y2 = tt.precise_divf %x0, %x1 : {VECTOR}",
    "fast division": f"  %y3 = tt.approx_divf %x0, %x1 : {VECTOR}",
    "8 bits": f"""  %f8 = tt.fp_to_fp %x0, rounding = rtne : {VECTOR} -> tensor<256xf8E5M2>
  %y4 = tt.fp_to_fp %f8 : tensor<256xf8E5M2> -> {VECTOR}""",
    "addresses": """  %i = tt.ptr_to_int %a1p : tensor<256x!tt.ptr<f32>> -> tensor<256xi64>
  %ip = tt.int_to_ptr %i : tensor<256xi64> -> tensor<256x!tt.ptr<f32>>
  %y5 = tt.load %ip : tensor<256x!tt.ptr<f32>>""",
    "one element": f"""  %one = tt.make_range {{start = 0 : i32, end = 1 : i32}} : tensor<1xi32>
  %ones = tt.splat %a1 : !tt.ptr<f32> -> tensor<1x!tt.ptr<f32>>
  %onep = tt.addptr %ones, %one : tensor<1x!tt.ptr<f32>>, tensor<1xi32>
  %first = tt.load %onep : tensor<1x!tt.ptr<f32>>
  %scalar = tt.unsplat %first : tensor<1xf32>
  %y6 = tt.splat %scalar : f32 -> {VECTOR}""",
}


@pytest.mark.parametrize("warps", [1, 8])
def test_other_elementwise_operations(warps: int, tmp_path: Path) -> None:
    tile, rows = Tile("f32", (256,)), Tile("f32", (len(OTHERS), 256))
    random = np.random.default_rng(3)
    inputs = [random.standard_normal(256).astype(np.float32) for _ in range(2)]
    text = ""
    for i in range(2):
        text += pointers(f"a{i}", tile)
        text += f"  %x{i} = tt.load %a{i}p : tensor<256x!tt.ptr<f32>>\n"
    text += pointers("o", tile)
    for i, body in enumerate(OTHERS.values()):
        text += (
            f"{body}\n  %c{i} = arith.constant dense<{i * 256}> : tensor<256xi32>\n"
            f"  %q{i} = tt.addptr %op, %c{i} : tensor<256x!tt.ptr<f32>>, tensor<256xi32>\n"
            f"  tt.store %q{i}, %y{i} : tensor<256x!tt.ptr<f32>>\n"
        )
    parameters = "%a0: !tt.ptr<f32>, %a1: !tt.ptr<f32>, %o: !tt.ptr<f32>"
    source = f"tt.func public @k({parameters}) {{\n{text}  tt.return\n}}\n"
    compiled, interpreted = run(source, inputs, rows, warps, tmp_path)
    for i, name in enumerate(OTHERS):
        rtol = 1e-6 if name == "fast division" else 0
        np.testing.assert_allclose(compiled[i], interpreted[i], rtol=rtol, err_msg=name)
    np.testing.assert_array_equal(interpreted[0], np.clip(inputs[0], -0.5, 0.5))
    np.testing.assert_array_equal(interpreted[2], inputs[0] / inputs[1])
    np.testing.assert_array_equal(interpreted[6], np.full(256, inputs[1][0]))


@pytest.mark.parametrize("element", ["f8E4M3FN", "f8E5M2"])
def test_every_code_of_8_bit_floats(element: str, tmp_path: Path) -> None:
    """What f16 and f32 make of all of them, numbers too small for a leading one and NaN too."""
    rows = Tile("f32", (2, 256))
    text = pointers("a0", Tile(element, (256,)))
    text += f"  %x0 = tt.load %a0p : tensor<256x!tt.ptr<{element}>>\n"
    text += pointers("o", Tile("f32", (256,)))
    text += f"""  %half = tt.fp_to_fp %x0 : tensor<256x{element}> -> tensor<256xf16>
  %y0 = arith.extf %half : tensor<256xf16> to {VECTOR}
  %y1 = tt.fp_to_fp %x0 : tensor<256x{element}> -> {VECTOR}
  %next = arith.constant dense<256> : tensor<256xi32>
  %q = tt.addptr %op, %next : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
  tt.store %op, %y0 : tensor<256x!tt.ptr<f32>>
  tt.store %q, %y1 : tensor<256x!tt.ptr<f32>>
"""
    source = (
        f"tt.func public @k(%a0: !tt.ptr<{element}>, %o: !tt.ptr<f32>) {{\n{text}  tt.return\n}}\n"
    )
    codes = np.arange(256).astype(np.uint8)
    compiled, interpreted = run(source, [codes], rows, 2, tmp_path)
    fraction, bias = {"f8E4M3FN": (3, 7), "f8E5M2": (2, 15)}[element]
    exponent, rest = (codes & 127) >> fraction, (codes & 127) % (1 << fraction)
    size = np.where(
        exponent == 0,
        np.ldexp(rest.astype(float), 1 - bias - fraction),
        np.ldexp(1 + rest / (1 << fraction), exponent.astype(int) - bias),
    )
    if element == "f8E5M2":
        size[exponent == 31] = np.where(rest[exponent == 31] == 0, np.inf, np.nan)
    size[(codes & 127) == 127] = np.nan
    expected = np.where(codes < 128, size, -size)
    for row in (*compiled, *interpreted):
        np.testing.assert_array_equal(row, expected)
        known = ~np.isnan(expected)
        assert (np.signbit(row) == np.signbit(expected))[known].all()


TOWARD_ZERO = ["f32", "bf16", "f16", "f8E5M2", "f8E4M3FN"]


def test_conversions_toward_zero(tmp_path: Path) -> None:
    """No step of a conversion from f64 rounds up, and nothing finite becomes infinite."""
    tile, rows = Tile("f64", (256,)), Tile("f64", (len(TOWARD_ZERO), 256))
    random = np.random.default_rng(5)
    x = random.standard_normal(256) * np.exp2(random.integers(-20, 20, 256))
    x[:10] = [1 - 2.0**-40, -1 + 2.0**-40, 62000, -70000, 57344, 450, 3.5e38, -1e300, 1e-46, 0]
    text = pointers("a0", tile) + "  %x0 = tt.load %a0p : tensor<256x!tt.ptr<f64>>\n"
    text += pointers("o", tile)
    for i, element in enumerate(TOWARD_ZERO):
        narrow, wide = f"tensor<256x{element}>", "tensor<256xf32>"
        text += f"  %n{i} = tt.fp_to_fp %x0, rounding = rtz : tensor<256xf64> -> {narrow}\n"
        if element != "f32":
            text += f"  %w{i} = tt.fp_to_fp %n{i} : {narrow} -> {wide}\n"
        value = f"%n{i}" if element == "f32" else f"%w{i}"
        text += (
            f"  %y{i} = arith.extf {value} : {wide} to tensor<256xf64>\n"
            f"  %c{i} = arith.constant dense<{i * 256}> : tensor<256xi32>\n"
            f"  %q{i} = tt.addptr %op, %c{i} : tensor<256x!tt.ptr<f64>>, tensor<256xi32>\n"
            f"  tt.store %q{i}, %y{i} : tensor<256x!tt.ptr<f64>>\n"
        )
    source = f"tt.func public @k(%a0: !tt.ptr<f64>, %o: !tt.ptr<f64>) {{\n{text}  tt.return\n}}\n"
    compiled, interpreted = run(source, [x], rows, 2, tmp_path)
    np.testing.assert_array_equal(compiled, interpreted)
    assert (np.abs(compiled) <= np.abs(x)).all() and np.isfinite(compiled).all()
    bits = {"f32": 23, "bf16": 7, "f16": 10, "f8E5M2": 2, "f8E4M3FN": 3}
    near = np.abs(x) - np.abs(compiled) < np.abs(x) * np.exp2([[-bits[e]] for e in TOWARD_ZERO])
    assert near[:, :2].all() and near[0, np.abs(x) > 1e-30].sum() >= 250


ATOMICS = [
    ("add", "i32"), ("max", "i32"), ("min", "i32"), ("umax", "i32"), ("umin", "i32"),
    ("and", "i32"), ("or", "i32"), ("xor", "i32"), ("fadd", "f32"),
]  # fmt: skip


@pytest.mark.parametrize("warps", [4, 16, 64])
def test_masked_atomics(warps: int, tmp_path: Path) -> None:
    """256 updates of 16 places per kind, some masked off; the order does not matter."""
    text = ""
    for name, element in (("i", "i32"), ("f", "f32")):
        text += pointers(name, Tile(element, (256,)))
        text += f"  %{name}v = tt.load %{name}p : tensor<256x!tt.ptr<{element}>>\n"
    text += """  %fifteen = arith.constant dense<15> : tensor<256xi32>
  %place = arith.andi %ir, %fifteen : tensor<256xi32>
  %zero = arith.constant dense<0> : tensor<256xi32>
  %three = arith.constant dense<3> : tensor<256xi32>
  %rest = arith.remsi %ir, %three : tensor<256xi32>
  %mask = arith.cmpi ne, %rest, %zero : tensor<256xi32>
"""
    for i, (kind, element) in enumerate(ATOMICS):
        ptr, source = f"tensor<256x!tt.ptr<{element}>>", "fv" if element == "f32" else "iv"
        memory = "fo" if element == "f32" else "io"
        value = f"tensor<256x{element}>"
        types = f"({ptr}, {value}, tensor<256xi1>) -> {value}"
        text += f"""  %s{i} = tt.splat %{memory} : !tt.ptr<{element}> -> {ptr}
  %c{i} = arith.constant dense<{i * 16}> : tensor<256xi32>
  %n{i} = arith.addi %place, %c{i} : tensor<256xi32>
  %p{i} = tt.addptr %s{i}, %n{i} : {ptr}, tensor<256xi32>
  %r{i} = tt.atomic_rmw {kind}, acq_rel, gpu, %p{i}, %{source}, %mask : {types}
"""
    parameters = "%i: !tt.ptr<i32>, %f: !tt.ptr<f32>, %io: !tt.ptr<i32>, %fo: !tt.ptr<f32>"
    source = tmp_path / "k.ttir"
    source.write_text(f"tt.func public @k({parameters}) {{\n{text}  tt.return\n}}\n")
    random = np.random.default_rng(warps)
    integers = random.integers(-(2**31), 2**31, 256).astype(np.int32)
    numbers = random.integers(-50, 50, 256).astype(np.float32)
    results = []
    module = load_portable(source, tmp_path / "build", num_warps=warps)
    for kernel in (interpret(source).kernel(), module.kernels["k"]):
        ints, floats = np.full(176, 7, np.int32), np.full(176, 7, np.float32)
        kernel.launch(1, integers, numbers, ints, floats)
        results.append((ints, floats))
    for interpreted, compiled in zip(*results, strict=True):
        np.testing.assert_array_equal(compiled, interpreted)
    sums = [7 + numbers[k::16][np.arange(k, 256, 16) % 3 != 0].sum() for k in range(16)]
    np.testing.assert_array_equal(results[0][1][8 * 16 : 9 * 16], sums)
