"""Building kernels from Python: one kernel, any number of variants."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mltc.driver import BuildRequest, BuildResult
from mltc.driver import build as run_build
from mltc.driver.session import Report, silent
from mltc.errors import UsageError, did_you_mean
from mltc.frontend.kernel import default_values, import_triton, parameters, unwrap
from mltc.frontend.signature import parse_signature
from mltc.frontend.triton_ir import emit_ttir

_FIELD = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True)
class Variant:
    """One way to build a kernel.

    Attributes:
        constants: values of parameters by name.
        num_warps: warps per work-group; None lets the compiler decide.
    """

    constants: Mapping[str, Any]
    num_warps: int | None = None

    def fill(self, template: str, name: str) -> str:
        """Replaces ``{NAME}`` by a constant, the warps (``num_warps``) or the kernel's ``name``.

        Raises:
            UsageError: no such constant.
        """
        known = {**self.constants, "num_warps": self.num_warps or "auto", "name": name}

        def value(match: re.Match[str]) -> str:
            if match.group(1) not in known:
                near = did_you_mean(match.group(1), known)
                raise UsageError(f"-o: there is no constant '{match.group(1)}'{near}")
            return re.sub(r"[^A-Za-z0-9_.+-]", "_", str(known[match.group(1)]))

        return _FIELD.sub(value, template)


def variant_ttir(
    function: Any, signature: str | Sequence[str] | Mapping[str, str], variant: Variant
) -> str:
    """The Triton IR of one variant.

    Raises:
        UsageError: signature and constants do not fit the kernel.
        FrontEndError: Triton is missing or refuses the kernel.
    """
    import_triton()
    kernel = unwrap(function)
    known = parameters(kernel)
    for name in variant.constants:
        if name not in known:
            raise UsageError(
                f"--constexpr: '{kernel.__name__}' has no parameter '{name}'"
                f"{did_you_mean(name, known)}"
            )
    defaults = {n: v for n, v in default_values(kernel).items() if known[n]}
    constants = {**defaults, **variant.constants}
    missing = [name for name, constant in known.items() if constant and name not in constants]
    if missing:
        raise UsageError(f"--constexpr: no value for {', '.join(missing)}")
    types = parse_signature(signature, [name for name in known if name not in constants])
    return emit_ttir(kernel, types, constants)


def compile(
    fn: Any,
    signature: str | Sequence[str] | Mapping[str, str],
    constexprs: Mapping[str, Any] | None = None,
    *,
    num_warps: int | None = None,
    output: str | Path | None = None,
    report: Report = silent,
    **options: Any,
) -> BuildResult:
    """Compiles a kernel; ``mltc.runtime.load(result.data)`` runs it.

    Args:
        fn: a function decorated with ``triton.jit``.
        signature: types of the arguments, as text or by name (docs/python.md).
        constexprs: values of the constants.
        num_warps: warps per work-group; None lets the compiler decide.
        output: file to write, ``-`` for standard output; None writes none.
        report: receives the lines of a verbose build.
        options: more of :class:`mltc.driver.BuildRequest`, such as ``grf`` or ``to_stage``.

    Raises:
        UsageError: the request makes no sense.
        FrontEndError: Triton is missing or refuses the kernel.
        BuildFailure: a tool failed; names the directory that holds everything about it.
    """
    kernel = _kernel(fn)
    fields = {field.name for field in dataclasses.fields(BuildRequest)}
    for name in options:
        if name not in fields:
            raise UsageError(f"compile: unknown option '{name}'{did_you_mean(name, fields)}")
    variant = Variant(dict(constexprs or {}), num_warps)
    request = BuildRequest(
        input=f"{_file(kernel)}::{kernel.__name__}",
        output=None if output is None else str(output),
        num_warps=num_warps,
        from_stage="ttir",
        source=variant_ttir(kernel, signature, variant).encode(),
        **options,
    )
    return run_build(request, report)


def _kernel(function: Any) -> Any:
    import_triton()
    return unwrap(function)


def _file(kernel: Any) -> str:
    return inspect.getsourcefile(kernel.fn) or "kernel.py"


def build_variants(
    fn: Any,
    signature: str | Sequence[str] | Mapping[str, str],
    variants: Sequence[Variant],
    output: str,
    *,
    report: Report = silent,
    **options: Any,
) -> list[BuildResult]:
    """Compiles every variant of a kernel to the file that ``output`` names for it.

    All of Triton's work is done first, so that a wrong variant costs no build.

    Raises:
        UsageError: two variants have the same file, or as :func:`compile`.
        FrontEndError: as :func:`compile`.
        BuildFailure: as :func:`compile`; the variants before it are then written.
    """
    kernel = _kernel(fn)
    paths = [variant.fill(output, kernel.__name__) for variant in variants]
    if len(set(paths)) < len(paths):
        raise UsageError(
            f"-o: {len(paths)} variants cannot all be written to '{output}'",
            hint="name them by their constants: -o 'kernel-{BM}x{BN}-{num_warps}.zebin'",
        )
    sources = [variant_ttir(kernel, signature, variant) for variant in variants]
    return [
        run_build(
            BuildRequest(
                input=f"{_file(kernel)}::{kernel.__name__}",
                output=path,
                num_warps=variant.num_warps,
                from_stage="ttir",
                source=source.encode(),
                **options,
            ),
            report,
        )
        for variant, path, source in zip(variants, paths, sources, strict=True)
    ]
