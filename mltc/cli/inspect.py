"""``mltc inspect`` and ``mltc disasm``: what is in a package."""

from __future__ import annotations

from typing import Any

import click

from mltc.cli.output import print_json, print_note, table
from mltc.package import Kernel, Manifest, Package, PackageError, isa, read_package
from mltc.package.container import SECTION, read_bytes
from mltc.package.expression import render
from mltc.package.manifest import AnyPrecondition, Array, BaseAlignment, Block2D, select_kernel
from mltc.package.zebin import KernelInfo, Zebin, ZebinError, read_zebin
from mltc.target import TargetError, load_target, target_names
from mltc.toolchain import ToolNotFoundError

SCHEMA_VERSION = 1


def _read(path: str) -> tuple[Zebin, Package | None]:
    data = read_bytes(path)
    try:
        zebin = read_zebin(data)
    except ZebinError as error:
        raise ZebinError(f"{path}: {error.message}") from None
    return zebin, read_package(data, path) if SECTION in zebin.sections else None


def _platform(zebin: Zebin) -> str:
    """iga64's name of the device a binary was built for.

    Raises:
        TargetError: no target describes it.
    """
    for name in target_names():
        target = load_target(name)
        if zebin.is_for(target.product, target.gfx_core.value if target.gfx_core else None):
            return target.iga_platform
    config = zebin.product_config
    shown = ".".join(map(str, config)) if config else "unknown"
    raise TargetError(f"no description of the device this binary is for ({shown})")


def _code_data(zebin: Zebin, name: str, platform: str) -> dict[str, Any]:
    code = isa.analyse(isa.disassemble(zebin.code(name), platform))

    def counts(part: isa.Counts) -> dict[str, Any]:
        return {
            "instructions": part.total,
            "dpas": part.opcodes["dpas"],
            "load_block2d": part.messages_like("load_block2d"),
            "store_block2d": part.messages_like("store_block2d"),
            "calls": part.calls,
            "opcodes": dict(part.opcodes.most_common()),
            "messages": dict(part.messages.most_common()),
        }

    loops = [{"label": loop.label, **counts(loop.counts)} for loop in code.loops]
    return {**counts(code.counts), "innermost_loops": loops}


def _native_data(info: KernelInfo) -> dict[str, Any]:
    return {
        "registers": info.grf_count,
        "simd": info.simd_size,
        "slm_bytes": info.slm_size,
        "barriers": info.barrier_count,
        "spill_bytes": info.spill_size,
        "private_bytes": info.private_size,
        "stack_calls": info.has_stack_calls,
    }


def _collect(zebin: Zebin, package: Package | None, with_code: bool) -> dict[str, Any]:
    data: dict[str, Any] = {"schema": SCHEMA_VERSION}
    config = zebin.product_config
    data["device"] = ".".join(map(str, config)) if config else None
    data["manifest"] = (
        package.manifest.model_dump(mode="json", exclude_none=True) if package else None
    )
    data["portable_bytes"] = len(package.spirv) if package and package.spirv else 0
    kernels = {}
    for name, info in zebin.kernels.items():
        kernels[name] = {**_native_data(info), "code_bytes": len(zebin.code(name))}
        if with_code and zebin.code(name):
            kernels[name]["code"] = _code_data(zebin, name, _platform(zebin))
    data["native"] = kernels
    return data


def _rule_text(rule: AnyPrecondition, kernel: Kernel) -> str:
    where = f"  at {rule.loc}" if rule.loc else ""
    names = kernel.names
    if isinstance(rule, BaseAlignment):
        name = names.get(rule.arg, f"arg{rule.arg}")
        return f"{name} aligned to {rule.value} bytes{where}"
    if isinstance(rule, Array | Block2D):
        moved = "a moved base"
        name = moved if rule.base is None else names.get(rule.base, f"arg{rule.base}")
        width, height, pitch = (render(t, names) for t in (rule.width, rule.height, rule.pitch))
        shape = f"{height} x {width}, pitch {pitch}, {rule.elem_bytes}-byte elements"
        what = f"2-D {rule.access}" if isinstance(rule, Block2D) else "array"
        return f"{what} of {name}: {shape}{where}"
    return f"{render(rule.lhs, names)} {rule.compare} {render(rule.rhs, names)}{where}"


