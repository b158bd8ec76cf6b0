"""Loading and launching on the OpenCL CPU device."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import conftest
import numpy as np
import pytest
import randomness

from mltc.package import build_package
from mltc.runtime import (
    ArgumentError,
    DeviceError,
    Module,
    ModuleBuildError,
    PreconditionError,
    load,
)
from mltc.runtime.types import bfloat16_bits


@pytest.fixture(scope="module")
def module(package_bytes: bytes) -> Module:
    return load(package_bytes)


def scaled_add_inputs(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = randomness.rng()
    x, y = rng.standard_normal((2, n), dtype=np.float32)
    return x, y, np.full(n, np.nan, dtype=np.float32)


def test_result_equals_numpy(module: Module) -> None:
    x, y, out = scaled_add_inputs(1000)
    result = module.kernels["scaled_add"].launch((16,), x, y, out, 1000, 0.75)
    np.testing.assert_allclose(out, np.float32(0.75) * x + y, rtol=1e-6)
    assert result.device_ns is None or result.device_ns > 0


def test_only_the_asked_elements_are_written(module: Module) -> None:
    x, y, out = scaled_add_inputs(200)
    module.kernels["scaled_add"].launch(4, x, y, out, 130, 1.0)
    assert np.isfinite(out[:130]).all() and np.isnan(out[130:]).all()


@pytest.mark.parametrize("grid", [(3,), (3, 2), (3, 2, 4)])
def test_grid_axes_are_program_ids_in_order(module: Module, grid: tuple[int, ...]) -> None:
    nx, ny, nz = (*grid, 1, 1)[:3]
    out = np.full((nz, ny, nx, 6), -1, dtype=np.int64)
    module.kernels["group_ids"].launch(grid, out)
    for z, y, x in np.ndindex(nz, ny, nx):
        assert out[z, y, x].tolist() == [x, y, z, nx, ny, nz]


def test_scalars_arrive_exactly(module: Module) -> None:
    out = np.zeros(7, dtype=np.int64)
    values = (-5, np.uint16(65535), -(2**31), 2**63 - 1, 1.5, np.float32(3.25), -0.1)
    module.kernels["scalars"].launch(1, out, *values)
    bits_f32 = struct.unpack("<I", struct.pack("<f", 3.25))[0]
    bits_f64 = struct.unpack("<q", struct.pack("<d", -0.1))[0]
    assert out.tolist() == [-5, -1, -(2**31), 2**63 - 1, 0x3FC0, bits_f32, bits_f64]


def test_overlapping_arrays_share_memory(module: Module) -> None:
    base = np.arange(256, dtype=np.float32)
    before = base.copy()
    module.kernels["scaled_add"].launch(2, base[:128], base[64:192], base[128:], 128, 2.0)
    # Element i of the output is element 128 + i of the base; reads of 128.. see either value.
    np.testing.assert_array_equal(base[128:192], 2 * before[:64] + before[64:128])
    np.testing.assert_array_equal(base[:128], before[:128])


def test_strided_views_are_passed_by_their_first_element(module: Module) -> None:
    x, y, out = scaled_add_inputs(128)
    module.kernels["scaled_add"].launch(1, x[::2], y, out, 64, 0.0)
    np.testing.assert_array_equal(out[:64], y[:64])


def test_read_only_arrays(module: Module) -> None:
    x, y, out = scaled_add_inputs(64)
    x.flags.writeable = False
    module.kernels["scaled_add"].launch(1, x, y, out, 64, 1.0)
    out.flags.writeable = False
    with pytest.raises(ArgumentError, match=r"read-only array: argument 2 \('out'\)"):
        module.kernels["scaled_add"].launch(1, x, y, out, 64, 2.0)


def test_usm_memory_is_used_in_place(module: Module) -> None:
    import dpctl.memory as dpm

    x, y, _ = scaled_add_inputs(64)
    memory = dpm.MemoryUSMShared(256, alignment=64, queue=module.queue)
    module.kernels["scaled_add"].launch(1, x, y, memory, 64, 1.0)
    np.testing.assert_allclose(np.frombuffer(memory, np.float32), x + y, rtol=1e-6)


class TypedUsm:
    """An array on the device in the way dpctl.tensor and dpnp present theirs."""

    def __init__(self, memory: Any, typestr: str, shape: tuple[int, ...], offset: int) -> None:
        self.__sycl_usm_array_interface__ = {
            **memory.__sycl_usm_array_interface__,
            "data": (memory._pointer, False), "typestr": typestr, "shape": shape, "offset": offset,
        }  # fmt: skip


def test_usm_arrays_are_checked_like_host_arrays(module: Module) -> None:
    import dpctl.memory as dpm

    x, y, _ = scaled_add_inputs(64)
    memory = dpm.MemoryUSMShared(512, alignment=64, queue=module.queue)
    launch = module.kernels["scaled_add"].launch
    launch(1, x, y, TypedUsm(memory, "<f4", (64,), 64), 64, 1.0)
    np.testing.assert_allclose(np.frombuffer(memory, np.float32)[64:], x + y, rtol=1e-6)
    with pytest.raises(ArgumentError, match=r"argument 2 \('out'\): expected an array of float32"):
        launch(1, x, y, TypedUsm(memory, "<i4", (64,), 0), 64, 1.0)
    with pytest.raises(ArgumentError, match="is not a multiple of 16 bytes"):
        launch(1, x, y, TypedUsm(memory, "<f4", (64,), 1), 64, 1.0)


def test_memory_of_another_context_is_refused(module: Module) -> None:
    import dpctl
    import dpctl.memory as dpm

    device = module.queue.sycl_device
    other = dpctl.SyclQueue(dpctl.SyclContext([device]), device)
    memory = dpm.MemoryUSMShared(256, queue=other)
    x, y, _ = scaled_add_inputs(64)
    with pytest.raises(ArgumentError, match="another context"):
        module.kernels["scaled_add"].launch(1, x, y, memory, 64, 1.0)


X = np.zeros(64, dtype=np.float32)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ((X, X, X, 64), r"takes 5 arguments, got 4 \(expected x: \*f32, .* scale: f32\)"),
        (
            (X.astype(np.float64), X, X, 64, 1.0),
            r"argument 0 \('x'\): expected an array of float32",
        ),
        ((X.astype(">f4"), X, X, 64, 1.0), "foreign byte order"),
        (([0.0], X, X, 64, 1.0), "expected a NumPy array or device memory .* got list"),
        ((None, X, X, 64, 1.0), "got NoneType"),
        ((X, X, X, 64.0, 1.0), r"argument 3 \('n'\): expected i32, got float"),
        ((X, X, X, True, 1.0), "expected i32, got a bool"),
        ((X, X, X, 2**31, 1.0), "2147483648 does not fit in i32"),
        ((X, X, X, X, 1.0), "expected i32, got ndarray"),
        ((X, X, X, 64, "1"), r"argument 4 \('scale'\): expected f32, got str"),
        ((X, X, X, 64, 1e300), "1e\\+300 does not fit in f32"),
    ],
)
def test_wrong_arguments_are_refused(module: Module, values: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        module.kernels["scaled_add"].launch(1, *values)


@pytest.mark.parametrize(
    ("grid", "message"),
    [((), "1 to 3 axes"), ((1, 1, 1, 1), "1 to 3 axes"), (0, "axis x: 0"), ((1, -2), "axis y: -2"),
     ((1, 2.0), "axis y: expected an integer, got float"), ((2**31,), "axis x")],
)  # fmt: skip
def test_wrong_grids_are_refused(module: Module, grid: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        module.kernels["group_ids"].launch(grid, np.zeros(6, dtype=np.int64))


def with_changed(record: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {**record, **changes}


def relaunch(zebin: bytes, spirv: bytes, record: dict[str, Any]) -> Callable[..., Any]:
    package = build_package(zebin, conftest.make_manifest(record), spirv)
    return load(package).kernels[record["name"]].launch


def test_promised_divisibility_of_integers(kernels_zebin: bytes, kernels_spirv: bytes) -> None:
    args = [*conftest.SCALED_ADD["args"]]
    args[3] = {**args[3], "divisibility": 16}
    launch = relaunch(kernels_zebin, kernels_spirv, with_changed(conftest.SCALED_ADD, args=args))
    launch(1, X, X, X.copy(), 48, 1.0)
    with pytest.raises(ArgumentError, match=r"argument 3 \('n'\): 40 is not a multiple of 16"):
        launch(1, X, X, X.copy(), 40, 1.0)


BLOCK = {
    "kind": "block_2d", "base": 0, "elem_bytes": 4, "height": {"const": 1}, "width": {"arg": 3},
    "pitch": {"op": "mul", "lhs": {"arg": 3}, "rhs": {"const": 2}}, "access": "load",
    "loc": "kernels.py:85:29",
}  # fmt: skip


@pytest.mark.parametrize(
    ("n", "change", "message"),
    [
        (12, {}, r"argument 0 \('x'\): width n \* 4 = 48 bytes is less than 64 in a 2-D block "
                 r"load \(kernels.py:85:29\)"),
        (17, {}, r"pitch \(n \* 2\) \* 4 = 136 bytes is not a multiple of 16"),
        (32, {"pitch": {"const": 16}}, r"pitch 16 \* 4 = 64 bytes is less than the width of 128"),
        (32, {"pitch": {"const": 8}}, r"pitch 8 \* 4 = 32 bytes is less than 64"),
        (32, {"height": {"const": 2**24 + 1}}, r"height 16777217 = 16777217 rows is greater than 2\^24"),
        (32, {"height": {"const": 0}}, "height 0 = 0 rows is less than 1"),
        (32, {"width": {"const": 31}, "elem_bytes": 2}, "width 31 \\* 2 = 62 bytes is less than 64"),
        (32, {"width": {"const": 33}, "elem_bytes": 2}, "= 66 bytes is not a multiple of 4"),
        (32, {"width": {"op": "div_s", "lhs": {"arg": 3}, "rhs": {"const": 0}}},
         r"a precondition has no value: division by zero \(kernels.py:85:29\)"),
        (17, {"base": None}, r"so:\n  pitch \(n \* 2\) \* 4 = 136 bytes is not a multiple of 16 in a 2-D"),
        (32, {"base": None, "height": {"op": "sub", "lhs": {"num_programs": 0}, "rhs": {"const": 1}}},
         r"height num_programs\(0\) - 1 = 0 rows is less than 1"),
        (32, {"height": {"const": 9}}, r"256 bytes are too few for 9 rows of 128 bytes at a pitch of 256"),
    ],
)  # fmt: skip
def test_block_preconditions(
    kernels_zebin: bytes, kernels_spirv: bytes, n: int, change: dict[str, Any], message: str
) -> None:
    record = with_changed(conftest.SCALED_ADD, preconditions=[{**BLOCK, **change}])
    with pytest.raises(PreconditionError, match=message):
        relaunch(kernels_zebin, kernels_spirv, record)(1, X, X, X.copy(), n, 1.0)


ARRAY = {key: value for key, value in BLOCK.items() if key != "access"} | {"kind": "array"}


def test_arrays_are_as_large_as_the_kernel_is_told(
    kernels_zebin: bytes, kernels_spirv: bytes
) -> None:
    """And nothing else is asked of them: neither a pitch of 8 bytes nor no rows disturb."""
    for change in ({"pitch": {"const": 2}}, {"height": {"const": 0}}, {"width": {"const": -4}}):
        record = with_changed(conftest.SCALED_ADD, preconditions=[{**ARRAY, **change}])
        relaunch(kernels_zebin, kernels_spirv, record)(1, X, X, X.copy(), 12, 1.0)
    record = with_changed(conftest.SCALED_ADD, preconditions=[{**ARRAY, "height": {"const": 9}}])
    message = (
        r"argument 0 \('x'\): \d+ bytes are too few for 9 rows of 128 bytes at a pitch of 256 "
        r"\(2176 bytes\) \(kernels.py:85:29\)"
    )
    with pytest.raises(PreconditionError, match=message):
        relaunch(kernels_zebin, kernels_spirv, record)(1, X, X, X.copy(), 32, 1.0)


def test_kept_preconditions_do_not_disturb(kernels_zebin: bytes, kernels_spirv: bytes) -> None:
    rules = [
        BLOCK,
        {**BLOCK, "base": None, "height": {"const": 1000}},
        {"kind": "base_alignment", "arg": 0, "value": 64, "reason": "2-D block load"},
        {"kind": "expr", "compare": "multiple_of", "lhs": {"arg": 3}, "rhs": {"const": 4}},
    ]
    record = with_changed(conftest.SCALED_ADD, preconditions=rules)
    relaunch(kernels_zebin, kernels_spirv, record)(1, X, X, X.copy(), 32, 1.0)
    with pytest.raises(PreconditionError, match="n = 30, expected a multiple of 4"):
        relaunch(kernels_zebin, kernels_spirv, record)(1, X, X, X.copy(), 30, 1.0)


def test_base_alignment_is_about_the_address(kernels_zebin: bytes, kernels_spirv: bytes) -> None:
    import dpctl.memory as dpm

    rule = {
        "kind": "base_alignment",
        "arg": 2,
        "value": 64,
        "reason": "2-D block store",
        "loc": "k.py:1:2",
    }
    record = with_changed(conftest.SCALED_ADD, preconditions=[rule])
    module = load(build_package(kernels_zebin, conftest.make_manifest(record), kernels_spirv))
    memory = dpm.MemoryUSMShared(512, alignment=64, queue=module.queue)
    launch = module.kernels["scaled_add"].launch
    with pytest.raises(
        PreconditionError, match=r"argument 2 \('out'\): address 0x\w+0 is not a multiple"
    ):
        launch(1, X, X, TypedUsm(memory, "<f4", (64,), 8), 64, 1.0)


def test_kernel_missing_from_the_module(kernels_zebin: bytes, kernels_spirv: bytes) -> None:
    package = build_package(
        kernels_zebin,
        conftest.make_manifest(with_changed(conftest.GROUP_IDS, name="absent")),
        kernels_spirv,
    )
    with pytest.raises(ModuleBuildError, match="has no kernel 'absent'"):
        load(package)


def test_a_failed_build_shows_the_log(
    kernels_zebin: bytes, compile_ll: Callable[[str], bytes]
) -> None:
    text = (conftest.INPUTS / "kernels.ll").read_text()
    text = text.replace("_Z14get_num_groupsj", "no_such_function_anywhere")
    package = build_package(
        kernels_zebin, conftest.make_manifest(conftest.GROUP_IDS), compile_ll(text)
    )
    with pytest.raises(ModuleBuildError, match="no_such_function_anywhere"):
        load(package)


def test_unknown_names_get_a_suggestion(module: Module) -> None:
    with pytest.raises(KeyError, match="did you mean 'scaled_add'"):
        module.kernels["scaled_ad"]


def test_limits_of_the_device_are_checked(kernels_zebin: bytes, kernels_spirv: bytes) -> None:
    for change, message in (
        ({"slm_bytes": 2**20}, "bytes of shared local memory"),
        ({"sub_group_size": 2, "num_warps": 32}, "needs sub-groups of 2"),
    ):
        manifest = conftest.make_manifest(with_changed(conftest.GROUP_IDS, **change))
        with pytest.raises(DeviceError, match=message):
            load(build_package(kernels_zebin, manifest, kernels_spirv))


def test_a_device_that_is_not_there(package_bytes: bytes) -> None:
    with pytest.raises(
        DeviceError, match=r"no device 'opencl:gpu'.*\n?.*devices found: opencl:cpu"
    ):
        load(package_bytes, device="opencl:gpu")


def test_a_package_without_portable_code(kernels_zebin: bytes) -> None:
    package = build_package(kernels_zebin, conftest.make_manifest(conftest.GROUP_IDS), None)
    with pytest.raises(ModuleBuildError, match="no portable SPIR-V"):
        load(package)


def test_bfloat16_rounds_to_nearest_even() -> None:
    cases = {1.0: 0x3F80, 1.00390625: 0x3F80, 1.01171875: 0x3F82, -2.5: 0xC020, 0.0: 0, 3.4e38: 0x7F80,
             # Just above a tie, by less than float32 can hold: rounding twice would go down.
             1.00390625 + 2**-40: 0x3F81, 1.01171875 - 2**-40: 0x3F81}  # fmt: skip
    assert {value: bfloat16_bits(value) for value in cases} == cases
    assert bfloat16_bits(float("nan")) & 0x7FC0 == 0x7FC0
