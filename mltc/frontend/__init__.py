"""From a Triton kernel in Python to Triton IR, and from there to a package.

:func:`compile` takes a kernel function, :func:`load_kernel` finds one in a file.  The stock
``triton`` package is needed (3.2 to 3.9, ``pip install 'mltc[triton]'``), but no GPU, no
driver and none of its own back ends.
"""

from mltc.frontend.build import Variant, build_variants, compile
from mltc.frontend.kernel import FrontEndError, load_kernel, parameters, split_reference
from mltc.frontend.signature import ArgumentType, parse_constants, parse_signature
from mltc.frontend.triton_ir import emit_ttir

__all__ = [
    "ArgumentType",
    "FrontEndError",
    "Variant",
    "build_variants",
    "compile",
    "emit_ttir",
    "load_kernel",
    "parameters",
    "parse_constants",
    "parse_signature",
    "split_reference",
]
