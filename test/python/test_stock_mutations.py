"""Our reading of TTIR against stock Triton's, on modules that somebody broke.

Valid modules, one per operation, are changed at random (the seed is fixed): types, shapes,
operands, attributes, encodings, names and regions. Stock Triton and mlt-opt have to agree on
each result, accept or refuse; where we differ on purpose, a row of ``STRICTER`` or ``LAXER`` says why.
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from mutations import MUTATIONS
from test_stock_parser import ACCEPTED, RELEASE, Case, triton

from mltc.toolchain import find_tool

SEED = 20250607
COUNT = 600
_TIMEOUT = 300.0

# Answers "index accepted" per file of a folder, from the index that is asked for on. A parser that
# aborts ends the process; the caller goes on behind that file.
_STOCK = """
import sys
from pathlib import Path
from triton._C.libtriton import ir
context = ir.context()
ir.load_dialects(context)
for path in sorted(Path(sys.argv[1]).glob("*.mlir")):
    if int(path.stem) < int(sys.argv[2]):
        continue
    print(int(path.stem), end=" ", flush=True)
    try:
        print(int(ir.parse_mlir_module(str(path), context).verify()), flush=True)
    except RuntimeError:
        print(0, flush=True)
"""


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
    Difference("order to be a permutation|dimensions below", "a dimension that is not there, or twice"),
    Difference("types of the same width", "a cast that adds or drops bits; refused from 3.5 on"),
    Difference("expected a scalar to splat", "a tensor is no scalar"),
]  # fmt: skip

# Stock Triton refuses these; they are what later levels of ours are made of, or older text.
LAXER = [
    Difference('"layout"', "layouts are checked by the passes that give them; dots have some on operands only"),
    Difference(r"!tt\.ptr<\w+, 3>", "pointers to shared local memory"),
    Difference(r"dot_scaled(?!.* scale ).*f8E", "3.2 had bytes only; newer releases have the float types"),
]  # fmt: skip


def mutants() -> list[tuple[str, str]]:
    """Distinct broken modules, each with the name of what it was made from."""
    rng = random.Random(SEED)
    bases: list[Case] = [case for case in ACCEPTED if case.first <= RELEASE <= case.last]
    made: dict[str, str] = {}
    while len(made) < COUNT:
        case = bases[len(made) % len(bases)]
        text = valid = case.module()
        for _ in range(rng.choice([1, 1, 1, 2])):
            text = rng.choice(MUTATIONS)(text, rng)
        if text != valid:
            made.setdefault(text, case.name)
    return [(name, text.replace("@f(", f"@m{i}(")) for i, (text, name) in enumerate(made.items())]


def stock_answers(folder: Path, count: int) -> dict[int, bool]:
    """Accept or refuse per module; one at which the parser aborts has no answer."""
    answers: dict[int, bool] = {}
    begin = 0
    while begin < count:
        done = subprocess.run(
            [sys.executable, "-c", _STOCK, str(folder), str(begin)],
            capture_output=True, text=True, timeout=_TIMEOUT, check=False,
        )  # fmt: skip
        lines = [line.split() for line in done.stdout.splitlines()]
        answers.update({int(line[0]): line[1] == "1" for line in lines if len(line) == 2})
        if done.returncode == 0:
            break
        assert lines, done.stderr
        begin = int(lines[-1][0]) + 1
    return answers


def ours(path: Path, *flags: str) -> tuple[str, str]:
    """Output and errors of mlt-opt, which may refuse modules but not crash."""
    done = subprocess.run(
        [*find_tool("mlt-opt").argv, str(path), *flags],
        capture_output=True, text=True, timeout=_TIMEOUT, check=False,
    )  # fmt: skip
    assert done.returncode in (0, 1), f"mlt-opt crashed: {done.stderr[-4000:]}"
    return done.stdout, done.stderr


def test_both_agree_on_broken_modules(tmp_path: Path) -> None:
    modules = mutants()
    for i, (_, text) in enumerate(modules):
        (tmp_path / f"{i:04}.mlir").write_text(text)
    answers = stock_answers(tmp_path, len(modules))
    assert len(answers) >= 500, "stock Triton's parser aborted too often to compare"
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
            wrong.append(f"{i} ({modules[i][0]}): Triton {triton.__version__} "
                         f"{'accepts' if answer else 'refuses'}\n{modules[i][1]}{errors}")  # fmt: skip
    balance = Counter(answers.values())
    assert min(balance.values()) >= 50, f"mutations are too harmless or too harsh: {balance}"
    assert not wrong, f"{len(wrong)} of {len(answers)} differ\n" + "\n".join(wrong)
