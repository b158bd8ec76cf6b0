"""What an installed package needs: all that CMake installs, and the wheel with libLLVM.so."""

import re
import tomllib
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

# mltc_tool(NAME ...) installs as well.
INSTALLS = re.compile(r"^\s*(?:mltc_tool|mltc_simulator_tool)\((\S+)", re.MULTILINE)
BRINGS = re.compile(r"add_dependencies\((\S+) (\S+)\)")
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


def test_every_tool_that_is_installed_is_built() -> None:
    """``pip install`` builds only these targets, and then installs what install() names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    targets = set(project["tool"]["scikit-build"]["build"]["targets"])
    lists = {path.parent.name: path.read_text() for path in ROOT.glob("tools/*/CMakeLists.txt")}
    installed = {name for text in lists.values() for name in INSTALLS.findall(text)}
    brought = {name: by for text in lists.values() for by, name in BRINGS.findall(text)}
    assert set(lists) <= installed, "a tool that this test cannot see"
    assert {name for name in installed if brought.get(name, name) not in targets} == set()
