"""Asking each tool for its version.

Every tool says it in another way; `ocloc` even answers into a file in the
working directory, with the old release printing nothing at all. Answers are
cached per command, since starting ocloc costs a noticeable part of a second.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from mltc.toolchain.find import Tool
from mltc.toolchain.run import run_tool

UNKNOWN = "unknown"

_TIMEOUT = 60.0  # seconds
_ANSWER_LIMIT = 4096  # bytes
_QUERY = "OCL_DRIVER_VERSION"
_cache: dict[tuple[str, ...], str] = {}


def query_ocloc(tool: Tool) -> str:
    """The driver version of an ocloc, e.g. `22.43.24595` or `26.27.039122`.

    Raises:
        ToolFailure: ocloc could not be run or does not know the question.
    """
    # `ocloc query` writes its answer into a file of the current directory.
    with tempfile.TemporaryDirectory(prefix="mltc-ocloc-") as directory:
        done = run_tool(tool, ["query", _QUERY], timeout=_TIMEOUT, cwd=directory, keep_output=False)
        answer = Path(directory, _QUERY)
        if answer.is_file():
            with answer.open("rb") as file:
                text = file.read(_ANSWER_LIMIT).decode("ascii", errors="replace")
        else:
            text = done.text
    match = re.search(r"\d+(?:\.\d+)+", text)
    return match.group() if match else UNKNOWN


def _from_output(tool: Tool, args: list[str], pattern: str) -> str:
    done = run_tool(tool, args, timeout=_TIMEOUT, keep_output=False)
    match = re.search(pattern, done.text + done.errors)
    return match.group(1) if match else UNKNOWN


def tool_version(tool: Tool) -> str:
    """The version `tool` reports, or `unknown`. See `Tool.version`."""
    key = tuple(tool.argv)
    if key not in _cache:
        if tool.name == "ocloc":
            _cache[key] = query_ocloc(tool)
        elif tool.name == "iga64":
            pattern = r"Intel Graphics Assembler (\d+(?:\.\d+)*)"
            _cache[key] = _from_output(tool, ["-h"], pattern)
        else:
            pattern = r"version (\d+(?:\.\d+)+\S*)"
            _cache[key] = _from_output(tool, ["--version"], pattern)
    return _cache[key]
