"""Running decoded operations: frames, and control flow between blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from mltc.interpret.errors import InterpretError, OpError
from mltc.interpret.formats import Value
from mltc.interpret.program import Function, Operation, Region
from mltc.interpret.registry import OPERATIONS

if TYPE_CHECKING:
    from mltc.interpret.memory import Memory

MAX_CALLS = 200
"""How deep functions may call each other."""


@dataclass(frozen=True)
class Branch:
    """Where a terminator goes on, with the values of the block's arguments."""

    block: int
    values: tuple[Value, ...]


@dataclass
class Machine:
    """What the programs of one launch share.

    `limit` is how often one `while` loop or block may run; a kernel that waits for a program
    which comes later would never end, because programs run one after the other.
    """

    functions: dict[str, Function]
    memory: Memory
    grid: tuple[int, int, int]
    limit: int
    undefined: str | None = None
    program: tuple[int, int, int] = (0, 0, 0)
    printed: Callable[[str], None] = print
    calls: int = 0

    def call(self, name: str, values: Sequence[Value]) -> tuple[Value, ...]:
        """Runs a function."""
        if name not in self.functions:
            raise OpError(f"expected a function '{name}' in the module, found none")
        if self.calls >= MAX_CALLS:
            raise OpError(f"more than {MAX_CALLS} calls inside of each other")
        function = self.functions[name]
        self.calls += 1
        try:
            return Frame(self, [None] * function.slots).run(function.body, values)
        finally:
            self.calls -= 1


@dataclass
class Frame:
    """One activation of a function: the values of its slots."""

    machine: Machine
    slots: list[Value] = field(default_factory=list)

    def run(self, region: Region, arguments: Sequence[Value] = ()) -> tuple[Value, ...]:
        """Runs a region from its entry to a terminator that leaves it; returns its operands."""
        branch = Branch(0, tuple(arguments))
        visits = 0
        while True:
            block = region.blocks[branch.block]
            for slot, value in zip(block.arguments, branch.values, strict=True):
                self.slots[slot] = value
            for op in block.operations[:-1]:
                self.execute(op)
            last = self.execute(block.operations[-1])
            if not isinstance(last, Branch):
                return last if isinstance(last, tuple) else ()
            branch = last
            visits += 1
            self.check_limit(visits, block.operations[-1])

    def check_limit(self, count: int, op: Operation) -> None:
        """Refuses loops that seem to have no end."""
        if count > self.machine.limit:
            raise self.error(
                op,
                f"went around more than {self.machine.limit} times; programs run one after the "
                "other, so waiting for a later one does not end",
            )

    def execute(self, op: Operation) -> Any:
        """Runs one operation and keeps its results; returns what its handler did."""
        try:
            result = op.handler(self, op, *[self.slots[slot] for slot in op.operands])
        except OpError as error:
            raise self.error(op, str(error)) from None
        if op.results:
            values = result if isinstance(result, tuple) else (result,)
            for slot, value in zip(op.results, values, strict=True):
                self.slots[slot] = value
        return result

    def error(self, op: Operation, message: str) -> InterpretError:
        """An error at an operation of the running program."""
        program = ", ".join(map(str, self.machine.program))
        return InterpretError(f"{op.where}: error: '{op.name}' in program ({program}): {message}")


def runs_on_tensors(region: Region) -> bool:
    """Whether a region on scalars can run once on tensors of them."""
    return region.is_straight and all(
        OPERATIONS[op.name].elementwise for op in region.blocks[0].operations[:-1]
    )


def as_int(value: Value) -> int:
    """A scalar integer as a Python number."""
    return int(np.asarray(value))
