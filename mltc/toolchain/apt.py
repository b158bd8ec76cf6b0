"""A private apt: Debian packages resolved and fetched beside the system's own.

apt does the work that must be right (signatures, checksums, dependencies,
mirrors, retries, proxies); it is only pointed at lists, a cache and a package
state of its own in a temporary directory, so the system is read (mirror, keys,
proxy settings) and never written.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ENV_MIRROR = "MLTC_DEBIAN_MIRROR"

_TIMEOUT = 1800.0  # seconds for one apt command; downloads are some 80 MB
_KEYRING_PACKAGE = "debian-archive-keyring"
_KEYRINGS = tuple(f"usr/share/keyrings/{_KEYRING_PACKAGE}.{suffix}" for suffix in ("pgp", "gpg"))
_OFFLINE = (
    r"Temporary failure resolving|Could not resolve|Could not connect|Connection failed"
    r"|Unable to connect|Network is unreachable|Connection timed out"
)
_UNTRUSTED = r"NO_PUBKEY|EXPKEYSIG|Missing key|No good signature"

_CONFIG = """\
Dir::State "{dir}/state";
Dir::State::Lists "{dir}/state/lists";
Dir::State::status "/dev/null";
Dir::State::extended_states "{dir}/state/extended_states";
Dir::Cache "{dir}/cache";
Dir::Log "{dir}/log";
{sources}Debug::NoLocking "true";
Acquire::Languages "none";
Acquire::Retries "3";
Acquire::http::Timeout "60";
APT::Architecture "amd64";
#clear APT::Architectures;
APT::Architectures {{ "amd64"; }};
APT::Install-Recommends "false";
APT::Get::Assume-Yes "true";
APT::Update::Error-Mode "any";
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
"""
_OWN_SOURCES = """\
Dir::Etc::sourcelist "{dir}/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
"""


class AptError(RuntimeError):
    """An apt command failed.

    Attributes:
        output: what apt printed.
    """

    def __init__(self, message: str, output: str = "") -> None:
        super().__init__(message)
        self.output = output

    @property
    def offline(self) -> bool:
        """Whether no server could be reached."""
        return re.search(_OFFLINE, self.output) is not None

    @property
    def untrusted(self) -> bool:
        """Whether the archive is signed by a key the keyring does not hold."""
        return re.search(_UNTRUSTED, self.output) is not None

    @property
    def expired(self) -> bool:
        """Whether the archive's lists are older than they say they may get."""
        return re.search(r"InRelease is (expired|not valid yet)", self.output) is not None

    def complaints(self) -> str:
        """apt's own error and warning lines, indented, at most ten."""
        lines = [ln for ln in self.output.splitlines() if re.match(r"[EW]: ", ln)]
        return "".join(f"\n  {line}" for line in (lines or [self.output.strip()])[:10])


@dataclass(frozen=True)
class Source:
    """A Debian archive: where, which suite, and the keyring that vouches for it."""

    uri: str
    suite: str
    keyring: Path | None

    def line(self) -> str:
        """As apt's one-line format has it."""
        options = "arch=amd64"
        if self.keyring:
            options += f" signed-by={self.keyring}"
        return f"deb [{options}] {self.uri} {self.suite} main\n"


