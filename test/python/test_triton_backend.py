"""Stock Triton launching kernels through mltc on the CPU device.

Every release from 3.5 on runs inputs/backend_launches.py in a process of its own, with the entry
point as pyproject.toml declares it; each scenario of that file is one test here.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from randomness import SEED
from stock import ROOT, installed, with_folders

from mltc.errors import UsageError
from mltc.triton_backend import tensor, zeros

LAUNCHES = Path(__file__).parent / "inputs" / "backend_launches.py"
GPU = LAUNCHES.with_name("backend_gpu.py")
BACKENDS = [stock for stock in installed() if stock.release >= (3, 5)]
EXAMPLE = ROOT / "examples" / "triton_backend" / "softmax.py"
SCENARIOS = re.findall(r"@scenario\ndef (\w+)", LAUNCHES.read_text())


def environment(triton: Path, folder: Path) -> dict[str, str]:
    """One release of Triton, and our entry point whether mltc is installed or not."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    info = folder / "entry" / "mltc_entry-0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mltc-entry\nVersion: 0\n")
    lines = [f"{k} = {v}" for k, v in project["entry-points"]["triton.backends"].items()]
    (info / "entry_points.txt").write_text("\n".join(["[triton.backends]", *lines]) + "\n")
    path = os.pathsep.join(map(str, (ROOT, info.parent, triton)))
    drop = ("MLTC_DEVICE", "MLTC_TRITON", "TRITON_DEFAULT_BACKEND", "TRITON_BACKENDS_IN_TREE")
    kept = {name: value for name, value in os.environ.items() if name not in drop}
    return {
        **kept,
        "PYTHONPATH": path,
        "TRITON_CACHE_DIR": str(folder / "cache"),
        "MLTC_SEED": str(SEED),
    }


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What each scenario said, by release of Triton."""
    known: dict[Path, dict[str, str | None]] = {}

    def get(triton: Path) -> dict[str, str | None]:
        if triton not in known:
            folder = tmp_path_factory.mktemp("backend")
            done = subprocess.run(
                [sys.executable, LAUNCHES],
                cwd=folder, env=environment(triton, folder), capture_output=True, text=True,
                timeout=600,
            )  # fmt: skip
            assert done.returncode == 0, done.stdout + done.stderr
            records = [json.loads(line) for line in done.stdout.splitlines() if line[:1] == "{"]
            known[triton] = {record["name"]: record["problem"] for record in records}
        return known[triton]

    return get


@pytest.mark.parametrize("name", SCENARIOS)
@with_folders(BACKENDS)
def test_launches(triton: Path, name: str, outcomes: Any) -> None:
    problem = outcomes(triton)[name]
    assert problem is None, f"{problem}\n(MLTC_SEED={SEED})"


@with_folders(BACKENDS[-1:])
def test_gpu_where_there_is_one(triton: Path, tmp_path: Path) -> None:
    """Behind Intel's driver, which shows a PVC; what it is given, the simulator executes."""
    done = subprocess.run(
        [sys.executable, "-m", "mltc", "sim-driver", "--", sys.executable, GPU],
        cwd=tmp_path, env=environment(triton, tmp_path), capture_output=True, text=True,
        timeout=300,
    )  # fmt: skip
    assert done.returncode == 0 and "right" in done.stdout, done.stdout + done.stderr


def test_tensors_share_memory() -> None:
    array = np.arange(12, dtype=np.float32).reshape(3, 4)
    view = tensor(array)
    assert (view.shape, view.stride(), view.stride(0)) == ((3, 4), (4, 1), 4)
    assert view.data_ptr() == array.ctypes.data and view.is_contiguous()
    copy = view.clone()
    view.zero_()
    assert not array.any() and copy.numpy().any()
    column = tensor(array)[:, 1]
    column[...] = 7
    assert column.stride() == (4,) and not column.is_contiguous()
    np.testing.assert_array_equal(array[:, 1], [7, 7, 7])
    assert zeros((2, 3), "bf16").numpy().dtype == np.uint16


@pytest.mark.parametrize(
    ("data", "dtype", "message"),
    [
        ([1.0], None, "expected a NumPy array or device memory, got list"),
        (np.zeros(4, np.complex64), None, "no elements of type 'complex64'"),
        (np.zeros(4, ">f4"), None, "foreign byte order"),
        (np.zeros(4, np.float32), "bf16", "float32 cannot be read as bf16"),
        (np.zeros(4, np.uint16), "bfloat61", "did you mean 'bfloat16'?"),
        (np.zeros(3, np.dtype([("a", "f4"), ("b", "i2")]))["a"], None, "no multiples of 4"),
    ],
)
def test_refused_as_tensors(data: Any, dtype: Any, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        tensor(data, dtype)


@with_folders(BACKENDS[-1:])
def test_example(triton: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, EXAMPLE, "5", "300"],
        cwd=tmp_path, env=environment(triton, tmp_path), capture_output=True, text=True,
        timeout=120,
    )  # fmt: skip
    assert done.returncode == 0 and "ok" in done.stdout, done.stdout + done.stderr


def test_package_without_native_code(tmp_path: Path) -> None:
    """What a launch on the CPU builds: no ocloc, but a package that reads and runs as any other."""
    from mltc.driver import BuildRequest, build
    from mltc.errors import MltcError
    from mltc.package import read_package
    from mltc.runtime import load

    source = ROOT / "test" / "execution" / "inputs" / "copy_descriptor.ttir"
    request = BuildRequest(input=str(source), output=None, num_warps=4, native=False)
    result = build(request)
    package = read_package(result.data)
    assert not package.native and package.spirv and package.manifest.build is not None
    assert all(tool != "ocloc" for tool, _ in result.timings)
    assert list(load(package).kernels) == ["copy"]
    for change, message in (
        ({"portable": False}, "leaves a package without code"),
        ({"from_stage": "spv"}, "has no portable code"),
    ):
        with pytest.raises(MltcError, match=message):
            build(BuildRequest(input=str(source), output=None, native=False, **change))  # type: ignore[arg-type]
