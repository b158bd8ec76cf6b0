"""Reading pipeline files: every error says where it is and what was expected."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mltc import resources, yamlsafe
from mltc.errors import did_you_mean
from mltc.pipeline.model import (
    PARAMETERS,
    REFERENCE,
    SAFE_VALUE,
    OptionValue,
    PassItem,
    Pipeline,
    PipelineError,
    Scalar,
    UnknownPipelineError,
)
from mltc.pipeline.stages import PASS_STAGES
from mltc.target import target_names
from mltc.yamlsafe import Document, YamlError
from mltc.yamlsafe import Path as NodePath

MAX_BYTES = 256 * 1024
_PASS_NAME = re.compile(r"[A-Za-z][A-Za-z0-9._-]{0,127}\Z")
_OPERATION = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\.[A-Za-z0-9_.]+\Z|any\Z")
_OPTION_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,127}\Z")


class _File(BaseModel):
    """The top level of a pipeline file; the passes are checked by hand, with positions."""

    model_config = ConfigDict(extra="forbid", strict=True)

    version: Literal[1]
    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]*$", max_length=64)
    description: str = Field(default="", max_length=1000)
    extends: str | None = None
    target: str
    style: Literal["simt", "simd"]
    interface: Literal["builtin", "genisa", "portable", "vc", "vc-raw"]
    parameters: list[str] = Field(default_factory=list, max_length=16)
    stages: dict[str, Any]


class _Checker:
    """Collects errors of one document."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.errors: list[str] = []

    def error(self, path: NodePath, message: str, *, key: bool = False) -> None:
        self.errors.append(f"{self.document.position(path, key=key)}: error: {message}")

    def known(
        self, path: NodePath, what: str, word: str, known: Iterable[str], *, key: bool = False
    ) -> bool:
        names = list(known)
        if word in names:
            return True
        expected = ", ".join(names)
        message = (
            f"unknown {what} '{word}'{did_you_mean(word, names)} (expected one of: {expected})"
        )
        self.error(path, message, key=key)
        return False

    def raise_errors(self) -> None:
        if self.errors:
            raise PipelineError("\n".join(self.errors[:20]))


def _base(checker: _Checker, data: Any) -> Pipeline | None:
    """The pipeline that a document extends: one that comes with mltc, so that it is found from
    wherever the document is read."""
    if not isinstance(data, dict) or not isinstance(name := data.get("extends"), str):
        return None
    if not checker.known(("extends",), "pipeline", name, pipeline_names()):
        checker.raise_errors()
    return load_pipeline(name)


def _inherited(base: Pipeline | None) -> dict[str, Any]:
    """What a document that extends ``base`` may leave out; its stages are merged later."""
    if base is None:
        return {}
    return {"target": base.target, "style": base.style, "interface": base.interface, "stages": {}}


def _schema(checker: _Checker, data: Any, base: Pipeline | None) -> _File:
    if not isinstance(data, dict):
        checker.error((), f"expected a mapping at the top level, got {_kind(data)}")
        checker.raise_errors()
    try:
        return _File.model_validate({**_inherited(base), **data})
    except ValidationError as error:
        for problem in error.errors():
            path = tuple(problem["loc"])
            if problem["type"] == "extra_forbidden":
                checker.known(path, "key", str(path[-1]), _File.model_fields, key=True)
            elif problem["type"] == "missing":
                checker.error(path[:-1], f"expected a key '{path[-1]}'")
            else:
                message = problem["msg"][0].lower() + problem["msg"][1:]
                checker.error(path, f"{path[0]}: {message}, got {problem['input']!r:.60}")
        checker.raise_errors()
        raise


def _kind(value: Any) -> str:
    names = {dict: "a mapping", list: "a list", str: "a string", type(None): "nothing",
             bool: "a boolean", int: "an integer", float: "a number"}  # fmt: skip
    return names.get(type(value), type(value).__name__)


