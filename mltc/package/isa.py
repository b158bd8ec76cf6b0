"""Looking at the machine code of a kernel: disassembly with iga64, counts per opcode and loop.

A loop is the run of instructions from a label to a branch back to it; an innermost loop
contains no other.  Sends are counted by the message iga64 names in its comment, such as
``load_block2d.ugm.d16v.a64``; a load that nothing receives is a prefetch and named so, as in
``prefetch_block2d.ugm.d16.a64.ca.ca``.  A message that moves one block for all lanes has a ``t``
behind its size (``load.ugm.d32x16t.a32``); without it every lane has an address of its own.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from mltc.errors import MltcError
from mltc.toolchain import find_tool, run_tool

TIMEOUT = 60.0  # seconds
_LABEL = re.compile(r"^(L\d+):")
_OPCODE = re.compile(r"\s*(?:\([^)]*\)\s*)?([a-z]+[a-z0-9]*)")
_BRANCH = re.compile(r"\b(?:jmpi|while|goto|brc|brd)\b.*?\b(L\d+)")
_MESSAGE = re.compile(r"//.*;\s*(\S.*?)\s*$")
_TO_NULL = re.compile(r"\s*(?:\([^)]*\)\s*)?send\S*\s+\(\d+\|M\d+\)\s+null\b")
_DUMMY_MOVE = re.compile(r"\s*(?:\([^)]*\)\s*)?mov\s+\(\d+\|M\d+\)\s+null<")
_CALLS = ("call", "calla")
_SUBROUTINE = re.compile(r"\bcall\b.*\b(L\d+)")
_SCATTERED = re.compile(r"(?:load|store)(?:_cmask\w*)?\.ugm\.d\d+(?:u\d+)?(?:x\d+)?(?!\w)")
_SCRATCH = re.compile(r"\bscratch\b|\.ugm\..*\bss\[")


@dataclass(frozen=True)
class Counts:
    """Instructions of a piece of code, by opcode and by message of a send.

    Attributes:
        opcodes: number of instructions by opcode.
        messages: number of sends by message.
        dummy_moves: moves to nowhere, which Intel's compiler puts where the address register
            of a message without result is used again (a workaround for the hardware).
        subroutines: calls of a label of the same kernel, as the vector backend makes for
            integer division.
    """

    opcodes: Counter[str] = field(default_factory=Counter)
    messages: Counter[str] = field(default_factory=Counter)
    dummy_moves: int = 0
    subroutines: Counter[str] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        """Number of instructions."""
        return self.opcodes.total()

    @property
    def calls(self) -> int:
        """Number of call instructions that leave the kernel."""
        return sum(self.opcodes[name] for name in _CALLS) - self.subroutines.total()

    @property
    def scattered(self) -> int:
        """Number of loads and stores of global memory with an address per lane."""
        return sum(n for name, n in self.messages.items() if _SCATTERED.match(name))

    @property
    def scratch(self) -> int:
        """Number of messages to the scratch space of a thread, where spills go."""
        return sum(n for name, n in self.messages.items() if _SCRATCH.search(name))

    def messages_like(self, prefix: str) -> int:
        """Number of sends whose message starts with a prefix."""
        return sum(count for name, count in self.messages.items() if name.startswith(prefix))


@dataclass(frozen=True)
class Loop:
    """An innermost loop, named by its label."""

    label: str
    counts: Counts


@dataclass(frozen=True)
class KernelCode:
    """What the code of one kernel consists of."""

    counts: Counts
    loops: tuple[Loop, ...]


def disassemble(code: bytes, platform: str) -> str:
    """Disassembles machine code.

    Args:
        code: the content of a ``.text.<kernel>`` section.
        platform: iga64's name of the device, such as ``12p72``.

    Raises:
        ToolNotFoundError, ToolFailure: iga64 is missing or refuses the code.
    """
    if not code:
        raise MltcError("no code to disassemble")
    with tempfile.TemporaryDirectory(prefix="mltc-isa-") as directory:
        path = Path(directory) / "kernel.bin"
        path.write_bytes(code)
        done = run_tool(find_tool("iga64"), ["-d", f"-p={platform}", path], timeout=TIMEOUT)
    return done.text


def _count(lines: list[str]) -> Counts:
    opcodes: Counter[str] = Counter()
    messages: Counter[str] = Counter()
    subroutines: Counter[str] = Counter()
    dummy_moves = 0
    for line in lines:
        match = _OPCODE.match(line)
        if not match or match.group(1) == "illegal":  # padding behind the end
            continue
        opcode = match.group(1)
        opcodes[opcode] += 1
        dummy_moves += _DUMMY_MOVE.match(line) is not None
        if opcode == "call" and (target := _SUBROUTINE.search(line)):
            subroutines[target.group(1)] += 1
        message = message_of(line) if opcode.startswith("send") else None
        if message:
            messages[message] += 1
    return Counts(opcodes, messages, dummy_moves, subroutines)


def message_of(line: str) -> str | None:
    """The message iga64 names in the comment of a send; a block load to nowhere is a prefetch."""
    message = _MESSAGE.search(line)
    if not message:
        return None
    name = message.group(1)
    if _TO_NULL.match(line) and name.startswith("load_block2d"):
        return "prefetch" + name.removeprefix("load")
    return name


def _structure(listing: str) -> tuple[list[str], dict[str, int]]:
    """The instructions of a disassembly, and the index each label stands for."""
    labels: dict[str, int] = {}
    body: list[str] = []
    for line in listing.splitlines():
        if match := _LABEL.match(line):
            labels[match.group(1)] = len(body)
        elif line.strip() and not line.lstrip().startswith("//"):
            body.append(line)
    return body, labels


def body(listing: str) -> list[str]:
    """The instructions of a disassembly, one a line."""
    return _structure(listing)[0]


def innermost_loops(listing: str) -> list[tuple[int, int, str]]:
    """(index of the first and the last instruction, label) of every innermost loop."""
    lines, labels = _structure(listing)
    loops = []
    for index, line in enumerate(lines):
        branch = _BRANCH.search(line)
        if branch and labels.get(branch.group(1), index + 1) <= index:
            loops.append((labels[branch.group(1)], index, branch.group(1)))
    return [
        (begin, end, label)
        for begin, end, label in loops
        if not any(begin <= b and e <= end and (b, e) != (begin, end) for b, e, _ in loops)
    ]


def analyse(listing: str) -> KernelCode:
    """Counts the instructions of a disassembly, in all and per innermost loop."""
    lines = body(listing)
    found = tuple(
        Loop(label, _count(lines[begin : end + 1]))
        for begin, end, label in innermost_loops(listing)
    )
    return KernelCode(_count(lines), found)
