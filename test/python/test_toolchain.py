"""Finding, recognising and running the external tools.

The order of the search and the recognition of releases are tested with fake
tools that answer as the real ones were seen to. Tests that need the real tools
are skipped where there are none.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from mltc.errors import MltcError
from mltc.toolchain import (
    Tool,
    ToolFailure,
    ToolNotFoundError,
    find_tool,
    install,
    null_driver_argv,
    null_driver_env,
    ocloc,
    ocloc_generation,
    run_tool,
    verify,
)
from mltc.toolchain import prefix as layout
from mltc.toolchain import version as version_module

# What the two releases do, as recorded: the old one answers into a file with a
# final NUL and prints nothing, the new one prints its answer as well.
OCLOC_22_43 = r"""
if [ "$1" = query ]; then
  if [ "$2" = OCL_DRIVER_VERSION ]; then printf '22.43.24595\0' > OCL_DRIVER_VERSION; exit 0; fi
  printf 'Error: Invalid command line. Unknown argument %s.' "$2"; exit 226
fi
echo "Invalid option (arg 1): $1"; exit 226
"""
OCLOC_26_27 = r"""
if [ "$1" = query ]; then printf '26.27.039122\0' > "$2"; fi
echo 26.27.039122
"""


def script(path: Path, body: str) -> Path:
    """An executable shell script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n" + body)
    path.chmod(0o755)
    return path


