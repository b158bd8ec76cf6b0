"""Tiles whose rows are contiguous in memory: ``mlt.load_rows`` and ``mlt.store_rows``, both styles.

Rows begin where a 1-D block message may just about begin, and what lies between and around them
must neither be used nor written. The same kernels run as portable code on the CPU device and as
machine code in the simulator, which has no memory behind the last row. With MLTC_ALL_ROWS every
form runs on the CPU device, and behind the interface ``genisa`` too.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from execution import intrinsic_kernels as k
from execution.test_lane_table import DTYPES, Body, tensor
from execution.test_native_isa import current_ocloc
from mltc.package.zebin import read_zebin
from mltc.simulator import SimulationError, Simulator
from mltc.toolchain import find_tool, run_tool

Array = np.ndarray[Any, Any]

STYLES = {
    "simt": ["--convert-tritongpu-to-llvm", "--convert-xevm-to-builtin"],
    "genisa": ["--convert-tritongpu-to-llvm=interface=genisa", "--convert-xevm-to-genisa"],
    "simd": ["--convert-tritongpu-to-llvm=style=simd interface=vc"],
}
OPTIONS = {"simt": "", "genisa": "", "simd": "-vc-codegen"}
LOAD_ALIGNMENT, STORE_ALIGNMENT = 4, 16


@dataclass(frozen=True)
class Form:
    """A tile; a vector when there are no rows."""

    element: str
    rows: int
    columns: int
    image: str = ""
    transposed: bool = False
    stores: bool = False

    @property
    def name(self) -> str:
        """Of the kernel and the test."""
        parts = [self.element, str(self.rows), str(self.columns), self.image]
        parts += ["transposed"] * self.transposed + ["store"] * self.stores
        return "_".join(filter(None, parts))

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the tile."""
        return (self.rows, self.columns) if self.rows else (self.columns,)

    @property
    def in_memory(self) -> tuple[int, int]:
        """Rows in memory, and their length."""
        rows = max(1, self.rows)
        return (self.columns, rows) if self.transposed else (rows, self.columns)

    @property
    def size(self) -> int:
        """Bytes of an element."""
        return np.dtype(DTYPES[self.element]).itemsize

    def text(self) -> str:
        """A kernel that copies the tile from one place to another."""
        body = Body()
        plain, pointer = tensor(self.shape, self.element), f"!tt.ptr<{self.element}>"
        kind = tensor(self.shape, self.element, f", #mlt.operand<{self.image}>" * bool(self.image))
        start = body.op(f"tt.addptr %memory, %offset : {pointer}, i32")
        pitch = body.op("arith.extsi %pitch : i32 to i64") if self.rows else ""
        pitch = f" pitch {pitch}" * bool(pitch)
        if self.stores:
            value = body.load("%dense", self.shape, self.element)
            body.do(f"mlt.store_rows {value}, {start}{pitch} : {plain}, {pointer}")
        else:
            flag = " transposed" * self.transposed
            value = body.op(f"mlt.load_rows {start}{pitch}{flag} : {pointer} -> {kind}")
            if self.image:
                value = body.op(f"mlt.convert_operand {value} : {kind} to {plain}")
            body.store("%dense", self.shape, self.element, value)
        lines = "\n".join(body.lines)
        arguments = f"%memory: {pointer}, %dense: {pointer}, %offset: i32, %pitch: i32"
        return f"tt.func public @k_{self.name}({arguments}) {{\n{lines}\ntt.return\n}}"


