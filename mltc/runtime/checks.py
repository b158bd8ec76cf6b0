"""Kernels that look at their own block messages (``mltc build --checked``).

Such a kernel takes one more argument, a 32-bit word that it sets when a message breaks a rule of
the hardware: the number of the place above eight bits for the rule.  A launch that sets it fails,
whatever the portable code would have computed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from mltc.package import Kernel
from mltc.runtime.backend import Backend, DevicePointer
from mltc.runtime.errors import DeviceError
from mltc.runtime.memory import ALIGNMENT

_RULE_BITS = 8
_WORD_BYTES = 4


@contextmanager
def watched(kernel: Kernel, backend: Backend) -> Iterator[list[DevicePointer]]:
    """The arguments that a kernel takes behind those of its manifest.

    The word is looked at when the body ends without an error.

    Raises:
        DeviceError: naming the kernel, the place in the source and the broken rule.
    """
    if kernel.checks is None:
        yield []
        return
    buffer = backend.allocate(ALIGNMENT, ALIGNMENT)
    try:
        buffer.write(np.zeros(ALIGNMENT, np.uint8))
        yield [DevicePointer(buffer.pointer, _WORD_BYTES)]
        found = np.zeros(_WORD_BYTES, np.uint8)
        buffer.read(found)
    finally:
        buffer.free()
    code = int(found.view(np.uint32)[0])
    if code:
        raise DeviceError(f"kernel '{kernel.name}': {describe(kernel, code)}")


def describe(kernel: Kernel, code: int) -> str:
    """The place and the rule that a kernel reported."""
    assert kernel.checks is not None
    site, rule = code >> _RULE_BITS, code % (1 << _RULE_BITS)
    sites, rules = kernel.checks.sites, kernel.checks.rules
    where = sites[site] if site < len(sites) else None
    what = rules[rule - 1] if 0 < rule <= len(rules) else f"rule {rule}"
    place = f"{where.loc}: {where.what}" if where else f"place {site}"
    return f"{place} breaks a rule of the hardware: {what}"
