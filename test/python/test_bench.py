"""The benchmark runs and compares a kernel with itself."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mltc.driver import BuildRequest, build
from mltc.toolchain import ToolNotFoundError, find_tool

ROOT = Path(__file__).parents[2]


def has_tools() -> bool:
    try:
        return all(find_tool(name) for name in ("mlt-opt", "mlt-translate", "ocloc", "iga64"))
    except ToolNotFoundError:
        return False


@pytest.mark.skipif(not has_tools(), reason="no compiler, ocloc or iga64")
def test_a_kernel_against_itself(tmp_path: Path) -> None:
    source = tmp_path / "matmul.ttir"
    shutil.copy(ROOT / "examples" / "gemm" / "matmul.ttir", source)
    build(BuildRequest(input=str(source), output=str(tmp_path / "matmul.zebin")))
    missing = tmp_path / "absent.ttir"
    command = [sys.executable, str(ROOT / "bench" / "run.py"), str(source), str(missing)]
    command += ["--against", str(tmp_path), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 1, done.stderr
    report = json.loads(done.stdout)
    (row,) = report["rows"]
    assert row["code"] == row["against"] and row["code"]["loop_dpas"] == 32
    assert set(row["ratios"].values()) == {1.0}
    assert {"ttir", "llir", "spirv", "ocloc", "total"} <= set(row["seconds"])
    assert list(report["failures"]) == [str(missing)]
