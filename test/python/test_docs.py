"""Examples in the documentation are real: they are run or parsed here."""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
import yaml

from mltc.cli.main import main
from mltc.package import Manifest
from mltc.package.manifest import parse
from mltc.pipeline import ALL_STAGES, Choices
from mltc.pipeline.load import parse_pipeline

DOCS = Path(__file__).parents[2] / "docs"


def blocks(name: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (DOCS / name).read_text(), re.DOTALL)


def test_the_manifest_example_is_valid() -> None:
    (text,) = blocks("package.md", "json")
    manifest = parse(text.encode(), Manifest)
    assert manifest.build is not None and manifest.kernels[0].preconditions


def test_the_pipeline_example_is_valid() -> None:
    (text,) = blocks("driver.md", "yaml")
    head = {
        "version": 1, "name": "x", "target": "pvc", "style": "simt", "interface": "builtin",
        "parameters": ["num_warps"],
    }  # fmt: skip
    pipeline = parse_pipeline(yaml.safe_dump(head, sort_keys=False) + text, "driver.md")
    assert "tt.func(canonicalize,cse)" in pipeline.text(Choices())


def test_the_stage_table_is_complete() -> None:
    text = (DOCS / "driver.md").read_text()
    assert re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE) == list(ALL_STAGES)


def test_options_in_the_documentation_exist() -> None:
    known = {opt for command in main.commands.values() for p in command.params for opt in p.opts}
    known |= {opt for c in main.commands.values() for p in c.params for opt in p.secondary_opts}
    known |= {"--as", "--pass-pipeline", "--mlt-to-manifest"}
    for name in ("driver.md", "package.md", "runtime.md"):
        used = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", (DOCS / name).read_text()))
        assert used <= known, used - known


TBLGEN = Path(sysconfig.get_path("purelib")) / "mlir" / "bin" / "mlir-tblgen"


@pytest.mark.skipif(
    not TBLGEN.exists(), reason="no mlir-tblgen: the wheels of requirements are not installed"
)
def test_the_generated_reference_is_up_to_date() -> None:
    """``make docs`` was run after the last change of a .td file."""
    command = [sys.executable, str(DOCS / "generate.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
