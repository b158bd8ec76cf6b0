"""Reading YAML that somebody else wrote.

PyYAML accepts duplicate keys, turns ``on`` and ``no`` into booleans and lets a few aliases
describe an exponentially large value.  This module composes the node tree with limits on
size, depth and node count, refuses aliases, anchors, tags and duplicate keys, resolves
scalars by the YAML 1.2 core rules only, and keeps the position of every value so that later
errors can say ``file:line:column``.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

import yaml

from mltc.errors import MltcError


@dataclass(frozen=True)
class YamlLimits:
    """Upper bounds for one document: bytes of text, nesting levels, and nodes.

    ``refuse_ambiguous`` turns words such as ``on`` or ``no`` into errors (files written by
    people); without it they are strings (files written by tools).  ``fast`` parses with
    libyaml where PyYAML has it, whose error messages are shorter.
    """

    max_bytes: int = 256 * 1024
    max_depth: int = 16
    max_nodes: int = 20_000
    refuse_ambiguous: bool = True
    fast: bool = False


@dataclass(frozen=True)
class Position:
    """A place in a text file; line and column count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


Path = tuple[str | int, ...]


class YamlError(MltcError):
    """A YAML document is malformed or breaks one of the rules of this module."""


@dataclass(frozen=True)
class Document:
    """Plain data (dict, list, str, int, float, bool, None) and where each value stood.

    ``values`` and ``keys`` map a path such as ``("stages", "llir", 0)`` to the position of
    the value and, for mapping entries, of its key.
    """

    name: str
    data: Any
    values: dict[Path, Position]
    keys: dict[Path, Position]

    def position(self, path: Path, *, key: bool = False) -> Position:
        """Returns the position of the deepest part of ``path`` that exists."""
        for length in range(len(path), -1, -1):
            part = path[:length]
            if key and part in self.keys:
                return self.keys[part]
            if part in self.values:
                return self.values[part]
        return Position(self.name, 1, 1)


_INT = re.compile(r"[-+]?[0-9]+\Z|0x[0-9a-fA-F]+\Z")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
_CORE = {"": None, "null": None, "~": None, "true": True, "false": False}
_YAML_1_1_BOOLEANS = {"yes", "no", "on", "off", "y", "n"}


def _ambiguous(text: str) -> bool:
    lower = text.lower()
    return lower in _YAML_1_1_BOOLEANS or (lower in ("true", "false", "null") and text not in _CORE)


def reads_as_text(text: str) -> bool:
    """Whether a plain scalar is this string, and not a number or a word with a meaning."""
    known = text in _CORE or _ambiguous(text)
    return not (known or _INT.match(text) or _FLOAT.match(text))


def _scalar(node: yaml.ScalarNode, where: Position, refuse_ambiguous: bool) -> Any:
    text = node.value
    if node.style in ("'", '"', "|", ">"):  # quoted or block: a string, whatever it looks like
        return text
    if text in _CORE:
        return _CORE[text]
    if refuse_ambiguous and _ambiguous(text):
        raise YamlError(
            f"{where}: error: '{text}' means different things in YAML 1.1 and 1.2",
            hint=f"write true or false, or quote it: '\"{text}\"'",
        )
    if _INT.match(text):
        if len(text) > 40:
            raise YamlError(f"{where}: error: integer with {len(text)} digits")
        return int(text, 16) if text.startswith("0x") else int(text)
    if _FLOAT.match(text):
        number = float(text)
        if math.isinf(number):
            raise YamlError(f"{where}: error: '{text:.40}' is larger than any number")
        return number
    return text


class _Builder:
    def __init__(self, name: str, limits: YamlLimits) -> None:
        self.name = name
        self.limits = limits
        self.values: dict[Path, Position] = {}
        self.keys: dict[Path, Position] = {}

    def at(self, mark: yaml.Mark) -> Position:
        return Position(self.name, mark.line + 1, mark.column + 1)

    def build(self, node: yaml.Node, path: Path) -> Any:
        where = self.at(node.start_mark)
        self.values[path] = where
        if isinstance(node, yaml.ScalarNode):
            return _scalar(node, where, self.limits.refuse_ambiguous)
        if isinstance(node, yaml.SequenceNode):
            return [self.build(item, (*path, i)) for i, item in enumerate(node.value)]
        return self._mapping(node, path)

    def _mapping(self, node: yaml.Node, path: Path) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key_node, value_node in node.value:
            where = self.at(key_node.start_mark)
            if not isinstance(key_node, yaml.ScalarNode):
                raise YamlError(f"{where}: error: expected a plain key, got a collection")
            key = key_node.value
            if key in result:
                raise YamlError(f"{where}: error: duplicate key '{key}'")
            self.keys[(*path, key)] = where
            result[key] = self.build(value_node, (*path, key))
        return result


def _loader(limits: YamlLimits) -> Any:
    return getattr(yaml, "CSafeLoader", yaml.SafeLoader) if limits.fast else yaml.SafeLoader


def _check_events(text: str, name: str, limits: YamlLimits) -> None:
    """Walks the event stream first: it is linear in the text and builds nothing."""
    depth = count = 0
    for event in yaml.parse(text, Loader=_loader(limits)):
        mark = event.start_mark
        where = Position(name, mark.line + 1, mark.column + 1) if mark else Position(name, 1, 1)
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise YamlError(f"{where}: error: anchors and aliases are not accepted")
        count += isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent)
        if count > limits.max_nodes:
            raise YamlError(f"{where}: error: more than {limits.max_nodes} values")
        tag = getattr(event, "tag", None)
        if tag:
            raise YamlError(f"{where}: error: tags are not accepted, got '{tag}'")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > limits.max_depth:
                raise YamlError(f"{where}: error: nested deeper than {limits.max_depth} levels")
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def parse(text: str | bytes, name: str, limits: YamlLimits | None = None) -> Document:
    """Parses one YAML document.

    Args:
        text: the document; bytes must be UTF-8.
        name: file name used in positions.
        limits: bounds on what is accepted.

    Raises:
        YamlError: malformed, too large, or using a refused feature; the message starts
            with ``name:line:column``.
    """
    limits = limits or YamlLimits()
    if len(text) > limits.max_bytes:
        raise YamlError(f"{name}: error: larger than {limits.max_bytes} bytes")
    try:
        decoded = text.decode("utf-8") if isinstance(text, bytes) else text
    except UnicodeDecodeError as error:
        raise YamlError(f"{name}: error: not UTF-8: {error.reason} at byte {error.start}") from None
    try:
        _check_events(decoded, name, limits)
        root = yaml.compose(decoded, Loader=_loader(limits))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = Position(name, mark.line + 1, mark.column + 1) if mark else Position(name, 1, 1)
        context = f" ({error.context})" if error.context and error.problem else ""
        raise YamlError(f"{where}: error: {error.problem or error.context}{context}") from None
    except (yaml.YAMLError, RecursionError, ValueError, OverflowError) as error:
        # The last two are of an escape that is no character.
        raise YamlError(f"{name}: error: {str(error).splitlines()[0]}") from None
    builder = _Builder(name, limits)
    data = None if root is None else builder.build(root, ())
    return Document(name, data, builder.values, builder.keys)
