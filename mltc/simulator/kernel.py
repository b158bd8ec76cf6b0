"""Launching kernels of a zebin on the simulator."""

from __future__ import annotations

import ctypes
import itertools
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mltc.errors import did_you_mean
from mltc.package import isa
from mltc.package.lines import source_lines
from mltc.package.zebin import Relocation, Zebin, read_zebin
from mltc.simulator.memory import Allocation, DeviceMemory
from mltc.simulator.options import SimulatorOptions
from mltc.simulator.payload import TARGET, Dim3, KernelLayout, build_payload, read_layouts
from mltc.simulator.process import SimulationError, SimulatorProcess
from mltc.simulator.profile import Code, Profile
from mltc.target import load_target

#: Where the loader would put the offset of the payload, which is 0 here as in the file.
_PAYLOAD_PATCH = "__INTEL_PATCH_CROSS_THREAD_OFFSET_OFF_R0"


_INSTRUCTION = re.compile(r"^  at instruction (\d+):", re.MULTILINE)
_BYTES, _COMPACT_BYTES = 16, 8  # of an instruction

DATA_SECTIONS = (".data.const", ".data.global")


@dataclass(frozen=True)
class LocalMemory:
    """An argument that is local memory of a size chosen at launch."""

    nbytes: int


def _argument(value: Any) -> bytes | int:
    if isinstance(value, LocalMemory):
        return value.nbytes
    if isinstance(value, Allocation):
        return value.pointer.to_bytes(8, "little")
    if isinstance(value, bytes):
        return value
    if isinstance(value, np.generic):
        return value.tobytes()
    if isinstance(value, ctypes._SimpleCData):
        return bytes(value)
    raise SimulationError(
        f"expected an allocation, bytes, a ctypes or NumPy scalar as argument, "
        f"got {type(value).__name__}"
    )


class SimulatedKernel:
    """One kernel; ``listing`` is its disassembly."""

    def __init__(self, simulator: Simulator, layout: KernelLayout, listing: str) -> None:
        self._simulator = simulator
        self.layout = layout
        self.listing = listing
        self._path = simulator.memory.folder / f"{simulator.next_name()}.asm"
        self._path.write_text(listing)
        self._code = Code(layout.name, listing, load_target(TARGET))

    @property
    def name(self) -> str:
        """The kernel's name."""
        return self.layout.name

    def _source_of(self, message: str) -> str:
        """The line of the kernel's source for an error, if the binary has line numbers."""
        found = _INSTRUCTION.search(message)
        lines = source_lines(self._simulator.zebin, self.name) if found else []
        if not found or not lines:
            return ""
        before = isa.body(self.listing)[: int(found.group(1))]
        address = sum(_COMPACT_BYTES if "Compacted" in line else _BYTES for line in before)
        at = bisect_right([line.address for line in lines], address)
        return f"\n  at {lines[at - 1].file}:{lines[at - 1].line}" if at else ""

    def launch(
        self,
        groups: Dim3,
        local: Dim3,
        arguments: Sequence[Any],
        options: SimulatorOptions | None = None,
    ) -> Profile:
        """Runs the kernel to its end.

        Args:
            groups: group counts.
            local: work-items of a group.
            arguments: :class:`Allocation` or bytes of a pointer or value, ctypes or NumPy
                scalars, :class:`LocalMemory`.
            options: those of the simulator when None.

        Raises:
            SimulationError: naming instruction, group, thread and, where it matters, lane.
        """
        options = options or self._simulator.options
        layout = self.layout
        if layout.local_size is not None and tuple(local) != layout.local_size:
            raise SimulationError(
                f"kernel '{self.name}' requires groups of {layout.local_size} work-items, "
                f"got {tuple(local)}"
            )
        data, slm = build_payload(
            layout, groups, local, [_argument(a) for a in arguments], self._simulator.sections
        )
        folder = self._simulator.memory.folder
        name = self._simulator.next_name()
        cross, description = folder / f"{name}.payload", folder / f"{name}.launch"
        cross.write_bytes(data)
        lines = [
            f"listing {self._path}", f"simd {layout.simd}", f"registers {layout.registers}",
            f"slm {slm}", f"scratch {layout.scratch_bytes}", f"poison {options.poison}",
            f"ids {layout.id_form} {layout.id_bytes}",
            f"groups {groups[0]} {groups[1]} {groups[2]}",
            f"local {local[0]} {local[1]} {local[2]}", f"cross {cross}",
            f"checks {int(options.checks)}", f"interleave {options.interleave}",
            f"workers {options.worker_count}",
            *(f"memory {a.pointer} {a.nbytes} {a.path}" for a in self._simulator.memory),
            *(f"written {a.pointer} {a.nbytes} {a.tracked}" for a in self._simulator.memory
              if options.checks and a.tracked is not None),
        ]  # fmt: skip
        description.write_text("\n".join(lines) + "\n")
        try:
            answer = self._simulator.process.ask(description, options.timeout)
        except SimulationError as error:
            where = self._source_of(error.message)
            raise SimulationError(f"kernel '{self.name}': {error.message}{where}") from None
        finally:
            cross.unlink(missing_ok=True)
            description.unlink(missing_ok=True)
        return Profile(self._code, answer)


