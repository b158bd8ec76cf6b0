"""Proof that an installed toolchain works: every tool does its job once.

A version banner proves little: ocloc prints its own and loads IGC only when it
compiles. So an empty kernel goes the whole way, SPIR-V through llvm-spirv and
back, ocloc to a PVC binary, and its code through the disassembler.
"""

from __future__ import annotations

import json
import struct
import subprocess
import tempfile
from pathlib import Path

from mltc.resources import data_files
from mltc.toolchain import nulldriver
from mltc.toolchain import prefix as layout
from mltc.toolchain.find import Tool
from mltc.toolchain.ocloc import igc_from_libraries
from mltc.toolchain.run import run_tool
from mltc.toolchain.version import tool_version

_TIMEOUT = 120.0  # seconds per tool
_SPIRV_MAGIC = 0x07230203
_BITCODE_MAGIC = b"BC\xc0\xde"


class VerificationError(RuntimeError):
    """A tool ran but did not do what it is there for."""


def empty_kernel() -> bytes:
    """A SPIR-V module with one kernel `k` that does nothing."""

    def op(code: int, *operands: int) -> list[int]:
        return [(len(operands) + 1) << 16 | code, *operands]

    name = int.from_bytes(b"k\0\0\0", "little")
    kernel, void, function, label = 1, 2, 3, 4
    words = [_SPIRV_MAGIC, 0x00010000, 0, 5, 0]
    words += op(17, 4) + op(17, 6)  # OpCapability Addresses, Kernel
    words += op(14, 2, 2)  # OpMemoryModel Physical64 OpenCL
    words += op(15, 6, kernel, name)  # OpEntryPoint Kernel
    words += op(19, void) + op(33, function, void)  # OpTypeVoid, OpTypeFunction
    words += op(54, void, kernel, 0, function)  # OpFunction
    words += op(248, label) + op(253) + op(56)  # OpLabel, OpReturn, OpFunctionEnd
    return struct.pack(f"<{len(words)}I", *words)


def elf_section(data: bytes, name: str) -> bytes:
    """The contents of section `name` of a 64-bit little-endian ELF file.

    Raises:
        VerificationError: `data` is no such file or has no such section.
    """
    try:
        if data[:6] != b"\x7fELF\x02\x01":
            raise VerificationError("the binary is no 64-bit ELF file")
        (table,) = struct.unpack_from("<Q", data, 0x28)
        entry_size, count, names_index = struct.unpack_from("<3H", data, 0x3A)
        headers = [
            struct.unpack_from("<IIQQQQ", data, table + i * entry_size) for i in range(count)
        ]
        names_at = headers[names_index][4]
        for name_offset, _, _, _, offset, size in headers:
            start = names_at + name_offset
            if data[start : data.index(b"\0", start)] == name.encode():
                return data[offset : offset + size]
    except (struct.error, IndexError, ValueError, OverflowError) as error:
        raise VerificationError(f"the binary is damaged: {error}") from error
    raise VerificationError(f"the binary has no section {name}")


def _tool(prefix: Path, name: str) -> Tool:
    argv = layout.tool_argv(prefix, name)
    if argv is None:
        raise VerificationError(f"{name} is not in the toolchain")
    return Tool(name, argv, "being verified", prefix)


def _compile_round_trip(prefix: Path, directory: Path) -> None:
    """SPIR-V -> LLVM -> SPIR-V -> PVC binary -> assembly text."""
    (directory / "in.spv").write_bytes(empty_kernel())
    spirv = _tool(prefix, "llvm-spirv")
    for args in (["-r", "in.spv", "-o", "k.bc"], ["k.bc", "-o", "k.spv"]):
        run_tool(spirv, args, timeout=_TIMEOUT, cwd=directory)
    if (directory / "k.bc").read_bytes()[:4] != _BITCODE_MAGIC:
        raise VerificationError("llvm-spirv -r wrote no LLVM bitcode")

    # As plain data: set-up runs this before any other package is there.
    target = json.loads(data_files("targets", ".json")["pvc"].read_text("utf-8"))
    args = ["compile", "-spirv_input", "-device", target["ocloc_device"], "-file", "k.spv"]
    args += ["-output_no_suffix", "-output", "k"]
    run_tool(_tool(prefix, "ocloc"), args, timeout=_TIMEOUT, cwd=directory)
    written = [p for p in (directory / "k.bin", directory / "k") if p.is_file()]
    if not written:
        raise VerificationError("ocloc compile wrote no binary")
    text = elf_section(written[0].read_bytes(), ".text.k")
    (directory / "k.text").write_bytes(text)

    args = ["-d", f"-p={target['iga_platform']}", "k.text"]
    done = run_tool(_tool(prefix, "iga64"), args, timeout=_TIMEOUT, cwd=directory)
    if "EOT" not in done.text:
        raise VerificationError("iga64 does not show the end of the kernel")


def verify_tools(prefix: Path) -> dict[str, str]:
    """Run every tool of `prefix`; return the versions they report.

    Raises:
        ToolFailure: a tool does not start or fails.
        VerificationError: a tool is missing or its result is wrong.
    """
    with tempfile.TemporaryDirectory(prefix="mltc-verify-") as directory:
        _compile_round_trip(prefix, Path(directory))
    versions = {name: tool_version(_tool(prefix, name)) for name in layout.PREFIX_TOOLS}
    versions["igc"] = igc_from_libraries(prefix / layout.LIB_DIR) or "unknown"
    return versions


_COUNT_DRIVERS = """
import ctypes
ze = ctypes.CDLL("libze_loader.so.1")
count = ctypes.c_uint32(0)
result = ze.zeInit(0) or ze.zeDriverGet(ctypes.byref(count), None)
print(f"result {result:#x}, {count.value} drivers")
raise SystemExit(0 if result == 0 and count.value == 1 else 1)
"""


def verify_null_driver(prefix: Path) -> str | None:
    """Bring the Level Zero driver of `prefix` up without a GPU.

    Returns:
        None when it works, else what went wrong. It serves tests only, and
        whether it works depends on the machine's Python too.
    """
    if not (prefix / nulldriver.DRIVER).exists():
        return "the driver is not in the toolchain"
    argv = nulldriver.argv_in(prefix, ["-S", "-c", _COUNT_DRIVERS])
    try:
        done = subprocess.run(
            argv, env=nulldriver.env_in(prefix, "pvc"), timeout=_TIMEOUT, check=False,
            capture_output=True, text=True,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return None if done.returncode == 0 else (done.stdout + done.stderr).strip()[-500:]
