"""Types of kernel arguments and values of constants, as people write them.

| text               | argument                                                       |
|--------------------|----------------------------------------------------------------|
| ``*fp16``          | a pointer to fp16                                              |
| ``*fp16:16``       | the same, promised to be a multiple of 16 bytes                |
| ``i32``, ``fp32``  | a scalar                                                       |
| ``i32:16``         | a scalar, promised to be a multiple of 16                      |
| ``i32:1``          | a scalar that is always 1; the kernel then has no such argument |
| ``tensordesc<fp16[64,64]>`` | a tensor descriptor (Triton 3.5 and later)             |
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mltc.errors import UsageError, did_you_mean

SCALARS = (
    "i1", "i8", "i16", "i32", "i64", "u1", "u8", "u16", "u32", "u64",
    "fp16", "bf16", "fp32", "fp64", "fp8e4nv", "fp8e5",
)  # fmt: skip
_DESCRIPTOR = re.compile(r"tensordesc<[a-z0-9]+ *\[ *[0-9]+( *, *[0-9]+)* *\]( *,.*)?>\Z")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


@dataclass(frozen=True)
class ArgumentType:
    """The type of one argument.

    Attributes:
        type: Triton's name of the type.
        divisibility: the promised power of two (bytes for a pointer, units for a scalar), or
            None.
        is_one: whether the argument is the constant 1.
    """

    type: str
    divisibility: int | None = None
    is_one: bool = False

    @classmethod
    def parse(cls, text: str, label: str) -> ArgumentType:
        """Reads one type.

        Raises:
            UsageError: unknown type, or a promise that cannot be made.
        """
        type_, colon, promise = text.strip().partition(":")
        type_ = type_.strip()
        scalar = type_.removeprefix("*")
        if scalar not in SCALARS and not _DESCRIPTOR.match(type_):
            raise UsageError(
                f"{label}: unknown type '{type_}'{did_you_mean(scalar, SCALARS)}",
                hint=f"types: {', '.join(SCALARS)}, * before one for a pointer, tensordesc<T[N,M]>",
            )
        if not colon:
            return cls(type_)
        if not promise.strip().isdecimal():
            raise UsageError(f"{label}: expected a number behind the ':' of '{text.strip()}'")
        value = int(promise)
        if value == 1 and type_[:1] in "iu":
            return cls(type_, is_one=True)
        if type_[:1] not in "*iu" or value < 2 or value > 1 << 20 or value & (value - 1):
            raise UsageError(
                f"{label}: '{text.strip()}' promises nothing that can be used",
                hint="a pointer or an integer can be a multiple of a power of two, "
                "an integer can be 1",
            )
        return cls(type_, divisibility=value)


def _split(text: str) -> list[str]:
    """Splits at the commas outside of brackets, braces and quotes."""
    parts, depth, quote, current = [], 0, "", ""
    for char in text:
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char in "<[({":
            depth += 1
        elif char in ">])}":
            depth -= 1
        if char == "," and depth == 0 and not quote:
            parts.append(current.strip())
            current = ""
        else:
            current += char
    parts.append(current.strip())
    return [part for part in parts if part]


def parse_signature(
    signature: str | Sequence[str] | Mapping[str, str], names: Sequence[str]
) -> dict[str, ArgumentType]:
    """The type of every argument that is no constant.

    Args:
        signature: types in the order of ``names``, separated by commas; or ``name=type``
            for some or all of them; or the same as a list or a mapping.
        names: the parameters of the kernel that got no constant.

    Raises:
        UsageError: a type is wrong, one is missing, or one too many.
    """
    if isinstance(signature, str):
        signature = _split(signature)
    if not isinstance(signature, Mapping):
        positional = [part for part in signature if "=" not in part]
        named = [part.partition("=") for part in signature if "=" in part]
        pairs = {name.strip(): type_.strip() for name, _, type_ in named}
        free = [name for name in names if name not in pairs]
        if len(positional) > len(free):
            raise UsageError(
                f"--signature: expected {len(free)} types ({', '.join(free)}), "
                f"got {len(positional)}",
                hint="parameters with a value in --constexpr have no type",
            )
        signature = {**dict(zip(free, positional, strict=False)), **pairs}
    for name in signature:
        if name not in names:
            raise UsageError(
                f"--signature: the kernel has no argument '{name}'{did_you_mean(name, names)}"
            )
    missing = [name for name in names if name not in signature]
    if missing:
        raise UsageError(
            f"--signature: no type for {', '.join(missing)}",
            hint="give a type in --signature, or a value in --constexpr",
        )
    return {name: ArgumentType.parse(signature[name], name) for name in names}


def parse_constants(text: str) -> dict[str, Any]:
    """Reads ``BM=256,ACT="relu",FLAG=True``; a word that is no Python literal is a string.

    Raises:
        UsageError: not of this form, or a name comes twice.
    """
    result: dict[str, Any] = {}
    for part in _split(text):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not _NAME.match(name):
            raise UsageError(f"--constexpr: expected NAME=VALUE, got '{part}'")
        if name in result:
            raise UsageError(f"--constexpr: '{name}' comes twice")
        try:
            result[name] = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            words = {"true": True, "false": False, "none": None}
            result[name] = words.get(value.lower(), value)
    return result
