"""Integer expressions over the values of a launch, as the compiler records them in a manifest.

A launch precondition such as "the pitch of this block access is a multiple of 16 bytes" is
about values that exist only at launch.  The compiler therefore writes the value as a small
JSON tree over argument indices and the extents of the grid; this module validates such a
tree (bounded depth, known operations) and evaluates it with the values of a launch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MAX_DEPTH = 64
MAX_NODES = 4096
GRID_AXES = 3
_INT64_MIN, _INT64_MAX = -(2**63), 2**63 - 1


class ExpressionError(ValueError):
    """The tree is malformed, or its value does not exist (division by zero, overflow)."""


def _div_trunc(lhs: int, rhs: int) -> int:
    if rhs == 0:
        raise ExpressionError("division by zero")
    quotient = abs(lhs) // abs(rhs)
    return quotient if (lhs < 0) == (rhs < 0) else -quotient


def _rem_trunc(lhs: int, rhs: int) -> int:
    return lhs - rhs * _div_trunc(lhs, rhs)


def _div_floor(lhs: int, rhs: int) -> int:
    if rhs == 0:
        raise ExpressionError("division by zero")
    return lhs // rhs


def _div_ceil(lhs: int, rhs: int) -> int:
    return -_div_floor(-lhs, rhs)


def _shift(lhs: int, rhs: int, left: bool) -> int:
    if not 0 <= rhs < 64:
        raise ExpressionError(f"shift by {rhs}")
    return lhs << rhs if left else lhs >> rhs


def _unsigned(apply: Callable[[int, int], int]) -> Callable[[int, int], int]:
    def checked(lhs: int, rhs: int) -> int:
        if lhs < 0 or rhs < 0:
            raise ExpressionError(f"unsigned operation on {lhs} and {rhs}")
        return apply(lhs, rhs)

    return checked


OPERATIONS: Mapping[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div_s": _div_trunc,
    "div_u": _unsigned(_div_trunc),
    "rem_s": _rem_trunc,
    "rem_u": _unsigned(_rem_trunc),
    "floordiv_s": _div_floor,
    "ceildiv_s": _div_ceil,
    "ceildiv_u": _unsigned(_div_ceil),
    "min_s": min,
    "max_s": max,
    "min_u": _unsigned(min),
    "max_u": _unsigned(max),
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "shl": lambda a, b: _shift(a, b, True),
    "shr_s": lambda a, b: _shift(a, b, False),
    "shr_u": _unsigned(lambda a, b: _shift(a, b, False)),
}
_SYMBOLS = {
    "add": "+", "sub": "-", "mul": "*", "div_s": "/", "div_u": "/", "rem_s": "%", "rem_u": "%",
    "and": "&", "or": "|", "xor": "^", "shl": "<<", "shr_s": ">>", "shr_u": ">>",
}  # fmt: skip


@dataclass(frozen=True)
class Argument:
    """The value of the kernel argument with this index."""

    index: int


@dataclass(frozen=True)
class Constant:
    """A 64-bit signed constant."""

    value: int


@dataclass(frozen=True)
class NumPrograms:
    """The number of programs (work-groups) along program id axis 0, 1 or 2."""

    axis: int


@dataclass(frozen=True)
class Operation:
    """A binary operation from :data:`OPERATIONS`."""

    name: str
    lhs: Expression
    rhs: Expression


Expression = Argument | Constant | NumPrograms | Operation


def _integer(value: Any, what: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ExpressionError(f"expected an integer as {what}, got {value!r:.80}")
    return value


def parse(tree: Any) -> Expression:
    """Builds an expression from its JSON form.

    ``{"arg": index}``, ``{"const": value}``, ``{"num_programs": axis}`` or
    ``{"op": name, "lhs": tree, "rhs": tree}``.

    Raises:
        ExpressionError: anything else, or more than MAX_DEPTH levels or MAX_NODES nodes.
    """
    budget = [MAX_NODES]
    return _parse(tree, MAX_DEPTH, budget)


def _parse(tree: Any, depth: int, budget: list[int]) -> Expression:
    budget[0] -= 1
    if depth == 0 or budget[0] < 0:
        raise ExpressionError(f"expression exceeds {MAX_DEPTH} levels or {MAX_NODES} nodes")
    if not isinstance(tree, dict):
        raise ExpressionError(f"expected an object, got {type(tree).__name__}")
    keys = set(tree)
    if keys == {"arg"}:
        index = _integer(tree["arg"], "argument index")
        if index < 0:
            raise ExpressionError(f"expected an argument index of at least 0, got {index}")
        return Argument(index)
    if keys == {"const"}:
        value = _integer(tree["const"], "constant")
        if not _INT64_MIN <= value <= _INT64_MAX:
            raise ExpressionError(f"constant {value} does not fit in 64 bits")
        return Constant(value)
    if keys == {"num_programs"}:
        axis = _integer(tree["num_programs"], "grid axis")
        if not 0 <= axis < GRID_AXES:
            raise ExpressionError(f"expected a grid axis of 0, 1 or 2, got {axis}")
        return NumPrograms(axis)
    if keys == {"op", "lhs", "rhs"}:
        name = tree["op"]
        if not isinstance(name, str) or name not in OPERATIONS:
            raise ExpressionError(f"unknown operation {name!r:.40}")
        lhs = _parse(tree["lhs"], depth - 1, budget)
        return Operation(name, lhs, _parse(tree["rhs"], depth - 1, budget))
    raise ExpressionError(
        f"expected arg, const, num_programs, or op with lhs and rhs, got keys {sorted(keys)}"
    )


def dump(expression: Expression) -> dict[str, Any]:
    """The JSON form of an expression; the inverse of :func:`parse`."""
    if isinstance(expression, Argument):
        return {"arg": expression.index}
    if isinstance(expression, Constant):
        return {"const": expression.value}
    if isinstance(expression, NumPrograms):
        return {"num_programs": expression.axis}
    return {"op": expression.name, "lhs": dump(expression.lhs), "rhs": dump(expression.rhs)}


def evaluate(expression: Expression, arguments: Mapping[int, int], grid: Sequence[int] = ()) -> int:
    """The value of the expression in a launch.

    Args:
        expression: a validated tree.
        arguments: values of the integer arguments by index.
        grid: work-groups along each axis.

    Raises:
        ExpressionError: an argument is not an integer, the grid has no such axis, a
            division by zero, or a value outside the signed 64-bit range.
    """
    if isinstance(expression, Constant):
        return expression.value
    if isinstance(expression, Argument):
        if expression.index not in arguments:
            raise ExpressionError(f"argument {expression.index} has no integer value")
        return arguments[expression.index]
    if isinstance(expression, NumPrograms):
        if expression.axis >= len(grid):
            raise ExpressionError(f"the grid has no axis {expression.axis}")
        return grid[expression.axis]
    value = OPERATIONS[expression.name](
        evaluate(expression.lhs, arguments, grid), evaluate(expression.rhs, arguments, grid)
    )
    if not _INT64_MIN <= value <= _INT64_MAX:
        raise ExpressionError(f"{expression.name} overflows 64 bits")
    return value


def arguments_of(expression: Expression) -> set[int]:
    """The indices of all arguments that occur in the expression."""
    if isinstance(expression, Argument):
        return {expression.index}
    if isinstance(expression, Constant | NumPrograms):
        return set()
    return arguments_of(expression.lhs) | arguments_of(expression.rhs)


def render(expression: Expression, names: Mapping[int, str]) -> str:
    """A readable form, ``K * 2``, with argument names where they are known."""
    if isinstance(expression, Argument):
        return names.get(expression.index, f"arg{expression.index}")
    if isinstance(expression, Constant):
        return str(expression.value)
    if isinstance(expression, NumPrograms):
        return f"num_programs({expression.axis})"
    lhs, rhs = render(expression.lhs, names), render(expression.rhs, names)
    symbol = _SYMBOLS.get(expression.name)
    if symbol is None:
        return f"{expression.name}({lhs}, {rhs})"
    wrap = [f"({text})" if " " in text else text for text in (lhs, rhs)]
    return f"{wrap[0]} {symbol} {wrap[1]}"
