"""Launches of an unmodified program, executed by the simulator behind Intel's driver.

Intel's Level Zero driver comes up as a GPU that is not there
(:mod:`mltc.toolchain.nulldriver`): it loads binaries, checks arguments and accepts launches,
and executes nothing.  The loader's tracing layer shows every call to a callback in the same
process.  So this package follows the calls (:mod:`.recorder`), and whenever work is submitted,
it does the work itself: copies and fills with ``memmove``, kernels in the simulator.  Device
memory of this driver is plain memory of the process, hence results appear where the program
looks for them.

``mltc sim-driver -- python program.py`` sets this up; the program is not changed.
"""

from mltc.simdriver.environment import command, environment

__all__ = ["command", "environment"]
