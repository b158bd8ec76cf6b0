"""How a program is started so that its launches are simulated."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from mltc.errors import UsageError
from mltc.toolchain import null_driver_argv, null_driver_env

#: Set in the program's environment; :mod:`mltc.simdriver.inject` looks for it.
SWITCH = "MLTC_SIM_DRIVER"
#: A file that gets one JSON object per launch, when set.
PROFILE = "MLTC_SIM_DRIVER_PROFILE"

_INJECT = Path(__file__).with_name("inject")
_PACKAGES = Path(__file__).parents[2]


def environment(device: str = "pvc", profile: Path | None = None) -> dict[str, str]:
    """The environment for :func:`command`.

    Raises:
        ValueError: no such device.
        ToolNotFoundError: no toolchain prefix holds the driver.
    """
    env = null_driver_env(device)
    env["ZE_ENABLE_TRACING_LAYER"] = "1"
    env["EnableLocalMemory"] = "0"  # every allocation is memory of the process
    env[SWITCH] = "1"
    if profile is not None:
        env[PROFILE] = str(profile.absolute())
    # The first directory holds the start-up hook, the second mltc itself.
    paths = [str(_INJECT), str(_PACKAGES), *filter(None, [env.get("PYTHONPATH")])]
    env["PYTHONPATH"] = os.pathsep.join(paths)
    return env


def command(arguments: Sequence[str]) -> list[str]:
    """The command that runs ``python ...`` under the driver.

    Args:
        arguments: the interpreter and its arguments, as typed by the user.

    Raises:
        UsageError: the first argument is not a Python interpreter.
        ToolNotFoundError: no toolchain prefix holds the driver.
    """
    program = shutil.which(arguments[0])
    if program is None or not Path(program).name.startswith("python"):
        raise UsageError(
            f"expected a Python interpreter to start, found '{arguments[0]}'",
            hint="mltc sim-driver -- python program.py",
        )
    return null_driver_argv(list(arguments[1:]), python=program)
