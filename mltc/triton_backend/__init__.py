"""Stock Triton launching ``kernel[grid](...)`` through mltc.

Triton finds this package by its entry point (group ``triton.backends``) and loads
:mod:`.compiler` and :mod:`.driver` from it while it is itself being imported, so nothing here may
need Triton at import time but those two.  Kernels take arrays as :class:`Tensor`
(:func:`tensor` wraps a NumPy array or device memory, without a copy) or as torch tensors on the
host.  The device is an Intel GPU that kernels can be built for, ``opencl:cpu`` where there is
none, or what ``MLTC_DEVICE`` names.
"""

from mltc.triton_backend.device import activate, current_device, set_device
from mltc.triton_backend.tensor import DType, Tensor, empty, tensor, zeros

__all__ = [
    "DType",
    "Tensor",
    "activate",
    "current_device",
    "empty",
    "set_device",
    "tensor",
    "zeros",
]
