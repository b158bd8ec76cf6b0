"""Running Triton IR on NumPy: what a kernel means, independent of the compiler.

``mltc interpret`` and the execution tests use it as a second oracle beside hand-written
references: it walks the workgroup-level IR (``tt``, ``arith``, ``math``, ``scf``, ``cf``,
``ub``) as it came from the front end, so it shares no pass and no lowering with the compiler.
"""

from mltc.interpret.errors import InterpretError
from mltc.interpret.kernel import InterpretedKernel, InterpretedModule, Options, interpret

__all__ = ["InterpretError", "InterpretedKernel", "InterpretedModule", "Options", "interpret"]
