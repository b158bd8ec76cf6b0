"""Types of SSA values, read from MLIR's Python bindings.

The bindings do not know the ``tt`` dialect: its types come as text (``ptr<f16>``), whose
inside is a type that the bindings can parse again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mltc.interpret.errors import InterpretError
from mltc.interpret.formats import FORMATS, POINTER, Format


@dataclass(frozen=True)
class Type:
    """An element format and a shape; the shape of a scalar is ().

    `pointee` is what a pointer points to: its element type, or the block of a block pointer.
    """

    format: Format
    shape: tuple[int, ...] = ()
    is_tensor: bool = False
    pointee: Type | None = None
    is_descriptor: bool = False

    @property
    def is_block(self) -> bool:
        """Whether it is a block pointer or a descriptor."""
        return self.is_descriptor or (self.pointee is not None and self.pointee.is_tensor)


def _split_parameters(text: str) -> list[str]:
    """The parameters between the brackets of ``name<a, b>``, split at the outer commas."""
    parts, depth, start = [], 0, 0
    for i, char in enumerate(text):
        if char in "<[({":
            depth += 1
        elif char in ">])}" and text[i - 1 : i + 1] != "->":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    return [*parts, text[start:].strip()]


class TypeReader:
    """Translates types of one MLIR context, each once."""

    def __init__(self, ir: Any, context: Any) -> None:
        self._ir = ir
        self._context = context
        self._known: dict[str, Type] = {}

    def read(self, type: Any) -> Type:
        """The type behind one of the bindings'.

        Raises:
            InterpretError: no value of this type can be interpreted.
        """
        text = str(type)
        if text not in self._known:
            self._known[text] = self._translate(type, text)
        return self._known[text]

    def _parse(self, text: str) -> Type:
        return self.read(self._ir.Type.parse(text, self._context))

    def _translate(self, type: Any, text: str) -> Type:
        if isinstance(type, self._ir.RankedTensorType):
            element = self.read(type.element_type)
            return Type(element.format, tuple(type.shape), True, element.pointee)
        if isinstance(type, self._ir.OpaqueType) and type.dialect_namespace == "tt":
            name, _, rest = type.data.partition("<")
            inside = _split_parameters(rest[:-1])[0]
            if name == "ptr":
                return Type(POINTER, pointee=self._parse(inside))
            if name == "tensordesc":
                block = inside if inside.startswith("tensor<") else f"tensor<{inside}>"
                return Type(POINTER, pointee=self._parse(block), is_descriptor=True)
        if isinstance(type, self._ir.IntegerType):
            text = f"i{type.width}"
        if text in FORMATS:
            return Type(FORMATS[text])
        raise InterpretError(f"expected types of Triton IR, found '{text}'")
