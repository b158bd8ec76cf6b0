"""The machine code of matrix products: what the innermost loop consists of, and what is nowhere.

The kernels named here are built in every run; MLTC_CORPUS_ALL=1 looks at the whole corpus.

Arithmetic is exact: a loop holds as many matrix instructions as the tile of a warp needs, no
more.  What the register allocator and scheduler of Intel's compiler make of the rest depends
on its version, so those numbers bind only for the version they were recorded with; with
another one the test reports what it found.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from corpus import ALL, CORPUS, ROOT
from loops import COLUMNS, DOT, ROWS, fed_by_blocks, minima, misses

from mltc.driver import BuildRequest, build
from mltc.package import Manifest, isa, read_package
from mltc.package.zebin import read_zebin
from mltc.target import load_target
from mltc.toolchain import ToolNotFoundError, find_tool

RECORDED_IGC = "2.40."
TRITON = CORPUS / "triton-3.5.1"
EXAMPLE = ROOT / "examples" / "gemm" / "matmul.ttir"


def missing_tools() -> list[str]:
    missing = []
    for name in ("ocloc", "iga64"):
        try:
            find_tool(name)
        except ToolNotFoundError:
            missing.append(name)
    return missing


pytestmark = pytest.mark.skipif(bool(missing_tools()), reason=f"no {missing_tools()}")


@dataclass(frozen=True)
class Native:
    """A kernel's machine code with what the package and the binary say of it."""

    path: Path
    manifest: Manifest
    code: isa.KernelCode
    spill_bytes: int
    private_bytes: int
    stack_calls: bool

    @property
    def recorded(self) -> bool:
        """Whether Intel's compiler is the one the numbers were recorded with."""
        assert self.manifest.build is not None
        return self.manifest.build.tools["igc"].startswith(RECORDED_IGC)

    @property
    def loop(self) -> isa.Counts:
        """The one innermost loop with matrix instructions that block messages feed.

        The other version of a kernel, for other launches, has one that they do not.
        """
        (loop,) = [loop.counts for loop in self.code.loops if fed_by_blocks(loop.counts)]
        return loop

    def expect(self, what: str, holds: bool) -> None:
        """Asserts with the recorded version of the compiler, reports with another one."""
        if self.recorded:
            assert holds, what
        elif not holds:
            assert self.manifest.build is not None
            warnings.warn(f"igc {self.manifest.build.tools['igc']}: {what}", stacklevel=2)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Native]:
    """Builds a file once per pipeline and disassembles its only kernel."""
    folder = tmp_path_factory.mktemp("isa")
    built: dict[tuple[Path, str | None, int | None], Native] = {}

    def compiled(
        source: Path, pipeline: str | None = None, prefetch_distance: int | None = None
    ) -> Native:
        if not source.exists():
            pytest.skip(f"no {source}")
        key = (source, pipeline, prefetch_distance)
        if key not in built:
            output = folder / f"{len(built)}.zebin"
            request = BuildRequest(
                input=str(source), output=str(output), pipeline=pipeline,
                prefetch_distance=prefetch_distance,
            )  # fmt: skip
            build(request)
            manifest = read_package(output).manifest
            zebin = read_zebin(output.read_bytes())
            ((name, info),) = zebin.kernels.items()
            listing = isa.disassemble(zebin.code(name), load_target(manifest.target).iga_platform)
            code = isa.analyse(listing)
            built[key] = Native(
                output, manifest, code, info.spill_size, info.private_size, info.has_stack_calls
            )
        return built[key]

    return compiled


def check_nothing_leaves_the_registers(native: Native) -> None:
    assert native.code.counts.calls == 0 and not native.stack_calls
    assert native.spill_bytes == 0 and native.private_bytes == 0
    assert native.code.counts.scratch == 0, native.code.counts.messages


SOURCES = [
    pytest.param(TRITON / "gemm_block.ttir", id="corpus"),
    pytest.param(EXAMPLE, id="example"),
]
PIPELINES = ["pvc-simt", "pvc-simt-genisa"]


@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("source", SOURCES)
def test_the_loop_of_a_256_by_256_tile(
    source: Path, pipeline: str, compiled: Callable[..., Native]
) -> None:
    """256 x 256 x 32 on 32 warps: each multiplies 32 x 64 x 32 from three messages."""
    native = compiled(source, pipeline)
    assert native.manifest.kernels[0].num_warps == 32
    assert native.loop.opcodes["dpas"] == 32
    check_nothing_leaves_the_registers(native)
    blocks = native.loop.messages_like("load_block2d")
    native.expect(f"expected 3 block loads, got {blocks}", blocks == 3)
    # One slice of one operand: half of the warps share each.
    prefetches = native.loop.messages_like("prefetch_block2d")
    native.expect(f"expected 1 prefetch, got {prefetches}", prefetches == 1)
    sends = sum(native.loop.messages.values())
    native.expect(f"expected no other message, got {native.loop.messages}", sends == 4)
    total = native.loop.total
    native.expect(f"expected at most 51 instructions, got {total}", total <= 51)
    native.expect("expected at most 3 dummy moves", native.loop.dummy_moves <= 3)


@pytest.mark.parametrize("source", SOURCES)
def test_the_loop_without_prefetch(source: Path, compiled: Callable[..., Native]) -> None:
    native = compiled(source, prefetch_distance=0)
    assert native.loop.messages_like("prefetch_block2d") == 0
    total = native.loop.total
    native.expect(f"expected at most 46 instructions, got {total}", total <= 46)