#: Kinds of relocations that write an address: where its part begins, and the bytes of the part.
_ADDRESS_PARTS = {1: (0, 8), 2: (0, 4), 3: (32, 4)}


def _relocate(code: bytes, relocation: Relocation, sections: Mapping[str, int]) -> bytes:
    """Fills in the address of a symbol in one of the loaded sections.

    Raises:
        SimulationError: the symbol is in none, or the relocation is of an unknown kind.
    """
    base = sections.get(relocation.target or "")
    if base is None:
        raise SimulationError(f"refers to '{relocation.symbol}', which nothing defines here")
    if relocation.kind not in _ADDRESS_PARTS:
        raise SimulationError(
            f"refers to '{relocation.symbol}' by a relocation of unknown kind {relocation.kind}"
        )
    begin, size = _ADDRESS_PARTS[relocation.kind]
    end = relocation.offset + size
    if end > len(code):
        raise SimulationError(f"refers to '{relocation.symbol}' behind the end of its code")
    part = (base + relocation.value >> begin) & (1 << 8 * size) - 1
    return code[: relocation.offset] + part.to_bytes(size, "little") + code[end:]


class Simulator:
    """A simulated PVC: kernels of a zebin, memory, and the process that runs them."""

    def __init__(
        self, zebin: bytes | Zebin, options: SimulatorOptions | None = None,
        memory: DeviceMemory | None = None,
    ) -> None:  # fmt: skip
        self.zebin = read_zebin(zebin) if isinstance(zebin, bytes) else zebin
        self.options = options or SimulatorOptions()
        self.memory = memory or DeviceMemory()
        self.process = SimulatorProcess()
        self._layouts = read_layouts(self.zebin)
        self._sections: dict[str, int] | None = None
        self._kernels: dict[str, SimulatedKernel] = {}

    _names = itertools.count()

    def next_name(self) -> str:
        """A name for a file that no other has."""
        return f"file-{next(self._names)}"

    @property
    def sections(self) -> dict[str, int]:
        """Addresses of the sections with constant and global data, loaded when first asked for.

        Raises:
            SimulationError: an address in them is of what is nowhere.
        """
        if self._sections is None:
            contents = {
                name: data for name in DATA_SECTIONS if (data := self.zebin.sections.get(name, b""))
            }
            places = {name: self.memory.allocate(len(data)) for name, data in contents.items()}
            addresses = {name: place.pointer for name, place in places.items()}
            for name, data in contents.items():
                # Data may hold addresses of data.
                for relocation in self._relocations(name):
                    try:
                        data = _relocate(data, relocation, addresses)
                    except SimulationError as error:
                        raise SimulationError(f"section {name} {error.message}") from None
                places[name].write(np.frombuffer(data, np.uint8))
            self._sections = addresses
        return self._sections

    def _relocations(self, section: str) -> list[Relocation]:
        """What has to be filled in in a section."""
        return [
            relocation
            for relocation in self.zebin.relocations
            if relocation.section.removeprefix(".rela").removeprefix(".rel") == section
        ]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the kernels."""
        return tuple(self._layouts)

    def kernel(self, name: str) -> SimulatedKernel:
        """A kernel by name, disassembled when first asked for.

        Raises:
            SimulationError: there is none, or it needs something that is not in the binary.
            ToolNotFoundError, ToolFailure: iga64 is missing or refuses the code.
        """
        if name not in self._layouts:
            raise SimulationError(f"no kernel '{name}'{did_you_mean(name, self._layouts)}")
        if name not in self._kernels:
            listing = isa.disassemble(self._code(name), load_target(TARGET).iga_platform)
            self._kernels[name] = SimulatedKernel(self, self._layouts[name], listing)
        return self._kernels[name]

    def _code(self, name: str) -> bytes:
        """The code of a kernel with the addresses of what it refers to."""
        code = self.zebin.code(name)
        for relocation in self._relocations(f".text.{name}"):
            if relocation.symbol == _PAYLOAD_PATCH:
                continue
            try:
                code = _relocate(code, relocation, self.sections)
            except SimulationError as error:
                raise SimulationError(f"kernel '{name}' {error.message}") from None
        return code

    def close(self) -> None:
        """Ends the process; memory stays."""
        self.process.close()
