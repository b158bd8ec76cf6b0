"""Native modules of both SIMT interfaces become the right instructions, with no call left.

A device compiler turns a name that it does not know into a call and reports success, and a
GenISA code that it numbers differently into another instruction. So every form is compiled
with the real ocloc and read back from the machine code.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

import pytest

from execution import intrinsic_kernels as k
from execution.test_intrinsics import (
    BLOCKS_1D,
    DOTS,
    READS,
    WRITES,
    ReadForm,
    WriteForm,
    block_1d_kernel,
    dot_name,
)
from mltc.package import isa
from mltc.package.zebin import Zebin, read_zebin
from mltc.toolchain import (
    Tool,
    ToolNotFoundError,
    find_tool,
    ocloc_generation,
    run_tool,
)


def current_ocloc() -> Tool | None:
    """ocloc, if there is one of the current generation and iga64 with it."""
    try:
        find_tool("iga64")
        tool = find_tool("ocloc")
    except ToolNotFoundError:
        return None
    return tool if ocloc_generation(tool).generation == "current" else None


pytestmark = pytest.mark.skipif(current_ocloc() is None, reason="no ocloc of this generation")

INTERFACES = ("builtin", "genisa")
#: Bits, rows, columns, blocks.
PREFETCHES = [(16, 32, 16, 2), (16, 8, 16, 2), (8, 8, 32, 1), (32, 8, 16, 1)]
#: Name of the kernel and cache control, ISA suffix of the load.
CACHED_LOADS = [
    ("L1uc_L2uc_L3c", "uc.ca"),
    ("L1c_L2uc_L3c", "ca.ca"),
    ("L1s_L2uc_L3c", "st.ca"),
    ("L1uc_L2uc_L3uc", "uc.uc"),
]


def prefetch_name(form: tuple[int, int, int, int]) -> str:
    """Of the kernel and the test."""
    return "pf{}_{}r{}x{}".format(*form)


def other_kernel() -> str:
    """Ids, fences and a prefetch of one address."""
    body = (
        "  %l = xevm.lane_id : i32\n  %s = xevm.subgroup_id : i32\n"
        "  %g = xevm.group_id.x : i32\n  %n = xevm.group_count.y : i32\n"
        "  %a = llvm.add %l, %s : i32\n  %b = llvm.add %g, %n : i32\n"
        "  %c = llvm.add %a, %b : i32\n"
        "  %i = llvm.getelementptr %out[%l] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32\n"
        "  xevm.prefetch %in : (!llvm.ptr<1>)\n"
        "  xevm.memfence <{scope = #xevm.mem_scope<workgroup>,"
        " addrspace = #xevm.addr_space<shared>}>\n"
        "  xevm.memfence <{scope = #xevm.mem_scope<workgroup>,"
        " addrspace = #xevm.addr_space<global>}>\n"
        "  llvm.store %c, %i : i32, !llvm.ptr<1>\n"
    )
    return k.kernel("other", "%in: !llvm.ptr<1>, %out: !llvm.ptr<1>", body)


def kernels() -> list[str]:
    """One kernel per form."""
    cached = [
        k.read_kernel(f"cache_{control}", 16, 8, 16, 1, "plain", 8, 16).replace(
            "pack_register = false",
            f"pack_register = false, cache_control = #xevm.load_cache_control<{control}>",
        )
        for control, _ in CACHED_LOADS
    ]
    return [
        *(
            k.read_kernel(f.name, f.bits, f.rows, f.columns, f.blocks, f.mode, f.count, f.data)
            for f in READS
        ),
        *(k.write_kernel(f.name, f.bits, f.rows, f.columns, f.count, f.data) for f in WRITES),
        *(k.prefetch_kernel(prefetch_name(form), *form) for form in PREFETCHES),
        *(k.dot_kernel(dot_name(form), *form) for form in DOTS),
        *(block_1d_kernel(f"b1_{n}x{bits}", n, bits) for n, bits in BLOCKS_1D),
        *cached,
        other_kernel(),
    ]


Compiled = Callable[[str], Zebin]


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Compiled:
    """All kernels of an interface as a zebin for PVC."""

    @cache
    def get(interface: str) -> Zebin:
        directory = tmp_path_factory.mktemp(interface)
        passes = [f"--convert-xevm-to-{interface}"]
        k.compile_spirv(k.module(*kernels()), passes, "ocloc-current", directory)
        run_tool(
            find_tool("ocloc"),
            ["compile", "-spirv_input", "-file", "out.spv", "-device", "pvc", "-exclude_ir",
             "-output", "out", "-output_no_suffix",
             "-options", "-ze-opt-large-register-file"],
            timeout=240.0, cwd=directory,
        )  # fmt: skip
        return read_zebin((directory / "out.bin").read_bytes())

    return get


def listing(zebin: Zebin, kernel: str) -> str:
    """Disassembly of one kernel."""
    return isa.disassemble(zebin.code(kernel), "12p72")


def messages(zebin: Zebin, kernel: str) -> dict[str, int]:
    """2-D block messages of one kernel, with how often they occur."""
    found = isa.analyse(listing(zebin, kernel)).counts.messages
    return {name: count for name, count in found.items() if "block2d" in name}


each_interface = pytest.mark.parametrize("interface", INTERFACES)


@each_interface
def test_nothing_is_left_to_link(compiled: Compiled, interface: str) -> None:
    zebin = compiled(interface)
    # The loader fills in patch symbols.
    assert [s for s in zebin.undefined_symbols if not s.startswith("__INTEL_PATCH")] == []
    assert [i.name for i in zebin.kernels.values() if i.has_stack_calls or i.spill_size] == []


@each_interface
@pytest.mark.parametrize("form", READS, ids=lambda form: form.name)
def test_read(compiled: Compiled, interface: str, form: ReadForm) -> None:
    suffix = {"plain": "", "vnni": "v", "transpose": "t"}[form.mode]
    expected = {f"load_block2d.ugm.d{form.bits}{suffix}.a64": 1}
    assert messages(compiled(interface), form.name) == expected


@each_interface
@pytest.mark.parametrize("form", WRITES, ids=lambda form: form.name)
def test_write(compiled: Compiled, interface: str, form: WriteForm) -> None:
    expected = {f"store_block2d.ugm.d{form.bits}.a64": 1}
    assert messages(compiled(interface), form.name) == expected


@each_interface
@pytest.mark.parametrize("form", PREFETCHES, ids=prefetch_name)
def test_prefetch(compiled: Compiled, interface: str, form: tuple[int, int, int, int]) -> None:
    zebin = compiled(interface)
    expected = {f"prefetch_block2d.ugm.d{form[0]}.a64.ca.ca": 1}
    assert messages(zebin, prefetch_name(form)) == expected
    [line] = [x for x in listing(zebin, prefetch_name(form)).splitlines() if "block2d" in x]
    assert re.search(r"\) +null ", line), line


@each_interface
@pytest.mark.parametrize(("control", "suffix"), CACHED_LOADS)
def test_cache_control(compiled: Compiled, interface: str, control: str, suffix: str) -> None:
    expected = {f"load_block2d.ugm.d16.a64.{suffix}": 1}
    assert messages(compiled(interface), f"cache_{control}") == expected


ISA_TYPES = {
    "f32": "f", "f16": "hf", "bf16": "bf", "tf32": "tf32", "s8": "b", "u8": "ub", "s32": "d",
}  # fmt: skip


@each_interface
@pytest.mark.parametrize("form", DOTS, ids=dot_name)
def test_dot(compiled: Compiled, interface: str, form: tuple[str, str, str, int]) -> None:
    a, b, acc, rows = form
    text = listing(compiled(interface), dot_name(form))
    found = re.findall(r"dpas\.8x(\d) \(16\|M0\) +\S+:(\w+) +\S+:(\w+) +\S+:(\w+) +\S+:(\w+)", text)
    # Destination, accumulator, B, A.
    types = [ISA_TYPES[kind] for kind in (acc, acc, b, a)]
    assert found == [(str(rows), *types)]


@each_interface
@pytest.mark.parametrize(("count", "bits"), BLOCKS_1D)
def test_block_1d(compiled: Compiled, interface: str, count: int, bits: int) -> None:
    counts = isa.analyse(listing(compiled(interface), f"b1_{count}x{bits}")).counts
    assert counts.calls == 0
    assert any(re.match(r"load\.ugm\.d\d+x\d+t\.a64", name) for name in counts.messages), counts


@each_interface
def test_fences_and_prefetch(compiled: Compiled, interface: str) -> None:
    found = isa.analyse(listing(compiled(interface), "other")).counts.messages
    assert found["fence.slm.none.group"] == 1
    assert found["fence.ugm.none.group"] == 1
    assert found["load.ugm.d32.a64.ca.ca"] == 1
