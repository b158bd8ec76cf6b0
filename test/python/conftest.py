"""Shared inputs: hand-written kernels compiled once per session with the real tools."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from randomness import pytest_runtest_makereport  # noqa: F401 - a hook

from mltc.package import Manifest, build_package
from mltc.package.manifest import parse
from mltc.toolchain import find_tool, run_tool

INPUTS = Path(__file__).parent / "inputs"


def llvm_program(name: str, scratch: Path) -> Path:
    """A program of the LLVM wheel, whose files may lack the run bit."""
    program = Path(sysconfig.get_path("purelib")) / "llvm" / "bin" / name
    if os.access(program, os.X_OK):
        return program
    copy = scratch / name
    shutil.copy(program, copy)
    copy.chmod(copy.stat().st_mode | stat.S_IXUSR)
    return copy


def arg(index: int, name: str | None, kind: str, type_: str, **more: Any) -> dict[str, Any]:
    """One argument record."""
    return {"index": index, "name": name, "kind": kind, "type": type_, **more}


def kernel(name: str, args: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """One kernel record for 4 warps of 16 lanes."""
    return {
        "name": name, "sub_group_size": 16, "num_warps": 4, "local_size": [64, 1, 1],
        "slm_bytes": 0, "grid_axes": ["x", "y", "z"], "args": args, "preconditions": [], **more,
    }  # fmt: skip


SCALED_ADD = kernel(
    "scaled_add",
    [
        arg(0, "x", "pointer", "f32", addrspace=1, divisibility=16),
        arg(1, "y", "pointer", "f32", addrspace=1, divisibility=16),
        arg(2, "out", "pointer", "f32", addrspace=1, divisibility=16),
        arg(3, "n", "scalar", "i32"),
        arg(4, "scale", "scalar", "f32"),
    ],
)
GROUP_IDS = kernel("group_ids", [arg(0, "out", "pointer", "i64", addrspace=1)])
SCALARS = kernel(
    "scalars",
    [
        arg(0, "out", "pointer", "i64", addrspace=1),
        *(arg(i + 1, n, "scalar", t) for i, (n, t) in enumerate(
            [("a", "i8"), ("b", "i16"), ("c", "i32"), ("d", "i64"), ("h", "bf16"), ("f", "f32"), ("g", "f64")]
        )),
    ],
)  # fmt: skip


def manifest_tree(*kernels: dict[str, Any]) -> dict[str, Any]:
    """A compiler manifest as JSON data."""
    return {
        "version": 1, "target": "pvc", "style": "simt", "interface": "builtin",
        "kernels": list(kernels),
    }  # fmt: skip


def make_manifest(*kernels: dict[str, Any]) -> Manifest:
    """A validated manifest."""
    return parse(json.dumps(manifest_tree(*kernels)).encode(), Manifest)


@pytest.fixture(scope="session")
def compile_ll(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], bytes]:
    """Text of LLVM IR -> SPIR-V."""

    def compile_text(text: str) -> bytes:
        scratch = tmp_path_factory.mktemp("ll")
        (scratch / "in.ll").write_text(text)
        assembler = llvm_program("llvm-as", scratch)
        subprocess.run([assembler, "in.ll", "-o", "in.bc"], cwd=scratch, check=True, timeout=60)
        args = ["in.bc", "-o", "out.spv", "--spirv-max-version=1.4"]
        run_tool(find_tool("llvm-spirv"), args, timeout=60, cwd=scratch)
        return (scratch / "out.spv").read_bytes()

    return compile_text


@pytest.fixture(scope="session")
def kernels_spirv(compile_ll: Callable[[str], bytes]) -> bytes:
    """SPIR-V of inputs/kernels.ll."""
    return compile_ll((INPUTS / "kernels.ll").read_text())


@pytest.fixture(scope="session")
def compile_spirv(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., bytes]:
    """SPIR-V -> zebin for pvc, with the real ocloc."""

    def compile_module(spirv: bytes, options: str = "") -> bytes:
        scratch = tmp_path_factory.mktemp("spv")
        (scratch / "in.spv").write_bytes(spirv)
        args = ["compile", "-spirv_input", "-file", "in.spv", "-device", "pvc", "--format", "zebin",
                "-output", "out", "-output_no_suffix", "-exclude_ir"]  # fmt: skip
        args += ["-options", options] if options else []
        run_tool(find_tool("ocloc"), args, timeout=120, cwd=scratch)
        return (scratch / "out.bin").read_bytes()

    return compile_module


@pytest.fixture(scope="session")
def kernels_zebin(kernels_spirv: bytes, compile_spirv: Callable[..., bytes]) -> bytes:
    """Zebin of inputs/kernels.ll for pvc."""
    return compile_spirv(kernels_spirv)


@pytest.fixture(scope="session")
def package_bytes(kernels_zebin: bytes, kernels_spirv: bytes) -> bytes:
    """A complete package of the three kernels."""
    return build_package(
        kernels_zebin, make_manifest(SCALED_ADD, GROUP_IDS, SCALARS), kernels_spirv
    )
