"""Starts the tracing in the program's process; the start-up hook calls it."""

from __future__ import annotations

import os
from pathlib import Path

from mltc.errors import MltcError
from mltc.simdriver.environment import PROFILE
from mltc.simdriver.executor import SimulatingExecutor
from mltc.simdriver.recorder import Recorder
from mltc.simdriver.tracing import Tracer, stop

_running: list[Tracer] = []  # the loader holds addresses of the tracer's callbacks


def start() -> None:
    """Follows all Level Zero calls of this process from now on.

    A process that cannot be followed would read wrong results, so it ends here.
    """
    profile = os.environ.get(PROFILE)
    try:
        tracer = Tracer()
        Recorder(tracer, SimulatingExecutor(Path(profile) if profile else None))
        tracer.start()
    except MltcError as error:
        stop("", error)
    _running.append(tracer)
