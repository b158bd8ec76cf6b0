"""Pipeline files: reading, positions, suggestions, textual form."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mltc import yamlsafe
from mltc.pipeline import (
    Choices,
    PipelineError,
    find_pipeline,
    load_pipeline,
    parse_pipeline,
    pipeline_names,
    pipeline_yaml,
)
from mltc.pipeline.model import PassItem, Pipeline
from mltc.pipeline.registry import parse_list
from mltc.pipeline.stages import IR_STAGES, PASS_STAGES
from mltc.toolchain import ToolNotFoundError, find_tool, run_tool

GOOD = """\
version: 1
name: mine
target: pvc
style: simt
interface: builtin
parameters: [num_warps]
stages:
  ttir:
    - canonicalize
    - tt.func: [cse, {canonicalize: {max-iterations: 3, top-down: false}}]
  ttgir:
    - convert-triton-to-tritongpu-warp: {num-warps: "${num_warps}"}
  intrinsic:
    - match-target-size: {max-load-size: [32, 32], max-dot-size: [8, 16, 16]}
"""


def test_textual_form() -> None:
    pipeline = parse_pipeline(GOOD, "f.yaml")
    assert pipeline.text(Choices(num_warps=16)) == (
        "builtin.module(canonicalize,tt.func(cse,canonicalize{max-iterations=3 top-down=false}),"
        "convert-triton-to-tritongpu-warp{num-warps=16},"
        "match-target-size{max-load-size=32,32 max-dot-size=8,16,16})"
    )
    assert "convert-triton-to-tritongpu-warp," in pipeline.text(Choices())
    assert pipeline.text(Choices(), ["warp"]) == "builtin.module()"


@pytest.mark.parametrize("name", pipeline_names())
def test_shipped_pipelines_read_back(name: str) -> None:
    first = load_pipeline(name)
    assert first.name == name
    again = parse_pipeline(pipeline_yaml(first), "again.yaml")
    assert again.text(Choices(8)) == first.text(Choices(8)) and dict(again.stages) == dict(
        first.stages
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("target: pvc", "targt: pvc", "f.yaml:3:1: error: unknown key 'targt'; did you mean 'target'?"),
        ("target: pvc", "targt: pvc", "error: expected a key 'target'"),
        ("target: pvc", "target: pcv", "f.yaml:3:9: error: unknown target 'pcv'; did you mean 'pvc'?"),
        ("version: 1", "version: 3", "f.yaml:1:10: error: version: input should be 1, got 3"),
        ("style: simt", "style: sitm", "f.yaml:4:8: error: style: input should be 'simt' or 'simd', got 'sitm'"),
        ("name: mine", "name: Mine!", "f.yaml:2:7: error: name: string should match pattern"),
        ("  intrinsic:", "  instrinsic:", "f.yaml:13:3: error: unknown stage 'instrinsic'; did you mean 'intrinsic'?"),
        ("  ttgir:\n", "  ttgir:\n    - cse: 3\n", "expected options of pass 'cse' as a mapping, got an integer"),
        ("    - canonicalize\n", "    - {a: {}, b: {}}\n", "f.yaml:9:7: error: expected a pass name or one 'pass: options' pair, got 2 keys"),
        ("    - canonicalize\n", "    - 3\n", "f.yaml:9:7: error: expected a pass name or one 'pass: options' pair, got an integer"),
        ("    - canonicalize\n", "    - 'a b'\n", "f.yaml:9:7: error: expected a pass name, got 'a b'"),
        ("tt.func: [", "func: [", "f.yaml:10:7: error: expected an operation name to nest on, got 'func'"),
        ("parameters: [num_warps]", "parameters: []", "f.yaml:12:53: error: parameter 'num_warps' is not declared"),
        ("parameters: [num_warps]", "parameters: [num_wraps]", "f.yaml:6:14: error: unknown parameter 'num_wraps'; did you mean 'num_warps'?"),
        ('"${num_warps}"', '"x${num_warps}"', "a ${...} value must be the whole value of an option"),
        ('"${num_warps}"', '"${HOME}"', "f.yaml:12:53: error: unknown parameter 'HOME'"),
        ('"${num_warps}"', '["${num_warps}"]', "must be the whole value of an option"),
        ('"${num_warps}"', '"1}, evil{x=1"', "expected letters, digits and _.:+*/- in a value"),
        ('"${num_warps}"', "null", "f.yaml:12:53: error: expected a string, number, boolean or list, got nothing"),
        ("top-down: false", "top-down: no", "f.yaml:10:67: error: 'no' means different things in YAML 1.1 and 1.2"),
        ("style: simt", "style: simt\nstyle: simd", "f.yaml:5:1: error: duplicate key 'style'"),
        ("  ttir:\n", "  llir: []\n  ttir:\n", "f.yaml:7:1: error: expected stages in the order ttir, ttgir, intrinsic, llir"),
        ("stages:", "stages: &a", "anchors and aliases are not accepted"),
        ("version: 1", "version: !!int 1", "f.yaml:1:10: error: tags are not accepted"),
        ("version: 1", "version: [1", "f.yaml:2:5: error: expected ',' or ']'"),
        ("version: 1", "version: 1\n\tx: 2", "f.yaml:2:1: error: found character '\\t' that cannot start any token"),
    ],
)  # fmt: skip
def test_errors_have_position_and_expectation(old: str, new: str, message: str) -> None:
    assert old in GOOD
    with pytest.raises(PipelineError) as caught:
        parse_pipeline(GOOD.replace(old, new, 1), "f.yaml")
    assert message in str(caught.value)


EXTENDING = """\
version: 1
name: mine
extends: pvc-simd
interface: vc
stages:
  llir:
    - convert-tritongpu-to-llvm: {interface: "${interface}", style: "${style}"}
