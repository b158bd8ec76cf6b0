"""Arrays in the form in which Triton takes them: an address, an element type and strides.

Triton recognises an array by ``data_ptr()`` and names its elements by ``dtype``; NumPy arrays have
neither, and no bf16 or fp8.  A :class:`Tensor` adds both to memory that something else owns: what a
kernel writes is seen in the NumPy array it was made from.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mltc.errors import UsageError, did_you_mean
from mltc.runtime.level_zero import SharedBuffer


@dataclass(frozen=True)
class DType:
    """An element type.

    Attributes:
        name: Triton's name.
        numpy: NumPy's name of a type of the same bits, in which such elements are kept.
    """

    name: str
    numpy: str

    @property
    def itemsize(self) -> int:
        """Bytes per element."""
        return np.dtype(self.numpy).itemsize

    @property
    def is_floating_point(self) -> bool:
        """Whether values are floating-point numbers."""
        return self.name.startswith(("fp", "bf"))

    def __str__(self) -> str:
        return self.name


_TYPES = {
    name: DType(name, numpy)
    for name, numpy in {
        "u1": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
        "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64",
        "fp16": "float16", "bf16": "uint16", "fp32": "float32", "fp64": "float64",
        "fp8e4nv": "uint8", "fp8e5": "uint8",
    }.items()
}  # fmt: skip
_AS_BITS = ("bf16", "fp8e4nv", "fp8e5")
# NumPy's names, those of the package ml_dtypes, and Triton's.
_NAMES = {
    **{kind.numpy: kind for kind in _TYPES.values() if kind.name not in _AS_BITS},
    "bfloat16": _TYPES["bf16"], "float8_e4m3fn": _TYPES["fp8e4nv"], "float8_e5m2": _TYPES["fp8e5"],
    **_TYPES,
}  # fmt: skip


def dtype_of(value: Any) -> DType:
    """The element type that a :class:`DType`, a NumPy type or a name stands for.

    Raises:
        UsageError: kernels have no such elements.
    """
    if isinstance(value, DType):
        return value
    name = value if isinstance(value, str) and value in _NAMES else None
    if name is None:
        try:
            kind = np.dtype(value)
        except TypeError:
            near = did_you_mean(str(value), _NAMES)
            raise UsageError(f"unknown element type '{value}'{near}") from None
        if not kind.isnative:
            raise UsageError(f"elements of type {kind.name} are in foreign byte order")
        name = kind.name
    if name not in _NAMES:
        raise UsageError(
            f"kernels have no elements of type '{name}'", hint=f"types: {', '.join(_TYPES)}"
        )
    return _NAMES[name]


class Tensor:
    """An array argument of a kernel.

    Attributes:
        storage: the NumPy array, or the device memory, that holds the elements.
        dtype: what the elements are.
        shape: elements per axis.
    """

    # What Triton asks of a tensor that it makes another view of.
    is_cuda = False
    device = "cpu"

    def __init__(
        self, storage: Any, dtype: DType, shape: Sequence[int], strides: Sequence[int]
    ) -> None:
        self.storage = storage
        self.dtype = dtype
        self.shape = tuple(int(extent) for extent in shape)
        self._strides = tuple(int(stride) for stride in strides)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def data(self) -> Any:
        """The memory, for ``triton.reinterpret``."""
        return self.storage

    def data_ptr(self) -> int:
        """The address of the first element."""
        if isinstance(self.storage, np.ndarray):
            return int(self.storage.ctypes.data)
        if isinstance(self.storage, SharedBuffer):
            return self.storage.pointer
        interface = self.storage.__sycl_usm_array_interface__
        return int(interface["data"][0]) + int(interface.get("offset") or 0) * self.dtype.itemsize

    def stride(self, axis: int | None = None) -> Any:
        """Elements from one index to the next, along one axis or along all."""
        return self._strides if axis is None else self._strides[axis]

    def size(self, axis: int | None = None) -> Any:
        """Elements along one axis, or along all."""
        return self.shape if axis is None else self.shape[axis]

    def numel(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    def element_size(self) -> int:
        """Bytes per element."""
        return self.dtype.itemsize

    def is_contiguous(self) -> bool:
        """Whether the elements lie one behind the other, the last axis innermost."""
        return self._strides == _row_major(self.shape)

    def numpy(self) -> np.ndarray[Any, Any]:
        """The elements, shared; bf16 and fp8 are the bits in unsigned integers.

        Raises:
            UsageError: the host cannot see this memory.
        """
        if isinstance(self.storage, np.ndarray):
            return self.storage
        try:
            if isinstance(self.storage, SharedBuffer):
                # The view keeps the memory.
                raw = np.asarray(self.storage).view(self.dtype.numpy)
                return raw[: self.numel()].reshape(self.shape)
            flat = np.frombuffer(self.storage, dtype=self.dtype.numpy, count=self.numel())
        except (TypeError, ValueError, BufferError):
            raise UsageError(
                f"the host cannot see memory of type {type(self.storage).__name__}",
                hint="allocate it as dpctl.memory.MemoryUSMShared",
            ) from None
        return flat.reshape(self.shape)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return np.array(self.numpy(), dtype=dtype, copy=copy)

    def __getitem__(self, index: Any) -> Tensor:
        return tensor(self.numpy()[index], self.dtype)

    def __setitem__(self, index: Any, value: Any) -> None:
        self.numpy()[index] = np.asarray(value)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<tensor {'x'.join(map(str, self.shape))} of {self.dtype}>"

    # What triton.autotune does to arguments between its trials.

    def zero_(self) -> Tensor:
        """Sets every element to zero."""
        self.numpy()[...] = 0
        return self

    def copy_(self, other: Tensor) -> Tensor:
        """Takes the elements of another tensor of the same shape."""
        self.numpy()[...] = other.numpy()
        return self

    def clone(self) -> Tensor:
        """A copy with memory of its own."""
        return tensor(self.numpy().copy(), self.dtype)


def _row_major(shape: Sequence[int]) -> tuple[int, ...]:
    strides = [1]
    for extent in reversed(shape[1:]):
        strides.append(strides[-1] * int(extent))
    return tuple(reversed(strides)) if shape else ()


def tensor(data: Any, dtype: Any = None, shape: Sequence[int] | None = None) -> Tensor:
    """Wraps memory for a kernel, without a copy.

    Args:
        data: a NumPy array; dpctl memory; anything with ``__sycl_usm_array_interface__``; or
            memory of a GPU that kernels run on (``open_device("level_zero:gpu").allocate(...)``).
        dtype: what the elements are, where ``data`` does not say it: ``"bf16"`` for bits in a
            uint16 array, any type for raw memory.
        shape: of raw memory; everything in one axis without it.

    Raises:
        UsageError: no such memory or type, or strides that are no multiple of an element.
    """
    if isinstance(data, Tensor):
        return data if dtype is None else tensor(data.storage, dtype, shape)
    if isinstance(data, SharedBuffer):
        raw = {"typestr": "|u1", "shape": (data.nbytes,)}
        return _device_tensor(data, raw, dtype, shape)
    interface = getattr(data, "__sycl_usm_array_interface__", None)
    if isinstance(interface, dict):
        return _device_tensor(data, interface, dtype, shape)
    if not isinstance(data, np.ndarray):
        raise UsageError(
            f"expected a NumPy array or device memory, got {type(data).__name__}",
            hint="numpy.asarray makes one of a list or of a number",
        )
    kind = dtype_of(data.dtype if dtype is None else dtype)
    if data.dtype.itemsize != kind.itemsize:
        raise UsageError(f"elements of {data.dtype.name} cannot be read as {kind}")
    if any(stride % kind.itemsize for stride in data.strides):
        raise UsageError(f"strides of {data.strides} bytes are no multiples of {kind.itemsize}")
    strides = [stride // kind.itemsize for stride in data.strides]
    return Tensor(data.view(kind.numpy), kind, data.shape, strides)


def _device_tensor(
    data: Any, interface: dict[str, Any], dtype: Any, shape: Sequence[int] | None
) -> Tensor:
    kind = dtype_of(np.dtype(interface["typestr"]) if dtype is None else dtype)
    if np.dtype(interface["typestr"]).itemsize == kind.itemsize and shape is None:
        extents = tuple(interface["shape"])
        strides = interface.get("strides") or _row_major(extents)
        return Tensor(data, kind, extents, strides)
    nbytes = math.prod(interface["shape"]) * np.dtype(interface["typestr"]).itemsize
    extents = tuple(shape) if shape is not None else (nbytes // kind.itemsize,)
    if math.prod(extents) * kind.itemsize > nbytes:
        raise UsageError(f"{nbytes} bytes are too few for {list(extents)} elements of {kind}")
    return Tensor(data, kind, extents, _row_major(extents))


def empty(shape: int | Sequence[int], dtype: Any = "fp32") -> Tensor:
    """A new host array with arbitrary elements."""
    kind = dtype_of(dtype)
    return tensor(np.empty(shape, kind.numpy), kind)


def zeros(shape: int | Sequence[int], dtype: Any = "fp32") -> Tensor:
    """A new host array of zeros."""
    return empty(shape, dtype).zero_()
