"""The package file: a zebin plus the section ``.note.mltc``.

The section holds ELF notes of owner "mltc": type 1 is the manifest (JSON, UTF-8), type 2 the
portable SPIR-V.  It is of type SHT_NOTE because Intel's driver refuses a binary with an
additional section of any other kind.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
import sys
from dataclasses import dataclass
from pathlib import Path

from mltc.errors import MltcError, UsageError
from mltc.package import elf
from mltc.package.manifest import Manifest, parse, serialize
from mltc.package.zebin import MAX_FILE_BYTES, Zebin, ZebinError, read_zebin

SECTION = ".note.mltc"
OWNER = "mltc"
NOTE_MANIFEST = 1
NOTE_SPIRV = 2
SPIRV_MAGIC = b"\x03\x02\x23\x07"
MAX_LINKS = 40  # as many as the kernel follows


class PackageError(MltcError):
    """The file is not a package, or is damaged."""


@dataclass(frozen=True)
class Package:
    """A package in memory.

    Attributes:
        data: the whole file; with native code, a zebin that the driver loads as it is.
        zebin: what the ELF file contains.
        manifest: mltc's record of the kernels.
        spirv: the portable SPIR-V, or None when the package has only native code.
    """

    data: bytes
    zebin: Zebin
    manifest: Manifest
    spirv: bytes | None

    @property
    def native(self) -> bool:
        """Whether there is code for the target device."""
        return bool(self.zebin.kernels)


def build_package(zebin: bytes, manifest: Manifest, spirv: bytes | None) -> bytes:
    """Returns the bytes of a package.

    Raises:
        PackageError: ``zebin`` is not an ELF file, already a package, or ``spirv`` is not
            SPIR-V.
    """
    if spirv is not None and spirv[:4] != SPIRV_MAGIC:
        raise PackageError("the portable module is not SPIR-V")
    notes = [elf.Note(OWNER, NOTE_MANIFEST, serialize(manifest))]
    if spirv is not None:
        notes.append(elf.Note(OWNER, NOTE_SPIRV, spirv))
    try:
        if SECTION in read_zebin(zebin).sections:
            raise PackageError(f"the binary already has a section {SECTION}")
        return elf.append_section(zebin, SECTION, elf.pack_notes(notes))
    except (elf.ElfError, ZebinError) as error:
        raise PackageError(f"cannot extend the binary: {error}") from None


def build_portable_package(manifest: Manifest, spirv: bytes) -> bytes:
    """Returns the bytes of a package without native code: what a CPU needs, built without ocloc.

    Raises:
        PackageError: ``spirv`` is not SPIR-V.
    """
    return build_package(elf.empty_file(), manifest, spirv)


def _notes(data: bytes, name: str) -> dict[int, bytes]:
    found: dict[int, bytes] = {}
    try:
        for note in elf.unpack_notes(data):
            if note.name != OWNER:
                continue
            if note.type in found:
                raise PackageError(f"{name}: two notes of type {note.type} in {SECTION}")
            found[note.type] = note.desc
    except elf.ElfError as error:
        raise PackageError(f"{name}: {SECTION}: {error}") from None
    return found


def read_bytes(source: str | os.PathLike[str]) -> bytes:
    """Reads a file of bounded size; ``-`` is standard input.

    Raises:
        PackageError: it cannot be read or is larger than 512 MiB.
    """
    try:
        if os.fspath(source) == "-":
            data = sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
        else:
            with open(source, "rb") as file:
                data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise PackageError(f"cannot read '{source}': {error.strerror}") from None
    if len(data) > MAX_FILE_BYTES:
        raise PackageError(f"'{source}' is larger than {MAX_FILE_BYTES} bytes")
    return data


def read_package(source: str | os.PathLike[str] | bytes, name: str | None = None) -> Package:
    """Reads a package from a path or from its bytes.

    Raises:
        PackageError: not a package, or damaged.
        ManifestError: the manifest is invalid.
    """
    if isinstance(source, bytes):
        data, label = source, name or "package"
    else:
        data, label = read_bytes(source), name or os.fspath(source)
    try:
        zebin = read_zebin(data)
    except ZebinError as error:
        raise PackageError(f"{label}: {error.message}") from None
    if SECTION not in zebin.sections:
        raise PackageError(
            f"{label}: no section {SECTION}: a zebin, but not a package of mltc",
            hint="packages are written by 'mltc build'",
        )
    notes = _notes(zebin.sections[SECTION], label)
    if NOTE_MANIFEST not in notes:
        raise PackageError(f"{label}: no manifest in {SECTION}")
    spirv = notes.get(NOTE_SPIRV)
    if spirv is not None and spirv[:4] != SPIRV_MAGIC:
        raise PackageError(f"{label}: the portable module is not SPIR-V")
    manifest = parse(notes[NOTE_MANIFEST], Manifest, f"{label}: manifest")
    return Package(data, zebin, manifest, spirv)


def _destination(path: Path) -> Path | None:
    """The file behind symbolic links; None for what cannot be replaced: devices, pipes, and the
    links to open files that ``/dev/stdout`` and its relatives are.

    Raises:
        OSError: a directory of the path cannot be searched, or links go in circles.
    """
    for _ in range(MAX_LINKS):
        parent = path.parent.resolve(strict=True)
        if parent == Path("/dev") or parent.is_relative_to("/proc"):
            return None
        if not parent.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        if not path.is_symlink():
            return path if not path.exists() or path.is_file() else None
        path = parent / path.readlink()
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


def _replace(path: Path, data: bytes) -> None:
    temporary = path.with_name(f".mltc-{secrets.token_hex(8)}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            if path.exists():
                os.fchmod(file.fileno(), stat.S_IMODE(path.stat().st_mode))
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_atomically(path: Path, data: bytes) -> None:
    """Writes a file so that it is either the old one or complete; its mode stays.

    Raises:
        PackageError: the directory does not exist or cannot be written.
    """
    try:
        destination = _destination(path)
        if destination is not None:
            _replace(destination, data)
        else:
            with open(path, "ab") as file:  # what another has written to it stays
                file.write(data)
    except OSError as error:
        raise PackageError(f"cannot write '{path}': {error.strerror}") from None


def check_output(path: str, *, binary: bool, force: bool = False) -> None:
    """Finds what would keep :func:`write_output` from writing, before the work is done.

    Raises:
        UsageError: binary data would go to a terminal, or there is no such directory.
        PackageError: the directory or device cannot be written.
    """
    if path == "-":
        if binary and not force and sys.stdout.isatty():
            raise UsageError(
                "refusing to write binary data to a terminal", hint="use -o FILE, or -f"
            )
        return
    try:
        destination = _destination(Path(path))
    except OSError as error:
        raise UsageError(f"cannot write '{path}': {error.strerror}") from None
    if Path(path).is_dir():
        raise UsageError(f"cannot write '{path}': {os.strerror(errno.EISDIR)}")
    where = Path(path) if destination is None else destination.parent
    if not os.access(where, os.W_OK):
        raise PackageError(f"cannot write '{path}': {os.strerror(errno.EACCES)}")


def write_output(path: str, data: bytes, *, binary: bool, force: bool = False) -> None:
    """Writes a result to a file, or to standard output when ``path`` is ``-``.

    Raises:
        UsageError: binary data would go to a terminal.
        PackageError: the file cannot be written.
    """
    check_output(path, binary=binary, force=force)
    if path != "-":
        write_atomically(Path(path), data)
        return
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
