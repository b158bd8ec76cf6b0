"""Tiny kernels around single device intrinsics, and the way they are built and run.

Kernels are written in the LLVM and XeVM dialects and go through the real tools: mlt-opt,
mlt-translate, llvm-spirv, and then either the OpenCL CPU runtime or ocloc.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from mltc.driver.translator import translator_arguments
from mltc.runtime.sycl import import_dpctl
from mltc.toolchain import find_tool, run_tool

LANES = 16
SLICE = 8
TIMEOUT = 120.0  # seconds per tool
ATTRIBUTES = (
    "attributes {intel_reqd_sub_group_size = 16 : i32, reqd_work_group_size = array<i32: 16, 1, 1>}"
)


def module(*functions: str) -> str:
    """A module for PVC of the given functions."""
    return 'module attributes {mlt.target = "pvc"} {\n' + "\n".join(functions) + "\n}\n"


def kernel(name: str, params: str, body: str) -> str:
    """A kernel of one sub-group of 16."""
    return f"llvm.func spir_kernelcc @{name}({params}) {ATTRIBUTES} {{\n{body}  llvm.return\n}}"


def vector(count: int, element: str) -> str:
    """An MLIR type: a vector of `count`, the scalar for 1."""
    return f"vector<{count}x{element}>" if count > 1 else element


SURFACE_PARAMS = "%w: i32, %h: i32, %p: i32, %x: i32, %y: i32"
SURFACE_TYPES = "!llvm.ptr<1>, i32, i32, i32, i32, i32"


def lane_place(pointer: str, count: int, element: str) -> str:
    """`%place`: where this lane keeps `count` elements behind `pointer`."""
    return (
        "  %lane = xevm.lane_id : i32\n"
        f"  %place = llvm.getelementptr {pointer}[%lane]"
        f" : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<{count} x {element}>\n"
    )


def read_kernel(
    name: str, bits: int, rows: int, columns: int, blocks: int, mode: str, count: int, data: int
) -> str:
    """`out[slice][lane][:] = block`, in slices of up to SLICE elements of a lane.

    A lane holds `count` integers of `data` bits. Kernels take blocks apart like this.
    """
    element = f"i{data}"
    size = min(SLICE, count)
    stores = ""
    for index in range(count // size):
        mask = ", ".join(str(index * size + i) for i in range(size))
        stores += (
            f"  %s{index} = llvm.shufflevector %v, %v [{mask}] : vector<{count}x{element}>\n"
            f"  %c{index} = llvm.mlir.constant({index * LANES} : i32) : i32\n"
            f"  %i{index} = llvm.add %lane, %c{index} : i32\n"
            f"  %p{index} = llvm.getelementptr %out[%i{index}]"
            f" : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<{size} x {element}>\n"
            f"  llvm.store %s{index}, %p{index} {{alignment = 1 : i64}}"
            f" : vector<{size}x{element}>, !llvm.ptr<1>\n"
        )
    body = (
        "  %v = xevm.blockload2d %in, %w, %h, %p, %x, %y <{"
        f"elem_size_in_bits = {bits} : i32, tile_width = {columns} : i32,"
        f" tile_height = {rows} : i32, v_blocks = {blocks} : i32,"
        f" transpose = {str(mode == 'transpose').lower()},"
        f" pack_register = {str(mode == 'vnni').lower()}}}>"
        f" : ({SURFACE_TYPES}) -> vector<{count}x{element}>\n"
        "  %lane = xevm.lane_id : i32\n" + stores
    )
    return kernel(name, f"%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, {SURFACE_PARAMS}", body)


def write_kernel(name: str, bits: int, rows: int, columns: int, count: int, data: int) -> str:
    """Writes the block in `in[lane][:]` to the surface at `out`."""
    element = f"i{data}"
    body = lane_place("%in", count, element) + (
        f"  %v = llvm.load %place {{alignment = 1 : i64}} : !llvm.ptr<1> ->"
        f" vector<{count}x{element}>\n"
        "  xevm.blockstore2d %out, %w, %h, %p, %x, %y, %v <{"
        f"elem_size_in_bits = {bits} : i32, tile_width = {columns} : i32,"
        f" tile_height = {rows} : i32}}>"
        f" : ({SURFACE_TYPES}, vector<{count}x{element}>)\n"
    )
    return kernel(name, f"%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, {SURFACE_PARAMS}", body)


def prefetch_kernel(name: str, bits: int, rows: int, columns: int, blocks: int) -> str:
    """Prefetches one block."""
    body = (
        "  xevm.blockprefetch2d %in, %w, %h, %p, %x, %y <{"
        f"elem_size_in_bits = {bits} : i32, tile_width = {columns} : i32,"
        f" tile_height = {rows} : i32, v_blocks = {blocks} : i32,"
        " cache_control = #xevm.load_cache_control<L1c_L2uc_L3c>}>"
        f" : ({SURFACE_TYPES})\n"
    )
    return kernel(name, f"%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, {SURFACE_PARAMS}", body)


def dot_kernel(name: str, a: str, b: str, acc: str, rows: int) -> str:
    """`d[lane] = c[lane] + dot(a[lane], b[lane])`, all as the registers of one lane."""
    a_count = max(1, rows // 2) if a == "tf32" else rows
    a_element = "f32" if a == "tf32" else "i16"
    b_element = "f32" if b == "tf32" else "i32"
    d_element = {"f32": "f32", "f16": "f16", "bf16": "i16", "s32": "i32"}[acc]
    k = {"f16": 16, "bf16": 16, "tf32": 8, "s8": 32, "u8": 32}[a]
    loads = ""
    operands = {
        "a": (a_count, a_element), "b": (8, b_element), "c": (rows, d_element),
        "d": (rows, d_element),
    }  # fmt: skip
    for operand, (count, element) in operands.items():
        loads += (
            f"  %p{operand} = llvm.getelementptr %{operand}[%lane]"
            f" : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<{count} x {element}>\n"
        )
        if operand != "d":
            loads += (
                f"  %v{operand} = llvm.load %p{operand} {{alignment = 2 : i64}}"
                f" : !llvm.ptr<1> -> vector<{count}x{element}>\n"
            )
    types = f"vector<{a_count}x{a_element}>, vector<8x{b_element}>, vector<{rows}x{d_element}>"
    body = (
        "  %lane = xevm.lane_id : i32\n"
        + loads
        + f"  %vd = xevm.mma %va, %vb, %vc {{shape = <m = {rows}, n = 16, k = {k}>,"
        f" types = <d = {acc}, a = {a}, b = {b}, c = {acc}>}}"
        f" : ({types}) -> vector<{rows}x{d_element}>\n"
        f"  llvm.store %vd, %pd {{alignment = 2 : i64}} : vector<{rows}x{d_element}>,"
        " !llvm.ptr<1>\n"
    )
    params = ", ".join(f"%{operand}: !llvm.ptr<1>" for operand in operands)
    return kernel(name, params, body)


def compile_spirv(
    source: str, passes: Sequence[str], consumer: str, directory: Path, *translate: str
) -> bytes:
    """MLIR text -> SPIR-V for `consumer` (see mltc.driver.translator)."""
    (directory / "in.mlir").write_text(source, encoding="utf-8")
    steps = [
        ("mlt-opt", ["in.mlir", "-o", "out.mlir", *passes]),
        ("mlt-translate", ["--mlt-to-llvm-bitcode", "out.mlir", "-o", "out.bc", *translate]),
        ("llvm-spirv", ["out.bc", "-o", "out.spv", *translator_arguments(consumer)]),
    ]
    for tool, arguments in steps:
        run_tool(find_tool(tool), arguments, timeout=TIMEOUT, cwd=directory)
    return (directory / "out.spv").read_bytes()


class CpuProgram:
    """A SPIR-V module built for the OpenCL CPU device."""

    def __init__(self, spirv: bytes) -> None:
        self._dpctl = import_dpctl()
        self._queue = self._dpctl.SyclQueue("opencl:cpu")
        self._program = self._dpctl.program.create_program_from_spirv(self._queue, spirv)

    def buffer(self, data: np.ndarray[Any, Any], alignment: int = 64) -> Any:
        """Shared memory with the bytes of `data`."""
        flat = np.ascontiguousarray(data).view(np.uint8).reshape(-1)
        memory = self._dpctl.memory.MemoryUSMShared(
            flat.nbytes, alignment=alignment, queue=self._queue
        )
        np.frombuffer(memory, dtype=np.uint8)[:] = flat
        return memory

    def at_offset(self, memory: Any, offset: int) -> Any:
        """The same memory from byte `offset` on."""

        interface = dict(memory.__sycl_usm_array_interface__)
        address, read_only = interface["data"]
        interface["data"] = (address + offset, read_only)
        interface["shape"] = (memory.nbytes - offset,)
        # Holds on to the memory through the name `owner`.
        view = SimpleNamespace(__sycl_usm_array_interface__=interface, owner=memory)
        return self._dpctl.memory.as_usm_memory(view)

    def run(self, name: str, *args: Any, size: int = LANES) -> None:
        """Runs kernel `name` with one group of `size` and waits; scalars are np.int32."""
        if not self._program.has_sycl_kernel(name):
            raise KeyError(name)
        kernel_object = self._program.get_sycl_kernel(name)
        scalars = [ctypes.c_int32(int(arg)) if isinstance(arg, np.int32) else arg for arg in args]
        # SYCL ranges are slowest-first.
        sizes = [1, 1, size]
        self._queue.submit(kernel_object, scalars, sizes, sizes).wait()
