"""Machine code written by hand: assembled with iga64 and run on the simulator."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from execution.machine_model import Mode
from mltc.package.zebin import EM_INTELGT, Zebin
from mltc.simulator import Profile, Simulator, SimulatorOptions
from mltc.simulator.kernel import TARGET
from mltc.target import load_target
from mltc.toolchain import ToolNotFoundError, find_tool, run_tool

Bytes = NDArray[np.uint8]

#: Loads what the arguments are into r3: pointer i is r3.i:q.
PROLOGUE = """
(W) and (1|M0) r127.0<1>:ud r0.0<0;1,0>:ud 0xFFFFFFC0:ud
(W) send.ugm (1|M0) r3 r127 null:0 0xFF000000 0x6210D500
"""
END = "(W) send.gtwy (1|M0) null r112 null:0 0x0 0x02000010 {EOT}\n"


def assemble(text: str) -> bytes:
    """Encodes instructions.

    Raises:
        ToolFailure: iga64 refuses one of them.
    """
    with tempfile.TemporaryDirectory(prefix="mltc-asm-") as folder:
        source, code = Path(folder, "k.asm"), Path(folder, "k.bin")
        source.write_text(text)
        platform = load_target(TARGET).iga_platform
        argv = ["-a", f"-p={platform}", source, "-o", code]
        run_tool(find_tool("iga64"), argv, timeout=120)
        return code.read_bytes()


def zebin(
    code: bytes, arguments: int, *, simd: int = 16, registers: int = 128, slm: int = 0
) -> Zebin:
    """A binary with one kernel ``k`` that takes pointers and has ``slm`` bytes of local memory."""
    pointers = "".join(
        f"      - {{arg_type: arg_bypointer, offset: {8 * i}, size: 8, arg_index: {i}, "
        "addrmode: stateless}\n"
        for i in range(arguments)
    )
    info = (
        f"kernels:\n  - name: k\n    execution_env: {{grf_count: {registers}, "
        f"simd_size: {simd}, slm_size: {slm}}}\n    payload_arguments:\n{pointers}"
    )
    sections = {".text.k": code, ".ze_info": info.encode()}
    return Zebin(EM_INTELGT, sections, {}, (), ())


def run(
    body: str, buffers: list[Bytes], *, simd: int = 16, items: int | None = None,
    options: SimulatorOptions | None = None, slm: int = 0,
) -> Profile:  # fmt: skip
    """Runs instructions in one group; what they write is in ``buffers`` afterwards.

    The group is one thread unless ``items`` is more than ``simd``.
    """
    code = assemble(PROLOGUE + body + END)
    simulator = Simulator(zebin(code, len(buffers), simd=simd, slm=slm), options)
    try:
        allocations = [simulator.memory.allocate(buffer.size) for buffer in buffers]
        for allocation, buffer in zip(allocations, buffers, strict=True):
            allocation.write(buffer)
        profile = simulator.kernel("k").launch((1, 1, 1), (items or simd, 1, 1), allocations)
        for allocation, buffer in zip(allocations, buffers, strict=True):
            allocation.read(buffer)
        return profile
    finally:
        simulator.close()


def missing_tools() -> list[str]:
    """What this needs and cannot find."""
    missing = []
    for name in ("iga64", "mlt-sim"):
        try:
            find_tool(name)
        except ToolNotFoundError:
            missing.append(name)
    return missing


# Many cases in one kernel.

SIMD, ITEMS = 32, 27  # the last channels do not exist
FILE = 256  # bytes of the registers of an operand
SOURCES = ("r10", "r14", "r18")
DESTINATION = "r26"
#: A case's memory: r10-r33 before it (flags in r30, accumulator in r31), r26-r33 behind it.
BEFORE, AFTER = 1536, 512
AT = {"r10": 0, "r14": 256, "r18": 512, "r26": 1024, "flags": 1280, "acc": 1344}

LOAD, STORE = "0x0280F780", "0x0200F784"
STEP = "(W) add (1|M0) r{0}.0<1>:q r{0}.0<0;1,0>:q 512:w\n"


def around(instruction: str, accumulator: bool, flags: bool) -> str:
    """Loads a case's registers, runs it, stores what it left."""
    text = ""
    for register in ("r10", "r18", "r26"):
        text += f"(W) send.ugm (1|M0) {register} r4 null:0 0x0 {LOAD}\n" + STEP.format(4)
    for i in range(2 * flags):
        text += f"(W) mov (1|M0) f{i}.0<1>:ud r30.{i}<0;1,0>:ud\n"
    if accumulator:
        text += "(W) mov (16|M0) acc0.0<1>:ud r31.0<1;1,0>:ud\n"
    text += instruction + "\n"
    if accumulator:
        text += "(W) mov (16|M0) r31.0<1>:ud acc0.0<1;1,0>:ud\n"
    for i in range(2 * flags):
        text += f"(W) mov (1|M0) r30.{i}<1>:ud f{i}.0<0;1,0>:ud\n"
    return text + f"(W) send.ugm (1|M0) null r5 r26:8 0x0 {STORE}\n" + STEP.format(5)


def execute(
    texts: list[str], before: list[bytes], mode: Mode, accumulator: bool = False, flags: bool = True
) -> list[bytes]:
    """Runs instructions one after the other, each with registers of its own."""
    body = (
        f"(W) mov (1|M0) cr0.0<1>:ud 0x{mode.cr0:x}:ud\n"
        "(W) mov (1|M0) r4.0<1>:q r3.0<0;1,0>:q\n(W) mov (1|M0) r5.0<1>:q r3.1<0;1,0>:q\n"
    ) + "".join(around(text, accumulator, flags) for text in texts)
    source = np.frombuffer(b"".join(before), np.uint8).copy()
    target = np.zeros(AFTER * len(texts), np.uint8)
    buffers: list[Bytes] = [source, target]
    run(body, buffers, simd=SIMD, items=ITEMS)
    return [bytes(target[i : i + AFTER]) for i in range(0, target.size, AFTER)]
