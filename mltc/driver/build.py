"""The way from an input at some stage to an output at a later one.

One ``mlt-opt`` process runs all passes and leaves the module of every stage in a file; the
LLVM dialect module of stage llir goes through ``mlt-translate``, ``llvm-spirv`` and ocloc to
native code, the one behind ``--emulate-intrinsics`` to portable SPIR-V, and both end in one
package.  Nothing here looks into IR.
"""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import mltc
from mltc.driver import grf, native
from mltc.driver.request import (
    BuildRequest,
    check_contents,
    check_options,
    check_warps_and_grf,
    input_stage,
)
from mltc.driver.session import BuildFailure, Report, Session, silent, working_directory
from mltc.driver.translator import translator_arguments
from mltc.errors import MltcError, UsageError
from mltc.package import (
    CompilerManifest,
    Manifest,
    build_package,
    build_portable_package,
    read_package,
)
from mltc.package.container import SECTION, SPIRV_MAGIC, check_output, read_bytes, write_output
from mltc.package.manifest import BuildRecord, GrfRecord, parse
from mltc.package.zebin import ZebinError, read_zebin
from mltc.pipeline import (
    Pipeline,
    load_pipeline,
    pipeline_names,
    pipeline_yaml,
    read_registry,
)
from mltc.pipeline.model import SAFE_VALUE
from mltc.pipeline.stages import IR_STAGES, PASS_STAGES, stage_index
from mltc.target import Target, UnknownTargetError, load_target
from mltc.toolchain import OclocInfo, ToolNotFoundError, find_tool

MAX_INPUT_BYTES = 256 * 1024 * 1024


@dataclass(frozen=True)
class BuildResult:
    """What a build produced.

    Attributes:
        stage: the stage of the output.
        data: the output.
        manifest: of a package, or None for an earlier stage.
        notes: decisions and warnings for the user.
        timings: (tool, seconds) of each command, in order.
    """

    stage: str
    data: bytes
    manifest: Manifest | None
    notes: tuple[str, ...]
    timings: tuple[tuple[str, float], ...] = ()


class _Compiled(NamedTuple):
    """Code for the target, and how it came about."""

    manifest: CompilerManifest
    binary: grf.Binary
    record: GrfRecord


