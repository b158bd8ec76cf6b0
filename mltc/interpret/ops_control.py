"""Functions, ``scf`` and ``cf``; what the grid says."""

from __future__ import annotations

from typing import Any

import numpy as np

from mltc.interpret.errors import OpError
from mltc.interpret.formats import Array, Value
from mltc.interpret.machine import Branch, Frame, as_int
from mltc.interpret.ops_arith import unsigned
from mltc.interpret.program import Operation
from mltc.interpret.registry import handles


@handles(
    "tt.return",
    "scf.yield",
    "scf.condition",
    "tt.reduce.return",
    "tt.scan.return",
    "tt.map_elementwise.return",
)
def _leave(frame: Frame, op: Operation, *values: Value) -> tuple[Value, ...]:
    return values


@handles("tt.call", reads=("callee",))
def _call(frame: Frame, op: Operation, *values: Value) -> tuple[Value, ...]:
    return frame.machine.call(op.attribute("callee"), values)


@handles("tt.get_program_id", reads=("axis",))
def _program_id(frame: Frame, op: Operation) -> Array:
    return np.asarray(frame.machine.program[op.attribute("axis")], np.int32)


@handles("tt.get_num_programs", reads=("axis",))
def _num_programs(frame: Frame, op: Operation) -> Array:
    return np.asarray(frame.machine.grid[op.attribute("axis")], np.int32)


@handles(
    "tt.grid_dependency_wait",
    "tt.grid_dependency_launch_dependents",
    "gpu.barrier",
    "ttg.barrier",
    "ttg.local_barrier",
)
def _nothing(frame: Frame, op: Operation) -> None:
    """Programs run one after the other and tiles as a whole: there is nothing to wait for."""


@handles("scf.for", reads=("unsignedCmp",))
def _for(
    frame: Frame, op: Operation, low: Value, high: Value, step: Value, *carried: Value
) -> tuple[Value, ...]:
    is_unsigned = bool(op.attribute("unsignedCmp", False))
    first, end, by = (as_int(unsigned(v) if is_unsigned else v) for v in (low, high, step))
    if by <= 0:
        raise OpError(f"expected a positive step, found {by}")
    dtype = op.operand_types[0].format.dtype
    for index in range(first, end, by):
        carried = frame.run(op.regions[0], (np.asarray(index).astype(dtype), *carried))
    return carried


@handles("scf.while")
def _while(frame: Frame, op: Operation, *carried: Value) -> tuple[Value, ...]:
    count = 0
    while True:
        condition, *values = frame.run(op.regions[0], carried)
        if not condition:
            return tuple(values)
        carried = frame.run(op.regions[1], values)
        count += 1
        frame.check_limit(count, op)


@handles("scf.if")
def _if(frame: Frame, op: Operation, condition: Value) -> tuple[Value, ...]:
    region = op.regions[0 if condition else 1]
    return frame.run(region) if region.blocks else ()


@handles("scf.execute_region")
def _execute_region(frame: Frame, op: Operation) -> tuple[Value, ...]:
    return frame.run(op.regions[0])


@handles("scf.index_switch", reads=("cases",))
def _index_switch(frame: Frame, op: Operation, value: Value) -> tuple[Value, ...]:
    cases = list(op.attribute("cases", []))
    chosen = as_int(value)
    # The first region is the default.
    return frame.run(op.regions[cases.index(chosen) + 1 if chosen in cases else 0])


@handles("cf.br")
def _branch(frame: Frame, op: Operation, *values: Value) -> Branch:
    return Branch(op.successors[0], values)


@handles("cf.cond_br", reads=("operandSegmentSizes",))
def _conditional_branch(frame: Frame, op: Operation, condition: Value, *values: Value) -> Branch:
    count = op.segments()[1]
    if condition:
        return Branch(op.successors[0], values[:count])
    return Branch(op.successors[1], values[count:])


@handles(
    "cf.switch",
    reads=(
        "operandSegmentSizes",
        "case_values",
        "case_operand_segments",
    ),
)
def _switch(frame: Frame, op: Operation, flag: Value, *values: Value) -> Branch:
    cases: Any = op.attribute("case_values")
    known = [] if cases is None else [int(case) for case in np.asarray(cases).ravel()]
    sizes = list(op.attribute("case_operand_segments", []))
    defaults = op.segments()[1]
    if as_int(flag) not in known:
        return Branch(op.successors[0], values[:defaults])
    at = known.index(as_int(flag))
    start = defaults + sum(sizes[:at])
    return Branch(op.successors[at + 1], values[start : start + sizes[at]])


@handles("cf.assert", reads=("msg",))
def _assert(frame: Frame, op: Operation, condition: Value) -> None:
    if not condition:
        raise OpError(f"assertion failed: {op.attribute('msg')}")