def _print_kernel(kernel: Kernel) -> None:
    click.echo(f"kernel {kernel.name}")
    x, y, z = kernel.local_size
    click.echo(
        f"  {kernel.num_warps} warps, sub-group size {kernel.sub_group_size}, "
        f"local size {x} x {y} x {z}, {kernel.slm_bytes} bytes of SLM"
    )
    rows = [
        (
            str(arg.index),
            arg.name or "-",
            f"{'*' if arg.is_pointer else ''}{arg.type}",
            f"multiple of {arg.divisibility}" if arg.divisibility and arg.divisibility > 1 else "",
        )
        for arg in kernel.args
    ]
    click.echo(table(rows, "    "))
    if kernel.preconditions:
        click.echo("  launch preconditions")
        for text in dict.fromkeys(_rule_text(rule, kernel) for rule in kernel.preconditions):
            click.echo(f"    {text}")


def _print_build(manifest: Manifest) -> None:
    build = manifest.build
    if build is None:
        return
    tools = ", ".join(f"{name} {version}" for name, version in build.tools.items())
    click.echo(f"built from {build.input_name} by mltc {build.mltc} with {tools}")
    click.echo(f"  pipeline {build.pipeline}: {build.pipeline_text}")
    if build.grf is not None:
        click.echo(f"  {build.grf.registers} registers per thread ({build.grf.reason})")


def _print_native(name: str, data: dict[str, Any]) -> None:
    click.echo(
        f"native code of {name}: SIMD{data['simd']}, {data['registers']} registers, "
        f"{data['spill_bytes']} bytes spilled, {data['slm_bytes']} bytes of SLM, "
        f"{data['code_bytes']} bytes"
    )
    code = data.get("code")
    if code is None:
        return
    parts = [("all", code), *((f"loop {loop['label']}", loop) for loop in code["innermost_loops"])]
    for label, part in parts:
        click.echo(
            f"  {label}: {part['instructions']} instructions, {part['dpas']} dpas, "
            f"{part['load_block2d']} block loads, {part['store_block2d']} block stores, "
            f"{part['calls']} calls"
        )


@click.command()
@click.argument("package", metavar="PACKAGE")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--code/--no-code", default=True, show_default=True, help="Disassemble and count.")
def inspect(package: str, as_json: bool, code: bool) -> None:
    """Show what is in a package, or in any zebin."""
    zebin, content = _read(package)
    try:
        data = _collect(zebin, content, code)
    except (ToolNotFoundError, TargetError) as error:
        print_note(f"{error.message.split(';')[0]}: the code is not counted")
        data = _collect(zebin, content, False)
    if as_json:
        print_json(data)
        return
    if content is None:
        click.echo("a zebin without a manifest of mltc")
    else:
        manifest = content.manifest
        device = f" ({data['device']})" if data["device"] else ""
        click.echo(
            f"package for {manifest.target}{device}, style {manifest.style}, interface "
            f"{manifest.interface}, portable code: {data['portable_bytes']} bytes"
        )
        _print_build(manifest)
        for kernel in manifest.kernels:
            _print_kernel(kernel)
    for name, native in data["native"].items():
        _print_native(name, native)


@click.command()
@click.argument("package", metavar="PACKAGE")
@click.option("--kernel", "name", metavar="NAME", help="Only this kernel.")
def disasm(package: str, name: str | None) -> None:
    """Disassemble the machine code of a package, or of any zebin."""
    zebin, _ = _read(package)
    if not zebin.kernels:
        raise PackageError(f"{package}: no native code to disassemble")
    chosen = zebin.kernels if name is None else {name: select_kernel(zebin.kernels, name)}
    platform = _platform(zebin)
    for kernel in chosen:
        click.echo(f"// kernel {kernel}")
        click.echo(isa.disassemble(zebin.code(kernel), platform).rstrip())