def _run(argv: Sequence[str], cwd: Path | None = None) -> str:
    env = {**os.environ, "LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(
            argv, cwd=cwd, env=env, timeout=_TIMEOUT, check=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
    except OSError as error:
        raise AptError(f"cannot start {argv[0]}: {error}") from error
    except subprocess.TimeoutExpired as error:
        raise AptError(f"{argv[0]} took longer than {_TIMEOUT:g} s") from error
    output = done.stdout.decode("utf-8", errors="replace")
    if done.returncode != 0:
        raise AptError(f"{argv[0]} failed with exit code {done.returncode}", output)
    return output


class Apt:
    """apt with everything it writes kept in one directory.

    Args:
        directory: an existing directory that `_apt` can enter, since apt fetches
            as that user when it is started by root.
        source: the archive to use; the system's own sources when None.
    """

    def __init__(self, directory: Path, source: Source | None) -> None:
        self._dir = directory
        self._conf = directory / "apt.conf"
        for name in ("state/lists/partial", "cache/archives/partial", "log"):
            (directory / name).mkdir(parents=True, exist_ok=True)
        sources = ""
        if source:
            (directory / "sources.list").write_text(source.line(), encoding="utf-8")
            sources = _OWN_SOURCES.format(dir=directory)
        config = _CONFIG.format(dir=directory, sources=sources)
        self._conf.write_text(config, encoding="utf-8")

    def _apt(self, program: str, *args: str, cwd: Path | None = None) -> str:
        return _run([program, "-c", str(self._conf), *args], cwd)

    def update(self) -> None:
        """Fetch the package lists; raises AptError unless all were fetched."""
        self._apt("apt-get", "-q", "update")

    def names(self, patterns: Sequence[str]) -> list[str]:
        """The packages whose whole name matches one of the POSIX expressions."""
        # One search for all: each reads the whole archive's list.
        either = f"^({'|'.join(patterns)})$"
        out = self._apt("apt-cache", "search", "--names-only", either)
        found = [line.partition(" - ")[0].strip() for line in out.splitlines()]
        return [name for name in found if re.fullmatch(either, name)]

    def fetch_closure(self, packages: Sequence[str]) -> list[Path]:
        """Download `packages` and all they depend on; return the .deb files.

        Raises:
            AptError: a package is missing, dependencies cannot be met, or a
                download failed or was not what the signed lists promise.
        """
        self._apt("apt-get", "-q", "--download-only", "install", *packages)
        return sorted((self._dir / "cache/archives").glob("*.deb"))

    def fetch(self, package: str) -> Path:
        """Download one package without what it depends on."""
        self._apt("apt-get", "-q", "download", package, cwd=self._dir)
        return max(self._dir.glob(f"{package}_*.deb"))


def missing_programs() -> list[str]:
    """The programs of a Debian-like system that are needed and not there."""
    needed = ("apt-get", "apt-cache", "dpkg-deb")
    return [name for name in needed if shutil.which(name) is None]


def extract(deb: Path, root: Path) -> None:
    """Unpack the files of a package into `root`; runs none of its scripts."""
    _run(["dpkg-deb", "--extract", str(deb), str(root)])


def package_and_version(deb: Path) -> tuple[str, str]:
    """The name and version a package file states."""
    form = "--showformat=${Package} ${Version}"
    name, _, version = _run(["dpkg-deb", "--show", form, str(deb)]).strip().partition(" ")
    return name, version


def system_mirrors() -> list[str]:
    """The Debian mirrors of this machine, most likely one first.

    `MLTC_DEBIAN_MIRROR` alone when it is set, else what apt's sources name,
    without the security archives, which hold no sid.
    """
    chosen = os.environ.get(ENV_MIRROR)
    if chosen:
        return [chosen]
    try:
        out = _run(["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"])
    except AptError:
        return []
    uris = list(dict.fromkeys(line.strip() for line in out.splitlines() if line.strip()))
    uris = [uri for uri in uris if "security" not in uri]
    return sorted(uris, key=lambda uri: not uri.rstrip("/").endswith("/debian"))


def system_keyring() -> Path | None:
    """Debian's archive keys as this machine has them, if it has them."""
    found = (Path("/", name) for name in _KEYRINGS)
    return next((path for path in found if path.is_file()), None)


def newest_keyring(directory: Path) -> Path:
    """Debian's newest archive keys, fetched through the system's own sources.

    The package is verified by the keys the system trusts already, so the chain
    of trust is the one of an ordinary upgrade.

    Raises:
        AptError: the system's sources do not have the package.
    """
    directory.mkdir()
    apt = Apt(directory, None)
    apt.update()
    extract(apt.fetch(_KEYRING_PACKAGE), directory / "root")
    for name in _KEYRINGS:
        if (directory / "root" / name).is_file():
            return directory / "root" / name
    raise AptError(f"package {_KEYRING_PACKAGE} holds no keyring")
