"""``mltc``: the command group, and how errors become messages and exit codes.

Exit code 1 means that the input, a tool or the device is at fault, 2 that the command line
is.  Results go to standard output, everything else to standard error.
"""

from __future__ import annotations

import sys
from typing import Any

import click

import mltc
from mltc.cli import build, init, inspect, interpret, lists, run
from mltc.cli.doctor import doctor
from mltc.cli.output import print_error
from mltc.cli.sim_driver import sim_driver
from mltc.driver.session import BuildFailure
from mltc.errors import MltcError


class _Group(click.Group):
    """Turns our errors into messages and exit codes."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BuildFailure as failure:
            print_error(failure)
            click.echo(f"everything about this build: {failure.bundle}", err=True)
            click.echo(f"reproduce: {failure.command}", err=True)
            ctx.exit(failure.exit_code)
        except MltcError as error:
            print_error(error)
            ctx.exit(error.exit_code)
        except BrokenPipeError:
            # The reader has gone; nothing more can be said on standard output.
            sys.stderr.close()
            ctx.exit(1)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(mltc.__version__, prog_name="mltc")
def main() -> None:
    """Ahead-of-time compiler for Triton kernels on Intel GPUs.

    \b
    mltc build kernel.ttir -o kernel.zebin      compile
    mltc init kernel.py::name                   a spec to build a kernel in Python from
    mltc inspect kernel.zebin                   what is in it
    mltc run kernel.zebin --grid 4,4 --arg ...  run it, on the CPU by default
    mltc interpret kernel.ttir --grid 4,4 ...   run its IR on NumPy, not compiled
    """


def _register(*commands: click.Command) -> None:
    for command in commands:
        main.add_command(command)


_register(
    build.build,
    init.init,
    run.run,
    interpret.interpret,
    inspect.inspect,
    inspect.disasm,
    lists.pipeline,
    lists.targets,
    lists.passes,
    doctor,
    sim_driver,
)
