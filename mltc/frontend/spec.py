"""The spec of a kernel in Python: a YAML file that says what to build.

``mltc init`` writes one with the arguments to fill in, ``mltc build`` reads it.  The file is
data; the kernel it names is imported as if it were named on the command line.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mltc.errors import UsageError
from mltc.frontend.build import Variant
from mltc.frontend.kernel import default_values, parameters, split_reference
from mltc.package.container import read_bytes
from mltc.yamlsafe import Document, YamlError
from mltc.yamlsafe import parse as parse_yaml

SPEC_SUFFIXES = (".yaml", ".yml")
TO_DO = "?"
_KEYS = ("version", "kernel", "signature", "variants")


@dataclass(frozen=True)
class Spec:
    """What to build.

    Attributes:
        file: the Python file.
        name: the kernel in it.
        signature: types of the arguments, as text or by name.
        variants: at least one.
    """

    file: Path
    name: str
    signature: str | dict[str, str]
    variants: tuple[Variant, ...]


class _Reader:
    def __init__(self, document: Document) -> None:
        self.document = document

    def fail(self, path: tuple[str | int, ...], message: str, *, key: bool = False) -> YamlError:
        return YamlError(f"{self.document.position(path, key=key)}: error: {message}")

    def mapping(self, value: Any, path: tuple[str | int, ...]) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise self.fail(path, "expected a mapping")
        for name, item in value.items():
            if item == TO_DO:
                raise self.fail((*path, name), f"fill in '{name}'")
        return value

    def variant(self, index: int, value: Any, num_warps: int | None) -> Variant:
        path = ("variants", index)
        data = self.mapping(value, path)
        for key in data:
            if key not in ("constexpr", "num_warps"):
                raise self.fail((*path, key), f"unknown key '{key}'", key=True)
        warps = data.get("num_warps", "auto")
        if warps != "auto" and (not isinstance(warps, int) or isinstance(warps, bool)):
            raise self.fail((*path, "num_warps"), "expected a number or auto")
        constants = self.mapping(data.get("constexpr", {}), (*path, "constexpr"))
        return Variant(constants, num_warps if warps == "auto" else warps)


def read_spec(path: Path, num_warps: int | None = None) -> Spec:
    """Reads a spec.

    Args:
        path: the file; the kernel's file is found relative to it.
        num_warps: of variants that do not say.

    Raises:
        YamlError: not a spec; with the place.
    """
    document = parse_yaml(read_bytes(path), str(path))
    reader = _Reader(document)
    data = reader.mapping(document.data, ())
    for key in data:
        if key not in _KEYS:
            raise reader.fail((key,), f"unknown key '{key}' (known: {', '.join(_KEYS)})", key=True)
    if data.get("version") != 1:
        raise reader.fail(("version",), "expected version: 1")
    reference = split_reference(str(data.get("kernel", "")))
    if reference is None:
        raise reader.fail(("kernel",), "expected kernel: FILE.py::NAME")
    signature = {
        name: str(type_)
        for name, type_ in reader.mapping(data.get("signature", {}), ("signature",)).items()
    }
    variants = data.get("variants", [{}])
    if not isinstance(variants, list) or not variants:
        raise reader.fail(("variants",), "expected a list of variants")
    return Spec(
        path.parent / reference[0],
        reference[1],
        signature,
        tuple(reader.variant(i, value, num_warps) for i, value in enumerate(variants)),
    )


def write_spec(kernel: Any, reference: str) -> str:
    """The text of a spec for a kernel, with a ``?`` wherever only the user knows."""
    known, defaults = parameters(kernel), default_values(kernel)
    lines = [
        "# Types: *fp16:16 is a pointer aligned to 16 bytes, i32:16 a multiple of 16, i32:1 is",
        "# always 1 (no argument then), fp32 a scalar.",
        "version: 1",
        f'kernel: "{reference}"',
        "signature:",
    ]
    types = [name for name, constant in known.items() if not constant]
    lines += [f'  {name}: "{TO_DO}"' for name in types]
    if not types:
        lines[-1] = "signature: {}"
    lines += ["# One package each; -o 'kernel-{NAME}.zebin' names them by their constants.",
              "variants:", '  - num_warps: "auto"']  # fmt: skip
    constants = [name for name, constant in known.items() if constant]
    if constants:
        lines.append("    constexpr:")
    lines += [f"      {name}: {_yaml(defaults.get(name, TO_DO))}" for name in constants]
    return "\n".join(lines) + "\n"


def _yaml(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    if '"' in str(value) or "\\" in str(value):
        raise UsageError(f"the default {value!r} cannot be written to a spec")
    return f'"{value}"'
