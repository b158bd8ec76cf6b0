"""The manifest model and its expressions."""

from __future__ import annotations

import copy
import json
from typing import Any

import conftest
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mltc.package import CompilerManifest, Manifest, ManifestError
from mltc.package import expression as expr
from mltc.package.manifest import parse, serialize


def tree(**changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(conftest.manifest_tree(conftest.SCALED_ADD)), **changes}


def kernel_with(**changes: Any) -> dict[str, Any]:
    return tree(kernels=[{**copy.deepcopy(conftest.SCALED_ADD), **changes}])


def load(data: Any) -> Manifest:
    return parse(json.dumps(data).encode(), Manifest)


def test_round_trip_keeps_everything() -> None:
    data = kernel_with(
        preconditions=[
            {"kind": "base_alignment", "arg": 0, "value": 64, "reason": "2-D block load"},
            {"kind": "block_2d", "base": 1, "elem_bytes": 2, "access": "store", "loc": "k.py:1:2",
             "width": {"arg": 3}, "height": {"const": 7},
             "pitch": {"op": "mul", "lhs": {"arg": 3}, "rhs": {"op": "add", "lhs": {"const": 1}, "rhs": {"arg": 3}}}},
            {"kind": "block_2d", "elem_bytes": 2, "access": "load", "width": {"const": 64},
             "height": {"op": "mul", "lhs": {"num_programs": 2}, "rhs": {"arg": 3}}, "pitch": {"arg": 3}},
        ],
        note="an unknown key with information",
    )  # fmt: skip
    first = load(data)
    again = parse(serialize(first), Manifest)
    assert again == first and serialize(again) == serialize(first)
    stored = json.loads(serialize(first))["kernels"][0]
    assert stored["preconditions"][1]["pitch"] == data["kernels"][0]["preconditions"][1]["pitch"]
    assert stored["preconditions"][2] == data["kernels"][0]["preconditions"][2]
    assert stored["note"] == "an unknown key with information"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (tree(version=2), "expected version 1, got 2"),
        (tree(style="simd"), r"expected local size \(4, 1, 1\) for 4 warps in style simd"),
        (tree(style="other"), "style: Input should be 'simt' or 'simd'"),
        (tree(kernels=[]), "kernels: .*at least 1 item"),
        (tree(kernels=[conftest.SCALED_ADD] * 2), "duplicate kernel names"),
        (kernel_with(num_warps=8), r"expected local size \(128, 1, 1\) for 8 warps"),
        (kernel_with(num_warps="4"), "kernels\\[0\\].num_warps: Input should be a valid integer"),
        (kernel_with(name=""), "name: .*at least 1 character"),
        (kernel_with(args=[conftest.arg(1, "x", "pointer", "f32")]), "expected argument indices 0, 1"),
        (kernel_with(args=[conftest.arg(0, "x", "scalar", "f8")]), "expected a scalar type out of i1"),
        (kernel_with(args=[conftest.arg(0, "x", "thing", "f32")]), "kind: Input should be 'pointer'"),
        (kernel_with(preconditions=[{"kind": "moon_phase"}]), "moon_phase"),
        (kernel_with(preconditions=[{"kind": "base_alignment", "arg": 9, "value": 64}]), "names argument 9 of 5"),
        (kernel_with(preconditions=[{"kind": "base_alignment", "arg": 3, "value": 64}]),
         r"expected a pointer, got scalar argument 3 \('n'\)"),
        (kernel_with(preconditions=[{"kind": "expr", "compare": "ge", "lhs": {"arg": 4}, "rhs": {"const": 1}}]),
         r"expected an integer, got scalar f32 argument 4 \('scale'\)"),
        (kernel_with(preconditions=[{"kind": "base_alignment", "arg": 0, "value": 64, "unless": "sunny"}]),
         "unless: Extra inputs are not permitted"),
        (kernel_with(preconditions=[{"kind": "expr", "compare": "ge", "lhs": {"op": "pow", "lhs": {"arg": 3},
         "rhs": {"arg": 3}}, "rhs": {"const": 1}}]), "unknown operation 'pow'"),
    ],
)  # fmt: skip
def test_invalid_manifests_are_refused(data: dict[str, Any], message: str) -> None:
    with pytest.raises(ManifestError, match=message):
        load(data)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xff\xfe", "not valid JSON"),
        (b"[1, 2", "not valid JSON"),
        (b"[]", "expected an object, got list"),
        (b"[" * 100_000, "nested deeper than 200 levels"),
        (b'{"version": 1, "a": "' + b"[" * 1000 + b'"}', "target: Field required"),
        (b" " * (4 * 1024 * 1024 + 1), "more than 4194304"),
    ],
)
def test_hostile_json_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(ManifestError, match=message):
        parse(data, CompilerManifest)