class _Build:
    """One build; the methods run in the order of :meth:`run`."""

    def __init__(
        self,
        request: BuildRequest,
        session: Session,
        target: Target,
        pipeline: Pipeline,
        stage: str,
        source: bytes,
    ) -> None:
        self.request = request
        self.session = session
        self.target = target
        self.pipeline = pipeline
        self.stage = stage
        self.source = source
        self.notes: list[str] = []
        self.ocloc: OclocInfo | None = None

    # Files of this build, by role.

    def ir(self, stage: str) -> Path:
        return self.session.path(f"{self.request.stem}.{stage}.mlir")

    def file(self, suffix: str) -> Path:
        return self.session.path(f"{self.request.stem}.{suffix}")

    def wants(self, stage: str) -> bool:
        """Whether the output is this stage or a later one."""
        return stage_index(self.request.to_stage) >= stage_index(stage)

    @property
    def needs_native(self) -> bool:
        return self.request.to_stage == "spv" or (
            self.request.to_stage == "zebin" and self.request.native
        )

    @property
    def needs_portable(self) -> bool:
        return self.request.to_stage == "portable" or (
            self.request.to_stage == "zebin" and self.request.portable
        )

    def run(self) -> BuildResult:
        self._recognise_ocloc()
        if self.stage in IR_STAGES:
            self._run_passes()
            if self.request.to_stage in IR_STAGES:
                return self._result(self.ir(self.request.to_stage).read_bytes())
            self._translate()
        else:
            self._take_siblings()
        if self.request.to_stage != "zebin":
            suffix = "spv" if self.request.to_stage == "spv" else "portable.spv"
            return self._result(self.file(suffix).read_bytes())
        return self._package()

    def _result(self, data: bytes, manifest: Manifest | None = None) -> BuildResult:
        timings = tuple((command.tool, command.seconds) for command in self.session.commands)
        return BuildResult(self.request.to_stage, data, manifest, tuple(self.notes), timings)

    def _recognise_ocloc(self) -> None:
        """Looks at ocloc first: a wrong one must not cost the time of the passes."""
        if not self.needs_native or self.stage == "zebin":
            return
        try:
            self.ocloc = native.recognise(self.session, self.pipeline.style)
        except ToolNotFoundError:
            if self.request.to_stage == "zebin":
                raise
            self.notes.append("no ocloc found: SPIR-V for current ocloc is written")
            return
        if self.ocloc.warning:
            self.notes.append(self.ocloc.warning)

    # The passes.

    def _run_passes(self) -> None:
        last = self.request.to_stage if self.request.to_stage in IR_STAGES else "llir"
        begin = 0 if self.stage == "ttir" else IR_STAGES.index(self.stage) + 1
        stages = IR_STAGES[begin : IR_STAGES.index(last) + 1]
        passes: list[str] = []
        for stage in stages:
            passes += self.pipeline.stage_text(stage, self.request.choices)
            passes.append(f"mlt-write-ir{{file={_option(self.ir(stage))}}}")
        output = self.ir(last)
        if self.needs_portable:
            passes += self.pipeline.stage_text("portable", self.request.choices)
            output = self.ir("emulated")
        if not stages and self.stage == last:
            self.ir(last).write_bytes(self.source)
        elif not self.needs_portable and passes:
            passes.pop()  # the output itself is that file
        if not passes and not stages:
            return
        arguments: list[str | Path] = [
            self._input(),
            f"--pass-pipeline=builtin.module({','.join(passes)})",
        ]
        if self.request.remarks:
            arguments.append("--remarks-filter=.*")
        self.session.run_compiler("mlt-opt", [*arguments, "--mlir-print-debuginfo", "-o", output])

    def _input(self) -> Path:
        """The file the tools read: the user's own, so that diagnostics name it."""
        in_memory = self.request.input == "-" or self.request.source is not None
        return self.file("input") if in_memory else Path(self.request.input)

    # LLVM and SPIR-V.

    def _translate(self) -> None:
        llir = self.ir("llir")
        if self.request.to_stage == "zebin":
            # Only the portable module knows what it checks.
            source = self.ir("emulated") if self.request.checked and self.needs_portable else llir
            self.session.run_compiler(
                "mlt-translate", ["--mlt-to-manifest", source, "-o", self.file("manifest.json")]
            )
        if self.needs_native:
            consumer = native.translator_consumer(self.ocloc)
            self._to_spirv(llir, "", consumer)
        if self.needs_portable:
            self._to_spirv(self.ir("emulated"), "portable.", "opencl-cpu")

    def _to_spirv(self, module: Path, prefix: str, consumer: str) -> None:
        bitcode, spirv = self.file(f"{prefix}bc"), self.file(f"{prefix}spv")
        if self.request.save_temps is not None:
            text = self.file(f"{prefix}ll")
            self.session.run_compiler("mlt-translate", ["--mlt-to-llvmir", module, "-o", text])
        self.session.run_compiler("mlt-translate", ["--mlt-to-llvm-bitcode", module, "-o", bitcode])
        self.session.run("llvm-spirv", [bitcode, "-o", spirv, *translator_arguments(consumer)])

    def _take_siblings(self) -> None:
        """For an input behind llir: the files that ``--save-temps`` put beside it."""
        if self.request.input == "-":
            raise UsageError(
                f"input of stage {self.stage} must be a file, its manifest lies beside it"
            )
        if self.stage in ("spv", "portable") and self.source[:4] != SPIRV_MAGIC:
            raise UsageError(f"expected SPIR-V as input of stage {self.stage}")
        if self.stage == "zebin":
            return
        own = "portable.spv" if self.stage == "portable" else "spv"
        if self.request.to_stage != "zebin":
            return
        directory = Path(self.request.input).parent
        wanted = {"manifest.json", "portable.spv"} | ({"spv"} if self.request.native else set())
        for suffix in wanted - {own}:
            sibling = directory / f"{self.request.stem}.{suffix}"
            if sibling.is_file():
                self.file(suffix).write_bytes(read_bytes(sibling))
            elif suffix != "portable.spv" or not self.request.native:
                raise UsageError(
                    f"to go on from stage {self.stage}, '{sibling}' is needed",
                    hint="--save-temps writes it",
                )
            elif self.request.portable:
                self.notes.append(f"no '{sibling}': the package gets no portable code")

    # The package.

    def _compiler_manifest(self) -> CompilerManifest:
        path = self.file("manifest.json")
        manifest = parse(path.read_bytes(), CompilerManifest, f"manifest of {self.request.stem}")
        if (manifest.target, manifest.style) != (self.target.name, self.pipeline.style):
            raise UsageError(
                f"the module is for {manifest.target} in style {manifest.style}, the build for "
                f"{self.target.name} in style {self.pipeline.style}"
            )
        return manifest

    def _package(self) -> BuildResult:
        if self.stage == "zebin":
            return self._repackage()
        if not self.request.native:
            return self._package_portable(self._compiler_manifest())
        compiled = self._compile()
        if compiled.binary.worst_spill and self._may_leave_out_versions:
            compiled = self._compile_without_versions(compiled)
        manifest, binary, record = compiled
        self._report_grf(binary, record)
        native.check(self.session, binary, manifest, self.target, self.request.max_spill)
        full = self._full_manifest(manifest, binary, record)
        portable = self.file("portable.spv")
        spirv = portable.read_bytes() if self.request.portable and portable.is_file() else None
        return self._result(build_package(binary.data, full, spirv), full)

    def _compile(self) -> _Compiled:
        """Code for the target, of what the passes have left."""
        manifest = self._compiler_manifest()

        def compile_with(registers: int) -> grf.Binary:
            return native.compile_binary(
                self.session, self.file("spv"), self.target, manifest.style, registers
            )

        binary, record = grf.choose(
            self.request.grf, manifest, self.target, self.request.max_spill, compile_with
        )
        return _Compiled(manifest, binary, record)

    @property
    def _may_leave_out_versions(self) -> bool:
        """Whether the passes have decided on versions, and nobody else has."""
        return self.request.versions == "auto" and self.stage in IR_STAGES[:2]

    def _compile_without_versions(self, first: _Compiled) -> _Compiled:
        """What spills in the version for other launches takes memory from every launch.

        Where it is that, the version is left out and the launches are refused; of a kernel that
        was written with pointers, which name no tensors, it stays.
        """
        given, versioned = self.request, self.ir("llir").read_bytes()
        self._build_with(replace(given, versions="raised"))
        if self.ir("llir").read_bytes() == versioned:
            self.request = given
            return first
        second = self._compile()
        if second.binary.worst_spill < first.binary.worst_spill:
            self.notes.append(
                f"no version for launches that block messages do not serve: it would spill "
                f"{first.binary.worst_spill} bytes per thread; --versions always keeps it"
            )
            return second
        self._build_with(given)
        return first

    def _build_with(self, request: BuildRequest) -> None:
        """Runs the passes again, for another request."""
        self.request = request
        self._run_passes()
        self._translate()

    def _package_portable(self, manifest: CompilerManifest) -> BuildResult:
        full = self._full_manifest(manifest, None, None)
        spirv = self.file("portable.spv").read_bytes()
        return self._result(build_portable_package(full, spirv), full)

    def _report_grf(self, binary: grf.Binary, record: GrfRecord) -> None:
        self.session.report(f"registers: {record.registers} per thread ({record.reason})")
        larger = grf.larger_mode(record.registers, self.target)
        if larger is not None and "leave no room" in record.reason:
            self.notes.append(f"{record.registers} registers per thread: {record.reason}")
        for name, spill in binary.spills.items():
            if spill:
                advice = f" or --grf {larger}" if larger else ""
                self.notes.append(
                    f"kernel '{name}' spills {spill} bytes per thread with {record.registers} "
                    f"registers; more warps{advice} may help"
                )

    def _full_manifest(
        self, manifest: CompilerManifest, binary: grf.Binary | None, record: GrfRecord | None
    ) -> Manifest:
        stages = PASS_STAGES if self.request.portable else IR_STAGES
        build = BuildRecord(
            mltc=mltc.__version__,
            tools=self._tool_versions(),
            pipeline=self.pipeline.name,
            pipeline_text=self.pipeline.text(self.request.choices, stages),
            input_name="-" if self.request.input == "-" else Path(self.request.input).name,
            input_sha256=hashlib.sha256(self.source).hexdigest(),
            input_stage=self.stage,
            grf=record,
            spill_bytes={} if binary is None else binary.spills,
            options={
                "num_warps": self.request.num_warps or "auto",
                "max_spill": self.request.max_spill,
            },
        )
        return Manifest.model_validate({**manifest.model_dump(), "build": build.model_dump()})

    def _tool_versions(self) -> dict[str, str]:
        versions = self.session.versions()
        versions.pop("mltc")
        if self.ocloc is not None:
            versions["igc"] = self.ocloc.igc_version
        return versions

    def _repackage(self) -> BuildResult:
        """A package as input: checked again and written as it is."""
        try:
            has_manifest = SECTION in read_zebin(self.source).sections
        except ZebinError as error:
            raise UsageError(f"'{self.request.input}': {error.message}") from None
        if not has_manifest:
            raise UsageError(
                f"'{self.request.input}' is a zebin without a manifest",
                hint="go on from its SPIR-V: --from spv with the manifest beside it",
            )
        package = read_package(self.source, self.request.input)
        if not package.native:
            raise UsageError(
                f"'{self.request.input}' holds only portable code: it is finished",
                hint="for code for the target begin at stage llir or before",
            )
        registers = next(iter(package.zebin.kernels.values())).grf_count
        binary = grf.Binary(registers, package.data, package.zebin)
        native.check(self.session, binary, package.manifest, self.target, self.request.max_spill)
        return self._result(self.source, package.manifest)


