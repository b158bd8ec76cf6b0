"""``mltc pipeline``, ``mltc targets``, ``mltc passes``: what there is to choose from."""

from __future__ import annotations

import click

from mltc.cli.build import AutoOrInt
from mltc.cli.output import print_json, table
from mltc.errors import UsageError, did_you_mean
from mltc.pipeline import (
    PASS_STAGES,
    Choices,
    load_pipeline,
    pipeline_names,
    pipeline_yaml,
    read_registry,
)
from mltc.target import load_target, target_data, target_names
from mltc.toolchain import find_tool


@click.group()
def pipeline() -> None:
    """List, show and check pass pipelines."""


@pipeline.command("list")
def pipeline_list() -> None:
    """List the pipelines that come with mltc."""
    loaded = [load_pipeline(name) for name in pipeline_names()]
    click.echo(table([(p.name, p.target, p.style, p.interface, p.description) for p in loaded]))


@pipeline.command("show")
@click.argument("name", metavar="NAME|FILE")
@click.option(
    "--as",
    "form",
    type=click.Choice(["text", "yaml"]),
    default="yaml",
    show_default=True,
    help="text is what mlt-opt --pass-pipeline takes.",
)
@click.option("--num-warps", type=AutoOrInt(), default="auto", show_default=True)
@click.option("--to", "to_stage", metavar="STAGE", help="Only up to this stage (text).")
def pipeline_show(name: str, form: str, num_warps: int | str, to_stage: str | None) -> None:
    """Show a pipeline."""
    shown = load_pipeline(name)
    if form == "yaml":
        click.echo(pipeline_yaml(shown), nl=False)
        return
    last = to_stage or PASS_STAGES[-1]
    if last not in PASS_STAGES:
        raise UsageError(f"--to: unknown stage '{last}'{did_you_mean(last, PASS_STAGES)}")
    stages = PASS_STAGES[: PASS_STAGES.index(last) + 1]
    warps = num_warps if isinstance(num_warps, int) else None
    click.echo(shown.text(Choices(num_warps=warps), stages))


@pipeline.command("check")
@click.argument("name", metavar="NAME|FILE")
def pipeline_check(name: str) -> None:
    """Check a pipeline file, its passes and options against mlt-opt."""
    checked = load_pipeline(name)
    read_registry(find_tool("mlt-opt")).check(checked)
    click.echo(f"{checked.name}: {len(checked.passes())} passes, no error")


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the whole descriptions.")
def targets(as_json: bool) -> None:
    """List the devices mltc compiles for."""
    if as_json:
        print_json({name: target_data(name) for name in target_names()})
        return
    loaded = [load_target(name) for name in target_names()]
    rows = [
        (
            target.name,
            target.product_config,
            f"{'/'.join(str(mode.registers) for mode in target.grf.modes)} registers",
            f"{target.slm_bytes.value} bytes SLM",
            target.description,
        )
        for target in loaded
    ]
    click.echo(table(rows))


@click.command()
@click.argument("name", required=False, metavar="[PASS]")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def passes(name: str | None, as_json: bool) -> None:
    """List the passes of mlt-opt, or the options of one."""
    found = read_registry(find_tool("mlt-opt")).passes
    if name is not None:
        if name not in found:
            raise UsageError(f"unknown pass '{name}'{did_you_mean(name, found)}")
        found = {name: found[name]}
    if as_json:
        print_json(
            {n: {"summary": i.summary, "options": dict(i.options)} for n, i in found.items()}
        )
        return
    click.echo(table([(pass_name, info.summary) for pass_name, info in found.items()]))
    if name is not None and found[name].options:
        click.echo(table(list(found[name].options.items()), "    "))
