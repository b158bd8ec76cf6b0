"""Everything that Triton's language can say, from the front end of stock Triton to mlt-opt.

The kernels of ``inputs/stock_kernels.py`` are compiled to TTIR by the ``triton`` package, when
there is one, as written and after inlining and cleaning up.  mlt-opt has to read the text and
give it back unchanged, with locations, through the custom form, the generic form and bytecode.
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from typing import Any

import pytest

from mltc.toolchain import find_tool, run_tool

triton = pytest.importorskip("triton")

INPUTS = Path(__file__).parent / "inputs"
RELEASE = tuple(int(part) for part in triton.__version__.split(".")[:2])
_TIMEOUT = 60.0


def _kernels() -> list[Any]:
    sys.path.insert(0, str(INPUTS))
    try:
        import stock_kernels
    finally:
        sys.path.pop(0)
    return [k for k in stock_kernels.KERNELS if k.first <= RELEASE <= k.last]


def _source(kernel: Any) -> Any:
    """The kernel with a promise on every pointer; releases differ in how that is said."""
    from triton.compiler.compiler import ASTSource

    function, signature, constants = kernel.function, kernel.signature, kernel.constants
    names = function.arg_names
    aligned = [i for i, name in enumerate(names) if signature.get(name, "").startswith("*")]
    if "constexprs" in inspect.signature(ASTSource.__init__).parameters:
        return ASTSource(
            function,
            signature={name: signature.get(name, "constexpr") for name in names},
            constexprs=dict(constants),
            attrs={(i,): [["tt.divisibility", 16]] for i in aligned},
        )
    from triton.backends.compiler import AttrsDescriptor

    properties = {"tt.divisibility": aligned, "tt.equal_to": []}
    attrs = AttrsDescriptor.from_dict({"arg_properties": properties, "cls": "AttrsDescriptor"})
    return ASTSource(function, signature=dict(signature), constants=dict(constants), attrs=attrs)


def front_end(kernel: Any, clean: bool) -> str:
    """The TTIR of a kernel, as written or after inlining and the usual cleanup."""
    import triton.backends.nvidia.compiler as backend_module
    from triton._C.libtriton import ir, passes
    from triton.backends.compiler import GPUTarget

    target = GPUTarget("cuda", 100, 32)
    backend = backend_module.CUDABackend(target)
    options = backend.parse_options({"num_warps": 4, "debug": True, "sanitize_overflow": False})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    takes_options = inspect.signature(backend.get_codegen_implementation).parameters
    codegen = backend.get_codegen_implementation(*([options] if takes_options else []))
    codegen = {**codegen, "min_dot_size": lambda lhs, rhs: (1, 1, 1)}
    source = _source(kernel)
    wants = inspect.signature(source.make_ir).parameters
    module = source.make_ir(
        *([target] if "target" in wants else []),
        options,
        codegen,
        *([backend.get_module_map()] if "module_map" in wants else []),
        context,
    )
    if clean:
        manager = ir.pass_manager(context)
        passes.common.add_inliner(manager)
        passes.ttir.add_combine(manager)
        passes.common.add_canonicalizer(manager)
        passes.common.add_cse(manager)
        passes.common.add_symbol_dce(manager)
        try:
            manager.run(module)
        except TypeError:  # later releases want a name for their own traces
            manager.run(module, "ttir")
    return str(module)


def opt(text: bytes, *flags: str) -> bytes:
    """What mlt-opt makes of a module on its standard input."""
    done = run_tool(find_tool("mlt-opt"), ["-", *flags], timeout=_TIMEOUT, input=text)
    return done.stdout


@pytest.mark.parametrize("clean", [False, True], ids=["written", "clean"])
@pytest.mark.parametrize("kernel", _kernels(), ids=lambda kernel: kernel.name)
def test_round_trip(kernel: Any, clean: bool) -> None:
    text = front_end(kernel, clean).encode()
    printed = opt(text, "--mlir-print-debuginfo")
    generic = opt(printed, "--mlir-print-debuginfo", "--mlir-print-op-generic")
    bytecode = opt(printed, "--emit-bytecode")
    for form in (printed, generic, bytecode):
        assert opt(form, "--mlir-print-debuginfo") == printed


@pytest.mark.parametrize("kernel", _kernels(), ids=lambda kernel: kernel.name)
def test_cleanup(kernel: Any) -> None:
    """Our folders and the inliner keep every kernel valid."""
    text = front_end(kernel, clean=False).encode()
    cleaned = opt(text, "--inline", "--canonicalize", "--cse", "--mlir-print-debuginfo")
    assert opt(cleaned, "--mlir-print-debuginfo") == cleaned
