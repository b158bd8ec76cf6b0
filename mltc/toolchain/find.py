"""Finding the external tools: ocloc, llvm-spirv, iga64, mlt-opt, mlt-translate, mlt-sim.

The order is the same everywhere: what the user says (`MLTC_TOOLCHAIN`, a
prefix directory), then what belongs to this checkout or environment, then
PATH. A tool that is not found is an error that lists every place tried, for a
silent fallback to another version is how wrong binaries are made.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from mltc.errors import MltcError
from mltc.toolchain import prefix as layout

#: Names on PATH, most specific first, where they differ from the tool's name.
_PATH_NAMES = {"llvm-spirv": ("llvm-spirv-22", "llvm-spirv")}
#: Tools built from this repository.
_OWN_TOOLS = ("mlt-opt", "mlt-translate", "mlt-sim")

ENV_PREFIX = "MLTC_TOOLCHAIN"


class ToolNotFoundError(MltcError):
    """An external tool is nowhere to be found.

    Attributes:
        name: the tool that was asked for.
        tried: one line per place that was looked at, in order.
    """

    def __init__(self, name: str, tried: list[str], advice: str) -> None:
        self.name = name
        self.tried = tried
        places = "".join(f"\n  {line}" for line in tried)
        super().__init__(f"cannot find {name}; looked at:{places}", hint=advice)


@dataclass(frozen=True)
class Tool:
    """An external tool and how to start it.

    Attributes:
        name: the tool's name in mltc, e.g. `ocloc`.
        argv: the start of its command line; arguments are appended.
        origin: where it was found and by which rule, for people.
        prefix: the toolchain prefix it belongs to, if it belongs to one.
    """

    name: str
    argv: list[str]
    origin: str
    prefix: Path | None = field(default=None)

    @property
    def path(self) -> Path:
        """The program itself, without what starts it."""
        return Path(self.argv[-1])

    def version(self) -> str:
        """The version the tool reports, e.g. `26.27.039122`; asked once.

        Returns `unknown` when the tool runs but says nothing we understand.

        Raises:
            ToolFailure: the tool could not be run.
        """
        from mltc.toolchain.version import tool_version

        return tool_version(self)


def _in_prefix(name: str, prefix: Path, why: str) -> Tool | None:
    argv = layout.tool_argv(prefix, name)
    return Tool(name, argv, f"{why}: {prefix}", prefix) if argv else None


def _in_directory(name: str, directory: Path, why: str) -> Tool | None:
    program = directory / name
    if not layout.is_executable(program):
        return None
    return Tool(name, [str(program)], f"{why}: {directory}")


def _on_path(name: str) -> Tool | None:
    for candidate in _PATH_NAMES.get(name, (name,)):
        found = shutil.which(candidate)
        if found:
            return Tool(name, [os.path.abspath(found)], f"PATH: {found}")
    return None


def _env_prefix(name: str, advice: str) -> Path | None:
    """The directory in MLTC_TOOLCHAIN, which must exist when it is set."""
    value = os.environ.get(ENV_PREFIX)
    if not value:
        return None
    prefix = Path(value).absolute()
    if not prefix.is_dir():
        tried = [f"{ENV_PREFIX}={value}: no such directory (it must exist when set)"]
        raise ToolNotFoundError(name, tried, advice)
    return prefix


Lookup = tuple[str, Callable[[], Tool | None]]


def _lookups(name: str, env_prefix: Path | None) -> Iterator[Lookup]:
    """The places for `name`, in order: how to call a place, how to look there."""
    if env_prefix:
        why = ENV_PREFIX
        yield f"{why}={env_prefix}", lambda: _in_prefix(name, env_prefix, why)
    else:
        yield f"{ENV_PREFIX}: not set", lambda: None
    if name in _OWN_TOOLS:
        bin_dir = Path(sys.executable).absolute().parent
        yield f"{bin_dir}", lambda: _in_directory(name, bin_dir, "beside Python")
        for root in layout.checkouts():
            build = root / "build/bin"
            yield (
                f"{build}",
                lambda d=build: _in_directory(  # type: ignore[misc]
                    name, d, "build tree"
                ),
            )
    else:
        for prefix in layout.local_prefixes():
            yield (
                f"{prefix}",
                lambda p=prefix: _in_prefix(  # type: ignore[misc]
                    name, p, "checkout or environment"
                ),
            )
    yield f"PATH={os.environ.get('PATH', '')}", lambda: _on_path(name)


def _advice(name: str) -> str:
    if name in _OWN_TOOLS:
        what = "run `make build` in a checkout"
    else:
        what = "run `make setup` in a checkout, or `python -m mltc.toolchain.install`"
    return f"{what}; or set {ENV_PREFIX} to a directory that holds bin/{name}"


def find_tool(name: str) -> Tool:
    """Find the external tool `name`.

    ocloc, llvm-spirv and iga64: `MLTC_TOOLCHAIN`, then the `.toolchain/` of the
    checkout or environment, then PATH. mlt-opt, mlt-translate and mlt-sim:
    `MLTC_TOOLCHAIN`, the directory of the running Python, `build/bin` of the
    checkout, PATH. Any other name: as the first kind.

    Raises:
        ToolNotFoundError: it is in none of these places, or `MLTC_TOOLCHAIN` is
            set to something that is not a directory.
    """
    tried: list[str] = []
    for place, look in _lookups(name, _env_prefix(name, _advice(name))):
        tool = look()
        if tool:
            return tool
        tried.append(place)
    raise ToolNotFoundError(name, tried, _advice(name))


def find_prefix_with(file: Path, what: str) -> Path:
    """The first toolchain prefix that holds `file` (relative to the prefix).

    Raises:
        ToolNotFoundError: no prefix holds it; `what` names it in the message.
    """
    advice = _advice("ocloc").replace("bin/ocloc", str(file))
    env = _env_prefix(what, advice)
    prefixes = ([env] if env else []) + layout.local_prefixes()
    for prefix in prefixes:
        if (prefix / file).exists():
            return prefix
    raise ToolNotFoundError(what, [str(p) for p in prefixes], advice)
