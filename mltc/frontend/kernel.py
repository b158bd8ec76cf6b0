"""Finding a kernel: ``file.py::name`` to a function that Triton can compile.

The file is imported, so its code runs; it is the user's own program, not data.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from mltc.errors import MltcError, UsageError, did_you_mean

FIRST, LAST = (3, 2), (3, 9)


class FrontEndError(MltcError):
    """Triton, or the user's Python file, cannot give the Triton IR of a kernel."""


def import_triton() -> Any:
    """The ``triton`` package.

    Raises:
        FrontEndError: it is missing, or a release that was never tried.
    """
    try:
        triton = importlib.import_module("triton")
    except ImportError as error:
        raise FrontEndError(
            f"kernels in Python need the triton package: {error}",
            hint="pip install 'mltc[triton]'",
        ) from None
    if not FIRST <= release(triton) <= LAST:
        known = " to ".join(".".join(map(str, version)) for version in (FIRST, LAST))
        raise FrontEndError(f"triton {triton.__version__} is not supported, {known} are")
    return triton


def release(triton: Any) -> tuple[int, ...]:
    """Major and minor version of a ``triton`` package."""
    return tuple(int(part) for part in triton.__version__.split(".")[:2])


def split_reference(text: str) -> tuple[Path, str] | None:
    """File and kernel of ``file.py::name``; None when the text has another form."""
    path, colons, name = text.rpartition("::")
    return (Path(path), name) if colons and path.endswith(".py") else None


class _StandIn:
    """Triton's driver while a file is imported, on a machine that may have none.

    Releases up to 3.3 take the clock of ``triton.autotune`` from the driver when a kernel is
    decorated, long before anything runs.
    """

    def __init__(self, find: Callable[[], Any]) -> None:
        self._find = find

    def __getattr__(self, name: str) -> Any:
        try:
            return getattr(self._find(), name)
        except Exception:
            if name != "get_benchmarker":
                raise
        return lambda: _no_clock


def _no_clock(*_: Any, **__: Any) -> Any:
    raise FrontEndError("triton.autotune has no device to measure on: the file was only imported")


@contextmanager
def _driver_for_decorators() -> Iterator[None]:
    config = importlib.import_module("triton.runtime.driver").driver
    before = dict(vars(config))

    def find() -> Any:
        return before.get("active") or before.get("_active") or config.default

    config.set_active(_StandIn(find))
    try:
        yield
    finally:
        vars(config).update(before)


def _import_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise UsageError(f"cannot read '{path}': no such file")
    path = path.resolve()
    digest = hashlib.sha256(str(path).encode()).hexdigest()[:8]
    name = f"mltc_kernels_{path.stem}_{digest}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UsageError(f"'{path}' is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(path.parent))
    try:
        with _driver_for_decorators():
            spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == str(path)]
        where = f"{path}:{frames[-1].lineno}" if frames else str(path)
        raise FrontEndError(f"{where}: {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(str(path.parent))
    return module


def unwrap(function: Any) -> Any:
    """The kernel inside of ``triton.autotune`` and ``triton.heuristics``.

    Raises:
        UsageError: there is no kernel in it.
    """
    jit = importlib.import_module("triton.runtime.jit").JITFunction
    inner = function
    while not isinstance(inner, jit) and hasattr(inner, "fn"):
        inner = inner.fn
    if not isinstance(inner, jit):
        name = getattr(function, "__name__", repr(function))
        raise UsageError(f"'{name}' is no kernel", hint="decorate it with @triton.jit")
    return inner


def load_kernel(path: Path, name: str) -> Any:
    """Imports a file and returns one of its kernels.

    Raises:
        UsageError: there is no such file or kernel.
        FrontEndError: Triton is missing, or the file cannot be imported.
    """
    import_triton()
    module = _import_file(path)
    found = getattr(module, name, None)
    if found is None:
        jit = importlib.import_module("triton.runtime.jit").JITFunction
        kernels = [key for key, value in vars(module).items() if isinstance(value, jit)]
        raise UsageError(
            f"'{path}' has no kernel '{name}'{did_you_mean(name, kernels)}",
            hint=f"kernels: {', '.join(kernels)}" if kernels else None,
        )
    return unwrap(found)


def parameters(kernel: Any) -> dict[str, bool]:
    """The names of a kernel's parameters, in order, and whether each is a ``constexpr``."""
    return {param.name: bool(param.is_constexpr) for param in kernel.params}


def default_values(kernel: Any) -> dict[str, Any]:
    """The values of parameters that have a default."""
    return {param.name: param.default for param in kernel.params if param.has_default}
