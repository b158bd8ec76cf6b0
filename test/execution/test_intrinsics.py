"""Emulated device intrinsics on the CPU against models written from the texts.

The models follow the per-lane tables of Khronos' cl_intel_subgroup_2d_block_io and
cl_intel_subgroup_matrix_multiply_accumulate, one formula per form; the compiler derives
everything from one image rule, so the two are independent. Data is random, the surface is
smaller than its pitch, and blocks hang over every edge of it.
"""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from execution import intrinsic_kernels as k

Array = np.ndarray[Any, Any]

PORTABLE = ["--emulate-intrinsics", "--canonicalize", "--cse"]
UNSIGNED = {8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}


def rng_of(name: str) -> np.random.Generator:
    """Random numbers that depend on the test alone."""
    return np.random.default_rng(zlib.crc32(name.encode()))


@dataclass(frozen=True)
class ReadForm:
    """A form of 2-D block read; `data` is the width in bits of a lane's elements."""

    bits: int
    rows: int
    columns: int
    blocks: int
    mode: str
    data: int

    @property
    def count(self) -> int:
        """Elements per lane."""
        total = self.bits * self.rows * self.columns * self.blocks
        return total // (self.data * k.LANES)

    @property
    def name(self) -> str:
        """Of the kernel and the test."""
        return f"rd{self.bits}_{self.rows}r{self.columns}x{self.blocks}_{self.mode}"


READS = [
    *(ReadForm(16, rows, 16, blocks, "plain", 16)
      for rows, blocks in [(1, 1), (2, 1), (8, 1), (8, 2), (32, 1), (32, 2)]),
    *(ReadForm(8, rows, 32, blocks, "plain", 16) for rows, blocks in [(8, 1), (32, 1), (8, 2)]),
    ReadForm(8, 32, 16, 4, "plain", 8),
    *(ReadForm(32, rows, 16, 1, "plain", 32) for rows in (1, 8, 32)),
    *(ReadForm(32, rows, 8, blocks, "plain", 32) for rows, blocks in [(8, 1), (32, 2)]),
    *(ReadForm(16, rows, 16, blocks, "vnni", 32) for rows, blocks in [(16, 1), (32, 1), (32, 2)]),
    *(ReadForm(8, 32, 16, blocks, "vnni", 32) for blocks in (1, 2, 4)),
    *(ReadForm(32, rows, 8, 1, "transpose", 32) for rows in (16, 32)),
    ReadForm(32, 16, 4, 1, "transpose", 32),
]  # fmt: skip


@dataclass(frozen=True)
class WriteForm:
    """A form of 2-D block write."""

    bits: int
    rows: int
    columns: int
    data: int

    @property
    def count(self) -> int:
        """Elements per lane."""
        return self.bits * self.rows * self.columns // (self.data * k.LANES)

    @property
    def name(self) -> str:
        """Of the kernel and the test."""
        return f"wr{self.bits}_{self.rows}r{self.columns}"


WRITES = [
    *(WriteForm(16, rows, 16, 16) for rows in (1, 2, 8)),
    *(WriteForm(32, rows, 16, 32) for rows in (1, 4, 8)),
    WriteForm(8, 8, 16, 8),
    WriteForm(8, 8, 32, 16),
]

COMMON_DOTS = [("f16", "f32"), ("bf16", "f32"), ("tf32", "f32"), ("s8", "s32")]
DOTS = [
    *((a, a, acc, rows) for a, acc in COMMON_DOTS for rows in (1, 2, 4, 8)),
    *(("f16", "f16", "f16", rows) for rows in (1, 8)),
    *(("bf16", "bf16", "bf16", rows) for rows in (1, 8)),
    *((a, b, "s32", 8) for a, b in [("u8", "u8"), ("u8", "s8"), ("s8", "u8")]),
]  # fmt: skip


#: The helpers are the same behind both interfaces; what differs is decoding.
GENISA_DOTS = [(a, a, acc, rows) for a, acc in COMMON_DOTS for rows in (1, 8)]


DOTS_OF = {"builtin": DOTS, "genisa": GENISA_DOTS}


def dot_name(form: tuple[str, str, str, int]) -> str:
    """Of the kernel and the test."""
    return "dot_{}_{}_{}_m{}".format(*form)


