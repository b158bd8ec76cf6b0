"""Writing a pipeline as a file that reads back as the same one, whatever it extended."""

from __future__ import annotations

from typing import Any

import yaml

from mltc.pipeline.model import PassItem, Pipeline
from mltc.pipeline.stages import PASS_STAGES
from mltc.yamlsafe import reads_as_text


class _Dumper(yaml.SafeDumper):
    """Quotes what our reader would not take for a string; PyYAML asks only its own (``1e5``)."""


def _text(dumper: _Dumper, value: str) -> yaml.ScalarNode:
    style = None if reads_as_text(value) else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_Dumper.add_representer(str, _text)


def _item_data(item: PassItem) -> Any:
    if item.nested is not None:
        return {item.name: [_item_data(inner) for inner in item.nested]}
    if item.options:
        options = {k: list(v) if isinstance(v, tuple) else v for k, v in item.options.items()}
        return {item.name: options}
    return item.name


def pipeline_yaml(pipeline: Pipeline) -> str:
    """A pipeline as YAML that reads back as the same pipeline."""
    data = {
        "version": 1,
        "name": pipeline.name,
        "description": pipeline.description,
        "target": pipeline.target,
        "style": pipeline.style,
        "interface": pipeline.interface,
        "parameters": list(pipeline.parameters),
        "stages": {
            stage: [_item_data(item) for item in pipeline.stages[stage]]
            for stage in PASS_STAGES
            if stage in pipeline.stages
        },
    }
    return yaml.dump(data, Dumper=_Dumper, sort_keys=False, default_flow_style=None, width=100)