FORMS = [
    # Along lanes: one message of a row, several, less than one.
    *(Form("f32", rows, columns) for rows, columns in [(8, 16), (4, 64), (2, 256), (8, 8), (4, 2)]),
    *(Form("f16", rows, columns) for rows, columns in [(8, 16), (4, 32), (1, 512), (8, 4), (4, 1)]),
    *(Form("i8", rows, columns) for rows, columns in [(8, 16), (4, 64), (1, 512), (8, 8), (4, 2)]),
    *(Form(element, 4, 32) for element in ("bf16", "f64", "i64")),
    Form("i64", 4, 8),
    *(Form(element, 0, 128) for element in ("f32", "f16", "i8", "i64")),
    Form("f32", 0, 4),
    Form("i32", 0, 1),
    # Images of operands.
    Form("f16", 8, 16, "a"),
    Form("bf16", 8, 32, "a"),
    Form("i8", 8, 32, "a"),
    Form("i8", 4, 64, "a"),
    Form("f32", 8, 8, "a"),
    Form("f32", 8, 32, "a"),
    Form("f16", 16, 16, "b"),
    Form("bf16", 32, 32, "b"),
    Form("i8", 32, 16, "b"),
    Form("i8", 8, 32, "b"),
    Form("f32", 8, 16, "b"),
    # Columns in memory.
    *(Form("f16", rows, columns, image, True)
      for rows, columns, image in [(16, 16, "b"), (32, 32, "b"), (2, 16, "b"), (16, 16, ""),
                                   (8, 16, "a"), (16, 8, ""), (1, 16, "")]),
    *(Form("i8", rows, columns, image, True)
      for rows, columns, image in [(32, 16, "b"), (4, 32, "b"), (16, 16, ""), (8, 32, "a"),
                                   (2, 16, "")]),
    *(Form("f32", rows, columns, image, True)
      for rows, columns, image in [(8, 16, "b"), (16, 32, ""), (8, 8, "a"), (8, 4, "")]),
    Form("f64", 4, 16, "", True),
    # Stores.
    *(Form("f32", rows, columns, stores=True)
      for rows, columns in [(8, 16), (4, 64), (2, 256), (8, 8), (0, 128), (0, 4)]),
    *(Form("f16", rows, columns, stores=True)
      for rows, columns in [(8, 16), (4, 32), (1, 512), (8, 8), (4, 1)]),
    *(Form("i8", rows, columns, stores=True) for rows, columns in [(8, 16), (1, 512), (4, 2)]),
    *(Form(element, 4, 32, stores=True) for element in ("bf16", "i64")),
]  # fmt: skip

ALL = "MLTC_ALL_ROWS" in os.environ
#: The forms that the CPU's compiler gets, which takes most of the time; the interfaces.
PORTABLE = FORMS if ALL else FORMS[::4]
TRIED = list(STYLES) if ALL else ["simt", "simd"]
BY_NAME = {form.name: form for form in FORMS}


class Machine:
    """Runs the kernels of a style on a device."""

    def __init__(
        self, style: str, simulated: bool, folder: Path, forms: Sequence[Form],
        checked: bool = False,
    ) -> None:  # fmt: skip
        text = "\n".join(form.text() for form in forms)
        source = f'module attributes {{"ttg.num-warps" = 1 : i32, mlt.target = "pvc"}} {{{text}}}'
        emulate = f"--emulate-intrinsics=checked={str(checked).lower()}"
        passes = [*STYLES[style], *([] if simulated else [emulate])]
        consumer = "ocloc-current" if simulated else "opencl-cpu"
        self._size = 1 if style == "simd" else k.LANES
        spirv = k.compile_spirv(source, passes, consumer, folder)
        self._simulator: Simulator | None = None
        if simulated:
            options = f"-ze-opt-large-register-file {OPTIONS[style]}"
            argv = ["compile", "-spirv_input", "-file", "out.spv", "-device", "pvc"]
            argv += ["-exclude_ir", "-output", "out", "-output_no_suffix", "-options", options]
            run_tool(find_tool("ocloc"), argv, timeout=400.0, cwd=folder)
            self._simulator = Simulator(read_zebin((folder / "out.bin").read_bytes()))
        else:
            self._program = k.CpuProgram(spirv)

    def run(
        self, name: str, arrays: list[Array], *scalars: int, report: Array | None = None
    ) -> list[Array]:
        """What the arrays are afterwards, the report of a checked kernel included."""
        numbers = [np.int32(scalar) for scalar in scalars]
        if self._simulator is None:
            buffers = [self._program.buffer(array) for array in arrays]
            last = [] if report is None else [self._program.buffer(report)]
            self._program.run(name, *buffers, *numbers, *last, size=self._size)
            return [np.frombuffer(buffer, np.uint8).copy() for buffer in [*buffers, *last]]
        allocations = [self._simulator.memory.allocate(array.nbytes) for array in arrays]
        try:
            for allocation, array in zip(allocations, arrays, strict=True):
                allocation.write(array)
            kernel = self._simulator.kernel(name)
            kernel.launch((1, 1, 1), (self._size, 1, 1), [*allocations, *numbers])
            return [allocation.data.copy() for allocation in allocations]
        finally:
            for allocation in allocations:
                allocation.free()


