"""The builtins of the language extension, for Triton 3.5 to 3.9.

Triton can create only its own operations.  A hint is an attribute on one of them; what
Triton lacks travels as a marker that ``--materialize-markers`` of mlt-opt turns into the
real operation, with all checks that need the whole kernel.
"""

# Triton reads the annotations of jit functions, so they are not postponed.
from typing import Any

import triton.language as tl
from triton.language import core, standard
from triton.language.standard import _elementwise_max, _elementwise_min, _sum_combine

TILINGS = ("horizontal", "vertical", "square")


def _plain(value: Any) -> Any:
    """The Python value of a constant of the kernel."""
    if isinstance(value, core.constexpr):
        return _plain(value.value)
    if isinstance(value, list | tuple | core.tuple):
        return tuple(_plain(item) for item in value)
    return value


def _marker(text: str, type_: Any, pure: bool, semantic: Any) -> Any:
    """An operation that Triton passes on as it is."""
    builder = semantic.builder
    call = builder.create_inline_asm(text, "", [], [type_.to_ir(builder)], pure, 1)
    return tl.tensor(call.get_result(0), type_)


# Compiler hints.


@core.builtin
def dot(
    input: Any,
    other: Any,
    acc: Any = None,
    *args: Any,
    tiling: Any = None,
    _semantic: Any = None,
    **kwargs: Any,
) -> Any:
    """``tl.dot``, and how the result is split over the warps.

    Args:
        tiling: ``"horizontal"`` (rows), ``"vertical"`` (columns), ``"square"``, or None for
            the compiler's choice.
    """
    result = core.dot(input, other, acc, *args, _semantic=_semantic, **kwargs)
    hint = _plain(tiling)
    if hint is None:
        return result
    if hint not in TILINGS:
        raise ValueError(f"tiling: expected one of {', '.join(TILINGS)}, got {hint!r}")
    # With an integer or converted accumulator the result may be another operation's: the
    # first pass looks for the hint on dots only and refuses it elsewhere.
    result.handle.set_attr("mlt.tiling", _semantic.builder.get_string_attr(hint))
    return result


@core.builtin
def prefetch(block: Any, offsets: Any = None, _semantic: Any = None) -> None:
    """Brings a block into the caches; changes nothing else.

    At the level of the work-group its warps share the block, each fetches a part. What lies
    outside of the tensor is skipped.

    Args:
        block: a block pointer, or a tensor descriptor.
        offsets: where the block of a descriptor starts; none for a block pointer.
    """
    if isinstance(block, core.tensor_descriptor_base):
        rank = len(block.block_shape)
        if offsets is None or len(offsets) != rank:
            raise ValueError(f"prefetch: expected {rank} offsets into the descriptor")
        value = block.load(offsets, _semantic=_semantic)
    else:
        type_ = getattr(block, "type", None)
        if not (isinstance(type_, core.pointer_type) and type_.element_ty.is_block()):
            raise TypeError(
                f"prefetch: expected a block pointer or a tensor descriptor, got {type_ or block}"
            )
        if offsets is not None:
            raise ValueError("prefetch: expected no offsets, a block pointer has its own")
        value = core.load(block, _semantic=_semantic)
    # Triton knows every block as something to load; the marker is the only user of what this
    # load gives, and becomes the prefetch.
    builder = _semantic.builder
    ignored = core.block_type(tl.int32, value.type.shape).to_ir(builder)
    builder.create_inline_asm("mlt.prefetch", "", [value.handle], [ignored], False, 1)


# Warps.


@core.builtin
def warp_level(_semantic: Any = None) -> None:
    """First statement of a kernel whose tensors belong to one warp each."""
    _marker("mlt.warp_level", tl.int32, False, _semantic)


@core.builtin
def warp_id(_semantic: Any = None) -> Any:
    """The linear id of the current warp in its work-group, an int32."""
    return _marker("mlt.warp_id", tl.int32, True, _semantic)


