"""mlt-opt answers every module, right or wrong, with a result or a diagnostic.

The whole SIMT pipeline runs on real kernels with any number of warps and any tiling hint, and
on kernels that somebody broke. What counts here is only how the tool ends; whether results
are right is the business of the execution tests. ``MLTC_FUZZ=N`` multiplies the counts,
``MLTC_FUZZ_SEED`` moves the (otherwise fixed) seed; ``MLTC_CORPUS_ALL=1`` takes every kernel
with every number of warps and every hint, which takes an hour.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest
from corpus import ALL, CORPUS
from mutations import MUTATIONS

from mltc.pipeline import Choices, load_pipeline
from mltc.toolchain import find_tool

ROOT = Path(__file__).resolve().parents[2]
FACTOR = int(os.environ.get("MLTC_FUZZ", "1"))
SEED = int(os.environ.get("MLTC_FUZZ_SEED", "20250611"))
WARPS = (1, 2, 4, 8, 16, 32, 64)
HINTS = (None, "horizontal", "vertical", "square")
STAGES = ("ttir", "ttgir", "warp", "intrinsic", "llir")
LIMIT = None if ALL else 30_000  # characters; larger kernels only make the test slow
TIMEOUT = 300.0


@cache
def kernels() -> dict[str, str]:
    """The text of the kernels kept with the tests and of the corpus, where it is there."""
    paths = [*ROOT.glob("test/execution/inputs/*.ttir"), *CORPUS.glob("*/*.ttir")]
    texts = {str(path): path.read_text() for path in sorted(paths)}
    return {name: text for name, text in texts.items() if LIMIT is None or len(text) <= LIMIT}


def outcome(text: str, warps: int) -> tuple[int, str]:
    """Exit code and diagnostics of the whole pipeline; a negative code is a signal."""
    passes = load_pipeline("pvc-simt").text(Choices(warps), STAGES)
    done = subprocess.run(
        [*find_tool("mlt-opt").argv, "-", f"--pass-pipeline={passes}", "-o", os.devnull],
        input=text, capture_output=True, text=True, timeout=TIMEOUT, check=False,
    )  # fmt: skip
    return done.returncode, done.stderr


def hinted(text: str, hint: str) -> str:
    """Every dot of a module with a tiling hint."""

    def added(match: re.Match[str]) -> str:
        pair = f'mlt.tiling = "{hint}"'
        attributes = match["attributes"]
        body = f"{attributes[:-1]}, {pair}}}" if attributes else f" {{{pair}}}"
        return f"{match['dot']}{body} : "

    return re.sub(r"(?P<dot>tt\.dot [^\n{:]*?)(?P<attributes> \{[^}\n]*\})? : ", added, text)


def spread(count: int) -> Iterator[tuple[str, int, str | None]]:
    """Kernels with warps and hints: every pair of the two about equally often."""
    rng = random.Random(SEED)
    pairs = [(warps, hint) for warps in WARPS for hint in HINTS]
    for index in range(count):
        yield rng.choice(sorted(kernels())), *pairs[index % len(pairs)]


def every() -> Iterator[tuple[str, int, str | None]]:
    """All kernels with all warps, and with all hints where there is a dot to give them to."""
    for name, text in kernels().items():
        for warps in WARPS:
            for hint in HINTS if "tt.dot " in text else (None,):
                yield name, warps, hint


def crashed(code: int, errors: str) -> bool:
    """Whether the tool ended otherwise than with a result or a located diagnostic."""
    return code not in (0, 1) or (code == 1 and "error: " not in errors)


def test_any_warps_and_any_hint() -> None:
    if not kernels():
        pytest.skip("no kernels")

    def run(case: tuple[str, int, str | None]) -> tuple[str, int, str | None, int, str]:
        name, warps, hint = case
        text = kernels()[name]
        return (*case, *outcome(hinted(text, hint) if hint else text, warps))

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(run, every() if ALL else spread(56 * FACTOR)))
    wrong = [r for r in results if crashed(r[3], r[4])]
    # A hint may be impossible for the shape; nothing else may be refused.
    wrong += [r for r in results if r[3] == 1 and "cannot be met" not in r[4]]
    assert not wrong, "\n".join(f"{r[0]}, {r[1]} warps, {r[2]}: {r[4][:1000]}" for r in wrong)
    assert Counter(r[3] for r in results)[0] >= len(results) // 2


def broken(count: int) -> Iterator[tuple[str, int]]:
    """Changed kernels, and warps to compile them for."""
    rng = random.Random(SEED)
    names = sorted(kernels())
    for _ in range(count):
        text = kernels()[rng.choice(names)]
        for _ in range(rng.choice([1, 1, 2])):
            text = rng.choice(MUTATIONS)(text, rng)
        yield text, rng.choice(WARPS)


def test_broken_kernels_are_refused() -> None:
    cases = list(broken(120 * FACTOR))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda case: outcome(*case), cases))
    wrong = [
        f"{warps} warps: exit code {code}\n{errors[:2000]}\n{text}"
        for (text, warps), (code, errors) in zip(cases, results, strict=True)
        if crashed(code, errors)
    ]
    assert not wrong, f"{len(wrong)} of {len(cases)} crash\n" + "\n".join(wrong[:3])
    codes = Counter(code for code, _ in results)
    assert min(codes[0], codes[1]) >= len(cases) // 20, f"too harmless or too harsh: {codes}"