@pytest.fixture(scope="session")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, bool], Machine]:
    """Built when first asked for."""

    @cache
    def get(style: str, simulated: bool) -> Machine:
        forms = FORMS if simulated else PORTABLE
        return Machine(style, simulated, tmp_path_factory.mktemp(style), forms)

    return get


def check(machine: Machine, form: Form) -> None:
    """Copies the tile, with rows at the least alignment that they may have."""
    rng = np.random.default_rng(zlib.crc32(form.name.encode()))
    alignment = STORE_ALIGNMENT if form.stores else LOAD_ALIGNMENT
    unit = max(1, alignment // form.size)
    rows, length = form.in_memory
    offset = unit * 3
    pitch = -(-length // unit) * unit + unit
    # The last row ends where the memory ends.
    size = offset + (rows - 1) * pitch + length
    places = offset + np.arange(rows)[:, None] * pitch + np.arange(length)
    if form.transposed:
        places = places.T
    raw = np.dtype(f"u{form.size}")
    memory = rng.integers(0, 256, size * form.size, np.uint8)
    dense = rng.integers(0, 256, places.size * form.size, np.uint8)
    result = machine.run(f"k_{form.name}", [memory, dense], offset, pitch)
    if form.stores:
        expected = memory.copy().view(raw)
        expected[places.reshape(-1)] = dense.view(raw)
        np.testing.assert_array_equal(result[0].view(raw), expected)
        return
    np.testing.assert_array_equal(result[1].view(raw), memory.view(raw)[places].reshape(-1))


@pytest.mark.parametrize("name", [form.name for form in PORTABLE])
@pytest.mark.parametrize("style", TRIED)
def test_cpu(machines: Callable[[str, bool], Machine], style: str, name: str) -> None:
    check(machines(style, False), BY_NAME[name])


@pytest.mark.skipif(current_ocloc() is None, reason="no ocloc of this generation")
@pytest.mark.parametrize("name", BY_NAME)
@pytest.mark.parametrize("style", TRIED)
def test_machine_code(machines: Callable[[str, bool], Machine], style: str, name: str) -> None:
    check(machines(style, True), BY_NAME[name])


LOADED, STORED = Form("f16", 8, 16), Form("f16", 8, 16, stores=True)
PITCH = 24
#: A tile, where it begins in elements, and the rule that this breaks, from the end of the list.
STARTS = [(LOADED, 2, 0), (LOADED, 1, -2), (STORED, 8, 0), (STORED, 2, -1)]


@pytest.mark.parametrize("style", TRIED)
def test_checked(style: str, tmp_path: Path) -> None:
    machine = Machine(style, False, tmp_path, [LOADED, STORED], checked=True)
    rules = 11
    for form, offset, broken in STARTS:
        memory, dense = np.zeros(4096, np.uint8), np.ones(4096, np.uint8)
        report = np.zeros(1, np.int32)
        name = f"k_{form.name}"
        result = machine.run(name, [memory, dense], offset, PITCH, report=report)
        assert result[2][0] == (rules + 1 + broken if broken else 0)
        if broken and form.stores:
            assert not result[0].any()


@pytest.mark.skipif(current_ocloc() is None, reason="no ocloc of this generation")
@pytest.mark.parametrize("style", TRIED)
def test_misaligned_in_simulator(style: str, tmp_path: Path) -> None:
    arrays = [np.zeros(4096, np.uint8), np.zeros(4096, np.uint8)]
    with pytest.raises(SimulationError, match="misaligned access of consecutive elements"):
        Machine(style, True, tmp_path, [LOADED]).run(f"k_{LOADED.name}", arrays, 1, PITCH)
