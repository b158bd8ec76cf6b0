"""The register mode of a kernel: how ``--grf auto`` decides, with the numbers.

More registers per thread mean fewer threads per core, and too few registers mean spills,
which cost far more.  Kernels with a dot keep accumulators in registers and start with the
large mode; others start with the small one and get the large one only if they spill.  A
work-group with more threads than the large mode has room for leaves no choice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mltc.driver.request import check_grf_for_warps
from mltc.package.manifest import CompilerManifest, GrfAttempt, GrfRecord
from mltc.package.zebin import Zebin
from mltc.target import Target


@dataclass(frozen=True)
class Binary:
    """A zebin compiled in one register mode."""

    registers: int
    data: bytes
    zebin: Zebin

    @property
    def spills(self) -> dict[str, int]:
        """Bytes spilled per kernel."""
        return {name: info.spill_size for name, info in self.zebin.kernels.items()}

    @property
    def worst_spill(self) -> int:
        """The largest spill of a kernel, in bytes."""
        return max(self.spills.values(), default=0)

    @property
    def has_dpas(self) -> bool:
        """Whether a kernel uses matrix instructions."""
        return any(info.has_dpas for info in self.zebin.kernels.values())

    def attempt(self) -> GrfAttempt:
        """The record of this compilation."""
        return GrfAttempt(registers=self.registers, spill_bytes=self.spills)


Compile = Callable[[int], Binary]


def larger_mode(registers: int, target: Target) -> int | None:
    """The next mode with more registers per thread; None when there is none."""
    return min((m.registers for m in target.grf.modes if m.registers > registers), default=None)


def choose(
    requested: int | str,
    manifest: CompilerManifest,
    target: Target,
    max_spill: int | None,
    compile_with: Compile,
) -> tuple[Binary, GrfRecord]:
    """Compiles in as many register modes as it takes and picks one.

    Args:
        requested: registers per thread, or ``"auto"``.
        manifest: the compiler's record (warps, whether there is a dot).
        target: gives the register modes.
        max_spill: bytes a kernel may spill before the larger mode is tried.
        compile_with: runs ocloc with so many registers per thread.

    Raises:
        UsageError: the requested mode has no room for the kernel's warps.
    """
    warps = max(kernel.num_warps for kernel in manifest.kernels)
    modes = sorted(mode.registers for mode in target.grf.modes)
    small, large = modes[0], modes[-1]
    if requested != "auto":
        registers = int(requested)
        check_grf_for_warps(registers, warps, target)
        only = compile_with(registers)
        return only, _record(requested, only, [only], "as asked")
    if warps > target.max_warps(large):
        only = compile_with(small)
        reason = f"{warps} warps per work-group leave no room for {large} registers per thread"
        return only, _record(requested, only, [only], reason)
    has_dot = any(kernel.has_dot for kernel in manifest.kernels)
    return _automatic(requested, small, large, max_spill or 0, has_dot, compile_with)


def _automatic(
    requested: int | str, small: int, large: int, limit: int, has_dot: bool, compile_with: Compile
) -> tuple[Binary, GrfRecord]:
    if has_dot:
        only = compile_with(large)
        reason = (
            f"a kernel with dot starts with {large} registers; it spills {only.worst_spill} bytes"
        )
        return only, _record(requested, only, [only], reason)
    first = compile_with(small)
    if first.worst_spill <= limit and not first.has_dpas:
        reason = f"no dot; with {small} registers it spills {first.worst_spill} bytes"
        return first, _record(requested, first, [first], reason)
    second = compile_with(large)
    dpas = first.has_dpas
    better = second if dpas or second.worst_spill < first.worst_spill else first
    reason = (
        f"{'uses matrix instructions; ' if dpas else ''}with {small} registers it spills "
        f"{first.worst_spill} bytes, with {large} {second.worst_spill}"
    )
    return better, _record(requested, better, [first, second], reason)


def _record(requested: int | str, chosen: Binary, tried: list[Binary], reason: str) -> GrfRecord:
    return GrfRecord(
        requested=str(requested),
        registers=chosen.registers,
        reason=reason,
        attempts=tuple(binary.attempt() for binary in tried),
    )
