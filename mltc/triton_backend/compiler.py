"""The compiler half of the back end: from Triton's module to the bytes of a package.

Two stages: ``ttir``, the clean-up that ``mltc build kernel.py::name`` runs as well, and ``zebin``,
a build of that text.  For a device that runs portable SPIR-V the package has no native code, so a
launch on the CPU does not wait for ocloc.  Triton keeps the results in its cache; the key covers
everything of ours that the bytes depend on.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from triton._C.libtriton import ir, passes
from triton.backends.compiler import BaseBackend, GPUTarget
from triton.runtime.errors import PTXASError

import mltc
from mltc.driver import BuildRequest, BuildResult, build
from mltc.driver.session import BuildFailure
from mltc.errors import MltcError, UsageError
from mltc.frontend.triton_ir import Options, clean_up, codegen_hooks, module_map
from mltc.pipeline import PipelineError
from mltc.pipeline.load import find_pipeline
from mltc.resources import data_files
from mltc.runtime.module import runs_native
from mltc.toolchain import ToolFailure, ToolNotFoundError, find_tool, ocloc_generation
from mltc.toolchain.prefix import read_versions
from mltc.triton_backend.device import NAME, current_device

_IMPLICIT = ("mlt-opt", "mlt-translate", "llvm-spirv", "ocloc")


class KernelBuildError(MltcError, PTXASError):  # type: ignore[misc]  # Triton has no types
    """A kernel cannot be built; ``triton.autotune`` then goes on to its next configuration."""

    def __init__(self, failure: MltcError) -> None:
        MltcError.__init__(self, failure.message, hint=failure.hint)
        self.error_message = failure.message
        self.bundle = failure.bundle if isinstance(failure, BuildFailure) else None

    def __str__(self) -> str:
        where = f"\neverything about this build: {self.bundle}" if self.bundle else ""
        return MltcError.__str__(self) + where

    def __reduce__(self) -> Any:  # Triton copies errors that it keeps
        return _same, (self,)

    def __deepcopy__(self, _: Any) -> KernelBuildError:
        return self


def _same(error: KernelBuildError) -> KernelBuildError:
    return error


@dataclass(frozen=True)
class LaunchOptions(Options):
    """Keywords of a launch beside the kernel's own, with Triton's names.

    Attributes:
        grf: ``"auto"``, or registers per thread.
        pipeline: name or file of the pass pipeline; None takes the target's.
        native: whether code for the target is built; None asks the device.
    """

    grf: int | str = "auto"
    pipeline: str | None = None
    native: bool | None = None
    cluster_dims: tuple[int, int, int] = (1, 1, 1)
    launch_cooperative_grid: bool = False
    fpsan_homomorphic_casts: bool = False
    ir_override: str | None = None

    def hash(self) -> str:
        """What tells two sets of options apart in Triton's cache."""
        text = "-".join(f"{name}={value!r}" for name, value in sorted(vars(self).items()))
        if self.pipeline is not None:
            with suppress(PipelineError, OSError):  # the build says what is wrong with it
                text += find_pipeline(self.pipeline).read_text("utf-8", "replace")
        return hashlib.sha256(text.encode()).hexdigest()


def _file_key(path: Path) -> str:
    status = path.stat()
    return f"{path}:{status.st_size}:{status.st_mtime_ns}"


@cache
def toolchain_key() -> str:
    """Changes whenever a package of the same kernel may: our version, tools, and data."""
    parts = [mltc.__version__]
    for name in _IMPLICIT:
        try:
            tool = find_tool(name)
            parts.append(_file_key(tool.path.resolve()))
            recorded = read_versions(tool.prefix) if tool.prefix else None
            if recorded is not None:  # saves starting it
                parts.append(json.dumps(recorded, sort_keys=True))
                continue
            parts.append(tool.version())
            if name == "ocloc":  # which only hands the code to another library
                parts.append(ocloc_generation(tool).igc_version)
        except ToolFailure as failure:
            parts.append(f"{name}: {failure.reason}")
        except (ToolNotFoundError, OSError):
            parts.append(f"no {name}")
    data = {**data_files("pipelines", ".yaml"), **data_files("targets", ".json")}
    for path in data.values():
        parts.append(hashlib.sha256(path.read_bytes()).hexdigest())
    package = Path(mltc.__file__).parent
    parts += [_file_key(path) for path in sorted(package.rglob("*.py"))]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def build_text(text: str, target: str, options: LaunchOptions) -> BuildResult:
    """Builds a kernel in Triton IR.

    Raises:
        KernelBuildError: it cannot be built.
    """
    request = BuildRequest(
        input="kernel.ttir",
        output=None,
        num_warps=options.num_warps,
        grf=options.grf,
        target=target,
        pipeline=options.pipeline,
        from_stage="ttir",
        native=bool(options.native),
        source=text.encode(),
    )
    try:
        return build(request)
    except MltcError as failure:
        raise KernelBuildError(failure) from None


class MltcBackend(BaseBackend):  # type: ignore[misc]  # Triton has no types
    """What Triton asks of a compiler."""

    binary_ext = "zebin"

    @staticmethod
    def supports_target(target: GPUTarget) -> bool:
        """Whether a target is one of ours."""
        return bool(target.backend == NAME)

    def hash(self) -> str:
        """The part of Triton's cache key that is ours."""
        return f"{NAME}-{self.target.arch}-{toolchain_key()}"

    def parse_options(self, options: Mapping[str, Any]) -> LaunchOptions:
        """The options of a launch; Triton itself refuses keywords that are none.

        Raises:
            UsageError: more than one CTA per cluster, which the target does not have.
        """
        known = LaunchOptions.__dataclass_fields__
        given = {name: value for name, value in options.items() if name in known}
        if given.get("num_ctas", 1) != 1:
            raise UsageError(f"num_ctas: expected 1, got {given['num_ctas']}")
        if given.get("native") is None:
            given["native"] = runs_native(current_device())
        given["extern_libs"] = tuple(dict(given.get("extern_libs") or ()).items())
        return LaunchOptions(**given)

    def add_stages(
        self, stages: dict[str, Any], options: LaunchOptions, language: Any = None
    ) -> None:
        """Adds the stages of a compilation, in order.

        Raises:
            UsageError: the kernel is written in Gluon.
        """
        if getattr(language, "name", "TRITON") != "TRITON":
            raise UsageError("kernels in Gluon name layouts of other hardware; use triton.jit")
        stages["ttir"] = _clean
        stages["zebin"] = lambda module, metadata: self._build(str(module), metadata, options)

    def _build(self, text: str, metadata: dict[str, Any], options: LaunchOptions) -> bytes:
        result = build_text(text, self.target.arch, options)
        assert result.manifest is not None  # stage zebin
        kernel = result.manifest.kernels[0]
        metadata.update(name=kernel.name, shared=kernel.slm_bytes, num_warps=kernel.num_warps)
        return result.data

    def load_dialects(self, context: Any) -> None:
        """Adds no dialect: Triton's own are all that its front end makes."""

    def get_codegen_implementation(self, options: LaunchOptions) -> dict[str, Any]:
        """Hooks of the front end."""
        return codegen_hooks()

    def get_module_map(self) -> dict[str, ModuleType]:
        """Modules of the language that are replaced."""
        return module_map()

    def pack_metadata(self, metadata: Any) -> tuple[Any, ...]:
        """What Triton's hooks get to see of a kernel's launch."""
        return (metadata.num_warps, metadata.num_ctas, metadata.shared)


def _clean(module: Any, _: dict[str, Any]) -> Any:
    clean_up(ir, passes, module.context, module)
    return module
