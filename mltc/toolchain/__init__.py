"""The external tools mltc works with: finding, recognising and running them.

`find_tool` finds one, `run_tool` runs it, `ocloc_generation` says what kind of
ocloc it is, `null_driver_env` and `null_driver_argv` start Python under Intel's
driver without a GPU. `python -m mltc.toolchain.install` brings the tools.

Only the standard library is imported here, so that the installer works before
the virtual environment is complete.
"""

from mltc.toolchain.find import Tool, ToolNotFoundError, find_tool
from mltc.toolchain.nulldriver import null_driver_argv, null_driver_env
from mltc.toolchain.ocloc import Generation, OclocInfo, ocloc_generation
from mltc.toolchain.run import Completed, ToolFailure, run_tool

__all__ = [
    "Completed",
    "Generation",
    "OclocInfo",
    "Tool",
    "ToolFailure",
    "ToolNotFoundError",
    "find_tool",
    "null_driver_argv",
    "null_driver_env",
    "ocloc_generation",
    "run_tool",
]
