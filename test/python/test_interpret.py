"""The interpreter of Triton IR: formats, each operation, and what it refuses."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from mltc.cli.main import main
from mltc.interpret import InterpretError, Options, interpret
from mltc.interpret.formats import (
    E2M1,
    FORMATS,
    SMALL_FLOATS,
    fused_multiply_add,
    round_tf32,
)

Array = np.ndarray[Any, Any]


def run(body: str, *arguments: Any, signature: str, grid: int = 1, **options: Any) -> None:
    source = f"tt.func public @k({signature}) {{\n{body}\n  tt.return\n}}\n"
    interpret(source.encode()).kernel().launch(grid, *arguments, options=Options(**options))


NAMES = {"int32": "i32", "int64": "i64", "int16": "i16", "int8": "i8", "bool": "i1",
         "float16": "f16", "float32": "f32", "float64": "f64", "uint16": "bf16"}  # fmt: skip


def vector(name: str, length: int, element: str) -> str:
    """Text that makes the pointers of a vector from an argument of the same name."""
    ptr = f"!tt.ptr<{element}>"
    return (
        f"  %{name}r = tt.make_range {{start = 0 : i32, end = {length} : i32}} : tensor<{length}xi32>\n"
        f"  %{name}s = tt.splat %{name} : {ptr} -> tensor<{length}x{ptr}>\n"
        f"  %{name}p = tt.addptr %{name}s, %{name}r : tensor<{length}x{ptr}>, tensor<{length}xi32>\n"
    )


def apply(
    body: str, inputs: list[Array], length: int, element: str, types: list[str] | None = None
) -> Array:
    """Runs text that makes %y of the vectors %x0, %x1, ...; returns %y."""
    types = types or [NAMES[x.dtype.name] for x in inputs]
    text, parameters = "", []
    for i, (x, type) in enumerate(zip(inputs, types, strict=True)):
        text += vector(f"a{i}", len(x), type)
        text += f"  %x{i} = tt.load %a{i}p : tensor<{len(x)}x!tt.ptr<{type}>>\n"
        parameters.append(f"%a{i}: !tt.ptr<{type}>")
    text += body + "\n" + vector("out", length, element)
    text += f"  tt.store %outp, %y : tensor<{length}x!tt.ptr<{element}>>"
    form = FORMATS[element]
    out = np.zeros(length, form.storage if not form.is_bool else bool)
    signature = ", ".join([*parameters, f"%out: !tt.ptr<{element}>"])
    run(text, *inputs, out, signature=signature)
    return out


# --- formats -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in SMALL_FLOATS if name != "bf16"])
def test_codes_of_8_bit_floats_survive(name: str) -> None:
    form = SMALL_FLOATS[name]
    codes = np.arange(256, dtype=np.uint8)
    values = form.decode(codes)
    finite = ~np.isnan(values)
    np.testing.assert_array_equal(form.encode(values[finite]), codes[finite])
    np.testing.assert_array_equal(form.round(values), values)
    assert np.nanmax(np.where(np.isinf(values), 0, values)) == form.top
    # Between two neighbours the nearer one, in the middle the even one.
    grid = np.unique(values[np.isfinite(values)]).astype(np.float64)
    middle = (grid[1:] + grid[:-1]) / 2
    chosen = form.encode(form.round(middle))
    assert ((chosen & 1) == 0).sum() >= len(chosen) - 1  # but around zero, which has a sign
    np.testing.assert_array_equal(form.round(np.nextafter(middle, -1e9)), grid[:-1])
    np.testing.assert_array_equal(form.round(np.nextafter(middle, 1e9)), grid[1:])


def test_known_numbers_of_small_formats() -> None:
    assert E2M1.decode(np.arange(16, dtype=np.uint8)).tolist() == [
        0, 0.5, 1, 1.5, 2, 3, 4, 6, 0, -0.5, -1, -1.5, -2, -3, -4, -6
    ]  # fmt: skip
    e4m3, e5m2 = SMALL_FLOATS["f8E4M3FN"], SMALL_FLOATS["f8E5M2"]
    assert e4m3.decode(np.array([0x7E, 0x01, 0x38], np.uint8)).tolist() == [448, 2**-9, 1]
    assert e4m3.round(np.array([1e9, -1e9, np.inf])).tolist() == [448, -448, 448]
    assert e5m2.round(np.array([61439.0, 61440.0])).tolist() == [57344, math.inf]
    assert e5m2.round(np.array([1e9]), "rtz").tolist() == [57344]


@given(st.lists(st.floats(width=32), min_size=1, max_size=20))
@settings(max_examples=100, deadline=None)
def test_bf16_is_the_upper_half_rounded_to_even(numbers: list[float]) -> None:
    values = np.array(numbers, np.float32)
    form = SMALL_FLOATS["bf16"]
    bits = values.view(np.uint32).astype(np.uint64)
    expected = ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)
    actual = form.encode(form.round(values))
    is_nan = np.isnan(values)
    np.testing.assert_array_equal(actual[~is_nan], expected[~is_nan])
    assert np.isnan(form.decode(actual[is_nan])).all()
    toward_zero = form.encode(form.round(values, "rtz"))
    finite = np.isfinite(values)
    np.testing.assert_array_equal(toward_zero[finite], (bits >> 16).astype(np.uint16)[finite])


def test_tf32_keeps_ten_bits_of_mantissa() -> None:
    ulp = np.float32(2.0**-10)
    assert round_tf32(np.float32(1) + ulp / 2) == 1
    assert round_tf32(np.float32(1) + ulp * 1.5) == 1 + 2 * ulp
    assert np.isnan(round_tf32(np.float32(np.nan)))


def test_fused_multiply_add_rounds_once() -> None:
    f32 = FORMATS["f32"]
    a = np.float32(1 + 2.0**-23)
    exact = (1 + 2.0**-23) ** 2  # needs 47 bits: exact in float64
    assert fused_multiply_add(a, a, -np.float32(1), f32) == np.float32(exact - 1)
    # The exact sum lies just beside the middle of two float32; float64 cannot see on which side.
    tiny = np.float32(2.0**-80)
    middle = np.float32(1 + 2.0**-12)
    assert fused_multiply_add(middle, middle, tiny, f32) == np.float32(1 + 2.0**-11 + 2.0**-23)
    assert fused_multiply_add(middle, middle, -tiny, f32) == np.float32(1 + 2.0**-11)


# --- integers ------------------------------------------------------------------------------

REFERENCE = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "divsi": lambda a, b: int(math.copysign(abs(a) // abs(b), a * b)) if a else 0,
    "remsi": lambda a, b: int(math.copysign(abs(a) % abs(b), a)),
    "floordivsi": lambda a, b: a // b,
    "ceildivsi": lambda a, b: -(-a // b),
    "maxsi": max,
    "minui": lambda a, b: min(a % 2**32, b % 2**32),
    "divui": lambda a, b: a % 2**32 // (b % 2**32),
    "remui": lambda a, b: a % 2**32 % (b % 2**32),
    "shrsi": lambda a, b: a >> b,
    "shrui": lambda a, b: a % 2**32 >> b,
    "shli": lambda a, b: a << b,
}


@pytest.mark.parametrize("name", REFERENCE)
def test_integers_are_those_of_python_wrapped(name: str) -> None:
    random = np.random.default_rng(len(name))
    a = random.integers(-(2**31), 2**31, 64).astype(np.int32)
    b = random.integers(-(2**31), 2**31, 64).astype(np.int32)
    b[::4] = random.integers(1, 100, 16)
    if name.startswith("sh"):
        b = random.integers(0, 32, 64).astype(np.int32)
    actual = apply(f"  %y = arith.{name} %x0, %x1 : tensor<64xi32>", [a, b], 64, "i32")
    expected = [REFERENCE[name](int(x), int(y)) % 2**32 for x, y in zip(a, b, strict=True)]
    assert actual.view(np.uint32).tolist() == expected


def test_booleans_have_a_sign_where_they_are_signed() -> None:
    a, b = np.array([0, 0, 1, 1], bool), np.array([0, 1, 0, 1], bool)
    added = apply("  %y = arith.addi %x0, %x1 : tensor<4xi1>", [a, b], 4, "i1")
    assert added.tolist() == [False, True, True, False]
    less = apply("  %y = arith.cmpi slt, %x0, %x1 : tensor<4xi1>", [a, b], 4, "i1")
    assert less.tolist() == [False, False, True, False]
    wide = apply("  %y = arith.extsi %x0 : tensor<4xi1> to tensor<4xi32>", [a], 4, "i32")
    assert wide.tolist() == [0, 0, -1, -1]


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
@settings(max_examples=200, deadline=None)
def test_upper_half_of_a_product(a: int, b: int) -> None:
    from mltc.interpret.ops_arith import high_product

    with np.errstate(over="ignore"):
        assert int(high_product(np.array(a, np.uint64), np.array(b, np.uint64))) == a * b >> 64
        x, y = a - 2**63, b - 2**63
        assert int(high_product(np.array(x, np.int64), np.array(y, np.int64))) == x * y >> 64


# --- operations ----------------------------------------------------------------------------


def test_scan_combines_in_order_from_either_end() -> None:
    x = np.array([3, 1, 4, 1, 5, 9, 2, 6], np.int32)
    text = """  %y = "tt.scan"(%x0) <{{axis = 0 : i32, reverse = {}}}> ({{
    ^bb0(%l: i32, %r: i32):
      %s = arith.subi %r, %l : i32
      %t = arith.addi %s, %l : i32
      %u = arith.addi %t, %l : i32
      tt.scan.return %u : i32
    }}) : (tensor<8xi32>) -> tensor<8xi32>"""
    forward = apply(text.format("false"), [x], 8, "i32")
    assert forward.tolist() == np.cumsum(x).tolist()
    backward = apply(text.format("true"), [x], 8, "i32")
    assert backward.tolist() == np.cumsum(x[::-1])[::-1].tolist()


def test_a_region_with_branches_runs_per_element() -> None:
    x = np.arange(8, dtype=np.int32)
    text = """  %y = "tt.map_elementwise"(%x0) <{pack = 2 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %c = arith.cmpi sgt, %a, %b : i32
      %four = arith.constant 4 : i32
      %d = arith.cmpi slt, %a, %four : i32
      cf.cond_br %d, ^small(%a : i32), ^large
    ^small(%v: i32):
      tt.map_elementwise.return %b, %v : i32, i32
    ^large:
      tt.map_elementwise.return %a, %b : i32, i32
    }) : (tensor<8xi32>) -> tensor<8xi32>"""
    assert apply(text, [x], 8, "i32").tolist() == [1, 0, 3, 2, 4, 5, 6, 7]


def test_histogram_gather_join_split_cat() -> None:
    x = np.array([0, 1, 1, 3, 3, 3, 9, -1], np.int32)
    count = apply("  %y = tt.histogram %x0 : tensor<8xi32> -> tensor<4xi32>", [x], 4, "i32")
    assert count.tolist() == [1, 2, 0, 3]
    source, index = np.arange(10, 18, dtype=np.int32), np.array([7, 0, 3, 3], np.int32)
    text = "  %y = tt.gather %x0[%x1] {axis = 0 : i32} : (tensor<8xi32>, tensor<4xi32>) -> tensor<4xi32>"
    assert apply(text, [source, index], 4, "i32").tolist() == [17, 10, 13, 13]
    with pytest.raises(InterpretError, match=r"indices from 0 to 7, found 8 at element \[2\]"):
        apply(text, [source, np.array([0, 1, 8, 0], np.int32)], 4, "i32")
    a, b = np.arange(4, dtype=np.int32), np.arange(4, 8, dtype=np.int32)
    text = """  %j = tt.join %x0, %x1 : tensor<4xi32> -> tensor<4x2xi32>
  %l, %r = tt.split %j : tensor<4x2xi32> -> tensor<4xi32>
  %d = arith.subi %r, %l : tensor<4xi32>
  %y = tt.cat %d, %l : tensor<4xi32> -> tensor<8xi32>"""
    assert apply(text, [a, b], 8, "i32").tolist() == [4, 4, 4, 4, 0, 1, 2, 3]


def test_floats_are_converted_as_asked() -> None:
    x = np.array([1 + 2.0**-9, 1 + 3 * 2.0**-9, -500.0, 1e6], np.float32)
    nearest = apply(
        "  %y = tt.fp_to_fp %x0, rounding = rtne : tensor<4xf32> -> tensor<4xf8E4M3FN>",
        [x], 4, "f8E4M3FN",
    )  # fmt: skip
    assert nearest.tolist() == [0x38, 0x38, 0xFE, 0x7E]
    narrow = apply(
        "  %y = arith.truncf %x0 : tensor<4xf32> to tensor<4xbf16>", [x], 4, "bf16"
    )  # fmt: skip
    assert narrow.tolist() == [0x3F80, 0x3F81, 0xC3FA, 0x4974]


def test_clampf_keeps_nan_only_when_asked() -> None:
    x = np.array([np.nan, 5, -5, 0.5], np.float32)
    text = """  %l = arith.constant dense<-1.0> : tensor<4xf32>
  %h = arith.constant dense<1.0> : tensor<4xf32>
  %y = tt.clampf %x0, %l, %h, propagateNan = {} : tensor<4xf32>"""
    kept = apply(text.format("all"), [x], 4, "f32")
    np.testing.assert_array_equal(kept, [np.nan, 1, -1, 0.5])
    np.testing.assert_array_equal(apply(text.format("none"), [x], 4, "f32"), [-1, 1, -1, 0.5])


def test_functions_of_device_libraries_by_name() -> None:
    x = np.array([0.5, 1.0, 2.0, 3.0], np.float32)
    for symbol, function in (
        ("__nv_expf", np.exp),
        ("__imf_rsqrtf", lambda v: 1 / np.sqrt(v)),
        ("__ocml_log1p_f32", np.log1p),
        ("__nv_fast_sinf", np.sin),
    ):
        text = (
            f'  %y = tt.extern_elementwise %x0 {{libname = "", libpath = "", pure = true, symbol = "{symbol}"}} '
            ": (tensor<4xf32>) -> tensor<4xf32>"
        )
        np.testing.assert_allclose(apply(text, [x], 4, "f32"), function(x.astype("f8")), 1e-6)
    with pytest.raises(InterpretError, match="found '__nv_besself'"):
        apply(text.replace("__nv_fast_sinf", "__nv_besself"), [x], 4, "f32")


def test_atomics_happen_in_order_of_elements() -> None:
    signature = "%a: !tt.ptr<i32>, %out: !tt.ptr<i32>"
    body = (
        vector("out", 4, "i32")
        + """  %i = arith.constant dense<[0, 1, 0, 0]> : tensor<4xi32>
  %v = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %s = tt.splat %a : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
  %p = tt.addptr %s, %i : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
  %o = tt.atomic_rmw add, acq_rel, gpu, %p, %v : (tensor<4x!tt.ptr<i32>>, tensor<4xi32>) -> tensor<4xi32>
  tt.store %outp, %o : tensor<4x!tt.ptr<i32>>
  %c1 = arith.constant 18 : i32
  %c2 = arith.constant 100 : i32
  %x = tt.atomic_cas acq_rel, gpu, %a, %c1, %c2 : (!tt.ptr<i32>, i32, i32) -> i32
