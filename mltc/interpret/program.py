"""Functions, blocks and operations of a module, decoded once from MLIR's Python bindings.

The bindings are slow to ask again for every execution of an operation in a loop, so
everything an operation needs is turned into plain Python first: operands become numbers of
slots, attributes Python values, types :class:`mltc.interpret.types.Type`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mltc.errors import MltcError
from mltc.interpret.errors import InterpretError
from mltc.interpret.registry import OPERATIONS, Handler
from mltc.interpret.types import Type, TypeReader
from mltc.toolchain import ToolFailure, find_tool, run_tool

MAX_SOURCE_BYTES = 64 * 1024 * 1024
TIMEOUT = 120.0  # seconds for mlt-opt


@dataclass
class Block:
    """Operations in order; the last one is the terminator."""

    arguments: tuple[int, ...] = ()
    operations: list[Operation] = field(default_factory=list)


@dataclass
class Region:
    """Blocks in order; the first is the entry."""

    blocks: list[Block] = field(default_factory=list)

    @property
    def is_straight(self) -> bool:
        """One block without regions inside: it may run on tensors instead of scalars."""
        return len(self.blocks) == 1 and not any(op.regions for op in self.blocks[0].operations)


@dataclass
class Operation:
    """An operation with all it needs to run."""

    name: str
    where: str
    operands: tuple[int, ...]
    results: tuple[int, ...]
    operand_types: tuple[Type, ...]
    result_types: tuple[Type, ...]
    regions: tuple[Region, ...]
    successors: tuple[int, ...]
    attributes: dict[str, Any]
    handler: Handler

    def attribute(self, name: str, default: Any = None) -> Any:
        """An attribute as int, float, str, bool, list or array; `default` when it is absent."""
        value = self.attributes[name]
        return default if value is None else value

    def segments(self) -> list[int]:
        """Sizes of the groups of operands."""
        sizes: list[int] = self.attribute("operandSegmentSizes", [])
        return sizes


@dataclass
class Function:
    """A function; `slots` is how many values it defines."""

    name: str
    where: str
    is_kernel: bool
    argument_types: tuple[Type, ...]
    argument_names: tuple[str | None, ...]
    divisibility: tuple[int | None, ...]
    body: Region
    slots: int


def _import_bindings() -> Any:
    # Importing costs some tenths of a second, which no other command should pay.
    try:
        import mlir.ir as ir
    except ImportError as error:
        raise MltcError(
            f"cannot import MLIR's Python bindings: {error}",
            hint="install mltc[interpret] (the wheel xtc-mlir-python-bindings)",
        ) from None
    return ir


def describe_location(location: Any) -> tuple[str | None, str]:
    """(name, "file:line:column") of a location: the innermost file it leads to."""
    name: str | None = None
    for _ in range(64):  # nesting is bounded, whatever the input says
        if location.is_a_name():
            name = name or location.name_str
            location = location.child_loc
        elif location.is_a_callsite():
            callee = location.callee
            known = describe_location(callee)[1]
            if known != "unknown location":
                return name, known
            location = location.caller
        elif location.is_a_fused() and location.locations:
            location = location.locations[0]
        elif location.is_a_file():
            return name, f"{location.filename}:{location.start_line}:{location.start_col}"
        else:
            break
    return name, "unknown location"


class _Decoder:
    def __init__(self, ir: Any, context: Any) -> None:
        self.ir = ir
        self.types = TypeReader(ir, context)
        self.slots: dict[Any, int] = {}

    def slot(self, value: Any) -> int:
        return self.slots.setdefault(value, len(self.slots))

    def region(self, region: Any) -> Region:
        blocks = list(region.blocks)
        numbers = {block: number for number, block in enumerate(blocks)}
        result = Region()
        for block in blocks:
            arguments = tuple(self.slot(argument) for argument in block.arguments)
            operations = [self.operation(op.operation, numbers) for op in block.operations]
            result.blocks.append(Block(arguments, operations))
        return result

    def operation(self, op: Any, blocks: dict[Any, int]) -> Operation:
        where = describe_location(op.location)[1]
        entry = OPERATIONS.get(op.name)
        if entry is None:
            raise InterpretError(
                f"{where}: error: '{op.name}' is not interpreted; expected workgroup-level IR of "
                "the dialects tt, arith, math, scf, cf and ub"
            )
        try:
            operand_types = tuple(self.types.read(value.type) for value in op.operands)
            result_types = tuple(self.types.read(value.type) for value in op.results)
        except InterpretError as error:
            raise InterpretError(f"{where}: error: '{op.name}': {error.message}") from None
        return Operation(
            name=op.name,
            where=where,
            operands=tuple(self.slot(value) for value in op.operands),
            results=tuple(self.slot(value) for value in op.results),
            operand_types=operand_types,
            result_types=result_types,
            regions=tuple(self.region(region) for region in op.regions),
            successors=tuple(blocks[block] for block in op.successors),
            attributes={name: self.attribute(op, name) for name in entry.attributes},
            handler=entry.handler,
        )

    def attribute(self, op: Any, name: str) -> Any:
        attributes = op.attributes
        return self.value(attributes[name]) if name in attributes else None

    def value(self, attribute: Any) -> Any:
        ir = self.ir
        if isinstance(attribute, ir.BoolAttr | ir.FloatAttr | ir.StringAttr | ir.IntegerAttr):
            return attribute.value
        if isinstance(attribute, ir.FlatSymbolRefAttr):
            return attribute.value
        if isinstance(attribute, ir.UnitAttr):
            return True
        if isinstance(attribute, ir.DenseI32ArrayAttr | ir.DenseI64ArrayAttr | ir.ArrayAttr):
            return [self.value(x) if isinstance(x, ir.Attribute) else x for x in attribute]
        if isinstance(attribute, ir.DictAttr):
            return {named.name: self.value(named.attr) for named in attribute}
        if isinstance(attribute, ir.DenseElementsAttr):
            return self.elements(attribute)
        return str(attribute)

    def elements(self, attribute: Any) -> Any:
        type = self.types.read(attribute.type)
        if attribute.is_splat:
            return np.full(type.shape, attribute.get_splat_value().value, type.format.dtype)
        if type.format.small:
            raise InterpretError(f"expected constants of {type.format.name} of one value")
        return np.array(list(attribute), type.format.dtype).reshape(type.shape)

    def function(self, op: Any) -> Function:
        self.slots = {}
        name = op.attributes["sym_name"].value
        where = describe_location(op.location)[1]
        region = self.region(op.regions[0])
        if not region.blocks:
            raise InterpretError(f"{where}: error: function '{name}' has no body")
        arguments = list(next(iter(op.regions[0].blocks)).arguments)
        promises = self.attribute(op, "arg_attrs") or [{}] * len(arguments)
        return Function(
            name=name,
            where=where,
            is_kernel=self.attribute(op, "sym_visibility") != "private",
            argument_types=tuple(self.types.read(argument.type) for argument in arguments),
            argument_names=tuple(describe_location(argument.location)[0] for argument in arguments),
            divisibility=tuple(promise.get("tt.divisibility") for promise in promises),
            body=region,
            slots=len(self.slots),
        )


def read_program(source: str | bytes) -> dict[str, Function]:
    """The functions of a Triton IR module: a file's path, or the text itself as bytes.

    Raises:
        InterpretError: mlt-opt refused it, or it holds what cannot be interpreted.
        MltcError: mlt-opt or the bindings are missing.
    """
    ir = _import_bindings()
    arguments = ["--mlir-print-op-generic", "--mlir-print-debuginfo"]
    data = source if isinstance(source, bytes) else None
    if data is not None and len(data) > MAX_SOURCE_BYTES:
        raise InterpretError(f"the source is larger than {MAX_SOURCE_BYTES} bytes")
    try:
        done = run_tool(
            find_tool("mlt-opt"),
            [*arguments, "-" if isinstance(source, bytes) else source],
            timeout=TIMEOUT,
            input=data,
            keep_output=False,
        )
    except ToolFailure as failure:
        if failure.returncode == 1 and failure.output.strip():
            raise InterpretError(failure.output.rstrip()) from None
        raise
    with ir.Context() as context, ir.Location.unknown(context):
        context.allow_unregistered_dialects = True
        module = ir.Module.parse(done.text, context)
        functions: dict[str, Function] = {}
        for op in module.body.operations:
            if op.operation.name == "tt.func":
                function = _Decoder(ir, context).function(op.operation)
                functions[function.name] = function
        return functions
