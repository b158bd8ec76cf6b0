"""Messages one at a time on the simulator, against NumPy on random operands and channels.

Atomics of every operation and size, also of the older data port, loads and stores of every size
and number of components. The names are those iga64 gives the encoded messages, so that the codes
are not ours alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from randomness import rng

from execution.machine_code import assemble, missing_tools, run
from mltc.package import isa

pytestmark = pytest.mark.skipif(bool(missing_tools()), reason=f"no {missing_tools()}")

Array = np.ndarray[Any, Any]
LANES = 16
#: A case's operands (r10-r17), its part of memory, and what it returns (r20-r27), in bytes.
OPERANDS, PLACE, RETURNED = 512, 1024, 512
LOAD, STORE = "0x0280F780", "0x0200F784"  # 512 bytes
A64 = 3 << 7


@dataclass(frozen=True)
class Size:
    """How an element is named and coded, and its bytes in memory and in a lane's slot."""

    name: str
    code: int
    data: int
    slot: int

    @property
    def registers(self) -> int:
        """That 16 lanes take."""
        return LANES * self.slot // 64


SIZES = {
    "d8u32": Size("d8u32", 4, 1, 4), "d16u32": Size("d16u32", 5, 2, 4),
    "d32": Size("d32", 2, 4, 4), "d64": Size("d64", 3, 8, 8),
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A message, the name it must have, and the channels that execute it."""

    text: str
    name: str
    mask: int


def launch(cases: list[Case], operands: Array, memory: Array, offsets: Array) -> Array:
    """Runs the messages one after the other; returns what they left in r20-r27.

    r8 holds the addresses: of lane i of a case, ``offsets[case, i]`` bytes into its place.
    """
    text = "\n".join(case.text for case in cases)
    listing = isa.disassemble(assemble(text), "12p72")
    names = re.findall(r"; (\S+\.ugm\.\S+)", listing)
    assert names == [case.name for case in cases if case.name]
    body = "".join(f"(W) mov (1|M0) r{4 + i}.0<1>:q r3.{i}<0;1,0>:q\n" for i in range(4))
    steps = {4: 128, 5: OPERANDS, 6: PLACE, 7: RETURNED}
    for case in cases:
        body += (
            f"(W) send.ugm (1|M0) r8 r4 null:0 0x0 0x0220D780\n"  # 128 bytes of offsets
            f"(W) send.ugm (1|M0) r10 r5 null:0 0x0 {LOAD}\n"
            f"(W) send.ugm (1|M0) r20 r7 null:0 0x0 {LOAD}\n"
            f"(W) mov (1|M0) f0.0<1>:uw {case.mask}:uw\n"
            "(W) add (16|M0) r8.0<1>:q r8.0<1;1,0>:q r6.0<0;1,0>:q\n"
            f"(f0.0) {case.text}\n"
            f"(W) send.ugm (1|M0) null r7 r20:8 0x0 {STORE}\n"
        )
        body += "".join(
            f"(W) add (1|M0) r{r}.0<1>:q r{r}.0<0;1,0>:q {step}:w\n" for r, step in steps.items()
        )
    returned = rng().integers(0, 256, RETURNED * len(cases), np.uint8)
    run(body, [offsets.astype(np.uint64).view(np.uint8).reshape(-1).copy(),
               operands.reshape(-1), memory.reshape(-1), returned])  # fmt: skip
    return returned.reshape(len(cases), RETURNED)


def scattered(random: np.random.Generator, count: int, step: int) -> Array:
    """A place of its own for each lane, in any order."""
    return np.array([random.permutation(PLACE // step)[:LANES] * step for _ in range(count)])


Update = Callable[[Any, Any, Any], Any]


def _keep_or(better: Callable[[Any, Any], bool]) -> Update:
    return lambda old, a, _: old if better(old, a) else a


def _swap(old: Any, a: Any, b: Any) -> Any:
    return b if old == a else old


#: Code, name, kind of number (unsigned, signed, float), operands, meaning.
ATOMICS: list[tuple[int, str, str, int, Update]] = [
    (8, "iinc", "u", 0, lambda old, a, b: old + type(old)(1)),
    (9, "idec", "u", 0, lambda old, a, b: old - type(old)(1)),
    (10, "load", "u", 0, lambda old, a, b: old),
    (11, "store", "u", 1, lambda old, a, b: a),
    (12, "iadd", "u", 1, lambda old, a, b: old + a),
    (13, "isub", "u", 1, lambda old, a, b: old - a),
    (14, "smin", "i", 1, _keep_or(lambda old, a: old <= a)),
    (15, "smax", "i", 1, _keep_or(lambda old, a: old >= a)),
    (16, "umin", "u", 1, _keep_or(lambda old, a: old <= a)),
    (17, "umax", "u", 1, _keep_or(lambda old, a: old >= a)),
    (18, "icas", "u", 2, _swap),
    (19, "fadd", "f", 1, lambda old, a, b: old + a),
    (20, "fsub", "f", 1, lambda old, a, b: old - a),
    (21, "fmin", "f", 1, _keep_or(lambda old, a: old <= a)),
    (22, "fmax", "f", 1, _keep_or(lambda old, a: old >= a)),
    (23, "fcas", "f", 2, _swap),
    (24, "and", "u", 1, lambda old, a, b: old & a),
    (25, "or", "u", 1, lambda old, a, b: old | a),
    (26, "xor", "u", 1, lambda old, a, b: old ^ a),
]


def atomic_forms() -> list[tuple[int, str, str, int, Update, Size, bool]]:
    """Each with and without the old value as a result."""
    return [
        (code, name, kind, operands, update, SIZES[size], returns)
        for code, name, kind, operands, update in ATOMICS
        for size in ("d16u32", "d32", "d64")
        for returns in (False, True)
        # There is no minimum of two doubles.
        if not (size == "d64" and name in ("fmin", "fmax"))
    ]


def test_atomics() -> None:
    random, forms = rng(), atomic_forms()
    cases, dtypes = [], []
    for code, name, kind, count, _, size, returns in forms:
        response = size.registers if returns else 0
        descriptor = code | A64 | size.code << 9 | response << 20 | 2 << 25
        data = f"r10:{count * size.registers}" if count else "null:0"
        text = f"send.ugm (16|M0) {'r20' if returns else 'null'} r8 {data} 0x0 0x{descriptor:08X}"
        mask = int(random.integers(1, 1 << LANES))
        cases.append(Case(text, f"atomic_{name}.ugm.{size.name}.a64", mask))
        dtypes.append(np.dtype(f"{kind}{size.data}"))
    offsets = scattered(random, len(forms), 8)
    memory = random.integers(0, 256, (len(forms), PLACE), np.uint8)
    operands = random.integers(0, 256, (len(forms), OPERANDS), np.uint8)
    for i, (_, _, kind, count, _, size, _) in enumerate(forms):
        dtype = dtypes[i]
        words = operands[i].view(np.dtype(f"u{size.slot}"))
        if kind == "f":  # ordinary numbers
            memory[i] = random.standard_normal(PLACE // size.data).astype(dtype).view(np.uint8)
            numbers = random.standard_normal(words.size).astype(dtype)
            words[:] = numbers.view(np.dtype(f"u{size.data}"))
        if count == 2:  # half of the lanes find what they compare with
            old = memory[i].view(dtype)[offsets[i] // size.data]
            raw = old.view(np.dtype(f"u{size.data}"))
            words[:LANES] = np.where(random.random(LANES) < 0.5, raw, words[:LANES])
    before = memory.copy()
    returned = launch(cases, operands, memory, offsets)
    for i, (_, name, _, _, update, size, returns) in enumerate(forms):
        old, new = before[i].view(dtypes[i]).copy(), memory[i].view(dtypes[i])
        words = operands[i].view(np.dtype(f"u{size.slot}")).astype(np.dtype(f"u{size.data}"))
        first, second = words.view(dtypes[i])[:LANES], words.view(dtypes[i])[LANES : 2 * LANES]
        result = returned[i].view(np.dtype(f"u{size.slot}"))
        wanted = old.copy()
        with np.errstate(over="ignore"):
            for lane in range(LANES):
                at = offsets[i][lane] // size.data
                if cases[i].mask >> lane & 1:
                    wanted[at] = update(old[at], first[lane], second[lane])
                    if returns:
                        raw = old[at : at + 1].view(np.dtype(f"u{size.data}"))[0]
                        assert result[lane] == raw, (name, size, lane)
        assert (wanted.view(np.uint8) == new.view(np.uint8)).all(), (name, size)


def test_atomics_of_one_place() -> None:
    """All channels add to the same dword; each gets what it found."""
    random = rng()
    descriptor = 12 | A64 | 2 << 9 | 1 << 20 | 2 << 25
    case = Case(f"send.ugm (16|M0) r20 r8 r10:1 0x0 0x{descriptor:08X}",
                "atomic_iadd.ugm.d32.a64", 0xFFFF)  # fmt: skip
    operands = random.integers(0, 256, (1, OPERANDS), np.uint8)
    memory = random.integers(0, 256, (1, PLACE), np.uint8)
    start = memory[0].view(np.uint32)[3]
    added = operands[0].view(np.uint32)[:LANES]
    returned = launch([case], operands, memory, np.full((1, LANES), 12))
    with np.errstate(over="ignore"):
        sums = start + np.concatenate([[0], np.cumsum(added, dtype=np.uint32)]).astype(np.uint32)
    assert memory[0].view(np.uint32)[3] == sums[-1]
    assert (returned[0].view(np.uint32)[:LANES] == sums[:-1]).all()


COMPONENTS = {1: 0, 2: 1, 3: 2, 4: 3}


def test_loads_and_stores() -> None:
    """Component after component of all lanes; narrow elements in dwords."""
    random = rng()
    forms = [
        (size, count, stores)
        for size in SIZES.values()
        for count in (COMPONENTS if size.data >= 4 else (1,))
        for stores in (False, True)
    ]
    cases = []
    for size, count, stores in forms:
        registers = count * size.registers
        descriptor = (4 if stores else 0) | A64 | size.code << 9 | COMPONENTS[count] << 12 | 2 << 25
        descriptor |= 0 if stores else registers << 20
        data = f"r10:{registers}" if stores else "null:0"
        vector = f"x{count}" if count > 1 else ""
        cases.append(Case(
            f"send.ugm (16|M0) {'null' if stores else 'r20'} r8 {data} 0x0 0x{descriptor:08X}",
            f"{'store' if stores else 'load'}.ugm.{size.name}{vector}.a64",
            int(random.integers(1, 1 << LANES)),
        ))  # fmt: skip
    # Twice: every lane anywhere, and one behind the other as most kernels have it.
    offsets = np.concatenate([
        scattered(random, len(forms), 32),
        np.array([np.arange(LANES) * size.data * count for size, count, _ in forms]),
    ])  # fmt: skip
    full = [Case(case.text, case.name, random.choice([0xFFFF, case.mask])) for case in cases]
    memory = random.integers(0, 256, (2 * len(forms), PLACE), np.uint8)
    operands = random.integers(0, 256, (2 * len(forms), OPERANDS), np.uint8)
    before = memory.copy()
    returned = launch(cases + full, operands, memory, offsets)
    for i, (case, (size, count, stores)) in enumerate(zip(cases + full, forms * 2, strict=True)):
        wanted = before[i].copy()
        slots = (operands if stores else returned)[i].reshape(-1, size.slot)
        for lane in range(LANES):
            if not case.mask >> lane & 1:
                continue
            for component in range(count):
                at = offsets[i][lane] + component * size.data
                slot = slots[component * LANES + lane]
                if stores:
                    wanted[at : at + size.data] = slot[: size.data]
                else:
                    assert (slot[: size.data] == before[i][at : at + size.data]).all(), case
                    assert not slot[size.data :].any(), case
        assert (memory[i] == wanted).all(), case


#: Functions of an untyped atomic of the data port, as iga64 names them, and of ATOMICS.
UNTYPED = {
    1: ("logical AND", "and"), 2: ("logical OR", "or"), 3: ("logical XOR", "xor"),
    4: ("store", "store"), 5: ("integer increment", "iinc"), 6: ("integer decrement", "idec"),
    7: ("integer add", "iadd"), 8: ("integer subtract", "isub"),
    10: ("signed-integer max", "smax"), 11: ("signed-integer min", "smin"),
    12: ("unsigned-integer max", "umax"), 13: ("unsigned-integer min", "umin"),
}  # fmt: skip


def test_untyped_atomics() -> None:
    """Those of ocloc 22.43: dwords by 64-bit addresses, with and without a result."""
    random = rng()
    meanings = {name: (kind, count, update) for _, name, kind, count, update in ATOMICS}
    forms = [(code, returns) for code in UNTYPED for returns in (False, True)]
    texts = []
    for code, returns in forms:
        count = meanings[UNTYPED[code][1]][1]
        descriptor = 255 | code << 8 | returns << 13 | 18 << 14 | returns << 20 | 2 << 25
        texts.append(
            f"send.dc1 (16|M0) {'r20' if returns else 'null'} r8 "
            f"{'r10:1' if count else 'null:0'} 0x0 0x{descriptor:08X}"
        )
    listing = isa.disassemble(assemble("\n".join(texts)), "12p72")
    names = re.findall(r"untyped a64 atomic int32 (.*\S)", listing)
    assert names == [UNTYPED[code][0] for code, _ in forms]
    masks = [int(random.integers(1, 1 << LANES)) for _ in forms]
    cases = [Case(text, "", mask) for text, mask in zip(texts, masks, strict=True)]
    offsets = scattered(random, len(forms), 4)
    memory = random.integers(0, 256, (len(forms), PLACE), np.uint8)
    operands = random.integers(0, 256, (len(forms), OPERANDS), np.uint8)
    before = memory.copy()
    returned = launch(cases, operands, memory, offsets)
    for i, (code, returns) in enumerate(forms):
        kind, _, update = meanings[UNTYPED[code][1]]
        dtype = np.dtype(f"{kind}4")
        old, wanted = before[i].view(dtype), before[i].view(dtype).copy()
        with np.errstate(over="ignore"):
            for lane in range(LANES):
                at = offsets[i][lane] // 4
                if masks[i] >> lane & 1:
                    wanted[at] = update(old[at], operands[i].view(dtype)[lane], None)
                    assert not returns or returned[i].view(dtype)[lane] == old[at], code
        assert (memory[i].view(dtype) == wanted).all(), UNTYPED[code]
