"""ELF note records, and appending one section to a relocatable ELF file.

Intel's driver accepts an additional section only if its type is SHT_NOTE, and everything it
already knows must stay where it was.  ``append_section`` therefore leaves every byte of the
file at its place and adds three things behind them: the content, a string table with one
more name, and a new section header table; only ``e_shoff`` and ``e_shnum`` in the header
change.  objcopy rewrites the whole file instead and needs to know the machine.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

ELF_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
SECTION_HEADER = struct.Struct("<IIQQQQIIQQ")
NOTE_HEADER = struct.Struct("<III")
SHT_NOTE = 7
SHT_STRTAB = 3
MAX_SECTIONS = 0xFF00  # larger counts are stored elsewhere (SHN_LORESERVE)


class ElfError(ValueError):
    """The bytes are not an ELF file of the kind this module handles."""


class Header(NamedTuple):
    """The 64-bit ELF header, field names as in the specification."""

    e_ident: bytes
    e_type: int
    e_machine: int
    e_version: int
    e_entry: int
    e_phoff: int
    e_shoff: int
    e_flags: int
    e_ehsize: int
    e_phentsize: int
    e_phnum: int
    e_shentsize: int
    e_shnum: int
    e_shstrndx: int


class SectionHeader(NamedTuple):
    """A 64-bit section header, field names as in the specification."""

    sh_name: int
    sh_type: int
    sh_flags: int
    sh_addr: int
    sh_offset: int
    sh_size: int
    sh_link: int
    sh_info: int
    sh_addralign: int
    sh_entsize: int


@dataclass(frozen=True)
class Note:
    """One ELF note: owner name, type number, and content."""

    name: str
    type: int
    desc: bytes


def _aligned(size: int, to: int) -> int:
    return -(-size // to) * to


def pack_notes(notes: list[Note]) -> bytes:
    """Encodes note records; name and content are each padded to 4 bytes."""
    out = bytearray()
    for note in notes:
        name = note.name.encode("ascii") + b"\0"
        out += NOTE_HEADER.pack(len(name), len(note.desc), note.type)
        out += name.ljust(_aligned(len(name), 4), b"\0")
        out += note.desc.ljust(_aligned(len(note.desc), 4), b"\0")
    return bytes(out)


def unpack_notes(data: bytes) -> Iterator[Note]:
    """Decodes note records.

    Raises:
        ElfError: a record reaches beyond the end, or its name is not a terminated string.
    """
    at = 0
    while at < len(data):
        if len(data) - at < NOTE_HEADER.size:
            raise ElfError(f"{len(data) - at} bytes after the last note")
        namesz, descsz, kind = NOTE_HEADER.unpack_from(data, at)
        name_at = at + NOTE_HEADER.size
        desc_at = name_at + _aligned(namesz, 4)
        if desc_at + descsz > len(data):
            raise ElfError(f"note at offset {at} reaches beyond the end of its section")
        raw = data[name_at : name_at + namesz]
        if not raw.endswith(b"\0"):
            raise ElfError(f"note at offset {at} has no terminated name")
        yield Note(raw[:-1].decode("ascii", "replace"), kind, data[desc_at : desc_at + descsz])
        at = desc_at + _aligned(descsz, 4)


def read_header(data: bytes) -> Header:
    """Decodes the header of a little-endian 64-bit ELF file.

    Raises:
        ElfError: it is something else.
    """
    if len(data) < ELF_HEADER.size or data[:4] != b"\x7fELF":
        raise ElfError("not an ELF file")
    if data[4] != 2 or data[5] != 1:
        raise ElfError("expected a little-endian 64-bit ELF file")
    header = Header(*ELF_HEADER.unpack_from(data, 0))
    if header.e_shentsize != SECTION_HEADER.size:
        raise ElfError(
            f"expected section headers of {SECTION_HEADER.size} bytes, got {header.e_shentsize}"
        )
    return header


def _section_headers(data: bytes, header: Header) -> list[SectionHeader]:
    end = header.e_shoff + header.e_shnum * SECTION_HEADER.size
    if not 0 < header.e_shnum < MAX_SECTIONS or end > len(data):
        raise ElfError(
            f"section header table with {header.e_shnum} entries does not fit in the file"
        )
    offsets = range(header.e_shoff, end, SECTION_HEADER.size)
    return [SectionHeader(*SECTION_HEADER.unpack_from(data, at)) for at in offsets]


def empty_file() -> bytes:
    """A relocatable file of no machine whose only section is its section name table."""
    names = b"\0.shstrtab\0"
    table_at = _aligned(ELF_HEADER.size + len(names), 8)
    ident = b"\x7fELF\x02\x01\x01".ljust(16, b"\0")
    header = Header(
        ident, 1, 0, 1, 0, 0, table_at, 0, ELF_HEADER.size, 0, 0, SECTION_HEADER.size, 2, 1
    )
    sections = (
        SectionHeader(0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
        SectionHeader(1, SHT_STRTAB, 0, 0, ELF_HEADER.size, len(names), 0, 0, 1, 0),
    )
    body = (ELF_HEADER.pack(*header) + names).ljust(table_at, b"\0")
    return body + b"".join(SECTION_HEADER.pack(*section) for section in sections)


def append_section(
    data: bytes, name: str, content: bytes, *, sh_type: int = SHT_NOTE, align: int = 4
) -> bytes:
    """Returns the file with one more section; all previous bytes keep their offsets.

    Raises:
        ElfError: not a little-endian 64-bit ELF file with a usable section header table.
    """
    header = read_header(data)
    sections = _section_headers(data, header)
    if header.e_shstrndx >= len(sections) or header.e_shnum + 1 >= MAX_SECTIONS:
        raise ElfError("no section name table, or too many sections")
    names = sections[header.e_shstrndx]
    if names.sh_type != SHT_STRTAB or names.sh_offset + names.sh_size > len(data):
        raise ElfError("the section name table is not a string table inside the file")

    out = bytearray(data)

    def place(block: bytes, alignment: int) -> int:
        out.extend(b"\0" * (_aligned(len(out), alignment) - len(out)))
        offset = len(out)
        out.extend(block)
        return offset

    table = data[names.sh_offset : names.sh_offset + names.sh_size]
    content_at = place(content, align)
    names_at = place(table + name.encode("ascii") + b"\0", 1)
    sections[header.e_shstrndx] = names._replace(
        sh_offset=names_at, sh_size=len(table) + len(name) + 1
    )
    sections.append(
        SectionHeader(len(table), sh_type, 0, 0, content_at, len(content), 0, 0, align, 0)
    )
    table_at = place(b"".join(SECTION_HEADER.pack(*section) for section in sections), 8)
    changed = header._replace(e_shoff=table_at, e_shnum=len(sections))
    out[: ELF_HEADER.size] = ELF_HEADER.pack(*changed)
    return bytes(out)
