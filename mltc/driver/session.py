"""One build's working directory, its commands, and what is left when it fails.

All intermediate files of a build lie in one directory from the start.  A build that succeeds
removes it (unless ``--save-temps`` named it); a build that fails leaves it as it is, so the
commands that were run can be run again, and adds the input, the pipeline, the versions of
the tools, the output of each command and one line that repeats the build.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import mltc
from mltc.errors import MltcError, UsageError
from mltc.toolchain import Completed, Tool, ToolFailure, find_tool, run_tool

Report = Callable[[str], None]


def file_name(text: str) -> str:
    """A name as part of a file name and of a pass option, which takes only some characters."""
    return re.sub(r"[^A-Za-z0-9_.+-]", "_", text)


def silent(_: str) -> None:
    """A report that says nothing."""


class BuildFailure(MltcError):
    """A build failed; ``bundle`` holds everything needed to look into it."""

    def __init__(self, error: MltcError, bundle: Path, command: str) -> None:
        super().__init__(error.message, hint=error.hint)
        self.error = error
        self.bundle = bundle
        self.command = command
        self.exit_code = error.exit_code


class CompilerError(MltcError):
    """``mlt-opt`` or ``mlt-translate`` refused the input; the message is its diagnostics."""


@dataclass
class Command:
    """A command that was run: the tool, its line, how long it took, and what it printed."""

    tool: str
    argv: Sequence[str]
    seconds: float
    output: str


@dataclass
class Session:
    """The state of one build."""

    directory: Path
    timeout: float
    report: Report = silent
    commands: list[Command] = field(default_factory=list)
    tools: dict[str, Tool] = field(default_factory=dict)

    def tool(self, name: str) -> Tool:
        """Finds a tool once.

        Raises:
            ToolNotFoundError: it is not there.
        """
        if name not in self.tools:
            self.tools[name] = find_tool(name)
        return self.tools[name]

    def path(self, name: str) -> Path:
        """A file of this build."""
        return self.directory / name

    def run(self, name: str, args: Sequence[str | Path], *, cwd: Path | None = None) -> Completed:
        """Runs a tool and records the command.

        Raises:
            ToolNotFoundError, ToolFailure: as :func:`mltc.toolchain.run_tool`.
        """
        tool = self.tool(name)
        argv = [*tool.argv, *map(str, args)]
        self.report(f"+ {shlex.join(argv)}")
        start = time.monotonic()
        try:
            done = run_tool(tool, args, timeout=self.timeout, cwd=cwd, log_dir=self.directory)
        except ToolFailure as failure:
            self.commands.append(Command(name, argv, time.monotonic() - start, failure.output))
            raise
        self.commands.append(Command(name, argv, done.seconds, done.text + done.errors))
        self.report(f"  {done.seconds:.2f} s")
        return done

    def run_compiler(self, name: str, args: Sequence[str | Path]) -> Completed:
        """Runs one of our own tools; what it prints on failure are diagnostics for the user.

        Raises:
            CompilerError: it refused the input.
            ToolFailure: it crashed or took too long.
        """
        try:
            done = self.run(name, args)
        except ToolFailure as failure:
            if failure.returncode == 1 and failure.output.strip():
                raise CompilerError(failure.output.rstrip()) from None
            raise
        if done.errors.strip():  # warnings and remarks
            print(done.errors.rstrip(), file=sys.stderr)
        return done

    def versions(self) -> dict[str, str]:
        """Versions of the tools used so far."""
        found = {"mltc": mltc.__version__}
        for name, tool in sorted(self.tools.items()):
            try:
                found[name] = tool.version()
            except ToolFailure as failure:
                found[name] = f"unknown ({failure.reason})"
        return found

    def write_bundle(self, error: MltcError, reproduce: str) -> None:
        """Completes the directory of a failed build."""
        log = [
            f"+ {shlex.join(command.argv)}\n# {command.seconds:.2f} s\n{command.output.rstrip()}\n"
            for command in self.commands
        ]
        self.path("commands.txt").write_text("\n".join(log))
        self.path("error.txt").write_text(f"{error}\n")
        self.path("versions.json").write_text(json.dumps(self.versions(), indent=2) + "\n")
        self.path("reproduce.sh").write_text(f"#!/bin/sh\nexec {reproduce}\n")


@contextmanager
def working_directory(keep: Path | None, parent: Path | None) -> Iterator[Path]:
    """A directory for intermediate files, removed on success unless it is to be kept.

    Raises:
        UsageError: it cannot be made.
    """
    try:
        if keep is not None:
            keep.mkdir(parents=True, exist_ok=True)
        elif parent is not None:
            parent.mkdir(parents=True, exist_ok=True)
        directory = keep or Path(tempfile.mkdtemp(prefix="mltc-build-", dir=parent))
    except OSError as error:
        where = keep or parent or tempfile.gettempdir()
        raise UsageError(f"cannot keep files in '{where}': {error.strerror}") from None
    if keep is not None:
        yield keep
        return
    try:
        yield directory
    except MltcError:
        raise
    except BaseException:
        shutil.rmtree(directory, ignore_errors=True)
        raise
    shutil.rmtree(directory, ignore_errors=True)