@core.builtin
def barrier(_semantic: Any = None) -> None:
    """Waits for all warps; what they stored in shared local memory is then visible."""
    _marker("mlt.barrier", tl.int32, False, _semantic)


# Shared local memory.


class SharedPointerType(core.pointer_type):  # type: ignore[misc]
    """The type of what :func:`alloc` returns; carries the shape through control flow."""

    def __init__(self, element: Any, shape: tuple[int, ...]) -> None:
        super().__init__(element)
        self.shared_shape = shape


def _is_power_of_two(value: Any) -> bool:
    return isinstance(value, int) and value > 0 and value & (value - 1) == 0


@core.builtin
def alloc(shape: Any, dtype: Any, _semantic: Any = None) -> Any:
    """A block of shared local memory, row-major, the same for all warps of the work-group.

    Args:
        shape: powers of two, one per axis.
        dtype: type of the elements.
    """
    extents = _plain(shape)
    extents = extents if isinstance(extents, tuple) else (extents,)
    if not extents or not all(_is_power_of_two(extent) for extent in extents):
        raise ValueError(f"alloc: expected powers of two as shape, got {extents}")
    type_ = SharedPointerType(_plain(dtype), extents)
    text = "mlt.alloc " + "x".join(map(str, extents))
    # Not pure: two equal blocks are two blocks.
    return _marker(text, type_, False, _semantic)


def _addresses(pointer: Any, semantic: Any) -> Any:
    """The addresses of all elements of a block of shared local memory."""
    shape, stride, result = pointer.type.shared_shape, 1, None
    for axis in reversed(range(len(shape))):
        index = core.arange(0, shape[axis], _semantic=semantic)
        for other in range(len(shape)):
            if other != axis:
                index = semantic.expand_dims(index, other)
        if stride != 1:
            index = semantic.mul(index, stride, True)
        result = index if result is None else semantic.add(result, index, True)
        stride *= shape[axis]
    plain = tl.tensor(pointer.handle, core.pointer_type(pointer.type.element_ty))
    return semantic.add(plain, result, True)


def _is_shared(value: Any) -> bool:
    return isinstance(getattr(value, "type", None), SharedPointerType)


@core.builtin
def load(pointer: Any, *args: Any, _semantic: Any = None, **kwargs: Any) -> Any:
    """``tl.load``; of a block of shared local memory, the whole block."""
    if _is_shared(pointer):
        pointer = _addresses(pointer, _semantic)
    return core.load(pointer, *args, _semantic=_semantic, **kwargs)


@core.builtin
def store(pointer: Any, value: Any, *args: Any, _semantic: Any = None, **kwargs: Any) -> Any:
    """``tl.store``; to a block of shared local memory, the whole block."""
    if _is_shared(pointer):
        pointer = _addresses(pointer, _semantic)
    return core.store(pointer, value, *args, _semantic=_semantic, **kwargs)


# Reductions across warps.
#
# All of them are builtins and not jit functions, so that what a later pass refuses is at the
# user's line, and because a jit function passes a combination on only as a constant, which
# stock `reduce` does not take.


def _destination(cross_warp: Any, dst_warps: Any) -> str | None:
    """The warps that get the result, as the marker names them; None for all."""
    warps = _plain(dst_warps)
    if warps is None:
        return None
    if not _plain(cross_warp):
        raise ValueError("dst_warps needs cross_warp=True")
    warps = warps if isinstance(warps, tuple) else (warps,)
    if not warps or not all(isinstance(warp, int) for warp in warps):
        raise ValueError(f"dst_warps: expected a warp or several, got {warps}")
    return ",".join(map(str, warps))


