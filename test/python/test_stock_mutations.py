"""Our reading of TTIR against stock Triton's, on modules that somebody broke.

Valid modules, one per operation, are changed at random (the seed is fixed): types, shapes,
operands, attributes, encodings, names and regions. Stock Triton and mlt-opt have to agree on
each result, accept or refuse; where we differ on purpose, a row of ``STRICTER`` or ``LAXER`` says why.
``MLTC_FUZZ=N`` multiplies the count (5 makes 600), ``MLTC_FUZZ_SEED`` moves the seed.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
from mutations import MUTATIONS
from stock import Stock, installed
from test_stock_parser import ACCEPTED, Case

from mltc.toolchain import find_tool

SEED = int(os.environ.get("MLTC_FUZZ_SEED", "20250607"))
COUNT = 120 * int(os.environ.get("MLTC_FUZZ", "1"))
_TIMEOUT = 300.0


@dataclass(frozen=True)
class Difference:
    """A kind of module on which we differ on purpose: a pattern, and the reason.

    The pattern is searched in our diagnostic where we refuse, in the module where we accept.
    """

    pattern: str
    reason: str


# Stock Triton reads these although no front end prints them.
STRICTER = [
    Difference("powers of two, got", "a tensor without elements"),
    Difference(r"expected (a list of )?\d+ (indices|offsets|operands)|sizes(, strides| and strides)",
               "lists of another length are regrouped or read past their end"),
    Difference("expected tensors of the same encoding", "element-wise work on two layouts"),
    Difference("all floating-point or all integer", "a dot that mixes integers and floats"),
    Difference("(integer|floating-point) element for", "nothing says what adding integer bits of floats is"),
    Difference("elements that hold|operand #\\d must be .*8-bit|to have a column per",
               "scaled formats in elements that cannot hold them"),
    Difference("divisible by pack", "fewer elements than one packed call takes"),
    Difference("histogram' op expected tensors of rank 1", "no meaning is given for other ranks"),
    Difference("expected static positive sizes", "a descriptor of empty blocks"),
    Difference("expected an axis from", "an axis that is not there"),
    Difference("expected a result of", "a result that is not what memory or the operands hold"),
    Difference("expected two pointers or none|same address space", "a cast between pointer and number"),
    Difference("order to be a permutation|dimensions below|each dimension once", "a dimension that is not there, or twice"),
    Difference("rows of b, one per column of a", "a product over two depths; refused from 3.5 on"),
    Difference("types of the same width", "a cast that adds or drops bits; refused from 3.5 on"),
    Difference("expected a scalar to splat", "a tensor is no scalar"),
]  # fmt: skip

# Stock Triton refuses these; they are what later levels of ours are made of, or older text.
LAXER = [
    Difference('"layout"', "layouts are checked by the passes that give them; dots have some on operands only"),
    Difference(r"!tt\.ptr<\w+, 3>", "pointers to shared local memory"),
    Difference(r"dot_scaled(?!.* scale ).*f8E", "3.2 had bytes only; newer releases have the float types"),
    Difference(r"dot_scaled(?!.*fastMath)", "3.2 had no fastMath; newer releases ask for it"),
    Difference(r"tt\.load .*cache_modifier = w[bt]|tt\.store .*cache_modifier = c[av]",
               "modifiers of the other direction, which releases before 3.9 read"),
    Difference(r"!tt\.ptr<!tt\.ptr<", "pointers to pointers, which 3.9 has no more"),
]  # fmt: skip


def mutants(stock: Stock) -> list[tuple[str, str]]:
    """Distinct broken modules, each with the name of what it was made from."""
    rng = random.Random(SEED)
    bases: list[Case] = [case for case in ACCEPTED if case.first <= stock.release <= case.last]
    made: dict[str, str] = {}
    while len(made) < COUNT:
        case = bases[len(made) % len(bases)]
        text = valid = case.module()
        for _ in range(rng.choice([1, 1, 1, 2])):
            text = rng.choice(MUTATIONS)(text, rng)
        if text != valid:
            made.setdefault(text, case.name)
    return [(name, text.replace("@f(", f"@m{i}(")) for i, (text, name) in enumerate(made.items())]


def ours(path: Path, *flags: str) -> tuple[str, str]:
    """Output and errors of mlt-opt, which may refuse modules but not crash."""
    done = subprocess.run(
        [*find_tool("mlt-opt").argv, str(path), *flags],
        capture_output=True, text=True, timeout=_TIMEOUT, check=False,
    )  # fmt: skip
    assert done.returncode in (0, 1), f"mlt-opt crashed: {done.stderr[-4000:]}"
    return done.stdout, done.stderr


@pytest.mark.parametrize("stock", installed(), ids=str)
def test_both_agree_on_broken_modules(stock: Stock, tmp_path: Path) -> None:
    modules = mutants(stock)
    for i, (_, text) in enumerate(modules):
        (tmp_path / f"{i:04}.mlir").write_text(text)
    answers = {int(stem): accepted for stem, accepted in stock.read(tmp_path).items()}
    assert len(answers) >= COUNT * 9 // 10, "stock Triton's parser aborted too often to compare"
    together = tmp_path / "together.split"
    together.write_text("// -----\n".join(text for _, text in modules))
    printed, _ = ours(together, "--split-input-file")
    accepted = {int(i) for i in re.findall(r"@m(\d+)\(", printed)}
    wrong = []
    for i, answer in answers.items():
        if answer == (i in accepted):
            continue
        errors = ours(tmp_path / f"{i:04}.mlir")[1].split("note: see current")[0]
        rows, text = (STRICTER, errors) if answer else (LAXER, modules[i][1])
        if not any(re.search(row.pattern, text) for row in rows):
            wrong.append(f"{i} ({modules[i][0]}): Triton {stock} "
                         f"{'accepts' if answer else 'refuses'}\n{modules[i][1]}{errors}")  # fmt: skip
    balance = Counter(answers.values())
    assert min(balance.values()) >= COUNT // 12, f"too harmless or too harsh: {balance}"
    assert not wrong, f"{len(wrong)} of {len(answers)} differ\n" + "\n".join(wrong)
