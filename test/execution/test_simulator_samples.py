"""Many small kernels in LLVM IR, one construct each, compiled by ocloc and simulated.

``MLTC_IR_SAMPLES`` names a directory of ``*.ll`` and a ``table.txt`` that says which of them
compile. Their kernels take pointers a, b and c, a number n and perhaps a float. Every one runs or
fails by name; loads, stores, dots and atomics are held against NumPy. ``MLTC_TOOLCHAIN`` chooses
the compiler; with ocloc 22.43 the kernels marked for it run.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from randomness import rng

from execution import test_intrinsics as lanes
from mltc.driver.translator import translator_arguments
from mltc.package import isa
from mltc.package.zebin import EM_INTELGT, Zebin, read_zebin
from mltc.simulator import LocalMemory, SimulationError, Simulator, SimulatorOptions
from mltc.toolchain import (
    ToolFailure,
    ToolNotFoundError,
    find_tool,
    ocloc_generation,
    run_tool,
)

Array = np.ndarray[Any, Any]

SAMPLES = Path(os.environ.get("MLTC_IR_SAMPLES", "/nonexistent"))
ASSEMBLER = shutil.which("llvm-as")
PITCH, ROWS, N = 4096, 4096, 16  # of the matrices that block messages see; the number n
KINDS = {"hf": "f16", "bf": "bf16", "tf32": "tf32", "b": "s8", "ub": "u8", "f": "f32", "d": "s32"}


def generation() -> str | None:
    """That of the ocloc there is."""
    try:
        return ocloc_generation(find_tool("ocloc")).generation
    except ToolNotFoundError:
        return None


def names() -> list[str]:
    """Samples that compile, without those that call what nothing defines."""
    table = SAMPLES / "table.txt"
    if not table.is_file() or generation() is None:
        return []
    mark = "old" if generation() == "22.43" else "new"
    found = []
    for line in table.read_text().splitlines():
        words = line.split()
        if len(words) > 2 and words[1] == f"{mark}/pvc" and words[2] == "OK":
            found.append(words[0])
    return [name for name in found if (SAMPLES / f"{name}.ll").is_file()]


pytestmark = pytest.mark.skipif(
    not SAMPLES.is_dir() or ASSEMBLER is None, reason="MLTC_IR_SAMPLES is not set, or no llvm-as"
)


def compiled(name: str, folder: Path) -> Zebin:
    """The sample as a zebin."""
    source = SAMPLES / f"{name}.ll"
    text = source.read_text()
    assert ASSEMBLER is not None
    bitcode, spirv = folder / "k.bc", folder / "k.spv"
    consumer = "ocloc-22.43" if generation() == "22.43" else "ocloc-current"
    argv = [ASSEMBLER, "-opaque-pointers", str(source), "-o", str(bitcode)]
    subprocess.run(argv, check=True, timeout=60)
    arguments = translator_arguments(consumer)
    run_tool(find_tool("llvm-spirv"), [bitcode, "-o", spirv, *arguments], timeout=60)
    options = ["-options", "-vc-codegen"] if text.startswith("; VC") else []
    run_tool(
        find_tool("ocloc"),
        ["compile", "-spirv_input", "-file", spirv, "-device", "pvc", "--format", "zebin",
         "-output", "k", "-out_dir", folder, *options],
        timeout=120, cwd=folder,
    )  # fmt: skip
    for path in folder.iterdir():
        data = path.read_bytes()
        if data[:4] == b"\x7fELF" and int.from_bytes(data[18:20], "little") == EM_INTELGT:
            return read_zebin(data)
    raise AssertionError("ocloc wrote no zebin")


@dataclass
class Memory:
    """What a, b and c hold, before or behind a run."""

    a: Array
    b: Array
    c: Array

    def array(self, name: str, dtype: Any, *shape: int, offset: int = 0) -> Array:
        """The beginning of a buffer as an array."""
        dtype = np.dtype(dtype)
        count = int(np.prod(shape))
        data = getattr(self, name)[offset : offset + count * dtype.itemsize]
        return data.view(dtype).reshape(shape)


def simulate(zebin: Zebin, text: str, memory: Memory) -> tuple[Memory, str, int]:
    """Runs one group. Returns memory behind it, the listing, and the number of sub-groups."""
    simulator = Simulator(zebin, SimulatorOptions(workers=1, timeout=60))
    try:
        kernel = simulator.kernel("k")
        buffers = [memory.a, memory.b, memory.c]
        allocations = [simulator.memory.allocate(buffer.size, 4096) for buffer in buffers]
        for allocation, buffer in zip(allocations, buffers, strict=True):
            allocation.write(buffer)
        values: list[Any] = []
        (signature,) = re.findall(r"define spir_kernel void @k\((.*?)\)\s*(?:#|!|\{)", text)
        pointers = iter(allocations)
        for parameter in re.sub(r'"[^"]*"(="[^"]*")?', "", signature).split(","):
            words = parameter.split()
            if words[:2] == ["ptr", "addrspace(3)"]:
                values.append(LocalMemory(4096))
            elif words[0] in ("ptr", "i64"):
                values.append(next(pointers))
            else:
                values.append(np.float32(1.5) if words[0] == "float" else np.int32(N))
        barrier = "barrier" in text or "nbarrier" in text
        local = kernel.layout.local_size or (8 if barrier else 1, 1, 1)
        kernel.launch((1, 1, 1), local, values)
        after = [np.array(a.data) for a in allocations]
        return Memory(*after), kernel.listing, max(1, local[0] // kernel.layout.simd)
    finally:
        simulator.close()


def random_memory(kind: str) -> Memory:
    """Matrices of ordinary numbers of a type."""
    random = rng()
    size = (PITCH * ROWS) // 4

    def one() -> Array:
        if kind in ("s8", "u8"):
            return random.integers(0, 256, 4 * size, dtype=np.uint8)
        block = lanes.random_words(kind, (65536,), random) if kind != "f32" else (
            random.standard_normal(65536).astype(np.float32))  # fmt: skip
        data = np.ascontiguousarray(block).view(np.uint8)
        return np.tile(data, -(-4 * size // data.size))[: 4 * size]

    return Memory(one(), one(), one())


# Models: each compares what its family of samples left.


def dot_types(listing: str) -> tuple[str, str, str, int] | None:
    """A, B and accumulator, and rows, of the dots of a kernel."""
    operands = r" +\S+?:(\w+) +\S+?:\w+ +\S+?:(\w+) +\S+?:(\w+)"
    found = re.search(r"dpas\.8x(\d) \(16\|M0\)" + operands, listing)
    if not found:
        return None
    rows, acc, b, a = found.groups()
    if not {acc, b, a} <= KINDS.keys():  # type codes of the other release: bf8
        return None
    return KINDS[a], KINDS[b], KINDS[acc], int(rows)


def check_products(
    types: tuple[str, str, str, int], a: Array, b: Array, c: Array, found: Array, times: int
) -> None:
    acc = types[2]
    if acc == "s32":
        exact = c.astype(np.int64) + times * (a @ b).astype(np.int64)
        assert ((found.astype(np.int64) - exact) % 2**32 == 0).all()
        return
    exact = c + times * (a @ b)
    scale = np.abs(c) + times * (np.abs(a) @ np.abs(b))
    allowed = 1e-6 * scale + times * lanes.ROUNDING[acc] * scale
    assert (np.abs(found - exact) <= allowed).all(), np.max(np.abs(found - exact))


WORDS = {"f16": np.uint16, "bf16": np.uint16, "f32": np.uint32, "s32": np.uint32}


def check_simt_dot(name: str, before: Memory, after: Memory, listing: str, groups: int) -> None:
    types = dot_types(listing)
    assert types is not None
    a_kind, b_kind, acc, rows = types
    a_count = max(1, rows // 2) if a_kind == "tf32" else rows
    width = np.uint32 if a_kind == "tf32" else np.uint16
    a = lanes.unpack_a(a_kind, before.array("a", width, 16, a_count), rows)
    b = lanes.unpack_b(b_kind, before.array("b", np.uint32, 16, 8))
    c, found = (
        lanes.accumulator_values(acc, m.array("c", WORDS[acc], 16, rows)).T for m in (before, after)
    )
    check_products(types, a, b, c, found, groups)


def check_simd_dot(name: str, before: Memory, after: Memory, listing: str, groups: int) -> None:
    types = dot_types(listing)
    assert types is not None
    a_kind, b_kind, acc, rows = types

    def matrix(m: Memory, which: str, height: int, nbytes: int, x: int = 0) -> Array:
        rows_of = getattr(m, which).reshape(ROWS, PITCH)
        return np.ascontiguousarray(rows_of[:height, x : x + nbytes])

    words = np.uint32 if a_kind == "tf32" else np.uint16
    a = lanes.matrix_values(a_kind, matrix(before, "a", rows, 32).view(words)).reshape(rows, -1)
    b = lanes.unpack_b(b_kind, matrix(before, "b", 8, 64).view(np.uint32).T)
    size = np.dtype(WORDS[acc]).itemsize
    c, found = (
        lanes.accumulator_values(acc, matrix(m, "c", rows, 16 * size, x).view(WORDS[acc]))
        for m, x in ((before, 0), (after, N * size))
    )
    check_products(types, a, b, 0 * c if "nosrc0" in name else c, found, 1)


def surface(memory: Array, bits: int) -> lanes.Surface:
    """A buffer as a matrix; block messages see all of it."""
    kind = lanes.UNSIGNED[bits]
    return lanes.Surface(memory.view(kind).reshape(ROWS, -1), PITCH * 8 // bits, ROWS)


MODES = {"p": "plain", "v": "vnni", "t": "transpose"}


def check_simt_read(name: str, before: Memory, after: Memory, listing: str, groups: int) -> None:
    match = re.match(r"rd[OGS]_(\d+)b_([pvt])_(\d+)r(\d+)x(\d+)", name)
    assert match
    bits, rows, columns, blocks = (int(match.group(i)) for i in (1, 3, 4, 5))
    data = STORED[name]
    form = lanes.ReadForm(bits, rows, columns, blocks, MODES[match.group(2)], data)
    wanted = lanes.expected_read(form, surface(before.a, bits), N, 32)
    found = after.array("c", lanes.UNSIGNED[data], 16, form.count)
    np.testing.assert_array_equal(found, wanted)


def check_simd_read(name: str, before: Memory, after: Memory, listing: str, groups: int) -> None:
    match = re.match(r"vc_(?:ld2_([pvt])(\d+)_(\d+)x(\d+)(?:x(\d+))?)$", name)
    assert match
    mode, bits, rows, columns, blocks = match.groups()
    source = surface(before.a, int(bits)).memory
    parts = []
    for block in range(int(blocks or 1)):
        left = N + block * int(columns)
        tile = source[32 : 32 + int(rows), left : left + int(columns)]
        if mode == "t":
            tile = tile.T
        elif mode == "v":
            fold = 32 // int(bits)
            tile = tile.reshape(-1, fold, int(columns)).transpose(0, 2, 1)
        parts.append(np.ascontiguousarray(tile).reshape(-1))
    wanted = np.concatenate(parts).view(np.uint8)
    np.testing.assert_array_equal(after.c[: wanted.size], wanted)


def check_simt_write(name: str, before: Memory, after: Memory, listing: str, groups: int) -> None:
    match = re.match(r"wr[OGS]_(\d+)b_(\d+)r(\d+)x(\d+)", name)
    assert match
    bits, rows, columns, blocks = (int(x) for x in match.groups())
    data = before.array("b", lanes.UNSIGNED[bits], 16, blocks, rows)
    memory = surface(before.a, bits)
    for block in range(blocks):
        form = lanes.WriteForm(bits, rows, columns, bits)
        x = N + block * columns
        wanted = lanes.expected_write(form, memory, x, 32, data[:, block])
        memory = lanes.Surface(wanted, memory.width, memory.height)
    np.testing.assert_array_equal(after.a.view(memory.memory.dtype), memory.memory.reshape(-1))


def check_simd_write(name: str, before: Memory, after: Memory, listing: str, groups: int) -> None:
    match = re.match(r"vc_st2_(\d+)_(\d+)x(\d+)", name)
    assert match
    bits, rows, columns = (int(x) for x in match.groups())
    wanted = surface(before.c.copy(), bits).memory
    tile = surface(before.a, bits).memory[:rows, :columns]
    wanted[32 : 32 + rows, N : N + columns] = tile
    np.testing.assert_array_equal(after.c.view(wanted.dtype), wanted.reshape(-1))


def copied(nbytes: int) -> Callable[..., None]:
    """c begins with what a begins with."""

    def check(name: str, before: Memory, after: Memory, listing: str, groups: int) -> None:
        np.testing.assert_array_equal(after.c[:nbytes], before.a[:nbytes])

    return check


def lanewise(function: Callable[[Array], Array], bound: float = 0.0) -> Callable[..., None]:
    """c[lane] = function of a, for 16 floats."""

    def check(name: str, before: Memory, after: Memory, listing: str, groups: int) -> None:
        x = before.array("a", np.float32, 16).astype(np.float64)
        with np.errstate(invalid="ignore"):
            wanted, found = function(x), after.array("c", np.float32, 16).astype(np.float64)
        close = np.abs(found - wanted) <= bound * np.maximum(np.abs(wanted), 1)
        assert (close | (np.isnan(found) & np.isnan(wanted))).all()

    return check


def atomics(
    function: Callable[[Array, Array, int], Array], dtype: Any, stride: int = 1, bound: float = 0
) -> Callable[..., None]:
    """16 elements of c become a function of themselves, of a, and of the number of sub-groups."""

    def check(name: str, before: Memory, after: Memory, listing: str, groups: int) -> None:
        old, new = (m.array("c", dtype, 16 * stride)[::stride].copy() for m in (before, after))
        wanted = function(old, before.array("a", dtype, 16), groups)
        if bound:
            assert np.allclose(new, wanted, rtol=bound, atol=bound)
        else:
            np.testing.assert_array_equal(new, wanted)

    return check


def first(value: Callable[[int], int]) -> Callable[[Array, Array, int], Array]:
    """Only element 0 changes, by an amount."""

    def add(old: Array, _: Array, groups: int) -> Array:
        new = old.copy()
        new[0] += type(old[0])(value(groups))
        return new

    return add


def check_half_atomic(name: str, before: Memory, after: Memory, listing: str, groups: int) -> None:
    """A half in every third dword grows by the low half of a dword of a."""
    old, new = (m.array("c", np.float16, 96)[::6].astype(np.float64) for m in (before, after))
    wanted = old + before.array("a", np.float16, 32)[::2]
    assert np.allclose(new, wanted, rtol=2.0**-10, atol=2.0**-14)


def rounded(x: Array, dropped: int) -> Array:
    """Floats to nearest even without their lowest bits, as dwords."""
    bits = x.view(np.uint32).astype(np.uint64)
    half = (1 << (dropped - 1)) - 1
    return ((bits + half + (bits >> dropped & 1)) >> dropped << dropped).astype(np.uint32)


def converted(kind: str, count: int) -> Callable[..., None]:
    """The first floats of a in a narrower type."""

    def check(name: str, before: Memory, after: Memory, listing: str, groups: int) -> None:
        x = before.array("a", np.float32, count)
        if kind == "f16":
            wanted: Array = x.astype(np.float16).view(np.uint16)
        elif kind == "bf16":
            wanted = (rounded(x, 16) >> 16).astype(np.uint16)
        else:
            wanted = rounded(x, 13)
        np.testing.assert_array_equal(after.array("c", wanted.dtype, count), wanted)

    return check


def placed(function: Callable[[Memory], Array], dtype: Any, index: Any) -> Callable[..., None]:
    """Elements of c at some indices are a function of the other buffers, bit by bit."""

    def check(name: str, before: Memory, after: Memory, listing: str, groups: int) -> None:
        np.testing.assert_array_equal(after.c.view(dtype)[index], function(before))

    return check


def single(function: Callable[[Array], Any], bound: float = 1e-5) -> Callable[..., None]:
    """The first float of c is a function of 16 of a."""

    def check(name: str, before: Memory, after: Memory, listing: str, groups: int) -> None:
        wanted = function(before.array("a", np.float32, 16).astype(np.float64))
        assert abs(after.array("c", np.float32, 1)[0] - wanted) <= bound * max(1, abs(wanted))

    return check


def tile(memory: Array, rows: int, nbytes: int) -> Array:
    """The corner of a buffer as a matrix of bytes."""
    return np.ascontiguousarray(memory.reshape(ROWS, PITCH)[:rows, :nbytes])


def check_short_read(name: str, before: Memory, after: Memory, listing: str, groups: int) -> None:
    """8 rows of one or two blocks of 16 halves."""
    form = lanes.ReadForm(16, 8, 16, 2 if name.endswith("v2") else 1, "plain", 16)
    wanted = lanes.expected_read(form, surface(before.a, 16), N, 32)
    found = after.array("c", np.uint16, 16, form.count)
    np.testing.assert_array_equal(found, wanted)


def check_tile(name: str, before: Memory, after: Memory, listing: str, groups: int) -> None:
    """8 rows of 64 bytes are copied."""
    np.testing.assert_array_equal(tile(after.c, 8, 64), tile(before.a, 8, 64))


def check_scaled_rows(name: str, before: Memory, after: Memory, listing: str, groups: int) -> None:
    x, found = (tile(m, 8, 64).view(np.float32) for m in (before.a, after.c))
    np.testing.assert_array_equal(found, x * before.array("b", np.float32, 8, 1))


def check_four_dots(name: str, before: Memory, after: Memory, listing: str, groups: int) -> None:
    """32 rows of A in parts of 8, one B."""
    types = dot_types(listing)
    assert types is not None and types[2] == "f32"
    a = lanes.matrix_values(types[0], tile(before.a, 32, 32).view(np.uint16)).reshape(32, -1)
    rows = tile(before.b, 16, 32).view(np.uint16)
    b = lanes.matrix_values(types[1], rows).reshape(16, -1)
    found = tile(after.c, 32, 64).view(np.float32).astype(np.float64)
    check_products((*types[:3], 8), a, b, np.zeros_like(found), found, 1)


def check_loop(name: str, before: Memory, after: Memory, listing: str, groups: int) -> None:
    """32 by 32 sums of as many products as n, or 32 further right, in 8 dots of 8 by 16."""
    types = dot_types(listing)
    assert types is not None and types[2] == "f32"
    depth, x = (32, N) if name == "sub_simt" else (N, 0)

    def matrix(m: Array, kind: str, rows: int, columns: int) -> Array:
        part = m.reshape(ROWS, PITCH)[:rows, 2 * x : 2 * (x + columns)]
        words = np.ascontiguousarray(part).view(np.uint16)
        return lanes.matrix_values(kind, words).reshape(rows, columns)

    a, b = matrix(before.a, types[0], 32, depth), matrix(before.b, types[1], depth, 32)
    if name.startswith("vc_"):
        found = tile(after.c, 32, 128).view(np.float32)
    else:  # dot (i, j) is at 8-vector 100 * (2 * i + j), a vector of its column per lane
        row, column = np.arange(32)[:, None], np.arange(32)
        vector = 100 * (2 * (row // 8) + column // 16) + column % 16
        found = after.c.view(np.float32)[vector * 8 + row % 8]
    check_products((*types[:3], 8), a, b, np.zeros((32, 32)), found.astype(np.float64), 1)


#: Lane of c and of a in piece after piece of many.
PIECES = np.arange(160)[:, None] * 1000 + np.arange(16)
#: Dword 64 * r + lane of c, and the same 16 bytes further.
ROWS_OF_C = np.arange(8)[:, None] * 64 + np.arange(16)

F32, I32 = np.float32, np.int32
LANE = np.arange(16)

MODELS: list[tuple[str, str, Callable[..., None]]] = [
    # Names, the type of the data, the model.
    (r"dpas[GIOS]_", "", check_simt_dot),
    (r"vc_dpas_", "", check_simd_dot),
    (r"rd[GOS]_(8|16|32)b_", "u8", check_simt_read),
    (r"vc_ld2_", "u8", check_simd_read),
    (r"wr[GOS]_\d+b_", "u8", check_simt_write),
    (r"vc_st2_", "u8", check_simd_write),
    (r"at_add_i32", "u8", atomics(first(lambda g: 16 * g * N), I32)),
    (r"at_fadd_f32", "f32", atomics(first(lambda g: 16 * g * N), F32, bound=1e-4)),
    (r"at_(genisa_f32|spv_fadd_f32)", "f32",
     atomics(lambda c, a, g: c + g * LANE, F32, bound=1e-5)),
    (r"vc_at_op12", "u8", atomics(lambda c, a, g: c + a, I32, 3)),
    (r"vc_at_(op19|fadd)", "f32", atomics(lambda c, a, g: c + a, F32, 3, bound=1e-6)),
    (r"vc_at_f16", "f16", check_half_atomic),  # a loop that no NaN would leave
    (r"vc_at_op22", "f32", atomics(lambda c, a, g: np.maximum(c, a), F32, 3)),
    (r"vc_ld1_v64f32", "u8", copied(256)),
    (r"lsc_ld_u4", "u8", copied(256)),
    (r"b1_ui8_g", "u8", copied(512)), (r"b1_ul8_g", "u8", copied(1024)),
    (r"b1_us16_g", "u8", copied(512)), (r"b1_us8_g", "u8", copied(256)),
    (r"slm_arg", "f32", lanewise(lambda x: x[LANE ^ 8])),
    (r"shf_xor", "f32", lanewise(lambda x: x[LANE ^ 8])),
    (r"shf_bcast", "f32", lanewise(lambda x: np.full(16, x[3]))),
    (r"red_(ocl_addf|spv_faddnu)", "f32", lanewise(lambda x: np.full(16, x.sum()), 1e-5)),
    (r"red_spv_fmaxnu", "f32", lanewise(lambda x: np.full(16, x.max()))),
    (r"mt_fma", "f32", lanewise(lambda x: x * x + 1.5, 1e-7)),
    (r"(vc_mt_exp|vc_mt_lexp2\w*|mt_exp2)$", "f32", lanewise(np.exp2, 1e-6)),
    (r"vc_mt_lexp$", "f32", lanewise(np.exp, 1e-5)),
    (r"cc_ld", "f32", lanewise(lambda x: x)),
    (r"rdG_(cc2|12arg)|ib_\w+_m8k16v2", "u8", check_short_read),
    (r"mt_fdiv2$", "f32", lanewise(lambda x: (x + 1) / x, 1e-6)),
    (r"(vc_mt_rsqrt|mt_rsqrt_fast|mt_o_native_rsqrt)$", "f32",
     lanewise(lambda x: 1 / np.sqrt(x), 1e-6)),
    (r"(vc_mt_sqrt|mt_sqrt)$", "f32", lanewise(np.sqrt, 1e-6)),
    (r"(vc_mt_log|mt_log2_fast)$", "f32", lanewise(np.log2, 1e-6)),
    (r"(vc_mt_inv|mt_fdiv_fast|mt_o_native_recip)$", "f32", lanewise(lambda x: 1 / x, 1e-6)),
    (r"(vc_)?mt_cvt_tf32|cvt_tf32_genisa", "f32", converted("tf32", 16)),
    (r"vc_mt_cvt_h$", "f32", converted("f16", 64)),
    (r"(vc_mt_cvt_bf|vc_mt_cvt_bf_h|mt_cvt_bf_spv)$", "f32", converted("bf16", 16)),
    (r"bar_|split_", "f32", lanewise(lambda x: x[LANE ^ 8])),
    (r"shf_shuf", "f32", lanewise(lambda x: np.full(16, x[N & 15]))),
    (r"red_spv_clustered", "f32",
     lanewise(lambda x: np.repeat(x.reshape(2, 8).sum(axis=1), 8), 1e-5)),
    (r"slm_vec_v8i16", "u8",
     placed(lambda m: m.a[:256].reshape(16, 16)[LANE ^ 8].reshape(-1), np.uint8, slice(256))),
    (r"b1_ui8_slm", "u8", copied(512)),
    (r"st_rows_scatter", "u8",
     placed(lambda m: m.array("b", np.uint32, 16, 8).T, np.uint32, ROWS_OF_C)),
    (r"st_rows_block", "u8",
     placed(lambda m: m.array("b", np.uint32, 16, 8).T, np.uint32, ROWS_OF_C + N // 4)),
    (r"vc_gather", "f32",
     placed(lambda m: m.array("a", np.uint32, 48)[::3], np.uint32, slice(0, 48, 3))),
    (r"vc_raw_t32x8", "u8",
     placed(lambda m: tile(m.a, 32, 32).view(np.uint32).T.reshape(-1), np.uint32, slice(256))),
    (r"vc_raw_32x16x2", "u8",
     placed(lambda m: np.concatenate([tile(m.a, 32, 64)[:, x : x + 32] for x in (0, 32)]),
            np.uint8, np.arange(2048).reshape(64, 32))),
    (r"vc_argptr|vc_argi64|vc_ld2cc", "u8",
     placed(lambda m: tile(m.a, 8, 32).reshape(-1), np.uint8, slice(256))),
    (r"vc_raw_ldst", "u8", check_tile),
    (r"vc_bcast_rgn", "f32", check_scaled_rows),
    (r"vc_red_(tree|vec)$", "f32", single(np.sum)),
    (r"vc_red_treemax", "f32", single(np.max)),
    (r"vc_scalar_max", "f32", single(lambda x: max(x[0], 1.5))),
    (r"vc_sub_(rdr|shuf)", "", check_four_dots),
    (r"vc_loop128|vc_raw_gemm|loop_simt_(big|split)|sub_simt", "", check_loop),
    (r"grf_(none|opt\d)_160", "f32",
     placed(lambda m: m.a.view(np.uint32)[PIECES], np.uint32, PIECES)),
]  # fmt: skip
#: What ocloc 22.43 makes another instruction of, although it reports success.
MISCOMPILED = {"wrG_32b_8r16x1": "store_block2d", "ib_new_flat_u16_m8k16v2": "load_block2d"}
#: What is refused, and how.
UNKNOWN = {
    "b1_genisa_lsc": "unknown operation 1 of a message",
}

#: Bits of a lane's elements, from the type the sample stores.
STORED: dict[str, int] = {}


@pytest.mark.parametrize("name", names())
def test_sample(name: str, tmp_path: Path) -> None:
    text = (SAMPLES / f"{name}.ll").read_text()
    try:
        zebin = compiled(name, tmp_path)
    except ToolFailure as failure:
        if "requires the following SPIR-V extension" in str(failure):
            pytest.xfail("ocloc 22.43 knows no such types")
        raise
    stored = re.findall(r"store <\d+ x (?:i|float)(\d*)>", text)
    STORED[name] = int(stored[-1] or 32) if stored else 32
    model = next(((kind, check) for names_, kind, check in MODELS if re.match(names_, name)), None)
    kind = model[0] if model else "f32"
    old = generation() == "22.43"
    if old and "newtab" in name:
        pytest.skip("its type codes are those of the other release")
    if name in UNKNOWN and not old:
        with pytest.raises(SimulationError, match=UNKNOWN[name]):
            simulate(zebin, text, random_memory("f32"))
        return
    if old and name in MISCOMPILED:
        assert MISCOMPILED[name] not in isa.disassemble(zebin.code("k"), "12p72")
        pytest.skip("ocloc 22.43 compiles another message")
    if not kind:
        listing = isa.disassemble(zebin.code("k"), "12p72")
        types = dot_types(listing)
        assert "dpas" in listing
        kind = types[0] if types else "u8"
        model = model if types else None
    before = random_memory(kind)
    if model and model[1] in (check_simt_dot, check_simd_dot) and types[2] in ("f32", "s32"):
        random = rng()
        before.c[:] = np.tile(
            random.standard_normal(65536).astype(np.float32).view(np.uint8), before.c.size // 262144
        )
    try:
        after, listing, groups = simulate(zebin, text, before)
    except SimulationError as error:
        if old:  # its untyped messages are not known
            pytest.xfail(error.message)
        raise
    if model:
        model[1](name, before, after, listing, groups)
