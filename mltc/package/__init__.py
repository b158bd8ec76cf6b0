"""Packages: a zebin with mltc's manifest and portable SPIR-V in one more ELF section.

:func:`build_package` and :func:`read_package` are the two doors; :mod:`.check` decides
whether a zebin may be packaged at all.
"""

from mltc.package.check import Expectation, PackageCheckError, check_zebin
from mltc.package.container import (
    Package,
    PackageError,
    build_package,
    build_portable_package,
    read_package,
    write_atomically,
)
from mltc.package.manifest import Argument, CompilerManifest, Kernel, Manifest, ManifestError

__all__ = [
    "Argument",
    "CompilerManifest",
    "Expectation",
    "Kernel",
    "Manifest",
    "ManifestError",
    "Package",
    "PackageCheckError",
    "PackageError",
    "build_package",
    "build_portable_package",
    "check_zebin",
    "read_package",
    "write_atomically",
]