def _option(path: Path) -> str:
    """A path as value of a pass option."""
    text = str(path)
    if SAFE_VALUE.match(text):
        return text
    if "'" in text:
        raise UsageError(f"the directory '{path.parent}' cannot be named in a pass pipeline")
    return f"'{text}'"


def _read_input(request: BuildRequest) -> bytes:
    data = read_bytes(request.input) if request.source is None else request.source
    if len(data) > MAX_INPUT_BYTES:
        raise UsageError(f"'{request.input}' is larger than {MAX_INPUT_BYTES} bytes")
    return data


def _load(request: BuildRequest) -> tuple[Target, Pipeline]:
    try:
        target = load_target(request.target)
    except UnknownTargetError as error:
        raise UsageError(f"--target: {error.message}") from None
    check_warps_and_grf(request, target)
    pipeline = load_pipeline(request.pipeline_name)
    if pipeline.target != target.name:
        raise UsageError(
            f"pipeline '{pipeline.name}' is for target {pipeline.target}, not {target.name}"
        )
    if request.pipeline_name not in pipeline_names():
        read_registry(find_tool("mlt-opt")).check(pipeline)
    return target, pipeline


def _reproduce(request: BuildRequest, stage: str, source: Path, pipeline: Path) -> str:
    argv = ["mltc", "build", str(source), "-o", str(source.with_name("output")), "--from", stage,
            "--to", request.to_stage, "--target", request.target,
            "--num-warps", str(request.num_warps or "auto"), "--grf", str(request.grf),
            "--timeout", f"{request.timeout:g}"]  # fmt: skip
    if stage != "zebin":
        argv += ["--pipeline", str(pipeline)]
    if request.prefetch_distance is not None:
        argv += ["--prefetch-distance", str(request.prefetch_distance)]
    if request.versions != "auto":
        argv += ["--versions", request.versions]
    if request.checked:
        argv.append("--checked")
    if request.max_spill is not None:
        argv += ["--max-spill", str(request.max_spill)]
    if not request.portable:
        argv.append("--no-portable")
    if not request.native:
        argv.append("--no-native")
    if request.remarks:
        argv.append("--remarks")
    return shlex.join(argv)


