"""Reductions across warps, in every way they are lowered: on the CPU and, for races, simulated.

One kernel reduces a tile, a row and a number of every warp in a loop, whose rounds use the same
shared local memory again. By default a few numbers of warps are tried; MLTC_VARIANTS=all tries all.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from randomness import rng

from execution.portable import load_portable
from execution.test_native_isa import current_ocloc
from mltc.driver import BuildRequest, build
from mltc.package import Package, isa, read_package
from mltc.runtime import Module, load
from mltc.runtime.simulator import SimulatorBackend
from mltc.simulator import SimulatorOptions
from mltc.target import load_target

Array = np.ndarray[Any, Any]
ALL = os.environ.get("MLTC_VARIANTS") == "all"
WARPS = [1, 2, 4, 8, 16, 32] if ALL else [1, 4, 32]
SIMULATED = [2, 4, 8, 16, 32] if ALL else [8]
ROUNDS, TILE, ROW = 2, (8, 64), 16
needs_ocloc = pytest.mark.skipif(current_ocloc() is None, reason="no ocloc of this generation")


@dataclass(frozen=True)
class Reduction:
    """What is combined: `shape` of a warp's value, and the operation on two of them."""

    name: str
    shape: tuple[int, ...]
    combine: str
    destination: tuple[int, ...] | None = None

    @property
    def size(self) -> int:
        """Elements of one warp's value."""
        return int(np.prod(self.shape))

    def expected(self, values: Array) -> Array:
        """The result, from the values of all warps along axis 0."""
        if self.combine == "last":
            return np.asarray(values[-1])
        return np.asarray(values.sum(0) if self.combine == "arith.addf" else values.max(0))


def reductions(warps: int) -> list[Reduction]:
    some = tuple({0, warps - 1})
    return [
        Reduction("tile", TILE, "arith.addf"),
        Reduction("some", TILE, "arith.addf", some),
        Reduction("row", (ROW,), "arith.maxnumf"),
        # Keeps the later one: order matters.
        Reduction("last", (ROW,), "last", (0,)),
        Reduction("number", (1,), "arith.addf"),
    ]


def marker(text: str, pure: bool) -> str:
    flag = "true" if pure else "false"
    return (
        f'tt.elementwise_inline_asm "mlt.{text}" '
        f'{{constraints = "", packed_element = 1 : i32, pure = {flag}}} -> i32'
    )


def text_of(op: Reduction) -> str:
    """Loads a warp's value, reduces it over the warps, stores it for the warps that have it."""
    n, flat, ptrs = op.size, f"tensor<{op.size}xf32>", f"tensor<{op.size}x!tt.ptr<f32>>"
    name, shape = op.name, "x".join(map(str, op.shape))
    tile, lead = f"tensor<{shape}xf32>", f"tensor<1x{shape}xf32>"
    body = f"""
    %{name}n = arith.constant {n} : i32
    %{name}o = arith.muli %place, %{name}n : i32
    %{name}i = tt.make_range {{start = 0 : i32, end = {n} : i32}} : tensor<{n}xi32>
    %{name}x = tt.addptr %{name}_in, %{name}o : !tt.ptr<f32>, i32
    %{name}y = tt.addptr %{name}_out, %{name}o : !tt.ptr<f32>, i32
    %{name}xs = tt.splat %{name}x : !tt.ptr<f32> -> {ptrs}
    %{name}ys = tt.splat %{name}y : !tt.ptr<f32> -> {ptrs}
    %{name}xp = tt.addptr %{name}xs, %{name}i : {ptrs}, tensor<{n}xi32>
    %{name}yp = tt.addptr %{name}ys, %{name}i : {ptrs}, tensor<{n}xi32>
    %{name}v = tt.load %{name}xp : {ptrs}"""
    if n == 1:
        body += f"\n    %{name}l = tt.reshape %{name}v : {flat} -> tensor<1xf32>"
        lead, tile = "tensor<1xf32>", "f32"
    else:
        body += f"\n    %{name}l = tt.reshape %{name}v : {flat} -> {lead}"
    if op.combine == "last":
        combined = "tt.reduce.return %b : f32"
    else:
        combined = f"%c = {op.combine} %a, %b : f32\n      tt.reduce.return %c : f32"
    some = "" if op.destination is None else (
        f', mlt.dst_warps = "{",".join(map(str, op.destination))}"'
    )  # fmt: skip
    body += f"""
    %{name}r = "tt.reduce"(%{name}l) <{{axis = 0 : i32}}> ({{
    ^bb0(%a: f32, %b: f32):
      {combined}
    }}) {{mlt.cross_warp = "all"{some}}} : ({lead}) -> {tile}
    %{name}f = {"tt.splat" if n == 1 else "tt.reshape"} %{name}r : {tile} -> {flat}"""
    store = f"tt.store %{name}yp, %{name}f : {ptrs}"
    if op.destination is None:
        return f"{body}\n    {store}\n"
    for warp in op.destination:
        body += f"""
    %{name}w{warp} = arith.constant {warp} : i32
    %{name}c{warp} = arith.cmpi eq, %w, %{name}w{warp} : i32
    scf.if %{name}c{warp} {{
      {store}
    }}"""
    return body + "\n"


