"""A matrix product whose machine code is wrong in one place: results or checks must show it.

One thing in the disassembly of a real binary is changed and encoded again.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from corpus import CORPUS
from randomness import rng

from execution.machine_code import assemble
from execution.test_corpus import sources
from execution.test_native_isa import current_ocloc
from mltc.package import isa
from mltc.runtime import Module
from mltc.simulator import SimulationError, Simulator, SimulatorOptions
from mltc.simulator.kernel import TARGET
from mltc.target import load_target

pytestmark = pytest.mark.skipif(
    current_ocloc() is None or not CORPUS.is_dir(), reason="no ocloc of this generation, no corpus"
)

M, N, K = 256, 256, 64


class Product:
    """A binary of a matrix product and what it computes."""

    def __init__(self, module: Module) -> None:
        self.zebin = module.package.zebin
        (kernel,) = module.package.manifest.kernels
        self.name, self.local = kernel.name, kernel.local_size
        listing = isa.disassemble(self.zebin.code(self.name), load_target(TARGET).iga_platform)
        # What is encoded again may no longer fit the short form.
        self.lines = re.sub(r"Compacted,|,?Compacted", "", listing).replace("{}", "").splitlines()

    def indices(self, pattern: str) -> list[int]:
        """Where lines match."""
        found = [i for i, line in enumerate(self.lines) if re.search(pattern, line)]
        assert found, f"the binary has no {pattern}"
        return found

    def changed(self, lines: dict[int, str]) -> bytes:
        """The code with some lines that say something else."""
        assert lines and all(text != self.lines[index] for index, text in lines.items())
        return assemble("\n".join(lines.get(i, line) for i, line in enumerate(self.lines)))

    def run(self, code: bytes, options: SimulatorOptions | None = None) -> float:
        """The largest error, relative to the sum of absolute products."""
        random = rng()
        a = random.standard_normal((M, K)).astype(np.float16)
        b = random.standard_normal((K, N)).astype(np.float16)
        sections = {**self.zebin.sections, f".text.{self.name}": code}
        simulator = Simulator(replace(self.zebin, sections=sections), options)
        try:
            arrays = [simulator.memory.allocate(size) for size in (a.nbytes, b.nbytes, 4 * M * N)]
            arrays[0].write(a.reshape(-1).view(np.uint8))
            arrays[1].write(b.reshape(-1).view(np.uint8))
            sizes = [np.int32(size) for size in (M, N, K, K, N, N)]
            simulator.kernel(self.name).launch((1, 1, 1), self.local, [*arrays, *sizes])
            found = arrays[2].data.view(np.float32).reshape(M, N).astype(np.float64)
        finally:
            simulator.close()
        exact = a.astype(np.float64) @ b.astype(np.float64)
        scale = np.abs(a.astype(np.float64)) @ np.abs(b.astype(np.float64))
        return float(np.max(np.where(np.isfinite(found), np.abs(found - exact) / scale, np.inf)))

    def shows(self, code: bytes, options: SimulatorOptions | None = None) -> bool:
        """Whether a run reports something or gives a wrong result."""
        try:
            return self.run(code, options) > 1e-6
        except SimulationError:
            return True


@pytest.fixture(scope="module")
def product(compile_kernel: Callable[..., Module]) -> Product:
    # One version: what is changed is executed.
    (source,) = sources("gemm_block", "")
    return Product(compile_kernel(source, versions="never"))


def choose(indices: list[int]) -> int:
    return indices[rng().integers(len(indices))]


def test_the_binary_as_it_is(product: Product) -> None:
    for code in (product.zebin.code(product.name), assemble("\n".join(product.lines))):
        assert not product.shows(code)
        assert not product.shows(code, SimulatorOptions(checks=True))


@pytest.mark.parametrize("change", [(":hf", ":bf"), ("dpas.8x8", "dpas.8x7"), (":hf", ":tf32")])
def test_a_product(product: Product, change: tuple[str, str]) -> None:
    """Its precision and its repeat count."""
    index = choose(product.indices("dpas.8x8"))
    assert product.shows(product.changed({index: product.lines[index].replace(*change)}))


@pytest.mark.parametrize(("bit", "what"), [(7, "d16v"), (9, "d16")])
def test_a_block_load(product: Product, bit: int, what: str) -> None:
    """Its packing for dpas, and the size of its elements."""
    index = choose(product.indices(rf"send\S+ \(1\|M0\)\s+r.*load_block2d.ugm.{what}"))
    line = product.lines[index].partition("//")[0]
    *_, descriptor = re.finditer(r"0x[0-9A-F]+", line)
    value = int(descriptor.group(), 16) ^ 1 << bit
    line = line[: descriptor.start()] + f"0x{value:08X}" + line[descriptor.end() :]
    assert product.shows(product.changed({index: line}))


def test_the_width_of_a_tile(product: Product) -> None:
    """The payload of a block message says how large its blocks are."""
    payloads = {
        product.lines[i].split("null:0")[0].split()[-1]
        for i in product.indices(r"send\S+ \(1\|M0\)\s+r.*load_block2d")
    }
    index = choose(
        product.indices(rf"mov \(1\|M0\)\s+(?:{'|'.join(payloads)})\.7<1>:u?d\s+\d\S+:u?d")
    )
    value = product.lines[index].partition("//")[0].split()[4].partition(":")[0]
    narrower = int(value, 0) & ~0xFF | (int(value, 0) & 0xFF) // 2
    assert product.shows(
        product.changed({index: product.lines[index].replace(value, f"0x{narrower:X}")})
    )


def test_removed_waits(product: Product) -> None:
    """Nothing waits for a load any more."""
    for load in product.indices(r"send\S+ \(1\|M0\)\s+r.*load_block2d"):
        (token,) = re.findall(r"\$\d+(?=[,}])", product.lines[load])
        name = re.escape(token)
        # Behind an instruction, or in the list of a sync.allwr.
        waits = product.indices(rf"{name}\.dst|sync\.allwr.*{name}[,)]")
        wait = rf"{name}\.dst,|,?{name}\.dst|(?<=\(){name},|,{name}(?=[,)])"
        lines = {i: re.sub(wait, "", product.lines[i]).replace("{}", "") for i in waits}
        code = product.changed(lines)
        assert product.shows(code, SimulatorOptions(checks=True)), product.lines[load]
