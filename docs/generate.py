"""Writes docs/generated/: the reference of passes and dialects, from TableGen.

    python docs/generate.py [--check]

With --check nothing is written; exits with 1 when a page on disk differs from what
TableGen gives now.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIB = ROOT / "lib"
MLIR = Path(sysconfig.get_path("purelib")) / "mlir"
OUT = ROOT / "docs" / "generated"


def pages() -> dict[str, list[str]]:
    """File name -> arguments of mlir-tblgen that produce its text."""
    result: dict[str, list[str]] = {}
    for passes in sorted(LIB.rglob("Passes.td")):
        folder = passes.parent.relative_to(LIB)
        name = "passes-" + "-".join(part.lower() for part in folder.parts) + ".md"
        result[name] = ["-gen-pass-doc", str(passes)]
    for source, dialect in (
        ("Dialect/Triton/IR/TritonOps.td", "tt"),
        ("Dialect/MLT/IR/MLTOps.td", "mlt"),
        ("Dialect/TritonGPU/IR/TritonGPUOps.td", "ttg"),
    ):
        result[f"dialect-{dialect}.md"] = [
            "-gen-dialect-doc",
            "-dialect",
            dialect,
            str(LIB / source),
        ]
    return result


def generate(arguments: list[str]) -> str:
    """The text of one page. Raises CalledProcessError when TableGen fails."""
    command = [str(MLIR / "bin" / "mlir-tblgen"), f"-I{LIB}", f"-I{MLIR / 'include'}", *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)
    return "\n".join(line.rstrip() for line in done.stdout.splitlines()) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="only compare")
    check = parser.parse_args().check
    OUT.mkdir(exist_ok=True)
    stale = []
    for name, arguments in pages().items():
        text = generate(arguments)
        path = OUT / name
        if path.exists() and path.read_text() == text:
            continue
        stale.append(name)
        if not check:
            path.write_text(text)
    if check and stale:
        print(f"out of date: {', '.join(stale)}; run `make docs`", file=sys.stderr)
        return 1
    print(f"{len(pages())} pages in {OUT.relative_to(ROOT)}, {len(stale)} changed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
