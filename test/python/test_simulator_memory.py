"""What the simulator keeps outside of the process: its files in memory, and its child."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from mltc.runtime.errors import ArgumentError
from mltc.runtime.simulator import SimulatorBackend
from mltc.simdriver.executor import MirroredMemory
from mltc.simulator import SimulationError, memory, process
from mltc.simulator.process import SimulatorProcess
from mltc.toolchain import Tool

ROOT = Path(__file__).resolve().parents[2]
ENDS = """
from mltc.errors import MltcError
from mltc.simdriver.tracing import stop
from mltc.simulator import DeviceMemory
device = DeviceMemory()
device.allocate(1 << 16)
print(device.folder, device.folder.is_dir(), flush=True)
stop("zeFunction: ", MltcError("wrong"))
"""


def test_memory_of_the_simulator_alone_is_not_written_back() -> None:
    """Constants of a binary lie beside the program's memory, at addresses it does not have."""
    device = MirroredMemory()
    constants = device.allocate(64)
    constants.write(np.arange(64, dtype=np.uint8))
    host = (ctypes.c_uint8 * 32)(*range(32))
    for _ in range(2):  # also the second launch still has the constants
        device.mirror([(ctypes.addressof(host), 32)])
        assert constants in device
        (mirrored,) = (a for a in device if a is not constants)
        mirrored.data[:] += 1
        device.write_back()
    assert list(host) == [i + 2 for i in range(32)]
    device.mirror([])
    assert mirrored not in device and constants in device


def test_an_ended_process_leaves_no_files() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", ENDS], capture_output=True, text=True, timeout=60, env=environment,
        check=False,
    )  # fmt: skip
    assert done.returncode == 70 and done.stderr == "error: zeFunction: wrong\n"
    folder, existed = done.stdout.split()
    assert existed == "True" and not Path(folder).exists()


def test_files_of_killed_processes_are_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "scratch_directory", lambda: str(tmp_path))
    living = memory.DeviceMemory()
    dead, new, other = (
        tmp_path / name for name in ("mltc-simulator-dead", "mltc-simulator-new", "other")
    )
    for path in (dead, new, other):
        path.mkdir()
        (path / "memory-1").write_bytes(b"x")
    past = time.time() - 3600
    for path in (living.folder, dead, other):
        os.utime(path, (past, past))
    memory._sweep.cache_clear()
    assert memory.DeviceMemory().folder.is_dir()
    assert living.folder.is_dir() and new.is_dir() and other.is_dir() and not dead.exists()


def test_memory_of_another_device_is_refused() -> None:
    mine, other = SimulatorBackend(), SimulatorBackend()
    buffer = mine.allocate(64, 64)
    adopted = mine.adopt(buffer)
    assert adopted is not None and adopted.pointer.address == buffer.pointer
    # Both devices give the same addresses, so a kernel would silently use other bytes.
    assert other.allocate(64, 64).pointer == buffer.pointer
    with pytest.raises(ArgumentError, match="another device, or freed"):
        other.adopt(buffer)
    buffer.free()
    with pytest.raises(ArgumentError, match="another device, or freed"):
        mine.adopt(buffer)


def test_a_dead_simulator_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """It died before it was asked: the pipe breaks, the message says how it ended."""
    tool = Tool("mlt-sim", ["/bin/sh", "-c", "exit 3"], "test")
    monkeypatch.setattr(process, "find_tool", lambda _: tool)
    simulator = SimulatorProcess()
    child = simulator._running()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    monkeypatch.setattr(child, "poll", lambda: None)
    with pytest.raises(SimulationError, match="the simulator ended with exit code 3"):
        simulator.ask(Path("launch"), timeout=10)
