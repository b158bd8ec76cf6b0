"""Pass pipelines as YAML files: which passes of ``mlt-opt`` make up each stage of a build."""

from mltc.pipeline.load import find_pipeline, load_pipeline, parse_pipeline, pipeline_names
from mltc.pipeline.model import Choices, PassItem, Pipeline, PipelineError
from mltc.pipeline.registry import PassRegistry, read_registry
from mltc.pipeline.stages import ALL_STAGES, PASS_STAGES
from mltc.pipeline.write import pipeline_yaml

__all__ = [
    "ALL_STAGES",
    "PASS_STAGES",
    "Choices",
    "PassItem",
    "PassRegistry",
    "Pipeline",
    "PipelineError",
    "find_pipeline",
    "load_pipeline",
    "parse_pipeline",
    "pipeline_names",
    "pipeline_yaml",
    "read_registry",
]
