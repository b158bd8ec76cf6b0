"""Printing: errors, notes, JSON, and small tables; plain text, no colour."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import click

from mltc.driver.session import BuildFailure, CompilerError
from mltc.errors import MltcError


def print_error(error: MltcError) -> None:
    """Prints an error with its hint; compiler diagnostics are passed through as they are."""
    cause = error.error if isinstance(error, BuildFailure) else error
    has_position = isinstance(cause, CompilerError) or ": error: " in error.message.split("\n")[0]
    prefix = "" if has_position else "mltc: error: "
    click.echo(prefix + error.message, err=True)
    if error.hint:
        click.echo(f"hint: {error.hint}", err=True)


def print_note(text: str) -> None:
    """Prints a remark on standard error."""
    click.echo(f"mltc: note: {text}", err=True)


def print_verbose(text: str) -> None:
    """Prints a line of a verbose build on standard error."""
    click.echo(text, err=True)


def print_json(data: Any) -> None:
    """Prints JSON on standard output."""
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))


def table(rows: Sequence[Sequence[str]], indent: str = "") -> str:
    """Left-aligned columns, two blanks apart; the last one is not padded."""
    if not rows:
        return ""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        lines.append((indent + "  ".join(cells)).rstrip())
    return "\n".join(lines)
