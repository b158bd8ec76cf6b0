"""Launch preconditions: what the compiler could not prove and the hardware relies on.

A 2-D block access with a pitch of 1000 bytes does not fault on the GPU, it reads something
else.  The compiler records each such requirement in the manifest; here they are evaluated
with the arguments of one launch, and the launch is refused with the argument, its value, the
limit and the source line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mltc.package import expression as expr
from mltc.package.manifest import Array, BaseAlignment, Block2D, Comparison, Kernel
from mltc.runtime.errors import PreconditionError
from mltc.target import Block2DLimits

MAX_REPORTED = 8


@dataclass(frozen=True)
class LaunchValues:
    """The values of one launch.

    Attributes:
        addresses: of the pointer arguments, by index.
        available: bytes behind each pointer, by index, where known.
        integers: values of the integer arguments, by index.
        grid: work-groups along each axis.
    """

    addresses: Mapping[int, int]
    available: Mapping[int, int]
    integers: Mapping[int, int]
    grid: tuple[int, int, int] = (1, 1, 1)

    def evaluate(self, tree: expr.Expression) -> int:
        """The value of an expression in this launch.

        Raises:
            ExpressionError: it has none.
        """
        return expr.evaluate(tree, self.integers, self.grid)


def _where(loc: str | None) -> str:
    return f" ({loc})" if loc else ""


def _base_alignment(kernel: Kernel, rule: BaseAlignment, values: LaunchValues) -> Iterator[str]:
    address = values.addresses[rule.arg]
    if address % rule.value:
        reason = f": {rule.reason}" if rule.reason else ""
        yield (
            f"{kernel.args[rule.arg].label}: address {address:#x} is not a multiple of "
            f"{rule.value} bytes{reason}{_where(rule.loc)}"
        )


_COMPARE = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "multiple_of": lambda a, b: b != 0 and a % b == 0,
}
_COMPARE_TEXT = {
    "eq": "equal to", "ne": "different from", "lt": "less than", "le": "at most",
    "gt": "greater than", "ge": "at least", "multiple_of": "a multiple of",
}  # fmt: skip


def _comparison(kernel: Kernel, rule: Comparison, values: LaunchValues) -> Iterator[str]:
    lhs, rhs = values.evaluate(rule.lhs), values.evaluate(rule.rhs)
    if not _COMPARE[rule.compare](lhs, rhs):
        reason = f": {rule.reason}" if rule.reason else ""
        limit = expr.render(rule.rhs, kernel.names)
        limit += "" if isinstance(rule.rhs, expr.Constant) else f" = {rhs}"
        yield (
            f"{expr.render(rule.lhs, kernel.names)} = {lhs}, expected "
            f"{_COMPARE_TEXT[rule.compare]} {limit}{reason}{_where(rule.loc)}"
        )


@dataclass(frozen=True)
class _Quantity:
    """A value of a block access as a message names it: ``pitch K * 2 = 1000 bytes``."""

    name: str
    text: str
    value: int
    unit: str

    def __str__(self) -> str:
        return f"{self.name} {self.text} = {self.value} {self.unit}"


def _size_rules(
    width: _Quantity, height: _Quantity, pitch: _Quantity, elem_bytes: int, limits: Block2DLimits
) -> Iterator[str]:
    largest = 2**limits.max_extent_log2
    multiple = max(limits.width_multiple_bytes, elem_bytes)
    if width.value < limits.min_width_bytes:
        yield f"{width} is less than {limits.min_width_bytes}"
    if width.value % multiple:
        yield f"{width} is not a multiple of {multiple}"
    if height.value < 1:
        yield f"{height} is less than 1"
    if pitch.value < limits.min_pitch_bytes:
        yield f"{pitch} is less than {limits.min_pitch_bytes}"
    if pitch.value % limits.pitch_multiple_bytes:
        yield f"{pitch} is not a multiple of {limits.pitch_multiple_bytes}"
    if pitch.value < width.value:
        yield f"{pitch} is less than the width of {width.value} bytes"
    for quantity in (width, height, pitch):
        if quantity.value > largest:
            yield f"{quantity} is greater than 2^{limits.max_extent_log2}"


def _quantities(
    kernel: Kernel, rule: Array | Block2D, values: LaunchValues
) -> tuple[_Quantity, _Quantity, _Quantity]:
    """Width, height and pitch."""

    def quantity(name: str, tree: expr.Expression, scale: int, unit: str) -> _Quantity:
        text = expr.render(tree, kernel.names)
        shown = text if scale == 1 else f"{f'({text})' if ' ' in text else text} * {scale}"
        return _Quantity(name, shown, values.evaluate(tree) * scale, unit)

    return (
        quantity("width", rule.width, rule.elem_bytes, "bytes"),
        quantity("height", rule.height, 1, "rows"),
        quantity("pitch", rule.pitch, rule.elem_bytes, "bytes"),
    )


def _array(
    kernel: Kernel,
    rule: Array | Block2D,
    values: LaunchValues,
    sizes: tuple[_Quantity, _Quantity, _Quantity],
) -> Iterator[str]:
    """An array that is smaller than the matrix that the kernel is told about."""
    if rule.base is None:
        return
    width, height, pitch = (quantity.value for quantity in sizes)
    available = values.available.get(rule.base)
    needed = (height - 1) * pitch + width
    if available is not None and min(width, height) > 0 and needed > available:
        yield (
            f"{kernel.args[rule.base].label}: {available} bytes are too few for {height} rows of "
            f"{width} bytes at a pitch of {pitch} ({needed} bytes){_where(rule.loc)}"
        )


def _block_2d(
    kernel: Kernel, rule: Block2D, values: LaunchValues, limits: Block2DLimits
) -> Iterator[str]:
    suffix = f" in a 2-D block {rule.access}{_where(rule.loc)}"
    label = "" if rule.base is None else f"{kernel.args[rule.base].label}: "
    if rule.base is not None:
        address = values.addresses[rule.base]
        if address % limits.base_alignment_bytes:
            multiple = limits.base_alignment_bytes
            yield f"{label}address {address:#x} is not a multiple of {multiple}{suffix}"
    sizes = _quantities(kernel, rule, values)
    for problem in _size_rules(*sizes, rule.elem_bytes, limits):
        yield f"{label}{problem}{suffix}"
    yield from _array(kernel, rule, values, sizes)


def check(kernel: Kernel, values: LaunchValues, limits: Block2DLimits) -> None:
    """Refuses a launch that breaks a recorded precondition.

    Raises:
        PreconditionError: naming argument, value, limit and source line of each violation.
    """
    problems: dict[str, None] = {}
    for rule in kernel.preconditions:
        try:
            if isinstance(rule, BaseAlignment):
                found = list(_base_alignment(kernel, rule, values))
            elif isinstance(rule, Block2D):
                found = list(_block_2d(kernel, rule, values, limits))
            elif isinstance(rule, Array):
                found = list(_array(kernel, rule, values, _quantities(kernel, rule, values)))
            else:
                found = list(_comparison(kernel, rule, values))
        except expr.ExpressionError as error:
            found = [f"a precondition has no value: {error}{_where(rule.loc)}"]
        problems.update(dict.fromkeys(found))
    if problems:
        listed = list(problems)[:MAX_REPORTED]
        more = len(problems) - len(listed)
        text = "\n  ".join(listed) + (f"\n  and {more} more" if more else "")
        raise PreconditionError(f"kernel '{kernel.name}' cannot be launched so:\n  {text}")
