"""Layout of a toolchain prefix, such as the `.toolchain/` of a checkout.

A prefix is a small Debian tree made by `mltc.toolchain.install`. Its programs
need the C library they were built for, which is newer than the one of most
machines, so they are never started directly: the prefix's own dynamic loader
starts them with the prefix's own libraries. Nothing of the system changes and
the directory can be moved as a whole.

Only the standard library is used here: the installer runs before the packages
of the virtual environment are there.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

#: Directory of the libraries and of the dynamic loader inside a prefix.
LIB_DIR = Path("usr/lib/x86_64-linux-gnu")
#: The tools a complete prefix holds, by the names used everywhere in mltc.
PREFIX_TOOLS = ("ocloc", "llvm-spirv", "iga64")
#: What the installer found, written last: a prefix without it is incomplete.
VERSIONS_FILE = "versions.json"

_VERSIONS_LIMIT = 1 << 20  # bytes; the file is a few kilobytes


def loader(prefix: Path) -> Path:
    """The dynamic loader of `prefix` (which need not exist)."""
    return prefix / LIB_DIR / "ld-linux-x86-64.so.2"


def loader_argv(prefix: Path, extra_lib_dirs: Sequence[Path] = ()) -> list[str]:
    """The start of a command that runs a program with the prefix's libraries."""
    dirs = [prefix / LIB_DIR, *extra_lib_dirs]
    return [str(loader(prefix)), "--library-path", ":".join(map(str, dirs))]


def is_executable(path: Path) -> bool:
    """Whether `path` is a file this process may execute."""
    return path.is_file() and os.access(path, os.X_OK)


def tool_argv(prefix: Path, name: str) -> list[str] | None:
    """How to start tool `name` of `prefix`; None when it is not there.

    A prefix with its own dynamic loader starts `usr/bin/<name>` through it. Any
    other directory is taken as an ordinary prefix with `bin/<name>`.
    """
    program = prefix / "usr/bin" / name
    if is_executable(loader(prefix)) and is_executable(program):
        return [*loader_argv(prefix), str(program)]
    program = prefix / "bin" / name
    return [str(program)] if is_executable(program) else None


def read_versions(prefix: Path) -> dict[str, Any] | None:
    """What the installer recorded in `prefix`; None when absent or unreadable."""
    path = prefix / VERSIONS_FILE
    try:
        if path.stat().st_size > _VERSIONS_LIMIT:
            return None
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return data if isinstance(data, dict) else None


def checkouts() -> list[Path]:
    """The source checkouts this process belongs to, nearest first.

    One is where this file lies (editable install, or run from the source), the
    other is the directory around the running virtual environment.
    """
    found: list[Path] = []
    candidates = [Path(__file__).resolve().parents[2]]
    if sys.prefix != sys.base_prefix:
        candidates.append(Path(sys.prefix).parent)
    for directory in candidates:
        if (directory / "pyproject.toml").is_file() and directory not in found:
            found.append(directory)
    return found


def local_prefixes() -> list[Path]:
    """Where `.toolchain/` is looked for, nearest first; none need exist.

    Checkouts come first; then the directory around the running virtual
    environment and the environment itself, for an installed wheel.
    """
    directories = checkouts()
    if sys.prefix != sys.base_prefix:
        directories += [Path(sys.prefix).parent, Path(sys.prefix)]
    unique = dict.fromkeys(directory / ".toolchain" for directory in directories)
    return list(unique)


def default_prefix() -> Path:
    """Where the installer puts the toolchain when it is not told."""
    places = checkouts()
    if places:
        return places[0] / ".toolchain"
    if sys.prefix != sys.base_prefix:
        return Path(sys.prefix) / ".toolchain"
    return Path(".toolchain")
