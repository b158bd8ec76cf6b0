"""Small random changes of TTIR text: types, shapes, operands, attributes, words, lines.

Each mutation takes a module and a random generator and returns the changed text, or the same
text where it finds nothing to change. Most results are wrong modules, some stay right.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

_ELEMENTS = ("f16", "bf16", "f32", "f64", "i1", "i8", "i16", "i32", "i64", "f8E5M2", "f8E4M3FN")
_WORDS = (
    ("rtne", "rtz"), ("none", "all"), ("tf32", "tf32x3", "ieee"), ("cg", "ca", "wb", "cs", "xx"),
    ("e2m1", "e4m3", "e5m2", "bf16", "fp16"), ("acq_rel", "relaxed", "acquire", "release"),
    ("gpu", "sys", "cta"), ("fadd", "add", "max", "umax", "xchg", "and", "exch"),
    ("true", "false"), ("reduce.return", "scan.return", "map_elementwise.return"),
    ("tt.load", "tt.store", "tt.lode"), ("tt.broadcast", "tt.reshape", "tt.splat"),
    ("tt.trans", "tt.expand_dims"), ("evict_last", "evict_first", "evict_normal"),
)  # fmt: skip


def _change(
    text: str, pattern: str, new: Callable[[re.Match[str]], str], rng: random.Random
) -> str:
    """One match changed, or now and then every equal one."""
    found = list(re.finditer(pattern, text))
    if not found:
        return text
    match = rng.choice(found)
    if rng.random() < 0.5:
        return text.replace(match.group(), new(match))
    return text[: match.start()] + new(match) + text[match.end() :]


def _element(text: str, rng: random.Random) -> str:
    names = "|".join(sorted(_ELEMENTS, key=len, reverse=True))
    return _change(text, rf"(?<![a-zA-Z%_])({names})(?!\w)|(?<=x)({names})(?!\w)",
                   lambda _: rng.choice(_ELEMENTS), rng)  # fmt: skip


def _shape(text: str, rng: random.Random) -> str:
    def other(match: re.Match[str]) -> str:
        size = int(match.group())
        return str(rng.choice([1, 2, size * 2, max(1, size // 2), size + 1, 0]))

    return _change(text, r"(?<=[<x])\d+(?=x)", other, rng)


def _rank(text: str, rng: random.Random) -> str:
    return _change(
        text, r"(?<=tensor<)\d+x|(?<=tensor<)(?=\d)", lambda _: rng.choice(["", "1x", "4x"]), rng
    )


def _operand(text: str, rng: random.Random) -> str:
    names = sorted(set(re.findall(r"%\w+", text)))
    return _change(text, r"%\w+(?!\w| =)", lambda _: rng.choice(names), rng)


def _dropped(text: str, rng: random.Random) -> str:
    return _change(text, r", %\w+|, \w+ = [\w :<>.,]+?(?=[,}])|\{[^{}\n]*\}", lambda _: "", rng)


def _integer(text: str, rng: random.Random) -> str:
    return _change(
        text,
        r"(?<= = )-?\d+(?= :)|(?<=array<i32: )\d+",
        lambda _: str(rng.choice([-1, 0, 1, 2, 3, 4, 8])),
        rng,
    )


def _attribute_type(text: str, rng: random.Random) -> str:
    return _change(
        text, r"(?<=\d : )i32|(?<=array<)i32", lambda _: rng.choice(["i64", "i8", "f32"]), rng
    )


def _word(text: str, rng: random.Random) -> str:
    group = rng.choice(_WORDS)
    pattern = "|".join(rf"(?<![\w.]){re.escape(word)}(?!\w)" for word in group)
    return _change(text, pattern, lambda _: rng.choice(group), rng)


def _encoding(text: str, rng: random.Random) -> str:
    return _change(
        text, r"(?<=tensor<)[\dx]+x(?:f|i|bf)\d+(?=>)", lambda m: m.group() + ', "layout"', rng
    )


def _line(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    index = rng.randrange(len(lines))
    if rng.random() < 0.5:
        del lines[index]
    else:
        lines.insert(index, rng.choice(lines))
    return "\n".join(lines)


def _pointer(text: str, rng: random.Random) -> str:
    return _change(
        text,
        r"!tt\.ptr<\w+>",
        lambda m: rng.choice([m.group()[:-1] + ", 3>", "i64", f"!tt.ptr<{m.group()}>"]),
        rng,
    )


MUTATIONS = [_element, _element, _shape, _shape, _rank, _operand, _operand, _dropped, _integer,
             _attribute_type, _word, _word, _encoding, _line, _pointer]  # fmt: skip
