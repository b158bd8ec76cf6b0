"""Running the zebin itself without a GPU, on the simulator of :mod:`mltc.simulator`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mltc.package import Kernel, Package
from mltc.runtime.backend import Backend, DeviceArray, DeviceInfo, DevicePointer, Dim3, Program
from mltc.runtime.errors import ArgumentError, DeviceError, ModuleBuildError
from mltc.simulator import (
    Allocation,
    DeviceMemory,
    Profile,
    SimulatedKernel,
    SimulationError,
    Simulator,
    SimulatorOptions,
)
from mltc.simulator.payload import TARGET
from mltc.target import load_target

DEVICE = f"sim:{TARGET}"


class SimulatorProgram(Program):
    """Kernels of a zebin."""

    def __init__(self, kernels: dict[str, SimulatedKernel]) -> None:
        self._kernels = kernels
        self._profile: Profile | None = None

    @property
    def profile(self) -> Profile | None:
        """See :attr:`Program.profile`."""
        return self._profile

    def launch(
        self, kernel: Kernel, groups: Dim3, arguments: Sequence[DevicePointer | Any]
    ) -> int | None:
        """See :meth:`Program.launch`; there is no device time."""
        packed = [
            a.address.to_bytes(8, "little") if isinstance(a, DevicePointer) else a
            for a in arguments
        ]
        try:
            self._profile = self._kernels[kernel.name].launch(groups, kernel.local_size, packed)
        except SimulationError as error:
            raise DeviceError(error.message, hint=error.hint) from None
        return None


class SimulatorBackend(Backend):
    """A simulated device."""

    counts = True

    def __init__(self, options: SimulatorOptions | None = None) -> None:
        self.options = options or SimulatorOptions()
        self.memory = DeviceMemory()
        target = load_target(TARGET)
        self.info = DeviceInfo(
            name=f"simulator of {target.description}",
            driver="mlt-sim",
            max_work_group_size=target.max_work_group_size.value,
            slm_bytes=target.slm_bytes.value,
            sub_group_sizes=(target.sub_group_size.value,),
        )

    @classmethod
    def open(cls, device: str) -> SimulatorBackend:
        """Opens the device of a name.

        Raises:
            DeviceError: no such device.
        """
        if device != DEVICE:
            raise DeviceError(f"no device '{device}'", hint=f"the simulated device is {DEVICE}")
        return cls()

    def build(self, package: Package) -> Program:
        """See :meth:`Backend.build`; uses the zebin."""
        if package.manifest.target != TARGET:
            raise ModuleBuildError(
                f"the package is for {package.manifest.target}, the simulator is a {TARGET}"
            )
        try:
            simulator = Simulator(package.zebin, self.options, self.memory)
            kernels = {k.name: simulator.kernel(k.name) for k in package.manifest.kernels}
        except SimulationError as error:
            raise ModuleBuildError(error.message, hint=error.hint) from None
        return SimulatorProgram(kernels)

    def allocate(self, nbytes: int, alignment: int) -> Allocation:
        """See :meth:`Backend.allocate`."""
        try:
            return self.memory.allocate(nbytes, alignment, track=self.options.checks)
        except SimulationError as error:
            raise DeviceError(error.message) from None

    def adopt(self, value: Any) -> DeviceArray | None:
        """See :meth:`Backend.adopt`; takes allocations of this backend's memory."""
        if not isinstance(value, Allocation):
            return None
        if value not in self.memory:
            raise ArgumentError(
                "simulated memory of another device, or freed",
                hint="allocate it with module.backend.allocate, or pass a NumPy array",
            )
        return DeviceArray(DevicePointer(value.pointer, value.nbytes), None)
