"""``mltc doctor``: which tools, packages and devices there are, and what is missing."""

from __future__ import annotations

import os
import platform
import sys
from importlib import metadata
from typing import Any

import click

import mltc
from mltc.cli.output import print_json, table
from mltc.errors import MltcError
from mltc.pipeline import pipeline_names
from mltc.runtime.sycl import import_dpctl
from mltc.target import target_names
from mltc.toolchain import ToolFailure, ToolNotFoundError, find_tool, ocloc_generation

TOOLS = {
    "mlt-opt": "needed to build",
    "mlt-translate": "needed to build",
    "llvm-spirv": "needed to build",
    "ocloc": "needed to build",
    "iga64": "disassembly",
}
PACKAGES = ("numpy", "pydantic", "pyyaml", "pyelftools", "click", "dpctl", "intel-opencl-rt")


def _tool(name: str) -> dict[str, Any]:
    try:
        tool = find_tool(name)
    except ToolNotFoundError as error:
        return {"found": False, "purpose": TOOLS[name], "hint": error.hint}
    data: dict[str, Any] = {"found": True, "purpose": TOOLS[name], "origin": tool.origin}
    try:
        data["version"] = tool.version()
    except ToolFailure as failure:
        return {**data, "version": None, "problem": failure.reason}
    if name == "ocloc":
        info = ocloc_generation(tool)
        data |= {"igc": info.igc_version, "generation": info.generation, "problem": info.warning}
    return data


def _package(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _devices() -> dict[str, Any]:
    try:
        dpctl = import_dpctl()
        devices = [
            {"filter": d.filter_string, "name": d.name.strip(), "driver": d.driver_version}
            for d in dpctl.get_devices()
        ]
        return {"devices": devices, "problem": None if devices else "no SYCL device found"}
    except MltcError as error:
        return {"devices": [], "problem": error.message}


def collect() -> dict[str, Any]:
    """Everything the command reports."""
    keys = ("MLTC_TOOLCHAIN", "OCL_ICD_FILENAMES", "ONEAPI_DEVICE_SELECTOR")
    return {
        "mltc": mltc.__version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "prefix": sys.prefix,
        "tools": {name: _tool(name) for name in TOOLS},
        "packages": {name: _package(name) for name in PACKAGES},
        "runtime": _devices(),
        "environment": {key: os.environ[key] for key in keys if key in os.environ},
        "targets": target_names(),
        "pipelines": pipeline_names(),
    }


def problems(report: dict[str, Any]) -> list[str]:
    """What is missing or doubtful, one line each."""
    found = []
    for name, tool in report["tools"].items():
        if not tool["found"]:
            found.append(f"{name} not found ({tool['purpose']}): {tool['hint']}")
        elif tool.get("problem"):
            found.append(f"{name}: {tool['problem']}")
    if report["runtime"]["problem"]:
        found.append(f"running packages: {report['runtime']['problem']}")
    return found


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def doctor(as_json: bool) -> None:
    """Show which tools and devices were found; exit code 1 when something is missing."""
    report = collect()
    missing = problems(report)
    if as_json:
        print_json({**report, "problems": missing})
        sys.exit(1 if missing else 0)
    click.echo(f"mltc {report['mltc']}, Python {report['python']}, {report['platform']}")
    rows = [
        (name, tool.get("version") or "-", tool.get("origin", "not found"))
        for name, tool in report["tools"].items()
    ]
    click.echo(table(rows))
    click.echo(
        table([(name, version or "not installed") for name, version in report["packages"].items()])
    )
    for device in report["runtime"]["devices"]:
        click.echo(f"device {device['filter']}: {device['name']}, driver {device['driver']}")
    click.echo(
        f"targets: {', '.join(report['targets'])}; pipelines: {', '.join(report['pipelines'])}"
    )
    for line in missing:
        click.echo(f"missing: {line}", err=True)
    sys.exit(1 if missing else 0)