def source_of(ops: list[Reduction], warps: int) -> str:
    names = [f"%{op.name}_{end}: !tt.ptr<f32>" for op in ops for end in ("in", "out")]
    return f"""tt.func public @k({", ".join(names)}) {{
  %level = {marker("warp_level", False)}
  %w = {marker("warp_id", True)}
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %rounds = arith.constant {ROUNDS} : i32
  %warps = arith.constant {warps} : i32
  scf.for %i = %zero to %rounds step %one : i32 {{
    %start = arith.muli %i, %warps : i32
    %place = arith.addi %start, %w : i32
    {"".join(text_of(op) for op in ops)}
  }}
  tt.return
}}
"""


def check(module: Module, ops: list[Reduction], warps: int) -> None:
    random = rng()
    arrays: list[Array] = []
    for op in ops:
        # Whole numbers: the order of additions does not matter.
        values = random.integers(-99, 99, (ROUNDS, warps, op.size)).astype(np.float32)
        arrays += [values, np.full_like(values, np.nan)]
    module.kernels["k"].launch(1, *arrays)
    for op, values, got in zip(ops, arrays[::2], arrays[1::2], strict=True):
        for i in range(ROUNDS):
            for warp in range(warps):
                has = op.destination is None or warp in op.destination
                want = op.expected(values[i]) if has else np.full(op.size, np.nan)
                np.testing.assert_array_equal(got[i, warp], want, err_msg=f"{op.name} {warp}")


@pytest.mark.parametrize("style", ["simt", "simd"])
@pytest.mark.parametrize("warps", WARPS)
def test_on_the_cpu(warps: int, style: str, tmp_path: Path) -> None:
    source = tmp_path / "k.ttir"
    source.write_text(source_of(reductions(warps), warps))
    pipeline = f"pvc-{style}"
    module = load_portable(source, tmp_path / "out", num_warps=warps, pipeline=pipeline)
    check(module, reductions(warps), warps)


def native(ops: list[Reduction], warps: int, folder: Path) -> Package:
    folder.mkdir(exist_ok=True)
    source, output = folder / "k.ttir", folder / "k.zebin"
    source.write_text(source_of(ops, warps))
    build(BuildRequest(input=str(source), output=str(output), num_warps=warps, portable=False))
    return read_package(output)


@needs_ocloc
@pytest.mark.parametrize("warps", SIMULATED)
def test_no_races(warps: int, tmp_path: Path) -> None:
    """The machine code, its threads switched at random, with SLM watched between barriers."""
    ops = reductions(warps)
    package = native(ops, warps, tmp_path)
    for seed in (1, 2):
        options = SimulatorOptions(checks=True, interleave=seed)
        check(load(package, SimulatorBackend(options)), ops, warps)


@needs_ocloc
def test_warps_without_the_result_read_nothing(tmp_path: Path) -> None:
    """The bytes that all warps together load from shared local memory, by the simulator."""
    warps, loaded = 8, {}
    for name, destination in (("all", None), ("one", (0,))):
        op = Reduction("tile", TILE, "arith.addf", destination)
        module = load(native([op], warps, tmp_path / name), "sim:pvc")
        values = np.ones((ROUNDS, warps, op.size), np.float32)
        profile = module.kernels["k"].launch(1, values, np.empty_like(values)).profile
        assert profile is not None
        loads = {m: n for m, n in profile.totals.bytes.items() if m.startswith("load.slm")}
        loaded[name] = sum(loads.values())
    result = ROUNDS * values[0, 0].nbytes
    # To combine it, the warps load every value once; then one or all load the result.
    assert loaded == {"all": 2 * warps * result, "one": (warps + 1) * result}


@needs_ocloc
def test_barriers_that_stay(tmp_path: Path) -> None:
    """Per round one for a row on 8 warps, two for a tile, none behind the reads of the first."""
    ops = reductions(8)[2:3] + reductions(8)[:1]
    package = native(ops, 8, tmp_path)
    platform = load_target("pvc").iga_platform
    code = isa.analyse(isa.disassemble(package.zebin.code("k"), platform))
    # The loop of two rounds is unrolled or not: barriers come in groups of three.
    barriers = sum(n for name, n in code.counts.messages.items() if name.endswith("barrier"))
    assert barriers in (3, 3 * ROUNDS), code.counts.messages
