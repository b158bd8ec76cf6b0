"""mltc: an ahead-of-time compiler for Triton kernels on Intel GPUs.

The Python half of the project drives the C++ tools (``mlt-opt``, ``mlt-translate``) and
Intel's offline compiler, writes and checks packages, and runs them.  The public entry
points are :mod:`mltc.driver` (build), :mod:`mltc.package` (read and write packages) and
:mod:`mltc.runtime` (load and launch); the command line is :mod:`mltc.cli`.
"""

from importlib import metadata

try:
    __version__ = metadata.version("mltc")
except metadata.PackageNotFoundError:  # a source tree that was never installed
    __version__ = "0+unknown"

__all__ = ["__version__"]
