"""Kernels in Python: signatures, specs, and builds with an old and a new Triton.

Each build runs in a process that sees one of
them, and what it made is run here on the CPU device.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import randomness
from stock import installed, with_folders

from mltc.errors import MltcError, UsageError
from mltc.frontend import ArgumentType, Variant, parse_constants, parse_signature
from mltc.frontend.spec import read_spec
from mltc.runtime import load

KERNELS = Path(__file__).parent / "inputs" / "python_kernels.py"
DECORATED = KERNELS.with_name("decorated_kernels.py")
SIGNATURE = "*fp32:16, *fp32:16, *fp32:16, i32, fp32"

with_triton = with_folders(installed())


def run(triton: Path, *argv: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """A Python process that sees one Triton release, and no driver of it."""
    environment = {
        **os.environ, "PYTHONPATH": str(triton), "TRITON_CACHE_DIR": str(cwd / "cache"),
        "TMPDIR": str(cwd),  # where a failed build leaves what belongs to it
    }  # fmt: skip
    return subprocess.run(
        [sys.executable, *map(str, argv)],
        cwd=cwd, env=environment, capture_output=True, text=True, timeout=300,
    )  # fmt: skip


def mltc(triton: Path, cwd: Path, *argv: str | Path) -> subprocess.CompletedProcess[str]:
    return run(triton, "-m", "mltc", *argv, cwd=cwd)


def check_scaled_add(package: Path | bytes, n: int, block: int, sign: float) -> Any:
    rng = randomness.rng()
    x, y = (rng.standard_normal(n, dtype=np.float32) for _ in range(2))
    out = np.full(n + 64, np.nan, dtype=np.float32)
    module = load(package)
    module.kernels["scaled_add"].launch(-(-n // block), x, y, out, n, 1.5)
    np.testing.assert_allclose(
        out[:n], sign * (1.5 * x.astype(np.float64) + y), rtol=1e-5, atol=1e-6
    )
    assert np.isnan(out[n:]).all()
    return module


# Signatures and constants.


def test_signature_forms() -> None:
    names = ["a", "n", "s", "d"]
    want = {
        "a": ArgumentType("*fp16", 16), "n": ArgumentType("i32", 16),
        "s": ArgumentType("i32", None, True), "d": ArgumentType("tensordesc<fp16[64, 32]>"),
    }  # fmt: skip
    text = "*fp16:16, i32:16, i32:1, tensordesc<fp16[64, 32]>"
    assert parse_signature(text, names) == want
    assert parse_signature("s=i32:1, *fp16:16, i32:16, tensordesc<fp16[64, 32]>", names) == want
    assert (
        parse_signature(
            {
                n: t
                for n, t in zip(
                    names, ["*fp16:16", "i32:16", "i32:1", "tensordesc<fp16[64, 32]>"], strict=True
                )
            },
            names,
        )
        == want
    )


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ("*bf61", "unknown type '*bf61'; did you mean 'bf16'?"),
        ("*fp16, i32", "expected 1 types (a), got 2"),
        ("", "no type for a"),
        ("b=i32", "the kernel has no argument 'b'"),
        ("*fp16:12", "promises nothing that can be used"),
        ("fp32:16", "promises nothing that can be used"),
        ("*fp16:x", "expected a number behind the ':'"),
        ("tensordesc<fp16>", "unknown type"),
    ],
)
def test_signature_errors(signature: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        parse_signature(signature, ["a"])
    assert message in str(error.value)


def test_constants() -> None:
    text = "BM=256, ACT='a,b', MODE=relu, FLAG=true, NONE=None, SHAPE=(1, 2), X=-1.5"
    assert parse_constants(text) == {
        "BM": 256, "ACT": "a,b", "MODE": "relu", "FLAG": True, "NONE": None, "SHAPE": (1, 2), "X": -1.5,
    }  # fmt: skip
    for wrong in ("BM", "1=2", "A=1,A=2"):
        with pytest.raises(UsageError):
            parse_constants(wrong)


def test_variant_names() -> None:
    variant = Variant({"BM": 64, "ACT": "../x"}, 8)
    assert variant.fill("{name}-{BM}-{num_warps}-{ACT}.zebin", "mm") == "mm-64-8-.._x.zebin"
    with pytest.raises(UsageError, match="no constant 'BN'"):
        variant.fill("{BN}", "mm")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("version: 2\nkernel: a.py::b\n", ":1:10: error: expected version: 1"),
        ("version: 1\nkernel: a.py\n", ":2:9: error: expected kernel"),
        ("version: 1\nkernel: a.py::b\nsignature:\n  x: '?'\n", ":4:6: error: fill in 'x'"),
        ("version: 1\nkernel: a.py::b\nvariants:\n  - warps: 3\n", ":4:5: error: unknown key"),
        ("version: 1\nkernel: a.py::b\nvariants: []\n", ":3:11: error: expected a list"),
    ],
)
def test_spec_errors(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "k.yaml"
    path.write_text(text)
    with pytest.raises(MltcError) as error:
        read_spec(path)
    assert message in str(error.value)


def test_needs_triton(tmp_path: Path) -> None:
    """Without the package: what to install, no traceback."""
    code = "import sys; sys.modules['triton'] = None; from mltc.cli.main import main; main()"
    done = run(tmp_path, "-c", code, "build", f"{KERNELS}::scaled_add", "-o", "x", cwd=tmp_path)
    assert done.returncode == 1
    assert "pip install 'mltc[triton]'" in done.stderr and "Traceback" not in done.stderr


# With Triton.


@with_triton
def test_build_variants(triton: Path, tmp_path: Path) -> None:
    done = mltc(
        triton, tmp_path, "build", f"{KERNELS}::scaled_add", "-o", "add-{BLOCK}.zebin",
        "--signature", SIGNATURE, "--num-warps", "4",
        "--constexpr", "BLOCK=1024", "--constexpr", "BLOCK=512,NEGATE=True",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    module = check_scaled_add(tmp_path / "add-1024.zebin", 3000, 1024, 1)
    check_scaled_add(tmp_path / "add-512.zebin", 1100, 512, -1)
    (kernel,) = module.manifest.kernels
    assert kernel.num_warps == 4
    assert [arg.divisibility for arg in kernel.args] == [16, 16, 16, None, None]


@with_triton
def test_init_then_build(triton: Path, tmp_path: Path) -> None:
    done = mltc(triton, tmp_path, "init", f"{KERNELS}::scaled_add")
    assert done.returncode == 0, done.stderr
    spec = tmp_path / "scaled_add.yaml"
    text = spec.read_text()
    refused = mltc(triton, tmp_path, "build", spec, "-o", "x.zebin")
    assert refused.returncode == 1 and "fill in 'x'" in refused.stderr
    for name, value in (
        ("x", "*fp32"),
        ("y", "*fp32"),
        ("out", "*fp32"),
        ("n", "i32"),
        ("scale", "fp32"),
    ):
        text = text.replace(f'  {name}: "?"', f'  {name}: "{value}"')
    spec.write_text(text.replace('BLOCK: "?"', "BLOCK: 256"))
    done = mltc(triton, tmp_path, "build", spec, "-o", "{name}.zebin")
    assert done.returncode == 0, done.stderr
    check_scaled_add(tmp_path / "scaled_add.zebin", 700, 256, 1)
    assert "is there already" in mltc(triton, tmp_path, "init", f"{KERNELS}::scaled_add").stderr


@with_triton
def test_compile_from_python(triton: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import sys, pathlib, mltc\n"
        f"sys.path.insert(0, {str(KERNELS.parent)!r})\n"
        "from python_kernels import scaled_add\n"
        f"built = mltc.compile(scaled_add, {SIGNATURE!r}, {{'BLOCK': 512}}, num_warps=2)\n"
        "assert built.manifest.kernels[0].num_warps == 2\n"
        "pathlib.Path('out.zebin').write_bytes(built.data)\n"
    )
    done = run(triton, script, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    check_scaled_add(tmp_path / "out.zebin", 1000, 512, 1)


@with_triton
def test_constant_one_and_small_dot(triton: Path, tmp_path: Path) -> None:
    """i32:1 removes the argument; a dot below other vendors' sizes is taken; so is libdevice."""
    done = mltc(
        triton, tmp_path, "build", f"{KERNELS}::strided_copy", "-o", "copy.ttir", "--to", "ttir",
        "--signature", "*fp32, *fp32, i32, step=i32:1", "--constexpr", "BLOCK=64",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "copy.ttir").read_text()
    assert text.count("i32 loc(") >= 1 and "%arg3" not in text and "%step" not in text
    done = mltc(
        triton, tmp_path, "build", f"{KERNELS}::small_dot", "-o", "dot.zebin",
        "--signature", "*fp16:16, *fp16:16, *fp32:16", "--constexpr", "M=2,N=16",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    rng = randomness.rng()
    a, b = (rng.standard_normal((rows, 16)).astype(np.float16) for rows in (2, 16))
    c = np.full((2, 16), np.nan, dtype=np.float32)
    load(tmp_path / "dot.zebin").kernels["small_dot"].launch(1, a, b, c)
    np.testing.assert_allclose(c, np.tanh(a.astype(np.float64) @ b), rtol=1e-4, atol=1e-4)


@with_triton
def test_errors_name_the_python_line(triton: Path, tmp_path: Path) -> None:
    line = 1 + KERNELS.read_text().splitlines().index(
        "    tl.store(x + i, tl.arange(0, 2 * BLOCK)[:, None])"
    )
    done = mltc(
        triton, tmp_path, "build", f"{KERNELS}::wrong", "-o", "x.zebin",
        "--signature", "*i32", "--constexpr", "BLOCK=64",
    )  # fmt: skip
    assert done.returncode == 1
    assert f"python_kernels.py:{line}:" in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "x.zebin").exists()


