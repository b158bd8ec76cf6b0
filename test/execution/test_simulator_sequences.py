"""Instructions that do more than one lane at a time, and sequences, on the simulator.

dpas of every type and repeat count, math functions, the accumulator between two instructions,
the macros of IEEE division and square root, and calls of some of the channels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from randomness import rng

from execution import machine_model as model
from execution.machine_code import BEFORE, execute, missing_tools, run
from execution.machine_model import TYPES, Mode

pytestmark = pytest.mark.skipif(bool(missing_tools()), reason=f"no {missing_tools()}")

DOTS = [
    (total, right, left, third, repeat)
    for right, left, sums in (
        ("hf", "hf", ("f", "hf")), ("bf", "bf", ("f", "bf")), ("tf32", "tf32", ("f",)),
        ("b", "b", ("d",)), ("ub", "b", ("d",)), ("b", "ub", ("d",)), ("ub", "ub", ("d", "ud")),
    )
    for total in sums
    for third in (*sums, "null")
    for repeat in range(1, 9)
]  # fmt: skip
#: Bits of an element, and its sign, where TYPES has none of them.
NARROW = {"b": (8, True), "ub": (8, False), "s4": (4, True), "u4": (4, False), "s2": (2, True),
          "u2": (2, False)}  # fmt: skip
NARROW_DOTS = [
    ("d", right, left, "d" if repeat % 2 else "null", repeat)
    for right in NARROW
    for left in NARROW
    for repeat in range(1, 9)
    if min(NARROW[right][0], NARROW[left][0]) < 8
] + [
    (total, "bf8", "bf8", "null" if repeat % 2 else third, repeat)
    for total, third in (("f", "f"), ("hf", "f"), ("hf", "hf"), ("bf", "bf"), ("f", "bf"))
    for repeat in range(1, 9)
]


def dot_inputs(random: np.random.Generator, form: tuple[str, str, str, str, int]) -> bytes:
    """B in r10-r17, A in r18-r21, C in r26-r33."""
    total, right, left, third, _ = form
    sums = model.random_floats(random, third if third != "null" else total, 128)
    return (
        model.random_floats(random, right, 512 // TYPES[right].size)
        + model.random_floats(random, left, 256 // TYPES[left].size).ljust(512, b"\0")
        + sums.ljust(512, b"\xa5")
    )


def check_sums(
    form: tuple[str, str, str, str, int], a: np.ndarray, b: np.ndarray, before: bytes, after: bytes
) -> None:
    """C + A B, and nothing behind it, from the registers of C and of the result."""
    total, _, _, third, repeat = form
    c = np.zeros((repeat, 16), a.dtype)
    if third != "null":
        c = model.numbers(third, before[1024:], repeat * 16).reshape(repeat, 16)
    size = TYPES[total].size
    found = model.numbers(total, after, repeat * 16).reshape(repeat, 16)
    exact = c + a @ b
    if not TYPES[total].real:
        assert ((found - exact) % 2**32 == 0).all(), form
    else:
        scale = np.abs(c) + np.abs(a) @ np.abs(b)
        bound = 1e-6 * scale + 2.0 ** -TYPES[total].precision * np.abs(exact)
        assert (np.abs(found - exact) <= bound).all(), (form, np.abs(found - exact).max())
    end = repeat * 16 * size
    assert after[end:] == before[1024 + end : 1536], f"{form}: written behind the result"


def run_dots(
    forms: Sequence[tuple[str, str, str, str, int]],
    inputs: Callable[..., bytes],
    check: Callable[..., None],
) -> None:
    random = rng()
    before = [inputs(random, form) for form in forms]
    # What `around` does to flags would go into the sums.
    texts = [
        f"dpas.8x{repeat} (16|M0) r26:{total} "
        f"{'null' if third == 'null' else 'r26'}:{total if third == 'null' else third} "
        f"r10:{right} r18.0:{left}"
        for total, right, left, third, repeat in forms
    ]
    after = execute(texts, before, Mode(), flags=False)
    for form, old, new in zip(forms, before, after, strict=True):
        check(form, old, new)


def check_dot(form: tuple[str, str, str, str, int], before: bytes, after: bytes) -> None:
    _, right, left, _, repeat = form
    per = 4 // TYPES[right].size
    depth = 8 * per
    # Register d of B holds rows d * per ... packed in dwords; row r of A is 32 bytes.
    b = model.numbers(right, before[:512], 16 * depth).reshape(8, 16, per).transpose(0, 2, 1)
    b = b.reshape(depth, 16)
    a = model.numbers(left, before[512:], repeat * depth).reshape(repeat, depth)
    check_sums(form, a, b, before, after)


def test_dpas() -> None:
    run_dots(DOTS, dot_inputs, check_dot)


def narrow_numbers(kind: str, data: bytes, count: int) -> np.ndarray:
    """Packed elements, the first in the lowest bits."""
    if kind == "bf8":  # the upper half of a half
        halves = np.frombuffer(data[:count], np.uint8).astype(np.uint16) << 8
        return halves.view(np.float16).astype(np.float64)
    bits, signed = NARROW[kind]
    raw = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little")[: count * bits]
    values = (raw.reshape(count, bits).astype(np.int64) << np.arange(bits)).sum(axis=1)
    return np.where(values >> (bits - 1), values - 2**bits, values) if signed else values


def narrow_inputs(random: np.random.Generator, form: tuple[str, str, str, str, int]) -> bytes:
    total, right, _, third, _ = form
    operands = random.bytes(1024)
    if right == "bf8":  # no infinities
        operands = random.choice(np.r_[0x30:0x48, 0xB0:0xC8], 1024).astype(np.uint8).tobytes()
    sums = model.random_floats(random, third if third != "null" else total, 128)
    return operands + sums.ljust(512, b"\xa5")


def check_narrow_dot(form: tuple[str, str, str, str, int], before: bytes, after: bytes) -> None:
    _, right, left, _, repeat = form
    wider = max(8 if kind == "bf8" else NARROW[kind][0] for kind in (right, left))
    step = min(32 // wider, 8)
    b = narrow_numbers(right, before[:512], 128 * step).reshape(8, 16, step)
    b = b.transpose(0, 2, 1).reshape(8 * step, 16)
    a = narrow_numbers(left, before[512:1024], repeat * 8 * step).reshape(repeat, -1)
    check_sums(form, a, b, before, after)


def test_narrow_dpas() -> None:
    run_dots(NARROW_DOTS, narrow_inputs, check_narrow_dot)


#: A function, its model, and the bound of its error, relative unless the function is periodic.
FUNCTIONS: dict[str, tuple[Callable[..., np.ndarray], float]] = {
    "inv": (lambda x: 1 / x, 2e-7), "sqt": (lambda x: np.sqrt(np.abs(x)), 2e-7),
    "rsqt": (lambda x: 1 / np.sqrt(np.abs(x)), 3e-7), "exp": (np.exp2, 3e-7),
    "log": (lambda x: np.log2(np.abs(x)), 3e-7), "sin": (np.sin, 1e-6), "cos": (np.cos, 1e-6),
}  # fmt: skip


@pytest.mark.parametrize("kind", ["f", "hf"])
def test_math(kind: str) -> None:
    random = rng()
    before = [
        model.random_floats(random, kind, 512 // TYPES[kind].size).ljust(BEFORE, b"\0")
        for _ in FUNCTIONS
    ]
    texts = [
        f"math.{name} (16|M0) r26.0<1>:{kind} "
        f"{'(abs)' if name in ('sqt', 'rsqt', 'log') else ''}r10.0<1;1,0>:{kind}"
        for name in FUNCTIONS
    ]
    for (name, (function, bound)), old, new in zip(
        FUNCTIONS.items(), before, execute(texts, before, Mode()), strict=True
    ):
        exact = function(model.numbers(kind, old, 16))
        exact[np.abs(exact) > 65504] = 0  # beyond a half
        found = np.where(exact == 0, 0, model.numbers(kind, new, 16))
        error = np.abs(found - exact)
        rounding = 2.0 ** -TYPES[kind].precision * np.abs(exact)
        assert (error <= bound * np.maximum(np.abs(exact), 1) + rounding).all(), name


# Sequences: what lies in the accumulator between two instructions.

PRODUCT = "mul (16|M0) acc0.0<1>:{0} r10.0<1;1,0>:{0} r14.0<2;1,0>:uw\n"
SEQUENCES: dict[str, tuple[str, Callable[[int, int, int], tuple[int, int | None]]]] = {
    # Two sources as unsigned dwords, the destination before: the destination, and acc0 behind.
    "macl": (PRODUCT.format("ud") + "macl (16|M0) r26.0<1>:ud r10.0<1;1,0>:ud r14.0<1;1,0>:ud",
             lambda a, b, _: (a * b, None)),
    "mach": (PRODUCT.format("ud") + "mach (16|M0) r26.0<1>:ud r10.0<1;1,0>:ud r14.0<1;1,0>:ud",
             lambda a, b, _: (a * b >> 32, a * b % 2**32)),
    "mach-signed": (
        PRODUCT.format("d") + "mach (16|M0) r26.0<1>:d r10.0<1;1,0>:d r14.0<1;1,0>:d",
        lambda a, b, _: (_signed(a) * _signed(b) >> 32, a * b % 2**32),
    ),
    "addc": ("addc (16|M0) r26.0<1>:ud r10.0<1;1,0>:ud r14.0<1;1,0>:ud",
             lambda a, b, _: (a + b, a + b >> 32)),
    "subb": ("subb (16|M0) r26.0<1>:ud r10.0<1;1,0>:ud r14.0<1;1,0>:ud",
             lambda a, b, _: (a - b, int(a < b))),
    "carry": ("addc (16|M0) r26.0<1>:ud r10.0<1;1,0>:ud r14.0<1;1,0>:ud\n"
              "add (16|M0) r26.0<1>:ud acc0.0<1;1,0>:ud r14.0<1;1,0>:ud",
              lambda a, b, _: ((a + b >> 32) + b, a + b >> 32)),
}  # fmt: skip


def _signed(word: int) -> int:
    return word - 2**32 if word >> 31 else word


def test_accumulator() -> None:
    random = rng()
    ud = TYPES["ud"]
    before = []
    for _ in SEQUENCES:
        words = [w.to_bytes(4, "little") for w in model.elements(random, ud, BEFORE // 4)]
        before.append(b"".join(words))
    texts = [text for text, _ in SEQUENCES.values()]
    after = execute(texts, before, Mode(), accumulator=True)
    for (name, (_, meaning)), old, new in zip(SEQUENCES.items(), before, after, strict=True):
        for lane in range(16):
            a, b = model.element(old, 0, ud, lane), model.element(old, 256, ud, lane)
            result, accumulator = meaning(a, b, model.element(old, 1024, ud, lane))
            assert model.element(new, 0, ud, lane) == result % 2**32, (name, a, b)
            if accumulator is not None:
                assert model.element(new, 320, ud, lane) == accumulator, (name, a, b)


def division(kind: str) -> str:
    """The quotient of r10 and r14 in r26 as the compilers write it, rounded once."""
    t = f":{kind}"
    lines = [
        f"math.invm (8|M0) (eo)f0.0 r26.mme0<1>{t} r10.nomme<1;1,0>{t} r14.nomme<1;1,0>{t}",
        f"(~f0.0) madm (8|M0) r36.mme1<1>{t} r34.nomme{t} r10.nomme{t} r26.mme0{t}",  # a y
        f"(~f0.0) madm (8|M0) r38.mme2<1>{t} r35.nomme{t} -r14.nomme{t} r26.mme0{t}",  # 1 - b y
        f"(~f0.0) madm (8|M0) r40.mme3<1>{t} r26.mme0{t} r38.mme2{t} r26.mme0{t}",  # a better y
        f"(~f0.0) madm (8|M0) r42.mme4<1>{t} r10.nomme{t} -r14.nomme{t} r36.mme1{t}",  # rest
        f"(~f0.0) madm (8|M0) r26.nomme<1>{t} r36.mme1{t} r42.mme4{t} r40.mme3{t}",
    ]
    one, zero = ("0x3F800000:f", "0x0:f")
    if kind == "df":
        one, zero = ("r33.0<0;1,0>:df", "r33.1<0;1,0>:df")
    moves = [f"(W) mov (8|M0) r34.0<1>{t} {zero}", f"(W) mov (8|M0) r35.0<1>{t} {one}"]
    return "\n".join(moves + lines)


def root(kind: str) -> str:
    """The square root of r10 in r26."""
    t = f":{kind}"
    half = "0x3F000000:f" if kind == "f" else "r33.2<0;1,0>:df"
    zero = "0x0:f" if kind == "f" else "r33.1<0;1,0>:df"
    return "\n".join([
        f"(W) mov (8|M0) r34.0<1>{t} {zero}", f"(W) mov (8|M0) r35.0<1>{t} {half}",
        f"math.rsqtm (8|M0) (eo)f0.0 r26.mme0<1>{t} r10.nomme<1;1,0>{t}",
        f"(~f0.0) madm (8|M0) r36.mme1<1>{t} r34.nomme{t} r35.nomme{t} r26.mme0{t}",  # y / 2
        f"(~f0.0) madm (8|M0) r38.mme2<1>{t} r34.nomme{t} r10.nomme{t} r26.mme0{t}",  # x y
        f"(~f0.0) madm (8|M0) r40.mme3<1>{t} r35.nomme{t} -r38.mme2{t} r36.mme1{t}",  # rest
        f"(~f0.0) madm (8|M0) r38.mme4<1>{t} r38.mme2{t} r40.mme3{t} r38.mme2{t}",
        f"(~f0.0) madm (8|M0) r42.mme5<1>{t} r10.nomme{t} -r38.mme4{t} r38.mme4{t}",
        f"(~f0.0) madm (8|M0) r26.nomme<1>{t} r38.mme4{t} r42.mme5{t} r36.mme1{t}",
    ])  # fmt: skip


@pytest.mark.parametrize("kind", ["f", "df"])
def test_division_and_root(kind: str) -> None:
    """The macros give what IEEE demands, for special operands too."""
    random, dtype = rng(), np.float32 if kind == "f" else np.float64
    special = np.array([0, -0.0, np.inf, -np.inf, np.nan, 1, -1, np.finfo(dtype).tiny / 4,
                        np.finfo(dtype).max, 3, 4, -4, 2.0**100], dtype)  # fmt: skip
    before, operands = [], []
    for _ in range(40):
        a, b = (
            np.ldexp(random.standard_normal(8), random.integers(-90, 90, 8)).astype(dtype)
            for _ in range(2)
        )
        a[6:], b[7:] = random.choice(special, 2), random.choice(special, 1)
        data = bytearray(BEFORE)
        data[: 8 * a.itemsize], data[256 : 256 + 8 * b.itemsize] = a.tobytes(), b.tobytes()
        data[1472:1496] = np.array([1.0, 0.0, 0.5]).tobytes()
        before.append(bytes(data))
        operands.append((a, b))
    for text, exact in ((division(kind), np.divide), (root(kind), lambda a, _: np.sqrt(a))):
        after = execute([text] * len(before), before, Mode())
        for (a, b), new in zip(operands, after, strict=True):
            with np.errstate(all="ignore"):
                wanted = exact(a, b)
            found = np.frombuffer(new[: wanted.nbytes], dtype)
            equal = (found == wanted) & (np.signbit(found) == np.signbit(wanted))
            assert (equal | (np.isnan(found) & np.isnan(wanted))).all(), (a, b, found, wanted)


def test_calls_by_channel() -> None:
    """Channels of a predicate call; the others wait; nobody returns too early."""
    body = """