class _PassParser:
    """Builds the pass items of a document and checks values and parameter use."""

    def __init__(self, checker: _Checker, parameters: tuple[str, ...]) -> None:
        self.checker = checker
        self.parameters = parameters

    def items(self, value: Any, path: NodePath) -> tuple[PassItem, ...]:
        if not isinstance(value, list):
            self.checker.error(path, f"expected a list of passes, got {_kind(value)}")
            return ()
        parsed = (self.item(item, (*path, index)) for index, item in enumerate(value))
        return tuple(item for item in parsed if item is not None)

    def item(self, value: Any, path: NodePath) -> PassItem | None:
        position = self.checker.document.position(path)
        if isinstance(value, str):
            return PassItem(value, position=position) if self._name(value, path) else None
        if not isinstance(value, dict) or len(value) != 1:
            got = f"{len(value)} keys" if isinstance(value, dict) else _kind(value)
            self.checker.error(path, f"expected a pass name or one 'pass: options' pair, got {got}")
            return None
        ((name, content),) = value.items()
        inner = (*path, name)
        if isinstance(content, list):
            if not _OPERATION.match(name):
                self.checker.error(
                    inner, f"expected an operation name to nest on, got '{name}'", key=True
                )
                return None
            return PassItem(name, nested=self.items(content, inner), position=position)
        if content is not None and not isinstance(content, dict):
            self.checker.error(
                inner, f"expected options of pass '{name}' as a mapping, got {_kind(content)}"
            )
            return None
        return self._with_options(name, content or {}, path, inner)

    def _with_options(
        self, name: str, content: dict[str, Any], path: NodePath, inner: NodePath
    ) -> PassItem | None:
        if not self._name(name, path):
            return None
        options = {key: self.option(key, value, (*inner, key)) for key, value in content.items()}
        document = self.checker.document
        return PassItem(
            name,
            {key: value for key, value in options.items() if value is not None},
            position=document.position(path),
            option_positions={key: document.position((*inner, key), key=True) for key in content},
        )

    def _name(self, name: str, path: NodePath) -> bool:
        if _PASS_NAME.match(name):
            return True
        self.checker.error(path, f"expected a pass name, got '{name:.60}'")
        return False

    def option(self, key: str, value: Any, path: NodePath) -> OptionValue | None:
        if not _OPTION_NAME.match(key):
            self.checker.error(path, f"expected an option name, got '{key:.60}'", key=True)
            return None
        if isinstance(value, list):
            entries = [self._scalar(entry, (*path, index)) for index, entry in enumerate(value)]
            if any(isinstance(entry, str) and "$" in entry for entry in value):
                self.checker.error(path, "a ${...} value must be the whole value of an option")
            return tuple(entry for entry in entries if entry is not None)
        return self._scalar(value, path)

    def _scalar(self, value: Any, path: NodePath) -> Scalar | None:
        if isinstance(value, str):
            return self._string(value, path)
        if isinstance(value, bool | int | float):
            return value
        self.checker.error(path, f"expected a string, number, boolean or list, got {_kind(value)}")
        return None

    def _string(self, value: str, path: NodePath) -> str | None:
        match = REFERENCE.match(value)
        if match:
            known = self.checker.known(path, "parameter", match.group(1), PARAMETERS)
            if known and match.group(1) not in self.parameters:
                self.checker.error(
                    path, f"parameter '{match.group(1)}' is not declared in 'parameters'"
                )
            return value
        if "${" in value:
            self.checker.error(
                path, f"a ${{...}} value must be the whole value of an option, got '{value:.60}'"
            )
            return None
        if not SAFE_VALUE.match(value):
            self.checker.error(
                path, f"expected letters, digits and _.:+*/- in a value, got '{value:.60}'"
            )
            return None
        return value


def _stages(
    checker: _Checker, data: dict[str, Any], parameters: tuple[str, ...]
) -> dict[str, tuple[PassItem, ...]]:
    """The passes of the stages of a document."""
    parser = _PassParser(checker, parameters)
    stages = {}
    for stage, value in data.items():
        if checker.known(("stages", stage), "stage", stage, PASS_STAGES, key=True):
            stages[stage] = parser.items(value, ("stages", stage))
    order = [stage for stage in PASS_STAGES if stage in stages]
    if list(stages) != order:
        checker.error(("stages",), f"expected stages in the order {', '.join(order)}", key=True)
    return stages


def parse_pipeline(text: str | bytes, name: str) -> Pipeline:
    """Parses and validates a pipeline.

    A document with a key ``extends`` has everything of the pipeline of that name that it does
    not say itself; a stage that it gives replaces the whole stage.

    Args:
        text: the YAML document.
        name: file name used in messages.

    Raises:
        PipelineError: one line per problem, with position and expectation.
    """
    try:
        document = yamlsafe.parse(text, name, yamlsafe.YamlLimits(max_bytes=MAX_BYTES))
    except YamlError as error:
        raise PipelineError(error.message, hint=error.hint) from None
    checker = _Checker(document)
    base = _base(checker, document.data)
    file = _schema(checker, document.data, base)
    checker.known(("target",), "target", file.target, target_names())
    for index, parameter in enumerate(file.parameters):
        checker.known(("parameters", index), "parameter", parameter, PARAMETERS)
    parameters = tuple(dict.fromkeys([*(base.parameters if base else ()), *file.parameters]))
    stages = dict(base.stages) if base else {}
    stages.update(_stages(checker, file.stages, parameters))
    if not stages:
        checker.error(("stages",), "expected at least one stage")
    checker.raise_errors()
    return Pipeline(
        name=file.name, description=file.description, target=file.target, style=file.style,
        interface=file.interface, parameters=parameters, stages=stages, source=name,
    )  # fmt: skip


def pipeline_names() -> list[str]:
    """Names of the pipelines that come with mltc."""
    return list(resources.data_files("pipelines", ".yaml"))


def find_pipeline(name_or_file: str) -> Path:
    """The file of a pipeline: a path, or the name of one that comes with mltc.

    Raises:
        UnknownPipelineError: there is none.
    """
    files = resources.data_files("pipelines", ".yaml")
    if name_or_file in files:
        return files[name_or_file]
    path = Path(name_or_file)
    if path.is_file():
        return path
    if path.suffix in (".yaml", ".yml") or "/" in name_or_file:
        raise UnknownPipelineError(f"no pipeline file '{name_or_file}'")
    known = ", ".join(files) or "none"
    suggestion = did_you_mean(name_or_file, files)
    raise UnknownPipelineError(
        f"unknown pipeline '{name_or_file}'{suggestion} (known: {known}, or a .yaml file)"
    )


def load_pipeline(name_or_file: str) -> Pipeline:
    """Finds, reads and validates a pipeline.

    Raises:
        PipelineError: not found (:class:`UnknownPipelineError`), unreadable, or malformed.
    """
    path = find_pipeline(name_or_file)
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise PipelineError(f"cannot read '{path}': {error.strerror}") from None
    return parse_pipeline(data, str(path))