@with_triton
def test_errors_name_the_line_of_a_helper(triton: Path, tmp_path: Path) -> None:
    """The line that is wrong, and the one that called it."""
    lines = KERNELS.read_text().splitlines()
    wrong, caller = (1 + lines.index(line) for line in (
        "    return tl.dot(x, x)", "    tl.store(x + i, square(tl.load(x + i)))"
    ))  # fmt: skip
    done = mltc(
        triton, tmp_path, "build", f"{KERNELS}::wrong_in_helper", "-o", "x.zebin",
        "--signature", "*fp32", "--constexpr", "BLOCK=64",
    )  # fmt: skip
    assert done.returncode == 1
    assert f"error: {KERNELS}:{wrong}:12: " in done.stderr
    assert f"called from {KERNELS}:{caller}:21" in done.stderr


@with_triton
def test_decorated_kernels(triton: Path, tmp_path: Path) -> None:
    """autotune and heuristics need no driver; their values are given."""
    done = mltc(
        triton, tmp_path, "build", f"{DECORATED}::tuned_copy", "-o", "copy.ttir", "--to", "ttir",
        "--signature", "*fp32, *fp32, i32", "--constexpr", "BLOCK=64,EVEN=True",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "copy.ttir").read_text()
    assert "tensor<64xf32>" in text and "cmpi" not in text


@with_triton
@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["::scaled_ad"], "has no kernel 'scaled_ad'; did you mean 'scaled_add'?"),
        (["::scaled_add", "--constexpr", "BLOK=1"], "no parameter 'BLOK'; did you mean 'BLOCK'?"),
        (["::scaled_add"], "--constexpr: no value for BLOCK"),
        (
            ["::scaled_add", "--constexpr", "BLOCK=1", "--constexpr", "BLOCK=2"],
            "2 variants cannot all",
        ),
        (["::scaled_add", "--from", "ttir"], "is no stage of a build"),
        (["", "--signature", "i32"], "is for a kernel in Python"),
    ],
)
def test_usage_errors(triton: Path, argv: list[str], message: str, tmp_path: Path) -> None:
    done = mltc(triton, tmp_path, "build", f"{KERNELS}{argv[0]}", "-o", "x", *argv[1:])
    assert done.returncode == 2
    assert message in done.stderr
