"""Running the zebin itself on no GPU: a functional simulator of Xe-HPC (PVC).

:class:`Simulator` executes kernels of a zebin through the tool ``mlt-sim``; the runtime device
``sim:pvc`` is built on it.
"""

from mltc.simulator.kernel import LocalMemory, SimulatedKernel, Simulator
from mltc.simulator.memory import Allocation, DeviceMemory
from mltc.simulator.options import SimulatorOptions
from mltc.simulator.process import SimulationError
from mltc.simulator.profile import LoopProfile, Profile

__all__ = [
    "Allocation",
    "DeviceMemory",
    "LocalMemory",
    "LoopProfile",
    "Profile",
    "SimulatedKernel",
    "SimulationError",
    "Simulator",
    "SimulatorOptions",
]
