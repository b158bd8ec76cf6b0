"""The gate in front of a package: is this zebin what was asked for, and can it be loaded?

ocloc and IGC report success for binaries that cannot work: an unknown function stays as an
undefined symbol and a stack call, a kernel silently spills, a register mode is ignored.  So
the binary itself is looked at, never the tool's text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mltc.errors import MltcError
from mltc.package.zebin import EM_INTELGT, KernelInfo, Zebin

# Patch tokens that IGC leaves for the driver; the driver defines them at load time.
DRIVER_SYMBOLS = frozenset(
    {
        "__INTEL_PATCH_CROSS_THREAD_OFFSET_OFF_R0",
        "__INTEL_PATCH_CROSS_THREAD_OFFSET_OFF_R0_2",
        "INTEL_PATCH_CROSS_THREAD_OFFSET_OFF_R0",
    }
)


@dataclass(frozen=True)
class Expectation:
    """What a zebin is checked against.

    Attributes:
        kernels: kernel name -> number of positional arguments it takes.
        product_config: accepted (architecture, release); None skips the check.
        gfx_core: accepted core family of a file without product configuration, as releases
            before it wrote; None accepts none.
        grf_registers: registers per thread asked for; None accepts any mode.
        larger_grf: the next larger register mode, to advise it; None when there is none.
        max_spill: bytes a kernel may spill; None accepts any amount.
        max_slm_bytes: SLM a work-group may use; None skips the check.
        call_counts: kernel name -> number of call instructions in its code, where a
            disassembler was at hand.
    """

    kernels: Mapping[str, int]
    product_config: tuple[int, int] | None = None
    gfx_core: int | None = None
    grf_registers: int | None = None
    larger_grf: int | None = None
    max_spill: int | None = None
    max_slm_bytes: int | None = None
    call_counts: Mapping[str, int] | None = None


class PackageCheckError(MltcError):
    """The zebin must not be packaged; ``problems`` lists every reason."""

    def __init__(self, problems: list[str], *, hint: str | None = None) -> None:
        super().__init__("the binary is not usable: " + "; ".join(problems), hint=hint)
        self.problems = problems


def _file_problems(zebin: Zebin, expected: Expectation) -> list[str]:
    problems = []
    if zebin.machine != EM_INTELGT:
        problems.append(f"expected ELF machine {EM_INTELGT} (Intel GT), got {zebin.machine}")
    if ".ze_info" not in zebin.sections:
        problems.append("no .ze_info section (ocloc wrote another format than zebin)")
    undefined = [s for s in zebin.undefined_symbols if s not in DRIVER_SYMBOLS]
    if undefined:
        problems.append("undefined symbols (unknown functions): " + ", ".join(undefined))
    code = [r for r in zebin.relocations if ".text." in r.section]
    calls = sorted({r.symbol for r in code if r.function and not r.undefined})
    if calls:
        problems.append("code refers to separate functions: " + ", ".join(calls))
    config, wanted = zebin.product_config, expected.product_config
    if wanted is not None and not zebin.is_for(wanted, expected.gfx_core):
        if config is None:
            problems.append("no product configuration in .note.intelgt.compat")
        else:
            got = ".".join(map(str, config))
            problems.append(f"built for device {got}, expected {wanted[0]}.{wanted[1]}.x")
    return problems


def _kernel_problems(name: str, info: KernelInfo, expected: Expectation) -> list[str]:
    problems = []
    grf, spill, slm = expected.grf_registers, expected.max_spill, expected.max_slm_bytes
    if info.has_stack_calls:
        problems.append("has stack calls")
    if grf is not None and info.grf_count != grf:
        problems.append(f"uses {info.grf_count} registers, expected {grf}")
    if spill is not None and info.spill_size > spill:
        problems.append(
            f"spills {info.spill_size} bytes with {info.grf_count} registers, "
            f"at most {spill} allowed"
        )
    if slm is not None and info.slm_size > slm:
        problems.append(f"uses {info.slm_size} bytes of SLM, the target has {slm}")
    if info.num_args > expected.kernels[name]:
        problems.append(f"takes {info.num_args} arguments, expected {expected.kernels[name]}")
    calls = (expected.call_counts or {}).get(name, 0)
    if calls:
        problems.append(f"contains {calls} call instructions")
    return [f"kernel '{name}' {problem}" for problem in problems]


def check_zebin(zebin: Zebin, expected: Expectation) -> None:
    """Refuses a zebin that cannot be loaded or is not what was asked for.

    Raises:
        PackageCheckError: with all problems found.
    """
    problems = _file_problems(zebin, expected)
    for name in expected.kernels:
        if not zebin.code(name):
            problems.append(f"no code section .text.{name}")
        if name in zebin.kernels:
            problems += _kernel_problems(name, zebin.kernels[name], expected)
        elif ".ze_info" in zebin.sections:
            problems.append(f"no kernel '{name}' in .ze_info")
    if problems:
        spills = any("spills" in problem for problem in problems)
        larger = f", --grf {expected.larger_grf}" if expected.larger_grf else ""
        hint = f"more warps{larger} or a larger --max-spill"
        raise PackageCheckError(problems, hint=hint if spills else None)
