"""Building packages: :func:`build` runs the whole way from Triton IR to a package."""

from mltc.driver.build import BuildResult, build
from mltc.driver.request import BuildRequest
from mltc.driver.session import BuildFailure

__all__ = ["BuildFailure", "BuildRequest", "BuildResult", "build"]
