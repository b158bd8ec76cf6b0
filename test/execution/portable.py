"""Running a build on the CPU device without ocloc, which takes most of a build's time."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from mltc.driver import BuildRequest, build
from mltc.package.container import Package
from mltc.package.manifest import CompilerManifest, Manifest, parse
from mltc.package.zebin import Zebin
from mltc.runtime import Module
from mltc.runtime.module import make_backend
from mltc.toolchain import find_tool, run_tool


def load_portable(source: Path, directory: Path, **options: object) -> Module:
    """Builds the portable module of a TTIR file and loads it; `directory` gets its files."""
    request = BuildRequest(
        input=str(source), output=None, to_stage="portable", save_temps=directory,
        **options,  # type: ignore[arg-type]
    )  # fmt: skip
    spirv = build(request).data
    llir = directory / f"{request.stem}.llir.mlir"
    text = run_tool(find_tool("mlt-translate"), ["--mlt-to-manifest", llir], timeout=60).stdout
    manifest = parse(text, CompilerManifest, str(source))
    # The runtime reads what the compiler says of the kernels, and nothing of the build.
    package = Package(b"", cast(Zebin, None), cast(Manifest, manifest), spirv)
    return Module(package, make_backend("opencl:cpu"))
