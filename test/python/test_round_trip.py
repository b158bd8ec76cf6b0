"""Every kernel survives every form that it can be written in: text, generic text, bytecode.

Each form is read again and has to print what the kernel itself prints, with and without the
locations of its operations. The default takes one kernel in four; ``MLTC_CORPUS_ALL=1`` takes all.
"""

from __future__ import annotations

import subprocess

import pytest
from corpus import ALL, CORPUS, ROOT

from mltc.toolchain import find_tool

_TIMEOUT = 60.0
_ALL_KERNELS = sorted([*ROOT.glob("test/execution/inputs/*.ttir"), *CORPUS.glob("*/*.ttir")])
KERNELS = _ALL_KERNELS if ALL else _ALL_KERNELS[::4]
LOCATIONS = "--mlir-print-debuginfo"
# The flags that write a form, and those that print what it says. A location is part of the second
# where it is part of the form.
FORMS = {
    "text": ((), ()),
    "generic": (("--mlir-print-op-generic",), ()),
    "located": ((LOCATIONS,), (LOCATIONS,)),
    "located_generic": ((LOCATIONS, "--mlir-print-op-generic"), (LOCATIONS,)),
    "located_in_place": ((LOCATIONS, "--mlir-print-local-scope"), (LOCATIONS,)),
    "named": ((LOCATIONS, "--mlir-use-nameloc-as-prefix"), (LOCATIONS,)),
    "bytecode": (("--emit-bytecode",), (LOCATIONS,)),
}


def printed(module: bytes, *flags: str) -> bytes:
    """What mlt-opt writes for a module; it has nothing to complain about."""
    done = subprocess.run(
        [*find_tool("mlt-opt").argv, "-", *flags],
        input=module, capture_output=True, timeout=_TIMEOUT, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    assert not done.stderr, done.stderr.decode()
    return done.stdout


@pytest.mark.parametrize("form", FORMS)
def test_form_says_the_same(form: str) -> None:
    written, read = FORMS[form]
    wrong = []
    for path in KERNELS:
        kernel = path.read_bytes()
        expected = printed(kernel, *read)
        assert b"tt.func" in expected
        if printed(printed(kernel, *written), *read) != expected:
            wrong.append(path)
    assert not wrong, f"{len(wrong)} of {len(KERNELS)} differ: {[str(path) for path in wrong]}"