"""


def test_extending() -> None:
    """A stage is replaced whole; what is not said is what the other pipeline has."""
    base, mine = load_pipeline("pvc-simd"), parse_pipeline(EXTENDING, "f.yaml")
    assert (mine.name, mine.style, mine.interface) == ("mine", "simd", "vc")
    assert mine.text(Choices(4), ["llir"]) == (
        "builtin.module(convert-tritongpu-to-llvm{interface=vc style=simd})"
    )
    assert {**mine.stages, "llir": ()} == {**base.stages, "llir": ()}
    assert list(mine.stages) == list(base.stages)
    without = parse_pipeline(EXTENDING[: EXTENDING.index("stages")], "f.yaml")
    assert without.stages == base.stages


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("extends: pvc-simd", "extends: pvc-smid", "f.yaml:3:10: error: unknown pipeline 'pvc-smid'; did you mean 'pvc-simd'?"),
        ("extends: pvc-simd", "extends: ./other.yaml", "f.yaml:3:10: error: unknown pipeline './other.yaml'"),
        ("extends: pvc-simd", "extends: 3", "f.yaml:3:10: error: extends: input should be a valid string, got 3"),
        ("extends: pvc-simd", "", "error: expected a key 'target'"),
        ("${style}", "${target}", "parameter 'target' is not declared"),
        ("  llir:", "  lir:", "f.yaml:6:3: error: unknown stage 'lir'; did you mean 'llir'?"),
    ],
)  # fmt: skip
def test_errors_of_extending(old: str, new: str, message: str) -> None:
    assert old in EXTENDING
    with pytest.raises(PipelineError) as caught:
        parse_pipeline(EXTENDING.replace(old, new, 1), "f.yaml")
    assert message in str(caught.value)


def test_all_errors_come_at_once() -> None:
    bad = GOOD.replace("target: pvc", "target: pcv").replace("tt.func: [", "func: [")
    with pytest.raises(PipelineError) as caught:
        parse_pipeline(bad, "f.yaml")
    assert len(caught.value.message.splitlines()) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a mapping at the top level, got nothing"),
        ("[]", "expected a mapping at the top level, got a list"),
        ("a: " + "[" * 30 + "]" * 30, "nested deeper than 16 levels"),
        ("a: [" + "1," * 30_000 + "]", "more than 20000 values"),
        ("#" * 300_000, "larger than 262144 bytes"),
        ("a: 1\n---\nb: 2\n", "found another document .expected a single document"),
        ("? [a]\n: 1\n", "expected a plain key"),
        ("a: " + "9" * 50, "integer with 50 digits"),
        (b"a: \xff\xfe", "not UTF-8"),
        ("a: \x00", "error"),
    ],
)
def test_hostile_documents(text: str | bytes, message: str) -> None:
    with pytest.raises(PipelineError, match=message):
        parse_pipeline(text, "f.yaml")


@given(st.text(max_size=200))
def test_any_text_is_accepted_or_an_error_of_ours(text: str) -> None:
    with contextlib.suppress(yamlsafe.YamlError):
        yamlsafe.parse(text, "f.yaml")


@pytest.mark.parametrize(
    ("text", "value"),
    [("3", 3), ("-3", -3), ("0x1F", 31), ("1.5", 1.5), ("1e3", 1000.0), ("true", True), ("null", None), ("~", None),
     ("'true'", "true"), ("0o17", "0o17"), ("1_000", "1_000"), ("12:30:45", "12:30:45"), ("2026-01-01", "2026-01-01")],
)  # fmt: skip
def test_scalars_follow_the_core_schema(text: str, value: Any) -> None:
    parsed = yamlsafe.parse(f"a: {text}", "f").data["a"]
    assert parsed == value and type(parsed) is type(value)


def test_finding_pipelines(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(GOOD)
    assert find_pipeline(str(path)) == path and load_pipeline(str(path)).name == "mine"
    with pytest.raises(PipelineError, match="unknown pipeline 'pvc-smit'; did you mean 'pvc-simt'"):
        find_pipeline("pvc-smit")
    with pytest.raises(PipelineError, match=r"no pipeline file 'absent.yaml'"):
        find_pipeline("absent.yaml")


VALUES = st.one_of(
    st.booleans(), st.integers(-(10**30), 10**30), st.floats(allow_nan=False, allow_infinity=False),
    st.from_regex(r"\A[A-Za-z0-9_.:+*/-]{1,8}\Z"),
    st.sampled_from(["1e5", "08", "y", "On", "null", "TRUE", ".5", "-", "0x1F", "1_000", "a:"]),
)  # fmt: skip
NAMES = st.from_regex(r"\A[A-Za-z][A-Za-z0-9_-]{0,6}\Z")
ITEMS = st.recursive(
    st.builds(
        PassItem, NAMES,
        st.dictionaries(NAMES, VALUES | st.lists(VALUES, max_size=3).map(tuple), max_size=3),
    ),
    lambda inner: st.builds(
        PassItem, st.just("tt.func"), st.just({}), st.lists(inner, max_size=3).map(tuple)
    ),
    max_leaves=4,
)  # fmt: skip


@settings(max_examples=50, deadline=None)
@given(
    st.text(max_size=60),
    st.dictionaries(
        st.sampled_from(PASS_STAGES), st.lists(ITEMS, max_size=3).map(tuple), min_size=1
    ),
)
@example("y", {"ttir": (PassItem("y", {"no": "1e5"}), PassItem("null"), PassItem("on"))})
def test_any_pipeline_reads_back(description: str, stages: dict[str, Any]) -> None:
    first = Pipeline(
        name="1e5", description=description, target="pvc", style="simt", interface="builtin",
        parameters=(), stages=stages, source="",
    )  # fmt: skip
    again = parse_pipeline(pipeline_yaml(first), "again.yaml")
    assert (again.name, again.description, again.stages) == ("1e5", description, stages)
    assert again.text(Choices()) == first.text(Choices())
    for item, other in zip(first.passes(), again.passes(), strict=True):  # True is not 1
        assert list(map(repr, item.options.values())) == list(map(repr, other.options.values()))


def test_escapes_and_numbers_that_are_none() -> None:
    for text in ('"\\UFFFFFFFF"', '"\\U00110000"', "1e999"):
        for fast in (False, True):
            with pytest.raises(yamlsafe.YamlError):
                yamlsafe.parse(text, "f.yaml", yamlsafe.YamlLimits(fast=fast))


LISTING = """\
Passes:
  --canonicalize                                    -   Canonicalize operations
    --max-iterations=<long>                         - Max. iterations
    --top-down                                      - Seed the worklist
  --convert-triton-to-tritongpu-warp                -   Layouts
    --num-warps=<int>                               - Warps
      =auto                                         -   text
  --cse                                             -   Eliminate common sub-expressions
  --match-target-size                               -   Split
    --max-load-size=<long>                          - Load
    --max-dot-size=<long>                           - Dot

