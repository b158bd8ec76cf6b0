"""The driver around stand-ins for our own compiler tools; llvm-spirv, ocloc and iga64 are real.

What the stand-ins do is written by each test into a folder: the modules "compiled" to, the
manifest, or a failure.  What is tested is what the driver makes of it.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import conftest
import numpy as np
import pytest

from mltc.driver import BuildFailure, BuildRequest, build, native
from mltc.driver.build import _Build
from mltc.driver.grf import Binary, choose
from mltc.driver.request import input_stage
from mltc.driver.session import Session
from mltc.driver.translator import translator_arguments
from mltc.errors import MltcError, UsageError
from mltc.package import read_package
from mltc.package.manifest import GrfRecord
from mltc.package.zebin import KernelInfo, Zebin
from mltc.pipeline import load_pipeline
from mltc.runtime import load
from mltc.target import load_target
from mltc.toolchain import Tool

MLT_OPT = """
import json, os, pathlib, re, sys, time
data = pathlib.Path(os.environ["MLTC_TEST_DATA"])
with open(data / "calls", "a") as log:
    log.write(json.dumps(["mlt-opt", *sys.argv[1:]]) + "\\n")
if "--version" in sys.argv:
    print("LLVM version 22.1.8")
    sys.exit()
if "--list-passes" in sys.argv:
    print("  --canonicalize  -  Canonicalize")
    sys.exit()
if (data / "hang").exists():
    time.sleep(60)
if (data / "crash").exists():
    os.kill(os.getpid(), 11)
source = sys.argv[1]
pipeline = next(a for a in sys.argv if a.startswith("--pass-pipeline="))
for name in re.findall(r"mlt-write-ir\\{file='?([^}']*)", pipeline):
    pathlib.Path(name).write_text("// " + pathlib.Path(name).name)
if (data / "diagnostic").exists():
    sys.exit(f"{source}:3:5: error: expected a power of two, got 7")
pathlib.Path(sys.argv[sys.argv.index("-o") + 1]).write_text("// out of " + source)
"""
MLT_TRANSLATE = """
import json, os, pathlib, shutil, sys
data = pathlib.Path(os.environ["MLTC_TEST_DATA"])
with open(data / "calls", "a") as log:
    log.write(json.dumps(["mlt-translate", *sys.argv[1:]]) + "\\n")
if "--version" in sys.argv:
    print("LLVM version 22.1.8")
    sys.exit()
kind, source, out = sys.argv[1], sys.argv[2], sys.argv[4]
if kind == "--mlt-to-manifest":
    shutil.copy(data / "manifest.json", out)
elif kind == "--mlt-to-llvm-bitcode":
    shutil.copy(data / ("portable.bc" if "emulated" in source else "native.bc"), out)
else:
    pathlib.Path(out).write_text("; text")
