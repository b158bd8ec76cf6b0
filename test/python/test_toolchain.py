"""Finding, recognising, running and installing the external tools.

The order of the search and the recognition of releases are tested with fake
tools that answer as the real ones were seen to. Tests that need the real tools
are skipped where there are none, tests that need a mirror where there is none.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from mltc.errors import MltcError
from mltc.toolchain import (
    Tool,
    ToolFailure,
    ToolNotFoundError,
    apt,
    find_tool,
    install,
    null_driver_argv,
    null_driver_env,
    nulldriver,
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
    late = tmp_path / "late"
    body = f"echo started; (sleep 2; touch {late}) & wait"
    start = time.monotonic()
    with pytest.raises(ToolFailure, match=r"timed out after 0\.5 s") as caught:
        run_tool(tool_from(script(tmp_path / "t", body)), [], timeout=0.5, keep_output=False)
    assert time.monotonic() - start < 1.9
    assert caught.value.output == "started\n"
    time.sleep(2.2)
    assert not late.exists()


def test_program_that_does_not_start(tmp_path: Path) -> None:
    with pytest.raises(ToolFailure, match="cannot start"):
        run_tool(tool_from(tmp_path / "missing"), [], timeout=10, keep_output=False)


# --- installing --------------------------------------------------------------


class FakeArchive(apt.Apt):
    """An archive that has just these packages."""

    def __init__(self, *packages: str) -> None:
        self._packages = packages

    def names(self, patterns: Sequence[str]) -> list[str]:
        return [n for n in self._packages if any(re.fullmatch(p, n) for p in patterns)]


SID = (
    *("intel-ocloc", "libigc1", "libigc2", "libigc10", "libigc2-tools", "libigc10-tools"),
    *("llvm-spirv-21", "llvm-spirv-22", "libze1", "libze-intel-gpu1"),
)


def test_names_are_resolved_to_the_newest_interface() -> None:
    expected = ["intel-ocloc", "libigc10", "libigc10-tools", "llvm-spirv-22"]
    expected += ["libze1", "libze-intel-gpu1"]
    assert install.resolve(FakeArchive(*SID), "sid") == expected


def test_vanished_package_is_named() -> None:
    without = [name for name in SID if name != "llvm-spirv-22"]
    with pytest.raises(install.InstallError, match="no package llvm-spirv-22"):
        install.resolve(FakeArchive(*without), "sid")


@pytest.fixture
def no_apt(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> str:
        raise AssertionError("the network was asked for")

    monkeypatch.setattr(apt, "_run", refuse)


def fake_prefix(prefix: Path) -> Path:
    """A prefix as the installer leaves it, as far as it checks."""
    script(layout.loader(prefix), 'shift 2; exec "$@"')
    for name in layout.PREFIX_TOOLS:
        script(prefix / "usr/bin" / name, f'echo {name} "$@"')
    (prefix / nulldriver.DRIVER).touch()
    record = {"format": install.FORMAT, "wanted": list(install.WANTED), "tools": {"igc": "2"}}
    (prefix / "versions.json").write_text(json.dumps(record))
    return prefix


def test_complete_prefix_is_left_alone(
    tmp_path: Path, no_apt: None, capsys: pytest.CaptureFixture[str]
) -> None:
    prefix = fake_prefix(tmp_path / "t")
    before = sorted(tmp_path.rglob("*"))
    assert install.main(["--prefix", str(prefix)]) == 0
    assert install.main(["--prefix", str(prefix), "--offline"]) == 0
    assert "complete: igc 2" in capsys.readouterr().err
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    "damage",
    [
        lambda p: (p / "versions.json").unlink(),
        lambda p: (p / "versions.json").write_text("[]"),
        lambda p: (p / "versions.json").write_text('{"format": 0}'),
        lambda p: (p / "usr/bin/ocloc").unlink(),
        lambda p: layout.loader(p).unlink(),
        lambda p: (p / nulldriver.DRIVER).unlink(),
    ],
)
def test_damaged_prefix_is_incomplete(
    tmp_path: Path, no_apt: None, damage: Callable[[Path], object]
) -> None:
    prefix = fake_prefix(tmp_path / "t")
    assert install.is_complete(prefix)
    damage(prefix)
    assert not install.is_complete(prefix)


def test_offline_without_toolchain_says_what_to_do(
    tmp_path: Path, no_apt: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert install.main(["--prefix", str(tmp_path / "t"), "--offline"]) == 1
    text = capsys.readouterr().err
    assert "does not exist" in text
    assert "MLTC_TOOLCHAIN" in text
    assert not list(tmp_path.iterdir())


def test_unreachable_mirror_is_reported_as_offline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(apt, "_CONFIG", re.sub('Retries "3"', 'Retries "0"', apt._CONFIG))
    if apt.missing_programs():
        pytest.skip("no apt")
    mirror = "http://127.0.0.1:1/debian"
    arguments = ["--prefix", str(tmp_path / "t"), "--mirror", mirror]
    assert install.main(arguments) == 1
    assert "no Debian mirror can be reached (offline?)" in capsys.readouterr().err
    assert not (tmp_path / "t").exists()


def test_mirror_of_the_environment_wins(monkeypatch: pytest.MonkeyPatch, no_apt: None) -> None:
    monkeypatch.setenv("MLTC_DEBIAN_MIRROR", "http://mirror.example/debian")
    assert apt.system_mirrors() == ["http://mirror.example/debian"]


def test_mirrors_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MLTC_DEBIAN_MIRROR", raising=False)
    listed = [
        "http://a.example/tools/",
        "http://a.example/debian-security/",
        "http://a.example/debian/",
        "http://a.example/debian/",
    ]
    monkeypatch.setattr(apt, "_run", lambda *_: "\n".join(listed) + "\n")
    assert apt.system_mirrors() == ["http://a.example/debian/", "http://a.example/tools/"]


def test_no_mirror_says_what_to_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apt, "system_mirrors", list)
    monkeypatch.setattr(apt, "missing_programs", list)
    with pytest.raises(install.InstallError, match="set MLTC_DEBIAN_MIRROR"):
        install.install(install.Request(tmp_path / "t"))
    assert not (tmp_path / "t").exists()


def test_failed_replacement_keeps_the_old_one(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    old = fake_prefix(tmp_path / "t")
    with pytest.raises(OSError):
        install._replace(tmp_path / "work/missing", old, tmp_path / "work")
    assert install.is_complete(old)


def test_launchers_work_wherever_they_lie(tmp_path: Path) -> None:
    prefix = fake_prefix(tmp_path / "first place")
    (prefix / "usr/bin/ocloc").rename(prefix / "usr/bin/ocloc-9.9.9")
    script(prefix / "usr/bin/ocloc-26.27.1", 'echo newest "$@"')
    (prefix / "usr/bin/llvm-spirv").rename(prefix / "usr/bin/llvm-spirv-22")
    install._add_launchers(prefix)
    moved = prefix.rename(tmp_path / "second place")
    (tmp_path / "link").symlink_to(moved / "bin/ocloc")
    for command in (moved / "bin/ocloc", tmp_path / "link"):
        done = subprocess.run(
            [command, "a b"], capture_output=True, text=True, check=True, timeout=10
        )
        assert done.stdout == "newest a b\n"
    assert layout.tool_argv(moved, "llvm-spirv") is not None


def test_elf_reader_refuses_damaged_files() -> None:
    good = bytearray(64)
    good[:6] = b"\x7fELF\x02\x01"
    for data in (b"", b"\x7fELF", bytes(good), bytes(good) + b"\xff" * 64):
        with pytest.raises(verify.VerificationError):
            verify.elf_section(data, ".text.k")
    good[0x28:0x30] = (2**63).to_bytes(8, "little")  # section table out of the file
    good[0x3A:0x40] = b"\x40\x00\xff\xff\xff\xff"
    with pytest.raises(verify.VerificationError):
        verify.elf_section(bytes(good), ".text.k")


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


# `make setup` of a fresh clone installs for real already; these are for work on
# the installer itself.
needs_network = pytest.mark.skipif(
    not os.environ.get("MLTC_TEST_INSTALL"), reason="downloads 80 MB: set MLTC_TEST_INSTALL=1"
)


@pytest.fixture
def archive(tmp_path_factory: pytest.TempPathFactory) -> apt.Apt:
    """Today's Debian archive through this machine's mirror."""
    if apt.missing_programs():
        pytest.skip("no apt")
    work = tmp_path_factory.mktemp("apt")
    for directory in (work, work.parent):
        directory.chmod(0o755)
    try:
        return install._connect(install.Request(work / "t"), work)
    except install.InstallError as error:
        pytest.skip(f"no archive: {error}")


@needs_network
def test_todays_archive_has_what_is_wanted(archive: apt.Apt) -> None:
    assert len(install.resolve(archive, install.SUITE)) == len(install.WANTED)


@needs_network
def test_real_install(archive: apt.Apt, tmp_path: Path) -> None:
    prefix = tmp_path / "toolchain"
    request = install.Request(prefix)
    assert install.install(request)
    assert install.is_complete(prefix)
    assert not install.install(request)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["toolchain", "toolchain.lock"]
