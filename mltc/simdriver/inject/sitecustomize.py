"""Start-up hook of a Python program under ``mltc sim-driver``.

Python imports a module of this name when it starts.  This one starts the tracing and then
hands over to the ``sitecustomize`` it has hidden, if there is one.
"""

import importlib.machinery
import importlib.util
import os
import sys


def _hand_over() -> None:
    here = os.path.dirname(os.path.abspath(__file__))
    others = [path for path in sys.path if os.path.abspath(path) != here]
    spec = importlib.machinery.PathFinder.find_spec(__name__, others)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


if os.environ.get("MLTC_SIM_DRIVER"):
    from mltc.simdriver.start import start

    start()
_hand_over()
