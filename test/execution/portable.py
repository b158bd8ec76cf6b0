"""Running a build on the CPU device without ocloc, which takes most of a build's time."""

from __future__ import annotations

from pathlib import Path

from mltc.driver import BuildRequest, build
from mltc.runtime import Module, load


def load_portable(source: Path, directory: Path, **options: object) -> Module:
    """Builds a package without native code from a TTIR file and loads it."""
    directory.mkdir(exist_ok=True)
    output = directory / f"{source.stem}.zebin"
    build(BuildRequest(input=str(source), output=str(output), native=False, **options))  # type: ignore[arg-type]
    return load(output)
