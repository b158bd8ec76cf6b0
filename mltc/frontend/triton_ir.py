"""The Triton IR of a kernel, from the front end of stock Triton without a back end.

Triton asks its back end for three things while it translates Python: options, code-generation
hooks and the clean-up passes.  Ours are here.  The back ends that come with Triton would
rewrite block pointers and enforce the dot sizes of their own hardware, and would want a GPU.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from mltc.frontend.kernel import FrontEndError, import_triton, unwrap
from mltc.frontend.signature import ArgumentType


@dataclass(frozen=True)
class Options:
    """What Triton's code generator reads from a back end's options."""

    num_warps: int = 4
    num_ctas: int = 1
    num_stages: int = 1
    warp_size: int = 16
    arch: str = "pvc"
    backend_name: str = "mltc"
    debug: bool = False
    sanitize_overflow: bool = False
    enable_fp_fusion: bool = True
    supported_fp8_dtypes: tuple[str, ...] = ("fp8e4nv", "fp8e5")
    deprecated_fp8_dtypes: tuple[str, ...] = ()
    deprecated_fp8_dot_operand_dtypes: tuple[str, ...] = ()
    default_dot_input_precision: str = "tf32"
    allowed_dot_input_precisions: tuple[str, ...] = ("tf32", "tf32x3", "ieee")
    max_num_imprecise_acc_default: int = 0
    instrumentation_mode: str = ""
    extern_libs: tuple[tuple[str, str], ...] = ()


def _no_custom_types(value: Any, type_: Any, *_: Any, **__: Any) -> Any:
    raise ValueError(f"conversion to {type_} is not supported; use fp8e4nv or fp8e5")


def codegen_hooks() -> dict[str, Any]:
    """Hooks of Triton's code generator; which dot sizes can be built, our own passes say."""
    return {
        "convert_custom_types": _no_custom_types,
        "min_dot_size": lambda lhs, rhs: (1, 1, 1),
    }


def module_map() -> dict[str, ModuleType]:
    """What stands for the modules of the language whose functions every device has its own of.

    The math library is one: without a device's version its functions return nothing. Any
    version will do, for the compiler knows the functions by name, whoever's they are.
    """
    library = "triton.language.extra.libdevice"
    try:
        return {library: importlib.import_module("triton.language.extra.cuda.libdevice")}
    except ImportError:
        return {}


def _source(kernel: Any, types: Mapping[str, ArgumentType], constants: Mapping[str, Any]) -> Any:
    """Triton's record of kernel, types and constants; releases differ in how it is made."""
    make = importlib.import_module("triton.compiler.compiler").ASTSource
    names = list(kernel.arg_names)
    values = {**constants, **{name: 1 for name, type_ in types.items() if type_.is_one}}
    promises = {
        names.index(name): type_.divisibility for name, type_ in types.items() if type_.divisibility
    }
    if "constexprs" in inspect.signature(make.__init__).parameters:
        return make(
            kernel,
            signature={n: "constexpr" if n in values else types[n].type for n in names},
            constexprs=values,
            attrs={(i,): [["tt.divisibility", value]] for i, value in promises.items()},
        )
    # Triton 3.2 knows one promise, a multiple of 16; a larger one holds that too.
    aligned = [index for index, value in promises.items() if value % 16 == 0]
    attrs = importlib.import_module("triton.backends.compiler").AttrsDescriptor.from_dict(
        {
            "arg_properties": {"tt.divisibility": aligned, "tt.equal_to": []},
            "cls": "AttrsDescriptor",
        }
    )
    signature = {n: types[n].type for n in names if n not in values}
    return make(kernel, signature=signature, constants=values, attrs=attrs)


def clean_up(ir: Any, passes: Any, context: Any, module: Any) -> None:
    """Inlining and folding; nothing that lowers a block pointer, a descriptor or a dot."""
    manager = ir.pass_manager(context)
    passes.common.add_inliner(manager)
    passes.ttir.add_combine(manager)
    passes.common.add_canonicalizer(manager)
    passes.ttir.add_reorder_broadcast(manager)
    passes.common.add_cse(manager)
    passes.common.add_symbol_dce(manager)
    if hasattr(passes.ttir, "add_loop_unroll"):
        passes.ttir.add_loop_unroll(manager)
    try:
        manager.run(module)
    except TypeError:  # later releases want a name for their own traces
        manager.run(module, "mltc")


def emit_ttir(
    function: Any, types: Mapping[str, ArgumentType], constants: Mapping[str, Any]
) -> str:
    """The Triton IR of a kernel, with the places in its Python source.

    Args:
        function: a function decorated with ``triton.jit``.
        types: of every parameter without a constant.
        constants: values of the other parameters.

    Raises:
        FrontEndError: Triton is missing or refuses the kernel; names the Python line.
    """
    import_triton()
    kernel = unwrap(function)
    library = importlib.import_module("triton._C.libtriton")
    target = importlib.import_module("triton.backends.compiler").GPUTarget("mltc", "pvc", 16)
    errors = importlib.import_module("triton.compiler.errors")
    source = _source(kernel, types, constants)
    context = library.ir.context()
    library.ir.load_dialects(context)
    wants = inspect.signature(source.make_ir).parameters
    try:
        module = source.make_ir(
            *([target] if "target" in wants else []),
            Options(),
            codegen_hooks(),
            *([module_map()] if "module_map" in wants else []),
            context,
        )
        clean_up(library.ir, library.passes, context, module)
    except errors.CompilationError as error:
        raise FrontEndError(_place(kernel, error)) from error
    except (RuntimeError, TypeError, ValueError) as error:
        raise FrontEndError(f"triton cannot translate '{kernel.__name__}': {error}") from error
    return str(module)


def _place(kernel: Any, error: Any) -> str:
    """``file:line:column: message``, Triton's own picture of the line, and who called it.

    The place is in the innermost function that is the user's.
    """
    chain = [(kernel, error)]
    reason = getattr(error, "error_message", None) or str(error)
    cause = error.__cause__
    while cause is not None:
        reason = getattr(cause, "error_message", None) or str(cause)
        if hasattr(cause, "node") and (function := _translated(cause)) is not None:
            chain.append((function, cause))
        cause = cause.__cause__
    while len(chain) > 1 and _is_library(chain[-1][0]):
        chain.pop()
    (where, picture), callers = _line(*chain[-1]), chain[-2::-1]
    called = [f"called from {_line(*caller)[0]}" for caller in callers]
    return "\n".join([f"{where}: {reason}", picture, *called])


def _translated(error: BaseException) -> Any:
    """The function that Triton's code generator was in when it raised an error."""
    function, frames = None, error.__traceback__
    while frames is not None:
        function = getattr(frames.tb_frame.f_locals.get("self"), "jit_fn", function)
        frames = frames.tb_next
    return function


def _is_library(function: Any) -> bool:
    return str(function.__module__).partition(".")[0] in ("triton", "mltc")


def _line(function: Any, error: Any) -> tuple[str, str]:
    """``file:line:column`` of an error in a function, and Triton's text about it."""
    file, node = inspect.getsourcefile(function.fn) or "?", getattr(error, "node", None)
    if node is None or not hasattr(node, "lineno"):
        return file, str(error).strip()
    lines, start = inspect.getsourcelines(function.fn)
    # Triton counts from the line with `def`, below the decorators.
    start += next((i for i, line in enumerate(lines) if line.lstrip().startswith("def ")), 0)
    return f"{file}:{start + node.lineno - 1}:{node.col_offset + 1}", str(error).strip()
