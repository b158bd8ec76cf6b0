"""The kernels of the paper (examples/paper) against NumPy: lengths, blocks, heads and tails."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from loops import fed_by_blocks
from stock import ROOT, installed, with_folders
from test_frontend import mltc, with_triton

from mltc.package import isa, read_package
from mltc.runtime import Module, load
from mltc.target import load_target


def _load_examples() -> Any:
    path = ROOT / "examples" / "paper" / "run.py"
    spec = importlib.util.spec_from_file_location("paper_examples", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


paper = _load_examples()
# What depends on the release is the front end: the old one builds a part of the kernels.
newest = with_folders(installed()[-1:])
Build = Callable[..., Path]


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Builds an example once per Triton; further constants replace its own."""
    folder = tmp_path_factory.mktemp("paper")
    done: dict[tuple[Any, ...], Path] = {}

    def make(triton: Path, title: str, **constants: Any) -> Path:
        key = (triton, title, *sorted(constants.items()))
        if key not in done:
            example = paper.EXAMPLES[title]
            values = example.constants | constants
            output = folder / f"{len(done)}.zebin"
            result = mltc(
                triton, folder, "build", f"{paper.KERNELS}::{example.kernel}", "-o", output,
                "--signature", example.signature, "--num-warps", str(example.warps),
                "--constexpr", ",".join(f"{name}={value}" for name, value in values.items()),
            )  # fmt: skip
            assert result.returncode == 0, result.stderr
            done[key] = output
        return done[key]

    return make


def opened(build: Build, triton: Path, title: str, **constants: Any) -> tuple[Module, Any]:
    module = load(build(triton, title, **constants))
    return module, paper.EXAMPLES[title].constants | constants


@newest
def test_gemm(build: Build, triton: Path) -> None:
    """The compute-bound tile with tails on all sides, the memory-bound one with few rows."""
    module, constants = opened(build, triton, "gemm, compute-bound")
    for shape in ((256, 256, 32), (300, 272, 80)):
        assert paper.check_gemm(module, constants, *shape) <= 1, shape
    module, constants = opened(build, triton, "gemm, memory-bound")
    for shape in ((1, 128, 64), (5, 208, 336), (8, 256, 512)):
        assert paper.check_gemm(module, constants, *shape) <= 1, shape


@newest
@pytest.mark.parametrize("title", ["flash attention", "flash attention, causal"])
def test_flash_attention(build: Build, triton: Path, title: str) -> None:
    module, constants = opened(build, triton, title)
    for heads, length in ((3, 1), (2, 63), (1, 128), (2, 300)):
        assert paper.check_flash(module, constants, heads, length) <= 1, (heads, length)


@with_triton
@pytest.mark.parametrize("level", ["work-group", "warp"])
def test_paged_attention(build: Build, triton: Path, level: str) -> None:
    """Both levels; sequences of one token, of whole blocks, and with fewer blocks than warps."""
    module, constants = opened(build, triton, f"paged attention, {level}")
    block = constants["BLOCK"]
    for heads, lengths in ((1, [1]), (2, [block - 1, block, 4 * block]), (3, [777, 2])):
        assert paper.check_paged(module, constants, heads, lengths) <= 1, (heads, lengths)


@newest
def test_split_kv_decoding(build: Build, triton: Path) -> None:
    """Both steps, with splits that have no token."""
    split, constants = opened(build, triton, "split-KV decoding")
    combine, _ = opened(build, triton, "split-KV decoding, combination")
    for splits, lengths in ((1, [1]), (5, [33, 64, 700]), (8, [31, 1000])):
        assert paper.check_split(split, combine, constants, splits, lengths) <= 1, splits


@newest
@pytest.mark.parametrize(("g", "block"), [(8, 16), (2, 64)])
def test_block_sizes(build: Build, triton: Path, g: int, block: int) -> None:
    """Figure 9 with smaller and larger blocks of the cache, and several queries per KV head."""
    title = "paged attention, warp"
    module, constants = opened(build, triton, title, G=g, BLOCK=block, D=64)
    assert paper.check_paged(module, constants, 2, [1, 5 * block + 3]) <= 1


@newest
def test_no_warp_repeats_work(build: Build, triton: Path) -> None:
    """Warp level: a warp multiplies and loads what its block needs, and nothing of another's.

    At the level of the work-group every warp needs all scores, so the first product is repeated.
    """
    counts = {}
    for level in ("work-group", "warp"):
        title = f"paged attention, {level}"
        package = read_package(build(triton, title))
        platform = load_target(package.manifest.target).iga_platform
        (kernel,) = package.manifest.kernels
        code = isa.analyse(isa.disassemble(package.zebin.code(kernel.name), platform))
        (counts[level],) = [c.counts for c in code.loops if fed_by_blocks(c.counts)]
    constants, warps = paper.EXAMPLES[title].constants, paper.EXAMPLES[title].warps
    tiles = constants["BLOCK"] * constants["D"] // (16 * 16)
    dpas = {level: count.opcodes["dpas"] for level, count in counts.items()}
    assert dpas["warp"] == 2 * tiles
    assert dpas["work-group"] == tiles + tiles // warps
    loads = {level: count.messages_like("load_block2d") for level, count in counts.items()}
    # In one round the warps of the first kernel do one block, those of the second one each.
    assert warps * loads["work-group"] > 2 * loads["warp"]
