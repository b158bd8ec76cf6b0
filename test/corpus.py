"""Where the corpus is: Triton IR that stock Triton printed, which is no part of the repository.

Tests that need it are skipped where it is missing.
"""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CORPUS = Path(os.environ.get("MLTC_CORPUS") or ROOT.parent / "shared" / "corpus")
#: Whether tests take all of it, and not the part that makes a run short.
ALL = os.environ.get("MLTC_CORPUS_ALL") == "1"
