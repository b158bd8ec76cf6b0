"""Kernels that take descriptors: what a launcher passes for one, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from corpus import ROOT

from mltc.errors import MltcError
from mltc.runtime import Module

SOURCE = ROOT / "test" / "execution" / "inputs" / "copy_descriptor.ttir"
KINDS = ["base", "shape", "shape", "stride", "stride", "flag", "flag"]


def descriptor(array: np.ndarray[Any, Any], **changes: Any) -> list[Any]:
    """Base, shape, strides, padding with NaN, rounding of f32 to tf32."""
    fields = {"base": array, "rows": 96, "columns": 64, "pitch": 64, "step": 1}
    return list({**fields, "padding": False, "round": False, **changes}.values())


@pytest.fixture
def module(compile_kernel: Callable[..., Module]) -> Module:
    return compile_kernel(SOURCE, num_warps=4)


def test_the_parts_of_a_descriptor_are_arguments(module: Module) -> None:
    record = module.kernels["copy"].record
    assert [arg.kind for arg in record.args] == [f"descriptor_{kind}" for kind in KINDS * 2]
    assert record.has_dot is False


def test_rows_outside_are_zero_and_not_written(module: Module) -> None:
    source = np.random.default_rng(0).standard_normal((96, 64)).astype(np.float16)
    result = np.full_like(source, np.nan)
    module.kernels["copy"].launch(3, *descriptor(source, rows=70), *descriptor(result, rows=90))
    np.testing.assert_array_equal(result[:70], source[:70])
    assert (result[70:90] == 0).all() and np.isnan(result[90:]).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"step": 2}, r"d.stride.1 = 2, expected equal to 1: the last dimension of a descriptor"),
        ({"padding": True}, r"d.padding = 1, expected equal to 0"),
        ({"pitch": 60}, r"argument 3 \('d.stride.0'\): 60 is not a multiple of 8"),
        ({"rows": 97}, r"12288 bytes are too few for 97 rows"),
    ],
)
def test_other_descriptors_are_refused(
    change: dict[str, Any], message: str, module: Module
) -> None:
    array = np.zeros((96, 64), np.float16)
    with pytest.raises(MltcError, match=message):
        module.kernels["copy"].launch(3, *descriptor(array, **change), *descriptor(array.copy()))
