"""``mltc run``."""

from __future__ import annotations

import json
from pathlib import Path

import click

from mltc.cli.arguments import parse_argument
from mltc.errors import UsageError
from mltc.package import Kernel, read_package
from mltc.runtime.module import DEFAULT_DEVICE, Module, make_backend
from mltc.simulator.profile import Profile


def parse_grid(text: str) -> tuple[int, ...]:
    """Reads the group counts of a grid.

    Raises:
        UsageError: not one to three numbers.
    """
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise UsageError(f"--grid: expected X or X,Y or X,Y,Z, got '{text}'") from None


def _select(kernels: tuple[Kernel, ...], name: str | None) -> Kernel:
    names = ", ".join(kernel.name for kernel in kernels)
    if name is None and len(kernels) > 1:
        raise UsageError(
            f"the package has several kernels: {names}", hint="choose one with --kernel"
        )
    for kernel in kernels:
        if name in (None, kernel.name):
            return kernel
    raise UsageError(f"no kernel '{name}' in the package, there are: {names}")


def _signature(kernel: Kernel) -> str:
    parts = [
        f"{arg.name or f'arg{arg.index}'}: {'*' if arg.is_pointer else ''}{arg.type}"
        for arg in kernel.args
    ]
    return f"{kernel.name}({', '.join(parts)})"


def _report_profile(profile: Profile | None, shows: bool, file: str | None, device: str) -> None:
    if not shows and file is None:
        return
    if profile is None:
        raise UsageError(
            f"device '{device}' does not count what it executes", hint="use --device sim:pvc"
        )
    if shows:
        click.echo(profile.table())
    if file is not None:
        Path(file).write_text(json.dumps(profile.to_json(), indent=1) + "\n")


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
    kernel = _select(loaded.manifest.kernels, name)
    if len(texts) != len(kernel.args):
        raise UsageError(
            f"expected {len(kernel.args)} --arg for {_signature(kernel)}, got {len(texts)}"
        )
    arguments = [parse_argument(text, arg) for text, arg in zip(texts, kernel.args, strict=True)]
    module = Module(loaded, make_backend(device))
    values = [argument.value for argument in arguments]
    results = [module.kernels[kernel.name].launch(groups, *values) for _ in range(repeat)]
    for argument in arguments:
        argument.save()
    _report_profile(results[-1].profile, shows_profile, profile_file, device)
    if verbose:
        times = [result.device_ns for result in results if result.device_ns is not None]
        shown = f", {min(times) / 1e6:.3f} ms" if times else ""
        click.echo(f"{kernel.name} on {module.backend.info.name}{shown}", err=True)
