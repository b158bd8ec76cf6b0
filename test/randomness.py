"""Fresh random numbers in every run of the tests, which a failure lets one draw again.

One seed is drawn per process, or taken from MLTC_SEED.  A test's numbers depend on the seed and on
the test's name only, so it draws the same ones when it runs alone.  What a failure prints is added
by the hook below, which the conftest.py files import.
"""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Generator
from typing import Any

import numpy as np
import pytest

SEED = int(os.environ.get("MLTC_SEED") or time.time_ns() % 2**32)
_current: tuple[str, np.random.SeedSequence] | None = None


def rng() -> np.random.Generator:
    """A generator of the running test; each call gives another one."""
    global _current
    # "test_x.py::test_y (call)"; nothing in a script or while modules are imported.
    name = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    if _current is None or _current[0] != name:
        _current = name, np.random.SeedSequence([SEED, zlib.crc32(name.encode())])
    return np.random.default_rng(_current[1].spawn(1)[0])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, Any, Any]:
    """Says how to draw the same numbers again, where a test has drawn any and fails."""
    report = yield
    if report.failed and _current is not None:
        report.sections.append(("random numbers", f"drawn with MLTC_SEED={SEED}"))
    return report
