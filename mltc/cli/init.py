"""``mltc init``."""

from __future__ import annotations

import os
from pathlib import Path

import click

from mltc.cli.output import print_note
from mltc.errors import UsageError
from mltc.frontend import load_kernel, split_reference
from mltc.frontend.spec import write_spec
from mltc.package.container import write_output


@click.command()
@click.argument("kernel", metavar="FILE.py::NAME")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="The spec (default: NAME.yaml here); - is standard output.",
)
@click.option("-f", "--force", is_flag=True, help="Replace a file that is there.")
def init(kernel: str, output: str | None, force: bool) -> None:
    """Write a spec for a kernel in Python, with the arguments to fill in.

    The Python file is imported: its code runs. Build the spec with 'mltc build NAME.yaml'.
    """
    reference = split_reference(kernel)
    if reference is None:
        raise UsageError(f"expected FILE.py::NAME, got '{kernel}'")
    file, name = reference
    path = output or f"{name}.yaml"
    if path != "-" and Path(path).exists() and not force:
        raise UsageError(f"'{path}' is there already", hint="-f replaces it")
    start = Path.cwd() if path == "-" else Path(path).resolve().parent
    text = write_spec(load_kernel(file, name), f"{os.path.relpath(file.resolve(), start)}::{name}")
    write_output(path, text.encode(), binary=False)
    if path != "-":
        print_note(f"fill in every ? of '{path}', then: mltc build {path} -o {name}.zebin")
