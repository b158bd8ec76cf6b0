"""Source lines of machine code, from the ``.debug_line`` section of a zebin.

ocloc writes one when it is asked for debug information (``-g``) and the input has any. Addresses
there are relocated, one relocation for each sequence, against the symbol of a kernel.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

from elftools.dwarf.dwarfinfo import DebugSectionDescriptor, DwarfConfig, DWARFInfo

from mltc.package.zebin import DAMAGE, Zebin

MAX_BYTES = 64 << 20
#: What pyelftools asks for, in its order; the rest a zebin does not have or nobody needs.
_WANTED = (".debug_info", None, ".debug_abbrev", None, None, ".debug_str", None, None,
           ".debug_line", None, None, None, None, ".debug_line_str",
           None, None, None, None, None)  # fmt: skip


@dataclass(frozen=True)
class SourceLine:
    """Code from ``address`` on comes from a line of a file; bytes from the kernel's start."""

    address: int
    file: str
    line: int


def _dwarf(sections: dict[str, bytes]) -> Any:
    def section(name: str | None) -> DebugSectionDescriptor | None:
        data = sections.get(name) if name else None
        if name is None or data is None:
            return None
        return DebugSectionDescriptor(io.BytesIO(data), name, 0, len(data), 0)

    config = DwarfConfig(little_endian=True, machine_arch="x64", default_address_size=8)
    return DWARFInfo(config, *map(section, _WANTED))


def _file(program: Any, index: int) -> str:
    version = program.header["version"]
    name = program["file_entry"][index if version >= 5 else index - 1].name
    return name.decode(errors="replace") if isinstance(name, bytes) else str(name)


def _read(zebin: Zebin, kernel: str) -> list[SourceLine]:
    starts = sorted(
        (item.offset, item.symbol)
        for item in zebin.relocations
        if item.section.endswith(".debug_line")
    )
    symbols = iter([symbol for _, symbol in starts])
    info = _dwarf(zebin.sections)
    programs = {}
    for unit in info.iter_CUs():
        program = info.line_program_for_CU(unit)
        if program is not None:
            programs[program.program_start_offset] = program
    found: list[SourceLine] = []
    for _, program in sorted(programs.items()):
        wanted = None  # whether this sequence is the kernel's; unknown at its start
        for state in (entry.state for entry in program.get_entries()):
            if state is None:
                continue
            if wanted is None:
                wanted = next(symbols, kernel) in (kernel, f".text.{kernel}")
            if wanted and not state.end_sequence and state.line:
                found.append(SourceLine(state.address, _file(program, state.file), state.line))
            if state.end_sequence:
                wanted = None
    return sorted(found, key=lambda item: item.address)


def source_lines(zebin: Zebin, kernel: str) -> list[SourceLine]:
    """The lines of a kernel by ascending address; empty without debug information.

    Damaged information counts as none: it only makes messages better.
    """
    sizes = [len(data) for name, data in zebin.sections.items() if name.startswith(".debug_")]
    if ".debug_line" not in zebin.sections or sum(sizes) > MAX_BYTES:
        return []
    try:
        return _read(zebin, kernel)
    except DAMAGE:
        return []
