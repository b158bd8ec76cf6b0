"""Launch arguments on the command line: .npy files, new arrays, and scalars.

| text                        | argument                                              |
|-----------------------------|-------------------------------------------------------|
| ``a.npy``                   | the array in the file                                 |
| ``a.npy:out``               | the same, written back to the file after the launch   |
| ``c.npy:out=256x256xf32``   | a new array of zeros, written to the file             |
| ``42``, ``-1.5``, ``true``  | a scalar                                              |
"""

from __future__ import annotations

import io
import math
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mltc.errors import UsageError
from mltc.package import Argument
from mltc.package.container import write_atomically
from mltc.package.manifest import signature_text
from mltc.runtime import ArgumentError
from mltc.runtime.types import array_dtype

MAX_ARRAY_BYTES = 1 << 36
MAX_HEADER_BYTES = 1 << 16
_HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}
_ARRAY = re.compile(r"(?P<path>.+\.npy)(?P<out>:out(?:=(?P<shape>.+))?)?\Z")
_SHAPE = re.compile(r"(?P<sizes>(?:[0-9]+x)+)(?P<type>[A-Za-z][A-Za-z0-9]*)\Z")


@dataclass(frozen=True)
class HostArgument:
    """A launch argument, and the file it is written to afterwards."""

    value: Any
    output: Path | None = None

    def save(self) -> None:
        """Writes an output array to its file."""
        if self.output is not None:
            buffer = io.BytesIO()
            np.save(buffer, self.value, allow_pickle=False)
            write_atomically(self.output, buffer.getvalue())


def _new_array(text: str, arg: Argument) -> Any:
    match = _SHAPE.match(text)
    if not match:
        raise UsageError(f"{arg.label}: expected a shape such as 256x256xf32, got '{text}'")
    sizes = [int(size) for size in match.group("sizes").split("x")[:-1]]
    if match.group("type") != arg.type:
        raise UsageError(
            f"{arg.label}: expected element type {arg.type}, got {match.group('type')}"
        )
    dtype = array_dtype(arg.type)
    if math.prod(sizes) * dtype.itemsize > MAX_ARRAY_BYTES:
        raise UsageError(f"{arg.label}: an array of shape {text} is too large")
    try:
        return np.zeros(sizes, dtype=dtype)
    except (ValueError, MemoryError) as error:  # more dimensions or bytes than there can be
        raise UsageError(f"{arg.label}: no array of shape {text}: {error}") from None


def _load(path: Path, arg: Argument) -> Any:
    """Reads a .npy file; its header says how much, so that is looked at first."""
    try:
        with path.open("rb") as file:
            version = np.lib.format.read_magic(file)
            read_header = _HEADERS.get(version)
            if read_header is None:
                raise ValueError(f"format {version[0]}.{version[1]} is not known")
            shape, fortran, dtype = read_header(file, max_header_size=MAX_HEADER_BYTES)
            nbytes = math.prod(shape) * dtype.itemsize
            behind = os.fstat(file.fileno()).st_size - file.tell()
            if dtype.hasobject or nbytes > MAX_ARRAY_BYTES or nbytes > behind:
                raise ValueError(f"it says {nbytes} bytes of {dtype}, and has {behind}")
            array = np.fromfile(file, dtype, math.prod(shape))
    except (OSError, ValueError, EOFError, MemoryError, OverflowError) as error:
        raise UsageError(f"{arg.label}: cannot read '{path}': {error}") from None
    return array.reshape(shape, order="F" if fortran else "C")


def _scalar(text: str, arg: Argument) -> Any:
    words = {"true": True, "false": False}
    if arg.type == "i1" and text.lower() in words:
        return words[text.lower()]
    try:
        return int(text, 0) if arg.type.startswith("i") else float(text)
    except ValueError:
        raise UsageError(
            f"{arg.label}: expected a value of type {arg.type}, got '{text}'"
        ) from None


def parse_argument(text: str, arg: Argument) -> HostArgument:
    """Reads one argument.

    Raises:
        UsageError: the text does not fit the argument, or a file cannot be read.
    """
    match = _ARRAY.match(text)
    if not arg.is_pointer:
        if match:
            raise UsageError(f"{arg.label}: expected a value of type {arg.type}, got file '{text}'")
        return HostArgument(_scalar(text, arg))
    if not match:
        raise UsageError(
            f"{arg.label}: expected a .npy file for a pointer to {arg.type}, got '{text}'"
        )
    path = Path(match.group("path"))
    output = path if match.group("out") else None
    shape = match.group("shape")
    try:
        return HostArgument(_new_array(shape, arg) if shape else _load(path, arg), output)
    except ArgumentError as error:
        raise UsageError(error.message) from None


def parse_arguments(
    texts: Sequence[str], kernel: str, args: Sequence[Argument]
) -> list[HostArgument]:
    """Reads all arguments of a launch.

    Raises:
        UsageError: there are too many or too few, or as :func:`parse_argument`.
    """
    if len(texts) != len(args):
        expected = signature_text(kernel, args)
        raise UsageError(f"expected {len(args)} --arg for {expected}, got {len(texts)}")
    return [parse_argument(text, arg) for text, arg in zip(texts, args, strict=True)]