def build(request: BuildRequest, report: Report = silent) -> BuildResult:
    """Runs a build and writes its output.

    Args:
        request: what to do.
        report: receives the lines of a verbose build: commands, times, decisions.

    Raises:
        MltcError: the request makes no sense; nothing was run.
        BuildFailure: a step failed; names the directory that holds everything about it.
            The output file is then untouched.
    """
    stage = input_stage(request)
    check_contents(request, stage)
    check_options(request, stage)
    if request.output is not None:
        binary = request.to_stage not in IR_STAGES
        check_output(request.output, binary=binary, force=request.force)
    target, pipeline = _load(request)
    source = _read_input(request)
    with working_directory(request.save_temps, request.bundle_dir) as directory:
        session = Session(directory.absolute(), request.timeout, report)
        # Beside SPIR-V lie the files that belong to it, under the same name.
        kind = {"spv": "spv", "portable": "portable.spv"}.get(stage, "input")
        copy = session.path(f"{request.stem}.{kind}")
        copy.write_bytes(source)
        pipeline_copy = session.path("pipeline.yaml")
        pipeline_copy.write_text(pipeline_yaml(pipeline))  # with all that it extends
        reproduce = _reproduce(request, stage, copy, pipeline_copy)
        return _guarded(
            lambda: _finish(_Build(request, session, target, pipeline, stage, source), request),
            session,
            reproduce,
        )


def _finish(job: _Build, request: BuildRequest) -> BuildResult:
    result = job.run()
    if request.output is not None:
        binary = result.stage not in IR_STAGES
        write_output(request.output, result.data, binary=binary, force=request.force)
    return result


def _guarded(action: Callable[[], BuildResult], session: Session, reproduce: str) -> BuildResult:
    try:
        return action()
    except MltcError as error:
        session.write_bundle(error, reproduce)
        raise BuildFailure(error, session.directory, reproduce) from error
