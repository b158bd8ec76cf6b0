"""Single instructions on the simulator against a model of their own, on random operands.

The table says which operand types an instruction takes and what it means; regions, modifiers,
predicates, masks, saturation and flags are drawn at random. Many instructions share one kernel:
each has registers of its own filled from memory, and what it left there is compared bit by bit,
also where it should have left nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
import pytest
from randomness import rng

from execution import machine_model as model
from execution.machine_code import (
    AT,
    BEFORE,
    DESTINATION,
    FILE,
    ITEMS,
    SIMD,
    SOURCES,
    Bytes,
    execute,
    missing_tools,
)  # fmt: skip
from execution.machine_model import TYPES, Mode, Type, Value

pytestmark = pytest.mark.skipif(bool(missing_tools()), reason=f"no {missing_tools()}")

Meaning = Callable[..., Value]


@dataclass(frozen=True)
class Op:
    """An instruction: destination and source types, and what a lane becomes."""

    name: str
    types: tuple[str, ...]
    meaning: Meaning | None = None
    saturates: bool = True
    conditions: tuple[str, ...] = ("eq", "ne", "lt", "le", "gt", "ge")
    modifiers: tuple[str, ...] = ("", "", "-", "(abs)", "-(abs)")


@dataclass
class Source:
    """Of one case; ``lane`` is the element of every lane."""

    kind: Type
    text: str
    lane: list[int]
    modifier: str = ""
    constant: int | None = None


@dataclass
class Case:
    """One instruction with what surrounds it."""

    op: Op
    text: str
    kind: Type
    sources: list[Source]
    lanes: int
    channel: int
    start: int  # first element of the destination
    step: int
    written: bool = True
    override: bool = False
    predicate: tuple[int, bool] | None = None  # bit, inverted
    condition: str = ""
    flag: int = 0
    saturate: bool = False
    extra: dict[str, int] = field(default_factory=dict)


def integers(*dst: str) -> tuple[str, ...]:
    """Additions: every mixture of narrow sources."""
    return tuple(f"{d} {a} {b}" for d in dst for a in ("w", "d", "ub") for b in ("uw", "d", "b"))


ADD = (*integers("d", "ud", "w"), "q q q", "q d q", "uq ud ud")
REALS = ("f f f", "hf hf hf", "df df df", "f hf f", "hf f hf", "f f hf")
LOGIC = ("ud ud ud", "d w d", "uw uw uw", "q q q", "uq uq ud")
SAME = tuple(" ".join([t] * 3) for t in ("d", "ud", "w", "uw", "q", "uq", "f", "hf", "df"))
COMPARED = (*SAME, "d d ud", "d ud w", "d w uw", "d b ub", "f hf f")
NONE: tuple[str, ...] = ()
INVERTED = ("", "~")
MOVES = tuple(
    f"{d} {s}"
    for d in TYPES
    for s in TYPES
    # No hardware converts these in one step.
    if not ({d, s} & {"b", "ub"} and {d, s} & {"q", "uq", "df"})
    and not ({d, s} & {"hf"} and {d, s} & {"q", "uq", "df"})
    and not ({d, s} & {"bf", "tf32"} and d != s and "f" not in (d, s))
    and s != "tf32"
)

TABLE = [
    Op("mov", MOVES, lambda m, a: a),
    Op("add", ADD + REALS, model.add),
    Op("add3", ("d d d d", "w w w w", "ud ud ud ud", "d w d w"), model.add, saturates=False),
    Op("mul", ("d w w", "d d w", "ud uw uw", "w w b", "d d d", "q d d", "uq ud ud", *REALS),
       model.mul, saturates=False),
    Op("mul", REALS, model.mul),
    Op("mad", ("d d w w", "w w w w", "d d d w", "ud ud uw uw", "f f f f", "hf hf hf hf",
               "df df df df", "f f hf hf"), model.mad, saturates=False),
    Op("avg", ("d d d", "ud ud ud", "w w w"), lambda m, a, b: (a + b + 1) >> 1,
       conditions=NONE),
    Op("and", LOGIC, lambda m, a, b: a & b, False, ("eq", "ne"), INVERTED),
    Op("or", LOGIC, lambda m, a, b: a | b, False, ("eq", "ne"), INVERTED),
    Op("xor", LOGIC, lambda m, a, b: a ^ b, False, ("eq", "ne"), INVERTED),
    Op("not", ("ud ud", "w w", "q q"), lambda m, a: ~a, False, ("eq", "ne"), INVERTED),
    Op("shl", ("d d d", "ud ud uw", "d w w", "uw uw uw"), lambda m, a, b: a << (b & 31), False,
       NONE, ("",)),
    Op("shl", ("q q q", "uq uq ud"), lambda m, a, b: a << (b & 63), False, NONE, ("",)),
    Op("shr", ("ud ud ud", "uw uw uw", "ud uw ud"), lambda m, a, b: a >> (b & 31), False,
       ("eq", "ne"), ("",)),
    Op("shr", ("uq uq uq",), lambda m, a, b: a >> (b & 63), False, NONE, ("",)),
    Op("asr", ("d d d", "w w w", "d w ud"), lambda m, a, b: a >> (b & 31), False, NONE, ("",)),
    Op("asr", ("q q q", "q q ud"), lambda m, a, b: a >> (b & 63), False, NONE, ("",)),
    Op("rol", ("ud ud ud",), lambda m, a, b: model.rotate(a, b, 32), False, NONE, ("",)),
    Op("rol", ("uw uw uw",), lambda m, a, b: model.rotate(a, b, 16), False, NONE, ("",)),
    Op("ror", ("ud ud ud",), lambda m, a, b: model.rotate(a, -b, 32), False, NONE, ("",)),
    Op("ror", ("uw uw uw",), lambda m, a, b: model.rotate(a, -b, 16), False, NONE, ("",)),
    Op("bfn", ("ud ud ud ud", "d d d d"), None, False, ("eq", "ne"), ("",)),
    Op("bfn", ("uw uw uw uw",), None, False, NONE, ("",)),
    Op("cbit", ("ud ud", "ud uw", "ud ub"), lambda m, a: int(a).bit_count(), False, NONE, ("",)),
    Op("fbl", ("ud ud",), lambda m, a: model.first_bit(a), False, NONE, ("",)),
    Op("fbh", ("ud ud",), lambda m, a: model.leading_sign_bits(a, False), False, NONE, ("",)),
    Op("fbh", ("ud d",), lambda m, a: model.leading_sign_bits(a, True), False, NONE, ("",)),
    Op("lzd", ("ud ud",), lambda m, a: 32 - int(a).bit_length(), False, NONE, ("",)),
    Op("bfrev", ("ud ud",), lambda m, a: int(f"{a:032b}"[::-1], 2), False, NONE, ("",)),
    Op("bfe", ("ud ud ud ud",), lambda m, a, b, c: model.bit_field(a, b, c, False), False, NONE,
       ("",)),
    Op("bfe", ("d d d d",), lambda m, a, b, c: model.bit_field(a, b, c, True), False, NONE, ("",)),
    Op("bfi1", ("ud ud ud",), lambda m, a, b: ((1 << (a & 31)) - 1) << (b & 31), False, NONE,
       ("",)),
    Op("bfi2", ("ud ud ud ud",), lambda m, a, b, c: model.insert_field(a, b, c), False, NONE,
       ("",)),
    *(Op("dp4a", (f"d d {a} {b}",),
         lambda m, t, x, y, s=(a == "d", b == "d"): model.dot_of_bytes(t, x, y, s), False, NONE,
         ("",)) for a in ("d", "ud") for b in ("d", "ud")),
    Op("sel", SAME, None),
    Op("csel", ("f f f f", "hf hf hf hf", "d d d d", "w w w w"), None, saturates=False),
    Op("cmp", COMPARED, None, saturates=False),
    Op("rndd", ("f f", "hf hf"), lambda m, a: _rounded(a, np.floor)),
    Op("rndu", ("f f", "hf hf"), lambda m, a: _rounded(a, np.ceil)),
    Op("rndz", ("f f", "hf hf"), lambda m, a: _rounded(a, np.trunc)),
    Op("rnde", ("f f", "hf hf"), lambda m, a: _rounded(a, np.rint)),
    Op("frc", ("f f", "hf hf"), lambda m, a: model.add(m, a, -_rounded(a, np.floor)),
       saturates=False),
]  # fmt: skip


def _rounded(value: Value, how: Callable[..., Value]) -> float:
    return float(how(np.float64(value)))


# Drawing cases.

REGIONS = ((1, 1, 0), (1, 1, 0), (0, 1, 0), (2, 1, 0), (4, 4, 1), (8, 8, 1), (8, 4, 2), (4, 2, 1))


class Pools:
    """Drawn once for each type, as exact rounding is slow; operands are picked from them."""

    def __init__(self, random: np.random.Generator) -> None:
        self._random = random
        self._pools: dict[Type, Bytes] = {}

    def pick(self, kind: Type, count: int) -> bytes:
        """Bytes of some elements."""
        if kind not in self._pools:
            drawn = b"".join(
                e.to_bytes(kind.size, "little") for e in model.elements(self._random, kind, 800)
            )
            self._pools[kind] = np.frombuffer(drawn, np.uint8).reshape(-1, kind.size)
        pool = self._pools[kind]
        return pool[self._random.integers(0, len(pool), count)].tobytes()


def region(
    random: np.random.Generator, kind: Type, lanes: int, ternary: bool, last: bool
) -> tuple[str, list[int]]:
    """A region that stays in an operand's registers: its text, and the element of each lane."""
    room = 128 // kind.size  # two registers
    while True:
        if ternary:
            vertical = int(random.choice([1, 1, 0, 4]))
            lane = [vertical * i for i in range(lanes)]
            text = f"<{vertical}>" if last else f"<{vertical};0>"
        else:
            v, w, h = REGIONS[random.integers(len(REGIONS))]
            lane = [i // w * v + i % w * h for i in range(lanes)]
            text = f"<{v};{w},{h}>"
            if w > lanes:
                continue
        if max(lane) < room:
            start = int(random.integers(0, min(room - max(lane), 64 // kind.size)))
            if ternary or random.random() < 0.5:
                start = 0
            if kind.size == 1:  # only even bytes can be named
                start &= ~1
            return f".{start}{text}", [start + e for e in lane]


WITH_CONSTANTS = ("add", "mul", "mov", "cmp")


def draw_source(
    random: np.random.Generator, op: Op, kind: Type, lanes: int, at: int, count: int
) -> Source:
    """A source of one case, ``at`` of ``count``."""
    can = op.name in WITH_CONSTANTS and kind.name in ("d", "ud", "f", "w", "uw")
    if can and at == count - 1 and random.random() < 0.12:
        (bits,) = model.elements(random, kind, 1)
        return Source(kind, f"0x{bits:0{2 * kind.size}x}:{kind.name}", [0] * lanes, "", bits)
    text, lane = region(random, kind, lanes, count == 3, at == 2)
    modifier = str(random.choice(op.modifiers))
    # The absolute of the least number, and what minus makes of unsigned, are left open.
    if (not kind.signed and "~" not in modifier) or (count == 3 and kind.name in ("uw", "ud")):
        modifier = modifier if "~" in modifier else ""
    if count == 3 or kind.name in ("bf", "tf32"):
        modifier = modifier.replace("(abs)", "")
    if kind.name in ("bf", "tf32"):
        modifier = ""
    return Source(kind, f"{modifier}{SOURCES[at]}{text}:{kind.name}", lane, modifier)


def draw(random: np.random.Generator, op: Op, types: str) -> Case:
    """One instruction with random surroundings."""
    kind, *sources = (TYPES[name] for name in types.split())
    widest = max(t.size for t in (kind, *sources))
    lanes = int(random.choice([n for n in (1, 2, 4, 8, 16, 32) if n * widest <= 128]))
    channel = int(random.choice(range(0, SIMD - lanes + 1, max(lanes, 8))))
    steps = [s for s in (1, 1, 2, 4) if s * kind.size <= 8 and lanes * s * kind.size <= 128]
    step = int(random.choice(steps)) if len(sources) < 3 else 1
    start = 0 if step == 1 or random.random() < 0.5 else int(random.integers(0, step))
    drawn = [draw_source(random, op, t, lanes, i, len(sources)) for i, t in enumerate(sources)]
    if len(drawn) == 2 and drawn[0].constant is not None:
        drawn[0] = draw_source(random, op, sources[0], lanes, 0, 3)
    case = Case(op, "", kind, drawn, lanes, channel, start, step)
    case.override = bool(random.random() < 0.3)
    flags = [n for n in (0, 16, 32, 48) if n % 32 + channel + lanes <= 32]
    flag = int(random.choice(flags)) if flags else None
    if flag is None:
        case.channel = channel = 0
        flag = 32 if lanes == 32 else 16
    case.flag = flag
    must = op.name in ("cmp", "csel") or (op.name == "sel" and random.random() < 0.5)
    if op.name == "sel":
        if must:
            case.condition = str(random.choice(["lt", "ge"]))
        elif random.random() < 0.9:
            case.predicate = (flag, bool(random.random() < 0.5))
    else:
        if op.name != "csel" and random.random() < 0.3:
            case.predicate = (flag, bool(random.random() < 0.5))
        conditions = [
            c
            for c in op.conditions
            if len(sources) < 3 or op.name == "csel" or c in ("eq", "gt", "lt")
        ]
        choose = conditions and (must or (random.random() < 0.25 and step == 1))
        if choose and not (op.name == "mov" and kind.name in ("bf", "tf32")):
            case.condition = str(random.choice(conditions))
            if op.name == "cmp" and sources[0].real and random.random() < 0.2:
                case.condition = "un"
    plain = kind.name not in ("bf", "tf32", "q", "uq") and op.saturates
    case.saturate = plain and not case.condition and bool(random.random() < 0.3)
    if case.saturate and not kind.real and any("(abs)" in s.modifier for s in drawn):
        case.saturate = False
    if op.name == "cmp" and random.random() < 0.7:
        case.written = False
    if op.name == "bfn":
        case.extra["table"] = int(random.integers(1, 255))
    case.text = write(case)
    return case


def write(case: Case) -> str:
    """The instruction in assembly."""
    flag = f"f{case.flag // 32}.{case.flag % 32 // 16}"
    before = "W" if case.override else ""
    if case.predicate is not None:
        before += ("&" if before else "") + ("~" if case.predicate[1] else "") + flag
    name = case.op.name + (f".0x{case.extra['table']:02X}" if case.extra else "")
    target = f"{DESTINATION}.{case.start}" if case.written else "null"
    parts = [
        f"({before})" if before else "", name, f"({case.lanes}|M{case.channel})",
        f"({case.condition}){flag}" if case.condition else "", "(sat)" if case.saturate else "",
        f"{target}<{case.step}>:{case.kind.name}", *(s.text for s in case.sources),
    ]  # fmt: skip
    return " ".join(part for part in parts if part)


# The model of one case on the bytes of its registers.


def modified(value: Value, modifier: str) -> Value:
    if "~" in modifier:
        return ~int(value)
    if "(abs)" in modifier:
        value = abs(value)
    return -value if "-" in modifier else value


def operand(case: Case, at: int, lane: int, data: bytes, mode: Mode) -> tuple[Value, int]:
    source = case.sources[at]
    if source.constant is not None:
        raw = source.constant
    else:
        raw = model.element(data, AT[SOURCES[at]], source.kind, source.lane[lane])
    return modified(model.decode(source.kind, raw, mode), source.modifier), raw


def result(case: Case, lane: int, data: bytes, mode: Mode, chosen: bool) -> tuple[Value, int]:
    """The exact value of a lane, and the bits that are stored."""
    name, kind = case.op.name, case.kind
    pairs = [operand(case, i, lane, data, mode) for i in range(len(case.sources))]
    values = [value for value, _ in pairs]
    if name == "bfn":
        value: Value = model.truth_table(case.extra["table"], *values[:3], 8 * kind.size)  # type: ignore[arg-type]
    elif name == "sel" and case.condition:
        value = model.extreme(case.condition, *values)
    elif name in ("sel", "csel"):
        if name == "csel":
            chosen = model.COMPARISONS[case.condition](values[2], 0)
        at = 0 if chosen else 1
        value = values[at]
        if plain_copy(case):
            return value, pairs[at][1]
    elif name == "cmp":
        holds = model.COMPARISONS[case.condition](*values)
        return value_of(holds), (1 << 8 * kind.size) - 1 if holds else 0
    else:
        assert case.op.meaning is not None
        value = case.op.meaning(mode, *values)
        if name == "mov" and plain_copy(case):
            return value, pairs[0][1]
    return value, model.encode(kind, value, mode, case.saturate)


def value_of(holds: bool) -> int:
    return 1 if holds else 0


def plain_copy(case: Case) -> bool:
    """Bits move unchanged when nothing is asked of them."""
    return (
        not case.saturate
        and (not case.condition or case.op.name == "csel")
        and all(s.kind == case.kind and not s.modifier for s in case.sources[:2])
        and case.op.name != "csel"
    )


def expected(case: Case, data: bytes, mode: Mode) -> tuple[dict[int, int], int]:
    """Elements of the destination that change, and both flag registers behind."""
    flags = int.from_bytes(data[AT["flags"] : AT["flags"] + 8], "little")
    after, written = flags, {}
    for lane in range(case.lanes):
        channel = case.channel + lane
        runs = case.override or channel < ITEMS
        chosen = True
        if case.predicate is not None:
            bit, inverted = case.predicate
            chosen = bool(flags >> (bit + channel) & 1) != inverted
        if case.op.name != "sel":
            runs = runs and chosen
        if not runs:
            continue
        value, bits = result(case, lane, data, mode, chosen)
        if case.condition and case.op.name not in ("sel", "csel"):
            if case.op.name == "cmp":
                holds = value == 1
            else:
                stored = model.decode(case.kind, bits, mode)
                holds = model.COMPARISONS[case.condition](stored, 0)
            after = after & ~(1 << (case.flag + channel)) | int(holds) << (case.flag + channel)
        if case.written:
            written[case.start + lane * case.step] = bits
    return written, after


def registers(random: np.random.Generator, pools: Pools, case: Case) -> bytes:
    """Random contents of the registers of a case, sources as their types want it."""
    data = bytearray(random.bytes(BEFORE))
    for at, source in enumerate(case.sources):
        raw = pools.pick(source.kind, FILE // source.kind.size)
        data[AT[SOURCES[at]] : AT[SOURCES[at]] + FILE] = raw
    return bytes(data)


def compare(case: Case, before: bytes, after: bytes, mode: Mode) -> str | None:
    """What differs from the model."""
    if not mode.keep_denormals and case.op.name in ("mov", "sel", "csel"):
        return None  # what moves and selections make of a denormal is left open
    written, flags = expected(case, before, mode)
    wanted = bytearray(before[AT["r26"] : AT["r26"] + FILE])
    for index, bits in written.items():
        at = index * case.kind.size
        wanted[at : at + case.kind.size] = bits.to_bytes(case.kind.size, "little")
    found = int.from_bytes(after[FILE : FILE + 8], "little")
    if found != flags:
        return f"{case.text}: flags {found:016x}, expected {flags:016x}"
    for index in range(FILE // case.kind.size):
        have = model.element(after, 0, case.kind, index)
        want = model.element(bytes(wanted), 0, case.kind, index)
        # Only what a lane computed may be any NaN.
        if have != want and not (index in written and model.same(case.kind, have, want)):
            lane = (index - case.start) // case.step
            inputs = [hex(operand(case, i, min(max(lane, 0), case.lanes - 1), before, mode)[1])
                      for i in range(len(case.sources))]  # fmt: skip
            return f"{case.text}: element {index} is {have:#x}, expected {want:#x}; from {inputs}"
    return None


MODES = [Mode(), Mode(keep_denormals=False), Mode("up"), Mode("down"), Mode("zero")]


def cases(random: np.random.Generator, count: int) -> Iterator[Case]:
    for op in TABLE:
        for types in op.types:
            for _ in range(count):
                yield draw(random, op, types)


@pytest.mark.parametrize("mode", MODES, ids=lambda m: f"{m.rounding}-{m.keep_denormals}")
def test_registers(mode: Mode) -> None:
    random = rng()
    count = int(os.environ.get("MLTC_CASES", "1"))
    drawn = list(cases(random, count * (3 if mode == Mode() else 1)))
    pools = Pools(random)
    before = [registers(random, pools, case) for case in drawn]
    after = execute([case.text for case in drawn], before, mode)
    wrong = [
        found
        for case, old, new in zip(drawn, before, after, strict=True)
        if (found := compare(case, old, new, mode)) is not None
    ]
    assert not wrong, f"{len(wrong)} of {len(drawn)}:\n" + "\n".join(wrong[:40])
