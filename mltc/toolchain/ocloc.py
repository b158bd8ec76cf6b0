"""Which ocloc is this?

What an ocloc accepts, and what the same name means to it, changed between
releases: a name unknown to one becomes a call, an old name silently becomes a
different operation. So the release is recognised before anything is compiled,
and one that nobody tested is called so.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from mltc.toolchain import prefix as layout
from mltc.toolchain.find import Tool
from mltc.toolchain.run import ToolFailure
from mltc.toolchain.version import UNKNOWN, tool_version

#: `22.43`: Debian 12's release. `current`: 26 and later. Everything else has
#: never been tried.
Generation = Literal["22.43", "current", "untested"]

_DPKG_TIMEOUT = 20.0  # seconds


@dataclass(frozen=True)
class OclocInfo:
    """What is known about an ocloc.

    Attributes:
        driver_version: as it says itself, e.g. `26.27.039122`, or `unknown`.
        igc_version: of the IGC it loads, e.g. `2.40.14`, or `unknown`.
        generation: which table of tested facts holds for it.
        warning: what to tell the user when no table holds; None otherwise.
    """

    driver_version: str
    igc_version: str
    generation: Generation
    warning: str | None = None


def _recorded_igc(prefix: Path) -> str | None:
    tools = (layout.read_versions(prefix) or {}).get("tools")
    version = tools.get("igc") if isinstance(tools, dict) else None
    return version if isinstance(version, str) else None


def igc_from_libraries(directory: Path) -> str | None:
    """The version in the file name of `libigc.so.<N>` (IGC 2 and later).

    IGC 1 named its library 1.0.1 in all releases, which says nothing.
    """
    for link in sorted(directory.glob("libigc.so.*")):
        match = re.fullmatch(r"libigc\.so\.(\d+\.\d+\.\d+)\S*", link.resolve().name)
        if match and not match.group(1).startswith("1."):
            return match.group(1)
    return None


def _igc_from_dpkg() -> str | None:
    """The version of Debian's installed IGC package, without its revision."""
    query = ["dpkg-query", "-W", "-f", "${db:Status-Abbrev}${Version}\n"]
    try:
        # Patterns, so that a package the machine never heard of is no error.
        done = subprocess.run(
            [*query, "libigc[0-9]"],
            capture_output=True, text=True, timeout=_DPKG_TIMEOUT, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
    versions = re.findall(r"^ii\s+(?:\d+:)?(\d[\d.]*)", done.stdout, re.MULTILINE)
    return versions[0] if len(versions) == 1 else None


def igc_version(tool: Tool) -> str:
    """The version of the IGC library `tool` (an ocloc) loads, or `unknown`."""
    if tool.prefix:
        lib_dir = tool.prefix / layout.LIB_DIR
        found = _recorded_igc(tool.prefix) or igc_from_libraries(lib_dir)
    elif tool.path.parent in (Path("/usr/bin"), Path("/bin")):
        found = _igc_from_dpkg() or igc_from_libraries(Path("/") / layout.LIB_DIR)
    else:
        # A launcher script of a prefix that PATH leads to, or a private build.
        root = tool.path.resolve().parent.parent
        found = _recorded_igc(root) or igc_from_libraries(root / layout.LIB_DIR)
    return found or UNKNOWN


def classify(driver_version: str) -> tuple[Generation, str | None]:
    """The generation a driver version belongs to, and a warning if none."""
    match = re.match(r"(\d+)\.(\d+)\b", driver_version)
    if not match:
        return "untested", (
            f"ocloc reports no version that mltc understands ('{driver_version}'); "
            "what it makes of our code was never checked"
        )
    major, minor = int(match.group(1)), int(match.group(2))
    if (major, minor) == (22, 43):
        return "22.43", None
    if major >= 26:
        return "current", None
    return "untested", (
        f"ocloc {driver_version} was never tested with mltc (tested: 22.43 and 26.27 "
        "or later); check the binary's instructions before you trust it"
    )


def ocloc_generation(tool: Tool) -> OclocInfo:
    """Recognise the release of an ocloc.

    Never fails: an ocloc that cannot answer is `untested`, with the reason in
    the warning, and whatever is wrong with it shows when it compiles.
    """
    try:
        version = tool_version(tool)
    except ToolFailure as failure:
        warning = f"ocloc could not be asked for its version: {failure.reason}"
        return OclocInfo(UNKNOWN, igc_version(tool), "untested", warning)
    generation, warning_or_none = classify(version)
    return OclocInfo(version, igc_version(tool), generation, warning_or_none)
