"""The process ``mlt-sim``: started once, then asked launch by launch.

A process of its own keeps a crash, a runaway kernel and the host's rounding modes away from
Python.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
import weakref
from contextlib import suppress
from pathlib import Path
from typing import Any

from mltc.errors import MltcError
from mltc.toolchain import find_tool
from mltc.toolchain.run import signal_name

MAX_ANSWER = 64 << 20  # bytes


class SimulationError(MltcError):
    """The simulated kernel did something wrong, or the simulator does not know how to."""


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):  # what was not sent to a dead process cannot be
                pipe.close()


class SimulatorProcess:
    """A running ``mlt-sim``; started when first used and again after it died."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._finalizer: weakref.finalize[Any, Any] | None = None

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self.close()
        tool = find_tool("mlt-sim")
        try:
            process = subprocess.Popen(
                tool.argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, process_group=0
            )
        except OSError as error:
            raise SimulationError(f"cannot start {tool.path}: {error}") from None
        self._process = process
        self._finalizer = weakref.finalize(self, _stop, process)
        return process

    def close(self) -> None:
        """Ends the process, if there is one."""
        if self._finalizer is not None:
            self._finalizer()
        self._process = self._finalizer = None

    def ask(self, launch: Path, timeout: float) -> dict[str, Any]:
        """Runs the launch described in a file.

        Raises:
            SimulationError: the launch failed, took longer than ``timeout`` seconds, or the
                simulator died.
        """
        process = self._running()
        try:
            answer = self._exchange(process, launch, timeout)
        except BaseException:  # also an interrupt: what comes next is not its answer
            self.close()
            raise
        try:
            parsed = json.loads(answer)
        except ValueError:
            parsed = None
        if not isinstance(parsed, dict):
            self.close()
            raise SimulationError("the simulator gave no sensible answer")
        if "error" in parsed:
            raise SimulationError(str(parsed["error"]))
        return parsed

    def _exchange(self, process: subprocess.Popen[bytes], launch: Path, timeout: float) -> bytes:
        assert process.stdin is not None and process.stdout is not None
        with suppress(OSError):  # it died; the loop below says how
            process.stdin.write(os.fsencode(launch) + b"\n")
            process.stdin.flush()
        deadline = time.monotonic() + timeout
        answer = bytearray()
        handle = process.stdout.fileno()
        while not answer.endswith(b"\n"):
            ready, _, _ = select.select([handle], [], [], max(deadline - time.monotonic(), 0))
            if not ready:
                raise SimulationError(f"the kernel did not end within {timeout:g} s")
            piece = os.read(handle, 1 << 20)
            answer += piece
            if not piece or len(answer) > MAX_ANSWER:
                code = process.wait(timeout=10) if not piece else 0
                how = f"by {signal_name(-code)}" if code < 0 else f"with exit code {code}"
                raise SimulationError(f"the simulator ended {how}")
        return bytes(answer)
