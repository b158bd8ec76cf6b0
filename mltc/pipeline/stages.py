"""The stages of a build, in order, and what a dump of each one is.

| stage     | dump                                                       |
|-----------|------------------------------------------------------------|
| ttir      | Triton IR after clean-up                                   |
| ttgir     | the same with layouts on every tensor type                 |
| warp      | the part of one warp                                       |
| intrinsic | pieces that one instruction handles                        |
| llir      | LLVM dialect (MLIR text) with the target's intrinsics      |
| spv       | SPIR-V of that, which ocloc compiles                       |
| portable  | SPIR-V without device intrinsics, which any device runs    |
| zebin     | the package                                                |

``--from STAGE`` takes such a dump and goes on behind that stage; ``--to STAGE`` stops there.
"""

from __future__ import annotations

ALL_STAGES = ("ttir", "ttgir", "warp", "intrinsic", "llir", "spv", "portable", "zebin")
#: Stages whose dump is MLIR text.
IR_STAGES = ("ttir", "ttgir", "warp", "intrinsic", "llir")
#: Stages that a pipeline file gives passes for.
PASS_STAGES = (*IR_STAGES, "portable")


def stage_index(stage: str) -> int:
    """Position of a stage in the build."""
    return ALL_STAGES.index(stage)