def tool_from(path: Path, name: str | None = None) -> Tool:
    return Tool(name or path.name, [str(path)], "test")


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with a checkout, an environment and a PATH, all empty."""
    monkeypatch.delenv("MLTC_TOOLCHAIN", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    monkeypatch.setattr(layout, "checkouts", lambda: [tmp_path / "checkout"])
    prefixes = [tmp_path / "checkout/.toolchain"]
    monkeypatch.setattr(layout, "local_prefixes", lambda: prefixes)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "venv/bin/python"))
    return tmp_path


# --- finding -----------------------------------------------------------------


def test_intel_tools_are_searched_in_order(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_path = script(places / "path/ocloc", "")
    assert find_tool("ocloc").argv == [str(on_path)]
    assert find_tool("ocloc").origin.startswith("PATH")

    local = script(places / "checkout/.toolchain/bin/ocloc", "")
    found = find_tool("ocloc")
    assert found.argv == [str(local)]
    assert found.prefix == places / "checkout/.toolchain"

    chosen = script(places / "mine/bin/ocloc", "")
    monkeypatch.setenv("MLTC_TOOLCHAIN", str(places / "mine"))
    assert find_tool("ocloc").argv == [str(chosen)]
    assert find_tool("ocloc").origin.startswith("MLTC_TOOLCHAIN")


def test_own_tools_are_searched_in_order(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [
        script(places / "path/mlt-opt", ""),
        script(places / "checkout/build/bin/mlt-opt", ""),
        script(places / "venv/bin/mlt-opt", ""),
        script(places / "mine/bin/mlt-opt", ""),
    ]
    monkeypatch.setenv("MLTC_TOOLCHAIN", str(places / "mine"))
    for program in reversed(expected):
        assert find_tool("mlt-opt").argv == [str(program)]
        program.unlink()
    with pytest.raises(ToolNotFoundError):
        find_tool("mlt-opt")


def test_prefix_with_own_loader_starts_through_it(places: Path) -> None:
    prefix = places / "checkout/.toolchain"
    loader = script(layout.loader(prefix), "")
    program = script(prefix / "usr/bin/iga64", "")
    script(prefix / "bin/iga64", "")
    lib = str(prefix / "usr/lib/x86_64-linux-gnu")
    tool = find_tool("iga64")
    assert tool.argv == [str(loader), "--library-path", lib, str(program)]
    assert tool.path == program


def test_prefix_override_without_the_tool_falls_through(
    places: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (places / "mine").mkdir()
    monkeypatch.setenv("MLTC_TOOLCHAIN", str(places / "mine"))
    on_path = script(places / "path/ocloc", "")
    assert find_tool("ocloc").argv == [str(on_path)]


def test_prefix_override_must_exist(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(places / "path/ocloc", "")
    monkeypatch.setenv("MLTC_TOOLCHAIN", str(places / "typo"))
    with pytest.raises(ToolNotFoundError, match="typo: no such directory"):
        find_tool("ocloc")


def test_versioned_llvm_spirv_is_preferred_on_path(places: Path) -> None:
    script(places / "path/llvm-spirv", "")
    newer = script(places / "path/llvm-spirv-22", "")
    assert find_tool("llvm-spirv").argv == [str(newer)]


def test_not_executable_is_not_found(places: Path) -> None:
    script(places / "venv/bin/mlt-opt", "").chmod(0o644)
    with pytest.raises(ToolNotFoundError):
        find_tool("mlt-opt")


def test_error_lists_every_place_and_what_to_do(places: Path) -> None:
    with pytest.raises(ToolNotFoundError) as caught:
        find_tool("ocloc")
    error = caught.value
    assert isinstance(error, MltcError)
    assert len(error.tried) == 3
    text = str(error)
    for part in ("MLTC_TOOLCHAIN: not set", "checkout/.toolchain", "PATH=", "make setup"):
        assert part in text

    with pytest.raises(ToolNotFoundError) as caught:
        find_tool("mlt-opt")
    for part in ("venv/bin", "checkout/build/bin", "make build"):
        assert part in str(caught.value)


# --- recognising -------------------------------------------------------------


def test_old_ocloc_on_path_is_recognised(places: Path) -> None:
    script(places / "path/ocloc", OCLOC_22_43)
    info = ocloc_generation(find_tool("ocloc"))
    assert (info.driver_version, info.generation) == ("22.43.24595", "22.43")
    assert info.warning is None


def test_new_ocloc_is_recognised(places: Path) -> None:
    prefix = places / "checkout/.toolchain"
    script(prefix / "bin/ocloc", OCLOC_26_27)
    (prefix / "versions.json").write_text('{"tools": {"igc": "2.40.14"}}')
    info = ocloc_generation(find_tool("ocloc"))
    assert info == ocloc.OclocInfo("26.27.039122", "2.40.14", "current")


def test_query_leaves_no_file_behind(
    places: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    tool = tool_from(script(places / "ocloc", OCLOC_22_43))
    assert tool.version() == "22.43.24595"
    assert not list(work.iterdir())


@pytest.mark.parametrize(
    ("version", "generation"),
    [
        ("22.43.24595", "22.43"),
        ("22.49.1", "untested"),
        ("23.5.0", "untested"),
        ("25.18.33578", "untested"),
        ("26.27.039122", "current"),
        ("27.1.40000", "current"),
        ("unknown", "untested"),
        ("", "untested"),
    ],
)
def test_classification(version: str, generation: str) -> None:
    found, warning = ocloc.classify(version)
    assert found == generation
    assert (warning is not None) == (generation == "untested")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("exit 3", "exit code 3"),
        ("kill -SEGV $$", "SIGSEGV"),
        ("echo hello", "no version"),
    ],
)
def test_ocloc_without_an_answer_is_untested(places: Path, body: str, reason: str) -> None:
    info = ocloc_generation(tool_from(script(places / "ocloc", body)))
    assert (info.driver_version, info.generation) == ("unknown", "untested")
    assert info.warning is not None
    assert reason in info.warning


def test_hanging_ocloc_is_untested(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(version_module, "_TIMEOUT", 0.2)
    info = ocloc_generation(tool_from(script(places / "ocloc", "exec /bin/sleep 60")))
    assert info.generation == "untested"
    assert "timed out" in (info.warning or "")


@pytest.mark.parametrize(
    ("printed", "version"),
    [
        ("ii 1.0.12504.6-1+deb12u1\\n", "1.0.12504.6"),
        ("rc 1.0.1-1\\nii 2.40.14-1\\n", "2.40.14"),
        ("un \\n", None),
        ("ii 1.0.12504.6-1\\nii 2.40.14-1\\n", None),  # which one is loaded is not said
    ],
)
def test_igc_version_from_debian(places: Path, printed: str, version: str | None) -> None:
    script(places / "path/dpkg-query", f"printf '{printed}'")
    assert ocloc._igc_from_dpkg() == version


def test_igc_version_from_library_names(tmp_path: Path) -> None:
    assert ocloc.igc_from_libraries(tmp_path) is None
    (tmp_path / "libigc.so.1.0.1").touch()  # the name in every IGC 1 release
    (tmp_path / "libigc.so.1").symlink_to("libigc.so.1.0.1")
    assert ocloc.igc_from_libraries(tmp_path) is None
    (tmp_path / "libigc.so.2.40.14+0").touch()
    (tmp_path / "libigc.so.2").symlink_to("libigc.so.2.40.14+0")
    assert ocloc.igc_from_libraries(tmp_path) == "2.40.14"


@pytest.mark.parametrize(
    ("name", "printed", "version"),
    [
        ("llvm-spirv", "Debian LLVM version 22.1.8\\n  Optimized build.", "22.1.8"),
        ("iga64", "Intel Graphics Assembler 1.1.0\\nusage: iga64 OPTIONS", "1.1.0"),
        ("mlt-opt", "LLVM (http://llvm.org/):\\n  LLVM version 22.1.8git", "22.1.8git"),
        ("mlt-opt", "hello", "unknown"),
    ],
)
def test_versions_of_other_tools(tmp_path: Path, name: str, printed: str, version: str) -> None:
    tool = tool_from(script(tmp_path / name, f"printf '{printed}\\n'"))
    assert tool.version() == version


# --- running -----------------------------------------------------------------


def test_run_returns_both_outputs(tmp_path: Path) -> None:
    tool = tool_from(script(tmp_path / "t", 'cat; echo "$1" >&2'))
    done = run_tool(tool, ["a b"], timeout=10, input=b"\x00in")
    assert done.stdout == b"\x00in"
    assert done.errors == "a b\n"
    assert done.argv == (str(tmp_path / "t"), "a b")


def test_run_has_no_input_unless_given(tmp_path: Path) -> None:
    assert run_tool(tool_from(script(tmp_path / "t", "cat")), [], timeout=10).stdout == b""


def test_failure_tells_command_code_output_and_log(tmp_path: Path) -> None:
    tool = tool_from(script(tmp_path / "t", "seq 100; echo bad >&2; exit 7"))
    with pytest.raises(ToolFailure) as caught:
        run_tool(tool, ["x y"], timeout=10, log_dir=tmp_path)
    failure = caught.value
    assert (failure.returncode, failure.reason) == (7, "exit code 7")
    text = str(failure)
    assert f"{tmp_path}/t 'x y'" in text
    assert "bad" in text
    assert "last 20 of 101 lines" in text
    assert failure.log is not None
    kept = failure.log.read_text()
    assert "exit code 7" in kept
    assert "\n1\n2\n3\n" in kept


def test_failure_keeps_no_log_unless_wanted(tmp_path: Path) -> None:
    tool = tool_from(script(tmp_path / "t", "exit 1"))
    with pytest.raises(ToolFailure, match="printed nothing") as caught:
        run_tool(tool, [], timeout=10, keep_output=False, log_dir=tmp_path)
    assert caught.value.log is None
    assert [p.name for p in tmp_path.iterdir()] == ["t"]


def test_failure_survives_an_unwritable_log(tmp_path: Path) -> None:
    tool = tool_from(script(tmp_path / "t", "exit 1"))
    with pytest.raises(ToolFailure, match="exit code 1"):
        run_tool(tool, [], timeout=10, log_dir=tmp_path / "nowhere")


def test_signals_are_named(tmp_path: Path) -> None:
    tool = tool_from(script(tmp_path / "t", "kill -SEGV $$"))
    with pytest.raises(ToolFailure, match="killed by signal SIGSEGV"):
        run_tool(tool, [], timeout=10, keep_output=False)
    behind_shell = tool_from(script(tmp_path / "u", f"{tmp_path}/t; exit $?"))
    with pytest.raises(ToolFailure, match=r"exit code 139 \(128 \+ SIGSEGV\)"):
        run_tool(behind_shell, [], timeout=10, keep_output=False)


def test_timeout_kills_children_too(tmp_path: Path) -> None:
    body = "sleep 600 & echo $!; wait"
    with pytest.raises(ToolFailure, match=r"timed out after 1 s") as caught:
        run_tool(tool_from(script(tmp_path / "t", body)), [], timeout=1, keep_output=False)
    # It has no parent any more; where nobody collects such processes it stays a zombie.
    status = Path("/proc", caught.value.output.strip(), "status")
    for _ in range(100):
        if not status.exists() or "State:\tZ" in status.read_text():
            return
        time.sleep(0.1)
    pytest.fail("the child is still there")


def test_program_that_does_not_start(tmp_path: Path) -> None:
    with pytest.raises(ToolFailure, match="cannot start"):
        run_tool(tool_from(tmp_path / "missing"), [], timeout=10, keep_output=False)


# --- the real things ---------------------------------------------------------


@pytest.fixture
def real_prefix() -> Path:
    """The toolchain this machine has, which the installer must have made."""
    try:
        prefix = find_tool("ocloc").prefix
    except ToolNotFoundError as error:
        pytest.skip(str(error))
    if prefix is None or not install.is_complete(prefix):
        pytest.skip("ocloc is not from an installed toolchain")
    return prefix


def test_real_tools_work_and_match_the_record(real_prefix: Path) -> None:
    recorded = (layout.read_versions(real_prefix) or {})["tools"]
    assert verify.verify_tools(real_prefix) == recorded
    assert recorded["llvm-spirv"].startswith(f"{install.LLVM_MAJOR}.")


def test_real_ocloc_is_current(real_prefix: Path) -> None:
    info = ocloc_generation(find_tool("ocloc"))
    assert info.generation == "current"
    assert info.igc_version != "unknown"


def test_real_launchers(real_prefix: Path, tmp_path: Path) -> None:
    for name in layout.PREFIX_TOOLS:
        launcher = tool_from(real_prefix / "bin" / name)
        assert launcher.version() == find_tool(name).version()


@pytest.mark.parametrize(("device", "units"), [("pvc", 512), ("bmg", 160)])
def test_dpctl_sees_the_null_device(
    real_prefix: Path, tmp_path: Path, device: str, units: int
) -> None:
    pytest.importorskip("dpctl")
    if not (layout.read_versions(real_prefix) or {})["null_driver"]:
        pytest.skip("the driver does not come up on this machine")
    code = (
        "import dpctl; q = dpctl.SyclQueue(); d = q.sycl_device; "
        "print(d.filter_string, d.max_compute_units)"
    )
    done = subprocess.run(
        null_driver_argv(["-c", code]), env=null_driver_env(device), cwd=tmp_path,
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"level_zero:gpu:0 {units}\n"
    assert not list(tmp_path.iterdir())


def test_unknown_null_device(real_prefix: Path) -> None:
    with pytest.raises(ValueError, match="expected one of bmg, pvc, got 'dg9'"):
        null_driver_env("dg9")
