"""What the simulator reports of a faulty kernel: each fault is provoked in machine code.

Races, missing waits and reads of what nobody wrote; where in the source it happened.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from randomness import rng

from execution.machine_code import END, PROLOGUE, assemble, missing_tools, run, zebin
from mltc.package.zebin import Relocation, Zebin
from mltc.simulator import SimulationError, Simulator, SimulatorOptions

pytestmark = pytest.mark.skipif(bool(missing_tools()), reason=f"no {missing_tools()}")

CHECKS = SimulatorOptions(checks=True)

# Two threads exchange 16 dwords through shared local memory: each writes its own, then reads
# what the other wrote and stores it.
OWN_PLACE = """
(W) and (1|M0) r6.0<1>:ud r0.2<0;1,0>:ud 0xFF:ud
(W) shl (1|M0) r6.0<1>:ud r6.0<0;1,0>:ud 6:w
(W) mov (8|M0) r7.0<1>:uw 0x76543210:uv
(W) add (8|M0) r7.8<1>:uw r7.0<1;1,0>:uw 8:w
shl (16|M0) r8.0<1>:ud r7.0<1;1,0>:uw 2:w
add (16|M0) r8.0<1>:ud r8.0<1;1,0>:ud r6.0<0;1,0>:ud
xor (16|M0) r9.0<1>:ud r8.0<1;1,0>:ud 64:w
add (16|M0) r10.0<1>:ud r8.0<1;1,0>:ud 1000:w
"""
WRITE = "send.slm (16|M0) null r8 r10:1 0x0 0x02000504 {$1}\n"
BARRIER = """
(W) mov (1|M0) r12.2<1>:ud 0x02020000:ud
(W) send.gtwy (1|M0) null r12 null:0 0x0 0x02000004 {$2}
sync.bar null
"""
READ = "send.slm (16|M0) r11 r9 null:0 0x0 0x02100500 {$3}\n"
RESULT = """
(W) add (1|M0) r4.0<1>:q r3.0<0;1,0>:q r6.0<0;1,0>:ud
sync.nop null {$3.dst}
(W) send.ugm (1|M0) null r4 r11:1 0x0 0x0200D584 {$4}
"""


def exchange(*parts: str) -> np.ndarray:
    out = np.zeros(128, np.uint8)
    run("".join((OWN_PLACE, *parts, RESULT)), [out], items=32, slm=128, options=CHECKS)
    return out.view(np.uint32)


def test_threads_that_meet_at_a_barrier() -> None:
    found = exchange(WRITE, BARRIER, READ)
    assert (found == 1000 + 4 * (np.arange(32) ^ 16)).all()


def test_a_missing_barrier() -> None:
    # Who comes first reads what the other has yet to write, or overwrites it.
    with pytest.raises(SimulationError, match=r"never written|races with thread \d"):
        exchange(WRITE, READ)


def test_a_race_of_a_read_and_a_later_write() -> None:
    # Both write once more behind the barrier, where the other reads.
    with pytest.raises(SimulationError, match=r"races with thread \d for shared local memory"):
        exchange(WRITE, BARRIER, WRITE, READ)


def test_a_race_of_two_writes() -> None:
    with pytest.raises(SimulationError, match=r"races with thread 0 for shared local memory"):
        exchange("mov (16|M0) r8.0<1>:ud 0:w\n", WRITE, BARRIER, READ)


def test_a_race_of_a_read_and_a_write() -> None:
    # The second barrier is missing: who is first overwrites what the other still has to read.
    with pytest.raises(SimulationError, match=r"races with thread \d for shared local memory"):
        exchange(WRITE, BARRIER, READ, WRITE)


def test_local_memory_that_nobody_wrote() -> None:
    with pytest.raises(SimulationError, match=r"shared local memory at \d+ that was never written"):
        exchange(READ)


LOADED = "(W) send.ugm (1|M0) r11 r3 null:0 0x0 0x0210D580 {$4}\n"
DOUBLED = "add (16|M0) r12.0<1>:ud r11.0<1;1,0>:ud r11.0<1;1,0>:ud{0}\n"
STORED = "(W) send.ugm (1|M0) null r3 r12:1 0x0 0x0200D584 {$5}\n"
CLEARED = "mov (16|M0) r12.0<1>:ud 0:w{0}\n"


@pytest.mark.parametrize(
    ("waits", "report"),
    [
        ((" {$4.dst}", " {$5.src}"), None),
        (("", " {$5.src}"), "reads the result of an instruction that was not waited for"),
        ((" {$4.src}", " {$5.src}"), "reads the result"),
        ((" {$4.dst}", ""), "overwrites a source of an instruction that was not waited for"),
        ((" {$4.dst}", " {$4.dst}"), "overwrites a source"),
    ],
)
def test_waits(waits: tuple[str, str], report: str | None) -> None:
    """A load that is used and a store whose payload is overwritten."""
    data = rng().integers(0, 256, 64, np.uint8)
    wanted = data.view(np.uint32) * np.uint32(2)
    body = LOADED + DOUBLED.replace("{0}", waits[0]) + STORED + CLEARED.replace("{0}", waits[1])
    if report is None:
        run(body, [data], options=CHECKS)
        assert (data.view(np.uint32) == wanted).all()
    else:
        with pytest.raises(SimulationError, match=report):
            run(body, [data], options=CHECKS)


COPY = (
    "(W) mov (1|M0) r4.0<1>:q r3.0<0;1,0>:q\n(W) mov (1|M0) r5.0<1>:q r3.1<0;1,0>:q\n"
    "(W) send.ugm (1|M0) r11 r4 null:0 0x0 0x0210D580\n"  # 64 bytes
    "(W) send.ugm (1|M0) null r5 r11:1 0x0 0x0200D584\n"
)


def test_global_memory_that_nobody_wrote() -> None:
    simulator = Simulator(zebin(assemble(PROLOGUE + COPY + END), 2), CHECKS)
    try:
        first, second, third = (simulator.memory.allocate(64, track=True) for _ in range(3))
        copy = simulator.kernel("k")

        def launch(*arrays: object, options: SimulatorOptions = CHECKS) -> None:
            copy.launch((1, 1, 1), (16, 1, 1), arrays, options)

        data = rng().integers(0, 256, 64, np.uint8)
        first.write(data[:60])
        with pytest.raises(SimulationError, match=f"0x{first.pointer + 60:x} that was never"):
            launch(first, second)
        launch(first, second, options=replace(CHECKS, checks=False))
        with pytest.raises(SimulationError, match="never written"):
            launch(second, third)  # without checks nobody kept count
        first.write(data)
        launch(first, second)
        launch(second, third)  # what a kernel wrote is written
        assert (third.data == data).all()
    finally:
        simulator.close()


def debug_sections(lines: list[tuple[int, int]], end: int) -> dict[str, bytes]:
    """DWARF 4 that says which address begins which line of kernel.py."""
    program = b"\x00\x09\x02" + bytes(8)  # address 0
    address, line = 0, 1
    for start, number in lines:
        program += b"\x02" + _leb(start - address) + b"\x03" + _leb(number - line) + b"\x01"
        address, line = start, number
    program += b"\x02" + _leb(end - address) + b"\x00\x01\x01"
    header = bytes([1, 1, 1, 0xFB, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0])
    header += b"kernel.py\0" + bytes(3) + b"\0"
    body = (4).to_bytes(2, "little") + len(header).to_bytes(4, "little") + header + program
    unit = b"\x04\x00" + bytes(4) + b"\x08" + b"\x01" + bytes(4)
    return {
        ".debug_line": len(body).to_bytes(4, "little") + body,
        ".debug_info": len(unit).to_bytes(4, "little") + unit,
        ".debug_abbrev": bytes([1, 0x11, 0, 0x10, 0x17, 0, 0, 0]),  # a unit with line numbers
    }


def _leb(value: int) -> bytes:
    """A signed or unsigned number below 8192."""
    return bytes([value & 0x7F | 0x80, value >> 7])


def test_the_line_of_the_source() -> None:
    code = assemble(PROLOGUE + COPY + END)
    # The prologue is 2 instructions, the load the third of COPY; none is compacted.
    assert len(code) >= 16 * 7
    binary = zebin(code, 2)
    lines = debug_sections([(0, 10), (16 * 4, 12), (16 * 5, 15)], len(code))
    for sections, where in ((lines, True), ({}, False), ({".debug_line": b"\xff" * 9}, False)):
        simulator = Simulator(replace(binary, sections={**binary.sections, **sections}))
        try:
            good = simulator.memory.allocate(64)
            kernel = simulator.kernel("k")
            for arrays, line in (((bytes(8), good), 12), ((good, bytes(8)), 15)):
                with pytest.raises(SimulationError, match="outside every allocation") as caught:
                    kernel.launch((1, 1, 1), (16, 1, 1), arrays)
                assert (f"\n  at kernel.py:{line}" in caught.value.message) == where
        finally:
            simulator.close()


def with_data(relocation: Relocation) -> Simulator:
    """A binary without kernels whose constants hold an address."""
    sections = {
        ".ze_info": b"version: '1.0'\nkernels: []\n",
        ".data.const": bytes(range(24)), ".data.global": bytes(16),
    }  # fmt: skip
    return Simulator(Zebin(0, sections, {}, (), (relocation,)))


def test_addresses_in_data_are_filled_in() -> None:
    simulator = with_data(
        Relocation(".rel.data.const", 8, "table", False, False, 1, ".data.global", 4)
    )
    where = simulator.sections
    (place,) = (a for a in simulator.memory if a.pointer == where[".data.const"])
    read = np.zeros(24, np.uint8)
    place.read(read)
    held = read.tobytes()
    assert held[:8] == bytes(range(8)) and held[16:] == bytes(range(16, 24))
    assert int.from_bytes(held[8:16], "little") == where[".data.global"] + 4


def test_an_address_of_what_is_nowhere_is_refused() -> None:
    simulator = with_data(Relocation(".rela.data.const", 0, "table", True, False, 1))
    with pytest.raises(SimulationError, match=r"section \.data\.const refers to 'table', which"):
        _ = simulator.sections