"""
    )
    memory, old = np.array([10, 20], np.int32), np.zeros(4, np.int32)
    run(body, memory, old, signature=signature)
    assert old.tolist() == [10, 20, 11, 14]
    assert memory.tolist() == [100, 22]


@pytest.mark.parametrize("padding", [1, 2])
def test_block_pointers_pad_and_drop(padding: int) -> None:
    signature = "%a: !tt.ptr<f32>, %b: !tt.ptr<f32>, %n: i64, %at: i32"
    body = f"""  %c8 = arith.constant 8 : i64
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %p = tt.make_tensor_ptr %a, [%n, %c8], [%c8, %c1], [%c0, %c0] {{order = array<i32: 1, 0>}} : !tt.ptr<tensor<4x4xf32>>
  %q = tt.advance %p, [%at, %c2] : !tt.ptr<tensor<4x4xf32>>
  %v = tt.load %q {{boundaryCheck = array<i32: 0, 1>, padding = {padding} : i32}} : !tt.ptr<tensor<4x4xf32>>
  %r = tt.make_tensor_ptr %b, [%n, %c8], [%c8, %c1], [%at, %c2] {{order = array<i32: 1, 0>}} : !tt.ptr<tensor<4x4xf32>>
  tt.store %r, %v {{boundaryCheck = array<i32: 0, 1>}} : !tt.ptr<tensor<4x4xf32>>"""
    a = np.arange(48, dtype=np.float32).reshape(6, 8)
    for at in (-2, 0, 4):
        b = np.full((6, 8), -1, np.float32)
        run(body, a, b, 6, at, signature=signature)
        expected = np.full((6, 8), -1, np.float32)
        rows = slice(max(at, 0), min(at + 4, 6))
        expected[rows, 2:6] = a[rows, 2:6]
        np.testing.assert_array_equal(b, expected)


def test_descriptors_come_in_parts() -> None:
    body = """  %c2 = arith.constant 2 : i32
  %c0 = arith.constant 0 : i32
  %v = tt.descriptor_load %d[%c2, %c0] : !tt.tensordesc<4x8xf32> -> tensor<4x8xf32>
  tt.descriptor_reduce add, %e[%c0, %c0], %v : !tt.tensordesc<4x8xf32>, tensor<4x8xf32>"""
    signature = "%d: !tt.tensordesc<4x8xf32>, %e: !tt.tensordesc<4x8xf32>"
    a, b = np.ones((5, 8), np.float32) * (1 + 2.0**-12), np.ones((4, 8), np.float32)
    run(body, a, 5, 8, 8, 1, True, True, b, 3, 8, 8, 1, False, False, signature=signature)
    np.testing.assert_array_equal(b[:3], [[2.0] * 8] * 3)  # rounded to tf32 on the way
    np.testing.assert_array_equal(b[3], 1)
    run(body, a, 4, 8, 8, 1, True, False, b, 4, 8, 8, 1, False, False, signature=signature)
    assert np.isnan(b[2:4]).all() and not np.isnan(b[:2]).any()


def test_scaled_dot_of_packed_elements() -> None:
    random = np.random.default_rng(0)
    a = random.integers(0, 256, (16, 32)).astype(np.uint8)  # 64 elements of 4 bits along k
    b = random.standard_normal((64, 16)).astype(np.float16)
    scale = random.integers(120, 134, (16, 2)).astype(np.uint8)
    body = """  %c32 = arith.constant 32 : i64
  %c16 = arith.constant 16 : i64
  %c64 = arith.constant 64 : i64
  %c2 = arith.constant 2 : i64
  %c1 = arith.constant 1 : i64
  %z = arith.constant 0 : i32
  %ap = tt.make_tensor_ptr %a, [%c16, %c32], [%c32, %c1], [%z, %z] {order = array<i32: 1, 0>} : !tt.ptr<tensor<16x32xi8>>
  %bp = tt.make_tensor_ptr %b, [%c64, %c16], [%c16, %c1], [%z, %z] {order = array<i32: 1, 0>} : !tt.ptr<tensor<64x16xf16>>
  %sp = tt.make_tensor_ptr %s, [%c16, %c2], [%c2, %c1], [%z, %z] {order = array<i32: 1, 0>} : !tt.ptr<tensor<16x2xi8>>
  %op = tt.make_tensor_ptr %o, [%c16, %c16], [%c16, %c1], [%z, %z] {order = array<i32: 1, 0>} : !tt.ptr<tensor<16x16xf32>>
  %av = tt.load %ap : !tt.ptr<tensor<16x32xi8>>
  %bv = tt.load %bp : !tt.ptr<tensor<64x16xf16>>
  %sv = tt.load %sp : !tt.ptr<tensor<16x2xi8>>
  %acc = arith.constant dense<1.0> : tensor<16x16xf32>
  %d = tt.dot_scaled %av scale %sv, %bv, %acc lhs = e2m1 rhs = fp16 {fastMath = false} : tensor<16x32xi8>, tensor<16x2xi8> * tensor<64x16xf16> -> tensor<16x16xf32>
  tt.store %op, %d : !tt.ptr<tensor<16x16xf32>>"""
    out = np.zeros((16, 16), np.float32)
    signature = "%a: !tt.ptr<i8>, %b: !tt.ptr<f16>, %s: !tt.ptr<i8>, %o: !tt.ptr<f32>"
    run(body, a, b, scale, out, signature=signature)
    table = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
    elements = np.empty((16, 64))
    for half in (0, 1):
        code = a >> 4 * half & 15
        elements[:, half::2] = table[code & 7] * np.where(code & 8, -1, 1)
    factor = np.repeat(2.0 ** (scale.astype(int) - 127), 32, axis=1)
    np.testing.assert_allclose(out, (elements * factor) @ b.astype(float) + 1, rtol=1e-6)


# --- what is refused -----------------------------------------------------------------------


def test_an_access_outside_names_operation_line_and_element(tmp_path: Path) -> None:
    text = (
        "tt.func public @k(%x: !tt.ptr<f32>) {\n"
        + vector("x", 8, "f32")
        + "  %v = tt.load %xp : tensor<8x!tt.ptr<f32>>\n  tt.return\n}\n"
    )
    file = tmp_path / "k.ttir"
    file.write_text(text)
    with pytest.raises(InterpretError) as caught:
        interpret(file).kernel().launch(1, np.zeros(6, np.float32))
    assert (
        caught.value.message
        == (
            f"{file}:5:8: error: 'tt.load' in program (0, 0, 0): element [6] reads 4 bytes at byte "
            "24 of 'x', which has 24 bytes"
        )
        or "byte 24 of 'argument 0', which has 24 bytes" in caught.value.message
    )


def test_a_store_to_a_read_only_array_is_refused() -> None:
    array = np.zeros(4, np.float32)
    array.flags.writeable = False
    body = (
        vector("x", 4, "f32")
        + "  %v = arith.constant dense<1.0> : tensor<4xf32>\n"
        + "  tt.store %xp, %v : tensor<4x!tt.ptr<f32>>"
    )
    with pytest.raises(InterpretError, match="which is read-only"):
        run(body, array, signature="%x: !tt.ptr<f32>")


SPIN = """  %c0 = arith.constant 0 : i32
  scf.while : () -> () {
    %v = tt.load %x : !tt.ptr<i32>
    %c = arith.cmpi eq, %v, %c0 : i32
    scf.condition(%c)
  } do {
    scf.yield
  }"""


def test_a_loop_without_an_end_is_stopped() -> None:
    with pytest.raises(InterpretError, match=r"'scf.while' .* more than 100 times"):
        run(SPIN, np.zeros(1, np.int32), signature="%x: !tt.ptr<i32>", loop_limit=100)
    run(SPIN, np.ones(1, np.int32), signature="%x: !tt.ptr<i32>", loop_limit=100)


def test_undefined_elements_are_poison_unless_zero_is_asked_for() -> None:
    body = vector("x", 4, "f32") + (
        "  %m = arith.constant dense<[true, false, true, false]> : tensor<4xi1>\n"
        "  %v = tt.load %xp, %m : tensor<4x!tt.ptr<f32>>\n"
        "  tt.store %xp, %v : tensor<4x!tt.ptr<f32>>"
    )
    poisoned, zeroed = np.ones(4, np.float32), np.ones(4, np.float32)
    run(body, poisoned, signature="%x: !tt.ptr<f32>")
    run(body, zeroed, signature="%x: !tt.ptr<f32>", undefined="zero")
    np.testing.assert_array_equal(poisoned, [1, np.nan, 1, np.nan])
    np.testing.assert_array_equal(zeroed, [1, 0, 1, 0])


def test_prints_and_assertions(capsys: pytest.CaptureFixture[str]) -> None:
    shown: list[str] = []
    body = """  %v = arith.constant dense<[1, -2]> : tensor<2xi32>
  tt.print "v" {hex = false, isSigned = array<i32: 1>} : %v : tensor<2xi32>
  tt.print "h" {hex = true, isSigned = array<i32: 1>} : %v : tensor<2xi32>
  %z = arith.constant dense<0> : tensor<2xi32>
  %c = arith.cmpi sge, %v, %z : tensor<2xi32>
  tt.assert %c, "negative" : tensor<2xi1>"""
    with pytest.raises(InterpretError, match=r"assertion failed at element \[1\]: negative"):
        run(body, signature="", printed=shown.append)
    assert shown == [
        "pid (0, 0, 0) v idx (0,): 1", "pid (0, 0, 0) v idx (1,): -2",
        "pid (0, 0, 0) h idx (0,): 0x1", "pid (0, 0, 0) h idx (1,): 0xfffffffe",
    ]  # fmt: skip


def test_what_has_no_meaning_is_refused_at_its_line() -> None:
    with pytest.raises(InterpretError, match=r"<stdin>:2:.*'mlt.barrier' is not interpreted"):
        run("  mlt.barrier", signature="")


# --- the command ---------------------------------------------------------------------------


def test_the_command_reads_and_writes_arrays(tmp_path: Path) -> None:
    file, x, y = tmp_path / "k.ttir", tmp_path / "x.npy", tmp_path / "y.npy"
    file.write_text(
        "tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %s: f32) {\n"
        + vector("x", 8, "f32")
        + vector("y", 8, "f32")
        + "  %v = tt.load %xp : tensor<8x!tt.ptr<f32>>\n"
        "  %t = tt.splat %s : f32 -> tensor<8xf32>\n"
        "  %w = arith.mulf %v, %t : tensor<8xf32>\n"
        "  tt.store %yp, %w : tensor<8x!tt.ptr<f32>>\n  tt.return\n}\n"
    )
    np.save(x, np.arange(8, dtype=np.float32))
    args = ["interpret", str(file), "--grid", "1", "--arg", str(x), "--arg", f"{y}:out=8xf32"]
    done = CliRunner().invoke(main, [*args, "--arg", "2.5"])
    assert done.exit_code == 0, done.output
    np.testing.assert_array_equal(np.load(y), np.arange(8) * 2.5)
    short = CliRunner().invoke(main, args)
    assert short.exit_code == 2 and "expected 3 --arg for k(" in short.output