"""
SOURCE = "module { /* stands for Triton IR */ }\n"


def manifest_json(*kernels: dict[str, Any], **changes: Any) -> str:
    return json.dumps({**conftest.manifest_tree(*kernels), **changes})


class Project:
    """A source file, stand-in tools, and what they are to do."""

    def __init__(self, root: Path, bitcode: bytes) -> None:
        self.root = root
        self.data = root / "data"
        self.data.mkdir()
        self.source = root / "kernel.ttir"
        self.source.write_text(SOURCE)
        self.output = root / "kernel.zebin"
        self.bundles = root / "bundles"
        for name in ("native.bc", "portable.bc"):
            (self.data / name).write_bytes(bitcode)
        kernels = (conftest.SCALED_ADD, conftest.GROUP_IDS, conftest.SCALARS)
        (self.data / "manifest.json").write_text(manifest_json(*kernels))

    def request(self, **changes: Any) -> BuildRequest:
        fields = {"input": str(self.source), "output": str(self.output), "bundle_dir": self.bundles}
        return BuildRequest(**{**fields, **changes})

    def calls(self) -> list[list[str]]:
        return [json.loads(line) for line in (self.data / "calls").read_text().splitlines()]

    def flag(self, name: str) -> None:
        (self.data / name).touch()


@pytest.fixture(scope="session")
def bitcode(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    scratch = tmp_path_factory.mktemp("bc")
    assembler = conftest.llvm_program("llvm-as", scratch)
    subprocess.run([assembler, conftest.INPUTS / "kernels.ll", "-o", scratch / "k.bc"], check=True)
    return (scratch / "k.bc").read_bytes()


@pytest.fixture
def project(tmp_path: Path, bitcode: bytes, monkeypatch: pytest.MonkeyPatch) -> Project:
    for name, text in (("mlt-opt", MLT_OPT), ("mlt-translate", MLT_TRANSLATE)):
        tool = tmp_path / "prefix" / "bin" / name
        tool.parent.mkdir(parents=True, exist_ok=True)
        tool.write_text(f"#!{sys.executable}\n{text}")
        tool.chmod(0o755)
    made = Project(tmp_path, bitcode)
    monkeypatch.setenv("MLTC_TOOLCHAIN", str(tmp_path / "prefix"))
    monkeypatch.setenv("MLTC_TEST_DATA", str(made.data))
    return made


def test_a_build_makes_a_package_that_runs(project: Project) -> None:
    lines: list[str] = []
    result = build(project.request(num_warps=4), lines.append)
    package = read_package(project.output)
    record = package.manifest.build
    assert package.data == result.data and package.spirv and record is not None
    assert set(record.tools) == {"mlt-opt", "mlt-translate", "llvm-spirv", "ocloc", "iga64", "igc"}
    assert record.pipeline == "pvc-simt" and "num-warps=4" in record.pipeline_text
    assert (
        record.grf is not None
        and record.grf.registers == 128
        and record.input_name == "kernel.ttir"
    )
    assert list(project.bundles.iterdir()) == []
    commands = [shlex.split(line[2:]) for line in lines if line.startswith("+ ")]
    assert [Path(c[0] if "ld-linux" not in c[0] else c[3]).name.split("-")[0] for c in commands] == [
        "mlt", "mlt", "mlt", "llvm", "mlt", "llvm", "ocloc",
    ]  # fmt: skip
    assert any(line.startswith("registers: 128") for line in lines)
    x = np.arange(64, dtype=np.float32)
    out = np.zeros_like(x)
    load(project.output).kernels["scaled_add"].launch(1, x, x, out, 64, 2.0)
    np.testing.assert_array_equal(out, 3 * x)


def test_builds_are_reproducible(project: Project) -> None:
    first = build(project.request()).data
    assert build(project.request(output=str(project.root / "other.zebin"))).data == first


def test_one_compiler_process_with_a_dump_per_stage(project: Project) -> None:
    build(project.request())
    calls = [c for c in project.calls() if c[0] == "mlt-opt" and "--version" not in c]
    assert len(calls) == 1
    pipeline = next(a for a in calls[0] if a.startswith("--pass-pipeline="))
    order = ["kernel.ttir.mlir", "convert-triton", "kernel.ttgir.mlir", "distribute", "kernel.warp.mlir",
             "match-target", "kernel.intrinsic.mlir", "to-llvm", "kernel.llir.mlir", "emulate"]  # fmt: skip
    places = [pipeline.index(part) for part in order]
    assert places == sorted(places) and calls[0][1] == str(project.source)


@pytest.mark.parametrize("remarks", [False, True])
def test_remarks_are_asked_of_the_compiler(project: Project, remarks: bool) -> None:
    build(project.request(to_stage="llir", output=str(project.root / "out"), remarks=remarks))
    (call,) = [c for c in project.calls() if c[0] == "mlt-opt" and "--version" not in c]
    assert ("--remarks-filter=.*" in call) == remarks


@pytest.mark.parametrize("stage", ["ttir", "ttgir", "warp", "intrinsic", "llir", "spv", "portable"])
def test_stopping_at_a_stage(project: Project, stage: str) -> None:
    output = project.root / f"out.{stage}"
    build(project.request(to_stage=stage, output=str(output)))
    data = output.read_bytes()
    assert (
        data[:4] == b"\x03\x02\x23\x07"
        if stage in ("spv", "portable")
        else data.startswith(b"// out of")
    )
    commands = [call[0] for call in project.calls()]
    assert ("mlt-translate" in commands) == (stage in ("spv", "portable"))


@pytest.mark.parametrize(
    "name", ["kernel.ttir.mlir", "kernel.ttgir.mlir", "kernel.warp.mlir", "kernel.intrinsic.mlir", "kernel.llir.mlir",
             "kernel.spv", "kernel.portable.spv"]
)  # fmt: skip
def test_every_dump_can_be_fed_back(project: Project, name: str) -> None:
    temps = project.root / "temps"
    first = read_package(build(project.request(save_temps=temps)).data)
    (project.data / "calls").unlink()
    second = read_package(build(project.request(input=str(temps / name))).data)
    assert second.spirv == first.spirv and second.manifest.kernels == first.manifest.kernels
    assert second.zebin.sections[".text.scaled_add"] == first.zebin.sections[".text.scaled_add"]
    assert second.manifest.build and second.manifest.build.input_stage == name.split(".")[1]
    calls = project.calls() if (project.data / "calls").exists() else []
    pipelines = [a for call in calls for a in call if a.startswith("--pass-pipeline=")]
    earlier = {"kernel.warp.mlir": "distribute", "kernel.llir.mlir": "to-llvm"}.get(name)
    assert earlier is None or earlier not in pipelines[0]


def test_a_package_can_be_fed_back(project: Project) -> None:
    data = build(project.request()).data
    again = build(
        project.request(input=str(project.output), output=str(project.root / "again.zebin"))
    )
    assert again.data == data and (project.root / "again.zebin").read_bytes() == data


def test_no_portable_code(project: Project) -> None:
    assert read_package(build(project.request(portable=False)).data).spirv is None
    assert not any("emulate-intrinsics" in a for call in project.calls() for a in call)


def failure(request: BuildRequest) -> BuildFailure:
    with pytest.raises(BuildFailure) as caught:
        build(request)
    return caught.value


def test_diagnostics_are_passed_through(project: Project) -> None:
    project.flag("diagnostic")
    project.output.write_bytes(b"old")
    error = failure(project.request(num_warps=8))
    assert error.message == f"{project.source}:3:5: error: expected a power of two, got 7"
    assert error.exit_code == 1 and project.output.read_bytes() == b"old"
    names = {path.name for path in error.bundle.iterdir()}
    assert {"kernel.input", "pipeline.yaml", "commands.txt", "versions.json", "error.txt", "reproduce.sh",
            "kernel.warp.mlir"} <= names  # fmt: skip
    assert (error.bundle / "kernel.input").read_text() == SOURCE
    assert "--pass-pipeline=" in (error.bundle / "commands.txt").read_text()
    assert json.loads((error.bundle / "versions.json").read_text())["mltc"]
    argv = shlex.split(error.command)
    assert argv[:2] == ["mltc", "build"] and argv[argv.index("--num-warps") + 1] == "8"
    assert error.command in (error.bundle / "reproduce.sh").read_text()


def test_a_crash_names_the_signal(project: Project) -> None:
    project.flag("crash")
    error = failure(project.request())
    assert "mlt-opt failed: killed by signal SIGSEGV" in error.message


def test_a_hang_ends_at_the_timeout(project: Project) -> None:
    project.flag("hang")
    error = failure(project.request(timeout=0.5))
    assert "mlt-opt failed: timed out after 0.5 s" in error.message


def test_a_tool_that_refuses_its_input(project: Project) -> None:
    (project.data / "native.bc").write_bytes(b"not bitcode")
    error = failure(project.request())
    assert error.message.startswith("llvm-spirv failed: exit code")


def test_a_broken_manifest_is_an_error(project: Project) -> None:
    (project.data / "manifest.json").write_text('{"version": 7}')
    assert "expected version 1, got 7" in failure(project.request()).message
    (project.data / "manifest.json").write_text(manifest_json(conftest.SCALED_ADD, target="other"))
    assert "the module is for other" in failure(project.request()).message


def test_a_manifest_of_other_kernels_is_an_error(project: Project) -> None:
    (project.data / "manifest.json").write_text(
        manifest_json({**conftest.SCALED_ADD, "name": "absent"})
    )
    assert "no code section .text.absent" in failure(project.request()).message


UNRESOLVED = (
    (conftest.INPUTS / "kernels.ll").read_text().replace("_Z14get_num_groupsj", "_Z7unknownj")
)


def test_unresolved_functions_are_an_error(project: Project, tmp_path: Path) -> None:
    (tmp_path / "bad.ll").write_text(UNRESOLVED)
    assembler = conftest.llvm_program("llvm-as", tmp_path)
    subprocess.run([assembler, tmp_path / "bad.ll", "-o", project.data / "native.bc"], check=True)
    assert (
        "undefined symbols (unknown functions): _Z7unknownj" in failure(project.request()).message
    )


def test_forced_registers(project: Project) -> None:
    package = read_package(build(project.request(grf=256)).data)
    assert package.zebin.kernels["scaled_add"].grf_count == 256
    assert package.manifest.build and package.manifest.build.grf
    assert package.manifest.build.grf.reason == "as asked"


def test_kernels_with_dot_start_with_many_registers(project: Project) -> None:
    kernels = [{**conftest.SCALED_ADD, "has_dot": True}, conftest.GROUP_IDS, conftest.SCALARS]
    (project.data / "manifest.json").write_text(manifest_json(*kernels))
    result = build(project.request())
    assert read_package(result.data).zebin.kernels["scaled_add"].grf_count == 256


def test_a_failed_build_of_spirv_can_be_repeated(project: Project) -> None:
    """What lies beside the input lies beside its copy, so the line fails in the same way."""
    temps = project.root / "temps"
    build(project.request(save_temps=temps, to_stage="portable", output=str(project.root / "p")))
    (temps / "kernel.manifest.json").write_text(manifest_json(conftest.SCALED_ADD, target="other"))
    (temps / "kernel.portable.spv").write_bytes((project.root / "p").read_bytes())
    changes = {"input": str(temps / "kernel.portable.spv"), "native": False}
    first = failure(project.request(**changes))
    assert "the module is for other" in first.message
    words = shlex.split(first.command)
    again = failure(project.request(**{**changes, "input": words[2], "from_stage": "portable"}))
    assert again.message == first.message and Path(words[2]).parent == first.bundle


def test_a_package_without_native_code_is_finished(project: Project) -> None:
    build(project.request(native=False))
    again = project.request(input=str(project.output), output=str(project.root / "again.zebin"))
    assert "holds only portable code" in failure(again).message


def test_kernel_names_are_not_file_names(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["../x", "a/b", "a_b", "k" * 1000]
    info = fake_binary(128, 0).zebin.kernels["k"]
    zebin = Zebin(205, {f".text.{n}": b"code" for n in names}, {n: info for n in names}, (), ())
    monkeypatch.setattr(native.isa, "disassemble", lambda *_: "L0:\n")
    folder = project.root / "inner" / "session"
    folder.mkdir(parents=True)
    session = Session(folder, 10.0, tools={"iga64": Tool("iga64", ["iga64"], "test")})
    counts = native._call_counts(session, Binary(128, b"", zebin), load_target("pvc"))
    assert counts == dict.fromkeys(names, 0)
    assert len(list(folder.iterdir())) == 4 and list(folder.parent.iterdir()) == [folder]


@pytest.mark.parametrize(("registers", "advice"), [(128, "more warps or --grf 256"), (256, "more warps")])  # fmt: skip
def test_advice_against_spills(registers: int, advice: str) -> None:
    target = load_target("pvc")
    job = _Build(BuildRequest(input="k.ttir", output=None), Session(Path(), 1.0), target,
                 load_pipeline("pvc-simt"), "ttir", b"")  # fmt: skip
    record = GrfRecord(requested="auto", registers=registers, reason="as asked")
    job._report_grf(fake_binary(registers, 64), record)
    assert job.notes == [f"kernel 'k' spills 64 bytes per thread with {registers} registers; {advice} may help"]  # fmt: skip


def old_ocloc(project: Project) -> None:
    tool = project.root / "prefix" / "bin" / "ocloc"
    tool.write_text(
        '#!/bin/sh\n[ "$1" = query ] && printf 22.43.24595 > OCL_DRIVER_VERSION\nexit 0\n'
    )
    tool.chmod(0o755)


def test_an_old_ocloc_is_refused_before_anything_runs(project: Project) -> None:
    old_ocloc(project)
    error = failure(project.request())
    assert "ocloc 22.43.24595" in error.message and "has no 2-D block writes" in error.message
    assert error.hint and "make setup" in error.hint
    assert not (project.data / "calls").exists()
    build(project.request(to_stage="llir", output=str(project.root / "k.llir")))


def test_an_ocloc_that_writes_nothing(project: Project) -> None:
    tool = project.root / "prefix" / "bin" / "ocloc"
    tool.write_text('#!/bin/sh\n[ "$1" = query ] && printf 26.30.1 > OCL_DRIVER_VERSION\nexit 0\n')
    tool.chmod(0o755)
    assert (
        "reports success but wrote no zebin (it wrote: nothing)"
        in failure(project.request()).message
    )


def test_a_pipeline_file_is_checked_before_anything_runs(project: Project) -> None:
    text = (Path(__file__).parents[2] / "pipelines" / "pvc-simt.yaml").read_text()
    path = project.root / "mine.yaml"
    path.write_text(text.replace("- inline", "- canonicalise"))
    with pytest.raises(
        MltcError, match=r"mine.yaml:\d+:7: error: unknown pass 'canonicalise'; did you mean"
    ):
        build(project.request(pipeline=str(path)))
    assert [call for call in project.calls() if "--list-passes" not in call] == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"num_warps": 3}, "expected a power of two from 1 to 64, got 3"),
        ({"num_warps": 128}, "expected a power of two from 1 to 64, got 128"),
        ({"num_warps": 64, "grf": 256}, "64 warps per work-group do not fit with 256 registers per thread"),
        ({"grf": 192}, "register modes 128, 256, not 192"),
        ({"to_stage": "zebni"}, "--to: unknown stage 'zebni'; did you mean 'zebin'"),
        ({"from_stage": "llri"}, "--from: unknown stage 'llri'; did you mean 'llir'"),
        ({"from_stage": "spv", "to_stage": "portable"}, "native SPIR-V has left the way to portable code"),
        ({"from_stage": "spv", "num_warps": 4, "checked": True}, "--num-warps, --checked: an input of stage spv is past"),
        ({"from_stage": "portable", "remarks": True}, "--remarks: an input of stage portable is past"),
        ({"from_stage": "zebin", "grf": 256}, "--grf: an input of stage zebin is past"),
        ({"from_stage": "zebin", "pipeline": "pvc-simd", "portable": False}, "--pipeline, --no-portable: an input"),
        ({"output": "/absent/k.zebin"}, "cannot write '/absent/k.zebin': No such file"),
        ({"output": "/dev"}, "cannot write '/dev': Is a directory"),
        ({"save_temps": Path("/dev/null/temps")}, "cannot keep files in '/dev/null/temps': Not a directory"),
        ({"bundle_dir": Path("/dev/null/b")}, "cannot keep files in '/dev/null/b': Not a directory"),
        ({"from_stage": "llir", "to_stage": "warp"}, "--to warp is before the input's stage llir"),
        ({"target": "pcv"}, "unknown target 'pcv'"),
        ({"pipeline": "nope"}, "unknown pipeline 'nope'"),
        ({"input": "absent.ttir"}, "cannot read 'absent.ttir': No such file"),
        ({"input": "kernel.py"}, "cannot tell the stage of 'kernel.py'"),
    ],
)  # fmt: skip
def test_requests_that_make_no_sense(
    project: Project, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(MltcError, match=message) as caught:
        build(project.request(**changes))
    assert not isinstance(caught.value, BuildFailure)
    assert not (project.data / "calls").exists()
    assert caught.value.exit_code == (1 if "absent.ttir" in message else 2)


@pytest.mark.parametrize(
    ("name", "stage", "stem"),
    [("a/k.ttir", "ttir", "k"), ("k.mlir", "ttir", "k"), ("k.warp.mlir", "warp", "k"), ("k.portable.spv", "portable", "k"),
     ("k.spv", "spv", "k"), ("my k.v2.ttgir", "ttgir", "my_k.v2"), ("-", "ttir", "stdin")],
)  # fmt: skip
def test_stage_and_stem_come_from_the_name(name: str, stage: str, stem: str) -> None:
    request = BuildRequest(input=name, output="o")
    assert (input_stage(request), request.stem) == (stage, stem)


def fake_binary(registers: int, spill: int, dpas: bool = False) -> Binary:
    info = KernelInfo("k", registers, 16, 0, 0, spill, spill, 0, False, dpas, None, 0)
    return Binary(registers, b"", Zebin(205, {}, {"k": info}, (), ()))


@pytest.mark.parametrize(
    ("warps", "has_dot", "max_spill", "spills", "dpas", "chosen", "tried", "reason"),
    [
        (32, True, None, {256: 0}, True, 256, [256], "a kernel with dot starts with 256 registers"),
        (
            32,
            False,
            None,
            {128: 0},
            False,
            128,
            [128],
            "no dot; with 128 registers it spills 0 bytes",
        ),
        (
            32,
            False,
            None,
            {128: 900, 256: 0},
            False,
            256,
            [128, 256],
            "it spills 900 bytes, with 256 0",
        ),
        (32, False, 1000, {128: 900}, False, 128, [128], "spills 900 bytes"),
        (32, False, None, {128: 900, 256: 900}, False, 128, [128, 256], "with 256 900"),
        (32, None, None, {128: 0, 256: 0}, True, 256, [128, 256], "uses matrix instructions"),
        (
            64,
            True,
            None,
            {128: 50},
            True,
            128,
            [128],
            "64 warps per work-group leave no room for 256",
        ),
    ],
)
def test_register_policy(
    warps: int, has_dot: bool | None, max_spill: int | None, spills: dict[int, int], dpas: bool, chosen: int,
    tried: list[int], reason: str,
) -> None:  # fmt: skip
    record = {
        **conftest.SCALED_ADD,
        "num_warps": warps,
        "local_size": [warps * 16, 1, 1],
        "has_dot": has_dot,
    }
    manifest = conftest.make_manifest(record)
    compiled: list[int] = []

    def compile_with(registers: int) -> Binary:
        compiled.append(registers)
        return fake_binary(registers, spills[registers], dpas)

    binary, decision = choose("auto", manifest, load_target("pvc"), max_spill, compile_with)
    assert (binary.registers, decision.registers, compiled) == (chosen, chosen, tried)
    assert reason in decision.reason
    assert [(a.registers, a.spill_bytes["k"]) for a in decision.attempts] == [
        (r, spills[r]) for r in tried
    ]


def test_too_many_warps_for_the_asked_mode() -> None:
    record = {**conftest.SCALED_ADD, "num_warps": 64, "local_size": [1024, 1, 1]}
    with pytest.raises(UsageError, match=r"64 warps .* with 256 registers"):
        choose(
            256,
            conftest.make_manifest(record),
            load_target("pvc"),
            None,
            lambda r: fake_binary(r, 0),
        )


def test_translator_options_are_lists_of_names() -> None:
    for consumer in ("ocloc-22.43", "ocloc-current", "opencl-cpu"):
        arguments = translator_arguments(consumer)
        assert "--spirv-max-version=1.4" in arguments
        extensions = (
            next(a for a in arguments if a.startswith("--spirv-ext=")).split("=")[1].split(",")
        )
        assert all(name.startswith("+SPV_") for name in extensions)
        assert not {"+SPV_KHR_fma", "+SPV_KHR_untyped_pointers"} & set(extensions)


Runner = Callable[..., subprocess.CompletedProcess[str]]


def test_standard_input_and_output(project: Project) -> None:
    argv = [sys.executable, "-m", "mltc", "build", "-", "-o", "-", "--to", "warp"]
    done = subprocess.run(argv, input=SOURCE, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stdout.startswith("// out of")
