"""Reading a zebin: sections, symbols, ``.ze_info`` and the compatibility notes.

A zebin is Intel's ELF container for GPU code (machine 205).  The structure is read with
pyelftools, but its notes are decoded by :mod:`.elf`, because pyelftools gives Intel's note
types GNU names.  Every size is bounded before it is used.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from typing import Any

from elftools.common.exceptions import ELFError as PyElfError
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import SymbolTableSection

from mltc import yamlsafe
from mltc.errors import MltcError
from mltc.package import elf

EM_INTELGT = 205
MAX_FILE_BYTES = 512 * 1024 * 1024
MAX_SECTIONS = 8192
MAX_SYMBOLS = 1_000_000
_INFO_LIMITS = yamlsafe.YamlLimits(
    max_bytes=16 * 1024 * 1024, max_depth=16, max_nodes=1_000_000, refuse_ambiguous=False, fast=True
)

# pyelftools reports damage through whatever its parsing happens to hit.
DAMAGE = (
    PyElfError, ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError,
    RecursionError, TypeError, ValueError,
)  # fmt: skip

NOTE_GFX_CORE = 2
NOTE_PRODUCT_CONFIG = 6


class ZebinError(MltcError):
    """The file is not a zebin, or is damaged."""


@dataclass(frozen=True)
class KernelInfo:
    """One kernel's entry in ``.ze_info``; sizes in bytes."""

    name: str
    grf_count: int
    simd_size: int
    slm_size: int
    barrier_count: int
    spill_size: int
    scratch_size: int
    private_size: int
    has_stack_calls: bool
    has_dpas: bool
    required_work_group_size: tuple[int, ...] | None
    num_args: int


@dataclass(frozen=True)
class Relocation:
    """A relocation in code, data or line numbers: where, and against which symbol.

    Attributes:
        kind: Intel's number for what is written at `offset`.
        target: the section that has the symbol, None when it is in none.
        value: offset of the symbol in it, in bytes.
    """

    section: str
    offset: int
    symbol: str
    undefined: bool
    function: bool
    kind: int = 0
    target: str | None = None
    value: int = 0


@dataclass(frozen=True)
class Zebin:
    """What a zebin contains, as far as mltc needs it."""

    machine: int
    sections: dict[str, bytes]
    kernels: dict[str, KernelInfo]
    undefined_symbols: tuple[str, ...]
    relocations: tuple[Relocation, ...]
    notes: dict[int, bytes] = field(default_factory=dict)

    def code(self, kernel: str) -> bytes:
        """The machine code of one kernel; empty when there is none."""
        return self.sections.get(f".text.{kernel}", b"")

    @property
    def product_config(self) -> tuple[int, int, int] | None:
        """(architecture, release, revision), for example (12, 60, 7); None when absent."""
        raw = self.notes.get(NOTE_PRODUCT_CONFIG)
        if raw is None or len(raw) != 4:
            return None
        value = int.from_bytes(raw, "little")
        return value >> 22, (value >> 14) & 0xFF, value & 0x3F

    def is_for(self, product: tuple[int, int], gfx_core: int | None) -> bool:
        """Whether it was built for a device; releases without product configurations name its core.

        Args:
            product: the device's (architecture, release); the revision may differ.
            gfx_core: its core family, or None when it is not known.
        """
        config = self.product_config
        if config is not None:
            return config[:2] == product
        return self.gfx_core is not None and self.gfx_core == gfx_core

    @property
    def gfx_core(self) -> int | None:
        """The core family, which releases name that know no product configuration yet."""
        raw = self.notes.get(NOTE_GFX_CORE)
        return int.from_bytes(raw, "little") if raw is not None and len(raw) == 4 else None


def info_number(tree: dict[str, Any], key: str, default: int = 0) -> int:
    """A number of ``.ze_info``.

    Raises:
        ZebinError: it is something else, or negative.
    """
    value = tree.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ZebinError(f".ze_info: expected a non-negative integer as {key}, got {value!r:.40}")
    return value


