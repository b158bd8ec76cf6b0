"""The corpus kernels in other tiles, types, warps and tails: the table of variants.py.

Stock Triton (`make triton`) translates inputs/variants.py, every line of the table is built to
its portable module, run on random inputs and compared with NumPy in float64. By default a
spread subset runs; MLTC_VARIANTS=all runs all of them and a grid of attention kernels,
MLTC_VARIANTS=NAME one.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from corpus import ROOT

from execution.launches import check_three_ways
from execution.portable import load_portable
from execution.variants import ATTENTION, FAMILIES, VARIANTS, Variant

# Block pointers end with 3.7.
TRITON = ROOT / ".triton" / "3.5.1"
SOURCE = Path(__file__).parent / "inputs" / "variants.py"
DEFAULT_STEP = 9
"""Every n-th variant runs by default; n has no divisor in common with the families' sizes."""

REFUSED: dict[str, str] = {}
"""Variants that are refused: the hardware limit that the message must name."""


def chosen() -> list[Variant]:
    asked = os.environ.get("MLTC_VARIANTS", "")
    every = list(dict.fromkeys([*VARIANTS, *ATTENTION]))
    if asked == "all":
        return every
    if asked:
        return [v for v in every if asked in str(v)]
    return VARIANTS[::DEFAULT_STEP]


@pytest.fixture(scope="session")
def ttir(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The TTIR of the variants that run, by name."""
    if not (TRITON / ".complete").exists():
        pytest.skip("no Triton; `make triton`")
    folder = tmp_path_factory.mktemp("ttir")
    functions = {
        node.name: [argument.arg for argument in node.args.args]
        for node in ast.parse(SOURCE.read_text()).body
        if isinstance(node, ast.FunctionDef)
    }
    files = {str(v): folder / f"{v}.ttir" for v in chosen()}
    jobs = [
        {
            "file": str(files[str(v)]),
            "source": str(SOURCE),
            "kernel": v.kernel,
            "signature": FAMILIES[v.kernel].signature(v, functions[v.kernel]),
            "constants": dict(zip(FAMILIES[v.kernel].constants, v.tile, strict=True)),
        }
        for v in chosen()
    ]
    (folder / "jobs.json").write_text(json.dumps(jobs))
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(TRITON), str(ROOT)]),
        "TRITON_CACHE_DIR": str(folder / "cache"),
    }
    script = Path(__file__).parent / "emit_ttir.py"
    done = subprocess.run(
        [sys.executable, str(script), str(folder / "jobs.json")],
        env=environment, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return files


def test_the_table_is_spread() -> None:
    """At least 8 variants per kernel and 150 in all; no value of anything dominates."""
    assert len(VARIANTS) >= 150 and len(set(map(str, VARIANTS))) == len(VARIANTS)
    for kernel in FAMILIES:
        mine = [v for v in VARIANTS if v.kernel == kernel]
        assert len(mine) >= 8
        assert len({v.warps for v in mine}) >= 4 and len({v.dtype for v in mine}) >= 2
    for warps in (1, 2, 4, 8, 16, 32, 64):
        assert sum(v.warps == warps for v in VARIANTS) >= 5
    assert len(REFUSED) <= 0.05 * len(VARIANTS)


@pytest.mark.parametrize("variant", chosen(), ids=str)
def test_variant(variant: Variant, ttir: dict[str, Path], tmp_path: Path) -> None:
    module = load_portable(ttir[str(variant)], tmp_path, num_warps=variant.warps)
    (kernel,) = module.kernels.values()
    random = np.random.default_rng(abs(hash(variant.tile)) % 2**32)
    for launch in FAMILIES[variant.kernel].launches(variant, random):
        check_three_ways(kernel, None, launch)
