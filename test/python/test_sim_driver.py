"""Unmodified programs behind Intel's real driver, their launches executed by the simulator."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
KERNEL = """
module {
  tt.func public @scale(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32, %f: f32) {
    %c128 = arith.constant 128 : i32
    %pid = tt.get_program_id x : i32
    %start = arith.muli %pid, %c128 : i32
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %base = tt.splat %start : i32 -> tensor<128xi32>
    %index = arith.addi %base, %range : tensor<128xi32>
    %limit = tt.splat %n : i32 -> tensor<128xi32>
    %mask = arith.cmpi slt, %index, %limit : tensor<128xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %from = tt.addptr %xs, %index : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %to = tt.addptr %ys, %index : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %value = tt.load %from, %mask : tensor<128x!tt.ptr<f32>>
    %factor = tt.splat %f : f32 -> tensor<128xf32>
    %scaled = arith.mulf %value, %factor : tensor<128xf32>
    tt.store %to, %scaled, %mask : tensor<128x!tt.ptr<f32>>
    tt.return
  }
}
"""

# A program that knows nothing of us but how to get SPIR-V out of a package.
DPCTL = """
import ctypes, sys
import dpctl, dpctl.memory, dpctl.program
import numpy as np
spirv, local, n = open(sys.argv[1], "rb").read(), int(sys.argv[2]), 1000
queue = dpctl.SyclQueue("level_zero:gpu")
bundle = dpctl.program.create_program_from_spirv(queue, spirv)
x = np.random.default_rng(7).standard_normal(n).astype(np.float32)
shared = dpctl.memory.MemoryUSMShared(4 * n, queue=queue)
device = dpctl.memory.MemoryUSMDevice(4 * n, queue=queue)
host = dpctl.memory.MemoryUSMHost(4 * n, queue=queue)
shared.copy_from_host(x.view(np.uint8))
kernel = bundle.get_sycl_kernel("scale")
def scale(source, target, factor):
    arguments = [source, target, ctypes.c_int32(n), ctypes.c_float(factor)]
    return queue.submit(kernel, arguments, [local * 8], [local])
first = scale(shared, device, 3.0)
queue.submit_barrier([first]) if hasattr(queue, "submit_barrier") else first.wait()
scale(device, host, 5.0).wait()
result = np.empty(n, np.float32)
host.copy_to_host(result.view(np.uint8))
assert np.array_equal(result, x * np.float32(3) * np.float32(5)), (result[:4], x[:4] * 15)
print("right", queue.sycl_device.name)
"""

NATIVE = """
import sys
import numpy as np
from mltc.runtime import load
a, b = (np.random.default_rng(i).standard_normal((256, 256)).astype(np.float16) for i in (1, 2))
c = np.full((256, 256), np.nan, np.float32)
module = load(sys.argv[1], device="level_zero:gpu")
module.kernels["matmul"].launch(1, a, b, c, 256, 256, 256, 256, 256, 256)
expected = a.astype(np.float64) @ b.astype(np.float64)
assert np.abs(c - expected).max() < 256 * 2.0**-18 * np.abs(expected).max(), c
print("right")
"""

OUTSIDE = """
import sys
import numpy as np
from mltc.runtime import load
module = load(sys.argv[1], device="level_zero:gpu")
x = np.zeros(1000, np.float32)
module.kernels["scale"].launch(8 * 4096, x, x.copy(), 1 << 30, 1.0)
print("not reached")
"""


def run(folder: Path, script: str, *arguments: object, options: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:  # fmt: skip
    """Runs a script as its own program under ``mltc sim-driver``."""
    path = folder / "program.py"
    path.write_text(script)
    command = [sys.executable, "-m", "mltc", "sim-driver", *options, "--", sys.executable]
    return subprocess.run(
        [*command, str(path), *map(str, arguments)],
        capture_output=True, text=True, timeout=300, cwd=folder, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package with the kernel ``scale``."""
    from mltc.driver import BuildRequest, build

    folder = tmp_path_factory.mktemp("sim_driver")
    source = folder / "scale.ttir"
    source.write_text(KERNEL)
    build(BuildRequest(input=str(source), output=str(folder / "scale.zebin"), num_warps=4))
    return folder / "scale.zebin"


def test_a_dpctl_program_reads_right_results(package: Path, tmp_path: Path) -> None:
    from mltc.package import read_package

    loaded = read_package(package)
    assert loaded.spirv is not None
    spirv = tmp_path / "scale.spv"
    spirv.write_bytes(loaded.spirv)
    profile = tmp_path / "profile.json"
    local = loaded.manifest.kernels[0].local_size[0]
    done = run(tmp_path, DPCTL, spirv, local, options=("--profile", str(profile)))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("right")
    launches = [json.loads(line) for line in profile.read_text().splitlines()]
    assert [launch["groups"] for launch in launches] == [[8, 1, 1]] * 2
    assert all(launch["kernel"] == "scale" for launch in launches)


def test_a_gemm_package_loaded_natively(tmp_path: Path) -> None:
    from mltc.driver import BuildRequest, build

    source = ROOT / "examples" / "gemm" / "matmul.ttir"
    build(BuildRequest(input=str(source), output=str(tmp_path / "gemm.zebin")))
    done = run(tmp_path, NATIVE, tmp_path / "gemm.zebin")
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stderr


def test_an_access_outside_of_memory_ends_the_program(package: Path, tmp_path: Path) -> None:
    done = run(tmp_path, OUTSIDE, package)
    assert done.returncode == 70, done.stdout + done.stderr
    assert "not reached" not in done.stdout
    assert "zeCommandListAppendLaunchKernel: kernel 'scale'" in done.stderr


def test_only_python_programs(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mltc", "sim-driver", "--", "true"],
        capture_output=True, text=True, timeout=60, cwd=tmp_path, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "expected a Python interpreter to start, found 'true'" in done.stderr
