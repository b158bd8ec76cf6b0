"""How a simulation runs and what it reports."""

from __future__ import annotations

import os
from dataclasses import dataclass


def _available_cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not Linux
        return os.cpu_count() or 1


@dataclass(frozen=True)
class SimulatorOptions:
    """Options of a simulation.

    Attributes:
        poison: the byte registers, SLM and scratch are filled with; results of two runs
            with different bytes differ if a kernel uses what it never wrote.
        checks: report registers used before their load was waited for, races in SLM
            between barriers, and reads of SLM and of tracked allocations that nobody
            wrote; several times slower.
        interleave: seed of random switches between the threads of a group; 0 runs each
            thread from barrier to barrier.
        workers: host threads that run groups; None for all cores.
        timeout: seconds after which a launch is given up.
    """

    poison: int = 0xA5
    checks: bool = False
    interleave: int = 0
    workers: int | None = None
    timeout: float = 600.0

    @property
    def worker_count(self) -> int:
        """Number of host threads."""
        return self.workers or min(_available_cores(), 64)
