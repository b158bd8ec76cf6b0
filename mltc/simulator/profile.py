"""What a simulated launch executed: instructions, issue cycles by pipe, bytes of messages.

An issue cycle is one cycle in which a vector engine hands an instruction to a pipe: the lanes
of an instruction divided by the lanes the pipe takes per cycle, from the target description.
Nothing here knows of latencies, caches or stalls; a model of those can start from
``instructions``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any

from mltc.package import isa
from mltc.simulator.process import SimulationError
from mltc.target import Issue, Target

PIPES = ("systolic", "float", "integer", "long", "math", "send", "control")
_LINE = re.compile(r"\s*(?:\([^)]*\)\s*)?([a-z]+[a-z0-9]*)(?:\.(\S+))?\s*(?:\((\d+)\|M\d+\))?")
_TYPE = re.compile(r":(ub|b|uw|w|ud|d|uq|q|hf|bf|f|tf32|df)\b")
_BYTES = {"b": 1, "w": 2, "d": 4, "q": 8, "hf": 2, "bf": 2, "f": 4, "tf32": 4, "df": 8}
_CONTROL = ("sync", "nop", "jmpi", "goto", "join", "call", "ret")


@dataclass(frozen=True)
class InstructionProfile:
    """One instruction: what it is, how often it ran, what it cost and moved."""

    text: str
    opcode: str
    message: str | None
    pipe: str
    count: int
    cycles: int
    bytes: int


@dataclass
class Totals:
    """Sums over instructions; ``cycles`` by pipe, ``bytes`` by kind of message."""

    instructions: int = 0
    opcodes: Counter[str] = field(default_factory=Counter)
    cycles: Counter[str] = field(default_factory=Counter)
    messages: Counter[str] = field(default_factory=Counter)
    bytes: Counter[str] = field(default_factory=Counter)

    def add(self, item: InstructionProfile) -> None:
        """Adds one instruction."""
        self.instructions += item.count
        self.opcodes[item.opcode] += item.count
        self.cycles[item.pipe] += item.cycles
        if item.message is not None:
            self.messages[item.message] += item.count
            if item.bytes:
                self.bytes[item.message] += item.bytes

    def to_json(self) -> dict[str, Any]:
        """The sums as plain data."""
        return {
            "instructions": self.instructions,
            "opcodes": dict(self.opcodes),
            "cycles": dict(self.cycles),
            "messages": dict(self.messages),
            "bytes": dict(self.bytes),
        }


@dataclass(frozen=True)
class LoopProfile:
    """An innermost loop, named by its label; ``entries`` is how often its first line ran."""

    label: str
    entries: int
    totals: Totals


def _pipe(opcode: str, types: list[str]) -> str:
    if opcode == "dpas":
        return "systolic"
    if opcode in ("send", "sends"):
        return "send"
    if opcode == "math":
        return "math"
    if opcode in _CONTROL:
        return "control"
    if "df" in types or "q" in types or "uq" in types:
        return "long"
    return "float" if any(name in ("hf", "bf", "f", "tf32") for name in types) else "integer"


def _cycles(suffix: str, lanes: int, types: list[str], pipe: str, issue: Issue) -> int:
    if pipe == "systolic":
        return int(suffix.rpartition("x")[2])  # the repeat count
    if pipe in ("send", "control"):
        return 1
    if pipe == "math":
        return -(-lanes // issue.math_lanes)
    widest = max((_BYTES[name.lstrip("u")] for name in types), default=4)
    return -(-lanes * widest // issue.register_bytes_per_cycle)


class Code:
    """What the instructions of a kernel are; the same for all its launches."""

    def __init__(self, kernel: str, listing: str, target: Target) -> None:
        self.kernel = kernel
        self._listing = listing
        self._target = target

    @cached_property
    def instructions(self) -> tuple[InstructionProfile, ...]:
        """Every instruction as if it ran once."""
        return tuple(_instruction(line, self._target) for line in isa.body(self._listing))

    @cached_property
    def loops(self) -> list[tuple[int, int, str]]:
        """See :func:`mltc.package.isa.innermost_loops`."""
        return isa.innermost_loops(self._listing)


class Profile:
    """What one launch executed; what is not asked for is not computed."""

    def __init__(self, code: Code, answer: dict[str, Any]) -> None:
        counts, sizes = answer.get("counts"), answer.get("bytes")
        if not isinstance(counts, list) or not isinstance(sizes, list):
            raise SimulationError("the simulator gave no counts")
        self.kernel = code.kernel
        self._code = code
        self._counts = counts
        self._sizes = sizes
        #: Processor time the simulation took, of all its threads.
        self.cpu_seconds = float(answer.get("cpu_seconds", 0.0))

    @property
    def executed(self) -> int:
        """Number of executed instructions."""
        return int(sum(self._counts))

    @cached_property
    def instructions(self) -> tuple[InstructionProfile, ...]:
        """One entry per line of the listing, without padding behind the end."""
        return tuple(
            replace(item, count=count, cycles=item.cycles * count, bytes=size)
            for item, count, size in zip(
                self._code.instructions, self._counts, self._sizes, strict=False
            )
        )

    @cached_property
    def totals(self) -> Totals:
        """Sums over the kernel."""
        return _sum(self.instructions)

    @cached_property
    def loops(self) -> tuple[LoopProfile, ...]:
        """Sums over each innermost loop."""
        return tuple(
            LoopProfile(label, self._counts[begin], _sum(self.instructions[begin : end + 1]))
            for begin, end, label in self._code.loops
        )

    def to_json(self) -> dict[str, Any]:
        """The profile as plain data; instructions that never ran are left out."""
        return {
            "kernel": self.kernel,
            "totals": self.totals.to_json(),
            "loops": [
                {"label": loop.label, "entries": loop.entries, **loop.totals.to_json()}
                for loop in self.loops
            ],
            "instructions": [
                {"index": index, **asdict(item)}
                for index, item in enumerate(self.instructions)
                if item.count
            ],
        }

    def table(self) -> str:
        """A table for people: the kernel, then its loops."""
        rows: list[tuple[str, ...]] = [("", "instructions", *PIPES, "bytes")]
        parts = [(self.kernel, self.totals)]
        parts += [(f"loop {loop.label} x{loop.entries}", loop.totals) for loop in self.loops]
        for name, totals in parts:
            cycles = (str(totals.cycles[pipe]) for pipe in PIPES)
            rows.append((name, str(totals.instructions), *cycles, str(totals.bytes.total())))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join(
            "  ".join(
                text.ljust(width) if at == 0 else text.rjust(width)
                for at, (text, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in rows
        )


def _sum(items: Sequence[InstructionProfile]) -> Totals:
    totals = Totals()
    for item in items:
        if item.count:
            totals.add(item)
    return totals


def _instruction(line: str, target: Target) -> InstructionProfile:
    match = _LINE.match(line)
    if match is None:
        raise SimulationError(f"unexpected line in the listing: {line.strip()}")
    opcode, suffix, lanes = match.group(1), match.group(2) or "", int(match.group(3) or 1)
    message = isa.message_of(line) if opcode.startswith("send") else None
    types = _TYPE.findall(line.partition("//")[0])
    pipe = _pipe(opcode, types)
    cycles = _cycles(suffix, lanes, types, pipe, target.issue)
    return InstructionProfile(line.strip(), opcode, message, pipe, 1, cycles, 0)
