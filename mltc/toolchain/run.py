"""Running external tools: child process, timeout, and a failure one can read.

The tools are big programs that may crash, hang or eat their input's mistakes
in silence. Each runs in a process group of its own, is killed with all its
children when its time is over, and a failure says which command, how it ended
and what it printed, with the whole output kept in a file.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mltc.errors import MltcError
from mltc.toolchain.find import Tool

_TAIL_LINES = 20
_KILL_GRACE = 5.0  # seconds to wait for a killed process group


@dataclass(frozen=True)
class Completed:
    """A tool's successful run.

    Attributes:
        argv: the whole command line.
        stdout, stderr: what it printed, raw.
        seconds: wall-clock time it took, in seconds.
    """

    argv: tuple[str, ...]
    stdout: bytes
    stderr: bytes
    seconds: float

    @property
    def text(self) -> str:
        """Standard output as text."""
        return self.stdout.decode("utf-8", errors="replace")

    @property
    def errors(self) -> str:
        """Standard error as text."""
        return self.stderr.decode("utf-8", errors="replace")


class ToolFailure(MltcError):
    """A tool did not start, failed, was killed or took too long.

    Attributes:
        tool: the tool's name.
        argv: the whole command line.
        reason: `exit code 3`, `killed by signal SIGSEGV`, `timed out after 5 s`
            or `cannot start: ...`.
        returncode: the exit code, negative for a signal, None when the tool did
            not start or timed out.
        output: everything it printed, standard output first.
        log: the file that holds `output`, when it was kept.
    """

    def __init__(
        self,
        tool: str,
        argv: Sequence[str],
        reason: str,
        returncode: int | None,
        output: str,
        log: Path | None,
    ) -> None:
        self.tool = tool
        self.argv = list(argv)
        self.reason = reason
        self.returncode = returncode
        self.output = output
        self.log = log
        super().__init__(self._describe())

    def _describe(self) -> str:
        lines = [f"{self.tool} failed: {self.reason}"]
        lines.append(f"  command: {shlex.join(self.argv)}")
        printed = self.output.rstrip().splitlines()
        if printed:
            tail = printed[-_TAIL_LINES:]
            some = f"last {len(tail)} of {len(printed)} lines of output"
            lines.append(f"  {some if len(tail) < len(printed) else 'output'}:")
            lines += [f"    {line}" for line in tail]
        else:
            lines.append("  it printed nothing")
        if self.log:
            lines.append(f"  full output: {self.log}")
        return "\n".join(lines)


def signal_name(number: int) -> str:
    """`SIGSEGV` for 11; `signal 99` for a number without a name."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _describe(returncode: int) -> str:
    if returncode < 0:
        return f"killed by {_signal_words(-returncode)}"
    if returncode > 128 and signal_name(returncode - 128).startswith("SIG"):
        # What a shell launcher reports when its program dies of a signal.
        return f"exit code {returncode} (128 + {signal_name(returncode - 128)})"
    return f"exit code {returncode}"


def _signal_words(number: int) -> str:
    name = signal_name(number)
    return f"signal {name}" if name.startswith("SIG") else name


def _kill_group(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """Kill `process` and what it started; return what was printed so far."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        process.kill()
    try:
        return process.communicate(timeout=_KILL_GRACE)
    except subprocess.TimeoutExpired as late:
        # A grandchild left the group and still holds the pipes.
        return late.stdout or b"", late.stderr or b""


def _keep_log(
    tool: str, argv: Sequence[str], reason: str, output: str, directory: Path | None
) -> Path | None:
    safe = re.sub(r"[^A-Za-z0-9._-]", "_", tool)
    header = f"command: {shlex.join(argv)}\n{reason}\n\n"
    try:
        handle, name = tempfile.mkstemp(".log", f"mltc-{safe}-", directory)
        with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as log:
            log.write(header + output)
    except OSError:
        return None  # a full disk must not hide the tool's own failure
    return Path(name)


def run_tool(
    tool: Tool,
    args: Sequence[str | Path],
    *,
    timeout: float,
    cwd: Path | str | None = None,
    input: bytes | None = None,
    keep_output: bool = True,
    log_dir: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> Completed:
    """Run `tool` with `args` and wait for it.

    Args:
        timeout: seconds after which the tool and its children are killed.
        cwd: directory to run in; ocloc writes files into it.
        input: bytes for standard input; nothing (`/dev/null`) by default.
        keep_output: on failure keep the whole output in a file.
        log_dir: where that file goes; the temporary directory by default.
        env: the environment; this process's own by default.

    Raises:
        ToolFailure: the tool did not start, ended with anything but 0, or was
            killed because its time was over.
    """
    argv = [*tool.argv, *map(str, args)]

    def failure(reason: str, code: int | None, out: bytes, err: bytes) -> ToolFailure:
        both = (out + err).decode("utf-8", errors="replace")
        log = _keep_log(tool.name, argv, reason, both, log_dir) if keep_output else None
        return ToolFailure(tool.name, argv, reason, code, both, log)

    start = time.monotonic()
    try:
        process = subprocess.Popen(
            argv,
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL if input is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            process_group=0,
        )
    except OSError as error:
        raise failure(f"cannot start: {error}", None, b"", b"") from error
    try:
        out, err = process.communicate(input, timeout=timeout)
    except subprocess.TimeoutExpired:
        out, err = _kill_group(process)
        raise failure(f"timed out after {timeout:g} s", None, out, err) from None
    except BaseException:  # an interrupt must not leave the child behind
        _kill_group(process)
        raise
    if process.returncode != 0:
        raise failure(_describe(process.returncode), process.returncode, out, err)
    return Completed(tuple(argv), out, err, time.monotonic() - start)