def _across_warps(
    input: Any, combine_fn: Any, destination: str | None, semantic: Any, generator: Any
) -> Any:
    """Combines a value, or several at once, of all warps element by element.

    Written as a reduction of a new leading axis of extent 1, which carries the combination;
    the attribute says that the axis stands for the warps.
    """

    def with_axis(value: Any) -> Any:
        value = semantic.to_tensor(value)
        return (
            semantic.expand_dims(value, 0) if value.type.is_block() else semantic.splat(value, [1])
        )

    several = isinstance(input, tuple | core.tuple)
    tiles = tuple(with_axis(value) for value in (input if several else (input,)))
    results = core.reduce(tiles, 0, combine_fn, _semantic=semantic, _generator=generator)
    # All results are those of one operation.
    operation, builder = results[0].handle, semantic.builder
    operation.set_attr("mlt.cross_warp", builder.get_string_attr("all"))
    if destination is not None:
        operation.set_attr("mlt.dst_warps", builder.get_string_attr(destination))
    return results if several else results[0]


def _call(generator: Any, function: Any, input: Any, *constants: Any) -> Any:
    """What a jit function of stock Triton makes of a value, with the constants behind it."""
    arguments = [input, *(core.constexpr(_plain(value)) for value in constants)]
    return generator.call_JitFunction(function, arguments, {})


@core.builtin
def reduce(
    input: Any,
    axis: Any = None,
    combine_fn: Any = None,
    keep_dims: Any = False,
    cross_warp: Any = False,
    dst_warps: Any = None,
    _semantic: Any = None,
    _generator: Any = None,
) -> Any:
    """``tl.reduce``; with ``cross_warp`` over all warps, and over an axis only if one is given."""
    destination, combine_fn = _destination(cross_warp, dst_warps), _plain(combine_fn)
    if combine_fn is None:
        raise ValueError("reduce: expected combine_fn, a jit function of two values")
    if _plain(axis) is not None or not _plain(cross_warp):
        input = core.reduce(
            input, axis, combine_fn, keep_dims=keep_dims, _semantic=_semantic, _generator=_generator
        )
    if not _plain(cross_warp):
        return input
    return _across_warps(input, combine_fn, destination, _semantic, _generator)


def _extremum(name: str, stock: Any, combine_fn: Any) -> Any:
    """``tl.max`` or ``tl.min`` with the extension."""

    @core.builtin
    def extremum(
        input: Any,
        axis: Any = None,
        return_indices: Any = False,
        return_indices_tie_break_left: Any = True,
        keep_dims: Any = False,
        cross_warp: Any = False,
        dst_warps: Any = None,
        _semantic: Any = None,
        _generator: Any = None,
    ) -> Any:
        destination, across = _destination(cross_warp, dst_warps), _plain(cross_warp)
        if across and _plain(return_indices):
            raise ValueError("cross_warp gives no indices; reduce() takes several values at once")
        if _plain(axis) is not None or not across:
            how = (axis, return_indices, return_indices_tie_break_left, keep_dims)
            input = _call(_generator, stock, input, *how)
        return (
            _across_warps(input, combine_fn, destination, _semantic, _generator)
            if across
            else input
        )

    extremum.__name__ = extremum.__qualname__ = name
    extremum.__doc__ = (
        f"``tl.{name}``; with ``cross_warp`` over all warps, and over an axis only if one is given."
    )
    return extremum


max = _extremum("max", standard.max, _elementwise_max)
min = _extremum("min", standard.min, _elementwise_min)


@core.builtin
def sum(
    input: Any,
    axis: Any = None,
    keep_dims: Any = False,
    dtype: Any = None,
    cross_warp: Any = False,
    dst_warps: Any = None,
    _semantic: Any = None,
    _generator: Any = None,
) -> Any:
    """``tl.sum``; with ``cross_warp`` over all warps, and over an axis only if one is given."""
    destination, across = _destination(cross_warp, dst_warps), _plain(cross_warp)
    if _plain(axis) is not None or not across:
        input = _call(_generator, standard.sum, input, axis, keep_dims, dtype)
    elif _plain(dtype) is not None:
        input = _semantic.cast(input, _plain(dtype))
    return (
        _across_warps(input, _sum_combine, destination, _semantic, _generator) if across else input
    )
