"""What an installed package needs beyond its own files: the wheel that carries libLLVM.so."""

import tomllib
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]


def test_a_runtime_dependency_carries_llvm() -> None:
    """mlt-opt and mlt-translate load libLLVM.so from <site>/llvm/lib (their INSTALL_RPATH)."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    carriers = [
        name
        for name in (Requirement(line).name for line in project["dependencies"])
        for file in metadata.files(name) or []
        if file.as_posix() == "llvm/lib/libLLVM.so"
    ]
    assert carriers, "no dependency installs llvm/lib/libLLVM.so; installed tools cannot start"
