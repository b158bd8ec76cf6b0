"""Our reading and printing of TTIR against stock Triton's own parser.

Every module below is given to both. What stock Triton accepts we accept, and what it prints we
read; what it refuses we refuse; what we print for a release it reads. The few places where we are
stricter are listed as such, with the reason. Releases differ in the operations they have, so a
module names the first and the last release it is meant for. The test runs with the releases that
stock.py finds.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from corpus import CORPUS
from stock import ROOT, Stock, installed

from mltc.toolchain import ToolFailure, find_tool, run_tool

_TIMEOUT = 60.0
SEPARATOR = "// -----\n"

pytestmark = pytest.mark.parametrize("stock", installed(), ids=str)


@dataclass(frozen=True)
class Case:
    """One function body, and in which releases stock Triton knows its operations."""

    name: str
    arguments: str
    body: str
    first: tuple[int, int] = (3, 2)
    last: tuple[int, int] = (3, 99)

    def module(self) -> str:
        """The text of a module with this function."""
        return f"module {{\n tt.func public @f({self.arguments}) {{\n{self.body}\n tt.return\n }}\n}}\n"


def region(arguments: str, returned: str, types: str, name: str = "reduce") -> str:
    """A combining region that returns some of its arguments."""
    return f"^bb0({arguments}):\n tt.{name}.return {returned} : {types}"


_T = "%t: tensor<4x8xf32>"
_ADD = region("%a: f32, %b: f32", "%a", "f32")

ACCEPTED = [
    Case("load", "%p: tensor<4x!tt.ptr<f32>>, %m: tensor<4xi1>, %o: tensor<4xf32>",
         "%0 = tt.load %p, %m, %o cacheModifier = cg : tensor<4x!tt.ptr<f32>>", last=(3, 7)),
    Case("policy", "%p: tensor<4x!tt.ptr<f32>>, %m: tensor<4xi1>",
         "%0 = tt.load %p, %m {cachePolicy = #tt.cache_policy<cache_modifier = cg, "
         "eviction_policy = evict_last>} : tensor<4x!tt.ptr<f32>>", first=(3, 9)),
    Case("volatile", "%p: !tt.ptr<f32>", "%0 = tt.load %p {isVolatile = true} : !tt.ptr<f32>"),
    Case("block", "%p: !tt.ptr<f16>, %n: i64, %i: i32",
         "%0 = tt.make_tensor_ptr %p, [%n, %n], [%n, %n], [%i, %i] {order = array<i32: 1, 0>} "
         ": <tensor<4x8xf16>>\n%1 = tt.advance %0, [%i, %i] : <tensor<4x8xf16>>\n"
         "%2 = tt.load %1 {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} "
         ": !tt.ptr<tensor<4x8xf16>>", last=(3, 7)),
    Case("descriptor", "%p: !tt.ptr<f16>, %s: i64, %i: i32",
         "%0 = tt.make_tensor_descriptor %p, [%i, %i], [%s, %s] : <f16>, <4x8xf16>\n"
         "%1 = tt.descriptor_load %0[%i, %i] : !tt.tensordesc<4x8xf16> -> tensor<4x8xf16>\n"
         "tt.descriptor_store %0[%i, %i], %1 : !tt.tensordesc<4x8xf16>, tensor<4x8xf16>",
         first=(3, 9)),
    Case("wrapped_descriptor", "%p: !tt.ptr<f16>, %s: i64, %i: i32",
         "%0 = tt.make_tensor_descriptor %p, [%i, %i], [%s, %s] : <f16>, <tensor<4x8xf16>>\n"
         "%1 = tt.descriptor_load %0[%i, %i] : !tt.tensordesc<tensor<4x8xf16>> -> "
         "tensor<4x8xf16>", first=(3, 5), last=(3, 7)),
    Case("unsigned_descriptor", "%d: !tt.tensordesc<4x8xui16>, %i: i32",
         "%1 = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<4x8xui16> -> tensor<4x8xi16>",
         first=(3, 9)),
    Case("rows", "%d: !tt.tensordesc<1x64xf16>, %x: tensor<32xi32>, %i: i32",
         "%0 = tt.descriptor_gather %d[%x, %i] : (!tt.tensordesc<1x64xf16>, tensor<32xi32>, i32) "
         "-> tensor<32x64xf16>\ntt.descriptor_scatter %d[%x, %i], %0 : !tt.tensordesc<1x64xf16>, "
         "tensor<32xi32>, i32, tensor<32x64xf16>", first=(3, 9)),
    Case("experimental", "%d: !tt.ptr<i8>, %i: i32",
         "%0 = tt.experimental_descriptor_load %d[%i, %i] : !tt.ptr<i8> -> tensor<4x8xf16>\n"
         "tt.experimental_descriptor_store %d[%i, %i], %0 : !tt.ptr<i8>, tensor<4x8xf16>",
         last=(3, 2)),
    Case("dot", "%a: tensor<16x32xf16>, %b: tensor<32x16xf16>, %c: tensor<16x16xf32>",
         "%0 = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<16x32xf16> * tensor<32x16xf16> "
         "-> tensor<16x16xf32>"),
    Case("dot_mixed", "%a: tensor<16x32xf8E5M2>, %b: tensor<32x16xf8E4M3FN>, "
         "%c: tensor<16x16xf32>", "%0 = tt.dot %a, %b, %c : tensor<16x32xf8E5M2> * "
         "tensor<32x16xf8E4M3FN> -> tensor<16x16xf32>", first=(3, 3)),
    Case("scaled_old", "%a: tensor<64x64xi8>, %b: tensor<64x64xi8>, %c: tensor<64x64xf32>, "
         "%s: tensor<64x2xi8>", "%0 = tt.dot_scaled %a, %s, %b, %c lhs = e5m2 rhs = e5m2 : "
         "tensor<64x64xi8>, tensor<64x2xi8> * tensor<64x64xi8> -> tensor<64x64xf32>",
         last=(3, 2)),
    Case("scaled", "%a: tensor<64x32xi8>, %b: tensor<64x64xf8E4M3FN>, %c: tensor<64x64xf32>, "
         "%s: tensor<64x2xi8>", "%0 = tt.dot_scaled %a scale %s, %b scale %s, %c lhs = e2m1 "
         "rhs = e4m3 {fastMath = false} : tensor<64x32xi8>, tensor<64x2xi8> * "
         "tensor<64x64xf8E4M3FN>, tensor<64x2xi8> -> tensor<64x64xf32>", first=(3, 5)),
    Case("scaled_by_row", "%a: tensor<32x64xi8>, %b: tensor<64x64xbf16>, %c: tensor<64x64xf32>, "
         "%s: tensor<64x2xi8>", "%0 = tt.dot_scaled %a scale %s, %b, %c lhs = e2m1 rhs = bf16 "
         "{fastMath = false, lhs_k_pack = false} : tensor<32x64xi8>, tensor<64x2xi8> * "
         "tensor<64x64xbf16> -> tensor<64x64xf32>", first=(3, 5)),
    Case("reduce", _T, '%0 = "tt.reduce"(%t) <{axis = 1 : i32}> ({\n' + _ADD +
         "\n}) : (tensor<4x8xf32>) -> tensor<4xf32>"),
    Case("scan", _T, '%0 = "tt.scan"(%t) <{axis = 1 : i32, reverse = true}> ({\n' +
         region("%a: f32, %b: f32", "%a", "f32", "scan") +
         "\n}) : (tensor<4x8xf32>) -> tensor<4x8xf32>"),
    Case("map", "%t: tensor<8xf32>", '%0 = "tt.map_elementwise"(%t) <{pack = 2 : i32}> ({\n' +
         region("%a: f32, %b: f32", "%b, %a", "f32, f32", "map_elementwise") +
         "\n}) : (tensor<8xf32>) -> tensor<8xf32>", first=(3, 5)),
    Case("shapes", "%s: f32",
         "%0 = tt.splat %s : f32 -> tensor<4x8xf32>\n"
         "%1 = tt.trans %0 {order = array<i32: 1, 0>} : tensor<4x8xf32> -> tensor<8x4xf32>\n"
         "%2 = tt.reshape %1 allow_reorder : tensor<8x4xf32> -> tensor<32xf32>\n"
         "%3 = tt.expand_dims %2 {axis = 0 : i32} : tensor<32xf32> -> tensor<1x32xf32>\n"
         "%4 = tt.broadcast %3 : tensor<1x32xf32> -> tensor<2x32xf32>\n"
         "%5 = tt.join %4, %4 : tensor<2x32xf32> -> tensor<2x32x2xf32>\n"
         "%6, %7 = tt.split %5 : tensor<2x32x2xf32> -> tensor<2x32xf32>\n"
         "%8 = tt.cat %2, %2 : tensor<32xf32> -> tensor<64xf32>\n"
         "%9 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>"),
    Case("gather", "%t: tensor<4x8xf32>, %i: tensor<16x8xi32>",
         "%0 = tt.gather %t[%i] {axis = 0 : i32} : (tensor<4x8xf32>, tensor<16x8xi32>) -> "
         "tensor<16x8xf32>", first=(3, 3)),
    Case("casts", "%t: tensor<4xf16>, %p: !tt.ptr<f32>",
         "%0 = tt.fp_to_fp %t, rounding = rtne : tensor<4xf16> -> tensor<4xf8E5M2>\n"
         "%1 = tt.bitcast %t : tensor<4xf16> -> tensor<4xi16>\n"
         "%2 = tt.ptr_to_int %p : !tt.ptr<f32> -> i64\n"
         "%3 = tt.bitcast %p : !tt.ptr<f32> -> !tt.ptr<i8>\n"
         "%4 = tt.clampf %t, %t, %t, propagateNan = all : tensor<4xf16>"),
    Case("atomics", "%p: tensor<4x!tt.ptr<f32>>, %v: tensor<4xf32>, %m: tensor<4xi1>",
         "%0 = tt.atomic_rmw fadd, acq_rel, gpu, %p, %v, %m : (tensor<4x!tt.ptr<f32>>, "
         "tensor<4xf32>, tensor<4xi1>) -> tensor<4xf32>\n"
         "%1 = tt.atomic_cas relaxed, sys, %p, %v, %v : (tensor<4x!tt.ptr<f32>>, tensor<4xf32>, "
         "tensor<4xf32>) -> tensor<4xf32>"),
    Case("new_atomics", "%p: !tt.ptr<i32>, %v: i32, %m: i1, %n: i64",
         "%0 = tt.atomic_load acquire, gpu, %p, %m : (!tt.ptr<i32>, i1) -> i32\n"
         "tt.atomic_store release, gpu, %p, %v : !tt.ptr<i32>\n"
         "%1 = tt.atomic_poll acquire, sys, %p, %v timeout %n : !tt.ptr<i32>, i32 -> i1",
         first=(3, 9)),
    Case("printing", "%t: tensor<4xi32>, %m: tensor<4xi1>",
         'tt.print "t: " {hex = false, isSigned = array<i32: 1>} : %t : tensor<4xi32>\n'
         'tt.assert %m, "bad" : tensor<4xi1>'),
    Case("opaque", "%t: tensor<4xf16>",
         '%0 = tt.elementwise_inline_asm "x" {constraints = "=r,r", packed_element = 2 : i32, '
         "pure = true} %t : tensor<4xf16> -> tensor<4xf16>\n"
         '%1 = tt.extern_elementwise %t {libname = "", libpath = "", pure = true, symbol = "s"} '
         ": (tensor<4xf16>) -> tensor<4xf16>"),
    Case("barrier", "", "ttg.barrier local|global_write\nttg.barrier all\ngpu.barrier", first=(3, 7)),
    Case("histogram", "%t: tensor<16xi32>", "%0 = tt.histogram %t : tensor<16xi32> -> "
         "tensor<8xi32>"),
]  # fmt: skip

REFUSED = [
    Case("power_of_two", "%t: tensor<12xf32>", "%0 = tt.precise_sqrt %t : tensor<12xf32>"),
    Case("too_large", "%s: f32", "%0 = tt.splat %s : f32 -> tensor<2097152xf32>"),
    Case("mask", "%p: tensor<4x!tt.ptr<f32>>, %m: tensor<8xi1>",
         "%0 = tt.load %p, %m : tensor<4x!tt.ptr<f32>>"),
    Case("value", "%p: tensor<4x!tt.ptr<f32>>, %v: tensor<4xf16>",
         '"tt.store"(%p, %v) : (tensor<4x!tt.ptr<f32>>, tensor<4xf16>) -> ()'),
    Case("pointer", "%p: i32", "%0 = tt.load %p : i32"),
    Case("dot_k", "%a: tensor<16x32xf16>, %b: tensor<16x16xf16>, %c: tensor<16x16xf32>",
         "%0 = tt.dot %a, %b, %c : tensor<16x32xf16> * tensor<16x16xf16> -> tensor<16x16xf32>",
         first=(3, 5)),
    Case("dot_result", "%a: tensor<16x32xf16>, %b: tensor<32x16xf16>, %c: tensor<16x32xf32>",
         "%0 = tt.dot %a, %b, %c : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x32xf32>"),
    Case("dot_width", "%a: tensor<16x32xf16>, %b: tensor<32x16xf8E5M2>, %c: tensor<16x16xf32>",
         "%0 = tt.dot %a, %b, %c : tensor<16x32xf16> * tensor<32x16xf8E5M2> -> "
         "tensor<16x16xf32>"),
    Case("scaled_k", "%a: tensor<64x64xi8>, %b: tensor<64x64xi8>, %c: tensor<64x64xf32>, "
         "%s: tensor<64x2xi8>", "%0 = tt.dot_scaled %a scale %s, %b, %c lhs = e2m1 rhs = e5m2 "
         "{fastMath = false} : tensor<64x64xi8>, tensor<64x2xi8> * tensor<64x64xi8> -> "
         "tensor<64x64xf32>", first=(3, 5)),
    Case("scale_groups", "%a: tensor<64x64xi8>, %b: tensor<64x64xi8>, %c: tensor<64x64xf32>, "
         "%s: tensor<64x4xi8>, %u: tensor<64x2xi8>", "%0 = tt.dot_scaled %a scale %s, %b scale %u, "
         "%c lhs = e5m2 rhs = e5m2 {fastMath = false} : tensor<64x64xi8>, tensor<64x4xi8> * "
         "tensor<64x64xi8>, tensor<64x2xi8> -> tensor<64x64xf32>", first=(3, 7)),
    Case("scale_rows", "%a: tensor<64x64xi8>, %b: tensor<64x64xi8>, %c: tensor<64x64xf32>, "
         "%s: tensor<32x2xi8>", "%0 = tt.dot_scaled %a scale %s, %b, %c lhs = e5m2 rhs = e5m2 "
         "{fastMath = false} : tensor<64x64xi8>, tensor<32x2xi8> * tensor<64x64xi8> -> "
         "tensor<64x64xf32>", first=(3, 7)),
    Case("reduce_arguments", _T, '%0 = "tt.reduce"(%t) <{axis = 1 : i32}> ({\n' +
         region("%a: f32", "%a", "f32") + "\n}) : (tensor<4x8xf32>) -> tensor<4xf32>"),
    Case("reduce_return", _T, '%0 = "tt.reduce"(%t) <{axis = 1 : i32}> ({\n' +
         region("%a: f32, %b: f32", "%a, %b", "f32, f32") +
         "\n}) : (tensor<4x8xf32>) -> tensor<4xf32>"),
    Case("reduce_result", _T, '%0 = "tt.reduce"(%t) <{axis = 0 : i32}> ({\n' + _ADD +
         "\n}) : (tensor<4x8xf32>) -> tensor<4xf32>"),
    Case("scan_arguments", _T, '%0 = "tt.scan"(%t) <{axis = 1 : i32, reverse = false}> ({\n' +
         region("%a: f32", "%a", "f32", "scan") + "\n}) : (tensor<4x8xf32>) -> tensor<4x8xf32>"),
    Case("map_arguments", "%t: tensor<8xf32>",
         '%0 = "tt.map_elementwise"(%t) <{pack = 2 : i32}> ({\n' +
         region("%a: f32", "%a", "f32", "map_elementwise") +
         "\n}) : (tensor<8xf32>) -> tensor<8xf32>", first=(3, 5)),
    Case("trans", "%t: tensor<4x8xf32>",
         "%0 = tt.trans %t {order = array<i32: 1, 1>} : tensor<4x8xf32> -> tensor<8x8xf32>"),
    Case("reshape", "%t: tensor<4x8xf32>",
         "%0 = tt.reshape %t : tensor<4x8xf32> -> tensor<16xf32>"),
    Case("expand_dims", "%t: tensor<4xf32>",
         "%0 = tt.expand_dims %t {axis = 0 : i32} : tensor<4xf32> -> tensor<4x1xf32>"),
    Case("broadcast", "%t: tensor<2x8xf32>",
         "%0 = tt.broadcast %t : tensor<2x8xf32> -> tensor<4x8xf32>"),
    Case("broadcast_rank", "%t: tensor<1xf32>",
         "%0 = tt.broadcast %t : tensor<1xf32> -> tensor<4x8xf32>"),
    Case("join", "%t: tensor<4xf32>", "%0 = tt.join %t, %t : tensor<4xf32> -> tensor<2x4xf32>"),
    Case("split", "%t: tensor<4x4xf32>",
         "%0, %1 = tt.split %t : tensor<4x4xf32> -> tensor<4xf32>"),
    Case("cat", "%t: tensor<4xf32>", "%0 = tt.cat %t, %t : tensor<4xf32> -> tensor<4xf32>",
         first=(3, 9)),
    Case("range", "", "%0 = tt.make_range {end = 8 : i32, start = 4 : i32} : tensor<8xi32>"),
    Case("range_type", "", "%0 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi64>"),
    Case("bitcast", "%t: tensor<4xf16>", "%0 = tt.bitcast %t : tensor<4xf16> -> tensor<4xi32>",
         first=(3, 5)),
    Case("bitcast_pointer", "%p: !tt.ptr<f32>", "%0 = tt.bitcast %p : !tt.ptr<f32> -> i64",
         first=(3, 5)),
    Case("rounding", "%t: tensor<4xf32>",
         "%0 = tt.fp_to_fp %t : tensor<4xf32> -> tensor<4xf8E5M2>"),
    Case("packed_element", "%t: tensor<4xf32>",
         '%0 = tt.elementwise_inline_asm "x" {constraints = "", packed_element = 8 : i32, '
         "pure = true} %t : tensor<4xf32> -> tensor<4xf32>"),
    Case("gather", "%t: tensor<4x8xf32>, %i: tensor<4x4xi32>",
         "%0 = tt.gather %t[%i] {axis = 0 : i32} : (tensor<4x8xf32>, tensor<4x4xi32>) -> "
         "tensor<4x4xf32>", first=(3, 3)),
    Case("descriptor_block", "%d: !tt.tensordesc<4x8xf16>, %i: i32",
         "%0 = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<4x8xf16> -> tensor<8x8xf16>",
         first=(3, 9)),
    Case("rows", "%d: !tt.tensordesc<2x64xf16>, %x: tensor<32xi32>, %i: i32",
         "%0 = tt.descriptor_gather %d[%x, %i] : (!tt.tensordesc<2x64xf16>, tensor<32xi32>, i32) "
         "-> tensor<32x64xf16>", first=(3, 9)),
    Case("few_rows", "%d: !tt.tensordesc<1x64xf16>, %x: tensor<4xi32>, %i: i32",
         "%0 = tt.descriptor_gather %d[%x, %i] : (!tt.tensordesc<1x64xf16>, tensor<4xi32>, i32) "
         "-> tensor<4x64xf16>", first=(3, 9)),
    Case("few_columns", "%d: !tt.tensordesc<1x8xf16>, %x: tensor<8xi32>, %i: i32",
         "%0 = tt.descriptor_gather %d[%x, %i] : (!tt.tensordesc<1x8xf16>, tensor<8xi32>, i32) "
         "-> tensor<8x8xf16>", first=(3, 9)),
    Case("barrier_space", "", "ttg.barrier shared"),
    Case("load_order", "%p: !tt.ptr<i32>",
         "%0 = tt.atomic_load release, gpu, %p : (!tt.ptr<i32>) -> i32", first=(3, 9)),
    Case("load_bits", "%p: !tt.ptr<i1>",
         "%0 = tt.atomic_load acquire, gpu, %p : (!tt.ptr<i1>) -> i1", first=(3, 9)),
    Case("store_bits", "%p: !tt.ptr<i1>, %v: i1",
         "tt.atomic_store release, gpu, %p, %v : !tt.ptr<i1>", first=(3, 9)),
    Case("poll_bits", "%p: !tt.ptr<i8>, %v: i8",
         "%0 = tt.atomic_poll acquire, gpu, %p, %v : !tt.ptr<i8>, i8 -> i1", first=(3, 9)),
    Case("wide_rows", "%d: !tt.tensordesc<1x64xi64>, %x: tensor<32xi32>, %i: i32",
         "%0 = tt.descriptor_gather %d[%x, %i] : (!tt.tensordesc<1x64xi64>, tensor<32xi32>, i32) "
         "-> tensor<32x64xi64>", first=(3, 9)),
    Case("call", "%x: i64", "tt.call @nowhere(%x) : (i64) -> ()"),
]  # fmt: skip

# What stock Triton reads although no front end of it prints such a thing.
STRICTER = [
    # Lists of other lengths are regrouped silently into other strides and offsets.
    Case("lists", "%p: !tt.ptr<f16>, %n: i64, %i: i32",
         "%0 = tt.make_tensor_ptr %p, [%n], [%n, %n, %n], [%i, %i] {order = array<i32: 1, 0>} "
         ": <tensor<4x8xf16>>", last=(3, 7)),
    Case("order", "%p: !tt.ptr<f16>, %n: i64, %i: i32",
         "%0 = tt.make_tensor_ptr %p, [%n, %n], [%n, %n], [%i, %i] {order = array<i32: 1, 1>} "
         ": <tensor<4x8xf16>>", last=(3, 7)),
    # Nothing says what an integer addition of floats is.
    Case("atomic_kind", "%p: !tt.ptr<f32>, %v: f32",
         "%0 = tt.atomic_rmw add, relaxed, gpu, %p, %v : (!tt.ptr<f32>, f32) -> f32"),
    Case("boundary", "%p: tensor<4x!tt.ptr<f32>>",
         "%0 = tt.load %p {boundaryCheck = array<i32: 3>} : tensor<4x!tt.ptr<f32>>"),
    Case("boundary_twice", "%p: !tt.ptr<tensor<4x8xf16>>",
         "%0 = tt.load %p {boundaryCheck = array<i32: 1, 1>} : !tt.ptr<tensor<4x8xf16>>",
         last=(3, 7)),
    Case("descriptor_lists", "%p: !tt.ptr<f16>, %s: i64, %i: i32",
         "%0 = tt.make_tensor_descriptor %p, [%i], [%s] : <f16>, <4x8xf16>", first=(3, 9)),
    Case("descriptor_base", "%p: !tt.ptr<f32>, %s: i64, %i: i32",
         "%0 = tt.make_tensor_descriptor %p, [%i], [%s] : <f32>, <4xf16>", first=(3, 9)),
    Case("histogram", "%t: tensor<4x4xi32>",
         "%0 = tt.histogram %t : tensor<4x4xi32> -> tensor<8xi32>"),
    Case("splat", "%t: tensor<4xf32>",
         "%0 = tt.splat %t : tensor<4xf32> -> tensor<4x4xf32>"),
    Case("dot_kind", "%a: tensor<16x32xf16>, %b: tensor<32x16xf16>, %c: tensor<16x16xi32>",
         "%0 = tt.dot %a, %b, %c : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x16xi32>"),
]  # fmt: skip


def ours(path: Path, *flags: str) -> tuple[str, str]:
    """What mlt-opt prints for the module, and its diagnostics where it refuses it."""
    try:
        done = run_tool(find_tool("mlt-opt"), [path, *flags], timeout=_TIMEOUT, keep_output=False)
    except ToolFailure as failure:
        assert failure.returncode == 1, f"mlt-opt crashed: {failure.output}"
        assert "error:" in failure.output
        return "", failure.output
    return done.stdout.decode(), ""


def written(cases: Iterable[Case], stock: Stock, folder: Path) -> dict[str, Path]:
    """The modules that are meant for a release, as files."""
    meant = [case for case in cases if case.first <= stock.release <= case.last]
    paths = {case.name: folder / f"{case.name}.mlir" for case in meant}
    for case in meant:
        paths[case.name].write_text(case.module())
    return paths


def ours_each(texts: Iterable[str], folder: Path, *flags: str) -> list[str]:
    """What one mlt-opt prints for each of several modules; empty where it refuses one."""
    path = folder / "together.split"
    path.write_text(SEPARATOR.join(texts))
    done = subprocess.run(
        [*find_tool("mlt-opt").argv, str(path), "--split-input-file", *flags],
        capture_output=True, text=True, timeout=_TIMEOUT, check=False,
    )  # fmt: skip
    assert done.returncode in (0, 1), f"mlt-opt crashed: {done.stderr}"
    return [text.strip() for text in done.stdout.split(SEPARATOR)]


def test_both_accept(stock: Stock, tmp_path: Path) -> None:
    modules, again = tmp_path / "modules", tmp_path / "again"
    modules.mkdir()
    again.mkdir()
    paths = written(ACCEPTED, stock, modules)
    assert stock.read(modules) == dict.fromkeys(paths, True), "the test's own modules are wrong"
    read = ours_each((path.read_text() for path in paths.values()), tmp_path)
    assert all(read), [name for name, text in zip(paths, read, strict=True) if not text]
    stocks = [path.with_suffix(".stock").read_text() for path in paths.values()]
    assert ours_each(stocks, tmp_path) == read
    printed = ours_each(read, tmp_path, f"--triton-version={stock.version}")
    for name, text in zip(paths, printed, strict=True):
        (again / f"{name}.mlir").write_text(text)
    assert stock.read(again) == dict.fromkeys(paths, True)
    said = [(again / f"{name}.stock").read_text() for name in paths]
    assert ours_each(said, tmp_path) == read, "what we print says something else"


def test_both_refuse(stock: Stock, tmp_path: Path) -> None:
    paths = written(REFUSED, stock, tmp_path)
    answers = stock.read(tmp_path)
    assert not any(answers.values()), "stock Triton accepts the test's own module"
    assert not any(ours_each((path.read_text() for path in paths.values()), tmp_path))


def test_only_we_refuse(stock: Stock, tmp_path: Path) -> None:
    paths = written(STRICTER, stock, tmp_path)
    assert stock.read(tmp_path) == dict.fromkeys(paths, True), "no longer a difference"
    assert not any(ours_each((path.read_text() for path in paths.values()), tmp_path))


def kernels() -> list[Path]:
    """Kernels of all releases: those kept with the tests and the corpus, where it is there."""
    return sorted([*ROOT.glob("test/execution/inputs/*.ttir"), *CORPUS.glob("*/*.ttir")])


def test_stock_reads_kernels_printed_for_it(stock: Stock, tmp_path: Path) -> None:
    """Of any release: what a kernel has that this one does not know is named, the rest is read.

    The default takes one kernel in four; ``MLTC_FUZZ`` of 4 or more takes all.
    """
    paths = kernels()[:: max(1, 4 // int(os.environ.get("MLTC_FUZZ", "1")))]
    if not paths:
        pytest.skip("no kernels")
    flags = (f"--triton-version={stock.version}", "--mlir-print-debuginfo")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = list(pool.map(lambda path: ours(path, *flags), paths))
    for index, (path, (text, errors)) in enumerate(zip(paths, outcomes, strict=True)):
        if text:
            (tmp_path / f"{index:03}.mlir").write_text(text)
        else:
            assert "expected what Triton" in errors, f"{path}: {errors}"
            assert f"triton-{stock}" not in str(path), f"{path}: {errors}"
    answers = stock.read(tmp_path)
    wrong = [paths[int(stem)] for stem in sorted(answers) if not answers[stem]]
    assert not wrong, f"Triton {stock} refuses {len(wrong)} of {len(answers)}: {wrong}"
    assert len(answers) >= len(paths) // 4


def test_own_kernels_come_back_the_same(stock: Stock, tmp_path: Path) -> None:
    """What a release printed, read and printed by us, is to that release the same module.

    Locations and their names belong to it.
    """
    paths = sorted(CORPUS.glob(f"triton-{stock}.*/*.ttir"))
    if not paths:
        pytest.skip(f"no kernels of Triton {stock}")
    theirs, back = tmp_path / "theirs", tmp_path / "back"
    theirs.mkdir()
    back.mkdir()
    for path in paths:
        (theirs / f"{path.stem}.mlir").write_text(path.read_text())
        text, errors = ours(path, f"--triton-version={stock.version}", "--mlir-print-debuginfo")
        assert text, f"{path}: {errors}"
        (back / f"{path.stem}.mlir").write_text(text)
    assert stock.read(theirs) == stock.read(back) == {path.stem: True for path in paths}
    for path in paths:
        said = (theirs / f"{path.stem}.stock").read_text()
        assert " loc(" in said
        assert (back / f"{path.stem}.stock").read_text() == said, path
