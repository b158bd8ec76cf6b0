"""``mltc run``."""

from __future__ import annotations

import json

import click

from mltc.cli.arguments import parse_arguments
from mltc.errors import UsageError
from mltc.package import read_package
from mltc.package.container import check_output, write_output
from mltc.runtime.backend import Backend
from mltc.runtime.module import DEFAULT_DEVICE, Module, make_backend


def parse_grid(text: str) -> tuple[int, ...]:
    """Reads the group counts of a grid.

    Raises:
        UsageError: not one to three numbers.
    """
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise UsageError(f"--grid: expected X or X,Y or X,Y,Z, got '{text}'") from None


def _check_profile(backend: Backend, device: str) -> None:
    if not backend.counts:
        raise UsageError(
            f"device '{device}' does not count what it executes", hint="use --device sim:pvc"
        )


@click.command()
@click.argument("package", metavar="PACKAGE")
@click.option(
    "--grid", required=True, metavar="X[,Y[,Z]]", help="Group counts, program ids 0, 1, 2."
)
@click.option(
    "--arg",
    "texts",
    multiple=True,
    metavar="VALUE",
    help="One per kernel argument, in order: a number, FILE.npy, FILE.npy:out, "
    "or FILE.npy:out=256x256xf32.",
)
@click.option("--kernel", "name", metavar="NAME", help="Which kernel, when there are several.")
@click.option(
    "--device",
    default=DEFAULT_DEVICE,
    show_default=True,
    help="opencl:cpu, level_zero:gpu, sim:pvc, or another dpctl device.",
)
@click.option(
    "--repeat",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Launch so often; the time shown is the shortest.",
)
@click.option(
    "--profile",
    "shows_profile",
    is_flag=True,
    help="Show instructions, issue cycles by pipe and bytes (sim:pvc only).",
)
@click.option(
    "--profile-json",
    "profile_file",
    type=click.Path(dir_okay=False),
    help="Write the profile, instruction by instruction, to a file (sim:pvc only).",
)
@click.option("-v", "--verbose", is_flag=True, help="Show device and time.")
def run(
    package: str, grid: str, texts: tuple[str, ...], name: str | None, device: str, repeat: int,
    shows_profile: bool, profile_file: str | None, verbose: bool,
) -> None:  # fmt: skip
    """Run a kernel of a package with arrays from .npy files.

    \b
    mltc run gemm.zebin --grid 16 --arg a.npy --arg b.npy \\
        --arg c.npy:out=1024x1024xf32 --arg 1024 --arg 1024 --arg 1024
    """
    groups = parse_grid(grid)
    loaded = read_package(package)
    kernel = loaded.manifest.kernel(name)
    arguments = parse_arguments(texts, kernel.name, kernel.args)
    backend = make_backend(device)
    if shows_profile or profile_file is not None:
        _check_profile(backend, device)
    if profile_file is not None:
        check_output(profile_file, binary=False)
    module = Module(loaded, backend)
    values = [argument.value for argument in arguments]
    results = [module.kernels[kernel.name].launch(groups, *values) for _ in range(repeat)]
    for argument in arguments:
        argument.save()
    profile = results[-1].profile
    if profile is not None and shows_profile:
        click.echo(profile.table())
    if profile is not None and profile_file is not None:
        text = json.dumps(profile.to_json(), indent=1) + "\n"
        write_output(profile_file, text.encode(), binary=False)
    if verbose:
        times = [result.device_ns for result in results if result.device_ns is not None]
        shown = f", {min(times) / 1e6:.3f} ms" if times else ""
        click.echo(f"{kernel.name} on {module.backend.info.name}{shown}", err=True)
