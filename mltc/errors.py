"""The errors mltc raises on purpose.

Every one of them carries a message for the user and, where there is something to do about
it, a hint.  The command line prints both and exits with :attr:`MltcError.exit_code`;
anything else that escapes is a defect of mltc and keeps its traceback.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class MltcError(Exception):
    """Base of all errors with a message meant for the user.

    Attributes:
        message: what went wrong, lower case, without a final full stop.
        hint: what to do about it, or None.
    """

    exit_code = 1

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return self.message if self.hint is None else f"{self.message}\nhint: {self.hint}"


class UsageError(MltcError):
    """The request itself makes no sense (wrong option, wrong combination)."""

    exit_code = 2


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Returns ``"; did you mean 'x'?"`` for the nearest known word, or an empty string."""
    # Long names share much by chance, short ones differ much by one letter.
    cutoff = 0.6 if len(word) < 8 else 0.75
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=cutoff)
    return f"; did you mean '{near[0]}'?" if near else ""
