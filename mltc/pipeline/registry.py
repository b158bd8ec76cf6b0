"""Which passes and options ``mlt-opt`` has, and checking a pipeline against them.

MLIR reports an unknown pass or option without a position in the pipeline file and without a
suggestion.  The tool's own list is asked once per build, so that a mistake in a file is
reported with both before anything runs.  The list is text for people: what does not look
like an entry is skipped, and an empty result checks nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from mltc.errors import did_you_mean
from mltc.pipeline.model import PassItem, Pipeline, PipelineError
from mltc.toolchain import Tool, run_tool

_PASS = re.compile(r"  --([A-Za-z][A-Za-z0-9._-]*)(?:\s+-\s+(.*))?$")
_OPTION = re.compile(r"    --([A-Za-z][A-Za-z0-9._-]*)(?:=<([^>]*)>)?(?:\s+-\s+(.*))?$")
_TIMEOUT = 60.0  # seconds


@dataclass(frozen=True)
class PassInfo:
    """A pass or named pipeline: summary and option names with their summaries."""

    summary: str
    options: Mapping[str, str]


@dataclass(frozen=True)
class PassRegistry:
    """Everything ``mlt-opt --list-passes`` prints, by name."""

    passes: Mapping[str, PassInfo]

    def check(self, pipeline: Pipeline) -> None:
        """Refuses unknown passes and options, with position and suggestion.

        Raises:
            PipelineError: one line per problem.
        """
        if not self.passes:
            return
        problems = [problem for item in pipeline.passes() for problem in self._problems(item)]
        if problems:
            raise PipelineError("\n".join(problems), hint="'mltc passes' lists passes and options")

    def _problems(self, item: PassItem) -> list[str]:
        info = self.passes.get(item.name)
        if info is None:
            near = did_you_mean(item.name, self.passes)
            return [f"{item.position}: error: unknown pass '{item.name}'{near}"]
        return [
            f"{item.option_positions.get(option, item.position)}: error: pass '{item.name}' has no "
            f"option '{option}'{did_you_mean(option, info.options)}"
            f" (expected one of: {', '.join(info.options) or 'none'})"
            for option in item.options
            if option not in info.options
        ]


def parse_list(text: str) -> PassRegistry:
    """Reads the output of ``--list-passes``."""
    passes: dict[str, PassInfo] = {}
    options: dict[str, str] = {}
    for line in text.splitlines():
        if match := _PASS.match(line):
            options = {}
            passes[match.group(1)] = PassInfo((match.group(2) or "").strip(), options)
        elif match := _OPTION.match(line):
            options[match.group(1)] = (match.group(3) or "").strip()
    return PassRegistry(passes)


def read_registry(mlt_opt: Tool) -> PassRegistry:
    """Asks ``mlt-opt`` for its passes.

    Raises:
        ToolFailure: the tool cannot be run.
    """
    done = run_tool(mlt_opt, ["--list-passes"], timeout=_TIMEOUT)
    return parse_list(done.text or done.errors)