def test_extents_of_the_grid() -> None:
    tree = expr.parse({"op": "mul", "lhs": {"num_programs": 1}, "rhs": {"arg": 0}})
    assert expr.evaluate(tree, {0: 5}, (2, 3, 4)) == 15
    assert expr.arguments_of(tree) == {0}
    assert expr.render(tree, {0: "M"}) == "num_programs(1) * M"
    with pytest.raises(expr.ExpressionError, match="the grid has no axis 1"):
        expr.evaluate(tree, {0: 5})
    for axis in (-1, 3, True, "0"):
        with pytest.raises(expr.ExpressionError, match="grid axis"):
            expr.parse({"num_programs": axis})


def deep(levels: int) -> dict[str, Any]:
    node: dict[str, Any] = {"const": 1}
    for _ in range(levels):
        node = {"op": "add", "lhs": node, "rhs": {"const": 1}}
    return node


def test_expressions_are_bounded() -> None:
    assert expr.evaluate(expr.parse(deep(60)), {}) == 61
    with pytest.raises(expr.ExpressionError, match="exceeds 64 levels"):
        expr.parse(deep(64))
    wide: dict[str, Any] = {"const": 1}
    for _ in range(13):
        wide = {"op": "add", "lhs": wide, "rhs": wide}
    with pytest.raises(expr.ExpressionError, match="4096 nodes"):
        expr.parse(wide)


@pytest.mark.parametrize(
    "bad",
    [None, 1, {}, {"arg": "0"}, {"arg": True}, {"arg": -1}, {"const": 2**63}, {"const": 1.0}, {"arg": 0, "const": 1},
     {"op": "add", "lhs": {"const": 1}}, {"op": ["add"], "lhs": {"const": 1}, "rhs": {"const": 1}}],
)  # fmt: skip
def test_malformed_expressions(bad: Any) -> None:
    with pytest.raises(expr.ExpressionError):
        expr.parse(bad)


INT64 = st.integers(-(2**63), 2**63 - 1)


@given(INT64, INT64)
def test_division_is_that_of_the_hardware(a: int, b: int) -> None:
    def value(op: str) -> int:
        return expr.evaluate(expr.Operation(op, expr.Argument(0), expr.Argument(1)), {0: a, 1: b})

    if b == 0:
        with pytest.raises(expr.ExpressionError, match="division by zero"):
            value("div_s")
    elif (a, b) == (-(2**63), -1):
        with pytest.raises(expr.ExpressionError, match="overflows"):
            value("div_s")
    else:
        quotient, remainder = value("div_s"), value("rem_s")
        assert quotient * b + remainder == a and abs(remainder) < abs(b)
        assert remainder == 0 or (remainder < 0) == (a < 0)
        assert value("floordiv_s") == a // b and value("ceildiv_s") == -(-a // b)


def test_evaluation_refuses_what_has_no_value() -> None:
    big = expr.Operation("mul", expr.Constant(2**62), expr.Constant(4))
    for bad, message in (
        (big, "mul overflows 64 bits"),
        (expr.Argument(5), "argument 5 has no integer value"),
        (expr.Operation("shl", expr.Constant(1), expr.Constant(64)), "shift by 64"),
        (expr.Operation("div_u", expr.Constant(-1), expr.Constant(2)), "unsigned operation on -1"),
    ):
        with pytest.raises(expr.ExpressionError, match=message):
            expr.evaluate(bad, {})


def test_rendering_names_arguments() -> None:
    tree = {
        "op": "mul",
        "lhs": {"op": "add", "lhs": {"arg": 3}, "rhs": {"const": 1}},
        "rhs": {"arg": 4},
    }
    assert expr.render(expr.parse(tree), {3: "M"}) == "(M + 1) * arg4"
    assert (
        expr.render(expr.parse({"op": "max_s", "lhs": {"arg": 3}, "rhs": {"const": 2}}), {})
        == "max_s(arg3, 2)"
    )
    assert expr.dump(expr.parse(tree)) == tree and expr.arguments_of(expr.parse(tree)) == {3, 4}


def test_a_number_of_too_many_digits() -> None:
    with pytest.raises(ManifestError, match="not valid JSON"):
        parse(b'{"version": 1' + b"0" * 5000 + b"}", Manifest)
