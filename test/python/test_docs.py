"""Examples in the documentation are real: they are run or parsed here."""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import click
import pytest
import yaml

from mltc.cli.main import main
from mltc.package import Manifest
from mltc.package.manifest import parse
from mltc.pipeline import ALL_STAGES, Choices
from mltc.pipeline.load import parse_pipeline

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


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


def commands(path: Path) -> list[list[str]]:
    """Every command line of a document: of its code blocks, and what stands in backticks."""
    text = path.read_text()
    lines = []
    for block in re.findall(r"```\w*\n(.*?)```", text, re.DOTALL):
        lines += block.replace("\\\n", " ").splitlines()
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    lines += [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", prose)]
    found = []
    for line in lines:
        line = re.sub(r"^\$ |\s+#.*$", "", line.strip())
        if re.match(r"(mltc|make|python bench/\w+\.py) ", line):
            found.append(re.sub(r"[][]", " ", line).split())
    return found


def options_of(words: list[str]) -> tuple[str, set[str]]:
    """The command that a line runs, and its options with those of the commands around it."""
    command: click.Command = main
    options, names = {"--help", "-h", "--version"}, words[:1]
    for word in words[1:]:
        if not isinstance(command, click.Group):
            break
        assert word in command.commands, f"no command {word}: {' '.join(words)}"
        command, names = command.commands[word], [*names, word]
        options |= {o for p in command.params for o in (*p.opts, *p.secondary_opts)}
    return " ".join(names), options


@pytest.mark.parametrize("path", [ROOT / "README.md", *sorted(DOCS.glob("*.md"))], ids=lambda p: p.name)  # fmt: skip
def test_command_lines_in_documents(path: Path) -> None:
    """Each option that a line gives is one of that line's own command, and so is the command."""
    wrong = []
    for words in commands(path):
        given = [re.split("[=|]", word)[0] for word in words if re.match(r"--?[a-z]", word)]
        if "--" in words:
            behind = words[words.index("--") :]
            given = [option for option in given if option not in behind]
        if words[0] == "mltc":
            name, known = options_of(words)
        elif words[0] == "python":
            name = words[1]
            known = set(re.findall(r'add_argument\(\s*"(--[\w-]+)"', (ROOT / name).read_text()))
        else:
            name, known = f"make {words[1]}", set()
            assert re.search(rf"^{words[1]}:", (ROOT / "Makefile").read_text(), re.MULTILINE), name
        wrong += [f"{name} has no {option}" for option in given if option not in known]
    assert not wrong


def test_options_in_prose_exist() -> None:
    known = {opt for command in main.commands.values() for p in command.params for opt in p.opts}
    known |= {opt for c in main.commands.values() for p in c.params for opt in p.secondary_opts}
    known |= {"--as", "--pass-pipeline", "--mlt-to-manifest"}
    for name in ("driver.md", "package.md", "runtime.md"):
        used = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", (DOCS / name).read_text()))
        assert used <= known, used - known


def test_every_command_and_document_is_mentioned() -> None:
    """A command stands in some command line, a document in the list of the README."""
    paths = [ROOT / "README.md", *DOCS.glob("*.md")]
    used = {words[1] for path in paths for words in commands(path) if words[0] == "mltc"}
    assert set(main.commands) - used == set()
    linked = set(re.findall(r"\(docs/([\w-]+\.md)\)", (ROOT / "README.md").read_text()))
    assert {path.name for path in DOCS.glob("*.md")} - linked == set()


TBLGEN = Path(sysconfig.get_path("purelib")) / "mlir" / "bin" / "mlir-tblgen"


@pytest.mark.skipif(
    not TBLGEN.exists(), reason="no mlir-tblgen: the wheels of requirements are not installed"
)
def test_the_generated_reference_is_up_to_date() -> None:
    """``make docs`` was run after the last change of a .td file."""
    command = [sys.executable, str(DOCS / "generate.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
