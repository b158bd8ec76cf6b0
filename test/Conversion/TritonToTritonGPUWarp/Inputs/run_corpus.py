"""Gives every kernel of a TTIR corpus layouts, for all numbers of warps and tiling hints.

All files of the corpus go through one process per configuration, separated like the cases of a
lit test.  A kernel may refuse a hint that cannot be met; nothing else may fail, and nothing may
crash.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

WARPS = ("1", "2", "4", "8", "16", "32", "64", "auto")
HINTS = ("horizontal", "vertical", "square")
HINTED_WARPS = ("1", "8", "64")
TIMEOUT_SECONDS = 300


def with_hint(text: str, hint: str) -> str:
    """The module with the hint on every dot (stock Triton prints no attribute there)."""
    lines = []
    for line in text.splitlines():
        if "= tt.dot " in line:
            line = line.replace(" : tensor<", f' {{mlt.tiling = "{hint}"}} : tensor<', 1)
        lines.append(line)
    return "\n".join(lines)


def run(modules: list[str], warps: str, hint: str | None) -> list[str]:
    """The unexpected complaints about one configuration."""
    done = subprocess.run(
        [
            "mlt-opt",
            "--split-input-file",
            "--rewrite-tensor-descriptor",
            f"--convert-triton-to-tritongpu-warp=num-warps={warps}",
            "-o",
            os.devnull,
        ],
        input="\n// -----\n".join(modules),
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    errors = [line for line in done.stderr.splitlines() if "error: " in line]
    unexpected = [line for line in errors if hint is None or "tiling hint" not in line]
    if done.returncode not in (0, 1) or (done.returncode == 1 and not errors):
        unexpected.append(f"exit code {done.returncode}: {done.stderr[-2000:]}")
    return [f"{warps} warps, hint {hint}: {line}" for line in unexpected]


def main() -> int:
    files = sorted(Path(sys.argv[1]).rglob("*.ttir"))
    if not files:
        print(f"no .ttir file below {sys.argv[1]}")
        return 1
    modules = [path.read_text() for path in files]
    unexpected: list[str] = []
    for warps in WARPS:
        unexpected += run(modules, warps, None)
    with_dots = [text for text in modules if "= tt.dot " in text]
    for hint in HINTS:
        hinted = [with_hint(text, hint) for text in with_dots]
        for warps in HINTED_WARPS:
            unexpected += run(hinted, warps, hint)
    print("\n".join(unexpected))
    print(f"{len(files)} files, {len(unexpected)} failures")
    return 1 if unexpected else 0


if __name__ == "__main__":
    sys.exit(main())
