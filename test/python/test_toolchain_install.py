"""The installer of the toolchain: what it decides, refuses and leaves alone.

apt itself is not under test; what the installer makes of an archive, of its
failures and of a directory that is there already is tested with fakes. Tests
that need a mirror run on demand.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from mltc.toolchain import apt, install, nulldriver, verify
from mltc.toolchain import prefix as layout


def script(path: Path, body: str) -> Path:
    """An executable shell script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n" + body)
    path.chmod(0o755)
    return path


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
