"""Packages built once per session."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from randomness import pytest_runtest_makereport  # noqa: F401 - a hook

from mltc.driver import BuildRequest, build
from mltc.runtime import Module, load


@pytest.fixture(scope="session")
def compile_kernel(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Module]:
    """Builds a TTIR file (options as of BuildRequest) and loads it on the CPU device."""
    folder = tmp_path_factory.mktemp("packages")
    built: dict[tuple[object, ...], Module] = {}

    def compile_kernel(source: Path, **options: object) -> Module:
        key = (source, *sorted(options.items()))
        if key not in built:
            output = folder / f"{len(built)}.zebin"
            build(BuildRequest(input=str(source), output=str(output), **options))  # type: ignore[arg-type]
            built[key] = load(output)
        return built[key]

    return compile_kernel
