"""The releases of stock Triton that are installed, and their own parsers.

A release is a directory for PYTHONPATH with a ``triton`` package in it: those that
``make triton`` brings, those that ``MLTC_TRITONS`` lists (separated as in PATH), and one that
can be imported. No GPU is needed to parse.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SPELLED = ((3, 2), (3, 3), (3, 5), (3, 7), (3, 9))
_TIMEOUT = 300.0

# Reads every module of a folder, from the index that is asked for on, and writes beside it what
# it prints. Says the index before, and the outcome behind, each: a parser that aborts ends the process.
_PARSE = """
import sys
from pathlib import Path
from triton._C.libtriton import ir
context = ir.context()
ir.load_dialects(context)
for index, path in enumerate(sorted(Path(sys.argv[1]).glob("*.mlir"))):
    if index < int(sys.argv[2]):
        continue
    print(index, end=" ", flush=True)
    try:
        module = ir.parse_mlir_module(str(path), context)
        accepted = int(module.verify())
    except RuntimeError:
        accepted = 0
    if accepted:
        path.with_suffix(".stock").write_text(str(module))
    print(accepted, flush=True)
"""


@dataclass(frozen=True)
class Stock:
    """One release of Triton."""

    folder: Path
    release: tuple[int, int]

    @property
    def version(self) -> str:
        """The value of ``mlt-opt --triton-version`` whose text this release reads."""
        known = max(release for release in SPELLED if release <= self.release)
        return ".".join(map(str, known))

    def __str__(self) -> str:
        return ".".join(map(str, self.release))

    def read(self, folder: Path) -> dict[str, bool]:
        """Accept or refuse by stem of the files ``*.mlir``; no answer where the parser aborts.

        What the release prints for an accepted module, with its locations, is in the file
        ``stem.stock``.
        """
        names = [path.stem for path in sorted(folder.glob("*.mlir"))]
        answers: dict[str, bool] = {}
        begin = 0
        while begin < len(names):
            done = subprocess.run(
                [sys.executable, "-c", _PARSE, str(folder), str(begin)],
                capture_output=True, text=True, timeout=_TIMEOUT, check=False,
                env={**os.environ, "PYTHONPATH": str(self.folder)},
            )  # fmt: skip
            lines = [line.split() for line in done.stdout.splitlines()]
            answers.update({names[int(line[0])]: line[1] == "1" for line in lines if line[1:]})
            if done.returncode == 0:
                break
            assert lines, done.stderr
            begin = int(lines[-1][0]) + 1
        return answers


def _folders() -> Iterator[Path]:
    if listed := os.environ.get("MLTC_TRITONS"):
        yield from map(Path, listed.split(os.pathsep))
        return
    yield from (path.parent for path in (ROOT / ".triton").glob("*/.complete"))
    if (spec := importlib.util.find_spec("triton")) and spec.origin:
        yield Path(spec.origin).parents[1]


@cache
def installed() -> list[Stock]:
    """The releases, oldest first, each once."""
    found: dict[tuple[int, int], Stock] = {}
    for folder in _folders():
        for info in folder.glob("triton-*.dist-info"):
            major, minor = info.name.split("-")[1].split(".")[:2]
            release = (int(major), int(minor))
            found[release] = Stock(folder, release)
    return [found[release] for release in sorted(found)]


def release_of(folder: Path) -> tuple[int, int]:
    return next(stock.release for stock in installed() if stock.folder == folder)


def with_folders(releases: Sequence[Stock]) -> pytest.MarkDecorator:
    """Runs a test with the directory of each release; skips it where there is none."""
    skip = pytest.mark.skip("no Triton; `make triton`")
    cases = [pytest.param(stock.folder, id=str(stock)) for stock in releases]
    return pytest.mark.parametrize("triton", cases or [pytest.param(None, marks=skip)])
