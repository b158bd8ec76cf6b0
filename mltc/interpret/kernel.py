"""Launching an interpreted kernel: arguments as a compiled kernel takes them, a grid, results.

Descriptor arguments are passed as the parts that a compiled kernel takes: base, sizes,
strides, whether it pads with NaN, whether it rounds to tf32.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from mltc.interpret import (  # noqa: F401 - these enter handlers
    ops_arith,
    ops_atomic,
    ops_collective,
    ops_control,
    ops_dot,
    ops_math,
    ops_tensor,
)
from mltc.interpret.errors import InterpretError
from mltc.interpret.formats import FORMATS, Value
from mltc.interpret.machine import Machine
from mltc.interpret.memory import Memory
from mltc.interpret.ops_memory import PAD_NAN, Block
from mltc.interpret.program import Function, read_program
from mltc.interpret.types import Type
from mltc.package.manifest import Argument, ArgumentKind, select_kernel
from mltc.runtime.arguments import check_grid
from mltc.runtime.errors import ArgumentError
from mltc.runtime.types import check_array_dtype, pack_scalar


@dataclass(frozen=True)
class Options:
    """How a launch is interpreted.

    `undefined` is what a load gives where the IR says nothing: `poison` (NaN, or a number
    nobody expects) or `zero`. By default masked elements without another value are poison
    and elements beyond a block pointer's tensor zero. `loop_limit` bounds `while` loops.
    """

    undefined: Literal["poison", "zero"] | None = None
    loop_limit: int = 1 << 20
    printed: Callable[[str], None] = print


def _flattened(number: int, type: Type, name: str | None, promise: int | None) -> list[Argument]:
    """The launch arguments that stand for one argument of the function."""

    def make(kind: ArgumentKind, text: str, suffix: str = "", unit: int | None = None) -> Argument:
        label = name + suffix if name else None
        return Argument(index=number, name=label, kind=kind, type=text, divisibility=unit)

    if not type.is_descriptor:
        pointee = type.pointee
        if type.is_block or type.is_tensor:
            raise InterpretError(f"argument {number}: kernels take pointers, numbers, descriptors")
        text = pointee.format.name if pointee else type.format.name
        return [make("pointer" if pointee else "scalar", text, unit=promise)]
    assert type.pointee is not None
    rank = len(type.pointee.shape)
    return [
        make("descriptor_base", type.pointee.format.name),
        *(make("descriptor_shape", "i64", f".shape.{dim}") for dim in range(rank)),
        *(make("descriptor_stride", "i64", f".stride.{dim}") for dim in range(rank)),
        make("descriptor_flag", "i1", ".padding"),
        make("descriptor_flag", "i1", ".round"),
    ]


def _scalar(argument: Argument, value: Any) -> Value:
    """A checked scalar as the kernel sees it, with the bits that a device would get."""
    packed = bytes(pack_scalar(argument, value))
    form = FORMATS[argument.type]
    return form.from_memory(np.frombuffer(packed, form.storage)[0])


@dataclass
class InterpretedKernel:
    """A kernel of a module."""

    function: Function
    functions: dict[str, Function]
    args: tuple[Argument, ...] = field(init=False)

    def __post_init__(self) -> None:
        f = self.function
        parts = [
            part
            for number, described in enumerate(
                zip(f.argument_types, f.argument_names, f.divisibility, strict=True)
            )
            for part in _flattened(number, *described)
        ]
        self.args = tuple(
            part.model_copy(update={"index": index}) for index, part in enumerate(parts)
        )

    @property
    def name(self) -> str:
        """The function's name."""
        return self.function.name

    def launch(
        self, grid: int | Sequence[int], *values: Any, options: Options | None = None
    ) -> None:
        """Runs all programs of a grid one after the other; results are in the arrays.

        Raises:
            ArgumentError: arguments that do not fit.
            InterpretError: a program did something wrong.
        """
        options = options or Options()
        groups = check_grid(grid)
        if len(values) != len(self.args):
            raise ArgumentError(
                f"kernel '{self.name}' takes {len(self.args)} arguments, got {len(values)}"
            )
        given = list(zip(self.args, values, strict=True))
        arrays = [(arg, self._array(arg, value)) for arg, value in given if arg.is_pointer]
        memory = Memory([(arg.name or f"argument {arg.index}", array) for arg, array in arrays])
        addresses = iter(memory.addresses)
        bound: Iterator[Value] = iter(
            [
                np.asarray(next(addresses), np.int64) if arg.is_pointer else _scalar(arg, value)
                for arg, value in given
            ]
        )
        parameters = [self._parameter(type, bound) for type in self.function.argument_types]
        machine = Machine(
            self.functions,
            memory,
            groups,
            options.loop_limit,
            options.undefined,
            printed=options.printed,
        )
        with np.errstate(all="ignore"):
            for z, y, x in itertools.product(*(range(n) for n in reversed(groups))):
                machine.program = (x, y, z)
                machine.call(self.name, parameters)

    @staticmethod
    def _array(argument: Argument, value: Any) -> np.ndarray[Any, Any]:
        if not isinstance(value, np.ndarray):
            raise ArgumentError(
                f"{argument.label}: expected a NumPy array, got {type(value).__name__}"
            )
        check_array_dtype(argument, value.dtype)
        return value

    @staticmethod
    def _parameter(type: Type, values: Iterator[Value]) -> Value:
        """The value of one argument of the function."""
        if not type.is_descriptor:
            return next(values)
        assert type.pointee is not None
        block = type.pointee.shape
        base = int(next(values))
        shape = tuple(int(next(values)) for _ in block)
        strides = tuple(int(next(values)) for _ in block)
        padding = PAD_NAN if next(values) else 1
        rounds = bool(next(values)) and type.pointee.format.name == "f32"
        return Block(base, shape, strides, (0,) * len(block), block, padding, rounds)


class InterpretedModule:
    """The kernels of a Triton IR file."""

    def __init__(self, functions: dict[str, Function]) -> None:
        self.kernels: Mapping[str, InterpretedKernel] = {
            name: InterpretedKernel(function, functions)
            for name, function in functions.items()
            if function.is_kernel
        }

    def kernel(self, name: str | None = None) -> InterpretedKernel:
        """A kernel by name; without a name the only one.

        Raises:
            UsageError: there is no such kernel, or there are several.
        """
        return select_kernel(self.kernels, name)


def interpret(source: str | os.PathLike[str] | bytes) -> InterpretedModule:
    """Reads Triton IR for interpretation: a file's path, or the text itself as bytes.

    Raises:
        InterpretError: mlt-opt refused it, or it holds operations that are not interpreted.
        MltcError: mlt-opt or MLIR's Python bindings are missing.
    """
    text = source if isinstance(source, bytes) else os.fspath(source)
    return InterpretedModule(read_program(text))
