"""The command line: exit codes, output, and argument syntax."""

from __future__ import annotations

import json
from pathlib import Path

import conftest
import numpy as np
import pytest
from click.testing import CliRunner, Result
from randomness import rng

from mltc.cli.arguments import parse_argument
from mltc.cli.main import main
from mltc.package import build_portable_package
from mltc.package.zebin import NOTE_PRODUCT_CONFIG, read_zebin


def mltc(*argv: str) -> Result:
    return CliRunner().invoke(main, list(argv))


def npy(shape: str) -> bytes:
    """A .npy file that is only a header."""
    text = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}}}\n".encode()
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


@pytest.fixture
def package(tmp_path: Path, package_bytes: bytes) -> str:
    path = tmp_path / "k.zebin"
    path.write_bytes(package_bytes)
    return str(path)


def test_help_names_every_command() -> None:
    result = mltc("--help")
    assert result.exit_code == 0
    for name in ("build", "run", "inspect", "disasm", "pipeline", "targets", "passes", "doctor"):
        assert f"  {name} " in result.output


def test_run_with_files(package: str, tmp_path: Path) -> None:
    x, y = rng().standard_normal((2, 100), dtype=np.float32)
    np.save(tmp_path / "x.npy", x)
    np.save(tmp_path / "y.npy", y)
    result = mltc(
        "run", package, "--kernel", "scaled_add", "--grid", "2", "--arg", f"{tmp_path}/x.npy",
        "--arg", f"{tmp_path}/y.npy:out", "--arg", f"{tmp_path}/out.npy:out=10x10xf32", "--arg", "100",
        "--arg", "0.5", "-v", "--repeat", "2",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    out = np.load(tmp_path / "out.npy")
    assert out.shape == (10, 10)
    np.testing.assert_allclose(out.ravel(), np.float32(0.5) * x + y, rtol=1e-6)
    np.testing.assert_array_equal(np.load(tmp_path / "y.npy"), y)
    assert "scaled_add on " in result.stderr


@pytest.mark.parametrize(
    ("grid", "args", "message"),
    [
        ("2", ["1"], r"expected 5 --arg for scaled_add(x: *f32, y: *f32, out: *f32, n: i32, scale: f32), got 1"),
        ("a,b", ["x.npy", "x.npy", "x.npy", "1", "1"], "--grid: expected X or X,Y or X,Y,Z, got 'a,b'"),
        ("1", ["absent.npy", "x.npy", "x.npy", "1", "1"], "argument 0 ('x'): cannot read 'absent.npy'"),
        ("1", ["3", "x.npy", "x.npy", "1", "1"], "argument 0 ('x'): expected a .npy file for a pointer to f32, got '3'"),
        ("1", ["x.npy", "x.npy", "x.npy", "x.npy", "1"], "argument 3 ('n'): expected a value of type i32, got file"),
        ("1", ["x.npy", "x.npy", "x.npy", "1.5", "1"], "argument 3 ('n'): expected a value of type i32, got '1.5'"),
        ("1", ["x.npy", "x.npy", "c.npy:out=2xf16", "1", "1"], "argument 2 ('out'): expected element type f32, got f16"),
        ("1", ["x.npy", "x.npy", "c.npy:out=big", "1", "1"], "expected a shape such as 256x256xf32, got 'big'"),
        ("1", ["x.npy", "x.npy", "c.npy:out=99999999x99999999xf32", "1", "1"], "is too large"),
        ("1", ["evil.npy", "x.npy", "x.npy", "1", "1"], "cannot read 'evil.npy'"),
    ],
)  # fmt: skip
def test_wrong_command_lines_exit_with_2(
    package: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    grid: str,
    args: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    np.save("x.npy", np.zeros(64, np.float32))
    np.save("evil.npy", np.array([object()], dtype=object), allow_pickle=True)
    argv = [part for arg in args for part in ("--arg", arg)]
    result = mltc("run", package, "--kernel", "scaled_add", "--grid", grid, *argv)
    assert result.exit_code == 2 and message in result.stderr, result.stderr
    assert not Path("c.npy").exists()


def test_runtime_errors_exit_with_1(package: str, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.zeros(64, np.float64))
    x = f"{tmp_path}/x.npy"
    argv = [part for arg in (x, x, x, "64", "1") for part in ("--arg", arg)]
    result = mltc("run", package, "--kernel", "scaled_add", "--grid", "1", *argv)
    assert result.exit_code == 1
    assert result.stderr.startswith("mltc: error: argument 0 ('x'): expected an array of float32")


def test_several_kernels_need_a_choice(package: str) -> None:
    result = mltc("run", package, "--grid", "1")
    assert (
        result.exit_code == 2
        and "expected one kernel, found 3: scaled_add, group_ids, scalars" in result.stderr
    )
    assert "no kernel 'nope'" in mltc("run", package, "--grid", "1", "--kernel", "nope").stderr


def test_inspect(package: str) -> None:
    result = mltc("inspect", package)
    assert result.exit_code == 0, result.output
    assert "package for pvc (12.60." in result.output and "kernel scaled_add" in result.output
    assert "x      *f32  multiple of 16" in result.output
    data = json.loads(mltc("inspect", package, "--json").output)
    assert data["schema"] == 1 and data["native"]["scaled_add"]["registers"] == 128
    code = data["native"]["scaled_add"]["code"]
    assert code["calls"] == 0 and code["dpas"] == 0 and code["instructions"] > 10
    assert [arg["name"] for arg in data["manifest"]["kernels"][0]["args"]] == [
        "x",
        "y",
        "out",
        "n",
        "scale",
    ]


def test_inspect_of_a_plain_zebin(tmp_path: Path, kernels_zebin: bytes) -> None:
    path = tmp_path / "plain.zebin"
    path.write_bytes(kernels_zebin)
    result = mltc("inspect", str(path))
    assert result.exit_code == 0 and result.output.startswith("a zebin without a manifest")
    assert mltc("run", str(path), "--grid", "1").exit_code == 1


def foreign(zebin: bytes) -> bytes:
    """The same binary with the product configuration of a device that we do not know."""
    known = read_zebin(zebin).notes[NOTE_PRODUCT_CONFIG]
    assert zebin.count(known) == 1
    return zebin.replace(known, (20 << 22 | 1 << 14).to_bytes(4, "little"))


def test_inspect_of_a_binary_of_another_device(tmp_path: Path, kernels_zebin: bytes) -> None:
    path = tmp_path / "other.zebin"
    path.write_bytes(foreign(kernels_zebin))
    result = mltc("inspect", str(path))
    assert result.exit_code == 0 and "native code of scaled_add: SIMD16" in result.stdout
    assert "(20.1.0): the code is not counted" in result.stderr
    assert "instructions" not in result.stdout
    refused = mltc("disasm", str(path))
    assert refused.exit_code == 1 and "no description of the device" in refused.stderr


def test_a_package_without_native_code(tmp_path: Path, kernels_spirv: bytes) -> None:
    path = tmp_path / "portable.zebin"
    manifest = conftest.make_manifest(conftest.SCALED_ADD)
    path.write_bytes(build_portable_package(manifest, kernels_spirv))
    assert mltc("inspect", str(path)).output.startswith("package for pvc, style simt")
    refused = mltc("disasm", str(path))
    assert refused.exit_code == 1
    assert refused.stderr == f"mltc: error: {path}: no native code to disassemble\n"


def test_a_profile_of_a_device_without_one_is_refused_before_the_launch(
    package: str, tmp_path: Path
) -> None:
    x = f"{tmp_path}/x.npy"
    np.save(x, np.ones(64, np.float32))
    argv = [part for arg in (x, x, f"{x}:out", "64", "1") for part in ("--arg", arg)]
    for option in (["--profile"], ["--profile-json", f"{tmp_path}/p.json"]):
        done = mltc("run", package, "--kernel", "scaled_add", "--grid", "1", *argv, *option)
        assert done.exit_code == 2 and "does not count what it executes" in done.stderr
    np.testing.assert_array_equal(np.load(x), np.ones(64, np.float32))


@pytest.mark.parametrize(
    ("argv", "code", "message"),
    [
        (["build", "k.ttir", "-o", "k", "--target", "pcv"], 2, "--target: unknown target 'pcv'; did you mean 'pvc'?"),
        (["build", "k.ttir", "-o", "k", "--pipeline", "pvc-smit"], 2, "unknown pipeline 'pvc-smit'; did you mean"),
        (["build", "k.ttir", "-o", "k", "--to", "zebni"], 2, "--to: unknown stage 'zebni'; did you mean 'zebin'?"),
        (["pipeline", "show", "absent.yaml"], 2, "no pipeline file 'absent.yaml'"),
        (["sim-driver", "--profile", "absent/p.json", "--", "python3", "p.py"], 1, "cannot write 'absent/p.json': No such file"),
        (["inspect", "text"], 1, "mltc: error: text: not a zebin: not an ELF file"),
        (["disasm", "text"], 1, "mltc: error: text: not a zebin: not an ELF file"),
    ],
)  # fmt: skip
def test_exit_codes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, argv: list[str], code: int, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("k.ttir").touch()
    Path("text").write_text(
        "no binary at all, only text of more than sixty-four characters, really"
    )
    result = mltc(*argv)
    assert result.exit_code == code and message in result.stderr, result.stderr
    assert not Path("k").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"PK\x03\x04 an archive, as .npz files are", "cannot read 'x.npy'"),
        (b"\x93NUMPY\x01\x00", "cannot read 'x.npy'"),
        (b"\x93NUMPY\x02\x00" + (1 << 30).to_bytes(4, "little") + b" " * 100, "cannot read 'x.npy'"),
        (b"\x93NUMPY\x07\x00\x10\x00", "cannot read 'x.npy'"),
        (npy("(1099511627776,)"), "it says 4398046511104 bytes of float32, and has 0"),
        (npy("(4,)"), "it says 16 bytes of float32, and has 0"),
        (npy("(1,) * 10"), "cannot read 'x.npy'"),
    ],
)  # fmt: skip
def test_files_that_are_no_arrays(
    package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.npy").write_bytes(content)
    argv = [part for arg in ("x.npy", "x.npy", "x.npy", "1", "1") for part in ("--arg", arg)]
    result = mltc("run", package, "--kernel", "scaled_add", "--grid", "1", *argv)
    assert result.exit_code == 2 and message in result.stderr, result.output


def test_arrays_in_any_order(tmp_path: Path) -> None:
    """The bytes of a file come back as the array that was saved."""
    arg = conftest.make_manifest(conftest.SCALED_ADD).kernels[0].args[0]
    for array in (np.arange(12, dtype=np.float32).reshape(3, 4), np.float32(3) * np.ones(())):
        for order in "CF":
            np.save(tmp_path / "a.npy", np.asarray(array, np.float32, order=order))
            read = parse_argument(str(tmp_path / "a.npy"), arg).value
            np.testing.assert_array_equal(read, array)
            assert read.dtype == np.float32 and read.flags.writeable


def test_disasm(package: str) -> None:
    result = mltc("disasm", package, "--kernel", "scaled_add")
    assert result.exit_code == 0 and result.output.startswith("// kernel scaled_add\n")
    assert "load.ugm" in result.output and "group_ids" not in result.output
    assert mltc("disasm", package, "--kernel", "nope").exit_code == 2


def test_garbage_is_a_message_and_not_a_traceback(tmp_path: Path) -> None:
    path = tmp_path / "x.zebin"
    path.write_bytes(b"\x7fELF\x02\x01" + b"\xff" * 200)
    for command in ("inspect", "disasm"):
        result = mltc(command, str(path))
        assert result.exit_code == 1 and result.stderr.startswith("mltc: error: ")
    assert "cannot read" in mltc("inspect", str(tmp_path / "absent")).stderr


def test_lists() -> None:
    assert mltc("targets").output.startswith("pvc ")
    assert json.loads(mltc("targets", "--json").output)["pvc"]["ocloc_device"] == "pvc"
    assert {"pvc-simt", "pvc-simd"} <= set(mltc("pipeline", "list").output.split())
    text = mltc(
        "pipeline", "show", "pvc-simt", "--as", "text", "--num-warps", "8", "--to", "ttgir"
    ).output
    assert text.startswith("builtin.module(") and "num-warps=8" in text and "distribute" not in text
    assert mltc("pipeline", "show", "pvc-simt").output.startswith("version: 1\nname: pvc-simt\n")
    assert (
        "did you mean 'ttgir'"
        in mltc("pipeline", "show", "pvc-simt", "--as", "text", "--to", "tgir").stderr
    )


def test_pipeline_errors_start_with_the_position(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text("version: 1\nnaem: x\n")
    result = mltc("pipeline", "show", str(path))
    assert result.exit_code == 1 and result.stderr.startswith(f"{path}:")


def test_mistyped_commands_get_a_suggestion() -> None:
    result = mltc("isnpect")
    assert result.exit_code == 2 and "inspect" in result.stderr


def test_doctor_tells_what_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MLTC_TOOLCHAIN", str(tmp_path))
    report = json.loads(mltc("doctor", "--json").stdout)
    assert report["tools"]["ocloc"]["version"] and report["packages"]["numpy"] == np.__version__
    assert [d["filter"] for d in report["runtime"]["devices"]][:1] == ["opencl:cpu:0"]
    assert conftest.make_manifest(conftest.GROUP_IDS).target in report["targets"]
    plain = mltc("doctor")
    assert (
        plain.exit_code == (1 if report["problems"] else 0)
        and "device opencl:cpu:0" in plain.output
    )