@dataclass(frozen=True)
class Product:
    """The tile of a work-group, and bytes of an element."""

    tile: tuple[int, int, int]
    elem_bytes: int = 2


PRODUCTS = {
    "gemm_nt": Product((128, 128, 64)),
    "gemm_bias_relu": Product((128, 256, 32)),
    "gemm_block_tf32": Product((128, 128, 32), elem_bytes=4),
    "gemm_desc": Product((256, 256, 32)),
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_no_more_matrix_instructions_than_needed(
    name: str, compiled: Callable[..., Native]
) -> None:
    product = PRODUCTS[name]
    native = compiled(TRITON / f"{name}.ttir")
    tile_m, tile_n, tile_k = product.tile
    volume = ROWS * COLUMNS * DOT.depth(8 * product.elem_bytes)
    warps = native.manifest.kernels[0].num_warps
    needed, rest = divmod(tile_m * tile_n * tile_k, volume * warps)
    assert rest == 0 and native.loop.opcodes["dpas"] == needed
    check_nothing_leaves_the_registers(native)
    # Operands come in block messages only, and results leave in them.
    blocks = native.loop.messages_like("load_block2d")
    prefetches = native.loop.messages_like("prefetch_block2d")
    assert blocks + prefetches == sum(native.loop.messages.values())
    assert native.code.counts.messages_like("store_block2d") > 0


@dataclass(frozen=True)
class Attention:
    """Rows and keys of a work-group's step, head size; instructions of the loop, at most.

    Attributes:
        prefetches: of a warp, for slices of keys and values; 1 where half of the warps fetch each.
    """

    rows: int
    keys: int
    head: int
    instructions: int
    prefetches: int = 1


ATTENTION = {
    "flash_attention_d64": Attention(128, 64, 64, 704),
    "flash_attention_causal_d64": Attention(128, 64, 64, 816),
    "flash_attention_desc_d64": Attention(128, 64, 64, 682),
    "flash_attention_d128": Attention(128, 64, 128, 1050, prefetches=2),
    "flash_attention_desc_d128": Attention(128, 64, 128, 982, prefetches=2),
}


@pytest.mark.parametrize("name", ATTENTION)
def test_the_loop_of_attention(name: str, compiled: Callable[..., Native]) -> None:
    """Two products per step, nothing but blocks from memory, nothing through shared memory."""
    shape = ATTENTION[name]
    native = compiled(TRITON / f"{name}.ttir")
    warps = native.manifest.kernels[0].num_warps
    volume = ROWS * COLUMNS * DOT.depth(16) * warps
    needed, rest = divmod(2 * shape.rows * shape.keys * shape.head, volume)
    assert rest == 0 and native.loop.opcodes["dpas"] == needed
    assert native.code.counts.calls == 0 and not native.stack_calls
    assert native.loop.messages_like("prefetch_block2d") == shape.prefetches
    check_nothing_leaves_the_registers(native)
    blocks = native.loop.messages_like("load_block2d")
    assert blocks + shape.prefetches == sum(native.loop.messages.values())
    total = native.loop.total
    native.expect(
        f"expected at most {shape.instructions} instructions, got {total}",
        total <= shape.instructions,
    )


@pytest.mark.parametrize("name", ["gemm_ptr", "paged_attention"])
def test_accesses_of_single_elements_do_not_spill(
    name: str, compiled: Callable[..., Native]
) -> None:
    """The version of a raised kernel for any arguments, and one without a form of blocks."""
    native = compiled(TRITON / f"{name}.ttir")
    assert native.code.counts.scattered > 0
    check_nothing_leaves_the_registers(native)


def test_a_version_that_spills_is_left_out(tmp_path: Path) -> None:
    """Memory for spills would be set aside at launches that block messages serve."""
    source = ROOT / "test" / "execution" / "inputs" / "gemm_fp8.ttir"

    def build_with(versions: str) -> tuple[set[str], int, bool]:
        request = BuildRequest(input=str(source), output=None, versions=versions)
        result = build(request)
        assert result.manifest is not None and result.manifest.build is not None
        kinds = {rule.kind for rule in result.manifest.kernels[0].preconditions}
        noted = any("no version for launches" in note for note in result.notes)
        return kinds, sum(result.manifest.build.spill_bytes.values()), noted

    kept, spilled, _ = build_with("always")
    assert kept == {"array"}
    if not spilled:
        pytest.skip("Intel's compiler spills in no version")
    assert build_with("auto") == ({"block_2d"}, 0, True)


CHECKED = sorted({*PRODUCTS, *ATTENTION, "gemm_block", "gemm_ptr", "paged_attention"})


def checked_sources() -> list[Path]:
    """Kernels that other tests build too, or with MLTC_CORPUS_ALL=1 all of each last release."""
    if not ALL:
        return [TRITON / f"{name}.ttir" for name in CHECKED]
    return sorted([*TRITON.glob("*.ttir"), *CORPUS.glob("triton-3.9.0/*.ttir")])


@pytest.mark.parametrize("source", checked_sources(), ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_nothing_is_missed(source: Path, compiled: Callable[..., Native]) -> None:
    """What `bench/loops.py --check` wants."""
    native = compiled(source)
    least = minima(source, native.manifest.kernels[0].num_warps)
    assert misses(native.code, least, native.spill_bytes) == []
    assert not native.stack_calls
