"""Native binaries on the simulator, against NumPy and against the CPU device.

The CPU device runs the portable half of a package; here the machine code itself is executed.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from corpus import CORPUS
from randomness import rng

from execution.launches import Launch, Output, normal
from execution.test_corpus import KERNELS, sources
from execution.test_native_isa import current_ocloc
from mltc.cli.main import main
from mltc.runtime import Module, load
from mltc.runtime.simulator import SimulatorBackend
from mltc.simulator import SimulatorOptions

pytestmark = pytest.mark.skipif(
    current_ocloc() is None or not CORPUS.is_dir(), reason="no ocloc of this generation, no corpus"
)

Compile = Callable[..., Module]

#: From the corpus: no loop, reductions through SLM, integers, 16-bit floats, atomics, dots.
SIMULATED = [
    "vector_add", "row_softmax", "layer_norm", "silu_and_mul", "row_argmax", "paged_attention",
    "split_k_gemm", "flash_attention_d64", "flash_attention_desc_d64",
]  # fmt: skip


def matmul(random: np.random.Generator, m: int, n: int, k: int) -> Launch:
    a, exact_a = normal(random, (m, k), "f16")
    b, exact_b = normal(random, (k, n), "f16")
    out = Output("f32", exact_a @ exact_b, 1e-6 * (np.abs(exact_a) @ np.abs(exact_b)))
    grid = (-(-m // 256) * -(-n // 256), 1, 1)
    return grid, [a, b, out.stored, m, n, k, k, n, n], [out]


def run(module: Module, launch: Launch) -> list[bytes]:
    grid, arguments, outputs = launch
    (kernel,) = module.kernels.values()
    kernel.launch(grid, *arguments)
    for output in outputs:
        output.check()
    return [output.stored.tobytes() for output in outputs]


@pytest.fixture(scope="session")
def gemm(compile_kernel: Compile) -> Module:
    (source,) = sources("gemm_block", "")
    return compile_kernel(source)


@pytest.mark.parametrize("name", SIMULATED)
def test_corpus(name: str, compile_kernel: Compile) -> None:
    for source in sources(name, ""):
        package = compile_kernel(source).package
        for launch in KERNELS[name](rng(), 16):
            run(load(package, "sim:pvc"), launch)


def test_gemm(gemm: Module) -> None:
    simulated = load(gemm.package, "sim:pvc")
    random = rng()
    for size in ((256, 256, 64), (240, 272, 96)):
        run(simulated, matmul(random, *size))
        run(gemm, matmul(random, *size))


def test_nothing_unwritten_is_used(compile_kernel: Compile) -> None:
    # What a kernel makes of registers, SLM and scratch nobody wrote would differ.
    for name in ("row_softmax", "flash_attention_d64"):
        (source,) = sources(name, "")
        package = compile_kernel(source).package
        results = [
            [
                run(load(package, SimulatorBackend(options)), launch)
                for launch in KERNELS[name](np.random.default_rng(1), 16)
            ]
            for options in (
                SimulatorOptions(poison=0x5A, interleave=1),
                SimulatorOptions(poison=0xFF, interleave=7, workers=1),
            )
        ]
        assert results[0] == results[1]


def test_profile(gemm: Module) -> None:
    grid, arguments, _ = matmul(rng(), 256, 256, 128)
    (kernel,) = load(gemm.package, "sim:pvc").kernels.values()
    profile = kernel.launch(grid, *arguments).profile
    assert profile is not None
    # 8x16 results and 16 products deep each; 8 cycles each.
    dots = 256 * 256 * 128 // (8 * 16 * 16)
    assert profile.totals.opcodes["dpas"] == dots
    assert profile.totals.cycles["systolic"] == 8 * dots
    stored = sum(n for name, n in profile.totals.bytes.items() if name.startswith("store"))
    assert stored == 256 * 256 * 4
    [loop] = [loop for loop in profile.loops if loop.totals.opcodes["dpas"]]
    assert loop.totals.instructions <= profile.totals.instructions
    assert sum(item.count for item in profile.instructions) == profile.totals.instructions


def test_command_line(gemm: Module, tmp_path: Path) -> None:
    package = tmp_path / "gemm.zebin"
    package.write_bytes(gemm.package.data)
    random = rng()
    a = random.standard_normal((256, 64)).astype(np.float16)
    b = random.standard_normal((64, 256)).astype(np.float16)
    np.save(tmp_path / "a.npy", a)
    np.save(tmp_path / "b.npy", b)
    values = [f"{tmp_path}/a.npy", f"{tmp_path}/b.npy", f"{tmp_path}/c.npy:out=256x256xf32"]
    values += ["256", "256", "64", "64", "256", "256"]
    args = ["run", str(package), "--grid", "1", *(f"--arg={value}" for value in values)]
    options = ["--device", "sim:pvc", "--profile", "--profile-json", f"{tmp_path}/p.json"]
    done = CliRunner().invoke(main, args + options, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert "systolic" in done.output
    profile = json.loads((tmp_path / "p.json").read_text())
    assert profile["totals"]["opcodes"]["dpas"] == 256 * 256 * 64 // 2048
    exact = a.astype(np.float64) @ b.astype(np.float64)
    assert np.allclose(np.load(tmp_path / "c.npy"), exact, rtol=0, atol=1e-3)
    refused = CliRunner().invoke(main, [*args, "--profile"])
    assert refused.exit_code != 0


def test_a_pointer_beyond_its_allocation(compile_kernel: Compile) -> None:
    (source,) = sources("vector_add", "")
    package = compile_kernel(source).package
    (launch, *_) = KERNELS["vector_add"](rng(), 16)
    grid, (x, y, out, n), _ = launch
    # Preconditions know nothing of the length of a vector.
    (kernel,) = load(package, "sim:pvc").kernels.values()
    with pytest.raises(Exception, match="outside every allocation"):
        kernel.launch(grid, x[: n // 2].copy(), y, out, n)  # type: ignore[index]


def test_bytes_behind_an_array(compile_kernel: Compile) -> None:
    # Allocations are 64 bytes at least; what lies behind a smaller array nobody wrote.
    (source,) = sources("vector_add", "")
    package = compile_kernel(source).package
    x, y, out = np.ones(8, np.float32), np.ones(16, np.float32), np.zeros(16, np.float32)
    (kernel,) = load(package, SimulatorBackend(SimulatorOptions(checks=True))).kernels.values()
    kernel.launch((1, 1, 1), np.ones(16, np.float32), y, out, 16)
    with pytest.raises(Exception, match="that was never written"):
        kernel.launch((1, 1, 1), x, y, out, 16)


def test_missing_waits_are_reported(gemm: Module) -> None:
    launch = matmul(rng(), 256, 256, 64)
    checked = replace(SimulatorOptions(), checks=True)
    run(load(gemm.package, SimulatorBackend(checked)), launch)