def _dict(value: Any, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ZebinError(f".ze_info: expected a mapping as {what}, got {type(value).__name__}")
    return value


def info_list(tree: dict[str, Any], key: str) -> list[dict[str, Any]]:
    """The mappings of a list of ``.ze_info``; none where there is no list.

    Raises:
        ZebinError: it is something else.
    """
    value = tree.get(key)
    if value is not None and not isinstance(value, list):
        raise ZebinError(f".ze_info: expected a list as {key}, got {type(value).__name__}")
    return [_dict(item, f"an entry of {key}") for item in value or ()]


def execution_environment(tree: dict[str, Any]) -> dict[str, Any]:
    """The part of a kernel's entry about how it runs.

    Raises:
        ZebinError: there is none.
    """
    return _dict(tree.get("execution_env"), f"execution_env of '{tree.get('name', '')}'")


def required_sizes(env: dict[str, Any]) -> tuple[int, ...] | None:
    """The work-group size that a kernel requires, if it does.

    Raises:
        ZebinError: it is no list of numbers.
    """
    sizes = env.get("required_work_group_size")
    if sizes is None or sizes == []:
        return None
    if not isinstance(sizes, list) or not all(type(size) is int and size > 0 for size in sizes):
        raise ZebinError(
            f".ze_info: expected numbers as required_work_group_size, got {sizes!r:.40}"
        )
    return tuple(sizes)


def _argument_count(tree: dict[str, Any]) -> int:
    args = info_list(tree, "payload_arguments")
    return 1 + max((info_number(a, "arg_index") for a in args if "arg_index" in a), default=-1)


def scratch_bytes(tree: dict[str, Any]) -> int:
    """Bytes of a thread's scratch memory, where registers are spilled to."""
    buffers = info_list(tree, "per_thread_memory_buffers")
    return sum(info_number(b, "size") for b in buffers if b.get("type") == "scratch")


def _kernel_info(tree: dict[str, Any]) -> KernelInfo:
    name = str(tree.get("name", ""))
    env, scratch = execution_environment(tree), scratch_bytes(tree)
    return KernelInfo(
        name=name,
        grf_count=info_number(env, "grf_count"),
        simd_size=info_number(env, "simd_size"),
        slm_size=info_number(env, "slm_size"),
        barrier_count=info_number(env, "barrier_count"),
        # Generations before spill_size report a spill only as scratch memory.
        spill_size=info_number(env, "spill_size") if "spill_size" in env else scratch,
        scratch_size=scratch,
        private_size=info_number(env, "private_size"),
        has_stack_calls=env.get("has_stack_calls") is True,
        has_dpas=env.get("has_dpas") is True,
        required_work_group_size=required_sizes(env),
        num_args=_argument_count(tree),
    )


def kernel_entries(text: bytes) -> list[dict[str, Any]]:
    """The entries of the kernels in the ``.ze_info`` section.

    Raises:
        ZebinError: malformed.
    """
    try:
        document = yamlsafe.parse(text.rstrip(b"\0"), ".ze_info", _INFO_LIMITS)
    except yamlsafe.YamlError as error:
        raise ZebinError(str(error)) from None
    return info_list(_dict(document.data, "the document"), "kernels")


def parse_ze_info(text: bytes) -> dict[str, KernelInfo]:
    """Parses the ``.ze_info`` section into one record per kernel.

    Raises:
        ZebinError: malformed.
    """
    kernels = [_kernel_info(entry) for entry in kernel_entries(text)]
    return {kernel.name: kernel for kernel in kernels}


def _symbols(table: SymbolTableSection) -> tuple[str, ...]:
    if table.num_symbols() > MAX_SYMBOLS:
        raise ZebinError(f"{table.num_symbols()} symbols, more than {MAX_SYMBOLS}")
    symbols = list(table.iter_symbols())[1:]  # entry 0 is always undefined
    return tuple(s.name for s in symbols if s["st_shndx"] == "SHN_UNDEF")


def _relocations(file: ELFFile, section: RelocationSection) -> list[Relocation]:
    table = file.get_section(section["sh_link"])
    if not isinstance(table, SymbolTableSection) or section.num_relocations() > MAX_SYMBOLS:
        raise ZebinError(f"{section.name}: no symbol table, or too many entries")
    result = []
    for entry in section.iter_relocations():
        symbol = table.get_symbol(entry["r_info_sym"])
        index = symbol["st_shndx"]  # a number, or the name of a special one
        result.append(
            Relocation(
                section=section.name,
                offset=entry["r_offset"],
                symbol=symbol.name,
                undefined=index == "SHN_UNDEF",
                function=symbol["st_info"]["type"] == "STT_FUNC",
                kind=entry["r_info_type"],
                target=file.get_section(index).name if isinstance(index, int) else None,
                value=symbol["st_value"],
            )
        )
    return result


def _compat_notes(data: bytes) -> dict[int, bytes]:
    try:
        return {n.type: n.desc for n in elf.unpack_notes(data) if n.name == "IntelGT"}
    except elf.ElfError as error:
        raise ZebinError(f".note.intelgt.compat: {error}") from None


def _read(data: bytes) -> Zebin:
    file = ELFFile(io.BytesIO(data))
    if file.num_sections() > MAX_SECTIONS:
        raise ZebinError(f"{file.num_sections()} sections, more than {MAX_SECTIONS}")
    sections: dict[str, bytes] = {}
    undefined: tuple[str, ...] = ()
    relocations: list[Relocation] = []
    total = 0
    for section in file.iter_sections():
        if section.compressed:  # no tool that we know writes any; a small one may fill the memory
            raise ZebinError(f"section '{section.name}' is compressed, which is not read")
        total += section["sh_size"]
        if section["sh_offset"] + section["sh_size"] > len(data) or total > MAX_FILE_BYTES:
            raise ZebinError(f"section '{section.name}' reaches beyond the end of the file")
        if section["sh_type"] != "SHT_NULL":
            sections[section.name] = section.data()
        if isinstance(section, SymbolTableSection):
            undefined += _symbols(section)
        elif isinstance(section, RelocationSection) and (
            any(part in section.name for part in (".text.", ".data."))
            or section.name.endswith(".debug_line")
        ):
            relocations += _relocations(file, section)
    info = sections.get(".ze_info")
    return Zebin(
        machine=elf.read_header(data).e_machine,
        sections=sections,
        kernels=parse_ze_info(info) if info is not None else {},
        undefined_symbols=undefined,
        relocations=tuple(relocations),
        notes=_compat_notes(sections.get(".note.intelgt.compat", b"")),
    )


def read_zebin(data: bytes) -> Zebin:
    """Reads the bytes of a zebin or package.

    Raises:
        ZebinError: not an ELF file, or damaged.
    """
    if len(data) > MAX_FILE_BYTES:
        raise ZebinError(f"{len(data)} bytes, more than {MAX_FILE_BYTES}")
    try:
        elf.read_header(data)
        return _read(data)
    except elf.ElfError as error:
        raise ZebinError(f"not a zebin: {error}") from None
    except ZebinError:
        raise
    except DAMAGE as error:
        raise ZebinError(f"damaged zebin: {type(error).__name__}: {error}") from None
