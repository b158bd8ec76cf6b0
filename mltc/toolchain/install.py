"""The installer of `.toolchain/`: ocloc, llvm-spirv, iga64 and Intel's driver.

    python -m mltc.toolchain.install [--prefix DIR] [--offline] [--upgrade]

The tools are Debian sid's, with the C library and everything else they need,
unpacked into one directory on any x86-64 Debian or Ubuntu; nothing of the
system changes and root is not needed. sid moves, so package names are resolved
when this runs, and what was found is recorded in `versions.json`. A complete
toolchain is left alone; a new one is built aside, proved to work and only then
put in its place.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import json
import os
import platform
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mltc.toolchain import apt, nulldriver, verify
from mltc.toolchain import prefix as layout
from mltc.toolchain.find import ENV_PREFIX
from mltc.toolchain.run import ToolFailure

#: Raised when what a prefix must contain changes: an older one is replaced.
FORMAT = 1
SUITE = "sid"
#: llvm-spirv reads the bitcode of this LLVM, the one of the MLIR packages.
LLVM_MAJOR = 22

#: What is wanted, as patterns of package names. Debian puts the version of an
#: interface into the name, so of several matches the highest number is taken.
WANTED = (
    r"intel-ocloc",
    r"libigc([0-9]+)",
    r"libigc([0-9]+)-tools",
    rf"llvm-spirv-{LLVM_MAJOR}",
    r"libze([0-9]+)",
    r"libze-intel-gpu([0-9]+)",
)
#: Tool name -> pattern of its file in usr/bin.
_PROGRAMS = {
    "ocloc": r"ocloc(-\d[\d.]*)?",
    "llvm-spirv": rf"llvm-spirv-{LLVM_MAJOR}",
    "iga64": r"iga64",
}
_UNUSED = ("man", "locale", "lintian", "gdb", "gcc", "bash-completion")

_LAUNCHER = """\
#!/bin/sh
# Starts {name} with the C library it was built for; works wherever it lies.
self=$(readlink -f -- "$0")
root=${{self%/bin/*}}
lib=$root/{lib}
exec "$lib/ld-linux-x86-64.so.2" --library-path "$lib" "$root/usr/bin/{name}" "$@"
"""

_BY_HAND = (
    f"put ocloc, llvm-spirv-{LLVM_MAJOR} and iga64 on PATH, or set {ENV_PREFIX} to a "
    "toolchain directory copied from another machine"
)


class InstallError(RuntimeError):
    """The toolchain could not be installed; the message says what to do."""


@dataclass(frozen=True)
class Request:
    """What the command line asks for."""

    prefix: Path
    offline: bool = False
    upgrade: bool = False
    mirror: str | None = None
    suite: str = SUITE
    keyring: Path | None = None


def say(message: str) -> None:
    """Report progress on standard error."""
    print(f"[toolchain] {message}", file=sys.stderr, flush=True)


def is_complete(prefix: Path) -> bool:
    """Whether `prefix` holds all that this version of the installer brings."""
    versions = layout.read_versions(prefix)
    if not versions or versions.get("format") != FORMAT:
        return False
    if versions.get("wanted") != list(WANTED):
        return False
    tools = (layout.tool_argv(prefix, name) for name in layout.PREFIX_TOOLS)
    return all(tools) and (prefix / nulldriver.DRIVER).is_file()


def summary(prefix: Path) -> str:
    """One line that says which versions `prefix` holds."""
    tools = (layout.read_versions(prefix) or {}).get("tools", {})
    return ", ".join(f"{name} {version}" for name, version in sorted(tools.items()))


def _check_machine() -> None:
    if sys.platform != "linux" or platform.machine() != "x86_64":
        machine = f"{sys.platform} {platform.machine()}"
        raise InstallError(f"expected Linux on x86-64, got {machine}")
    missing = apt.missing_programs()
    if missing:
        raise InstallError(
            f"this machine has no {', '.join(missing)}; the toolchain is taken from "
            f"Debian's packages. On another system {_BY_HAND}"
        )


def _refresh(request: Request, mirror: str, directory: Path) -> apt.Apt:
    """An apt for `mirror` with fresh lists, with newer keys if it needs them."""
    directory.mkdir()
    keyring = request.keyring or apt.system_keyring()
    world = apt.Apt(directory, apt.Source(mirror, request.suite, keyring))
    try:
        world.update()
    except apt.AptError as error:
        if not error.untrusted:
            raise
        say("the archive is signed by a key this machine does not know; fetching keys")
        keyring = apt.newest_keyring(directory / "keys")
        world = apt.Apt(directory, apt.Source(mirror, request.suite, keyring))
        world.update()
    return world


def _connect(request: Request, work: Path) -> apt.Apt:
    """The first mirror of this machine that has the suite."""
    mirrors = [request.mirror] if request.mirror else apt.system_mirrors()
    if not mirrors:
        raise InstallError(
            "this machine's apt sources name no Debian mirror; set "
            f"{apt.ENV_MIRROR} to the address of one (the part before `dists/`)"
        )
    failures: list[apt.AptError] = []
    for number, mirror in enumerate(mirrors):
        try:
            return _refresh(request, mirror, work / f"apt{number}")
        except apt.AptError as error:
            failures.append(error)
    if all(error.offline for error in failures):
        raise InstallError(
            f"no Debian mirror can be reached (offline?); connect once, or {_BY_HAND}"
            + failures[0].complaints()
        )
    if any(error.untrusted for error in failures):
        raise InstallError(
            "the archive's signature cannot be checked; install or upgrade the package "
            "debian-archive-keyring" + failures[0].complaints()
        )
    if any(error.expired for error in failures):
        raise InstallError(
            "the mirror's lists are out of date, or this machine's clock is wrong; set "
            f"{apt.ENV_MIRROR} to a current mirror, or for a mirror that is frozen on "
            'purpose tell apt so (`Acquire::Check-Valid-Until "false";` in apt.conf)'
            + "".join(error.complaints() for error in failures)
        )
    raise InstallError(
        f"no mirror of this machine serves Debian {request.suite}; set {apt.ENV_MIRROR} "
        "to one that does" + "".join(error.complaints() for error in failures)
    )


def resolve(world: apt.Apt, suite: str) -> list[str]:
    """The packages that `WANTED` means in the archive today.

    Raises:
        InstallError: nothing matches one of the patterns.
    """
    found: list[str] = []
    known = world.names(WANTED)
    for pattern in WANTED:
        names = [name for name in known if re.fullmatch(pattern, name)]
        if not names:
            plain = pattern.replace(r"([0-9]+)", "<N>")
            raise InstallError(
                f"Debian {suite} has no package {plain} any more; try --suite testing, "
                f"or {_BY_HAND}"
            )
        found.append(max(names, key=_interface_number))
    return found


def _interface_number(name: str) -> tuple[int, ...]:
    return tuple(int(digits) for digits in re.findall(r"\d+", name))


def _download(world: apt.Apt, packages: Sequence[str], suite: str) -> list[Path]:
    try:
        return world.fetch_closure(packages)
    except apt.AptError as error:
        if error.offline:
            raise InstallError("the mirror went away" + error.complaints()) from error
        raise InstallError(
            f"apt cannot bring {' '.join(packages)} from Debian {suite}; it may be in the "
            "middle of a transition: try again later, or with --suite testing" + error.complaints()
        ) from error


def _unpack(debs: Sequence[Path], root: Path) -> dict[str, str]:
    """Extract all packages into `root`; return their versions by name."""
    versions: dict[str, str] = {}
    for deb in debs:
        apt.extract(deb, root)
        name, version = apt.package_and_version(deb)
        versions[name] = version
    for name in _UNUSED:
        shutil.rmtree(root / "usr/share" / name, ignore_errors=True)
    return versions


def _add_launchers(root: Path) -> None:
    """Give every tool its plain name in usr/bin and a launcher in bin."""
    (root / "bin").mkdir(exist_ok=True)
    for name, pattern in _PROGRAMS.items():
        files = [p.name for p in (root / "usr/bin").iterdir() if re.fullmatch(pattern, p.name)]
        if not files:
            raise InstallError(f"the packages hold no usr/bin/{name}")
        newest = max(files, key=_interface_number)
        if newest != name:
            plain = root / "usr/bin" / name
            plain.unlink(missing_ok=True)
            plain.symlink_to(newest)
        launcher = root / "bin" / name
        launcher.write_text(_LAUNCHER.format(name=name, lib=layout.LIB_DIR), encoding="utf-8")
        launcher.chmod(0o755)


def _prove(root: Path) -> dict[str, Any]:
    try:
        tools = verify.verify_tools(root)
    except (ToolFailure, verify.VerificationError) as error:
        raise InstallError(f"the toolchain was brought but does not work: {error}") from error
    problem = verify.verify_null_driver(root)
    if problem:
        say(f"warning: the driver for tests does not come up here: {problem}")
    return {"tools": tools, "null_driver": problem is None}


def _replace(new: Path, place: Path, work: Path) -> None:
    """Put directory `new` where `place` is; a failure leaves the old one."""
    old = work / "old"
    if os.path.lexists(place):
        place.rename(old)
    try:
        new.rename(place)
    except OSError:
        if os.path.lexists(old):
            old.rename(place)
        raise


@contextlib.contextmanager
def _locked(prefix: Path) -> Iterator[None]:
    """Keep a second installer of the same prefix waiting."""
    with prefix.with_name(prefix.name + ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _build(request: Request, work: Path) -> None:
    """Bring, prove and place the toolchain; `work` is on the prefix's disk."""
    root = work / "root"
    root.mkdir()
    # apt fetches as an unprivileged user, who may not enter the checkout.
    with tempfile.TemporaryDirectory(prefix="mltc-apt-") as name:
        os.chmod(name, 0o755)
        world = _connect(request, Path(name))
        packages = resolve(world, request.suite)
        say(f"fetching {' '.join(packages)} and what they need")
        versions = _unpack(_download(world, packages, request.suite), root)
    _add_launchers(root)
    say("trying every tool")
    record = {
        "format": FORMAT,
        "wanted": list(WANTED),
        "suite": request.suite,
        **_prove(root),
        "packages": dict(sorted(versions.items())),
    }
    text = json.dumps(record, indent=2) + "\n"
    (root / layout.VERSIONS_FILE).write_text(text, encoding="utf-8")
    _replace(root, request.prefix, work)


def install(request: Request) -> bool:
    """Make `request.prefix` a complete toolchain.

    Returns:
        False when it was complete already, so that nothing was done.

    Raises:
        InstallError: with what is wrong and what to do.
    """
    prefix = request.prefix
    if is_complete(prefix) and not request.upgrade:
        return False
    if request.offline:
        state = "is incomplete" if prefix.exists() else "does not exist"
        raise InstallError(f"{prefix} {state} and --offline was given; {_BY_HAND}")
    _check_machine()
    prefix.parent.mkdir(parents=True, exist_ok=True)
    with _locked(prefix):
        if is_complete(prefix) and not request.upgrade:
            return False  # another installer was faster
        work = Path(tempfile.mkdtemp(prefix=f"{prefix.name}.", dir=prefix.parent))
        try:
            _build(request, work)
        except apt.AptError as error:
            raise InstallError(f"{error}{error.complaints()}") from error
        except OSError as error:
            raise InstallError(f"cannot write the toolchain: {error}") from error
        finally:
            shutil.rmtree(work, ignore_errors=True)
    return True


def _parse(argv: Sequence[str] | None) -> Request:
    parser = argparse.ArgumentParser(
        prog="python -m mltc.toolchain.install",
        description="Bring ocloc, llvm-spirv, iga64 and Intel's driver into a directory.",
    )
    add = parser.add_argument
    add("--prefix", type=Path, default=layout.default_prefix(), help="directory (%(default)s)")
    add("--offline", action="store_true", help="fail instead of using the network")
    add("--upgrade", action="store_true", help="bring today's versions even if complete")
    add("--mirror", help=f"Debian mirror ({apt.ENV_MIRROR}, else apt's sources)")
    add("--suite", default=SUITE, help="Debian suite (%(default)s)")
    add("--keyring", type=Path, help="keys to check the archive with (the system's)")
    options = parser.parse_args(argv)
    options.prefix = options.prefix.absolute()
    return Request(**vars(options))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the installer; returns the exit code."""
    request = _parse(argv)
    try:
        changed = install(request)
    except InstallError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    say(f"{'installed' if changed else 'complete'}: {summary(request.prefix)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