def conversion_kernel(name: str, callee: str, source: str, result: str) -> str:
    """`out[lane] = callee(in[lane])`."""
    body = (
        "  %lane = xevm.lane_id : i32\n"
        f"  %pi = llvm.getelementptr %in[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, {source}\n"
        f"  %po = llvm.getelementptr %out[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, {result}\n"
        f"  %v = llvm.load %pi {{alignment = 2 : i64}} : !llvm.ptr<1> -> {source}\n"
        f"  %r = llvm.call spir_funccc @{callee}(%v) : ({source}) -> {result}\n"
        f"  llvm.store %r, %po {{alignment = 2 : i64}} : {result}, !llvm.ptr<1>\n"
    )
    return f"llvm.func spir_funccc @{callee}({source}) -> {result}\n" + k.kernel(
        name, "%in: !llvm.ptr<1>, %out: !llvm.ptr<1>", body
    )


#: name, device function, argument, result.
CONVERSIONS = [
    ("tf32", "_Z25__spirv_RoundFToTF32INTELf", "f32", "f32"),
    ("tf32_genisa", "llvm.genx.GenISA.ftotf32.i32.f32", "f32", "i32"),
    ("to_bf16", "_Z27__spirv_ConvertFToBF16INTELf", "f32", "i16"),
    ("to_bf16_v8", "_Z27__spirv_ConvertFToBF16INTELDv8_f", "vector<8xf32>", "vector<8xi16>"),
    ("to_bf16_v16", "_Z27__spirv_ConvertFToBF16INTELDv16_f", "vector<16xf32>", "vector<16xi16>"),
    ("from_bf16", "_Z27__spirv_ConvertBF16ToFINTELs", "i16", "f32"),
    ("from_bf16_v8", "_Z27__spirv_ConvertBF16ToFINTELDv8_s", "vector<8xi16>", "vector<8xf32>"),
]  # fmt: skip


def block_1d_kernel(name: str, count: int, bits: int) -> str:
    """Copies `count` elements per lane with 1-D block messages."""
    kind = k.vector(count, f"i{bits}")
    body = (
        f"  %v = xevm.blockload %in : (!llvm.ptr<1>) -> {kind}\n"
        + k.lane_place("%out", count, f"i{bits}")
        + f"  llvm.store %v, %place {{alignment = 1 : i64}} : {kind}, !llvm.ptr<1>\n"
        f"  xevm.blockstore %copy, %v : (!llvm.ptr<1>, {kind})\n"
    )
    params = "%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %copy: !llvm.ptr<1>"
    return k.kernel(name, params, body)


BLOCKS_1D = [(1, 32), (8, 32), (2, 16), (8, 16), (4, 8), (16, 8), (4, 64)]


def build(source: str, passes: list[str], directory: Path) -> k.CpuProgram:
    """From MLIR to a program on the CPU device."""
    return k.CpuProgram(k.compile_spirv(source, passes, "opencl-cpu", directory))


Programs = Callable[[str], k.CpuProgram]


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    """All kernels, lowered to an interface and emulated; built once per interface."""

    @cache
    def get(interface: str) -> k.CpuProgram:
        reads = [
            k.read_kernel(f.name, f.bits, f.rows, f.columns, f.blocks, f.mode, f.count, f.data)
            for f in READS
        ]
        writes = [
            k.write_kernel(f.name, f.bits, f.rows, f.columns, f.count, f.data) for f in WRITES
        ]
        dots = [k.dot_kernel(dot_name(form), *form) for form in DOTS_OF[interface]]
        conversions = [conversion_kernel(*c) for c in CONVERSIONS]
        blocks = [block_1d_kernel(f"b1_{n}x{bits}", n, bits) for n, bits in BLOCKS_1D]
        source = k.module(*reads, *writes, *dots, *conversions, *blocks)
        passes = [f"--convert-xevm-to-{interface}", *PORTABLE]
        return build(source, passes, tmp_path_factory.mktemp(interface))

    return get


@pytest.fixture
def program(programs: Programs, interface: str) -> k.CpuProgram:
    """The kernels behind `interface`."""
    return programs(interface)


each_interface = pytest.mark.parametrize("interface", list(DOTS_OF))


