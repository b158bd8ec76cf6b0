"""What a kernel is given at its start, as ``.ze_info`` describes it.

Arguments, sizes and offsets form the cross-thread data; local ids lie behind it, one piece per
thread, which the simulator fills in itself.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mltc.package.zebin import (
    Zebin,
    ZebinError,
    execution_environment,
    info_list,
    info_number,
    kernel_entries,
    required_sizes,
    scratch_bytes,
)
from mltc.simulator.process import SimulationError
from mltc.target import load_target

Dim3 = tuple[int, int, int]

MAX_PAYLOAD = 4096
TARGET = "pvc"
_SECTION_BASES = {"const_base": ".data.const", "global_base": ".data.global"}
#: Arguments that are addresses of buffers nothing we run needs: given as null.
_NULL_POINTERS = ("printf_buffer", "implicit_arg_buffer", "sync_buffer", "assert_buffer")


@dataclass(frozen=True)
class PayloadField:
    """One piece of the cross-thread data; ``source_offset`` is into the argument's bytes."""

    kind: str
    offset: int
    size: int
    argument: int | None = None
    mode: str = ""
    source_offset: int = 0
    alignment: int = 1


@dataclass(frozen=True)
class KernelLayout:
    """A kernel's execution environment and payload; sizes in bytes."""

    name: str
    simd: int
    registers: int
    slm_bytes: int
    scratch_bytes: int
    private_bytes: int
    local_size: Dim3 | None
    id_form: str
    id_bytes: int
    fields: tuple[PayloadField, ...]

    @property
    def argument_count(self) -> int:
        """Number of kernel arguments that the payload knows of."""
        return 1 + max((f.argument for f in self.fields if f.argument is not None), default=-1)


def _field(tree: dict[str, Any]) -> PayloadField:
    found = PayloadField(
        kind=str(tree.get("arg_type", "")),
        offset=info_number(tree, "offset"),
        size=info_number(tree, "size"),
        argument=info_number(tree, "arg_index") if "arg_index" in tree else None,
        mode=str(tree.get("addrmode", "")),
        source_offset=info_number(tree, "source_offset"),
        alignment=max(info_number(tree, "slm_alignment", 1), 1),
    )
    if found.offset + found.size > MAX_PAYLOAD:
        raise SimulationError(f".ze_info: {found.kind} lies beyond {MAX_PAYLOAD} bytes")
    return found


def _ids(tree: dict[str, Any]) -> tuple[str, int]:
    found = info_list(tree, "per_thread_payload_arguments")
    form, size = "none", 0
    for item in found:
        kind = str(item.get("arg_type", ""))
        if kind == "local_id" and form == "none":
            form = "rows"
        elif kind == "packed_local_ids" and form == "none":
            form = "packed"
        else:
            raise SimulationError(f".ze_info: unknown per-thread argument '{kind}'")
        size = info_number(item, "offset") + info_number(item, "size")
    register = load_target(TARGET).grf.register_bytes
    return form, -(-size // register) * register


def _layout(tree: dict[str, Any]) -> KernelLayout:
    env, scratch = execution_environment(tree), scratch_bytes(tree)
    memory = sum(info_number(b, "size") for b in info_list(tree, "per_thread_memory_buffers"))
    local = required_sizes(env) or ()
    form, id_bytes = _ids(tree)
    return KernelLayout(
        name=str(tree.get("name", "")),
        simd=info_number(env, "simd_size", 16),
        registers=info_number(env, "grf_count", 128),
        slm_bytes=info_number(env, "slm_size"),
        scratch_bytes=scratch,
        private_bytes=memory - scratch,
        local_size=(local[0], local[1], local[2]) if len(local) == 3 else None,
        id_form=form,
        id_bytes=id_bytes,
        fields=tuple(_field(item) for item in info_list(tree, "payload_arguments")),
    )


def read_layouts(zebin: Zebin) -> dict[str, KernelLayout]:
    """The layouts of all kernels of a zebin.

    Raises:
        SimulationError: ``.ze_info`` is missing, malformed, or asks for something unknown.
    """
    text = zebin.sections.get(".ze_info")
    if text is None:
        raise SimulationError("the binary has no .ze_info")
    try:
        return {layout.name: layout for layout in map(_layout, kernel_entries(text))}
    except ZebinError as error:
        raise SimulationError(error.message) from None


def _sizes(kind: str, groups: Dim3, local: Dim3) -> bytes | None:
    """The value of a field that does not depend on arguments; None if it is unknown."""
    if kind == "global_id_offset":
        return bytes(12)
    if kind in ("local_size", "enqueued_local_size"):
        return struct.pack("<3I", *local)
    if kind == "group_count":
        return struct.pack("<3I", *groups)
    if kind == "global_size":
        return struct.pack("<3I", *(g * size for g, size in zip(groups, local, strict=True)))
    if kind == "work_dimensions":
        return struct.pack("<I", 3)
    if kind == "private_base_stateless" or kind in _NULL_POINTERS:
        return bytes(8)
    return None


def _base(kind: str, sections: Mapping[str, int]) -> bytes | None:
    """The address of a data section; None if it is another kind or there is no such section."""
    address = sections.get(_SECTION_BASES.get(kind, ""))
    return None if address is None else struct.pack("<Q", address)


def build_payload(
    layout: KernelLayout,
    groups: Dim3,
    local: Dim3,
    arguments: Sequence[bytes | int],
    sections: Mapping[str, int] | None = None,
) -> tuple[bytes, int]:
    """Builds the cross-thread data.

    Args:
        layout: where everything lies.
        groups: group counts.
        local: work-items of a group.
        arguments: bytes of a value or pointer; a number of bytes for local memory.
        sections: addresses of the data sections of the binary.

    Returns:
        The data, and the bytes of SLM a group needs.

    Raises:
        SimulationError: an argument does not fit, or a field is unknown.
    """
    data = bytearray(max((f.offset + f.size for f in layout.fields), default=0))
    slm = layout.slm_bytes
    for item in layout.fields:
        if item.argument is None:
            found = _base(item.kind, sections or {}) or _sizes(item.kind, groups, local)
            if found is None or (item.kind == "private_base_stateless" and layout.private_bytes):
                raise SimulationError(
                    f"kernel '{layout.name}': '{item.kind}' in the payload is not supported"
                )
        else:
            if item.argument >= len(arguments):
                raise SimulationError(
                    f"kernel '{layout.name}': expected argument {item.argument}, "
                    f"got {len(arguments)} arguments"
                )
            if item.mode == "stateful" and not item.size:
                continue  # a surface state; code that uses it is refused
            value = arguments[item.argument]
            if item.kind == "arg_bypointer" and item.mode == "slm":
                if not isinstance(value, int):
                    raise SimulationError(
                        f"kernel '{layout.name}': argument {item.argument} is local memory"
                    )
                slm = -(-slm // item.alignment) * item.alignment
                found = slm.to_bytes(8, "little")
                slm += value
            elif isinstance(value, int) or (
                item.kind == "arg_bypointer" and item.mode not in ("", "stateless")
            ):
                raise SimulationError(
                    f"kernel '{layout.name}': argument {item.argument} with addressing mode "
                    f"'{item.mode}' is not supported"
                )
            else:
                found = value[item.source_offset :]
                if len(found) < item.size:
                    raise SimulationError(
                        f"kernel '{layout.name}': argument {item.argument} has {len(value)} "
                        f"bytes, {item.source_offset + item.size} are read"
                    )
        data[item.offset : item.offset + item.size] = found[: item.size].ljust(item.size, b"\0")
    return bytes(data), slm
