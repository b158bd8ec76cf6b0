"""Writes the TTIR of many kernels in one process: ``emit_ttir.py JOBS.json``.

Run by test_variants.py in a process that sees a stock Triton. JOBS.json is a list of
``{"file", "source", "kernel", "signature", "constants"}``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from mltc.frontend.kernel import load_kernel
from mltc.frontend.signature import ArgumentType
from mltc.frontend.triton_ir import emit_ttir


def main(jobs: str) -> None:
    kernels = {}
    for job in json.loads(Path(jobs).read_text()):
        key = (job["source"], job["kernel"])
        if key not in kernels:
            kernels[key] = load_kernel(Path(job["source"]), job["kernel"])
        types = {name: ArgumentType.parse(text, name) for name, text in job["signature"].items()}
        Path(job["file"]).write_text(emit_ttir(kernels[key], types, job["constants"]))


if __name__ == "__main__":
    main(sys.argv[1])
