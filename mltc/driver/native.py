"""From SPIR-V to a checked zebin: running ocloc, which differs by release.

ocloc names its output as it likes, reports success for broken binaries, and prints warnings
about spills that mean nothing when it recompiled.  So the output is found by what it is, and
judged by what is in it.
"""

from __future__ import annotations

from pathlib import Path

from mltc.driver import grf
from mltc.driver.session import Session, file_name
from mltc.errors import MltcError
from mltc.package import isa
from mltc.package.check import Expectation, check_zebin
from mltc.package.manifest import CompilerManifest
from mltc.package.zebin import EM_INTELGT, ZebinError, read_zebin
from mltc.target import Target
from mltc.toolchain import OclocInfo, ToolFailure, ToolNotFoundError, ocloc_generation

#: The one spelling of the large register mode that every ocloc and both styles understand; the
#: small one is what it does by itself.
_LARGE_REGISTER_FILE = "-ze-opt-large-register-file"
_STYLE_OPTIONS = {"simt": (), "simd": ("-vc-codegen",)}
OLD = "22.43"


class NativeError(MltcError):
    """ocloc cannot or did not produce a usable binary."""


def recognise(session: Session, style: str) -> OclocInfo:
    """Recognises the release of ocloc and refuses one that breaks the style silently.

    Raises:
        ToolNotFoundError: there is no ocloc.
        NativeError: the release compiles this style into wrong code.
    """
    tool = session.tool("ocloc")
    info = ocloc_generation(tool)
    if style == "simt" and info.generation == OLD:
        raise NativeError(
            f"ocloc {info.driver_version} ({tool.origin}) has no 2-D block writes in SIMT style: "
            "it would turn them into reads and report success",
            hint="install a current ocloc with `make setup` (or "
            "`python -m mltc.toolchain.install`), or set MLTC_TOOLCHAIN to a directory with one",
        )
    return info


def translator_consumer(info: OclocInfo | None) -> str:
    """The list of translator options that fits an ocloc; current when it is not known."""
    return f"ocloc-{OLD}" if info is not None and info.generation == OLD else "ocloc-current"


def _arguments(spirv: Path, out: Path, target: Target, style: str, registers: int) -> list[str]:
    options = list(_STYLE_OPTIONS[style])
    if grf.larger_mode(registers, target) is None:
        options.append(_LARGE_REGISTER_FILE)
    args = ["compile", "-spirv_input", "-file", str(spirv), "-device", target.ocloc_device,
            "--format", "zebin", "-output", "kernel", "-output_no_suffix", "-out_dir", str(out),
            "-exclude_ir"]  # fmt: skip
    return [*args, "-options", " ".join(options)] if options else args


def _find_output(directory: Path) -> bytes:
    for path in sorted(directory.iterdir()):
        with path.open("rb") as file:
            head = file.read(20)
        if head[:4] == b"\x7fELF" and int.from_bytes(head[18:20], "little") == EM_INTELGT:
            return path.read_bytes()
    names = ", ".join(sorted(path.name for path in directory.iterdir())) or "nothing"
    raise NativeError(f"ocloc reports success but wrote no zebin (it wrote: {names})")


def compile_binary(
    session: Session, spirv: Path, target: Target, style: str, registers: int
) -> grf.Binary:
    """Runs ocloc once.

    Raises:
        ToolFailure: ocloc failed, crashed or took too long.
        NativeError: it wrote no zebin, or a damaged one.
    """
    out = session.path(f"ocloc-{registers}")
    out.mkdir(exist_ok=True)
    for old in out.iterdir():  # a kept directory of an earlier build
        old.unlink()
    try:
        session.run("ocloc", _arguments(spirv, out, target, style, registers), cwd=out)
    except ToolFailure as failure:
        if failure.hint is None and failure.returncode is None:
            failure.hint = "a kernel that spills compiles slowly: more warps, or a larger --timeout"
        raise
    data = _find_output(out)
    try:
        return grf.Binary(registers, data, read_zebin(data))
    except ZebinError as error:
        raise NativeError(f"ocloc wrote a damaged zebin: {error.message}") from None


def _call_counts(session: Session, binary: grf.Binary, target: Target) -> dict[str, int] | None:
    try:
        session.tool("iga64")
    except ToolNotFoundError:
        session.report("  no iga64: the code was not searched for call instructions")
        return None
    listings = {
        name: isa.disassemble(binary.zebin.code(name), target.iga_platform)
        for name in binary.zebin.kernels
        if binary.zebin.code(name)
    }
    for number, (name, listing) in enumerate(listings.items()):
        # The name of a kernel may be longer than one of a file, and hold anything.
        session.path(f"{number}-{file_name(name)[:100]}.asm").write_text(listing)
    return {name: isa.analyse(listing).counts.calls for name, listing in listings.items()}


def check(
    session: Session,
    binary: grf.Binary,
    manifest: CompilerManifest,
    target: Target,
    max_spill: int | None,
) -> None:
    """Refuses a binary that cannot be loaded or is not what was asked for.

    Raises:
        PackageCheckError: with every reason.
    """
    expected = Expectation(
        kernels={kernel.name: len(kernel.args) for kernel in manifest.kernels},
        product_config=target.product,
        gfx_core=target.gfx_core.value if target.gfx_core else None,
        grf_registers=binary.registers,
        larger_grf=grf.larger_mode(binary.registers, target),
        max_spill=max_spill,
        max_slm_bytes=target.slm_bytes.value,
    )
    check_zebin(binary.zebin, expected)
    calls = _call_counts(session, binary, target)
    if calls and any(calls.values()):
        check_zebin(binary.zebin, Expectation(expected.kernels, call_counts=calls))
