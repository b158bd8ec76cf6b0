"""Writing a pipeline as a file that reads back as the same one, whatever it extended."""

from __future__ import annotations

from typing import Any

import yaml

from mltc.pipeline.model import PassItem, Pipeline
from mltc.pipeline.stages import PASS_STAGES


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
    return yaml.safe_dump(data, sort_keys=False, default_flow_style=None, width=100)
