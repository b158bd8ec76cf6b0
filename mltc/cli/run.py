"""``mltc run``."""

from __future__ import annotations

import click

from mltc.cli.arguments import parse_argument
from mltc.errors import UsageError
from mltc.package import Kernel, read_package
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
    help="opencl:cpu, level_zero:gpu, or another dpctl device.",
)
@click.option(
    "--repeat",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Launch so often; the time shown is the shortest.",
)
@click.option("-v", "--verbose", is_flag=True, help="Show device and time.")
def run(
    package: str, grid: str, texts: tuple[str, ...], name: str | None, device: str, repeat: int,
    verbose: bool,
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
    if verbose:
        times = [result.device_ns for result in results if result.device_ns is not None]
        shown = f", {min(times) / 1e6:.3f} ms" if times else ""
        click.echo(f"{kernel.name} on {module.backend.info.name}{shown}", err=True)
