"""A validated pipeline and its textual form.

The textual form is the one ``mlt-opt --pass-pipeline`` takes.  Values of the driver are
filled in here, typed, and only where the file declared them: an option whose value is
exactly ``${name}``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from mltc.errors import MltcError, UsageError
from mltc.pipeline.stages import PASS_STAGES
from mltc.yamlsafe import Position

Scalar = bool | int | float | str
OptionValue = Scalar | tuple[Scalar, ...]
#: Values of the driver that a pipeline may use, and their types.
PARAMETERS: Mapping[str, type] = {
    "num_warps": int, "prefetch_distance": int, "versions": str, "checked": bool, "target": str,
    "style": str, "interface": str,
}  # fmt: skip

REFERENCE = re.compile(r"\$\{([^}]*)\}\Z")
SAFE_VALUE = re.compile(r"[A-Za-z0-9_.:+*/-]+\Z")


class PipelineError(MltcError):
    """A pipeline file is malformed; every line starts with ``file:line:column``."""


class UnknownPipelineError(UsageError, PipelineError):
    """There is no pipeline of that name, and no file."""


@dataclass(frozen=True)
class PassItem:
    """A pass with options, or an operation name with the passes nested on it."""

    name: str
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    nested: tuple[PassItem, ...] | None = None
    position: Position | None = field(default=None, compare=False)
    option_positions: Mapping[str, Position] = field(default_factory=dict, compare=False)

    def text(self, parameters: Mapping[str, Scalar | None]) -> str:
        """The textual form with the driver's values filled in."""
        if self.nested is not None:
            return f"{self.name}({','.join(item.text(parameters) for item in self.nested)})"
        filled = {name: _fill(value, parameters) for name, value in self.options.items()}
        shown = [f"{name}={_render(value)}" for name, value in filled.items() if value is not None]
        return f"{self.name}{{{' '.join(shown)}}}" if shown else self.name


def _fill(value: OptionValue, parameters: Mapping[str, Scalar | None]) -> OptionValue | None:
    match = REFERENCE.match(value) if isinstance(value, str) else None
    return parameters[match.group(1)] if match else value


def _render(value: OptionValue) -> str:
    if isinstance(value, tuple):
        return ",".join(_render(item) for item in value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


@dataclass(frozen=True)
class Choices:
    """What the user of a build may choose; None lets the passes decide.

    Attributes:
        num_warps: warps per work-group.
        prefetch_distance: iterations between a prefetch and its load, 0 for none.
        versions: which kernels get a version for launches that block messages do not serve:
            ``always``, ``raised`` or ``never``.
        checked: whether the portable code looks at every block message as the hardware would.
    """

    num_warps: int | None = None
    prefetch_distance: int | None = None
    versions: str | None = None
    checked: bool | None = None


@dataclass(frozen=True)
class Pipeline:
    """A pipeline file after validation."""

    name: str
    description: str
    target: str
    style: str
    interface: str
    parameters: tuple[str, ...]
    stages: Mapping[str, tuple[PassItem, ...]]
    source: str

    def values(self, choices: Choices) -> dict[str, Scalar | None]:
        """The driver's values for this pipeline; None leaves an option out."""
        return {
            **asdict(choices),
            "target": self.target,
            "style": self.style,
            "interface": self.interface,
        }

    def stage_text(self, stage: str, choices: Choices) -> list[str]:
        """Textual forms of the passes of one stage."""
        values = self.values(choices)
        return [item.text(values) for item in self.stages.get(stage, ())]

    def text(self, choices: Choices, stages: Sequence[str] = PASS_STAGES) -> str:
        """The textual form of the given stages, as ``mlt-opt --pass-pipeline`` takes it."""
        passes = [text for stage in stages for text in self.stage_text(stage, choices)]
        return f"builtin.module({','.join(passes)})"

    def passes(self) -> list[PassItem]:
        """All passes, nested ones included, in order."""
        found: list[PassItem] = []
        pending = [item for stage in PASS_STAGES for item in self.stages.get(stage, ())][::-1]
        while pending:
            item = pending.pop()
            if item.nested is None:
                found.append(item)
            else:
                pending.extend(item.nested[::-1])
        return found