# ---------------------------------------------------------------------------------------
# 2-D blocks


@dataclass(frozen=True)
class Surface:
    """A matrix in memory: extents in elements, pitch in elements."""

    memory: Array
    width: int
    height: int

    def get(self, row: int, column: int) -> int:
        """The element, 0 outside."""
        if 0 <= row < self.height and 0 <= column < self.width:
            return int(self.memory[row, column])
        return 0

    def arguments(self) -> list[np.generic]:
        """Width in bytes, height, pitch in bytes."""
        size = self.memory.itemsize
        return [
            np.int32(self.width * size), np.int32(self.height),
            np.int32(self.memory.shape[1] * size),
        ]  # fmt: skip


def random_surface(bits: int, rng: np.random.Generator) -> Surface:
    """40 rows of 256 bytes in memory, of which 37 rows and less than a row are the matrix."""
    pitch = 256 * 8 // bits
    memory = rng.integers(1, 2**bits, size=(40, pitch), dtype=UNSIGNED[bits])
    return Surface(memory, pitch - 64 * 8 // bits // 2, 37)


def places(form: ReadForm | WriteForm) -> list[tuple[int, int]]:
    """Positions (x, y): inside, over each edge, left and above, and far away."""
    width = 256 * 8 // form.bits - 64 * 8 // form.bits // 2
    step = max(1, 32 // form.bits)
    return [
        (2 * step, 3), (width - 4 * step, 2), (0, 37 - 5), (width - step, 36),
        (-4 * step, -3), (-16, 30), (width, 0), (0, 37), (2**31 - 4 * step, 0), (-(2**30), 5),
    ]  # fmt: skip


def pack(values: list[int], bits: int) -> int:
    """Elements into one integer, first lowest."""
    return sum(value << bits * i for i, value in enumerate(values))


def expected_read(form: ReadForm, s: Surface, x: int, y: int) -> Array:
    """Per lane, from the tables; padding that the texts leave undefined is 0."""
    out = np.zeros((k.LANES, form.count), dtype=UNSIGNED[form.data])
    rows, columns = form.rows, form.columns
    for lane, block in itertools.product(range(k.LANES), range(form.blocks)):
        left = x + block * columns
        if form.mode == "transpose":
            halves = max(1, rows // 16)
            for c, h in itertools.product(range(columns), range(halves)):
                out[lane, c * halves + h] = s.get(y + 16 * h + lane, x + c)
        elif form.mode == "vnni":
            factor = 32 // form.bits
            for j in range(rows // factor):
                part = [s.get(y + factor * j + i, left + lane) for i in range(factor)]
                out[lane, block * (rows // factor) + j] = pack(part, form.bits)
        elif columns < k.LANES:
            for j in range(rows // 2):
                value = s.get(y + 2 * j + (lane >= 8), left + lane % 8)
                out[lane, block * (rows // 2) + j] = value
        else:
            share = columns // k.LANES
            for r in range(rows):
                part = [s.get(y + r, left + share * lane + i) for i in range(share)]
                out[lane, block * rows + r] = pack(part, form.bits)
    return out


@each_interface
@pytest.mark.parametrize("form", READS, ids=lambda form: form.name)
def test_block_read(program: k.CpuProgram, form: ReadForm) -> None:
    rng = rng_of(form.name)
    surface = random_surface(form.bits, rng)
    source = program.buffer(surface.memory)
    for x, y in places(form):
        poison = np.full((k.LANES, form.count), 0xA5, dtype=UNSIGNED[form.data])
        result = program.buffer(poison)
        program.run(form.name, source, result, *surface.arguments(), np.int32(x), np.int32(y))
        slices = np.frombuffer(result, dtype=poison.dtype).reshape(
            -1, k.LANES, min(k.SLICE, form.count)
        )
        found = slices.transpose(1, 0, 2).reshape(poison.shape)
        np.testing.assert_array_equal(found, expected_read(form, surface, x, y), f"at {x}, {y}")


def expected_write(form: WriteForm, s: Surface, x: int, y: int, data: Array) -> Array:
    """Memory after the write."""
    memory = s.memory.copy()
    share = form.columns // k.LANES
    mask = 2**form.bits - 1
    for lane, r, i in itertools.product(range(k.LANES), range(form.rows), range(share)):
        row, column = y + r, x + share * lane + i
        if 0 <= row < s.height and 0 <= column < s.width:
            memory[row, column] = int(data[lane, r]) >> form.bits * i & mask
    return memory


@each_interface
@pytest.mark.parametrize("form", WRITES, ids=lambda form: form.name)
def test_block_write(program: k.CpuProgram, form: WriteForm) -> None:
    rng = rng_of(form.name)
    surface = random_surface(form.bits, rng)
    for x, y in places(form):
        data = rng.integers(0, 2**form.data, size=(k.LANES, form.count), dtype=UNSIGNED[form.data])
        target = program.buffer(surface.memory)
        program.run(
            form.name, program.buffer(data), target, *surface.arguments(), np.int32(x),
            np.int32(y),
        )  # fmt: skip
        found = np.frombuffer(target, dtype=surface.memory.dtype).reshape(surface.memory.shape)
        expected = expected_write(form, surface, x, y, data)
        np.testing.assert_array_equal(found, expected, f"at {x}, {y}")


@each_interface
@pytest.mark.parametrize(("count", "bits"), BLOCKS_1D)
def test_block_1d(program: k.CpuProgram, count: int, bits: int) -> None:
    data = rng_of(f"b1{count}{bits}").integers(
        0, 2**bits, size=(count, k.LANES), dtype=UNSIGNED[bits]
    )
    result, copy = program.buffer(np.zeros_like(data)), program.buffer(np.zeros_like(data))
    program.run(f"b1_{count}x{bits}", program.buffer(data), result, copy)
    lanes = np.frombuffer(result, dtype=data.dtype).reshape(k.LANES, count)
    np.testing.assert_array_equal(lanes, data.T)
    np.testing.assert_array_equal(np.frombuffer(copy, dtype=data.dtype), data.reshape(-1))


# ---------------------------------------------------------------------------------------
# Dots


def bf16_to_f64(bits: Array) -> Array:
    """bf16 as float64."""
    return (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)


def drop_tf32_bits(values: Array) -> Array:
    """f32 without the 13 bits that tf32 does not have, as float64."""
    return (values.view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32).astype(np.float64)


def random_words(kind: str, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """Random 16-bit words (dwords for tf32) that hold elements of `kind`."""
    if kind == "f16":
        return rng.standard_normal(shape).astype(np.float16).view(np.uint16)
    if kind == "bf16":
        return (rng.standard_normal(shape).astype(np.float32).view(np.uint32) >> 16).astype(
            np.uint16
        )
    if kind == "tf32":
        return rng.standard_normal(shape).astype(np.float32).view(np.uint32)
    return rng.integers(0, 2**16, size=shape, dtype=np.uint16)


def matrix_values(kind: str, words: Array) -> Array:
    """Elements of `kind` (one per word, two for bytes along the last axis) as float64."""
    if kind == "f16":
        return words.view(np.float16).astype(np.float64)
    if kind == "bf16":
        return bf16_to_f64(words)
    if kind == "tf32":
        return drop_tf32_bits(words.view(np.float32))
    return words.view(np.int8 if kind == "s8" else np.uint8).astype(np.float64)


def unpack_a(kind: str, registers: Array, rows: int) -> Array:
    """A as rows x K, from `registers[lane][i]`."""
    if kind == "tf32":
        # Register i of lane l: row 2 i + l / 8, column l % 8.
        flat = matrix_values(kind, np.ascontiguousarray(registers.T)).reshape(-1, 8)
        return flat[:rows]
    return matrix_values(kind, np.ascontiguousarray(registers.T)).reshape(rows, -1)


def unpack_b(kind: str, registers: Array) -> Array:
    """B as K x 16, from dwords `registers[lane][d]`."""
    per_lane = np.ascontiguousarray(registers)
    if kind != "tf32":
        per_lane = per_lane.view(np.uint16)
    return matrix_values(kind, per_lane).reshape(k.LANES, -1).T


def round_to_bf16(values: Array) -> Array:
    """float64 -> the nearest bf16 by way of f32, as float64; ties to even."""
    bits = values.astype(np.float32).view(np.uint32).astype(np.uint64)
    low, high = bits >> 16 << 16, (bits >> 16) + 1 << 16
    low_value = low.astype(np.uint32).view(np.float32).astype(np.float64)
    high_value = high.astype(np.uint32).view(np.float32).astype(np.float64)
    exact = values.astype(np.float32).astype(np.float64)
    down, up = np.abs(exact - low_value), np.abs(exact - high_value)
    even_low = (bits >> 16) % 2 == 0
    return np.where((down < up) | ((down == up) & even_low), low_value, high_value)


def accumulator_values(kind: str, raw: Array) -> Array:
    """Accumulator registers as float64 (s32: as int64)."""
    if kind == "f32":
        return raw.view(np.float32).astype(np.float64)
    if kind == "f16":
        return raw.view(np.float16).astype(np.float64)
    if kind == "bf16":
        return bf16_to_f64(raw)
    return raw.view(np.int32).astype(np.int64)


def random_accumulator(kind: str, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """Random accumulator registers; integers reach the ends of their range."""
    if kind == "s32":
        return rng.integers(-(2**31), 2**31, size=shape, dtype=np.int64).astype(np.int32)
    if kind == "f32":
        return rng.standard_normal(shape).astype(np.float32)
    return random_words(kind, shape, rng)


#: Largest relative error of one rounding to the accumulator type.
ROUNDING = {"f32": 0.0, "f16": 2.0**-11, "bf16": 2.0**-8}


@pytest.mark.parametrize(
    ("interface", "form"),
    [
        pytest.param(interface, form, id=f"{interface}-{dot_name(form)}")
        for interface, forms in DOTS_OF.items()
        for form in forms
    ],
)
def test_dot(program: k.CpuProgram, form: tuple[str, str, str, int]) -> None:
    a_kind, b_kind, acc_kind, rows = form
    rng = rng_of(dot_name(form))
    a_count = max(1, rows // 2) if a_kind == "tf32" else rows
    a_registers = random_words(a_kind, (k.LANES, a_count), rng)
    b_words = 8 if b_kind == "tf32" else 16
    b_registers = random_words(b_kind, (k.LANES, b_words), rng).view(np.uint32)
    c_registers = random_accumulator(acc_kind, (k.LANES, rows), rng)
    result = program.buffer(np.full_like(c_registers.view(np.uint8), 0xA5))
    program.run(
        dot_name(form), program.buffer(a_registers), program.buffer(b_registers),
        program.buffer(c_registers), result,
    )  # fmt: skip
    raw = np.frombuffer(result, dtype=c_registers.dtype).reshape(k.LANES, rows)
    found = accumulator_values(acc_kind, raw).T
    a, b = unpack_a(a_kind, a_registers, rows), unpack_b(b_kind, b_registers)
    c = accumulator_values(acc_kind, c_registers).T
    if acc_kind == "s32":
        exact = c + (a @ b).astype(np.int64)
        np.testing.assert_array_equal(found, exact.astype(np.int32))
        return
    scale = np.abs(c) + np.abs(a) @ np.abs(b)
    allowed = 1e-6 * scale + ROUNDING[acc_kind] * np.abs(c + a @ b)
    assert np.all(np.abs(found - (c + a @ b)) <= allowed)


# ---------------------------------------------------------------------------------------
# Conversions


def special_floats(rng: np.random.Generator, count: int) -> Array:
    """Random bit patterns with ties, infinities, NaNs, zeros and subnormals among them."""
    bits = rng.integers(0, 2**32, size=count, dtype=np.uint32)
    bits[:10] = [
        0x00000000, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00001, 0x7F800001, 0x00000001,
        0x3F801000, 0x3F803000, 0x3F808000,
    ]  # fmt: skip
    bits[10:12] = [0x3F818000, 0x7F7FFFFF]
    return bits.view(np.float32)


def round_bits(values: Array, dropped: int) -> Array:
    """Nearest value whose `dropped` low bits are 0, ties to even, as f32 bits."""
    bits = values.view(np.uint32).astype(np.int64)
    low = bits >> dropped << dropped
    high = low + (1 << dropped)
    # Bits are ordered like magnitudes, and linear between two neighbours of the format.
    down, up = bits - low, high - bits
    even_low = low >> dropped & 1 == 0
    rounded = np.where((down < up) | ((down == up) & even_low), low, high)
    return rounded.astype(np.uint32)


@each_interface
@pytest.mark.parametrize("case", CONVERSIONS, ids=lambda case: case[0])
def test_conversion(program: k.CpuProgram, case: tuple[str, str, str, str]) -> None:
    name, _, source, _ = case
    count = 1
    if source.startswith("vector<"):
        count = int(source.removeprefix("vector<").split("x")[0])
    values = special_floats(rng_of(name), k.LANES * count)
    if name.startswith("from_bf16"):
        halves = (values.view(np.uint32) >> 16).astype(np.uint16)
        result = program.buffer(np.zeros(halves.size, dtype=np.uint32))
        program.run(name, program.buffer(halves), result)
        np.testing.assert_array_equal(
            np.frombuffer(result, dtype=np.uint32), halves.astype(np.uint32) << 16
        )
        return
    to_bf16 = name.startswith("to_bf16")
    kind = np.uint16 if to_bf16 else np.uint32
    result = program.buffer(np.zeros(values.size, dtype=kind))
    program.run(name, program.buffer(values), result)
    found = np.frombuffer(result, dtype=kind).astype(np.uint32) << (16 if to_bf16 else 0)
    is_nan = np.isnan(values)
    assert np.all(np.isnan(found.view(np.float32)) == is_nan)
    expected = round_bits(values, 16 if to_bf16 else 13)
    np.testing.assert_array_equal(found[~is_nan], expected[~is_nan])


# ---------------------------------------------------------------------------------------
# Checked messages

#: What is wrong, and how the arguments (base offset, width, height, pitch, x) get so.
VIOLATIONS: list[tuple[int, Callable[[dict[str, int]], dict[str, int]]]] = [
    (0, lambda a: a),
    (1, lambda a: {**a, "base": 16}),
    (2, lambda a: {**a, "width": 32}),
    (3, lambda a: {**a, "width": 130}),
    (4, lambda a: {**a, "width": 2**25, "pitch": 2**25}),
    (5, lambda a: {**a, "height": 0}),
    (6, lambda a: {**a, "pitch": 48, "width": 64}),
    (7, lambda a: {**a, "pitch": 264}),
    (8, lambda a: {**a, "pitch": 112}),
    (9, lambda a: {**a, "x": 1}),
]


@pytest.fixture(scope="session")
def checked(tmp_path_factory: pytest.TempPathFactory) -> k.CpuProgram:
    """A read and a write with the option `checked`."""
    source = k.module(
        k.read_kernel("read", 16, 8, 16, 1, "plain", 8, 16),
        k.write_kernel("write", 16, 8, 16, 8, 16),
        k.prefetch_kernel("prefetch", 16, 8, 16, 1),
    )
    passes = ["--convert-xevm-to-builtin", "--emulate-intrinsics=checked=true"]
    return build(source, passes, tmp_path_factory.mktemp("checked"))


@pytest.mark.parametrize("name", ["read", "write", "prefetch"])
@pytest.mark.parametrize(("rule", "breaks"), VIOLATIONS, ids=[str(v[0]) for v in VIOLATIONS])
def test_violations_are_reported(
    checked: k.CpuProgram, name: str, rule: int, breaks: Callable[[dict[str, int]], dict[str, int]]
) -> None:
    a = breaks({"base": 0, "width": 128, "height": 16, "pitch": 256, "x": 2})
    data = np.arange(20 * 128, dtype=np.uint16)
    surface, other = checked.buffer(data), checked.buffer(data[:128])
    report = checked.buffer(np.zeros(1, dtype=np.uint32))
    base = checked.at_offset(surface, a["base"])
    sizes = [np.int32(a[key]) for key in ("width", "height", "pitch", "x")]
    pointers = [other, base] if name == "write" else [base, other]
    checked.run(name, *pointers, *sizes, np.int32(0), report)
    assert np.frombuffer(report, dtype=np.uint32)[0] == rule
    if rule and name == "write":
        np.testing.assert_array_equal(np.frombuffer(surface, dtype=np.uint16), data)
    if rule and name == "read":
        assert np.all(np.frombuffer(other, dtype=np.uint16) == 0xFFFF)