Pass Pipelines:
  --mlt-pvc-simt                                    -   All of it
"""


def test_passes_and_options_are_checked_against_the_tool() -> None:
    registry = parse_list(LISTING)
    assert set(registry.passes) == {"canonicalize", "convert-triton-to-tritongpu-warp", "cse", "match-target-size", "mlt-pvc-simt"}  # fmt: skip
    assert registry.passes["canonicalize"].options["top-down"] == "Seed the worklist"
    registry.check(parse_pipeline(GOOD, "f.yaml"))
    bad = GOOD.replace("- canonicalize", "- canonicalise").replace("max-load-size", "max-laod-size")
    with pytest.raises(PipelineError) as caught:
        registry.check(parse_pipeline(bad, "f.yaml"))
    first, second = caught.value.message.splitlines()
    assert first == "f.yaml:9:7: error: unknown pass 'canonicalise'; did you mean 'canonicalize'?"
    assert second.startswith(
        "f.yaml:14:27: error: pass 'match-target-size' has no option 'max-laod-size'; did you mean"
    )


def test_an_unreadable_list_checks_nothing() -> None:
    parse_list("something else entirely\n").check(parse_pipeline(GOOD, "f.yaml"))


@pytest.mark.parametrize("name", ["pvc-simt", "pvc-simd"])
def test_the_pipeline_of_mlt_opt_is_the_one_of_the_file(name: str) -> None:
    """``mlt-opt --mlt-NAME`` and the file, with every option as the passes understood it."""
    try:
        tool = find_tool("mlt-opt")
    except ToolNotFoundError:
        pytest.skip("no mlt-opt")

    def dump(*options: str) -> str:
        arguments = ["-", *options, "--dump-pass-pipeline"]
        done = run_tool(tool, arguments, timeout=60, input=b"module {}")
        shown = done.stderr.decode()
        assert "builtin.module(" in shown
        return shown

    text = load_pipeline(name).text(Choices(), IR_STAGES)
    assert dump(f"--mlt-{name}") == dump(f"--pass-pipeline={text}")
