"""mltc: an ahead-of-time compiler for Triton kernels on Intel GPUs.

The Python half of the project drives the C++ tools (``mlt-opt``, ``mlt-translate``) and
Intel's offline compiler, writes and checks packages, and runs them.  The public entry
points are :mod:`mltc.driver` (build), :mod:`mltc.package` (read and write packages) and
:mod:`mltc.runtime` (load and launch); the command line is :mod:`mltc.cli`.
:func:`mltc.compile` builds a Triton kernel in Python; :mod:`mltc.language` extends Triton's.
"""

from importlib import metadata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mltc.frontend import compile

try:
    __version__ = metadata.version("mltc")
except metadata.PackageNotFoundError:  # a source tree that was never installed
    __version__ = "0+unknown"

__all__ = ["__version__", "compile"]


def __getattr__(name: str) -> Any:
    """Loads the front end when it is first used: reading a package does not need it."""
    if name == "compile":
        from mltc.frontend import compile

        return compile
    raise AttributeError(f"module 'mltc' has no attribute '{name}'")
