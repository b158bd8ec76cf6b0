"""The table of operations: what runs each of them, and which attributes that reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Handler = Callable[..., Any]
"""Takes the frame, the operation and the operands' values; returns the results' (nothing, one
value, or a tuple)."""


@dataclass(frozen=True)
class Entry:
    """How an operation is interpreted.

    `attributes` are read when the module is decoded, so nothing refers to MLIR's objects
    later. `elementwise` operations do the same to whole tensors as to each element of them.
    """

    handler: Handler
    attributes: tuple[str, ...]
    elementwise: bool


OPERATIONS: dict[str, Entry] = {}
"""Every operation that is interpreted, by name."""


def handles(
    *names: str, reads: tuple[str, ...] = (), elementwise: bool = False
) -> Callable[[Handler], Handler]:
    """Enters a handler for operations."""

    def enter(handler: Handler) -> Handler:
        for name in names:
            OPERATIONS[name] = Entry(handler, reads, elementwise)
        return handler

    return enter
