"""``triton.language`` and the paper's extension: ``from mltc import language as tl``.

Everything of the installed ``triton.language`` is here under its own name.  Added or
extended are ``dot`` (``tiling=``), ``max``, ``min``, ``sum`` and ``reduce`` (``cross_warp=``,
``dst_warps=``), ``prefetch``, ``warp_level``, ``warp_id``, ``barrier``, ``alloc``, and ``load``
and ``store`` of what ``alloc`` gave.  docs/language.md says what they mean.
"""

from __future__ import annotations

import sys
from typing import Any

from mltc.frontend.kernel import FrontEndError, import_triton, release

_triton = import_triton()
if release(_triton) < (3, 5):
    raise FrontEndError(
        f"mltc.language needs triton 3.5 or later, found {_triton.__version__}",
        hint="kernels in triton.language alone are built with 3.2 and later",
    )

import triton.language as _stock  # noqa: E402

from mltc.language.extension import (  # noqa: E402
    alloc,
    barrier,
    dot,
    load,
    max,
    min,
    prefetch,
    reduce,
    store,
    sum,
    warp_id,
    warp_level,
)

__all__ = [
    "alloc", "barrier", "dot", "load", "max", "min", "prefetch", "reduce", "store", "sum",
    "warp_id", "warp_level",
]  # fmt: skip
__all__ += sorted({*_stock.__all__} - {*__all__})

# Modules of the language keep their one identity under both names: Triton asks what is a
# module of its own by name and by identity.
for _name in [name for name in sys.modules if name.startswith(f"{_stock.__name__}.")]:
    sys.modules.setdefault(__name__ + _name.removeprefix(_stock.__name__), sys.modules[_name])


def __getattr__(name: str) -> Any:
    """Whatever is not ours is Triton's."""
    return getattr(_stock, name)


def __dir__() -> list[str]:
    return sorted({*__all__, *dir(_stock)})
