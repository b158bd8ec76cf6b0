"""What a kernel's pointers cost: the loop of a raised kernel against that of its block form.

Triton takes block pointers apart for devices without them (``*_rewritten`` of the corpus).  At
the level of instructions both forms of a kernel must do the same in their loops with dots: as many
loads, dots, prefetches and functions, of the same shapes, and nothing through pointers per element.
Why an access is none is said at the line of the Python source. MLTC_VARIANTS=all compares all
kernels of the corpus, the default one in four.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path

import pytest
from corpus import CORPUS

from mltc.pipeline import Choices, load_pipeline
from mltc.toolchain import find_tool, run_tool

ROOT = Path(__file__).resolve().parents[2]
STAGES = ("ttir", "ttgir", "warp", "intrinsic")
_TIMEOUT = 120.0


def pairs() -> list[object]:
    """Raised kernels and their block forms, from the newest release that prints both."""
    found: dict[str, tuple[Path, Path]] = {}
    all_of_them = os.environ.get("MLTC_VARIANTS") == "all"
    for raised in sorted(CORPUS.glob("triton-*/*_rewritten.ttir")):
        block = raised.with_name(raised.name.replace("_rewritten", ""))
        if block.exists():
            found[block.stem] = (raised, block)
    if not found:
        return [pytest.param(None, None, marks=pytest.mark.skip(reason=f"no corpus in {CORPUS}"))]
    chosen = list(found.items())[:: 1 if all_of_them else 4]
    return [pytest.param(*paths, id=name) for name, paths in chosen]


def intrinsic(source: Path) -> list[str]:
    """The lines of a kernel at the level of instructions."""
    passes = load_pipeline("pvc-simt").text(Choices(), STAGES)
    arguments = [source, f"--pass-pipeline={passes}"]
    done = run_tool(find_tool("mlt-opt"), arguments, timeout=_TIMEOUT, keep_output=False)
    return done.stdout.decode().splitlines()


def loops_of_blocks(lines: list[str]) -> list[list[str]]:
    """The innermost loops with dots whose operands are loaded as blocks."""
    found = []
    for begin, line in enumerate(lines):
        if " scf.for " not in line:
            continue
        indent = len(line) - len(line.lstrip())
        end = next(
            i for i in range(begin + 1, len(lines)) if lines[i].startswith(" " * indent + "}")
        )
        body = lines[begin + 1 : end]
        text = "\n".join(body)
        blocks = re.search(r"tt\.load .* : !tt\.ptr<tensor<", text)
        if "scf.for" not in text and "tt.dot" in text and blocks:
            found.append(body)
    return found


def work(body: list[str]) -> Counter[str]:
    """What the loop does: operations on tiles, with their types where they access memory."""
    done: Counter[str] = Counter()
    for line in body:
        match = re.match(r"\s*(?:%\S+(?:, %\S+)* = )?((?:tt|mlt|math)\.\w+)", line)
        if match and match[1] != "tt.advance":
            memory = match[1] in ("tt.load", "tt.store", "mlt.prefetch")
            done[match[1] + (line.rsplit(" : ", 1)[-1] if memory else "")] += 1
    return done


@pytest.mark.parametrize(("raised", "block"), pairs())
def test_raised_loops_do_the_same(raised: Path, block: Path) -> None:
    expected = [work(body) for body in loops_of_blocks(intrinsic(block))]
    assert expected
    assert [work(body) for body in loops_of_blocks(intrinsic(raised))] == expected


def test_refusals_name_the_line_of_the_source(tmp_path: Path) -> None:
    """A mask that is no boundary: the access stays as it is, and the remark says where and why."""
    path = tmp_path / "kernel.ttir"
    path.write_text(ODD_COLUMNS)
    done = run_tool(
        find_tool("mlt-opt"),
        [path, "--raise-block-pointer", "--remarks-filter=block-io", "-o", os.devnull],
        timeout=_TIMEOUT, keep_output=False,
    )  # fmt: skip
    remarks = [text for text in done.stderr.decode().splitlines() if text.startswith("kernel.py")]
    (line,) = remarks
    assert line.startswith("kernel.py:12:8: remark:") and "no block pointer: the mask is no" in line


ODD_COLUMNS = """
#load = loc("kernel.py":12:8)
module {
  tt.func public @odd(%p: !tt.ptr<f32>, %s: i32, %o: tensor<16x32x!tt.ptr<f32>>) {
    %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %c = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %one = arith.constant dense<1> : tensor<32xi32>
    %bit = arith.andi %c, %one : tensor<32xi32>
    %odd = arith.cmpi eq, %bit, %one : tensor<32xi32>
    %row = tt.expand_dims %r {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %column = tt.expand_dims %c {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %some = tt.expand_dims %odd {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %mask = tt.broadcast %some : tensor<1x32xi1> -> tensor<16x32xi1>
    %stride = tt.splat %s : i32 -> tensor<16x1xi32>
    %start = arith.muli %row, %stride : tensor<16x1xi32>
    %starts = tt.broadcast %start : tensor<16x1xi32> -> tensor<16x32xi32>
    %columns = tt.broadcast %column : tensor<1x32xi32> -> tensor<16x32xi32>
    %offset = arith.addi %starts, %columns : tensor<16x32xi32>
    %base = tt.splat %p : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>>
    %pointer = tt.addptr %base, %offset : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xi32>
    %v = tt.load %pointer, %mask : tensor<16x32x!tt.ptr<f32>> loc(#load)
    tt.store %o, %v : tensor<16x32x!tt.ptr<f32>>
    tt.return
  }
}
"""
