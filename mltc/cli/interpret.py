"""``mltc interpret``."""

from __future__ import annotations

from typing import Literal

import click

from mltc.cli.arguments import parse_arguments
from mltc.cli.output import print_verbose
from mltc.cli.run import parse_grid


@click.command()
@click.argument("source", metavar="FILE.ttir", type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--grid", required=True, metavar="X[,Y[,Z]]", help="Program counts of the three axes."
)
@click.option(
    "--arg",
    "texts",
    multiple=True,
    metavar="VALUE",
    help="One per kernel argument, in order: as for mltc run.",
)
@click.option("--kernel", "name", metavar="NAME", help="Which kernel, when there are several.")
@click.option(
    "--undefined",
    type=click.Choice(["poison", "zero"]),
    help="What loads give where the IR leaves it open; by default poison (NaN) for masked "
    "elements, zero beyond the tensor of a block pointer.",
)
@click.option(
    "--loop-limit",
    type=click.IntRange(min=1),
    default=1 << 20,
    show_default=True,
    help="How often one 'while' loop may go around.",
)
def interpret(
    source: str, grid: str, texts: tuple[str, ...], name: str | None,
    undefined: Literal["poison", "zero"] | None, loop_limit: int,
) -> None:  # fmt: skip
    """Run the workgroup-level IR of a kernel on NumPy, without compiling it.

    Accesses outside of the arrays are errors that name the operation and its line.

    \b
    mltc interpret gemm.ttir --grid 16 --arg a.npy --arg b.npy \\
        --arg c.npy:out=1024x1024xf32 --arg 1024 --arg 1024 --arg 1024
    """
    from mltc.interpret import Options
    from mltc.interpret import interpret as read

    groups = parse_grid(grid)
    kernel = read(source).kernel(name)
    arguments = parse_arguments(texts, kernel.name, kernel.args)
    options = Options(undefined, loop_limit, printed=print_verbose)
    kernel.launch(groups, *(argument.value for argument in arguments), options=options)
    for argument in arguments:
        argument.save()