(W) mov (1|M0) r4.0<1>:q r3.0<0;1,0>:q
(W) mov (1|M0) r5.0<1>:q r3.1<0;1,0>:q
(W) send.ugm (1|M0) r10 r4 null:0 0x0 0x0280F780
(W) mov (16|M0) r26.0<1>:d 0:w
cmp (16|M0) (gt)f0.0 null<1>:d r10.0<1;1,0>:d 0:w
(f0.0) call (16|M0) r60.0 twice
add (16|M0) r26.0<1>:d r26.0<1;1,0>:d 1:w
(W) send.ugm (1|M0) null r5 r26:8 0x0 0x0200F784
(W) send.gtwy (1|M0) null r112 null:0 0x0 0x02000010 {EOT}
twice:
add (16|M0) r26.0<1>:d r10.0<1;1,0>:d r10.0<1;1,0>:d
cmp (16|M0) (gt)f1.0 null<1>:d r10.0<1;1,0>:d 100:w
(f1.0) ret (16|M0) r60.0
add (16|M0) r26.0<1>:d r26.0<1;1,0>:d 1000:w
ret (16|M0) r60.0
"""
    values = rng().integers(-200, 300, 128).astype(np.int32)
    source, target = values.view(np.uint8).copy(), np.zeros(512, np.uint8)
    run(body, [source, target])
    x = values[:16]
    wanted = np.where(x > 0, np.where(x > 100, 2 * x, 2 * x + 1000), 0) + 1
    assert (target.view(np.int32)[:16] == wanted).all()


def test_packed_immediates() -> None:
    """Four bits of each element lie a word apart, so dwords take every second one."""
    texts = [
        "mov (8|M0) r26.0<1>:w 0x87654321:v", "mov (8|M0) r26.0<1>:uw 0x87654321:uv",
        "mov (2|M0) r26.0<1>:d 0x807:uv", "mov (4|M0) r26.0<1>:d 0x0F020807:v",
    ]  # fmt: skip
    expected = [
        ("w", [1, 2, 3, 4, 5, 6, 7, -8]), ("w", [1, 2, 3, 4, 5, 6, 7, 8]),
        ("d", [7, 8]), ("d", [7, -8, 2, -1]),
    ]  # fmt: skip
    after = execute(texts, [bytes(BEFORE)] * len(texts), Mode())
    for text, new, (kind, numbers) in zip(texts, after, expected, strict=True):
        found = np.frombuffer(bytes(new), {"w": np.int16, "d": np.int32}[kind], len(numbers))
        assert found.tolist() == numbers, text
