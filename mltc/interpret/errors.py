"""Errors of the interpreter."""

from __future__ import annotations

from mltc.errors import MltcError


class InterpretError(MltcError):
    """The kernel did something that is an error, or holds something not interpreted.

    The message starts with file, line and column of the operation where there is one.
    """


class OpError(Exception):
    """What went wrong in an operation; the frame that runs it adds where."""
