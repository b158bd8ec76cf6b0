"""Simulated device memory: files that this process and ``mlt-sim`` both map.

Allocations lie far apart, so that an access beyond one's end hits nothing, and above 4 GiB, so
that an address cut to 32 bits is noticed.
"""

from __future__ import annotations

import fcntl
import mmap
import os
import shutil
import tempfile
import time
import weakref
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from mltc.simulator.process import SimulationError

FIRST_ADDRESS = 0x0000_5A00_0000_0000
GUARD = 1 << 20
GRANULE = 1 << 16
MAX_BYTES = 1 << 36

_PREFIX = "mltc-simulator-"  # no other than locked ones have it
_NEW = 60.0  # seconds in which the owner of a new directory locks it
_folders: weakref.WeakSet[_Folder] = weakref.WeakSet()

Bytes = np.ndarray[Any, np.dtype[np.uint8]]


def scratch_directory() -> str | None:
    """A directory in memory if there is one; None means the default."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK | os.X_OK) else None


class _Folder:
    """A directory for the files of one device, locked for as long as its process uses it.

    Whoever dies without cleaning up (killed, or ended inside of a driver's callback) leaves one
    behind in memory; without its lock the next process can tell and removes it.
    """

    def __init__(self) -> None:
        root = Path(scratch_directory() or tempfile.gettempdir())
        _sweep(root)
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=root))
        self._lock = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        with suppress(OSError):  # a file system without such locks; then nobody sweeps either
            fcntl.flock(self._lock, fcntl.LOCK_EX)

    def remove(self) -> None:
        """Removes the directory; may be called more than once."""
        if self._lock >= 0:
            shutil.rmtree(self.path, ignore_errors=True)
            os.close(self._lock)
            self._lock = -1


@cache
def _sweep(root: Path) -> None:
    """Removes directories of dead owners, once per process."""
    for path in root.glob(f"{_PREFIX}*"):
        try:
            status = path.lstat()
            if status.st_uid != os.getuid() or time.time() - status.st_mtime < _NEW:
                continue
            handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        except OSError:
            continue  # another process sweeps too
        with suppress(OSError):  # its owner lives, or nobody can tell
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(path, ignore_errors=True)
        os.close(handle)


def remove_folders() -> None:
    """Removes the files of every device of this process, which must then end."""
    for folder in list(_folders):
        folder.remove()


def _mapped(path: Path, nbytes: int) -> Bytes:
    """A new file of zeros, mapped for as long as the array lives."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        os.ftruncate(handle, nbytes)
        return np.frombuffer(mmap.mmap(handle, nbytes), dtype=np.uint8)
    except (OSError, ValueError) as error:
        path.unlink(missing_ok=True)
        raise SimulationError(f"cannot allocate {nbytes} bytes: {error}") from None
    finally:
        os.close(handle)


class Allocation:
    """Device memory; ``pointer`` is its device address, ``data`` its bytes on the host.

    ``tracked`` is None, or the file that says which bytes :meth:`write` or a kernel wrote.
    """

    def __init__(
        self, memory: DeviceMemory, pointer: int, nbytes: int, path: Path, track: bool = False
    ) -> None:
        self._memory = memory
        self.pointer = pointer
        self.nbytes = nbytes
        self.path = path
        self.data: Bytes = _mapped(path, nbytes)
        self.tracked = path.with_suffix(".written") if track else None
        self._written = _mapped(self.tracked, nbytes) if self.tracked else None

    def write(self, source: Bytes) -> None:
        """Copies host bytes to the start."""
        self.data[: source.size] = source
        if self._written is not None:
            self._written[: source.size] = 1

    def read(self, target: Bytes) -> None:
        """Copies the start to host bytes."""
        target[:] = self.data[: target.size]

    def free(self) -> None:
        """Gives the memory back; may be called more than once."""
        self._memory.forget(self)
        self.path.unlink(missing_ok=True)
        if self.tracked is not None:
            self.tracked.unlink(missing_ok=True)


class DeviceMemory:
    """All allocations of a simulated device."""

    def __init__(self) -> None:
        self._folder = _Folder()
        _folders.add(self._folder)
        self._next = FIRST_ADDRESS
        self._count = 0
        self._live: dict[int, Allocation] = {}
        self._finalizer = weakref.finalize(self, self._folder.remove)

    @property
    def folder(self) -> Path:
        """Where files of this device are."""
        return self._folder.path

    def allocate(self, nbytes: int, alignment: int = 64, track: bool = False) -> Allocation:
        """Allocates zeroed memory, aligned to ``alignment`` bytes and to no more.

        With ``track``, launches with checks report reads of bytes that neither
        :meth:`Allocation.write` nor a kernel wrote.

        Raises:
            SimulationError: no memory, or an alignment that is no power of two.
        """
        if alignment < 1 or alignment & (alignment - 1) or not 1 <= nbytes <= MAX_BYTES:
            raise SimulationError(
                f"cannot allocate {nbytes} bytes aligned to {alignment}: expected 1 .. "
                f"{MAX_BYTES} bytes and a power of two"
            )
        step = max(alignment, GRANULE)
        address = -(-self._next // step) * step
        if alignment < GRANULE:  # a more aligned address could hide a kernel's fault
            address += alignment
        self._next = address + nbytes + GUARD
        return self.place(address, nbytes, track)

    def place(self, address: int, nbytes: int, track: bool = False) -> Allocation:
        """Allocates zeroed memory at an address that nothing else has.

        Raises:
            SimulationError: no memory.
        """
        self._count += 1
        found = Allocation(self, address, nbytes, self.folder / f"memory-{self._count}", track)
        self._live[address] = found
        return found

    def forget(self, allocation: Allocation) -> None:
        """Takes an allocation off the map."""
        self._live.pop(allocation.pointer, None)

    def __contains__(self, allocation: object) -> bool:
        return any(live is allocation for live in self._live.values())

    def __iter__(self) -> Any:
        return iter(self._live.values())
