"""The native path under Intel's real Level Zero driver, which needs no GPU to load and check.

Every test runs a small script in a Python started under the driver of the toolchain; the
driver comes up as a PVC, does all its checks, and executes nothing.
"""

from __future__ import annotations

import json
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import conftest
import pytest

from mltc.package import build_package
from mltc.toolchain import ToolNotFoundError, null_driver_argv, null_driver_env

PRELUDE = """
import sys, json
import numpy as np
from mltc.runtime import load
from mltc.errors import MltcError
def attempt(action):
    try:
        return action()
    except MltcError as error:
        return f"{type(error).__name__}: {error}"
"""


@pytest.fixture(scope="module")
def null_driver(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Any]:
    """Runs a script with a package under the driver; returns what it prints as JSON."""
    try:
        environment = null_driver_env("pvc")
    except ToolNotFoundError as error:
        pytest.fail(f"the toolchain has no driver: {error}")
    scratch = tmp_path_factory.mktemp("null")

    def run(script: str, package: bytes) -> Any:
        path = scratch / "package.zebin"
        path.write_bytes(package)
        argv = null_driver_argv(["-c", PRELUDE + script, str(path)])
        env = {
            **environment,
            "ZE_ENABLE_TRACING_LAYER": "1",
            "PYTHONPATH": str(Path(__file__).parents[2]),
        }
        done = subprocess.run(
            argv, env=env, cwd=scratch, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    return run


def test_the_driver_loads_a_package_as_it_is(
    null_driver: Callable[..., Any], package_bytes: bytes
) -> None:
    script = """
module = load(sys.argv[1], device="level_zero:gpu")
native = module._program.module
print(json.dumps({name: [native.properties(name).numKernelArgs, native.properties(name).maxSubgroupSize,
    native.properties(name).requiredGroupSizeX, native.properties(name).spillMemSize] for name in module.kernels}
    | {"log": native.log, "device": module.backend.info.name, "slm": module.backend.info.slm_bytes}))
"""
    seen = null_driver(script, package_bytes)
    assert seen["scaled_add"] == [5, 16, 64, 0] and seen["scalars"] == [8, 16, 64, 0]
    assert seen["log"] == "" and seen["slm"] == 131072


def test_launches_pass_the_driver_checks(
    null_driver: Callable[..., Any], package_bytes: bytes
) -> None:
    script = """
module = load(sys.argv[1], device="level_zero:gpu")
x = np.arange(64, dtype=np.float32)
launch = module.kernels["scaled_add"].launch
buffer = module.backend.allocate(256, 64)
print(json.dumps([
    attempt(lambda: launch(1, x, x, x.copy(), 64, 1.0).device_ns),
    attempt(lambda: launch(1, x, x, buffer, 64, 1.0).device_ns),
    buffer.pointer % 64,
    attempt(lambda: launch(1, x, x, x, 2**40, 1.0)),
    attempt(lambda: module.kernels["scalars"].launch((2, 3, 4), np.zeros(7, np.int64), 1, 2, 3, 4, 1.0, 2.0, 3.0).device_ns),
]))
"""
    result = null_driver(script, package_bytes)
    assert result[:3] == [None, None, 0] and result[4] is None
    assert result[3].startswith("ArgumentError: argument 3 ('n')")


def test_everything_is_given_back(null_driver: Callable[..., Any], package_bytes: bytes) -> None:
    """Kernels before their module, and the module before what it was made in."""
    script = """
import gc
from mltc.runtime import level_zero_api as ze
seen, status = [], ze.LevelZero.status
def watched(self, function, *arguments):
    code = status(self, function, *arguments)
    if "Destroy" in function and "Log" not in function:
        seen.append((function, code))
    return code
ze.LevelZero.status = watched
module = load(sys.argv[1], device="level_zero:gpu")
del module
gc.collect()
print(json.dumps(seen))
"""
    seen = null_driver(script, package_bytes)
    assert [name for name, _ in seen] == [
        *["zeKernelDestroy"] * 3, "zeModuleDestroy", "zeCommandListDestroy", "zeContextDestroy",
    ]  # fmt: skip
    assert all(code == 0 for _, code in seen)


def test_a_manifest_of_another_binary(
    null_driver: Callable[..., Any], kernels_zebin: bytes, kernels_spirv: bytes
) -> None:
    script = 'print(json.dumps(attempt(lambda: load(sys.argv[1], device="level_zero:gpu"))))'
    fewer = {**conftest.SCALED_ADD, "args": conftest.SCALED_ADD["args"][:4]}
    absent = {**conftest.SCALED_ADD, "name": "absent"}
    larger = {**conftest.SCALED_ADD, "num_warps": 8, "local_size": [128, 1, 1]}
    messages = [
        null_driver(script, build_package(kernels_zebin, conftest.make_manifest(k), kernels_spirv))
        for k in (fewer, absent, larger)
    ]
    assert "the binary takes 5 arguments, the manifest has 4" in messages[0]
    assert "ZE_RESULT_ERROR_INVALID_KERNEL_NAME" in messages[1]
    assert "the binary requires groups of (64, 1, 1)" in messages[2]


def test_damaged_code_is_refused(null_driver: Callable[..., Any], package_bytes: bytes) -> None:
    script = """
from mltc.runtime.level_zero import LevelZeroBackend, NativeModule
backend = LevelZeroBackend.open("level_zero:gpu")
data = open(sys.argv[1], "rb").read()
print(json.dumps([
    attempt(lambda: NativeModule(backend, data[:100]).log),
    attempt(lambda: NativeModule(backend, b"not a binary at all").log),
    attempt(lambda: LevelZeroBackend.open("level_zero:gpu:7")),
    attempt(lambda: LevelZeroBackend.open("level_zero:cpu")),
]))
"""
    damaged, random, absent, wrong = null_driver(script, package_bytes)
    assert damaged.startswith("ModuleBuildError") and random.startswith("ModuleBuildError")
    assert "1 Intel GPUs found" in absent and "expected level_zero:gpu" in wrong


def test_a_rebuild_from_ir_is_an_error(
    null_driver: Callable[..., Any], kernels_spirv: bytes, tmp_path: Path
) -> None:
    """A binary of another device with IR inside: the driver would hide it by a rebuild."""
    from mltc.toolchain import find_tool, run_tool

    (tmp_path / "in.spv").write_bytes(kernels_spirv)
    args = ["compile", "-spirv_input", "-file", "in.spv", "-device", "bmg", "--format", "zebin"]
    run_tool(
        find_tool("ocloc"),
        [*args, "-output", "out", "-output_no_suffix"],
        timeout=120,
        cwd=tmp_path,
    )
    package = build_package(
        (tmp_path / "out.bin").read_bytes(), conftest.make_manifest(conftest.GROUP_IDS), None
    )
    script = 'print(json.dumps(attempt(lambda: load(sys.argv[1], device="level_zero:gpu"))))'
    message = null_driver(script, package)
    assert message.startswith("ModuleBuildError") and "rebuilt the binary from IR" in message
    assert "recompiled" in message


TRACER = """
import ctypes
from ctypes import POINTER, c_int, c_size_t, c_uint32, c_void_p

class Desc(ctypes.Structure):
    _fields_ = [("stype", c_uint32), ("next", c_void_p), ("user", c_void_p)]

class SetArgument(ctypes.Structure):
    _fields_ = [("kernel", POINTER(c_void_p)), ("index", POINTER(c_uint32)), ("size", POINTER(c_size_t)),
                ("value", POINTER(c_void_p))]

class SetGroupSize(ctypes.Structure):
    _fields_ = [("kernel", POINTER(c_void_p)), ("x", POINTER(c_uint32)), ("y", POINTER(c_uint32)), ("z", POINTER(c_uint32))]

class Launch(ctypes.Structure):
    _fields_ = [("list", POINTER(c_void_p)), ("kernel", POINTER(c_void_p)), ("groups", POINTER(POINTER(c_uint32 * 3)))]

loader = ctypes.CDLL("libze_loader.so.1")
seen = {"arguments": {}, "local": None, "groups": None}
keep = []

def on(name, kind, action):
    callback = ctypes.CFUNCTYPE(None, POINTER(kind), c_int, c_void_p, c_void_p)(lambda p, *rest: action(p.contents))
    keep.append(callback)
    assert getattr(loader, f"zelTracer{name}RegisterCallback")(tracer, 1, callback) == 0

def argument(p):
    seen["arguments"][p.index[0]] = ctypes.string_at(p.value[0], p.size[0]).hex()

def start():
    assert loader.zelTracerCreate(ctypes.byref(Desc(1, None, None)), ctypes.byref(tracer)) == 0
    on("KernelSetArgumentValue", SetArgument, argument)
    on("KernelSetGroupSize", SetGroupSize, lambda p: seen.update(local=[p.x[0], p.y[0], p.z[0]]))
    on("CommandListAppendLaunchKernel", Launch, lambda p: seen.update(groups=list(p.groups[0].contents)))
    assert loader.zelTracerSetEnabled(tracer, 1) == 0

tracer = c_void_p()
module = load(sys.argv[1], device="level_zero:gpu")
start()
buffers = [module.backend.allocate(256, 64) for _ in range(3)]
"""


def test_the_driver_receives_the_exact_bytes(
    null_driver: Callable[..., Any], package_bytes: bytes
) -> None:
    script = """
module.kernels["scaled_add"].launch((2, 3, 4), *buffers, -7, 0.5)
first = {**seen, "arguments": dict(seen["arguments"]), "pointers": [b.pointer for b in buffers]}
seen["arguments"].clear()
module.kernels["scalars"].launch(5, buffers[0], -1, -2, -3, -4, 1.5, -2.0, 0.1)
print(json.dumps([first, seen]))
"""
    first, second = null_driver(TRACER + script, package_bytes)
    assert first["groups"] == [2, 3, 4] and first["local"] == [64, 1, 1]
    expected = [struct.pack("<Q", pointer) for pointer in first["pointers"]]
    expected += [struct.pack("<i", -7), struct.pack("<f", 0.5)]
    assert first["arguments"] == {str(i): value.hex() for i, value in enumerate(expected)}
    assert second["groups"] == [5, 1, 1]
    scalars = [second["arguments"][str(i)] for i in range(1, 8)]
    formats = (
        ("<b", -1),
        ("<h", -2),
        ("<i", -3),
        ("<q", -4),
        ("<H", 0x3FC0),
        ("<f", -2.0),
        ("<d", 0.1),
    )
    assert scalars == [struct.pack(kind, value).hex() for kind, value in formats]
