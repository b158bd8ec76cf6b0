"""``mltc sim-driver``."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click


@click.command(
    "sim-driver",
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
)
@click.option(
    "--profile",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write what each launch has executed, one JSON object per line.",
)
@click.argument("arguments", metavar="-- python PROGRAM [ARGS]...", nargs=-1, required=True)
def sim_driver(profile: Path | None, arguments: tuple[str, ...]) -> None:
    """Run a Python program on a simulated PVC behind Intel's own driver.

    The program is not changed: dpctl, or anything else that uses Level Zero, finds a GPU, loads
    SPIR-V or native binaries through the real driver, and reads real results. Kernels run in
    the simulator, which checks every memory access; an error ends the program with exit code 70.

    \b
    mltc sim-driver -- python my_dpctl_script.py
    """
    from mltc.package import write_atomically
    from mltc.simdriver import command, environment

    if profile is not None:
        write_atomically(profile, b"")  # launches are appended
    argv, env = command(arguments), environment("pvc", profile)
    sys.stdout.flush()
    os.execve(argv[0], argv, env)
